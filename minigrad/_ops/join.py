"""Joining and repeating: ``cat``, ``stack`` and their kin, ``repeat``, tensors broadcast against each other."""

import functools
import itertools
import operator
import warnings

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels.channels_last import is_channels_last, ordered_as
from .._base.argument_kinds import no_form
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.device import contiguous_format
from .._base.dtypes import can_cast, legacy_type_name, promote_types, scalar_type_name
from .._base.errors import axis as axis_of
from .._base.errors import check_sizes, either_name, integer, shape_text, type_name
from .._base.guards import explain
from .._base.size import Size
from .._core.families import General, Linear, Variadic, op, variadic
from .._core.tensor import Tensor, wrap
from .batches import aligned, along_result, everywhere
from .convert import clone
from .index_slices import index_select
from .masks import masked_select
from .padding import constant_pad
from .parts import ALL
from .shape import expand_to, flatten, reshape, unsqueeze, view
from .sizes import ints, sizes_of

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors",
    "cartesian_prod", "cat", "column_stack", "combinations", "concat", "concatenate", "dstack", "hstack",
    "meshgrid", "repeat_interleave", "row_stack", "stack", "tile", "vstack",
]
METHODS = "repeat repeat_interleave=repeat_interleave_method tile=tile_method"


def tensors_of(function, tensors):
    """A sequence of tensors as it is; raises TypeError for anything else."""
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(f"{function}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type_name(tensors)}")
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type_name(x)}")
    return tensors


# Along an axis, old or new -----------------------------------------------------------------------------------------------------


class CatBackward0(Variadic):
    """z = x₁, x₂, ... one after the other along an axis; each gets its part of g.  An x of shape (0,) is passed over."""
    def batch(call, xs, batched, params, size):
        (dim,) = params
        kept = [(x, b) for x, b in zip(xs, batched) if x._array.shape != ((size, 0) if b else (0,))]
        if not kept: return call(*[x if b else x.expand(size, 0) for x, b in zip(xs, batched)], 1)
        return call(*[x if b else x.expand(size, *x._array.shape) for x, b in kept], dim + 1)
    def forward(xs, dim):
        try:
            z = np.concatenate(xs, dim)
        except ValueError:
            xs = [x for x in xs if x.shape != (0,)]
            check_cat(xs, dim)
            z = np.concatenate(xs, dim)
        if z.flags.c_contiguous: return z
        return ordered_as(z, xs[0]) if all(is_channels_last(x) for x in xs) else z.copy("C")
    def vjp(xp, g, shapes, dim):
        before, at, outs = (ALL,) * dim, 0, []
        for shape in shapes:
            if len(shape) != g.ndim:
                outs.append(xp.zeros(shape, g))
                continue
            outs.append(g[(*before, slice(at, at + shape[dim]))])
            at += shape[dim]
        return outs
_cat = variadic(CatBackward0)


def check_cat(xs, dim):
    """Raise RuntimeError unless the arrays can be joined."""
    for i, x in enumerate(xs):
        if not x.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    first = xs[0]
    for i, x in enumerate(xs):
        if x.ndim != first.ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {first.ndim} and {x.ndim}")
        for d, (n, m) in enumerate(zip(first.shape, x.shape)):
            if n != m and d != dim:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size {n} but got size {m} for tensor "
                    f"number {i} in the list."
                )


def cat(tensors, dim=0, *, out=None, axis=None):
    """Concatenate tensors along a dimension; their other sizes must agree, and their dtypes promote.

    Raises RuntimeError if sizes differ, ValueError for an empty list.

    >>> import minigrad
    >>> minigrad.cat([minigrad.tensor([1, 2]), minigrad.tensor([3])])
    tensor([1, 2, 3])
    """
    if axis is not None:
        dim = axis
    if tensors.__class__ is not tuple and tensors.__class__ is not list:
        tensors_of("cat", tensors)
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    first = tensors[0]
    if not (first.__class__ is Tensor and dim.__class__ is int and 0 <= dim < first._array.ndim):
        dim = dim_of_cat(tensors, dim)
    return _cat(tensors, dim) if out is None else _cat.into(checked_out(out, tensors), tensors, dim)


