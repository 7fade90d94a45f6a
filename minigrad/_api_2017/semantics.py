"""The mode of ``--api 2017``: each function that the program calls is given what it expects today, and gives what it gave then.

Then there were tensors without history, and Variables around them.  Here a Variable is a tensor of the class ``OldVariable``, or one that requires grad:

* every tensor had a dimension: what is one number comes out of tensors as a number of Python, out of Variables as a Variable of size 1;
* comparisons gave bytes, which were masks too; sums of integers kept their type; integers were divided as in C;
* ``arange`` gave floats, and optimizers wrote zeros into gradients.

Calls that the library makes itself are left as they are, except that what comes of Variables is a Variable.
"""

import functools
import sys
import warnings

from .. import serialization
from .._base.dtypes import bool_, float32, uint8
from .._base.pytree import tree_leaves
from .._core.modes import thread_state
from .._core.tensor import Tensor
from ..autograd._legacy.volatile import Volatile, volatile_class
from ..autograd.variable import Variable, VariableMeta
from ..nn import Module, Parameter
from ..nn import utils as nn_utils
from ..optim import Optimizer
from ..overrides import TorchFunctionMode
from .texts import tensor_text

_PACKAGE = __name__.partition(".")[0]
_LIBRARY = _PACKAGE, "torch"  # modules that were asked for under the alias are called by it
#: What gives a number of Python for a tensor; everything else gives a tensor of size 1.
_NUMBERS = frozenset(
    [
        "__getitem__",
        "all",
        "any",
        "dist",
        "dot",
        "max",
        "mean",
        "median",
        "min",
        "norm",
        "prod",
        "std",
        "sum",
        "trace",
        "var",
    ]
)
#: Of these, those that were computed in double precision.
_PRECISE = frozenset(["dist", "mean", "norm", "prod", "std", "sum", "var"])
#: What takes a mask, of bytes then.
_MASKED = frozenset(["masked_fill", "masked_fill_", "masked_scatter", "masked_scatter_", "masked_select"])
#: What kept the type of integers.
_KEPT = frozenset(["cumprod", "cumsum", "prod", "sum"])
#: What gives Variables, whatever it is given.
_OF_GRADIENTS = frozenset(["grad"])


class OldVariable(Tensor):
    """A Variable of 2017; it calls itself ``Variable``."""

    _results = Tensor

    def __reduce_ex__(self, protocol):
        return _variable_of, (self.detach().as_subclass(Tensor), self.requires_grad)


def _variable_of(x, requires_grad):
    """A Variable of a file."""
    return Variable(x, requires_grad=requires_grad)


OldVariable.__name__ = OldVariable.__qualname__ = "Variable"
OldVariable.__module__ = "torch.autograd.variable"


