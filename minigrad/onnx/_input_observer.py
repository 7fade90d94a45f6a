"""``InputObserver``: the arguments of a module's calls are kept, and tell with which arguments and dynamic sizes it is exported."""

import contextlib
import inspect
import time
from collections.abc import Iterator
from typing import Any

from .._api import Tensor
from ..export import Dim
from ..nn import Module
from ..utils import _pytree as pytree

#: Values that are the same in each call: an argument that has its default is left out.
_CONSTANTS = (bool, int, float, str)


class _Call:
    """One call: its arguments by name, the tensors of its result, and how long it took."""

    def __init__(self, arguments: Any) -> None:
        self.arguments, self.outputs, self.seconds = arguments, [], 0.0

    def size(self) -> int:
        """How many tensors were given."""
        return sum(isinstance(x, Tensor) for x in pytree.tree_leaves(self.arguments))


class InputObserver:
    """Keeps what a module is called with, and infers arguments and dynamic shapes for an export.

    A tensor that is missing in some calls is an empty one in the arguments; ``value_if_missing`` says, by name, which one if that cannot be inferred.

    >>> import minigrad
    >>> model = minigrad.nn.Linear(3, 2)
    >>> observer = minigrad.onnx.InputObserver()
    >>> with observer(model):
    ...     for batch in (2, 5):
    ...         _ = model(minigrad.ones(batch, 3))
    >>> observer.num_obs(), observer.infer_dynamic_shapes()
    (2, ({0: DimHint(DYNAMIC)},))
    """

    __module__ = "minigrad.onnx"

    def __init__(self, value_if_missing: dict[str | int, Any] | None = None) -> None:
        self.value_if_missing = dict(value_if_missing or {})
        self._calls: list[_Call] = []
        self._parameters: list[inspect.Parameter] = []
        self._by_position = True  # whether all calls have named no argument

    def num_obs(self) -> int:
        """The number of calls that are kept."""
        return len(self._calls)

    @contextlib.contextmanager
    def __call__(
        self, model: Module, store_n_calls: int = 3, method_name: str = "forward"
    ) -> Iterator["InputObserver"]:
        """A block in which up to ``store_n_calls`` calls of a method are kept. Raises ValueError for a method that the module does not have.

        >>> import minigrad
        >>> model, observer = minigrad.nn.ReLU(), minigrad.onnx.InputObserver()
        >>> with observer(model):
        ...     _ = model(minigrad.ones(2))
        >>> observer.num_obs()
        1
        """
        method = getattr(model, method_name, None)
        if method is None:
            raise ValueError(f"Model type {type(model)} does not have a method {method_name!r}.")
        signature = inspect.signature(method)
        self._parameters = [*signature.parameters.values()]
        most = len(self._calls) + store_n_calls

        def observed(*args: Any, **kwargs: Any) -> Any:
            call = None
            if len(self._calls) < most:
                call = _Call(self._kept(signature, args, kwargs))
                self._calls.append(call)
            begun = time.perf_counter()
            result = method(*args, **kwargs)
            if call is not None:
                call.seconds = time.perf_counter() - begun
                call.outputs = [_copied(x) for x in pytree.tree_leaves(result) if x is not None]
            return result

        observed.__signature__ = signature  # type: ignore[attr-defined]
        own = method_name in vars(model)
        setattr(model, method_name, observed)
        try:
            yield self
        finally:
            if own:
                setattr(model, method_name, method)
            else:
                delattr(model, method_name)

    def _kept(self, signature, args, kwargs):
        """Copies of the arguments by name, without those that have their default."""
        bound = signature.bind(*args, **kwargs)
        self._by_position &= not kwargs
        found = {}
        for name, value in bound.arguments.items():
            kind, default = signature.parameters[name].kind, signature.parameters[name].default
            given = value if kind is inspect.Parameter.VAR_KEYWORD else {name: value}
            for key, each in given.items():
                if each is not None and not (isinstance(each, _CONSTANTS) and each == default):
                    found[key] = pytree.tree_map(_copied, each)
        return found

    def _examples(self) -> Any:
        """The name of each argument -> its values in the calls that gave it; in the order of the parameters."""
        if not self._calls:
            raise RuntimeError("No inputs were captured.")
        order = [p.name for p in self._parameters]
        names = {name: None for call in self._calls for name in call.arguments}
        places = sorted(names, key=lambda name: order.index(name) if name in order else len(order))
        return {name: [c.arguments[name] for c in self._calls if name in c.arguments] for name in places}

    def infer_dynamic_shapes(self, set_batch_dimension_for: Any = None) -> Any:
        """What ``export`` takes as ``dynamic_shapes``: sizes that differ between the calls are dynamic.

        So is the first one of the arguments in ``set_batch_dimension_for``, by name or position, of all if it is True. Raises RuntimeError if there were no calls,
        or if they differ in more than sizes.

        >>> import minigrad
        >>> model, observer = minigrad.nn.ReLU(), minigrad.onnx.InputObserver()
        >>> with observer(model):
        ...     _ = model(minigrad.ones(2, 3))
        >>> observer.infer_dynamic_shapes(set_batch_dimension_for=True)
        ({0: DimHint(DYNAMIC)},)
        """
        asked = set_batch_dimension_for
        found = {}
        for place, (name, values) in enumerate(self._examples().items()):
            batched = asked is True or (bool(asked) and (name in asked or place in asked))
            if name in self.value_if_missing and len(values) < len(self._calls):
                values = [*values, self.value_if_missing[name]]
            found[name] = _shapes_of(name, values, batched)
        if not self._by_position:
            return found
        return tuple(found[name] for name in found)

    def infer_arguments(
        self, index_or_args_or_kwargs: Any = None, flat: bool = False, as_args_kwargs: bool = False
    ) -> Any:
        """Arguments for an export: a tuple, or a dict if the calls named any; with ``as_args_kwargs`` both, with ``flat`` a list of the tensors.

        They are those of the call that gave most tensors, or of the one with this index; a given tuple or dict is completed. A tensor that is missing is one
        without elements. Raises RuntimeError if it cannot be inferred which one.

        >>> import minigrad
        >>> model, observer = minigrad.nn.ReLU(), minigrad.onnx.InputObserver()
        >>> with observer(model):
        ...     _ = model(minigrad.ones(2))
        >>> observer.infer_arguments()
        (tensor([1., 1.]),)
        """
        examples = self._examples()
        if index_or_args_or_kwargs is None:
            given = max(self._calls, key=_Call.size).arguments
        elif isinstance(index_or_args_or_kwargs, int):
            given = self._calls[index_or_args_or_kwargs].arguments
        elif isinstance(index_or_args_or_kwargs, tuple):
            given = dict(zip(examples, index_or_args_or_kwargs))
        else:
            given = index_or_args_or_kwargs
        found = {
            name: given[name] if given.get(name) is not None else self._missing(name, values)
            for name, values in examples.items()
        }
        if flat:
            return [x for x in pytree.tree_leaves(found) if isinstance(x, Tensor)]
        values = tuple(found.values()) if self._by_position else ()
        if as_args_kwargs:
            return values, {} if self._by_position else found
        return values if self._by_position else found

    def _missing(self, name, values):
        if name in self.value_if_missing:
            return self.value_if_missing[name]
        shapes = _shapes_of(name, values, False)

        def empty(x, dims):
            if not isinstance(x, Tensor):
                return x
            if not dims:
                raise RuntimeError(
                    f"the argument {name} is missing in some calls, and no size of it differs between the others: say in value_if_missing what it is then"
                )
            return x.new_zeros([0 if i == min(dims) else size for i, size in enumerate(x.shape)])

        return _mapped(empty, values[0], shapes)

    def check_discrepancies(
        self,
        onnx_program: Any,
        atol: float = 1e-4,
        rtol: float = 0.1,
        progress_bar: bool = False,
        initializer: Any = None,
        skip_none: bool = True,
    ) -> list[dict[str, Any]]:
        """Run a model with the arguments of each call, and compare: a dict for each with ``SUCCESS``, the greatest differences ``abs`` and ``rel``, times, or an ``error``."""
        if initializer is not None:
            onnx_program.initialize_inference_session(initializer)
        steps: Any = range(len(self._calls))
        if progress_bar:
            from tqdm import tqdm  # type: ignore[import-not-found,import-untyped,unused-ignore]

            steps = tqdm(steps)
        return [self._compared(onnx_program, number, atol, rtol) for number in steps]

    def _compared(self, program, number, atol, rtol):
        call = self._calls[number]
        given = {name: call.arguments.get(name) for name in self._examples()}
        tensors = self.infer_arguments(number, flat=True)
        counts = {
            "index": number,
            "duration_torch": call.seconds,
            "n_inputs": len(tensors),
            "n_none": sum(x is None for x in given.values()),
            "n_empty": sum(x.numel() == 0 for x in tensors),
        }
        args, kwargs = self.infer_arguments(number, as_args_kwargs=True)
        begun = time.perf_counter()
        try:
            found = program(*args, **kwargs)
        except Exception as error:  # whatever the runtime raises is what is reported
            return {
                "error": str(error),
                "SUCCESS": False,
                **counts,
                "ort_duration": time.perf_counter() - begun,
            }
        counts["ort_duration"] = time.perf_counter() - begun
        return {**_differences(found, call.outputs, atol, rtol), **counts}


