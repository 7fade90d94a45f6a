"""``Run``: a module is run on copies of everything, its functions are noted, and the graph is checked against the module."""

import copy
import dataclasses
import inspect
from typing import Any

from .. import _api, random
from .._api import Tensor
from ..utils import _pytree as pytree
from ._recording import Recording
from .exported_program import CallSpec, ExportedProgram
from .graph_signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
)


def names_of_inputs(mod, args):
    """The names of the positional inputs."""
    spec = inspect.getfullargspec(mod.forward)
    named = spec.args[inspect.ismethod(mod.forward) :]
    if len(args) > len(named) and spec.varargs is None:
        raise TypeError(f"forward takes {len(named)} positional inputs, got {len(args)}")
    return [*named[: len(args)], *(f"{spec.varargs}_{i}" for i in range(len(args) - len(named)))]


class Run:
    """The module run once on copies of everything, and noted."""

    sizes: Any = {}  # those that may differ, by the names of dimensions

    def __init__(self, mod: Any, args: Any, kwargs: Any, names: Any, recording: Any = None) -> None:
        self.mod, self.args, self.kwargs, self.names = mod, args, kwargs, names
        self.leaves, self.in_spec = pytree.tree_flatten((args, kwargs))
        leaves = [x.clone() if isinstance(x, Tensor) else x for x in _detached(self.leaves)]
        inside = copied_module(mod)
        recording = self.recording = Recording() if recording is None else recording
        recording.paths = {id(module): path for path, module in inside.named_modules()}
        self.specs = []
        for name, value in inside.named_parameters():
            self._enter(f"p_{name}", value, InputKind.PARAMETER, name)
        persistent = {*inside.state_dict(keep_vars=True)}
        for name, value in inside.named_buffers():
            self._enter(f"b_{name}", value, InputKind.BUFFER, name, name in persistent)
        recording.names_of_constants = {
            id(value): f"{path}.{name}".lstrip(".")
            for path, module in inside.named_modules()
            for name, value in vars(module).items()
            if isinstance(value, Tensor)
        }
        count = len(self.specs)
        for name, value in zip(self._leaf_names(), leaves, strict=True):
            self._enter(name, value, InputKind.USER_INPUT, None)
        recording.last_input = recording.graph.find_nodes(op="placeholder")[count - 1] if count else None
        given = {f"input '{name}'": value for name, value in zip(self._leaf_names(), leaves, strict=True)}
        given |= _tensors_of(inside)
        versions = {name: value._version for name, value in given.items() if isinstance(value, Tensor)}
        state = random.get_rng_state()
        try:
            copied_args, copied_kwargs = pytree.tree_unflatten(leaves, self.in_spec)
            with recording:
                result = inside(*copied_args, **copied_kwargs)
        finally:
            random.set_rng_state(state)
        originals = dict(zip(given, self.leaves)) | _tensors_of(mod)
        now = given | _tensors_of(inside)
        self.changed = tuple(
            name
            for name, version in versions.items()
            if now[name] is not given[name]
            or given[name]._version != version
            or (name in originals and not _unchanged(given[name], originals[name]))
        )
        out, self.out_spec = pytree.tree_flatten(result)
        for leaf in out:
            if dataclasses.is_dataclass(leaf):
                raise RuntimeError(
                    f"Could not export: the program returns {type(leaf)}, which is not known as a container of tensors: minigrad.export.register_dataclass makes it known"
                )
        self.graph = recording.finish(out)
        self.constants = {name: tensor.detach() for name, tensor in recording.constants.values()}
        constants = [
            InputSpec(InputKind.CONSTANT_TENSOR, TensorArgument(node.name), name)
            for node, (name, _) in sorted(recording.constants.items())
        ]
        self.specs[count:count] = constants

    def _enter(self, name, value, kind, target, persistent=None):
        node = self.recording.placeholder(name.replace(".", "_"), value)
        if kind is InputKind.USER_INPUT:
            self.recording.inputs.add(node)
        arg = TensorArgument(node.name) if isinstance(value, Tensor) else ConstantArgument(node.name, value)
        self.specs.append(InputSpec(kind, arg, target, persistent))

    def _leaf_names(self):
        """A name for each leaf of the inputs: of the parameter, with keys and numbers within it."""

        def inner(name, value):
            if isinstance(value, dict):
                return [each for key, x in value.items() for each in inner(f"{name}_{key}", x)]
            if isinstance(value, (list, tuple)):
                return [each for i, x in enumerate(value) for each in inner(f"{name}_{i}", x)]
            leaves = pytree.tree_leaves(value)
            return [name] if len(leaves) == 1 else [f"{name}_{i}" for i in range(len(leaves))]

        everything = [*zip(self.names, self.args, strict=True), *self.kwargs.items()]
        return [each for name, value in everything for each in inner(name, value)]

    def check(self, mod: Any, program: Any = None) -> None:
        """Raise RuntimeError if the graph, or a program, does not do with other inputs what the module does."""
        leaves = [altered(x) if isinstance(x, Tensor) else x for x in self.leaves]
        state = random.get_rng_state()
        try:
            args, kwargs = pytree.tree_unflatten([_copied(x) for x in leaves], self.in_spec)
            expected = pytree.tree_leaves(copied_module(mod)(*args, **kwargs))
            random.set_rng_state(state)
            args, kwargs = pytree.tree_unflatten([_copied(x) for x in leaves], self.in_spec)
            program = self.program([{} for _ in self.leaves]) if program is None else program
            found = pytree.tree_leaves(copy.deepcopy(program.module())(*args, **kwargs))
        finally:
            random.set_rng_state(state)
        for mine, wanted in zip(found, expected, strict=True):
            if not _same(mine, wanted):
                raise RuntimeError(
                    "Could not export: for other inputs the graph and the module give different results. The program uses tensors in a way that "
                    "cannot be recorded (through NumPy, or through values read out of them), or makes decisions that depend on them."
                )

    def program(self, sizes: Any) -> Any:
        """The ``ExportedProgram``; ``sizes`` are the dimensions of each leaf that may differ."""
        state = dict(self.mod.state_dict(keep_vars=True))
        buffers = {name: value for name, value in self.mod.named_buffers() if name not in state}
        constants = {**self.constants, **buffers}
        outputs = [
            OutputSpec(
                OutputKind.USER_OUTPUT,
                TensorArgument(value.name) if hasattr(value, "op") else ConstantArgument("", value),
                None,
            )
            for value in self.graph.output_node().args[0]
        ]
        bounds = {dim.__name__: (dim.min, dim.max) for each in sizes for dim in each.values()}
        return ExportedProgram(
            self.graph,
            ExportGraphSignature(self.specs, outputs),
            state,
            constants,
            CallSpec(self.in_spec, self.out_spec),
            [*self.names, *self.kwargs],
            (self.args, self.kwargs),
            bounds,
            sizes,
            self.changed,
        )


