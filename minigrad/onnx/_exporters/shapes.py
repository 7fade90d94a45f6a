"""Shapes, views, joining and cutting, dtypes."""

import itertools
import math
from typing import Any

from ... import _api
from ..._base import dtypes
from .._builder import Builder, Size, Value
from ._common import (
    axis_of,
    counted,
    fixed,
    greatest,
    least,
    places_of_windows,
    promoted,
    refuse,
    result_dtype,
    result_shape,
    several,
    varargs,
)
from ._registry import exporter

# The elements in another shape -----------------------------------------------------------------------------------------------


@exporter("view", "reshape")
def reshape(g: Builder, input: Value, *shape: Any, dtype: Any = None) -> Value:
    shape = shape or ((dtype,) if dtype is not None else ())
    if len(shape) == 1 and isinstance(shape[0], _api.dtype):
        raise refuse("view(dtype)")
    return g.reshape(input, _resolved(g, varargs(shape)))


def _resolved(g, shape):
    """The shape as the program gave it, with -1 in the place of a size that is not known otherwise."""
    return [-1 if isinstance(x, Size) and x.expression is None and -1 not in shape else x for x in shape]


@exporter("view_as", "reshape_as")
def view_as(g: Builder, input: Value, other: Value) -> Value:
    return g.op("Reshape", input, g.shape_of(other))


@exporter("flatten", "ravel")
def flatten(g: Builder, input: Value, start_dim: int = 0, end_dim: int = -1) -> Value:
    if not input.shape:
        return g.op("Reshape", input, g.ints([1]))
    start, end = axis_of(input, start_dim), axis_of(input, end_dim)
    rank = len(input.shape)
    if start == end:
        return input
    if start == 1 and end == rank - 1:
        return g.op("Flatten", input, axis=1)
    if not any(x == 0 for x in input.shape[:start]):
        # 0 stands for the size that is there
        sizes = [0] * start + [-1] + [*input.shape[end + 1 :]]
        if not any(isinstance(x, Size) or x == 0 for x in sizes[start + 1 :]):
            return g.op("Reshape", input, g.ints(sizes))
    return g.reshape(input, result_shape(g))


@exporter("unflatten")
def unflatten(g: Builder, input: Value, dim: int, sizes: Any) -> Value:
    axis = axis_of(input, dim)
    return g.reshape(input, [*input.shape[:axis], *sizes, *input.shape[axis + 1 :]])


@exporter("squeeze")
def squeeze(g: Builder, input: Value, dim: Any = None) -> Value:
    if not input.shape:
        return input
    if dim is None:
        axes = [i for i, size in enumerate(input.shape) if size == 1]
    else:
        wanted = dim if isinstance(dim, (tuple, list)) else [dim]
        axes = [a for a in (axis_of(input, d) for d in wanted) if input.shape[a] == 1]
    return g.squeeze(input, *axes) if axes else input


@exporter("unsqueeze")
def unsqueeze(g: Builder, input: Value, dim: int) -> Value:
    return g.unsqueeze(input, dim % (len(input.shape) + 1))


@exporter("atleast_1d", "atleast_2d", "atleast_3d")
def atleast(g: Builder, input: Value) -> Value:
    return g.reshape(input, result_shape(g))


@exporter(
    "contiguous",
    "detach",
    "clone",
    "alias",
    "requires_grad_",
    "resolve_conj",
    "resolve_neg",
    "cpu",
    "lift_fresh",
)
def same(g: Builder, input: Value, *, memory_format: Any = None) -> Value:
    return input


@exporter("data")
def data(g: Builder, input: Value, property: str = "data") -> Value:
    return input


# The dimensions in another order ---------------------------------------------------------------------------------------------