def _copied(x):
    return x.detach().clone() if isinstance(x, Tensor) else x


def _differences(found, wanted, atol, rtol):
    """How two lists of tensors differ."""
    if len(found) != len(wanted):
        return {"SUCCESS": False, "error": "not the same number of outputs"}
    absolute = relative = 0.0
    for mine, other in zip(found, wanted):
        if mine.shape != other.shape:
            return {"SUCCESS": False, "error": "not the same shape"}
        if mine.dtype is not other.dtype:
            return {"SUCCESS": False, "error": "not the same type"}
        if mine.numel():
            gap = (mine.double() - other.double()).abs()
            absolute = max(absolute, float(gap.max()))
            relative = max(relative, float((gap / (other.double().abs() + rtol)).max()))
    return {"SUCCESS": absolute <= atol and relative <= rtol, "abs": absolute, "rel": relative}


def _mapped(function, value, shapes):
    """What a function makes of each tensor and its dynamic sizes."""
    if isinstance(value, dict):
        return {key: _mapped(function, x, shapes[key]) for key, x in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)([_mapped(function, x, each) for x, each in zip(value, shapes)])
    return function(value, shapes)


def _shapes_of(name, values, batched):
    """The dynamic sizes of nested values that were given in several calls."""
    first = values[0]
    if isinstance(first, dict):
        return {key: _shapes_of(name, [x[key] for x in values], batched) for key in first}
    if isinstance(first, (tuple, list)):
        return type(first)([_shapes_of(name, [*each], batched) for each in zip(*values)])
    if not isinstance(first, Tensor):
        return None
    if any(not isinstance(x, Tensor) or x.dim() != first.dim() for x in values):
        raise RuntimeError(f"the argument {name} has not the same number of dimensions in all calls")
    sizes = zip(*[x.shape for x in values])
    return {
        axis: Dim.DYNAMIC for axis, each in enumerate(sizes) if len({*each}) > 1 or (batched and axis == 0)
    }
