"""``export``: a module is recorded, and its sizes that may differ are settled."""

from collections.abc import Mapping
from typing import Any

from ..nn import Module
from ..utils import _pytree as pytree
from ._counted_results import CountingRecording
from ._recordings import named, settled
from ._running import Run, names_of_inputs
from ._sizes import Comparison
from ._sizes_in_graphs import with_sizes
from .dynamic_shapes import AdditionalInputs, ShapesCollection, dynamic_sizes


def export(
    mod: Module,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: dict[str, Any]
    | tuple[Any, ...]
    | list[Any]
    | ShapesCollection
    | AdditionalInputs
    | None = None,
    strict: bool = False,
    preserve_module_call_signature: tuple[str, ...] = (),
) -> Any:
    """Export a module as a graph, for inputs like these: return an ``ExportedProgram``.

    The module is run once, on copies of it and of the inputs, and its operations on tensors are recorded: a loop becomes its steps, a
    branch the path that was taken. Reading a value out of a tensor raises RuntimeError, and so does a program that cannot be recorded:
    the graph is compared with the module on other inputs. Shapes are fixed except for the dimensions in ``dynamic_shapes``, which assigns
    a ``Dim`` to a dimension of an input (``{"x": {0: Dim("batch")}}``); these may vary if the program is the same for other sizes, otherwise RuntimeError
    is raised. Numbers that it computes of them, and of how many elements a mask chooses, are computed in the graph. ``strict`` has no effect.

    >>> import minigrad
    >>> class Net(minigrad.nn.Module):
    ...     def forward(self, x):
    ...         return minigrad.relu(x) * 2
    >>> print(minigrad.export.export(Net(), (minigrad.ones(2),)).graph)
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
        %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%relu, 2), kwargs = {})
        return (mul,)
    """
    if not isinstance(mod, Module):
        raise ValueError(f"Expected `mod` to be an instance of `torch.nn.Module`, got {type(mod)}.")
    if not isinstance(args, tuple):
        raise TypeError(f"Expecting `args` to be a tuple of example positional inputs, got {type(args)}")
    if preserve_module_call_signature:
        raise NotImplementedError(
            "preserve_module_call_signature: submodules are not kept in exported graphs"
        )
    kwargs = dict(kwargs or {})
    names = names_of_inputs(mod, args)
    collected = dynamic_shapes if isinstance(dynamic_shapes, (AdditionalInputs, ShapesCollection)) else None
    if collected is not None:
        dynamic_shapes = collected.dynamic_shapes(mod, args, kwargs)
    wishes = dynamic_sizes(dynamic_shapes, names, args, kwargs, pytree.tree_leaves)
    first = Run(mod, args, kwargs, names, CountingRecording())
    runs, sizes = settled(mod, args, kwargs, names, named(wishes), first)
    program = first.program(sizes)
    if len(runs) > 1:
        comparison = Comparison([run.graph for run in runs], first.recording.decisions.found)
        with_sizes(program.graph, comparison)
        runs[1].check(mod, program)
    if isinstance(collected, AdditionalInputs):
        collected.verify(program)
    return program
