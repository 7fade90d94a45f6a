"""What NumPy's functions do with tensors: ``np.sin(t)``, ``np.sum(t * t)``, ``np.ones(3) * t``, ``np.add.reduce(t)``.

Where no gradient is wanted they compute as NumPy does, and return what they return for PyTorch's tensors.  For a tensor that requires grad, or that is inside a
transform, they are our own operators: ``numpy_ufuncs.py`` and ``numpy_functions.py`` (whose rules are in files by subject) say which.  What is not in these tables is refused.
"""

import inspect

import numpy as np

from .._base import lazy
from .._core.families import array_beside
from .._core.inplace import check_writable
from .._core.out import write_out
from .._core.tensor import Tensor, bump, of_array

__all__ = []
METHODS = "__array_function__=array_function __array_ufunc__=array_ufunc"

_later = lazy.places({"_ops.numpy_ufuncs": "UFUNCS REDUCE ACCUMULATE", "_ops.numpy_functions": "FUNCTIONS"})

#: The operators by which a tensor answers for an array, or one of NumPy's numbers, on its left.
REFLECTED = {
    np.add: "__radd__", np.subtract: "__rsub__", np.multiply: "__rmul__", np.true_divide: "__rtruediv__",
    np.equal: "__eq__", np.not_equal: "__ne__", np.less: "__gt__", np.less_equal: "__ge__",
    np.greater: "__lt__", np.greater_equal: "__le__",
    np.power: "__rpow__", np.floor_divide: "__rfloordiv__", np.remainder: "__rmod__",
    np.bitwise_and: "__rand__", np.bitwise_or: "__ror__", np.bitwise_xor: "__rxor__",
    np.left_shift: "__rlshift__", np.right_shift: "__rrshift__",
}
#: Functions that fail with PyTorch's tensors, since they call a method of the same name with NumPy's arguments.  Here they are always our own.
OURS = frozenset({np.sum, np.prod, np.mean, np.var, np.std, np.max, np.amax, np.min, np.amin, np.any, np.all, np.size})
_KNOWN = (Tensor, np.ndarray, np.generic, bool, int, float, complex, list, tuple)


def table(name):
    """A table of rules; its module is imported when the first gradient of NumPy code is wanted."""
    return globals().get(name) or lazy.fetch(name, _later, globals())


def refusal(name, what="has no derivative here"):
    """The error for a NumPy function that cannot be differentiated, called ``name``."""
    return TypeError(
        f"{name} {what}, and a gradient is wanted. For its value alone pass t.detach().numpy() instead of the tensor t; for a gradient "
        "write it with functions that have one: docs/howto/numpy_code.md says which."
    )


def wants(x):
    """Whether ``x`` is a tensor with history, or one inside a transform."""
    return isinstance(x, Tensor) and (x._wrapped or x.requires_grad)


def wanted_in(values):
    """Whether any of ``values``, or of the lists and tuples among them, ``wants`` a derivative."""
    return any(wanted_in(x) if isinstance(x, (list, tuple)) else wants(x) for x in values)


# Ufuncs ------------------------------------------------------------------------------------------------------------------


def array_ufunc(self, ufunc, method, *inputs, out=(), **kwargs):
    """What NumPy calls for a ufunc, or for one of its methods, of a tensor."""
    if len(inputs) == 2 and method == "__call__" and not out and not kwargs:
        x, y = inputs
        if not isinstance(x, Tensor) and isinstance(x, (np.ndarray, np.generic)):
            name = REFLECTED.get(ufunc)
            if name is not None and (result := getattr(y, name)(x)) is not NotImplemented:
                return result
    if any(is_foreign(x) for x in (*inputs, *out)):
        return NotImplemented
    if wanted_in(inputs) or wanted_in(out):
        return differentiable(ufunc, method, inputs, out, kwargs)
    if method == "at" and isinstance(inputs[0], Tensor):
        raise TypeError(f"np.{ufunc.__name__}.at: first operand must be array; use index_put_(accumulate=True)")
    arrays = [np.asarray(x) if isinstance(x, Tensor) else x for x in inputs]
    if "where" in kwargs:
        kwargs["where"] = np.asarray(kwargs["where"])
    if out:
        return write_ufunc(getattr(ufunc, method), arrays, out, kwargs)
    result = getattr(ufunc, method)(*arrays, **kwargs)
    if method == "outer" or result is None:
        return result
    if isinstance(result, tuple):
        return tuple([self.__array_wrap__(np.asarray(z)) for z in result])
    return self.__array_wrap__(np.asarray(result))


def is_foreign(x):
    """Whether ``x`` has ways of its own with ufuncs, which come first."""
    return not isinstance(x, _KNOWN) and getattr(type(x), "__array_ufunc__", None) is not None