def checked_out(out, tensors):
    """``out`` itself; raises TypeError if the tensors' common dtype cannot be written to it."""
    if isinstance(out, Tensor) and not can_cast(functools.reduce(promote_types, [x.dtype for x in tensors]), out.dtype):
        raise TypeError(f"torch.cat(): input types can't be cast to the desired output type {scalar_type_name(out.dtype)}")
    return out


def dim_of_cat(tensors, dim):
    """``dim`` as counted from the front in the first tensor that is not passed over."""
    tensors_of("cat", tensors)
    dim = integer(dim, "cat", "dim", 2)
    for i, x in enumerate(tensors):
        if not x._array.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
        if x._array.shape != (0,):
            return axis_of(dim, x._array.ndim)
    return 0


@composite
def concat(tensors, dim=0, *, out=None):
    """The same as ``cat``.

    >>> import minigrad
    >>> minigrad.concat([minigrad.tensor([1, 2]), minigrad.tensor([3])])
    tensor([1, 2, 3])
    """
    return cat(tensors, dim, out=out)


def concatenate(tensors, dim=0, *, out=None, axis=None):
    """The same as ``cat``.

    >>> import minigrad
    >>> minigrad.concatenate([minigrad.tensor([1, 2]), minigrad.tensor([3])])
    tensor([1, 2, 3])
    """
    return cat(tensors, dim, out=out, axis=axis)


class StackBackward0(Variadic):
    """z = x₁, x₂, ... side by side along a new axis."""
    names = {"axis": "dim"}
    batch = along_result("axis")
    def forward(xs, axis):
        shape = xs[0].shape
        for i, x in enumerate(xs):
            if x.shape != shape:
                raise RuntimeError(
                    f"stack expects each tensor to be equal size, but got {shape_text(shape)} at entry 0 and "
                    f"{shape_text(x.shape)} at entry {i}"
                )
        return arrays.stack(xs, axis)
    def vjp(xp, g, shapes, axis):
        before = (ALL,) * axis
        return [g[(*before, i, ...)] for i in range(len(shapes))]
_stack = variadic(StackBackward0)


def stack(tensors, dim=0, *, out=None, axis=None):
    """Stack tensors of one shape along a new dimension; their dtypes promote.

    Raises RuntimeError if shapes differ or the list is empty.

    >>> import minigrad
    >>> minigrad.stack([minigrad.tensor([1, 2]), minigrad.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    if tensors.__class__ is not list and tensors.__class__ is not tuple:
        tensors_of("stack", tensors)
    if axis is not None:
        dim = axis
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    if dim.__class__ is not int or dim < 0 or dim > 1:
        tensors_of("stack", tensors)
        dim = axis_of(integer(dim, "stack", "dim", 2), tensors[0]._array.ndim + 1)
    elif dim and tensors[0].__class__ is Tensor and not tensors[0]._array.ndim:
        axis_of(dim, 1)
    return _stack(tensors, dim) if out is None else _stack.into(checked_out(out, tensors), tensors, dim)


def _atleast(n, grow):
    name = f"atleast_{n}d"

    def function(*tensors):
        if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
            tensors = tensors[0]
        elif len(tensors) == 1:
            (x,) = tensors
            if not isinstance(x, Tensor):
                raise TypeError(
                    f"{name}() received an invalid combination of arguments - got ({type_name(x)}), but expected one of:\n"
                    f" * (Tensor input)\n      didn't match because some of the arguments have invalid types: (!{type_name(x)}!)\n"
                    f" * (tuple of Tensors tensors)\n      didn't match because some of the arguments have invalid types: "
                    f"(!{type_name(x)}!)\n"
                )
            return x if x._array.ndim >= n else grow(x)
        return tuple([x if x._array.ndim >= n else grow(x) for x in tensors_of(name, tensors)])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return the tensor, or each of several in a tuple, with at least {n} dimension{"s" * (n > 1)}: itself, or a view.

    >>> import minigrad
    >>> minigrad.{name}(minigrad.tensor(1)).shape
    torch.Size([{", ".join("1" * n)}])
    """
    return function


