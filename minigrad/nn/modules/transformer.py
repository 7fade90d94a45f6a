"""The Transformer ("Attention Is All You Need", Vaswani et al., 2017): layers of attention and of two linear maps, in encoder and decoder."""

import copy
import math
import warnings
from collections.abc import Callable
from typing import Any

from ..._api import Tensor, _autocast_dtype, _Device, full, is_grad_enabled, triu
from ..._api import device as _device
from ..._api import dtype as _dtype
from .. import functional as F
from .. import init
from ._attention import MultiheadAttention
from .activation import GELU, ReLU
from .container import ModuleList
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .normalization import LayerNorm

__all__ = [
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


def _causal_mask(size, dtype=None):
    return triu(full((size, size), -math.inf, dtype=dtype), diagonal=1)


def _is_causal(mask, is_causal, size):
    """Whether a mask is the causal one: as the caller says, and where he does not, by looking."""
    if is_causal is not None or mask is None:
        return is_causal is True
    causal = _causal_mask(size, mask.dtype)
    return mask.size() == causal.size() and bool((mask == causal).all())


def _generate_square_subsequent_mask(sz, device=None, dtype=None):
    """See ``Transformer.generate_square_subsequent_mask``; programs import it from here."""
    return triu(full((sz, sz), -math.inf, dtype=dtype, device=device), diagonal=1)


def _length(x, batch_first):
    return x.size(1 if batch_first and x.dim() == 3 else 0)


def _get_clones(layer, n):  # programs import this, and the next, from here
    """``n`` copies of a layer."""
    return ModuleList([copy.deepcopy(layer) for _ in range(n)])


def _get_activation_fn(activation):
    """The function of a name; raises RuntimeError for another than "relu" and "gelu"."""
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return getattr(F, activation)


class _Layer(Module):
    """What the layers of encoder and decoder have in common: two linear maps behind attention, each with dropout and normalisation."""

    linear1: Any
    dropout: Any
    linear2: Any
    norm_first: Any

    __constants__: list[Any] = ["norm_first"]

    def _make_linear(self, d_model, dim_feedforward, dropout, norms, eps, norm_first, bias, settings):
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **settings)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **settings)
        self.norm_first = norm_first
        for i in range(1, norms + 1):
            setattr(self, f"norm{i}", LayerNorm(d_model, eps=eps, bias=bias, **settings))
        for i in range(1, norms + 1):
            setattr(self, f"dropout{i}", Dropout(dropout))

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({"activation": F.relu, **state})

    def _inner(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """Apply self-attention, then two linear maps with ``activation`` between them: (S, N, d_model) -> (S, N, d_model).

    The result of each is added to its input and then normalised, or with ``norm_first`` normalised before. N comes first with
    ``batch_first``, and can be left out. [Vaswani et al. 2017]

    >>> import minigrad
    >>> minigrad.nn.TransformerEncoderLayer(d_model=8, nhead=2)(minigrad.ones(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    self_attn: Any
    activation_relu_or_gelu: int
    activation: str | Callable[[Tensor], Tensor]

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        settings: dict[str, Any] = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **settings
        )
        self._make_linear(d_model, dim_feedforward, dropout, 2, layer_norm_eps, norm_first, bias, settings)
        activation = _get_activation_fn(activation)
        if activation is F.relu or isinstance(activation, ReLU):
            self.activation_relu_or_gelu = 1
        elif activation is F.gelu or isinstance(activation, GELU):
            self.activation_relu_or_gelu = 2
        else:
            self.activation_relu_or_gelu = 0
        self.activation = activation

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Return the layer's output for ``src``; the masks are those of ``MultiheadAttention``."""
        src_key_padding_mask = F._canonical_mask(
            src_key_padding_mask,
            "src_key_padding_mask",
            F._none_or_dtype(src_mask),
            "src_mask",
            src.dtype,
        )
        src_mask = F._canonical_mask(src_mask, "src_mask", None, "", src.dtype, check_other=False)
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask, is_causal=is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask, is_causal=is_causal))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x, _ = self.self_attn(
            x,
            x,
            x,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            need_weights=False,
            is_causal=is_causal,
        )
        return self.dropout1(x)

    def _ff_block(self, x):
        return self.dropout2(self._inner(x))


