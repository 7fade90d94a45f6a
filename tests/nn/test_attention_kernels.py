"""``nn.attention``: the choice of a kernel, causal biases, sequences of several lengths."""

import copy
import math
import pickle
import warnings

import pytest

import minigrad
from minigrad.nn import attention
from minigrad.nn.attention import SDPBackend, bias, sdpa_kernel
from minigrad.nn.attention.varlen import AuxRequest, varlen_attn, varlen_attn_out
from tests.messages import first_sentence


def sdpa(lib, *size, **options):
    lib.manual_seed(0)
    q = lib.randn(*(size or (1, 2, 3, 4))).requires_grad_()
    return lib.nn.functional.scaled_dot_product_attention(q, q, q, **options)


def order_in_memory(lib):
    """The strides of the result and of the gradients, where the heads are views of one projection."""
    x = lib.arange(2 * 3 * 24.0).reshape(2, 3, 24).requires_grad_()
    q, k, v = (part.view(2, 3, 2, 4).transpose(1, 2) for part in x.split(8, 2))
    z = lib.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    gradients = lib.autograd.grad(z, (q, k, v), lib.ones(z.shape))
    return z.stride(), z.grad_fn._saved_output.stride(), [g.stride() for g in gradients]


def under(names, function, **options):
    """A program that runs ``function`` with the kernels of these names."""

    def program(lib):
        module = lib.nn.attention
        with module.sdpa_kernel([getattr(module.SDPBackend, name) for name in names.split()], **options):
            return function(lib)

    return program


def flags(lib):
    cuda = lib.backends.cuda
    return [
        cuda.flash_sdp_enabled(), cuda.math_sdp_enabled(), cuda.mem_efficient_sdp_enabled(), cuda.cudnn_sdp_enabled(),
        *map(str, lib.nn.attention._cur_sdpa_kernel_backends(with_priority=True)),
    ]  # fmt: skip


def nested(lib):
    before = flags(lib)
    module = lib.nn.attention
    with module.sdpa_kernel(module.SDPBackend.MATH), module.sdpa_kernel([module.SDPBackend.FLASH_ATTENTION]):
        inside = flags(lib)
    return before, inside, flags(lib)


def lower_right(lib, q=3, kv=5, **options):
    lib.manual_seed(0)
    x, y = lib.randn(1, 2, 3, 4), lib.randn(1, 2, 5, 4)
    mask = lib.nn.attention.bias.causal_lower_right(q, kv)
    return lib.nn.functional.scaled_dot_product_attention(x, y, y, mask, **options).mul(1000).round().tolist()


def upper_left(lib, **options):
    lib.manual_seed(0)
    x, y = lib.randn(1, 2, 3, 4), lib.randn(1, 2, 5, 4)
    mask = lib.nn.attention.bias.causal_upper_left(3, 5)
    return (
        lib.nn.functional.scaled_dot_product_attention(x, y, y, attn_mask=mask, **options)
        .mul(1000)
        .round()
        .tolist()
    )


