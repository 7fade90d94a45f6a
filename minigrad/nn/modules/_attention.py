"""Attention of several heads, with its projections, as a module."""

from typing import Any

from ..._api import Tensor, _Device, _lazy, empty
from ..._api import dtype as _dtype
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """Attend with ``num_heads`` heads.

    Maps a query (L, N, embed_dim), a key (S, N, kdim) and a value (S, N, vdim) to the output (L, N, embed_dim) and the attention weights
    (N, L, S). The batch dimension N comes first with ``batch_first``, and can be left out. ``add_bias_kv`` appends a learned key and
    value, and ``add_zero_attn`` a key and value of zeros. Raises ValueError or AssertionError for invalid sizes.

    >>> import minigrad
    >>> x = minigrad.ones(5, 2, 4)
    >>> output, weights = minigrad.nn.MultiheadAttention(embed_dim=4, num_heads=2)(x, x, x)
    >>> output.shape, weights.shape
    (torch.Size([5, 2, 4]), torch.Size([2, 5, 5]))
    """

    kdim: Any
    vdim: Any
    head_dim: int
    out_proj: Any
    bias_k: Any
    bias_v: Any

    __constants__: list[Any] = ["batch_first"]

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: Any = None,
        vdim: Any = None,
        batch_first: bool = False,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        if self._qkv_same_embed_dim:
            shapes: dict[str, tuple[int, ...]] = {"in_proj_weight": (3 * embed_dim, embed_dim)}
        else:
            shapes = {
                "q_proj_weight": (embed_dim, embed_dim),
                "k_proj_weight": (embed_dim, self.kdim),
                "v_proj_weight": (embed_dim, self.vdim),
            }
        if bias:
            shapes["in_proj_bias"] = (3 * embed_dim,)
        names = ("q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_weight")
        for name in (*(names if not self._qkv_same_embed_dim else (names[3], *names[:3])), "in_proj_bias"):
            if name in shapes:
                setattr(self, name, Parameter(empty(shapes[name], device=device, dtype=dtype)))
            else:
                self.register_parameter(name, None)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        if add_bias_kv:
            self.bias_k = Parameter(empty((1, 1, embed_dim), device=device, dtype=dtype))
            self.bias_v = Parameter(empty((1, 1, embed_dim), device=device, dtype=dtype))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        """Draw the projections before the heads, and the added key and value, anew; biases become 0."""
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for added in (self.bias_k, self.bias_v):
            if added is not None:
                init.xavier_normal_(added)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({"_qkv_same_embed_dim": True, **state})

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Return the output and the attention weights.

        The weights are None unless ``need_weights``, averaged over the heads if ``average_attn_weights``, else one matrix per head. Where
        a boolean mask is true, attention is not allowed; other masks are added to the scores.
        """
        transposed = self.batch_first and query.dim() == 3
        if transposed:
            same_key, same_value = key is query, value is key
            query = query.transpose(1, 0)
            key = query if same_key else key.transpose(1, 0)
            value = key if same_value else value.transpose(1, 0)
        separate = {}
        if not self._qkv_same_embed_dim:
            separate = {
                "use_separate_proj_weight": True,
                "q_proj_weight": self.q_proj_weight,
                "k_proj_weight": self.k_proj_weight,
                "v_proj_weight": self.v_proj_weight,
            }
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            **separate,
        )
        return (output.transpose(1, 0) if transposed else output), weights

    def merge_masks(
        self, attn_mask: Tensor | None, key_padding_mask: Tensor | None, query: Tensor
    ) -> tuple[Tensor | None, int | None]:
        """Merge both masks for ``query`` (N, L, E): return their sum (N, heads, L, L) and 2, or the only mask and its number, or None.

        With ``key_padding_mask`` alone the second result is 1; without masks it is None.
        """
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else 1
        n, length, _ = query.shape
        if attn_mask.dim() == 3:
            merged = attn_mask.view(n, -1, length, length)
        else:
            merged = attn_mask.view(1, 1, length, length).expand(n, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            padding = key_padding_mask.view(n, 1, 1, length)
            merged = merged + padding.expand(-1, self.num_heads, -1, -1)
        return merged, 2


_lazy.publish("minigrad.nn.modules.activation", MultiheadAttention)