def copied_module(mod: Any) -> Any:
    """A copy of a module; tensors with a history, such as the weights that ``weight_norm`` computes before each call, are copied without it."""
    held = [
        x
        for module in mod.modules()
        for x in vars(module).values()
        if isinstance(x, Tensor) and not x.is_leaf
    ]
    return copy.deepcopy(mod, {id(x): x.detach().clone() for x in held})


def _tensors_of(mod):
    """Parameters, buffers and other tensors of a module and its submodules, by what they are called."""
    return {
        **{
            f"attribute '{path}.{name}'".replace("'.", "'"): value
            for path, module in mod.named_modules()
            for name, value in vars(module).items()
            if isinstance(value, Tensor)
        },
        **{f"parameter '{name}'": value for name, value in mod.named_parameters()},
        **{f"buffer '{name}'": value for name, value in mod.named_buffers()},
    }


def _unchanged(now, before):
    """Whether a tensor still has its values: layers that count what they have seen write to memory past the version."""
    if now.is_meta or now is before:
        return True
    if now.shape != before.shape or now.dtype is not before.dtype:
        return False
    same = now == before
    return bool((same | ((now != now) & (before != before))).all())  # NaN is not equal to itself


def _detached(leaves):
    return [x.detach() if isinstance(x, Tensor) else x for x in leaves]


def _copied(x):
    return x.clone() if isinstance(x, Tensor) else x


def altered(x):
    """Another tensor of the same shape and dtype: other numbers, but indices and conditions as they are."""
    x = x.detach()
    return x * 0.875 + 0.0625 if x.is_floating_point() or x.is_complex() else x


def _same(mine, wanted):
    if not isinstance(wanted, Tensor):
        return type(mine) is type(wanted) and mine == wanted
    if mine.shape != wanted.shape or mine.dtype is not wanted.dtype:
        return False
    return (
        bool(_api.isclose(mine, wanted, equal_nan=True).all())
        if wanted.is_floating_point()
        else mine.equal(wanted)
    )
