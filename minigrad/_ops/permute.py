"""Views with the dimensions in another order: ``transpose``, ``permute``, ``movedim``, ``T``, ``mT`` and their kin."""

import numpy as np

from .._base.composites import composite
from .._base.deprecation import warn_once
from .._base.dtypes import is_complex_type
from .._base.errors import axis, dim_out_of_range, shape_text, type_name
from .._base.guards import explain_failure
from .._core.families import ViewOp
from .._core.families import view as view_op
from .._core.inplace import view_
from .batches import along
from .shape import alias
from .sizes import as_int, ints, sizes_of

__all__ = ["adjoint", "moveaxis", "movedim", "permute", "swapaxes", "swapdims", "t", "transpose"]
METHODS = (
    "H T adjoint mH mT moveaxis movedim permute=permute_method swapaxes swapaxes_ swapdims swapdims_ t "
    "t_ transpose transpose_"
)


class AxisOp(ViewOp):
    """A view op whose parameters name dimensions: NumPy's error about them becomes PyTorch's."""

    __slots__ = ()

    @staticmethod
    def refuse(error, xs, params):
        """Raise PyTorch's error for NumPy's."""
        if isinstance(error, np.exceptions.AxisError):
            raise dim_out_of_range(error.axis, error.ndim) from None
        if isinstance(error, OverflowError):  # beyond what NumPy takes for an axis
            for dim in params:
                axis(dim, xs[0].ndim)


class TransposeBackward0(AxisOp):
    """z = x with two axes exchanged."""
    aten = "transpose.int"
    batch = along("dim0", "dim1")
    def forward(x, dim0, dim1):
        if not x.ndim:
            axis(dim0, 0), axis(dim1, 0)
            return x[...]
        return x.swapaxes(dim0, dim1)
    def vjp(xp, g, dim0, dim1): return xp.swapaxes(g, dim0, dim1)
_transpose = view_op(TransposeBackward0)


def transpose(input, dim0, dim1):
    """Return a view with two dimensions exchanged; raises IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.transpose(minigrad.zeros(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """
    try:
        return _transpose(input, as_int(dim0, "transpose", "dim0", 2), as_int(dim1, "transpose", "dim1", 3))
    except Exception:
        explain_failure(transpose, input, dim0, dim1)
        raise


class TBackward0(ViewOp):
    """z = xᵀ for a matrix; a vector or number is itself."""
    def batch(call, xs, batched, params, size): return _transpose(xs[0], 1, 2) if xs[0]._array.ndim == 3 else alias(xs[0])
    def forward(x): return x.T
    def vjp(xp, g): return xp.transpose(g)
_t = view_op(TBackward0)


def t(input):
    """Return the transpose of a matrix, as a view; a vector or 0-dim tensor itself.

    Raises RuntimeError for more dimensions.

    >>> import minigrad
    >>> minigrad.t(minigrad.zeros(2, 3)).shape
    torch.Size([3, 2])
    """
    if input._array.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return _t(input)


def refuse_dims(error, xs, params):
    """Raise PyTorch's error for an order of dimensions that NumPy refused."""
    n, dims = xs[0].ndim, ints("permute", "dims", params[0])
    if len(dims) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of "
            f"dimensions i.e. input.dim() = {n} is not equal to len(dims) = {len(dims)}"
        ) from None
    for d in dims:
        axis(d, n)
    raise RuntimeError("permute(): duplicate dims are not allowed.") from None


class PermuteBackward0(ViewOp):
    """z = x with its axes in the order ``dims``."""
    def batch(call, xs, batched, params, size):
        n = xs[0]._array.ndim - 1
        return call(xs[0], (0, *[d % n + 1 for d in params[0]]))
    refuse = staticmethod(refuse_dims)
    def forward(x, dims):     return x.transpose(dims)
    def vjp(xp, g, dims):     return xp.permute_dims(g, inverse(dims))
_permute = view_op(PermuteBackward0)


def inverse(dims):
    """The permutation that undoes ``dims``."""
    n = len(dims)
    back = [0] * n
    for i, d in enumerate(dims):
        back[d] = i
    return tuple(back)