PROGRAMS = {
    "math": under("MATH", lambda lib: sdpa(lib).grad_fn.name()),
    "flash": under("FLASH_ATTENTION", lambda lib: sdpa(lib).grad_fn.name()),
    "both": under("MATH FLASH_ATTENTION", lambda lib: sdpa(lib).grad_fn.name()),
    "order in memory": order_in_memory,
    "neither": under("EFFICIENT_ATTENTION", sdpa),
    "none": under("", sdpa),
    "an error": under("ERROR", sdpa),
    "flash that cannot": under("FLASH_ATTENTION", lambda lib: sdpa(lib, dropout_p=0.5)),
    "flags": under("MATH CUDNN_ATTENTION", flags),
    "priority": under("CUDNN_ATTENTION MATH", flags, set_priority=True),
    "nested": nested,
    "no list": lambda lib: lib.nn.attention.sdpa_kernel((1,)).__enter__(),
    "a number": lambda lib: lib.nn.attention.sdpa_kernel(3).__enter__(),
    "members": lambda lib: [(repr(b), str(b), int(b), b.name, b.value, b == b.value) for b in map(lib.nn.attention.SDPBackend, range(-1, 5))],
    "an unknown implementation": lambda lib: lib.nn.attention.activate_flash_attention_impl("x"),
    "no implementation": lambda lib: lib.nn.attention.current_flash_attention_impl(),
    "lower right": lower_right,
    "upper left": upper_left,
    "lower right in other sizes": lambda lib: lower_right(lib, 3, 4),
    "upper left and causal": lambda lib: upper_left(lib, is_causal=True),
    "a scaled one": lambda lib: lower_right(lib, scale=0.3),
    "one axis": lambda lib: lib.nn.attention.bias.causal_lower_right(3),
    "no variant": lambda lib: lib.nn.attention.bias.CausalBias(1, 2, 3),
    "text": lambda lib: [repr(lib.nn.attention.bias.causal_lower_right(2, 4)), repr(lib.nn.attention.bias.causal_upper_left(3, 2))],
    "variants": lambda lib: [repr(v) for v in lib.nn.attention.bias.CausalVariant],
}  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_pytorch(name):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch.nn.attention.bias")

    def outcome(lib):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch's say why a kernel is not used
            try:
                return PROGRAMS[name](lib)
            except Exception as error:
                return type(error), first_sentence(str(error))

    assert outcome(minigrad) == outcome(torch)


def test_the_formula_and_the_fused_kernel_agree():
    q, k, v = minigrad.randn(2, 3, 5, 4), minigrad.randn(2, 3, 6, 4), minigrad.randn(2, 3, 6, 4)
    results = []
    for backend in SDPBackend.MATH, SDPBackend.FLASH_ATTENTION:
        with sdpa_kernel(backend):
            results.append(minigrad.nn.functional.scaled_dot_product_attention(q, k, v))
    minigrad.testing.assert_close(*results)


def test_layers_use_the_kernel_that_is_chosen():
    layer = minigrad.nn.MultiheadAttention(4, 2)
    x = minigrad.randn(3, 1, 4)
    with sdpa_kernel([]), pytest.raises(RuntimeError, match="No viable backend"):
        layer(x, x, x, need_weights=False)


def test_an_error_in_the_block_restores_the_kernels():
    with pytest.raises(ZeroDivisionError), sdpa_kernel(SDPBackend.MATH):
        1 / 0
    assert minigrad.backends.cuda.flash_sdp_enabled()


def test_implementations_are_registered_activated_and_removed():
    class Handle:
        removed = 0

        def remove(self):
            self.removed += 1

    handle = Handle()
    attention.register_flash_attention_impl("test", register_fn=lambda: handle)
    attention.activate_flash_attention_impl("test")
    assert attention.current_flash_attention_impl() == "test"
    attention.activate_flash_attention_impl("test")
    attention.restore_flash_attention_impl()
    assert handle.removed == 2 and attention.current_flash_attention_impl() is None


def test_a_bias_is_a_mask_to_other_operators_and_survives_copies():
    mask = bias.causal_lower_right(2, 3)
    assert type(mask | mask) is minigrad.Tensor and mask.shape == (2, 3) and mask.dtype is minigrad.bool
    for copied in copy.deepcopy(mask), pickle.loads(pickle.dumps(mask)):
        assert type(copied) is bias.CausalBias and copied.variant is bias.CausalVariant.LOWER_RIGHT
        assert repr(copied) == repr(mask)


def test_warnings_of_biases(monkeypatch):
    with pytest.warns(UserWarning, match="Lower right causal bias will produce NaNs"):
        bias.causal_lower_right(3, 2)
    monkeypatch.setattr(attention, "WARN_FOR_UNFUSED_KERNELS", True)
    x = minigrad.randn(1, 1, 2, 4)
    y = minigrad.randn(1, 1, 3, 4)
    with pytest.warns(UserWarning, match="can't be used because") as seen:
        minigrad.nn.functional.scaled_dot_product_attention(x, y, y, bias.causal_lower_right(2, 3))
    assert len(seen) == 2


# Sequences of several lengths --------------------------------------------------------------------------------------------------