class Year2017(TorchFunctionMode):
    """Hears of every function of the program, and translates."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name, kwargs = func.__name__, kwargs or {}
        if name in ("__get__", "__set__"):
            return _property(func, args)
        if name in ("__repr__", "__format__"):
            return _text(func, args)
        given = [x for x in tree_leaves((args, kwargs)) if isinstance(x, Tensor)]
        of_variables = name in _OF_GRADIENTS or any(map(is_variable, given))
        by_program, name = _asker(name)
        if not by_program:
            return _marked(func(*args, **kwargs), of_variables)
        args, kwargs = _todays(name, args, kwargs)
        if name in _PRECISE and not of_variables and not _has_dim(name, args, kwargs):
            args = [x.double() if isinstance(x, Tensor) and x.is_floating_point() else x for x in args]
        result = func(*args, **kwargs)
        if name in _KEPT and given and not given[0].is_floating_point() and isinstance(result, Tensor):
            result = result.to(given[0].dtype) if of_variables or result.ndim else result
        if any(result is x for x in given):
            return result
        number = name in _NUMBERS and not of_variables and not _has_dim(name, args, kwargs)
        return _old(result, of_variables, number, name in ("all", "any"))


def is_variable(x):
    """Whether a tensor would have been a Variable."""
    return isinstance(x, (OldVariable, Parameter, Volatile)) or x.requires_grad


def _asker(name):
    """Whether the program itself called the function that the mode hears of, and by which name it is to be known."""
    frame = sys._getframe(2)
    while frame.f_globals.get("__name__") in (f"{_PACKAGE}._core.overriding", f"{_PACKAGE}.overrides"):
        frame = frame.f_back
    caller = frame.f_back  # that of the function, which was redirected
    if caller.f_code.co_name == "__iter__" and name == "unbind":
        caller, name = caller.f_back, "__getitem__"
    return (caller.f_globals.get("__name__") or "").partition(".")[0] not in _LIBRARY, name


def _has_dim(name, args, kwargs):
    """Whether a reduction is along a dimension."""
    place = 2 if name == "norm" else 1
    return "dim" in kwargs or (name != "__getitem__" and len(args) > place and isinstance(args[place], int))


def _as_mask(x):
    return x.to(bool_) if isinstance(x, Tensor) and x.dtype is uint8 else x


def _todays(name, args, kwargs):
    """The arguments that mean today what these meant."""
    if name in ("arange", "range"):
        if "dtype" not in kwargs and kwargs.get("out") is None:
            kwargs = {**kwargs, "dtype": float32}
    elif name in ("div", "div_"):
        x, y = (*args, *kwargs.values())[:2]
        if not any(isinstance(z, Tensor) and z.is_floating_point() for z in (x, y)):
            args, kwargs = (x, y if isinstance(y, Tensor) else int(y)), {"rounding_mode": "trunc"}
    elif name in _MASKED:
        args = (args[0], *map(_as_mask, args[1:2]), *args[2:])
        kwargs = {**kwargs, "mask": _as_mask(kwargs["mask"])} if "mask" in kwargs else kwargs
    elif name in ("__getitem__", "__setitem__"):
        key = args[1]
        key = tuple(map(_as_mask, key)) if isinstance(key, tuple) else _as_mask(key)
        args = (args[0], key, *args[2:])
    elif name == "register_hook":
        hook = args[1]
        args = (args[0], lambda g: hook(_marked(g, True)))
    return args, kwargs


def _marked(result, of_variables):
    """The result of a function; what comes of Variables is a Variable."""
    if of_variables:
        for x in tree_leaves(result):
            if type(x) is Tensor:
                x.__class__ = OldVariable
            elif isinstance(x, Volatile) and type(x)._fast_class is Tensor:
                x.__class__ = volatile_class(OldVariable)
    return result


def _old(result, of_variables, number=False, truth=False):
    """The result of a function as it was in 2017."""
    if isinstance(result, Tensor):
        if number and not result.ndim:
            return bool(result) if truth else result.item()
        if result.dtype is bool_:
            result = result.to(uint8)
        return _marked(result if result.ndim else result.view(1), of_variables)
    if isinstance(result, (tuple, list)) and any(isinstance(x, Tensor) for x in result):
        found = [_old(x, of_variables, number) for x in result]
        if type(result) is list:
            return found
        if hasattr(result, "_fields") and type(result).__module__.rpartition(".")[2] != "return_types":
            return type(result)(*found)  # of the program, or a packed sequence
        return tuple(found)  # functions' results have no names yet
    return result


def _property(func, args):
    """A property of tensors: a gradient is a Variable."""
    result = func(*args)
    if isinstance(result, Tensor):
        if func.__self__ is Tensor.grad:
            return _marked(result, True)
        if not result.ndim:
            return result.view(1)
    return result


def _text(func, args):
    if func.__name__ == "__format__" and args[1]:
        return func(*args)
    x = args[0]
    return "Variable containing:" * is_variable(x) + tensor_text(x)


def _called(self, *args, **kwargs):
    result = _call_module(self, *args, **kwargs)
    variables = any(is_variable(x) for x in tree_leaves(result) if isinstance(x, Tensor))
    return _old(result, variables) if variables else result


def _state_dict(self, *args, **kwargs):
    """What it has are tensors, not Variables."""
    found = _module_state(self, *args, **kwargs)
    for x in found.values():
        if type(x) is OldVariable:
            x.__class__ = Tensor
    return found


def _is_the_class(cls, other):
    """``type(x) == Variable``: of all classes that Variables have here."""
    return (
        other is cls
        or other is OldVariable
        or (isinstance(other, type) and issubclass(other, (OldVariable, Volatile)))
    )


_call_module, _module_state = Module.__call__, Module.state_dict
_new_variable = Variable.__new__


def _made(cls, *args, **kwargs):
    x = _new_variable(cls, *args, **kwargs)
    return _marked(x if x.ndim else x.view(1), True)


def start():
    """Let this process, and those it forks, live in 2017."""
    Module.__call__ = _called
    Module.state_dict = _state_dict
    Variable.__new__ = _made
    VariableMeta.__eq__, VariableMeta.__hash__ = _is_the_class, type.__hash__
    Tensor.masked_copy_ = Tensor.masked_scatter_
    Parameter.__repr__ = lambda self: f"Parameter containing:{tensor_text(self)}"
    VariableMeta.__instancecheck__ = lambda cls, other: isinstance(other, Tensor) and is_variable(other)
    for function in (Module.zero_grad, Optimizer.zero_grad):
        function.__defaults__ = (False,)
    serialization.load.__kwdefaults__["weights_only"] = False
    for name in ("clip_grad_norm", "clip_grad_norm_"):
        setattr(nn_utils, name, _giving_a_number(getattr(nn_utils, name)))
    for words in (
        "API of 2017",
        "size_average and reduce args",
        "is now deprecated",
        "is deprecated in favor of",
    ):
        warnings.filterwarnings("ignore", f".*{words}")
    Year2017().__enter__()
    type(thread_state).function_modes = thread_state.function_modes  # of all threads


def _giving_a_number(function):
    @functools.wraps(function)
    def called(*args, **kwargs):
        return float(function(*args, **kwargs))

    return called
