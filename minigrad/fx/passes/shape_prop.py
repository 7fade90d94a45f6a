"""Shapes and dtypes of all values of a graph, for inputs that are given: ``ShapeProp``."""

from typing import Any, NamedTuple

from ..._api import Size, Tensor, channels_last, channels_last_3d, contiguous_format
from ..._base.dtypes import dtype as _dtype
from ..graph_module import GraphModule
from ..interpreter import Interpreter
from ..node import Node, map_aggregate

__all__ = ["ShapeProp", "TensorMetadata"]


class TensorMetadata(NamedTuple):
    """The metadata of a tensor; ``memory_format`` is None if it has none of the known ones; tensors are never quantized."""

    shape: Size
    dtype: _dtype
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: Any
    is_quantized: bool
    qparams: dict[str, Any]


_FORMATS = ((contiguous_format, None), (channels_last, 4), (channels_last_3d, 5))


def _extract_tensor_metadata(result, include_contiguity=True):
    """The ``TensorMetadata`` of a tensor."""
    known = [
        kind
        for kind, ndim in _FORMATS
        if include_contiguity and ndim in (None, result.ndim) and result.is_contiguous(memory_format=kind)
    ]
    return TensorMetadata(
        result.shape,
        result.dtype,
        result.requires_grad,
        result.stride(),
        known[0] if known else None,
        False,
        {},
    )


class ShapeProp(Interpreter):
    """Runs a module and records the metadata of each node's value: ``meta["tensor_meta"]``, a ``TensorMetadata`` or several, and ``meta["type"]``.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(minigrad.nn.Sequential(minigrad.nn.Linear(3, 2), minigrad.nn.ReLU()))
    >>> _ = minigrad.fx.passes.shape_prop.ShapeProp(gm).propagate(minigrad.ones(5, 3))
    >>> for node in gm.graph.nodes:
    ...     print(node.name, node.meta["tensor_meta"].shape)
    input_1 torch.Size([5, 3])
    _0 torch.Size([5, 2])
    _1 torch.Size([5, 2])
    output torch.Size([5, 2])
    """

    def __init__(self, gm: GraphModule, fake_mode: Any = None) -> None:
        if fake_mode is not None:
            raise NotImplementedError("ShapeProp runs the module on real tensors: fake_mode is not supported")
        super().__init__(gm)
        self.extra_traceback = False

    def run_node(self, n: Node) -> Any:
        """Compute the value of a node and record its metadata; raise RuntimeError from the error if it fails."""
        try:
            result = super().run_node(n)
        except Exception as error:
            raise RuntimeError(f"ShapeProp error for: node={n.format_node()} with meta={n.meta}") from error
        found = []

        def describe(value):
            if isinstance(value, Tensor):
                found.append(value)
                return _extract_tensor_metadata(value)
            return value

        about = map_aggregate(result, describe)
        if found:
            n.meta["tensor_meta"] = about
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        """Run the module on these inputs, and return its result."""
        return self.run(*args)
