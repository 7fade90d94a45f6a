"""Parametrisation: a parameter that is computed, each time it is asked for, of others that are trained.

``register_parametrization(module, "weight", f)`` takes the parameter out of the module, keeps it in ``module.parametrizations.weight`` as
``original`` (or ``original0``, ``original1``, ... if ``f`` is a function of several tensors), and gives the module a class of its own with
a property ``weight``, which calls ``f``.
"""

import contextlib
import copy
from collections.abc import Iterator, Sequence
from typing import Any

from ..._api import Tensor, no_grad
from ..modules.container import ModuleDict, ModuleList
from ..modules.module import Module
from ..parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]


class _Cache:
    """What parametrised tensors are, within ``cached``: by module and name."""

    def __init__(self) -> None:
        self.depth, self.tensors = 0, {}


_cache = _Cache()


@contextlib.contextmanager
def cached() -> Iterator[Any]:
    """Compute each parametrised tensor only once within the ``with`` block.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.parametrizations.weight_norm(minigrad.nn.Linear(2, 1))
    >>> with minigrad.nn.utils.parametrize.cached(): print(linear.weight is linear.weight)
    True
    """
    _cache.depth += 1
    try:
        yield
    finally:
        _cache.depth -= 1
        if not _cache.depth:
            _cache.tensors.clear()


def _register_parameter_or_buffer(module, name, x):
    """Register a tensor as what it is: a parameter or a buffer."""
    if isinstance(x, Parameter):
        module.register_parameter(name, x)
    else:
        module.register_buffer(name, x)


def _kind(x):
    return type(x).__name__


def _right_inverse(parametrization, value):
    """What the parametrisation would be given for ``value``; ``value`` itself if it does not say."""
    if hasattr(parametrization, "right_inverse"):
        try:
            return parametrization.right_inverse(value)
        except NotImplementedError:
            return value
    return value


class ParametrizationList(ModuleList):
    """The parametrisations of one tensor, in order of application, and the original tensor (or tensors).

    Raises ValueError if a parametrisation changes shape or dtype, unless ``unsafe``.
    """

    is_tensor: bool
    ntensors: int

    def __init__(self, modules: Sequence[Module], original: Tensor | Parameter, unsafe: bool = False) -> None:
        if not len(modules):
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        with no_grad():
            new = original
            for module in reversed(self):
                new = _right_inverse(module, new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(
                f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got {_kind(new)}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if new.dtype is not dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {dtype}\nright_inverse(original).dtype: {new.dtype}"
                )
            with no_grad():
                original.set_(new)
            _register_parameter_or_buffer(self, "original", original)
        else:
            self._register_several(original, new)
        if not unsafe:
            self._check(shape, dtype)

    def _register_several(self, original, new):
        for i, x in enumerate(new):
            if not isinstance(x, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                    f"Got element {i} of the sequence with type {_kind(x)}."
                )
            if isinstance(original, Parameter):
                x = Parameter(x, original.requires_grad)
            x.requires_grad_(original.requires_grad)
            _register_parameter_or_buffer(self, f"original{i}", x)

    def _check(self, shape, dtype):
        result = self()
        if not isinstance(result, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {_kind(result)}.")
        for what, before, after in (("dtype", dtype, result.dtype), ("shape", shape, result.shape)):
            if before != after:
                raise ValueError(
                    f"Registering a parametrization may not change the {what} of the tensor, unless `unsafe` flag is enabled.\n"
                    f"unparametrized {what}: {before}\nparametrized {what}: {after}"
                )

    def right_inverse(self, value: Tensor) -> None:
        """Set the originals so that the parametrised tensor becomes ``value``, as assigning to it does.

        Raises RuntimeError if a parametrisation has no ``right_inverse``, ValueError if one returns a tensor that does not fit.
        """
        with no_grad():
            for module in reversed(self):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {_kind(module)} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                self._set_one(value)
            else:
                self._set_several(value)

    def _set_one(self, value):
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {_kind(value)}")
        if value.dtype is not self.original.dtype:
            raise ValueError(
                f"The tensor returned by `right_inverse` has dtype {value.dtype} while `original` has dtype {self.original.dtype}"
            )
        self.original.set_(value)

    def _set_several(self, values):
        if not isinstance(values, Sequence):
            raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {_kind(values)}.")
        if len(values) != self.ntensors:
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of length {len(values)}."
            )
        for i, value in enumerate(values):
            original = getattr(self, f"original{i}")
            if not isinstance(value, Tensor):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors or reference-type opaques. "
                    f"Got element {i} of type {_kind(value)}."
                )
            if value.dtype is not original.dtype:
                raise ValueError(
                    f"Tensor {i} returned by `right_inverse` has dtype {value.dtype} while `original{i}` has dtype {original.dtype}"
                )
            original.set_(value)

    def forward(self) -> Tensor:
        if self.is_tensor:
            x = self[0](self.original)
        else:
            x = self[0](*(getattr(self, f"original{i}") for i in range(self.ntensors)))
        for i in range(1, len(self)):
            x = self[i](x)
        return x


