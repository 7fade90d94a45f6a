"""``MultiheadAttention`` and the Transformer's layers: what they compute, what masks do, what they draw."""

import copy
import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn

F = nn.functional


def attention_by_hand(layer, query, key, value, mask=None):
    """Output and mean weights for (L, E), (S, kdim), (S, vdim), by NumPy."""
    width, heads = layer.embed_dim, layer.num_heads
    if layer._qkv_same_embed_dim:
        weights = np.split(layer.in_proj_weight.detach().numpy(), 3)
    else:
        weights = [getattr(layer, f"{name}_proj_weight").detach().numpy() for name in "qkv"]
    biases = np.split(layer.in_proj_bias.detach().numpy(), 3)
    q, k, v = (x @ w.T + b for x, w, b in zip((query, key, value), weights, biases))
    outputs, all_weights = [], []
    for h in range(heads):
        part = slice(h * width // heads, (h + 1) * width // heads)
        scores = q[:, part] @ k[:, part].T / np.sqrt(width / heads)
        if mask is not None:
            scores = np.where(mask, -np.inf, scores)
        p = np.exp(scores - scores.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        outputs.append(p @ v[:, part])
        all_weights.append(p)
    output = np.concatenate(outputs, -1) @ layer.out_proj.weight.detach().numpy().T
    return output + layer.out_proj.bias.detach().numpy(), np.mean(all_weights, 0)


@pytest.mark.parametrize("options", [{}, {"kdim": 3, "vdim": 5}])
@pytest.mark.parametrize("batch_first", [False, True])
def test_attention_computes_what_its_formulas_say(options, batch_first):
    layer = nn.MultiheadAttention(4, 2, batch_first=batch_first, **options).double()
    nn.init.normal_(layer.in_proj_bias)
    widths = 4, options.get("kdim", 4), options.get("vdim", 4)
    q, k, v = (torch.randn(2, n, w, dtype=torch.float64) for n, w in zip((3, 5, 5), widths))
    given = (q, k, v) if batch_first else tuple(x.transpose(0, 1) for x in (q, k, v))
    output, weights = layer(*given)
    fused, none = layer(*given, need_weights=False)
    assert none is None
    if not batch_first:
        output, fused = output.transpose(0, 1), fused.transpose(0, 1)
    for n in range(2):
        expected, mean = attention_by_hand(layer, *(x[n].numpy() for x in (q, k, v)))
        for got in (output, fused):
            np.testing.assert_allclose(got[n].detach().numpy(), expected, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(weights[n].detach().numpy(), mean, rtol=1e-10)


def test_masks_hide_what_they_say():
    layer = nn.MultiheadAttention(4, 2).double()
    x = torch.randn(3, 1, 4, dtype=torch.float64)
    later = torch.ones(3, 3).triu(1).bool()
    expected, mean = attention_by_hand(layer, *(x[:, 0].numpy(),) * 3, mask=later.numpy())
    added = nn.Transformer.generate_square_subsequent_mask(3, dtype=torch.float64)
    for mask in (later, added, later.expand(2, 3, 3)):
        output, weights = layer(x, x, x, attn_mask=mask)
        np.testing.assert_allclose(output[:, 0].detach().numpy(), expected, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(weights[0].detach().numpy(), mean, rtol=1e-10)
    causal, _ = layer(x, x, x, attn_mask=added, is_causal=True, need_weights=False)
    np.testing.assert_allclose(causal[:, 0].detach().numpy(), expected, rtol=1e-10, atol=1e-12)
    padded, weights = layer(x, x, x, key_padding_mask=torch.tensor([[False, False, True]]))
    assert not weights[..., 2].any()
    torch.testing.assert_close(padded, layer(x, x[:2], x[:2])[0])


def test_added_keys_and_weights_per_head():
    layer = nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)
    x = torch.randn(3, 2, 4)
    assert layer(x, x, x)[1].shape == (2, 3, 5)
    assert layer(x, x, x, average_attn_weights=False)[1].shape == (2, 2, 3, 5)
    alone, weights = layer(x[:, 0], x[:, 0], x[:, 0])
    torch.testing.assert_close(alone, layer(x, x, x)[0][:, 0])
    assert weights.shape == (3, 5)


def test_the_parameters_of_attention():
    layer = nn.MultiheadAttention(4, 2, kdim=3, add_bias_kv=True, bias=False)
    names = ["q_proj_weight", "k_proj_weight", "v_proj_weight", "bias_k", "bias_v", "out_proj.weight"]
    assert list(layer.state_dict()) == names
    assert layer.k_proj_weight.shape == (4, 3) and layer.in_proj_weight is layer.in_proj_bias is None
    joint = nn.MultiheadAttention(4, 2)
    assert list(joint.state_dict()) == ["in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"]
    assert not joint.in_proj_bias.any() and not joint.out_proj.bias.any()
    assert nn.modules.activation.MultiheadAttention is nn.MultiheadAttention


def test_masks_are_merged_as_pytorch_merges_them():
    layer, x = nn.MultiheadAttention(4, 2), torch.ones(3, 5, 4)
    attention, padding = torch.zeros(5, 5), torch.ones(3, 5)
    assert layer.merge_masks(None, None, x) == (None, None)
    assert layer.merge_masks(None, padding, x) == (padding, 1)
    merged, kind = layer.merge_masks(attention, padding, x)
    assert merged.shape == (3, 2, 5, 5) and kind == 2 and (merged == 1).all()
    assert layer.merge_masks(attention.expand(6, 5, 5), None, x)[0].shape == (3, 2, 5, 5)


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (
            (0, 1),
            ValueError,
            "embed_dim and num_heads must be greater than 0, got embed_dim=0 and num_heads=1",
        ),
        ((3, 2), AssertionError, "embed_dim must be divisible by num_heads"),
    ],
)
def test_sizes_of_attention_that_cannot_be_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        nn.MultiheadAttention(*arguments)


def test_masks_of_other_kinds_are_refused():
    layer, x = nn.MultiheadAttention(4, 2), torch.ones(3, 1, 4)
    with pytest.raises(AssertionError, match="only bool and floating types of attn_mask are supported"):
        layer(x, x, x, attn_mask=torch.zeros(3, 3, dtype=torch.int64))
    with pytest.raises(RuntimeError, match="The shape of the 2D attn_mask is"):
        layer(x, x, x, attn_mask=torch.zeros(2, 3))
    with pytest.raises(RuntimeError, match="Need attn_mask if specifying the is_causal hint"):
        layer(x, x, x, is_causal=True)
    with pytest.warns(
        UserWarning, match="Support for mismatched key_padding_mask and attn_mask is deprecated"
    ):
        layer(x, x, x, attn_mask=torch.zeros(3, 3), key_padding_mask=torch.zeros(1, 3, dtype=torch.bool))


# Layers of the Transformer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("norm_first", [False, True])
def test_an_encoder_layer_adds_attention_and_two_linear_maps(norm_first):
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, norm_first=norm_first).double()
    x = torch.randn(3, 2, 4, dtype=torch.float64)

    def attend(x):
        return layer.self_attn(x, x, x)[0]

    def inner(x):
        return layer.linear2(torch.relu(layer.linear1(x)))

    if norm_first:
        expected = x + attend(layer.norm1(x))
        expected = expected + inner(layer.norm2(expected))
    else:
        expected = layer.norm1(x + attend(x))
        expected = layer.norm2(expected + inner(expected))
    torch.testing.assert_close(layer(x), expected)


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_decoder_layer_attends_to_itself_and_to_the_memory(norm_first):
    layer = nn.TransformerDecoderLayer(
        4, 2, 8, dropout=0.0, norm_first=norm_first, activation="gelu"
    ).double()
    x, memory = torch.randn(3, 2, 4, dtype=torch.float64), torch.randn(5, 2, 4, dtype=torch.float64)
    blocks = [
        lambda x: layer.self_attn(x, x, x)[0],
        lambda x: layer.multihead_attn(x, memory, memory)[0],
        lambda x: layer.linear2(F.gelu(layer.linear1(x))),
    ]
    expected = x
    for block, norm in zip(blocks, (layer.norm1, layer.norm2, layer.norm3)):
        expected = expected + block(norm(expected)) if norm_first else norm(expected + block(expected))
    torch.testing.assert_close(layer(x, memory), expected)


