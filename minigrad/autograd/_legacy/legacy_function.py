"""Kinds of Functions of 2017: modifying in place or not as the user wishes, and with nested inputs and outputs."""

from typing import Any

from ..._base.publishing import publish
from ..._core.tensor import Tensor
from ..custom_function import Function
from ..function_context import PUBLIC
from .instance_function import call, for_a_call


class InplaceFunction(Function):
    """A Function whose instances have a flag ``inplace``."""

    __slots__ = ()

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A Function of nested tuples, lists and dicts of tensors: write ``forward_extended`` and ``backward_extended``.

    Instances are called with such arguments; what ``forward_extended`` returns may be nested too, and ``backward_extended`` takes the
    gradients in the same arrangement.
    """

    to_save: tuple[Any, ...]
    dirty_tensors: tuple[Any, ...]
    non_differentiable: tuple[Any, ...]

    __slots__ = ()

    def __call__(self, *input: Any) -> Any:
        """Apply the function to nested ``input``."""
        return self._do_forward(*input)

    def _do_forward(self, *input):
        function = for_a_call(self)
        function._nested_input = input
        flat = call(function, tuple(_iter_tensors(input)))
        return _unflatten(flat, function._nested_output)

    def forward(self, *args: Any) -> Any:
        """What is run on the flat inputs: ``forward_extended`` on the nested ones."""
        nested, self._nested_input = self._nested_input, None  # type: ignore[has-type]
        output = self.forward_extended(*nested)  # type: ignore[func-returns-value]
        self._nested_output = _arrangement(output)  # not the tensors, which lead back here
        return tuple(_iter_tensors(output))

    def backward(self, *gradients: Any) -> Any:
        """What is run on the flat gradients: ``backward_extended`` on the nested ones."""
        returned = self.backward_extended(*_unflatten(gradients, self._nested_output))  # type: ignore[func-returns-value]
        return tuple(_iter_None_tensors(returned))

    def save_for_backward(self, *args: Any) -> None:
        """Keep nested tensors for backward."""
        self.to_save = tuple(_iter_tensors(args))
        self._to_save_nested = _arrangement(args)

    @property
    def saved_tensors(self) -> Any:
        """The tensors given to ``save_for_backward``, nested as they were."""
        return _unflatten(super().saved_tensors, self._to_save_nested)

    def mark_dirty(self, *args: Any, **kwargs: Any) -> None:
        """Say which inputs were modified in place."""
        self.dirty_tensors = tuple(_iter_tensors((args, kwargs)))

    def mark_non_differentiable(self, *args: Any, **kwargs: Any) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = tuple(_iter_tensors((args, kwargs)))

    def forward_extended(self, *input: Any) -> None:
        """Compute the outputs; to be overridden."""
        raise NotImplementedError

    def backward_extended(self, *grad_output: Any) -> None:
        """The gradients of the inputs; to be overridden."""
        raise NotImplementedError


publish(PUBLIC, InplaceFunction, NestedIOFunction)


def traceable(fn_cls: Any) -> Any:
    """Mark a Function as one that the tracer of 2017 may look into; nothing else changes.

    >>> import minigrad
    >>> @minigrad.autograd.function.traceable
    ... class Square(minigrad.autograd.Function):
    ...     pass
    >>> Square.is_traceable
    True
    """
    fn_cls.is_traceable = True
    return fn_cls


# Nested values -----------------------------------------------------------------------------------------------------------


def _unknown(obj, accepted):
    kinds = f". Accepted types: {accepted}, or lists/tuples of them" if accepted else ""
    return ValueError(f"Auto nesting doesn't know how to process an input object of type {_name(obj)}{kinds}")


def _name(obj):
    cls = type(obj)
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def _nested_map(condition, fn, condition_msg=None):
    """A function that applies ``fn`` to what meets ``condition`` in nested tuples, lists and dicts."""

    def mapped(obj):
        if condition(obj):
            return fn(obj)
        if obj is None:
            return None
        if isinstance(obj, (list, tuple)):
            values = [mapped(x) for x in obj]
            return type(obj)(*values) if hasattr(obj, "_fields") else type(obj)(values)
        if isinstance(obj, dict):
            return {key: mapped(x) for key, x in obj.items()}
        raise _unknown(obj, condition_msg)

    return mapped


def _iter_filter(condition, allow_unknown=False, condition_msg=None, conversion=None):
    """A function that goes over all that meets ``condition`` in nested tuples, lists and dicts."""

    def walk(obj):
        if conversion is not None:
            obj = conversion(obj)
        if condition(obj):
            yield obj
        elif isinstance(obj, (list, tuple)):
            for x in obj:
                yield from walk(x)
        elif isinstance(obj, dict):
            for x in obj.values():
                yield from walk(x)
        elif obj is not None:
            if not allow_unknown:
                raise _unknown(obj, condition_msg)
            yield obj

    return walk


def _unflatten(input, proto):
    """The values of a flat sequence in the arrangement of ``proto``; what is None there stays None."""
    return _arranged(proto, iter(input))


def _arranged(part, values):
    if part is None:
        return None
    if isinstance(part, dict):
        return {key: _arranged(x, values) for key, x in part.items()}
    if not isinstance(part, (list, tuple)):
        return next(values)
    made = [_arranged(x, values) for x in part]
    return type(part)(*made) if hasattr(part, "_fields") else type(part)(made)


def _is_tensor(obj):
    return isinstance(obj, Tensor)


_iter_tensors = _iter_filter(_is_tensor, condition_msg="Tensors")
_iter_tensors_permissive = _iter_filter(_is_tensor, allow_unknown=True, condition_msg="Tensors (permissive)")
_iter_None_tensors = _iter_filter(
    lambda o: o is None or isinstance(o, Tensor), condition_msg="Tensors or None"
)
_map_tensor_data = _nested_map(_is_tensor, lambda o: o.data, condition_msg="Tensors")
_arrangement = _nested_map(_is_tensor, lambda o: True, condition_msg="Tensors")
