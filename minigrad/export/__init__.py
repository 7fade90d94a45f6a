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

from ._exporting import export
from ._saving import load, save
from .dynamic_shapes import Dim, dims
from .exported_program import ExportedProgram
from .graph_signature import ExportGraphSignature

__all__ = ["Dim", "ExportGraphSignature", "ExportedProgram", "dims", "export", "load", "save"]