def write_ufunc(call, arrays, out, kwargs):
    """``call(*arrays)``, a ufunc, written into ``out``: tensors without history, arrays, or None for what is to be new."""
    tensors = [x for x in out if isinstance(x, Tensor)]
    for x in tensors:
        check_writable(x)
    call(*arrays, out=tuple([x._array if isinstance(x, Tensor) else x for x in out]), **kwargs)
    for x in tensors:
        bump(x)
    return out[0] if len(out) == 1 else out


def differentiable(ufunc, method, inputs, out, kwargs):
    """A ufunc, or one of its methods, by our own operators."""
    name = f"np.{ufunc.__name__}" + ("" if method in ("__call__", "outer") else f".{method}")
    kinds = {"__call__": "UFUNCS", "outer": "UFUNCS", "reduce": "REDUCE", "accumulate": "ACCUMULATE"}
    rule = table(kinds[method]).get(ufunc) if method in kinds else None
    kwargs = {key: x for key, x in kwargs.items() if key not in ("order", "subok", "casting")}
    dtype = kwargs.pop("dtype", None)
    if rule is None:
        raise refusal(name)
    if method in ("__call__", "outer") and kwargs:
        raise refusal(f"{name}({next(iter(kwargs))}=...)")
    operands = [as_tensor(x) for x in inputs] if method == "outer" else as_operands(inputs)
    if dtype is not None:
        operands = [as_tensor(x).to(of_array(np.empty(0, dtype)).dtype) for x in operands]
    if method == "outer":
        x, y = operands
        operands = [x.reshape((*x.shape, *(1,) * y.ndim)), y]
    if not out:
        return rule(*operands, **kwargs)
    (target,) = out
    if not isinstance(target, Tensor):
        raise refusal(f"{name}(out=...)", "cannot write a result with history into a NumPy array")
    return write_out(target, rule, *operands, named=name, **kwargs)


def as_operands(inputs):
    """The operands of an operator: tensors stay, as numbers do; arrays become tensors of the dtype that NumPy would compute in."""
    first = next(x for x in inputs if isinstance(x, Tensor))
    return [x if isinstance(x, (Tensor, bool, int, float, complex, np.generic)) else beside(first, x) for x in inputs]


def beside(tensor, x):
    """An array, or a list, as an operand beside ``tensor``."""
    return array_beside(tensor, x) if isinstance(x, np.ndarray) else as_tensor(x)


def as_tensor(x):
    """A tensor of whatever NumPy takes for an array: lists of tensors are stacked."""
    if isinstance(x, Tensor):
        return x
    if isinstance(x, (list, tuple)) and any(isinstance(part, (Tensor, list, tuple)) for part in x):
        first, *rest = [as_tensor(part).unsqueeze(0) for part in x]
        return table("FUNCTIONS")[np.concatenate]([first, *rest])
    return of_array(np.asarray(x))


# Other functions ---------------------------------------------------------------------------------------------------------


def array_function(self, function, types, args, kwargs):
    """What NumPy calls for a function, which is no ufunc, of a tensor."""
    if not all(issubclass(kind, (Tensor, np.ndarray)) for kind in types):
        return NotImplemented
    if function not in OURS and not wanted_in(args) and not wanted_in(kwargs.values()):
        return function._implementation(*args, **kwargs)
    rule = table("FUNCTIONS").get(function)
    name = f"{function.__module__}.{function.__name__}".replace("numpy", "np", 1)
    if rule is None:
        raise refusal(name)
    args, kwargs = named_from_out_on(function, args, kwargs)
    args = [int(x) if isinstance(x, np.integer) else x for x in args]
    kwargs = {key: int(x) if isinstance(x, np.integer) else x for key, x in kwargs.items() if x is not np._NoValue}
    out = kwargs.pop("out", None)
    if not kwargs.keys() <= rule.names:
        raise refusal(f"{name}({min(kwargs.keys() - rule.names)}=...)")
    if out is None:
        return rule(*args, **kwargs)
    if not isinstance(out, Tensor):
        raise refusal(f"{name}(out=...)", "cannot write a result with history into a NumPy array")
    return write_out(out, rule, *args, named=name, **kwargs)


def named_from_out_on(function, args, kwargs):
    """The arguments of a call, with names for those that stand in the place of ``out`` or behind it: rules have no such place."""
    if len(args) > 2:
        try:
            parameters = inspect.signature(function).parameters
        except ValueError:  # written in C
            return args, kwargs
        names = [name for name, parameter in parameters.items() if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        place = names.index("out") if "out" in names else len(args)
        kwargs = {**kwargs, **dict(zip(names[place:], args[place:]))}
        args = args[:place]
    return args, kwargs