def _refuse_to_pickle(self):
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict().\nSave module.state_dict(), and load "
        "it into a module that has been given the same parametrizations."
    )


def _deepcopy(self, memo):
    """A deep copy: around ``__getstate__``, which refuses."""
    if id(self) in memo:
        return memo[id(self)]
    replica = memo[id(self)] = self.__new__(type(self))
    replica.__dict__ = copy.deepcopy(self.__dict__, memo)
    return replica


def _inject_new_class(module):
    """Let a module be the only one of its class, so that the class can have properties for it."""
    cls = type(module)
    body = {"__getstate__": _refuse_to_pickle}
    if not hasattr(cls, "__deepcopy__"):
        body["__deepcopy__"] = _deepcopy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), body)


def _inject_property(module, name):
    """Let a module's class compute the tensor ``name``."""

    def parametrized(self):
        parametrization = self.parametrizations[name]
        if not _cache.depth:
            return parametrization()
        key = id(module), name
        if _cache.tensors.get(key) is None:
            _cache.tensors[key] = parametrization()
        return _cache.tensors[key]

    def set_original(self, value):
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(parametrized, set_original))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Replace a parameter or buffer of ``module`` by ``parametrization(original)``; later ones are applied after the existing ones.

    A method ``right_inverse`` of the parametrisation computes the original from a value: it is called with the present value, and
    whenever a value is assigned. ``unsafe`` allows the shape or dtype to change. Returns the module. Raises ValueError if there is no
    such tensor, or if the parametrisation changes its shape or dtype.

    >>> import minigrad
    >>> from minigrad import nn
    >>> class Symmetric(nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).mT
    >>> layer = nn.utils.parametrize.register_parametrization(nn.Linear(3, 3), "weight", Symmetric())
    >>> minigrad.equal(layer.weight, layer.weight.mT)
    True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_further(module, tensor_name, parametrization)
        found = module.parametrizations[tensor_name]
        found.append(parametrization)
        found.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        found = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = found
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    return module


def _check_further(module, name, parametrization):
    """Raise ValueError unless a parametrisation, and its right inverse, keep the shape and dtype of the tensor."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {_kind(after)}.")
    for what in ("dtype", "shape"):
        a, b = getattr(before, what), getattr(after, what)
        if a != b:
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is enabled.\n"
                f"module.{name}.{what}: {a}\nparametrization(module.{name}).{what}: {b}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {_kind(back)}")
    for what in ("dtype", "shape"):
        a, b = getattr(before, what), getattr(back, what)
        if a != b:
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{name}, unless the `unsafe` "
                f"flag is enabled.\nmodule.{name}.{what}: {a}\nreturned {what}: {b}"
            )


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Return whether a module has a parametrised tensor, or one of the given name.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.parametrizations.weight_norm(minigrad.nn.Linear(2, 1))
    >>> minigrad.nn.utils.parametrize.is_parametrized(linear, "weight"), minigrad.nn.utils.parametrize.is_parametrized(linear, "bias")
    (True, False)
    """
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Undo ``register_parametrization``: the tensor keeps its value, or becomes the original again unless ``leave_parametrized``.

    Returns the module. Raises ValueError if the tensor is not parametrised, or if it has several originals and the value is not kept.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.parametrizations.weight_norm(minigrad.nn.Linear(2, 1))
    >>> minigrad.nn.utils.parametrize.remove_parametrizations(linear, "weight")
    Linear(in_features=2, out_features=1, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with no_grad():
                original.set_(getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register_parameter_or_buffer(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """Return the class that a module had before it was parametrised.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.parametrizations.weight_norm(minigrad.nn.Linear(2, 1))
    >>> type(linear).__name__, minigrad.nn.utils.parametrize.type_before_parametrizations(linear).__name__
    ('ParametrizedLinear', 'Linear')
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Copy the parametrisations of one module (or of one of its tensors) to another, with their originals; return the latter.

    >>> import minigrad
    >>> source = minigrad.nn.utils.parametrizations.weight_norm(minigrad.nn.Linear(2, 1))
    >>> target = minigrad.nn.utils.parametrize.transfer_parametrizations_and_params(source, minigrad.nn.Linear(2, 1))
    >>> minigrad.equal(target.weight, source.weight)
    True
    """
    if not is_parametrized(from_module):
        return to_module
    for name in from_module.parametrizations if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        source = from_module.parametrizations[name]
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        target = to_module.parametrizations[name]
        for original in (
            ["original"] if source.is_tensor else [f"original{i}" for i in range(source.ntensors)]
        ):
            setattr(target, original, getattr(source, original))
    return to_module