def _grow_2(x):
    return unsqueeze(x, 0) if x._array.ndim else view(x, 1, 1)


def _grow_3(x):
    ndim = x._array.ndim
    return unsqueeze(x, -1) if ndim == 2 else unsqueeze(unsqueeze(x, 0), -1) if ndim else view(x, 1, 1, 1)


atleast_1d = _atleast(1, lambda x: view(x, 1))
atleast_2d = _atleast(2, _grow_2)
atleast_3d = _atleast(3, _grow_3)


def _stacking(name, prepare, dim_of, says, example, shown):
    def function(tensors, *, out=None):
        tensors_of(name, tensors)
        if not tensors:
            raise RuntimeError(f"{name} expects a non-empty TensorList")
        tensors = [prepare(x) for x in tensors]
        return cat(tensors, dim_of(tensors[0]), out=out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{says}

    >>> import minigrad
    >>> minigrad.{name}([minigrad.tensor({example[0]}), minigrad.tensor({example[1]})])
    {shown}
    """
    return composite(function)


hstack = _stacking(
    "hstack", atleast_1d, lambda x: 0 if x._array.ndim == 1 else 1,
    "Join tensors along the second dimension, vectors along the first.", ("[1]", "[2]"), "tensor([1, 2])",
)
vstack = _stacking(
    "vstack", atleast_2d, lambda x: 0,
    "Join tensors along the first dimension, as rows if they are vectors.", ("[1]", "[2]"), "tensor([[1],\n            [2]])",
)
dstack = _stacking(
    "dstack", atleast_3d, lambda x: 2,
    "Join tensors along the third dimension.", ("[1]", "[2]"), "tensor([[[1, 2]]])",
)
column_stack = _stacking(
    "column_stack", lambda x: x if x._array.ndim > 1 else reshape(x, (x._array.size, 1)), lambda x: 1,
    "Join tensors along the second dimension, as columns if they are vectors.", ("[1, 2]", "[3, 4]"),
    "tensor([[1, 3],\n            [2, 4]])",
)


def row_stack(tensors, *, out=None):
    """The same as ``vstack``.

    >>> import minigrad
    >>> minigrad.row_stack([minigrad.tensor([1, 2]), minigrad.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return vstack(tensors, out=out)


class BlockDiagBackward0(Variadic):
    """z = zeros with x₁, x₂, ... as blocks along the diagonal; a vector is a row."""
    def batch(call, xs, batched, params, size):
        xs = [x.reshape(size, *(1,) * (3 - x.ndim), *x.shape[1:]) for x in everywhere(xs, batched, size)]
        before, whole, rows = 0, sum([x.shape[2] for x in xs]), []
        for x in xs:
            rows.append(constant_pad(x, (before, whole - before - x.shape[2]), 0))
            before += x.shape[2]
        return cat(rows, 1)
    def forward(xs):
        xs = [x.reshape((1,) * (2 - x.ndim) + x.shape) for x in xs]
        z = np.zeros((sum(x.shape[0] for x in xs), sum(x.shape[1] for x in xs)), xs[0].dtype)
        row = column = 0
        for x in xs:
            n, m = x.shape
            z[row : row + n, column : column + m] = x
            row, column = row + n, column + m
        return z
    def vjp(xp, g, shapes):
        row = column = 0
        outs = []
        for shape in shapes:
            n, m = (1,) * (2 - len(shape)) + shape
            outs.append(xp.reshape(g[row : row + n, column : column + m], shape))
            row, column = row + n, column + m
        return outs
_block_diag = variadic(BlockDiagBackward0)


def block_diag(*tensors):
    """Return a matrix of zeros with the tensors, of at most two dimensions, as blocks along its diagonal.

    Raises RuntimeError for a tensor of more dimensions.

    >>> import minigrad
    >>> minigrad.block_diag(minigrad.tensor([[1, 2]]), minigrad.tensor(3))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
    tensors_of("block_diag", tensors)
    if not tensors:
        return wrap(np.zeros((1, 0), np.float32))
    for i, x in enumerate(tensors):
        if x._array.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {x._array.ndim} dimensions"
            )
    return _block_diag(tensors)


# Repeating -----------------------------------------------------------------------------------------------------------------------


def interleaved(shape, repeats):
    """A shape with the number of repetitions before each size; sizes of one lead where there are more repetitions."""
    shape = (1,) * (len(repeats) - len(shape)) + shape
    return tuple([n for pair in zip(repeats, shape) for n in pair])


class RepeatBackward0(Linear):
    """z = x repeated along each axis, and along new ones in front."""
    def batch(call, xs, batched, params, size): return call(aligned(xs[0], True, len(params[0])), (1, *params[0]))
    def forward(x, repeats):
        shape = interleaved(x.shape, repeats)
        z = np.empty(shape, x.dtype)
        z[...] = x.reshape([1 if i % 2 == 0 else n for i, n in enumerate(shape)])
        return z.reshape([n * m for n, m in zip(shape[::2], shape[1::2])])
    def vjp(xp, g, shape, repeats):
        if not repeats:
            return g
        g = xp.sum(xp.reshape(g, interleaved(shape, repeats)), tuple(range(0, 2 * len(repeats), 2)))
        return xp.reshape(g, shape)
_repeat = op(RepeatBackward0)


def repeat(input, *given, repeats=None):
    """Return a copy repeated the given number of times along each dimension, and along new leading dimensions.

    Raises RuntimeError for fewer numbers than dimensions, or a negative one.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    try:
        return repeated(input, sizes_of("repeat", "repeats", given, repeats))
    except Exception as error:
        explain(repeat, {"input": input, "*repeats": given} | ({} if repeats is None else {"repeats": repeats}), error)
        raise


def repeated(input, repeats):
    """``input`` repeated as a tuple of ints says."""
    shape = input._array.shape
    if len(repeats) < len(shape):
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    if min(repeats, default=0) < 0:
        sizes = [r * n for r, n in zip(repeats, (1,) * (len(repeats) - len(shape)) + shape)]
        least = min(sizes, default=0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {least}: {shape_text(sizes)}")
    return _repeat(input, repeats)


@composite
def tile(input, dims):
    """Repeat a tensor as ``input.repeat`` does, but with missing leading numbers taken as 1.

    >>> import minigrad
    >>> minigrad.tile(minigrad.tensor([[1], [2]]), (2,))
    tensor([[1, 1],
            [2, 2]])
    """
    if not isinstance(dims, (tuple, list)):
        raise TypeError(f"tile(): argument 'dims' (position 2) must be tuple of ints, not {type_name(dims)}")
    dims = ints("tile", "dims", dims)
    return repeated(input, (1,) * (input._array.ndim - len(dims)) + dims)


@composite("tile")
def tile_method(input, *given, dims=None):
    """Repeat a tensor as ``tile`` does; the numbers may be separate arguments.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).tile(2)
    tensor([1, 2, 1, 2])
    """
    return tile(input, sizes_of("tile", "dims", given, dims))


@composite
def repeat_interleave(input=None, repeats=None, dim=None, *, output_size=None, axis=None):
    """Repeat each element (or slice along ``dim``) the same number of times, or as often as a tensor of integers says.

    Without ``dim`` the tensor is flattened. Given ``repeats`` only, returns each index that many times. Raises RuntimeError for a
    negative number, or if ``repeats`` does not fit the dimension.

    >>> import minigrad
    >>> minigrad.repeat_interleave(minigrad.tensor([1, 2]), minigrad.tensor([1, 3]))
    tensor([1, 2, 2, 2])
    """
    if axis is not None:
        dim = either_name("repeat_interleave", dim, axis)
    if input is None or repeats is None:
        if dim is not None:
            raise no_form("repeat_interleave", {"repeats": repeats if input is None else input, "dim": dim})
        return _indices_repeated(repeats if input is None else input, output_size)
    if not isinstance(repeats, Tensor) and not hasattr(repeats, "__index__"):
        given = ", ".join(type_name(v) for v in (repeats, dim) if v is not None)
        raise TypeError(
            f"repeat_interleave() received an invalid combination of arguments - got ({given}), but expected one of:\n"
            " * (Tensor repeats, int dim = None, *, int output_size = None)\n"
            " * (int repeats, int dim = None, *, int output_size = None)\n"
        )
    if dim is None:
        input, dim = flatten(input), 0
    if not isinstance(repeats, Tensor):
        return repeated_in_place(input, operator.index(repeats), dim, output_size)
    r = repeats._array
    n = input._array.shape
    if r.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    dim = axis_of(dim, len(n))
    n = n[dim] if n else 1
    if r.size == 1:
        repeats = repeats.expand(n)
    elif r.size != n:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{r.size} and input.size({dim}) = {n}"
        )
    return index_select(input, dim, _indices_repeated(repeats, output_size))


def repeat_interleave_method(input, repeats, dim=None, *, output_size=None, axis=None):
    """The same as ``repeat_interleave``.

    >>> import minigrad
    >>> minigrad.tensor([1, 2]).repeat_interleave(2)
    tensor([1, 1, 2, 2])
    """
    if repeats is None:
        raise no_form("repeat_interleave", {"repeats": repeats})
    return repeat_interleave(input, repeats, dim, output_size=output_size, axis=axis)


def indices_repeated(r, output_size):
    """Each index as many times as ``r`` says."""
    if r.dtype.kind not in "iu" or r.dtype.itemsize < 4:
        raise NotImplementedError(f"\"repeat_interleave_cpu\" not implemented for '{legacy_type_name(r.dtype)[6:-6]}'")
    if r.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if r.size and r.min() < 0:
        raise RuntimeError("repeats can not be negative")
    found = np.repeat(np.arange(r.size), r)
    if output_size is not None and output_size != found.size:
        raise RuntimeError("allocated size does not match required size")
    return found.astype(r.dtype, copy=False)


class RepeatInterleave(General):
    """Each index as many times as x says; all samples are to have as many."""
    operands, public, sized_by = "x", "repeat_interleave", 0
    def forward(x, output_size): return indices_repeated(x, output_size)
_indices_repeated = op(RepeatInterleave)


def repeated_in_place(input, repeats, dim, output_size):
    """Each slice along ``dim`` repeated a number of times: expanded along a new dimension, which is then joined to the old."""
    shape = input._array.shape
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    dim = axis_of(dim, len(shape))
    if not shape:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    n = shape[dim] * repeats
    if output_size is not None and output_size != n:
        raise RuntimeError(f"repeat_interleave: Invalid output_size, expected {n} but got {output_size}")
    spread = expand_to(unsqueeze(input, dim + 1), (*shape[: dim + 1], repeats, *shape[dim + 1 :]))
    return view(clone(spread, memory_format=contiguous_format), *shape[:dim], n, *shape[dim + 1 :])


# Against each other ----------------------------------------------------------------------------------------------------------------


def broadcast_shapes(*shapes):
    """Return the shape that tensors of these shapes (tuples or ints) broadcast to; raises RuntimeError if they do not.

    >>> import minigrad
    >>> minigrad.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    for shape in shapes:
        if not isinstance(shape, int | tuple | list):
            raise RuntimeError(f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {shape}")
    tuples = [(shape,) if isinstance(shape, int) else shape for shape in shapes]
    for shape in tuples:
        for n in shape:
            if not hasattr(n, "__index__"):
                raise RuntimeError(f"Attempting to broadcast a dimension of length {n}: sizes are ints")
    whole = [1] * max(map(len, tuples), default=0)
    for nr, shape in enumerate(tuples):
        for back in range(1, len(shape) + 1):
            n = shape[-back]
            if n != 1 and n != whole[-back]:
                if n < 0 and whole[-back] == 1:
                    raise ValueError("Attempting to broadcast a dimension with negative length!")
                if whole[-back] != 1:
                    raise RuntimeError(
                        f"Attempting to broadcast a dimension of length {n} at {-back}! Mismatching argument at index {nr} had "
                        f"{shape}; but expected shape should be broadcastable to {whole}"
                    )
                whole[-back] = n
    return Size(whole)


@composite
def broadcast_tensors(*tensors):
    """Return the tensors expanded to the shape that they broadcast to, as a tuple; raises RuntimeError if they do not.

    >>> import minigrad
    >>> minigrad.broadcast_tensors(minigrad.tensor([1, 2]), minigrad.tensor([[3]]))
    (tensor([[1, 2]]), tensor([[3, 3]]))
    """
    tensors_of("broadcast_tensors", tensors)
    shape = tensors[0]._array.shape if tensors else ()
    if all(x._array.shape == shape for x in tensors):
        return tuple(tensors)
    for x in tensors:
        check_sizes(shape, x._array.shape)
        shape = np.broadcast_shapes(shape, x._array.shape)
    return tuple([x if x._array.shape == shape else expand_to(x, shape) for x in tensors])


@composite
def meshgrid(*tensors, indexing=None):
    """Expand vectors to a grid, as views: result k varies along dimension k (``"ij"``; the first two are exchanged for ``"xy"``).

    Raises RuntimeError for tensors of more than one dimension or of several dtypes.

    >>> import minigrad
    >>> minigrad.meshgrid(minigrad.tensor([1, 2]), minigrad.tensor([3, 4, 5]), indexing="ij")[0]
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    tensors_of("meshgrid", tensors)
    if indexing is not None and not isinstance(indexing, str):
        raise TypeError(f"meshgrid(): argument 'indexing' must be str, not {type_name(indexing)}")
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for x in tensors:
        if x.dtype is not tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing is None:
        warnings.warn(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.", stacklevel=level_of_user()
        )
    elif indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    exchanged = indexing == "xy" and len(tensors) > 1
    if exchanged:
        tensors = (tensors[1], tensors[0], *tensors[2:])
    for x in tensors:
        if x._array.ndim > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {x}")
    n = len(tensors)
    shape = tuple([x._array.size for x in tensors])
    grids = [expand_to(view(x, *(-1 if i == k else 1 for i in range(n))), shape) for k, x in enumerate(tensors)]
    if exchanged:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def check_vector(x):
    """Raise RuntimeError unless ``x`` has one dimension."""
    if x._array.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {shape_text(x._array.shape)}")


@composite
def cartesian_prod(*tensors):
    """Return the Cartesian product of vectors, as the rows of a matrix; a single vector is returned unchanged.

    >>> import minigrad
    >>> minigrad.cartesian_prod(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    for x in tensors_of("cartesian_prod", tensors):
        check_vector(x)
    if len(tensors) == 1:
        return tensors[0]
    return stack([flatten(x) for x in meshgrid(*tensors, indexing="ij")], 1)


@composite
def combinations(input, r=2, with_replacement=False):
    """Return all combinations of ``r`` elements of a vector, as the rows of a matrix; with or without replacement.

    >>> import minigrad
    >>> minigrad.combinations(minigrad.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    check_vector(input)
    r = integer(r, "combinations", "r", 2)
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return wrap(np.empty(0, input._array.dtype))
    n = input._array.size
    places = np.indices((n,) * r, sparse=True)
    chosen = np.ones((n,) * r, np.bool_)
    for before, after in itertools.pairwise(places):
        chosen &= before <= after if with_replacement else before < after
    mask = wrap(chosen)
    return stack([masked_select(x, mask) for x in meshgrid(*(input,) * r, indexing="ij")], 1)
