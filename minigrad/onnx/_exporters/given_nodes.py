"""Operators of ONNX that a program calls by ``onnx.ops``: each as the node that it asks for."""

from typing import Any

from .._builder import Builder, Value
from .._element_types import dtype_of
from ._common import refuse
from ._registry import exporter


def _node(g, name, inputs, attributes, version, properties, **outputs):
    domain, _, kind = name.rpartition("::")
    if domain and version is not None:
        g.versions[domain] = version
    kept, g.metadata = g.metadata, {**g.metadata, **(properties or {})}
    given = {key: int(x) if isinstance(x, bool) else x for key, x in (attributes or {}).items()}
    found = g.op(kind, *inputs, domain=domain, as_given=True, **outputs, **given)
    g.metadata = kept
    return found


@exporter("onnx::symbolic")
def symbolic(
    g: Builder,
    domain_op: str,
    inputs: Any,
    attrs: Any = None,
    *,
    dtype: Any,
    shape: Any,
    version: Any = None,
    metadata_props: Any = None,
) -> Value:
    return _node(g, domain_op, inputs, attrs, version, metadata_props, dtype=g.result.dtype)


@exporter("onnx::symbolic_multi_out")
def symbolic_multi_out(
    g: Builder,
    domain_op: str,
    inputs: Any,
    attrs: Any = None,
    *,
    dtypes: Any,
    shapes: Any,
    version: Any = None,
    metadata_props: Any = None,
) -> Any:
    kinds = [dtype_of(x) if isinstance(x, int) else x for x in dtypes]
    found = _node(g, domain_op, inputs, attrs, version, metadata_props, dtypes=kinds, outputs=len(kinds))
    return [found] if len(kinds) == 1 else [*found]


@exporter("onnx::rotary_embedding")
def rotary_embedding(
    g: Builder,
    X: Value,
    cos_cache: Value,
    sin_cache: Value,
    position_ids: Any = None,
    *,
    interleaved: bool = False,
    num_heads: int = 0,
    rotary_embedding_dim: int = 0,
) -> Value:
    return g.op(
        "RotaryEmbedding",
        X,
        cos_cache,
        sin_cache,
        position_ids,
        interleaved=int(interleaved),
        num_heads=num_heads,
        rotary_embedding_dim=rotary_embedding_dim,
    )


@exporter("onnx::attention")
def attention(
    g: Builder,
    Q: Value,
    K: Value,
    V: Value,
    attn_mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    *,
    is_causal: bool = False,
    kv_num_heads: int = 0,
    q_num_heads: int = 0,
    qk_matmul_output_mode: int = 0,
    scale: Any = None,
    softcap: float = 0.0,
    softmax_precision: Any = None,
) -> Any:
    if qk_matmul_output_mode in (1, 2) or (softcap and (attn_mask is not None or is_causal)):
        raise refuse(
            "attention with a mask and softcap, or with scores between them,",
            "differs from runtime to runtime",
        )
    return g.op(
        "Attention",
        Q,
        K,
        V,
        attn_mask,
        past_key,
        past_value,
        is_causal=int(is_causal),
        kv_num_heads=kv_num_heads or None,
        q_num_heads=q_num_heads or None,
        qk_matmul_output_mode=qk_matmul_output_mode,
        scale=scale,
        softcap=float(softcap),
        softmax_precision=softmax_precision,
        outputs=4,
    )