class TransformerDecoderLayer(_Layer):
    """Apply self-attention, then attention to ``memory``, then two linear maps: (T, N, d_model), (S, N, d_model) -> (T, N, d_model).

    The result of each is added to its input and then normalised, or with ``norm_first`` normalised before. N comes first with
    ``batch_first``, and can be left out. [Vaswani et al. 2017]

    >>> import minigrad
    >>> minigrad.nn.TransformerDecoderLayer(d_model=8, nhead=2)(minigrad.ones(4, 3, 8), minigrad.ones(5, 3, 8)).shape
    torch.Size([4, 3, 8])
    """

    activation: Any

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        settings: dict[str, Any] = {"device": device, "dtype": dtype}
        for name in ("self_attn", "multihead_attn"):
            attention = MultiheadAttention(
                d_model, nhead, dropout=dropout, batch_first=batch_first, bias=bias, **settings
            )
            setattr(self, name, attention)
        self._make_linear(d_model, dim_feedforward, dropout, 3, layer_norm_eps, norm_first, bias, settings)
        self.activation = _get_activation_fn(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Return the layer's output for ``tgt``, which also attends to ``memory``; the masks are those of ``MultiheadAttention``."""
        own = tgt_mask, tgt_key_padding_mask, tgt_is_causal
        other = memory_mask, memory_key_padding_mask, memory_is_causal
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), memory, *other)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, memory, *other))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x, _ = self.self_attn(
            x,
            x,
            x,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            is_causal=is_causal,
            need_weights=False,
        )
        return self.dropout1(x)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        x, _ = self.multihead_attn(
            x,
            mem,
            mem,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            is_causal=is_causal,
            need_weights=False,
        )
        return self.dropout2(x)

    def _ff_block(self, x):
        return self.dropout3(self._inner(x))