def test_encoder_and_decoder_apply_their_copies_in_turn():
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True), 2, nn.LayerNorm(4)
    )
    x = torch.randn(2, 3, 4)
    torch.testing.assert_close(encoder(x), encoder.norm(encoder.layers[1](encoder.layers[0](x))))
    assert encoder.layers[0].linear1.weight is not encoder.layers[1].linear1.weight
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8, 0.0, batch_first=True), 2)
    torch.testing.assert_close(decoder(x, x), decoder.layers[1](decoder.layers[0](x, x), x))


def test_a_causal_mask_hides_what_comes_later():
    model = nn.Transformer(4, 2, 1, 1, 8, 0.0, batch_first=True)
    mask = model.generate_square_subsequent_mask(3)
    source, target = torch.randn(2, 5, 4), torch.randn(2, 3, 4)
    changed = target.clone()
    changed[:, 2] += 1
    before, after = (model(source, t, tgt_mask=mask) for t in (target, changed))
    torch.testing.assert_close(before[:, :2], after[:, :2])
    assert not torch.allclose(before[:, 2], after[:, 2])


def test_in_evaluation_without_gradients_padding_comes_out_as_zeros():
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 1).eval()
    x, padding = torch.randn(2, 3, 4), torch.tensor([[False, False, True], [False, True, True]])
    recorded = encoder(x, src_key_padding_mask=padding)
    assert recorded[padding].all()
    with torch.no_grad():
        found = encoder(x, src_key_padding_mask=padding)
        assert not found[padding].any()
        torch.testing.assert_close(found[~padding], recorded.detach()[~padding])
        ahead = encoder(x, src_key_padding_mask=padding.flip(1))
        assert ahead[padding.flip(1)].all()
        encoder.use_nested_tensor = False
        assert encoder(x, src_key_padding_mask=padding)[padding].all()


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"batch_first": False}, "self_attn.batch_first was not True"),
        ({"norm_first": True}, "norm_first was True"),
        ({"activation": torch.tanh}, "activation_relu_or_gelu was not True"),
        ({"bias": False}, "self_attn was passed bias=False"),
        ({"nhead": 1}, "num_heads is odd"),
    ],
)
def test_an_encoder_says_why_it_keeps_padding(options, reason):
    layer = nn.TransformerEncoderLayer(**{"d_model": 4, "nhead": 2, "batch_first": True, **options})
    with pytest.warns(
        UserWarning, match=f"enable_nested_tensor is True, but .* because encoder_layer.*{reason}"
    ):
        assert not nn.TransformerEncoder(layer, 1).use_nested_tensor


