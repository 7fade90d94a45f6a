"""``opcheck``: whether what a program has said of an operator is true."""

import copy
import threading
from typing import Any

from .. import _api
from .._api import Tensor, _lazy
from ..utils._pytree import tree_map
from .arguments import accepting, bind
from .custom_ops import CustomOpDef
from .operator import tensors_of
from .overloads import CustomOverload

_TESTS = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")


class OpCheckError(Exception):
    """Raised by ``opcheck`` if a test fails.

    >>> import minigrad
    >>> issubclass(minigrad.library.OpCheckError, Exception)
    True
    """


class _Fakes(threading.local):
    now = None


_fakes = _Fakes()


class FakeImplCtx:
    """The object that ``get_ctx`` returns inside a function of ``register_fake``.

    >>> import minigrad
    >>> minigrad.library.FakeImplCtx().new_dynamic_size()
    2
    """

    dynamic: bool

    def __init__(self) -> None:
        self.dynamic = False

    def new_dynamic_size(self, *, min: int = 0, max: Any = None) -> Any:
        """Return a size that depends on values: here some number between ``min`` and ``max``, in which case shapes are not compared.

        >>> import minigrad
        >>> minigrad.library.FakeImplCtx().new_dynamic_size(min=5)
        5
        """
        self.dynamic = True
        return min if min >= 2 else 2 if max is None or max >= 2 else max


def get_ctx() -> Any:
    """Return the object with ``new_dynamic_size()`` inside a function of ``register_fake``; None elsewhere.

    >>> import minigrad
    >>> minigrad.library.get_ctx() is None
    True
    """
    return _fakes.now