def _why_not_nested(layer):
    """Why PyTorch would not drop what is padded before these layers; empty if it would."""
    if not isinstance(layer, TransformerEncoderLayer):
        return "encoder_layer was not TransformerEncoderLayer"
    attention = layer.self_attn
    reasons = {
        "encoder_layer.norm_first was True": layer.norm_first,
        "encoder_layer.self_attn.batch_first was not True(use batch_first for better inference performance)": not attention.batch_first,
        "encoder_layer.self_attn._qkv_same_embed_dim was not True": not attention._qkv_same_embed_dim,
        "encoder_layer.self_attn was passed bias=False": attention.in_proj_bias is None,
        "encoder_layer.activation_relu_or_gelu was not True": not layer.activation_relu_or_gelu,
        "encoder_layer.norm1.eps was not equal to encoder_layer.norm2.eps": layer.norm1.eps
        != layer.norm2.eps,
        "encoder_layer.self_attn.num_heads is odd": attention.num_heads % 2 == 1,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


class TransformerEncoder(Module):
    """Apply ``num_layers`` copies of a layer one after another, then ``norm``: (S, N, E) -> (S, N, E).

    ``enable_nested_tensor`` and ``mask_check`` decide, as in PyTorch, whether padded positions come out as zeros: in evaluation without
    gradients, if the padding is at the end.

    >>> import minigrad
    >>> from minigrad import nn
    >>> encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, batch_first=True), num_layers=2)
    >>> encoder(minigrad.ones(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    layers: Any
    use_nested_tensor: bool

    __constants__: list[Any] = ["norm"]

    def __init__(
        self,
        encoder_layer: Any,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        why_not = _why_not_nested(encoder_layer)
        if enable_nested_tensor and why_not:
            warnings.warn(
                f"enable_nested_tensor is True, but self.use_nested_tensor is False because {why_not}",
                stacklevel=2,
            )
            self.use_nested_tensor = False

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """Apply all layers to ``src``; the masks are those of ``MultiheadAttention``.

        With ``is_causal=None`` the mask is compared with the causal one.
        """
        padding = F._canonical_mask(
            src_key_padding_mask, "src_key_padding_mask", F._none_or_dtype(mask), "mask", src.dtype
        )
        mask = F._canonical_mask(mask, "mask", None, "", src.dtype, check_other=False)
        batch_first = self.layers[0].self_attn.batch_first
        is_causal = _is_causal(mask, is_causal, _length(src, batch_first))
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=padding)
        if padding is not None and mask is None and self._drops_padding(src, padding):
            output = output.masked_fill((padding != 0).unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _drops_padding(self, src, padding):
        """Whether PyTorch would compute with nested tensors, which forget what is padded."""
        first = self.layers[0]
        if (
            not self.use_nested_tensor
            or first.training
            or src.dim() != 3
            or _autocast_dtype() is not None
            or (is_grad_enabled() and any(x.requires_grad for x in (src, *first.parameters())))
        ):
            return False
        padded = (padding != 0).int()
        return not self.mask_check or bool((padded.diff(dim=1) >= 0).all())


class TransformerDecoder(Module):
    """Apply ``num_layers`` copies of a layer one after another, then ``norm``: (T, N, E), memory (S, N, E) -> (T, N, E).

    >>> import minigrad
    >>> from minigrad import nn
    >>> decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2), num_layers=2)
    >>> decoder(minigrad.ones(4, 3, 8), minigrad.ones(5, 3, 8)).shape
    torch.Size([4, 3, 8])
    """

    layers: Any

    __constants__: list[Any] = ["norm"]

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Apply all layers to ``tgt``, which also attend to ``memory``; the masks are those of ``MultiheadAttention``."""
        batch_first = self.layers[0].self_attn.batch_first
        tgt_is_causal = _is_causal(tgt_mask, tgt_is_causal, _length(tgt, batch_first))
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder and a decoder: source (S, N, d_model), target (T, N, d_model) -> (T, N, d_model).

    All matrices are initialised by ``init.xavier_uniform_``. N comes first with ``batch_first``, and can be left out. Raises RuntimeError
    for sizes that do not fit. [Vaswani et al. 2017]

    >>> import minigrad
    >>> model = minigrad.nn.Transformer(d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, batch_first=True)
    >>> model(minigrad.ones(3, 5, 8), minigrad.ones(3, 4, 8)).shape
    torch.Size([3, 4, 8])
    """

    encoder: Any
    decoder: Any

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        settings: dict[str, Any] = {"device": device, "dtype": dtype}
        of_layers = (
            d_model,
            nhead,
            dim_feedforward,
            dropout,
            activation,
            layer_norm_eps,
            batch_first,
            norm_first,
            bias,
        )

        def stacked(kind, layer, n):
            made = layer(*of_layers, **settings)
            return kind(made, n, LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **settings))

        self.encoder = custom_encoder
        if custom_encoder is None:
            self.encoder = stacked(TransformerEncoder, TransformerEncoderLayer, num_encoder_layers)
        self.decoder = custom_decoder
        if custom_decoder is None:
            self.decoder = stacked(TransformerDecoder, TransformerDecoderLayer, num_decoder_layers)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Return the decoder's output for ``tgt``, with the encoder's output for ``src`` as its memory."""
        batch_dim = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch_dim) != tgt.size(batch_dim):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int, device: _device | None = None, dtype: _dtype | None = None
    ) -> Tensor:
        """Return the causal mask (sz, sz), which hides later positions: -inf above the diagonal, 0 elsewhere.

        >>> import minigrad
        >>> minigrad.nn.Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        return _generate_square_subsequent_mask(sz, device, dtype)

    def _reset_parameters(self):
        """Draw all matrices anew."""
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
