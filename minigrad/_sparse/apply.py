"""How the operators of dense tensors meet a sparse one: the function that was called is looked up among those that have a sparse form, and runs that.

An operator sees a sparse operand on its slow path, an array's function as soon as it is computed with; a function that does neither fails over what is no array, and its guard asks here
(``_base/guards.py``).  What has no sparse form raises.
"""

import functools
import sys

import numpy as np

from .._arrays.unresolved import resolved
from .._base import guards
from .._base.errors import check_sizes
from .._core import late
from .._core.gradient_tensors import known, of_run
from .._core.modes import set_recording
from .._core.overriding import arguments_of
from .._core.tensor import bump
from .._core.wrapped import any_wrapped, wrap_layer
from . import pointwise
from .arrays import Coo, SparseArray, add_into, inside_transform, refusal
from .construct import check_rebuilt as check_rebuilt
from .construct import empty as empty
from .construct import rebuild as rebuild
from .embedding import embedding as embedding
from .embedding import embedding_bag as embedding_bag
from .gathering import gather as gather
from .on_meta import MetaSparseTensor as MetaSparseTensor
from .on_meta import emptied as emptied
from .parts import is_sparse, sparse
from .served import is_served
from .shapes import like as like
from .table import FUNCTIONS
from .tensors import SparseTensor as SparseTensor

_PACKAGE = __name__.partition(".")[0]
#: The functions that take a sparse tensor beside a dense one of a transform.
_PRODUCTS = {"matmul", "mm", "mv", "bmm"}
_IN_TRANSFORMS = {*_PRODUCTS, "addmm", "linear"}
#: The functions of Python's operators that have a sparse form: a parameter before a sparse tensor is asked first.
_OPERATORS = {*_PRODUCTS, "add", "sub", "mul", "div", "floor_divide", "pow"}


def apply(cls, operands, params, out=None):
    """Apply the op ``cls`` to operands of which some are sparse."""
    found = _called()
    if found is not None:
        function, args, kwargs = found
        _refuse_meta(function.__name__, (*args, *kwargs.values()))
        if any_wrapped(operands) and function.__name__ not in _IN_TRANSFORMS:
            raise inside_transform(cls.function_name())
        if _any_sparse((*args, *kwargs.values())):
            return FUNCTIONS[function.__name__](*args, **kwargs)
    name = cls.function_name()
    # an operator, which a parameter or a tensor of a transform is asked for first
    if name in _PRODUCTS and any_wrapped(operands):
        return FUNCTIONS[name](*operands)
    if found is None and name in _OPERATORS and not any_wrapped(operands):
        return FUNCTIONS[name](*operands)
    raise refusal(name, _first(operands))


def write(cls, x, others):
    """Apply the op ``cls`` in place to ``x``, of which some operand is sparse."""
    found = _called()
    if found is not None and found[0].__name__[-1] == "_":
        function, args, kwargs = found
        _refuse_meta(function.__name__, (*args, *kwargs.values()))
        return FUNCTIONS[function.__name__](*args, **kwargs)
    raise refusal(cls.function_name() + "_", _first((x, *others)))


def _first(operands):
    for x in operands:
        if isinstance(x, (tuple, list)):
            found = _first(x)
            if found is not None:
                return found
        elif is_sparse(x):
            return x._array
    return None


def _any_sparse(values):
    return _first(values) is not None


def _refuse_meta(name, values):
    array = _first(values)
    if array is not None and array.is_meta and not is_served(name, array):
        raise refusal(name, array)


@functools.cache
def _codes(modules):
    """The id of a code object -> function, of those that have a sparse form; ``modules``: how many are imported, with which come more."""
    return {id(guards.own_code_of(f)): f for f in guards.overridable() if f.__name__ in FUNCTIONS}


def _called():
    """(function, args, kwargs) of the innermost public function that runs and has a sparse form; None if none does.

    Raises ``Met`` if it has a guard, which asks ``meets``.
    """
    codes = _codes(len(sys.modules))
    frame = sys._getframe(2)
    while frame is not None and (frame.f_globals.get("__package__") or "").partition(".")[0] == _PACKAGE:
        function = codes.get(id(frame.f_code))
        if function is not None:
            if guards.is_guarded(function):
                raise guards.Met
            return (function, *arguments_of(function, frame.f_locals))
        frame = frame.f_back
    return None


def meets(function, args, kwargs):
    """What to call in the place of a public function that has failed: None if it has no sparse form, or was given no sparse tensor."""
    form = FUNCTIONS.get(function.__name__)
    if (
        form is None
        or not _any_sparse((*args, *kwargs.values()))
        or guards.own_code_of(form) is guards.own_code_of(function)
    ):
        return None
    _refuse_meta(function.__name__, (*args, *kwargs.values()))
    return functools.partial(form, *args, **kwargs)


late.sparse_form = meets


# Gradients as arrays ---------------------------------------------------------------------------------------------------------------------

_OF_ARRAYS = {
    "add": pointwise.add, "subtract": pointwise.sub, "multiply": pointwise.mul, "divide": pointwise.div, "negative": FUNCTIONS["neg"],
    "conjugate": FUNCTIONS["conj_physical"], **{name: FUNCTIONS[name] for name in ("transpose", "permute", "t")},
    "zeros_like": lambda g: like("zeros_like", g, None, None, False),
}  # fmt: skip


def of_arrays(name, array, inputs, *params):
    """The function ``name``, mostly NumPy's, of arrays of which some are sparse: what the engine, and formulas, do to gradients."""
    function = _OF_ARRAYS.get(name)
    if function is None:
        raise refusal(name, array)
    was = set_recording(False)
    try:
        values = [wrap_layer(x if isinstance(x, SparseArray) else np.asarray(x)) for x in inputs]
        if name == "add" and is_sparse(values[0]) and not is_sparse(values[1]):
            values.reverse()
        return resolved(function(*values, *params)._array)
    finally:
        set_recording(was)


def accumulate(node, array):
    """Add a sparse gradient to the ``.grad`` of a leaf: a sparse one grows, to a dense one it is added in place."""
    check_sizes(node.array.shape, array.shape)
    grad = node.grad
    if grad is None:
        node.grad = sparse(_of_leaf(array))
        return
    bump(grad)
    if is_sparse(grad):
        grad._array = of_arrays("add", array, (grad._array, array))
    else:
        add_into(grad._array, array)


def _of_leaf(array):
    """What the ``.grad`` of a leaf holds of its first gradient.  As in PyTorch, coordinates that are no part of longer ones do not count as coalesced."""
    if array.__class__ is not Coo:
        return array.copy()
    found = Coo(
        array.indices, array.values if array.fresh else array.values.copy(), array.shape, array.coalesced
    )
    if (
        array.indices.flags.c_contiguous
        and array.values.flags.c_contiguous
        and known(of_run(), array) is None
        and array.nnz > 1
    ):
        found.coalesced = False
    return found


def plus(grad, g):
    """The sum of two gradients as tensors, of which one is sparse."""
    return pointwise.add(g, grad) if is_sparse(grad) and not is_sparse(g) else pointwise.add(grad, g)