def order_of(name: str, rank: int, args: Any, kwargs: Any) -> list[int]:
    """The order of dimensions in which an operator leaves a tensor of ``rank`` dimensions."""
    order = [*range(rank)]
    if name in ("T", "t"):
        return order[::-1]
    if name == "mT":
        args = (-1, -2)
        name = "transpose"
    if name == "permute":
        return [d % rank for d in varargs((kwargs.get("dims", None) and [kwargs["dims"]]) or args)]
    if name in ("transpose", "swapaxes", "swapdims"):
        first, second = [*args, *kwargs.values()][:2]
        if rank:
            order[first], order[second] = order[second], order[first]
        return order
    source, destination = [*args, *kwargs.values()][:2]  # movedim
    source, destination = (
        [x % rank for x in (s if isinstance(s, (tuple, list)) else [s])] for s in (source, destination)
    )
    rest = iter([x for x in order if x not in source])
    return [source[destination.index(i)] if i in destination else next(rest) for i in order]


def _register_order(name):
    @exporter(name)
    def ordered(g, input, *args, **kwargs):
        args = [a for a in args if a != name]
        return g.transpose(input, order_of(name, len(input.shape), args, kwargs))


for _name in ("T", "mT", "t", "permute", "transpose", "swapaxes", "swapdims"):
    _register_order(_name)


@exporter("movedim", "moveaxis")
def movedim(g: Builder, input: Value, source: Any, destination: Any) -> Value:
    return g.transpose(input, order_of("movedim", len(input.shape), (source, destination), {}))


@exporter("flip", "fliplr", "flipud")
def flip(g: Builder, input: Value, *dims: Any) -> Value:
    axes = {"aten::fliplr": [1], "aten::flipud": [0]}.get(g.operator) or [
        axis_of(input, d) for d in varargs(dims)
    ]
    count = len(axes)
    return g.op(
        "Slice", input, g.ints([-1] * count), g.ints([-(2**62)] * count), g.ints(axes), g.ints([-1] * count)
    )


@exporter("roll")
def roll(g: Builder, input: Value, shifts: Any, dims: Any = None) -> Value:
    if dims is None or dims == ():
        flat = g.op("Reshape", input, g.ints([-1]))
        rolled = _rolled(g, flat, several(shifts, 1)[0], 0, numel(input.shape))
        return g.op("Reshape", rolled, g.shape_of(input))
    shifts, dims = ([*x] if isinstance(x, (tuple, list)) else [x] for x in (shifts, dims))
    for shift, dim in zip(shifts, dims, strict=True):
        axis = axis_of(input, dim)
        rolled = _rolled(g, input, shift, axis, input.shape[axis])
        input = Value(rolled.name, input.dtype, input.shape)
    return input


def _rolled(g, x, shift, axis, size):
    """A dimension of this size whose last ``shift`` elements come first."""
    if isinstance(size, Size) or isinstance(shift, Size):
        length = g.constant(size, dtypes.int64)
        turn = g.op("Mod", g.constant(shift, dtypes.int64), g.op("Max", length, 1))
        cut = g.op("Sub", length, turn)
    elif size == 0 or shift % size == 0:
        return x
    else:
        cut = size - shift % size
    return g.op("Concat", g.slice(x, axis, cut, 2**62), g.slice(x, axis, 0, cut), axis=axis)


@exporter("rot90")
def rot90(g: Builder, input: Value, k: int = 1, dims: Any = (0, 1)) -> Value:
    first, second = (axis_of(input, d) for d in dims)
    order = [*range(len(input.shape))]
    order[first], order[second] = order[second], order[first]
    back, far = g.ints([-1]), g.ints([-(2**62)])
    if k % 4 == 0:
        return input
    if k % 4 == 2:
        once = g.op("Slice", input, back, far, g.ints([first]), back)
        return g.op("Slice", once, back, far, g.ints([second]), back)
    turned = g.op("Slice", input, back, far, g.ints([second if k % 4 == 1 else first]), back)
    return g.transpose(turned, order)


