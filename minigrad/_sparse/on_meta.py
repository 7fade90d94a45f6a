"""Sparse tensors on the device ``meta``: they have a size, a dtype, a layout and a number of elements, and neither indices nor values."""

import functools

import numpy as np

from .._base import device as devices
from .._base import dtypes
from .._base.device import sparse_bsr, sparse_coo, sparse_csr
from .._core.tensor import Tensor, as_class, start_requiring_grad
from .._ops import parameter
from .._ops.create import empty as dense_empty
from .._ops.from_data import as_tensor
from . import invariants
from .arrays import INDEX, Compressed, Coo, refusal
from .convert import COMPRESSED
from .node import record
from .parts import dense_of, kept, sparse, values_at
from .served import KEPT_ON_META, is_served
from .tensors import SparseTensor, replace


def blank(shape, dtype):
    """What stands in the place of an array of that form on ``meta``."""
    return dense_empty(shape, dtype=dtypes.from_numpy_dtype(np.dtype(dtype)), device=devices.META)._array


def of_parts(layout, indices, values, size, dtype, requires_grad, flag=False):
    """A sparse tensor on ``meta`` of indices (one tensor or list of them for coordinates, two for compressed layouts), values and a size, all looked at for their form alone."""
    indices = [_form(x) for x in indices]
    given, values = values, _form(values, None if dtype is None else dtype.np)
    if size is None:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    size = tuple([int(n) for n in size])
    if layout is sparse_coo:
        invariants.check_form_of_coo(blank(indices[0].shape, INDEX), values, size)
        places = Coo(blank(indices[0].shape, INDEX), values, size, bool(flag))
    else:
        invariants.check_dtypes_of_compressed(layout, *indices)
        places = Compressed(layout, *indices, values, size)
        invariants.check_form_of_compressed(places)
    out = sparse(places)
    if isinstance(given, Tensor) and given.requires_grad and not requires_grad and given.is_meta:
        name = (
            "SparseCooTensorWithDimsAndTensorsBackward0"
            if layout is sparse_coo
            else "SparseCompressedTensorBackward0"
        )
        out = record(name, out, (given,), lambda g, needs: (values_at(g, places),))
    return out.requires_grad_() if requires_grad else out


def _form(data, dtype=None):
    array = (data if isinstance(data, Tensor) else as_tensor(data))._array
    return blank(array.shape, array.dtype if dtype is None else dtype)


def emptied(x):
    """The like of a sparse tensor on ``meta``, which keeps no element."""
    array = x._array
    if array.__class__ is Coo:
        values = blank((0, *array.values.shape[1:]), array.dtype)
        places = Coo(blank((array.sparse_dim, 0), INDEX), values, array.shape)
    else:
        n = array.along.ndim
        batch, index = array.along.shape[:-1], array.bounds.dtype
        values = blank((*batch, 0, *array.values.shape[n:]), array.dtype)
        places = Compressed(
            array.layout, blank(array.bounds.shape, index), blank((*batch, 0), index), values, array.shape
        )
    out = sparse(places)
    return out.requires_grad_() if x.requires_grad and x.is_leaf else out


def _part(name, attribute, layouts):
    def part(self):
        array = self._array
        if array.layout not in layouts:
            return getattr(super(MetaSparseTensor, self), name)()  # which raises
        if name in ("indices", "values") and not array.coalesced:
            raise RuntimeError(f"Cannot get {name} on an uncoalesced tensor, please call .coalesce() first")
        return kept(self) if name == "values" else dense_of(getattr(array, attribute))

    part.__name__ = part.__qualname__ = name
    part.__doc__ = f"The {name.strip('_')}: a dense tensor on ``meta``."
    return part


class MetaSparseTensor(SparseTensor):
    """A sparse tensor on ``meta``: it takes part in what needs no element (see ``served.py``); all other operations raise NotImplementedError."""

    __slots__ = ()
    is_cpu = False
    device = property(lambda self: devices.device("meta"), doc="Where the tensor lives: nowhere.")
    is_meta = property(lambda self: True, doc="True.")
    values = _part("values", "values", (sparse_coo, *COMPRESSED))
    _values = _part("_values", "values", (sparse_coo,))
    indices = _part("indices", "indices", (sparse_coo,))
    _indices = _part("_indices", "indices", (sparse_coo,))
    crow_indices = _part("crow_indices", "bounds", (sparse_csr, sparse_bsr))
    col_indices = _part("col_indices", "along", (sparse_csr, sparse_bsr))
    ccol_indices = _part("ccol_indices", "bounds", tuple(set(COMPRESSED) - {sparse_csr, sparse_bsr}))
    row_indices = _part("row_indices", "along", tuple(set(COMPRESSED) - {sparse_csr, sparse_bsr}))

    def _as_parameter(self, requires_grad):
        found = as_class(self.detach(), MetaSparseParameter)
        if requires_grad:
            start_requiring_grad(found)
        return found

    def coalesce(self):
        """The tensor itself if it is coalesced; how many elements another one would keep is not known."""
        if self._array.layout is sparse_coo and not self._array.coalesced:
            raise refusal("_coalesce", self._array)
        return super().coalesce()

    def zero_(self):
        """The tensor without elements."""
        like = self.detach()

        def formula(g, needs):
            return (emptied(g) if g._is_sparse else g.new_zeros(g.shape),)

        return replace(self, record("ZeroBackward0", emptied(like), (self,), formula))

    def item(self):
        """Raises RuntimeError: there are no elements."""
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        raise RuntimeError("Tensor.item() cannot be called on meta tensors")

    def __reduce_ex__(self, protocol):
        raise NotImplementedError("sparse tensors on meta have no elements, and cannot be pickled")


class MetaSparseParameter(MetaSparseTensor, parameter.Parameter):  # type: ignore[misc]
    """A parameter that is sparse, on ``meta``."""

    __slots__ = ()
    _results = MetaSparseTensor
    _is_parameter = True

    def __new__(cls, data=None, requires_grad=True):
        return parameter.Parameter(data, requires_grad)


def refuse(names):
    """Let the methods and properties ``names`` raise NotImplementedError for tensors on ``meta`` that they do not serve."""
    own = {*vars(MetaSparseTensor), *KEPT_ON_META}
    for name in names:
        if name not in own:
            setattr(MetaSparseTensor, name, _refusing(name))


def _refusing(name):
    served = getattr(SparseTensor, name)
    if isinstance(served, property):
        read = served.fget

        def attribute(self):
            return _checked(name, self, read)(self)

        return property(attribute)

    @functools.wraps(served)
    def method(self, *args, **kwargs):
        return _checked(name, self, served)(self, *args, **kwargs)

    return method


def _checked(name, x, function):
    if not is_served(name, x._array):
        raise refusal(name.strip("_"), x._array)
    return function