def permute(input, dims):
    """Return a view with the dimensions in another order.

    Raises RuntimeError unless ``dims`` names every dimension once, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.permute(minigrad.zeros(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    if dims.__class__ is not tuple:
        if not isinstance(dims, (tuple, list)):
            raise TypeError(f"permute(): argument 'dims' (position 2) must be tuple of ints, not {type_name(dims)}")
        dims = tuple(dims)
    return _permute(input, dims)


def permute_method(input, *given, dims=None):
    """Return a view with the dimensions in another order, which may be given as separate arguments; see ``permute``.

    >>> import minigrad
    >>> minigrad.ones(2, 3, 4).permute(2, 0, 1).shape
    torch.Size([4, 2, 3])
    """
    if len(given) > 1:
        return _permute(input, given)
    return permute(input, sizes_of("permute", "dims", given, dims))


@composite
def swapdims(input, dim0, dim1):
    """The same as ``transpose``.

    >>> import minigrad
    >>> minigrad.swapdims(minigrad.ones(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
    return transpose(input, dim0, dim1)


@composite
def swapaxes(input, axis0, axis1):
    """The same as ``transpose``.

    >>> import minigrad
    >>> minigrad.swapaxes(minigrad.ones(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
    return transpose(input, axis0, axis1)


@composite
def movedim(input, source, destination):
    """Return a view with dimensions moved to other positions; the others keep their order.

    Raises RuntimeError if the numbers of sources and destinations differ, or one is repeated; IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.movedim(minigrad.zeros(2, 3, 4), 0, 2).shape
    torch.Size([3, 4, 2])
    """
    n = input._array.ndim
    source = ints("movedim", "source", source if isinstance(source, (tuple, list)) else (source,))
    destination = ints("movedim", "destination", destination if isinstance(destination, (tuple, list)) else (destination,))
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({shape_text(source)} dims) should contain the same number of "
            f"dims as destination ({shape_text(destination)} dims)"
        )
    whence, where = [axis(d, n) for d in source], [axis(d, n) for d in destination]
    for name, dims, given in (("source", whence, source), ("destination", where, destination)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({shape_text(given)})")
    if not n:
        return alias(input)
    order = [d for d in range(n) if d not in whence]
    for place, d in sorted(zip(where, whence)):
        order.insert(place, d)
    return _permute(input, tuple(order))


def moveaxis(input, source, destination):
    """The same as ``movedim``.

    >>> import minigrad
    >>> minigrad.moveaxis(minigrad.ones(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    return movedim(input, source, destination)


@composite("numpy_T")
def reversed_dims(input):
    """The dimensions in reverse order, as a view."""
    n = input._array.ndim
    if n == 0:
        warn_once("0-dim T", "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.", UserWarning)
    elif n != 2:
        warn_once(
            "T",
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw "
            "an error in a future release. Use `x.mT` for the transposes of a batch of matrices, "
            "`x.permute(*range(x.ndim)[::-1])` for all dimensions in reverse.",
            UserWarning,
        )
    return _permute(input, tuple(range(n - 1, -1, -1)))


def identity_of_number(input, name, conj):
    """Of a 0-dim tensor, which has no matrix to transpose, itself or its conjugate."""
    cure = "Consider using x.conj()." if conj else "This function is the identity in these cases."
    warn_once(name, f"{name} is deprecated on 0-D tensors. {cure}", UserWarning)
    return input.conj() if conj and is_complex_type(input._array.dtype) else input


@composite("mT")
def transposed_matrix(input):
    """The last two dimensions exchanged, as a view."""
    n = input._array.ndim
    if n < 2:
        if n == 0:
            return identity_of_number(input, "Tensor.mT", False)
        raise RuntimeError(f"tensor.mT is only supported on matrices or batches of matrices. Got {n}-D tensor.")
    return _transpose(input, n - 2, n - 1)


def conjugate_transpose(input):
    z = _transpose(input, input._array.ndim - 2, input._array.ndim - 1)
    return z.conj() if is_complex_type(z._array.dtype) else z


@composite("matrix_H")
def hermitian_matrix(input):
    """The transpose of a matrix, conjugated if complex."""
    n = input._array.ndim
    if n == 2:
        return conjugate_transpose(input)
    if n == 0:
        return identity_of_number(input, "Tensor.H", True)
    cure = " For batches of matrices, consider using tensor.mH" if n > 2 else ""
    raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor.{cure}")


def hermitian_matrices(input):
    """The last two dimensions exchanged, conjugated if complex."""
    n = input._array.ndim
    if n < 2:
        if n == 0:
            return identity_of_number(input, "Tensor.mH", True)
        raise RuntimeError(f"tensor.mH is only supported on matrices or batches of matrices. Got {n}-D tensor.")
    return conjugate_transpose(input)


H, T, mH, mT = property(hermitian_matrix), property(reversed_dims), property(hermitian_matrices), property(transposed_matrix)


def adjoint(input):
    """Return a view with the last two dimensions exchanged, conjugated if complex; raise RuntimeError for one dimension.

    >>> import minigrad
    >>> minigrad.adjoint(minigrad.zeros(4, 2, 3)).shape
    torch.Size([4, 3, 2])
    """
    n = input._array.ndim
    if n < 2:
        if n == 0:
            return identity_of_number(input, "adjoint()", True)
        raise RuntimeError(f"tensor.adjoint() is only supported on matrices or batches of matrices. Got {n}-D tensor.")
    return conjugate_transpose(input)


class TransposeBackward1(TransposeBackward0):
    """In-place version of ``TransposeBackward0``."""
    aten_ = "transpose_.default"
_transpose_ = view_(TransposeBackward1)


class TBackward1(TBackward0):
    """In-place version of ``TBackward0``."""
_t_ = view_(TBackward1)


def transpose_(input, dim0, dim1):
    """In-place version of ``transpose``; returns the tensor.

    >>> import minigrad
    >>> minigrad.ones(2, 3).transpose_(0, 1).shape
    torch.Size([3, 2])
    """
    try:
        return _transpose_(input, as_int(dim0, "transpose_", "dim0", 1), as_int(dim1, "transpose_", "dim1", 2))
    except Exception:
        explain_failure(transpose_, input, dim0, dim1)
        raise


@composite
def swapdims_(input, dim0, dim1):
    """The same as ``transpose_``.

    >>> import minigrad
    >>> minigrad.ones(2, 3).swapdims_(0, 1).shape
    torch.Size([3, 2])
    """
    try:
        return transpose_(input, dim0, dim1)
    except Exception:
        explain_failure(swapdims_, input, dim0, dim1)
        raise


@composite
def swapaxes_(input, axis0, axis1):
    """The same as ``transpose_``.

    >>> import minigrad
    >>> minigrad.ones(2, 3).swapaxes_(0, 1).shape
    torch.Size([3, 2])
    """
    try:
        return transpose_(input, axis0, axis1)
    except Exception:
        explain_failure(swapaxes_, input, axis0, axis1)
        raise


def t_(input):
    """In-place version of ``t``; returns the tensor.

    >>> import minigrad
    >>> minigrad.tensor([[1, 2]]).t_()
    tensor([[1],
            [2]])
    """
    if input._array.ndim > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {input._array.ndim}D")
    return _t_(input)