def reference(query, key, value, window, scale):
    """Attention (L, H, E), (S, H, E), (S, H, D) of one sequence, score by score."""
    queries, keys = len(query), len(key)
    out = []
    for i in range(queries):
        place = i + keys - queries
        seen = [
            j for j in range(keys)
            if (window[0] < 0 or j >= place - window[0]) and (window[1] < 0 or j <= place + window[1])
        ]  # fmt: skip
        scores = (query[i] * key[seen]).sum(-1) * scale
        out.append((scores.softmax(0)[..., None] * value[seen]).sum(0))
    return minigrad.stack(out)


@pytest.mark.parametrize("window", [(-1, -1), (-1, 0), (2, 0), (1, 2), (0, -1)])
def test_each_sequence_looks_at_itself(window):
    query, key, value = minigrad.randn(9, 2, 4), minigrad.randn(11, 2, 4), minigrad.randn(11, 2, 4)
    places, of_keys = minigrad.tensor([0, 2, 6, 9]), minigrad.tensor([0, 3, 7, 11])
    found, lse = varlen_attn(
        query, key, value, places, of_keys, 4, 4, window_size=window, return_aux=AuxRequest(lse=True)
    )
    expected = minigrad.cat([
        reference(query[a:b], key[c:d], value[c:d], window, 0.5)
        for a, b, c, d in zip(places[:-1], places[1:], of_keys[:-1], of_keys[1:])
    ])  # fmt: skip
    minigrad.testing.assert_close(found, expected)
    assert lse.shape == (2, 9)
    out = minigrad.empty(9, 2, 4)
    assert varlen_attn_out(out, query, key, value, places, of_keys, 4, 4, window_size=window) is out
    assert minigrad.equal(out, found)


def test_the_sums_are_those_of_the_exponentials():
    query, key = minigrad.zeros(3, 1, 4), minigrad.randn(3, 1, 4)
    places = minigrad.tensor([0, 1, 3])
    _, lse = varlen_attn(query, key, key, places, places, 2, 2, return_aux=AuxRequest(lse=True))
    minigrad.testing.assert_close(lse, minigrad.tensor([[0.0, math.log(2), math.log(2)]]))


def test_keys_in_pages_and_keys_that_are_not_there_yet():
    query, keys = minigrad.randn(4, 4, 8), minigrad.randn(2, 6, 2, 8)
    places, used = minigrad.tensor([0, 2, 4]), minigrad.tensor([5, 3])
    whole = keys.flatten(0, 1)
    flat = varlen_attn(
        query, whole, whole, places, minigrad.tensor([0, 6, 12]), 2, 6, seqused_k=used, enable_gqa=True
    )
    pages = keys.reshape(2, 2, 3, 2, 8).flatten(0, 1)[[3, 1, 0, 2]]  # pages of 3 keys, in another order
    table = minigrad.tensor([[2, 1], [3, 0]])
    paged = varlen_attn(
        query, pages, pages, places, None, 2, 6, seqused_k=used, block_table=table, enable_gqa=True
    )
    assert minigrad.equal(flat, paged)
    one = varlen_attn(
        query[2:], whole[6:9], whole[6:9], places[:2], minigrad.tensor([0, 3]), 2, 3, enable_gqa=True
    )
    minigrad.testing.assert_close(flat[2:], one)


def test_gradients_of_sequences():
    x = minigrad.randn(5, 1, 2, dtype=minigrad.float64, requires_grad=True)
    places = minigrad.tensor([0, 2, 5])
    assert minigrad.autograd.gradcheck(
        lambda x: varlen_attn(x, x.sin(), x.exp(), places, places, 3, 3, window_size=(-1, 0)), x
    )


@pytest.mark.torch
@pytest.mark.parametrize("heads, gqa", [(3, False), (3, True)])
def test_heads_that_do_not_fit(heads, gqa):
    theirs = pytest.importorskip("torch.nn.attention.varlen")
    messages = []
    for lib, function in (minigrad, varlen_attn), (pytest.importorskip("torch"), theirs.varlen_attn):
        x, y, places = lib.ones(2, 4, 8), lib.ones(2, heads, 8), lib.tensor([0, 2])
        with pytest.raises(ValueError) as raised:
            function(x, y, y, places, places, 2, 2, enable_gqa=gqa)
        messages.append(first_sentence(str(raised.value)))
    assert messages[0] == messages[1]