@exporter("diff")
def diff(
    g: Builder, input: Value, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None
) -> Value:
    axis = axis_of(input, dim)
    parts = [x for x in (prepend, input, append) if x is not None]
    x = g.op("Concat", *parts, axis=axis) if len(parts) > 1 else input
    for _ in range(n):
        x = g.op("Sub", g.slice(x, axis, 1, 2**62), g.slice(x, axis, 0, -1))
    return x


# Repeated ----------------------------------------------------------------------------------------------------------------


@exporter("expand", "broadcast_to")
def expand(g: Builder, input: Value, *size: Any, implicit: bool = False) -> Value:
    return g.op(
        "Expand", input, g.ints([1 if not isinstance(x, Size) and x == -1 else x for x in varargs(size)])
    )


@exporter("expand_as")
def expand_as(g: Builder, input: Value, other: Value) -> Value:
    return g.op("Expand", input, g.shape_of(other))


@exporter("repeat", "tile")
def repeat(g: Builder, input: Value, *repeats: Any, dims: Any = None) -> Value:
    counts = varargs(repeats or (dims,))
    rank = len(input.shape)
    counts = [1] * (rank - len(counts)) + counts
    if len(counts) > rank:
        input = g.unsqueeze(input, *range(len(counts) - rank))
    return g.op("Tile", input, g.ints(counts))


