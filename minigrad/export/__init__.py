"""Modules as graphs with all their state: ``export``, ``ExportedProgram``, ``save``, ``load``, ``Dim``.

>>> import minigrad
>>> model = minigrad.nn.Sequential(minigrad.nn.Linear(3, 2), minigrad.nn.ReLU()).eval()
>>> exported = minigrad.export.export(model, (minigrad.ones(1, 3),), dynamic_shapes=({0: minigrad.export.Dim("batch")},))
>>> print(exported.graph)
graph():
    %p_0_weight : [num_users=1] = placeholder[target=p_0_weight]
    %p_0_bias : [num_users=1] = placeholder[target=p_0_bias]
    %input_1 : [num_users=1] = placeholder[target=input]
    %linear : [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%input_1, %p_0_weight, %p_0_bias), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%linear,), kwargs = {})
    return (relu,)
>>> exported.module()(minigrad.ones(5, 3)).shape
torch.Size([5, 2])
"""

from ..utils import _pytree as pytree
from ._exporting import export
from ._saving import load, save
from .dynamic_shapes import AdditionalInputs, Dim, ShapesCollection, dims
from .exported_program import ExportedProgram, default_decompositions
from .graph_signature import ExportGraphSignature

__all__ = [
    "AdditionalInputs",
    "Dim",
    "ExportGraphSignature",
    "ExportedProgram",
    "ShapesCollection",
    "default_decompositions",
    "dims",
    "export",
    "load",
    "register_dataclass",
    "save",
]


def register_dataclass(cls: type, *, serialized_type_name: str | None = None) -> None:
    """Let instances of a dataclass be inputs and outputs of exported programs: their fields are its tensors.

    >>> import dataclasses, minigrad
    >>> @dataclasses.dataclass
    ... class Pair:
    ...     a: minigrad.Tensor
    ...     b: minigrad.Tensor
    >>> minigrad.export.register_dataclass(Pair)
    >>> class Swap(minigrad.nn.Module):
    ...     def forward(self, pair):
    ...         return Pair(pair.b, pair.a)
    >>> pair = Pair(minigrad.ones(1), minigrad.zeros(1))
    >>> minigrad.export.export(Swap(), (pair,)).module()(pair)
    Pair(a=tensor([0.]), b=tensor([1.]))
    """
    pytree.register_dataclass(cls, serialized_type_name=serialized_type_name)