def opcheck(
    op: Any,
    args: Any,
    kwargs: Any = None,
    *,
    test_utils: Any = _TESTS,
    raise_exception: bool = True,
    atol: float | None = None,
    rtol: float | None = None,
) -> Any:
    """Test an operator on arguments: that it writes only to the declared ones, has a derivative where it needs one, and results as
    ``register_fake`` says.

    Returns a dict from each test to "SUCCESS" or its exception; ``raise_exception`` raises ``OpCheckError`` for the first one.
    ``test_utils`` names the tests to run; ``test_aot_dispatch_dynamic`` compares the gradients of two runs. Raises ValueError unless
    ``op`` comes from ``custom_op`` or ``minigrad.ops``.

    >>> import minigrad
    >>> from minigrad import Tensor
    >>> @minigrad.library.custom_op("example_opcheck::sneaky", mutates_args=())
    ... def sneaky(x: Tensor) -> Tensor:
    ...     return x.add_(1).clone()
    >>> minigrad.library.opcheck(sneaky, (minigrad.ones(2),), test_utils="test_schema")
    Traceback (most recent call last):
    minigrad.library.OpCheckError: opcheck(op, ...): test_schema failed with Argument x is not defined as mutable but was mutated
    """
    overload = op._opoverload if isinstance(op, CustomOpDef) else op
    if not isinstance(overload, CustomOverload):
        raise ValueError(
            f"opcheck(op, ...): op must be instance of OpOverload, of a custom operator, got {type(op)}"
        )
    names = [test_utils] if isinstance(test_utils, str) else test_utils
    found: dict[str, Any] = {}
    for name in names:
        if name not in _CHECKS:
            raise ValueError(
                f"opcheck(op, ..., test_utils={test_utils}), expected each to be in {list(_CHECKS)}, got {name}"
            )
        try:
            _CHECKS[name](overload, args, kwargs or {}, {"atol": atol, "rtol": rtol})
            found[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                raise OpCheckError(f"opcheck(op, ...): {name} failed with {error}") from error
            found[name] = error
    return found


def _copies(values):
    def copied(x):
        if not isinstance(x, Tensor):
            return copy.copy(x)
        return x.detach().clone().requires_grad_(x.requires_grad)

    return tree_map(copied, values)


def _schema(overload, args, kwargs, tolerances):
    """What is not said to be written to stays as it is, and results have memory of their own."""
    given, named = _copies((args, kwargs))
    with _api.no_grad():
        result = overload(*given, **named)
    owners = {}
    for place, argument in enumerate(overload._schema.arguments):
        before = args[place] if place < len(args) else kwargs.get(argument.name)
        after = given[place] if place < len(given) else named.get(argument.name)
        for x, y in zip(tensors_of([before]), tensors_of([after])):
            same = x.shape == y.shape and bool(((x == y) | ((x != x) & (y != y))).all())
            if not same and not argument.is_write:
                raise RuntimeError(f"Argument {argument.name} is not defined as mutable but was mutated")
            if y.numel():
                owners[y.untyped_storage().data_ptr()] = argument.name
    for x in tensors_of(result if isinstance(result, (tuple, list)) else [result]):
        name = owners.get(x.untyped_storage().data_ptr()) if x.numel() else None
        if name is not None and not any(returned.alias for returned in overload._schema.returns):
            raise RuntimeError(f"Argument {name} is not defined to alias output but was aliasing")


def _registration(overload, args, kwargs, tolerances):
    """What requires grad has a derivative that was registered for autograd."""
    operator = overload._operator
    given, named = _copies((args, kwargs))
    result = overload(*given, **named)
    outputs = tensors_of(result if isinstance(result, (tuple, list)) else [result])
    above = {"Autograd", "AutogradCPU", "CompositeImplicitAutograd"} & operator.kernels.keys()
    if any(x.requires_grad for x in outputs) and not (operator.strict or operator.derivative or above):
        raise RuntimeError(
            f"{operator.name}: at least one output of this operator has requires_grad=True but the operator does not have an autograd "
            "kernel defined at an autograd key (e.g. DispatchKey::Autograd). register_autograd gives it one"
        )


def _fake(overload, args, kwargs, tolerances):
    """What the function of ``register_fake`` makes has the shapes and dtypes of the results."""
    operator = overload._operator
    if operator.fake is None:
        if "CompositeImplicitAutograd" in operator.kernels or not overload._schema.returns:
            return
        raise RuntimeError(
            f"There was no fake impl registered for {operator.name}. "
            f"Please use `{operator.schema.name.partition('::')[2]}.register_fake` to add an fake impl."
        )
    given, named = _copies((args, kwargs))
    all_given, named = bind(operator.schema, given, named)
    before, context = _fakes.now, FakeImplCtx()
    _fakes.now = context
    try:
        with _api.no_grad():
            fake = operator.checked(accepting(operator.fake, operator.schema)(*all_given, **named))
    finally:
        _fakes.now = before
    with _api.no_grad():
        real = overload(*given, **named)
    pairs = zip(*([*tensors_of(x if isinstance(x, (tuple, list)) else [x])] for x in (fake, real)))
    for x, y in pairs:
        wanted, found = (x.dtype, x.dim()), (y.dtype, y.dim())
        if not context.dynamic:
            wanted, found = (*wanted, x.shape, x.stride()), (*found, y.shape, y.stride())
        if wanted != found:
            raise RuntimeError(f"the fake impl says {_said(x)}, the operator returns {_said(y)}")


def _said(x):
    return f"a tensor of {x.dtype}, shape {tuple(x.shape)} and stride {x.stride()}"


def _gradients(overload, args, kwargs, tolerances):
    """Two runs give the same results and gradients."""
    runs = []
    for _ in range(2):
        given, named = _copies((args, kwargs))
        result = overload(*given, **named)
        outputs = [*tensors_of(result if isinstance(result, (tuple, list)) else [result])]
        total = sum(x.sum() for x in outputs if x.requires_grad)
        if isinstance(total, Tensor):
            total.abs().backward() if total.is_complex() else total.backward()
        runs.append([x.detach() for x in outputs] + [x.grad for x in tensors_of(given)])
    from ..testing import assert_close

    for x, y in zip(*runs):
        assert_close(x, y, equal_nan=True, **tolerances)


_CHECKS = dict(zip(_TESTS, (_schema, _registration, _fake, _gradients)))
_lazy.publish("minigrad.library", opcheck, OpCheckError, FakeImplCtx, get_ctx)