@exporter("repeat_interleave")
def repeat_interleave(
    g: Builder, input: Value, repeats: Any, dim: Any = None, *, output_size: Any = None
) -> Value:
    if isinstance(repeats, Value):
        raise refuse("repeat_interleave with a tensor of counts")
    if dim is None:
        input = Value(
            g.op("Reshape", input, g.ints([-1])).name, input.dtype, (result_shape(g)[0] // repeats,)
        )
        dim = 0
    axis = axis_of(input, dim)
    counts = [1] * (len(input.shape) + 1)
    counts[axis + 1] = repeats
    return g.reshape(g.op("Tile", g.unsqueeze(input, axis + 1), g.ints(counts)), result_shape(g))


@exporter("broadcast_tensors")
def broadcast_tensors(g: Builder, *tensors: Any) -> Any:
    every = varargs(tensors)
    shape = g.shape_of(every[0])
    total = every[0]
    for each in every[1:]:  # the shape of a sum is that of all
        total = g.op("Add", g.cast(total, dtypes.float32), g.cast(each, dtypes.float32))
        shape = g.shape_of(total)
    return tuple([g.op("Expand", each, shape) for each in every])


@exporter("meshgrid")
def meshgrid(g: Builder, *tensors: Any, indexing: str | None = None) -> Any:
    every = varargs(tensors)
    count = len(every)
    swapped = indexing == "xy" and count > 1
    order = [1, 0, *range(2, count)] if swapped else [*range(count)]
    sizes = [every[i].shape[0] if every[i].shape else 1 for i in order]
    found = []
    for number, each in enumerate(every):
        place = order.index(number)
        shape = [-1 if i == place else 1 for i in range(count)]
        found.append(g.op("Expand", g.op("Reshape", each, g.ints(shape)), g.ints(sizes)))
    return tuple(found)


# Joined and cut -----------------------------------------------------------------------------------------------------------


@exporter("cat", "concat", "concatenate")
def cat(g: Builder, tensors: Any, dim: int = 0) -> Value:
    dtype = promoted(*tensors)
    parts = [x for x in tensors if not (len(x.shape) == 1 and x.shape[0] == 0 and len(result_shape(g)) != 1)]
    return g.op("Concat", *[g.cast(x, dtype) for x in parts], axis=axis_of(parts[0], dim), dtype=dtype)


@exporter("stack")
def stack(g: Builder, tensors: Any, dim: int = 0) -> Value:
    axis = dim % (len(tensors[0].shape) + 1)
    dtype = promoted(*tensors)
    return g.op("Concat", *[g.unsqueeze(g.cast(x, dtype), axis) for x in tensors], axis=axis, dtype=dtype)


@exporter("hstack", "column_stack")
def hstack(g: Builder, tensors: Any) -> Value:
    if g.operator == "aten::column_stack":
        tensors = [
            Value(g.unsqueeze(x, 1).name, x.dtype, (*x.shape, 1)) if len(x.shape) == 1 else x for x in tensors
        ]
    return cat(g, tensors, 0 if len(tensors[0].shape) == 1 else 1)


@exporter("vstack", "row_stack")
def vstack(g: Builder, tensors: Any) -> Value:
    rows = [
        Value(g.unsqueeze(x, 0).name, x.dtype, (1, *x.shape)) if len(x.shape) == 1 else x for x in tensors
    ]
    return cat(g, rows, 0)


@exporter("dstack")
def dstack(g: Builder, tensors: Any) -> Value:
    return cat(g, [_at_least_3d(g, x) for x in tensors], 2)


def _at_least_3d(g, x):
    shape = (1, *x.shape, 1) if len(x.shape) == 1 else (*[1] * (2 - len(x.shape)), *x.shape, 1)
    return x if len(x.shape) > 2 else Value(g.reshape(x, shape).name, x.dtype, shape)


@exporter("cartesian_prod")
def cartesian_prod(g: Builder, *tensors: Any) -> Value:
    every = varargs(tensors)
    if len(every) == 1:
        return every[0]
    columns = [g.op("Reshape", x, g.ints([-1, 1])) for x in meshgrid(g, every, indexing="ij")]
    return g.op("Concat", *columns, axis=1)


@exporter("block_diag")
def block_diag(g: Builder, *tensors: Any) -> Value:
    every = varargs(tensors)
    dtype = promoted(*every)
    shapes = [(*[1] * (2 - len(x.shape)), *x.shape) for x in every]
    total = result_shape(g)[1]
    rows, before = [], 0
    for x, shape in zip(every, shapes):
        block = x if len(x.shape) == 2 else g.reshape(x, shape)
        after = total - (shape[1] + before)
        rows.append(g.op("Pad", g.cast(block, dtype), g.ints([0, before, 0, after]), g.constant(0, dtype)))
        before = shape[1] + before
    return g.op("Concat", *rows, axis=0, dtype=dtype)


@exporter("hsplit", "vsplit", "dsplit")
def split_along(g: Builder, input: Value, indices_or_sections: Any) -> Any:
    axis = {"vsplit": 0, "dsplit": 2}.get(g.operator.rpartition(":")[2], min(1, len(input.shape) - 1))
    return tensor_split(g, input, indices_or_sections, axis)


@exporter("split_with_sizes", "unsafe_split_with_sizes")
def split_with_sizes(g: Builder, input: Value, split_sizes: Any, dim: int = 0) -> Any:
    return split(g, input, split_sizes, dim)


@exporter("split", "unsafe_split")
def split(
    g: Builder, tensor: Value, split_size_or_sections: Any = None, dim: int = 0, split_size: Any = None
) -> Any:
    axis = axis_of(tensor, dim)
    split_size_or_sections = split_size if split_size_or_sections is None else split_size_or_sections
    if isinstance(split_size_or_sections, (tuple, list)):
        return g.split(tensor, [*split_size_or_sections], axis)
    size = tensor.shape[axis]
    if isinstance(size, Size) or isinstance(split_size_or_sections, Size):
        example = size.values_of_runs[0] if isinstance(size, Size) else size
        step = split_size_or_sections
        count = -(-example // (step.values_of_runs[0] if isinstance(step, Size) else step))
        starts = [step * i for i in range(count)]
        return tuple([g.slice(tensor, axis, start, step * (i + 1)) for i, start in enumerate(starts)])
    step = split_size_or_sections
    return g.split(tensor, [min(step, size - start) for start in range(0, size, step)], axis)


@exporter("chunk", "unsafe_chunk")
def chunk(g: Builder, input: Value, chunks: int, dim: int = 0) -> Any:
    axis = axis_of(input, dim)
    size = input.shape[axis]
    return split(g, input, greatest((size + chunks - 1) // chunks, 1), dim)


@exporter("tensor_split")
def tensor_split(g: Builder, input: Value, indices_or_sections: Any, dim: int = 0) -> Any:
    axis = axis_of(input, dim)
    if isinstance(indices_or_sections, int):
        size, count = input.shape[axis], indices_or_sections
        more = size - size // count * count  # this many parts have one element more
        bounds = [size // count * i + least(more, i) for i in range(count + 1)]
        if isinstance(size, int):
            return g.split(input, [b - a for a, b in itertools.pairwise(bounds)], axis)
    else:
        bounds = [0, *indices_or_sections, 2**62]
    return tuple([g.slice(input, axis, a, b) for a, b in itertools.pairwise(bounds)])


@exporter("unbind", "__iter__")
def unbind(g: Builder, input: Value, dim: int = 0) -> Any:
    axis = axis_of(input, dim)
    (size,) = fixed(g, input, axis)
    return tuple([g.squeeze(part, axis) for part in g.split(input, [1] * size, axis)])


@exporter("unfold")
def unfold(g: Builder, input: Value, dimension: Any, size: Any, step: Any) -> Value:
    """Windows of a dimension, as a new last one: the elements at start + offset."""
    axis = axis_of(input, dimension)
    places, _ = places_of_windows(g, input.shape[axis], size, step)
    found = g.op("Gather", input, places, axis=axis)
    rank = len(input.shape) + 1
    order = [i for i in range(rank) if i != axis + 1] + [axis + 1]
    return g.transpose(found, order)


# Padded ------------------------------------------------------------------------------------------------------------------


@exporter("pad")
def pad(g: Builder, input: Value, pad: Any, mode: str = "constant", value: Any = None) -> Value:
    rank = len(input.shape)
    kinds = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    before, after = [0] * rank, [0] * rank
    for number in range(len(pad) // 2):
        before[rank - 1 - number], after[rank - 1 - number] = pad[2 * number], pad[2 * number + 1]
    for axis in range(rank):  # a negative number takes away
        less = [x if isinstance(x, int) and x < 0 else 0 for x in (before[axis], after[axis])]
        if any(less):
            cut = g.slice(input, axis, -less[0], less[1] or 2**62)
            shape = [*input.shape]
            shape[axis] = shape[axis] + sum(less)
            input = Value(cut.name, input.dtype, tuple(shape))
            before[axis], after[axis] = before[axis] - less[0], after[axis] - less[1]
    if mode == "circular" and g.opset < 19:
        for axis in range(rank):
            parts = [g.slice(input, axis, -before[axis], 2**62)] if before[axis] else []
            parts.append(input)
            parts += [g.slice(input, axis, 0, after[axis])] if after[axis] else []
            made = g.op("Concat", *parts, axis=axis) if len(parts) > 1 else input
            input = Value(made.name, input.dtype, input.shape)
        return input
    filled = g.constant(value or 0, input.dtype) if mode == "constant" else None
    numbers = g.cast(input, dtypes.int32) if input.dtype is dtypes.bool_ else input
    if numbers is not input:
        filled = g.constant(int(value or 0), dtypes.int32)
    return g.cast(g.op("Pad", numbers, g.ints(before + after), filled, mode=kinds[mode]), input.dtype)


# Parts with a diagonal ---------------------------------------------------------------------------------------------------------


def _triangle(g, input, diagonal, upper):
    numbers = g.cast(input, dtypes.int32) if input.dtype is dtypes.bool_ else input
    return g.cast(g.op("Trilu", numbers, g.constant(diagonal, dtypes.int64), upper=upper), input.dtype)


@exporter("tril")
def tril(g: Builder, input: Value, diagonal: int = 0) -> Value:
    return _triangle(g, input, diagonal, 0)


@exporter("triu")
def triu(g: Builder, input: Value, diagonal: int = 0) -> Value:
    return _triangle(g, input, diagonal, 1)


@exporter("diagonal")
def _diagonal(g: Builder, input: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    first, second = axis_of(input, dim1), axis_of(input, dim2)
    rows, columns = input.shape[first], input.shape[second]
    rank = len(input.shape)
    order = [i for i in range(rank) if i not in (first, second)]
    count = greatest(least(rows + min(offset, 0), columns - max(offset, 0)), 0)
    places = g.op("Mul", counted(g, count), g.op("Add", g.constant(columns, dtypes.int64), 1))
    places = g.op("Add", places, g.constant(columns * max(-offset, 0) + max(offset, 0), dtypes.int64))
    last = g.transpose(input, [*order, first, second])
    flat = g.reshape(last, [*[input.shape[i] for i in order], rows * columns])
    return g.op("Gather", flat, places, axis=rank - 2)


def on_diagonal(g: Builder, rows: Any, columns: Any, offset: int = 0) -> Value:
    """Which elements of a matrix are on a diagonal."""
    moved = g.op("Add", counted(g, rows), offset) if offset else counted(g, rows)
    return g.op("Equal", g.unsqueeze(moved, 1), counted(g, columns), dtype=dtypes.bool_)


@exporter("fill_diagonal")
def fill_diagonal(g: Builder, input: Value, fill_value: Any, wrap: bool = False) -> Value:
    if len(input.shape) > 2:
        raise refuse("fill_diagonal_ of more than two dimensions")
    rows, columns = input.shape
    chosen = on_diagonal(g, rows, columns)
    if wrap:  # the diagonal begins anew below a row without an element of it
        below = g.op("Add", g.constant(columns, dtypes.int64), 1)
        again = g.unsqueeze(g.op("Mod", counted(g, rows), below), 1)
        chosen = g.op("Equal", again, counted(g, columns), dtype=dtypes.bool_)
    return g.where(chosen, g.constant(fill_value, input.dtype), input)


@exporter("diag")
def diag(g: Builder, input: Value, diagonal: int = 0) -> Value:
    if len(input.shape) == 2:
        return _diagonal(g, input, diagonal)
    return diag_embed(g, input, diagonal)


@exporter("diagflat")
def diagflat(g: Builder, input: Value, offset: int = 0) -> Value:
    flat = g.op("Reshape", input, g.ints([-1]))
    return diag_embed(g, Value(flat.name, input.dtype, (numel(input.shape),)), offset)


@exporter("diag_embed")
def diag_embed(g: Builder, input: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    rank, size = len(input.shape) + 1, input.shape[-1]
    above, left = max(-offset, 0), max(offset, 0)
    on_it = on_diagonal(g, size, size)
    each = g.unsqueeze(input, len(input.shape))
    grid = g.op("And", on_it, each) if input.dtype is dtypes.bool_ else g.where(on_it, each, 0)
    before = [0] * (rank - 2) + [above, left]
    after = [0] * (rank - 2) + [left, above]
    made = g.op("Pad", grid, g.ints(before + after), g.constant(0, input.dtype)) if offset else grid
    order = [*range(rank - 2)]
    for place, axis in sorted([(dim1 % rank, rank - 2), (dim2 % rank, rank - 1)]):
        order.insert(place, axis)
    return g.transpose(made, order)


# Dtypes ------------------------------------------------------------------------------------------------------------------


@exporter(
    "to",
    "type",
    "type_as",
    "float",
    "double",
    "half",
    "bfloat16",
    "int",
    "long",
    "short",
    "char",
    "byte",
    "bool",
    "_to_copy",
)
def to(g: Builder, input: Value, *args: Any, **kwargs: Any) -> Value:
    return g.cast(input, result_dtype(g))


def numel(shape: Any) -> Any:
    """How many elements a shape has: a number or a size."""
    if not any(isinstance(x, Size) for x in shape):
        return math.prod(shape)
    found: Any = 1
    for x in shape:
        found = x * found if isinstance(x, Size) else found * x
    return found
