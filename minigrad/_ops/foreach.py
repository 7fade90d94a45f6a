"""``_foreach_*``: an operator applied to each tensor of a list, as optimizers of PyTorch's kind write their updates.

``_foreach_add(tensors, other)`` is the tuple of the sums; ``_foreach_add_`` works in place, and returns the list.  ``other`` is one number
or 0-dim tensor for all, or a list with one for each.  PyTorch has kernels for whole lists; here it is a loop.
"""

from .._base.errors import type_name
from .._core.tensor import Tensor
from .moments import vector_norm

__all__ = []

UNARY = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt "
    "sigmoid sign sin sinh sqrt tan tanh trunc"
)
BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "pow": "pow", "maximum": "clamp_min", "minimum": "clamp_max",
    "clamp_min": "clamp_min", "clamp_max": "clamp_max",
}


def _list_of(name, tensors, place=0):
    """The tensors of a list or tuple of at least one; raises TypeError or RuntimeError."""
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(f"{name}(): argument {place} must be a list or tuple of Tensors, not {type_name(tensors)}")
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument {place}, but got {type_name(x)}")
    return tensors


def _spread(tensors, others):
    """One of ``others`` for each tensor: a list of as many tensors or numbers, or one number or 0-dim tensor for all."""
    if not isinstance(others, (list, tuple)):
        if isinstance(others, Tensor) and others.ndim:
            raise RuntimeError(
                f"scalar tensor expected to be 0 dim but it has {others.ndim} dimensions and {others.numel()} elements."
            )
        return [others] * len(tensors)
    if len(others) != len(tensors):
        if others and isinstance(others[0], Tensor):
            raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(tensors)} and {len(others)}")
        raise RuntimeError("Tensor list must have same number of elements as scalar list.")
    return others


def _method(x, name):
    return getattr(x, name)


def _define(name, apply, out_of_place=True, in_place=True):
    """Make ``_foreach_name`` and ``_foreach_name_`` of ``apply(suffix, tensors, ...)``, which yields the results for the methods so suffixed."""
    def each(self, *args, **kwargs):
        return tuple(apply("", _list_of(f"_foreach_{name}", self), *args, **kwargs))
    def each_(self, *args, **kwargs):
        for _ in apply("_", _list_of(f"_foreach_{name}_", self), *args, **kwargs):
            continue
        return list(self)
    for wanted, function, suffix in ((out_of_place, each, ""), (in_place, each_, "_")):
        if wanted:
            function.__name__ = function.__qualname__ = f"_foreach_{name}{suffix}"
            function.__doc__ = f"Apply ``{name}{suffix}`` to each of a list of tensors."
            globals()[function.__name__] = function


def _unary(name):
    def apply(suffix, tensors):
        return (_method(x, name + suffix)() for x in tensors)
    return apply


def _binary(name):
    def apply(suffix, tensors, other, *, alpha=None):
        scaled = {} if alpha is None else {"alpha": alpha}
        if alpha is not None and not (isinstance(other, Tensor) or (isinstance(other, (list, tuple)) and isinstance(other[0], Tensor))):
            raise TypeError(f"_foreach_{name}{suffix}() takes alpha only with tensors")
        for x, y in zip(tensors, _spread(tensors, other)):
            method = name
            if isinstance(y, Tensor) and name.startswith("clamp"):
                method = "maximum" if name == "clamp_min" else "minimum"
                result = _method(x, method)(y)
                yield x.copy_(result) if suffix else result
            else:
                yield _method(x, method + suffix)(y, **scaled)
    return apply


def _pow(suffix, tensors, exponent):
    return (_method(x, "pow" + suffix)(y) for x, y in zip(tensors, _spread(tensors, exponent)))


def _with_product(name):
    def apply(suffix, tensors, tensor1, tensor2, value=1):
        values = value.tolist() if isinstance(value, Tensor) and value.ndim else value
        rows = zip(tensors, _spread(tensors, tensor1), _spread(tensors, tensor2), _spread(tensors, values))
        return (_method(x, name + suffix)(a, b, value=v.item() if isinstance(v, Tensor) else v) for x, a, b, v in rows)
    return apply


def _lerp(suffix, tensors, tensors1, weight):
    rows = zip(tensors, _spread(tensors, tensors1), _spread(tensors, weight))
    return (_method(x, "lerp" + suffix)(y, w) for x, y, w in rows)


def _copy(suffix, tensors, src, non_blocking=False):
    return (x.copy_(y) for x, y in zip(tensors, _spread(tensors, src)))


def _norm(suffix, tensors, ord=2, dtype=None):
    return (vector_norm(x, ord, dtype=dtype) for x in tensors)


def _powsum(suffix, tensors, ord, dtype=None):
    return ((x if dtype is None else x.to(dtype)).abs().pow(ord).sum() for x in tensors)


def _mm(suffix, tensors, mat2):
    return (x.mm(y) for x, y in zip(tensors, _spread(tensors, mat2)))


for _name in UNARY.split():
    _define(_name, _unary(_name))
for _name, _as in BINARY.items():
    _define(_name, _pow if _name == "pow" else _binary(_as))
for _name in ("addcmul", "addcdiv"):
    _define(_name, _with_product(_name))
_define("lerp", _lerp)
_define("zero", _unary("zero"), out_of_place=False)
_define("copy", _copy, out_of_place=False)
_define("clone", _unary("clone"), in_place=False)
_define("max", _unary("max"), in_place=False)
_define("norm", _norm, in_place=False)
_define("powsum", _powsum, in_place=False)
_define("mm", _mm, in_place=False)


_foreach_pow_of_tensors = globals()["_foreach_pow"]


def _foreach_pow(self, exponent):
    """``pow`` for each of a list of tensors, which are the exponents if ``self`` is a number."""
    if isinstance(self, (list, tuple)):
        return _foreach_pow_of_tensors(self, exponent)
    return tuple([self**x for x in _list_of("_foreach_pow", exponent, 1)])