def test_what_does_not_fit_a_transformer_is_refused():
    model = nn.Transformer(4, 2, 1, 1, 8, batch_first=True)
    with pytest.raises(RuntimeError, match="the batch number of src and tgt must be equal"):
        model(torch.ones(2, 3, 4), torch.ones(3, 3, 4))
    with pytest.raises(RuntimeError, match="the feature number of src and tgt must be equal to d_model"):
        model(torch.ones(2, 3, 4), torch.ones(2, 3, 3))
    with pytest.raises(RuntimeError, match="activation should be relu/gelu, not tanh"):
        nn.TransformerEncoderLayer(4, 2, activation="tanh")


def test_copies_of_a_transformer_compute_the_same():
    model = nn.Transformer(4, 2, 1, 1, 8, batch_first=True).eval()
    twin = copy.deepcopy(model)
    x = torch.randn(3, 2, 4)
    assert torch.equal(twin(x, x), model(x, x)) and repr(twin) == repr(model)


MODELS = [
    ("MultiheadAttention(4, 2, dropout=0.5)", 3),
    ("MultiheadAttention(4, 2, kdim=4, vdim=4, add_bias_kv=True, add_zero_attn=True, batch_first=True)", 3),
    ("TransformerEncoderLayer(4, 2, 8, activation='gelu')", 1),
    ("TransformerDecoderLayer(4, 2, 8, batch_first=True, norm_first=True)", 2),
    ("Transformer(4, 2, 1, 2, 8, batch_first=True)", 2),
]


@pytest.mark.torch
@pytest.mark.parametrize("expression, inputs", MODELS)
def test_the_same_seed_gives_pytorch_s_numbers(expression, inputs):
    theirs = pytest.importorskip("torch")
    outcomes = []
    for lib in (theirs, torch):
        lib.manual_seed(0)
        name = expression.split("(")[0]
        model = eval(expression, {name: getattr(lib.nn, name)}).double()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            output = model(*(lib.randn(3, 2, 4).double() for _ in range(inputs)))
        output = output[0] if isinstance(output, tuple) else output
        output.pow(3).sum().backward()
        found = [output, *model.parameters(), *(w.grad for w in model.parameters())]
        outcomes.append([w.detach().numpy() for w in found])
    for expected, got in zip(*outcomes):
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-9)
