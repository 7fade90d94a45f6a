"""Sums of products over chosen axes, made of recorded ops: ``tensordot``, ``einsum``, ``kron``, products of many matrices."""

import math
import warnings
from itertools import pairwise
from string import ascii_letters

from .._base import einsum_order
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import c_name, dtype_name
from .._base.errors import shape_text, type_name
from .._base.guards import explain
from .._core.out import write_out
from .._core.tensor import Tensor
from .matmul import bmm, dot, mm
from .operands import need_tensors

__all__ = ["bilinear", "chain_matmul", "einsum", "inner", "kron", "tensordot"]
METHODS = "inner kron"


@composite
def tensordot(a, b, dims=2, out=None):
    """Sum products over pairs of dimensions: the last ``dims`` of a with the first of b, or those in ``dims = (of a, of b)``.

    The result has the other dimensions of a, then those of b. Raises RuntimeError for sizes or dtypes that do not fit.

    >>> import minigrad
    >>> minigrad.tensordot(minigrad.ones(2, 3, 4), minigrad.ones(3, 4, 5)).shape
    torch.Size([2, 5])
    """
    if isinstance(dims, Tensor) and dims.numel() == 1:
        dims = int(dims)
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.ndim, b.ndim):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        of_a, of_b = list(range(-dims, 0)), list(range(dims))
    else:
        of_a, of_b = dims.tolist() if isinstance(dims, Tensor) else dims
        of_a, of_b = ([d] if isinstance(d, int) else list(d) for d in (of_a, of_b))
    if out is None:
        return _tensordot(a, b, of_a, of_b)
    _check_out_of_tensordot(out, a)
    return write_out(out, _tensordot, a, b, of_a, of_b)


def _check_out_of_tensordot(out, x):
    if isinstance(out, Tensor) and isinstance(x, Tensor) and out.dtype is not x.dtype:
        raise RuntimeError(
            f"tensordot: Expected the output tensor to have dtype {dtype_name(x)}, but got an output tensor with dtype {dtype_name(out)}"
        )


def _tensordot(a, b, of_a, of_b):
    if len(of_a) != len(of_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype is not b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    for i, j in zip(of_a, of_b):
        n, m = a.size(i), b.size(j)
        if n != m and n != 1 and m != 1:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {n} in dim {i} and second has size {m} in dim {j}"
            )
        if n != m:  # an axis of length one stands for a sum over the other's
            a, b = (a, b.sum(j, True, dtype=b.dtype)) if n == 1 else (a.sum(i, True, dtype=a.dtype), b)
    of_a, of_b = ([d % (x.ndim or 1) for d in of_x] for of_x, x in ((of_a, a), (of_b, b)))
    for of_x in (of_a, of_b):
        for d in of_x:
            if of_x.count(d) > 1:
                raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    free_a, free_b = ([d for d in range(x.ndim) if d not in of_x] for of_x, x in ((of_a, a), (of_b, b)))
    shape_a, shape_b, inner = [a.size(d) for d in free_a], [b.size(d) for d in free_b], [a.size(d) for d in of_a]
    k = math.prod(inner)
    x = a.permute(free_a + of_a).reshape(math.prod(shape_a), k)
    y = b.permute(of_b + free_b).reshape(k, math.prod(shape_b))
    return mm(x, y).reshape(shape_a + shape_b)


def _inner(x, y):
    if not x.ndim or not y.ndim:
        return x * y
    if x.dtype is not y.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if x.shape[-1] != y.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{shape_text(x.shape)} and {shape_text(y.shape)}"
        )
    return dot(x, y) if x.ndim == y.ndim == 1 else tensordot(x, y, ((-1,), (-1,)))


@composite
def inner(input, other, *, out=None):
    """Sum products over the last dimensions of both operands; a 0-dim operand is a factor.

    >>> import minigrad
    >>> minigrad.inner(minigrad.ones(2, 3), minigrad.ones(3))
    tensor([3., 3.])
    """
    need_tensors("inner", input=input, other=other)
    if out is None:
        return _inner(input, other)
    if input.ndim and other.ndim:
        _check_out_of_tensordot(out, input)
    return write_out(out, _inner, input, other)


def _kron(x, y):
    n = max(x.ndim, y.ndim)
    xs, ys = [1] * (n - x.ndim) + list(x.shape), [1] * (n - y.ndim) + list(y.shape)
    apart = [size for pair in zip(xs, [1] * n) for size in pair], [size for pair in zip([1] * n, ys) for size in pair]
    return (x.reshape(apart[0]) * y.reshape(apart[1])).reshape([i * j for i, j in zip(xs, ys)])


@composite
def kron(input, other, *, out=None):
    """Return the Kronecker product: each element of ``input`` times all of ``other``, as a block.

    >>> import minigrad
    >>> minigrad.kron(minigrad.tensor([1, 10]), minigrad.tensor([1, 2]))
    tensor([ 1,  2, 10, 20])
    """
    if not isinstance(input, Tensor) or not isinstance(other, Tensor):
        explain(kron, {"input": input, "other": other})
    return _kron(input, other) if out is None else write_out(out, _kron, input, other)


def best_order(sizes):
    """The cheapest way to multiply matrices of sizes[0] x sizes[1], sizes[1] x sizes[2], ...: {(i, j): where to split i..j}."""
    n = len(sizes) - 1
    cost, split = {(i, i): 0 for i in range(n)}, {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            cost[i, j], split[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            )
    return split


@composite
def chain_matmul(*matrices, out=None):
    """Multiply several matrices in the cheapest order. Deprecated: use ``linalg.multi_dot``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.chain_matmul(minigrad.ones(1, 2), minigrad.ones(2, 3), minigrad.ones(3, 1))
    tensor([[6.]])
    """
    warnings.warn(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot "
        "instead, which accepts a list of two or more tensors rather than multiple parameters.",
        stacklevel=level_of_user(),
    )
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for i, x in enumerate(matrices):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type_name(x)}")
        if x.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {x.ndim}, expected 2 instead.")
    for i, (x, y) in enumerate(pairwise(matrices)):
        if x.shape[1] != y.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {shape_text(x.shape)} and {shape_text(y.shape)} cannot be "
                "multiplied"
            )
    if out is None:
        return _chain_matmul(*matrices)
    if isinstance(out, Tensor) and out.dtype is not matrices[0].dtype:
        wanted, found = c_name(matrices[0].dtype), c_name(out.dtype)
        raise RuntimeError(f"multi_dot(): expected out tensor to have dtype {wanted} but got {found}")
    return write_out(out, _chain_matmul, *matrices)


def _chain_matmul(*matrices):
    split = best_order([matrices[0].shape[0], *(x.shape[1] for x in matrices)])

    def multiply(i, j):
        return matrices[i] if i == j else mm(multiply(i, split[i, j]), multiply(split[i, j] + 1, j))

    return multiply(0, len(matrices) - 1)


# einsum -------------------------------------------------------------------------------------------------------------------------


@composite
def einsum(*args):
    """Sum products of operands over dimensions named by letters, such as ``einsum("ij,jk->ik", x, y)``.

    ``...`` stands for any dimensions; a letter twice in one operand takes the diagonal; without ``->`` the result has the letters that
    occur once, in alphabetical order. Instead of a string, each operand may be followed by a list of numbers that name its dimensions.
    More than two operands are multiplied from left to right, or in the order that ``opt_einsum`` finds if it is installed (see
    ``backends.opt_einsum``).

    >>> import minigrad
    >>> minigrad.einsum("ij,ij->i", minigrad.ones(2, 3), minigrad.ones(2, 3))
    tensor([3., 3.])
    """
    equation, operands = _equation_and_operands(args)
    inputs, output = _parse(equation, operands)
    xs, names = _with_plain_names(inputs, operands)
    output = _output_names(output, inputs, names)
    sizes = {}
    for place, (x, axes) in enumerate(zip(xs, names)):
        for axis, (name, n) in enumerate(zip(axes, x.shape)):
            seen = sizes.get(name, 1)
            if n != 1 and seen != 1 and n != seen:
                raise _does_not_broadcast(name, axis, place, n, seen)
            sizes[name] = n if seen == 1 else seen
    return _contract(list(zip(xs, names)), output)


def _does_not_broadcast(name, axis, place, n, seen):
    if isinstance(name, int):
        return RuntimeError(
            f"einsum(): dimension {axis} covered by ellipsis in operand {place}has size {n} which does not broadcast "
            f"with previously seen ellipsis with size {seen} for the respective dimension"
        )
    return RuntimeError(
        f"einsum(): subscript {name} has size {n} for operand {place} which does not broadcast with previously seen size {seen}"
    )


def _equation_and_operands(args):
    """The equation and the tensors of a call of ``einsum`` in any of its forms."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts list"
        )
    if isinstance(args[0], str):
        operands = args[1:]
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = tuple(operands[0])
        equation = args[0]
    elif isinstance(args[0], Tensor):
        operands = args[: len(args) // 2 * 2 : 2]
        equation = ",".join(_letters(names) for names in args[1::2])
        if len(args) % 2:
            equation += "->" + _letters(args[-1])
    else:
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {type_name(args[0])}")
    for i, x in enumerate(operands):
        if not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 1, but got {type_name(x)}")
    return equation, operands


def _letters(numbers):
    text = ""
    for number in numbers:
        if number is not Ellipsis and not 0 <= number < 52:
            raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
        text += "..." if number is Ellipsis else (ascii_letters[26:] + ascii_letters[:26])[number]
    return text


def _parse(equation, operands):
    """An equation as lists of names, of each operand and of the result (None if it is implied); ``...`` is one name."""
    left, arrow, right = equation.partition("->")
    inputs = [_names(text, f"operand {i}", equation.find(left)) for i, text in enumerate(left.split(","))]
    for index, letter in enumerate(equation):
        in_arrow = arrow and len(left) <= index < len(left) + 2
        if letter not in ascii_letters and letter not in " ." and not in_arrow and not (letter == "," and index < len(left)):
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {index} in the equation string, subscripts must be in [a-zA-Z]"
            )
    if len(inputs) > len(operands):
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    if len(inputs) < len(operands):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    return inputs, _names(right, "output", 0) if arrow else None


def _names(text, whose, start):
    names, i, text = [], 0, text.replace(" ", "")
    while i < len(text):
        if text[i] != ".":
            names.append(text[i])
            i += 1
            continue
        if ... in names:
            raise RuntimeError(f"einsum(): found '.' for {whose} for which an ellipsis was already found")
        if text[i : i + 3] != "...":
            tail = " (...)" if whose == "output" else ""
            raise RuntimeError(f"einsum(): found '.' for {whose} that is not part of any ellipsis{tail}")
        names.append(...)
        i += 3
    return names


def _with_plain_names(inputs, operands):
    """Each operand with a name for each axis: those under an ellipsis are called -1, -2, ... from the right; diagonals are taken."""
    xs, all_names = [], []
    for place, (names, x) in enumerate(zip(inputs, operands)):
        named, more = len(names) - (... in names), x.ndim
        if named > more or (named < more and ... not in names):
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) "
                f"{'is more than' if named > more and ... in names else 'does not match'} the number of dimensions ({more}) for "
                f"operand {place}{'' if ... in names else ' and no ellipsis was given'}"
            )
        if ... in names:
            at = names.index(...)
            names = names[:at] + list(range(named - more, 0)) + names[at + 1 :]
        for name in dict.fromkeys(names):
            while names.count(name) > 1:
                i = names.index(name)
                j = names.index(name, i + 1)
                if x.size(i) != x.size(j):
                    raise RuntimeError(
                        f"einsum(): subscript {name} is repeated for operand {place} but the sizes don't match, "
                        f"{x.size(j)} != {x.size(i)}"
                    )
                x = x.diagonal(0, i, j)
                names = [n for k, n in enumerate(names) if k not in (i, j)] + [name]
        xs.append(x)
        all_names.append(names)
    return xs, all_names


def _output_names(output, inputs, names):
    """The names of the result's axes."""
    hidden = sorted({name for axes in names for name in axes if isinstance(name, int)})
    if output is None:
        all_names = [name for axes in inputs for name in axes if name is not ...]
        return hidden + sorted(name for name in set(all_names) if all_names.count(name) == 1)
    known = {name for axes in names for name in axes}
    for name in output:
        if name is ...:
            continue
        if output.count(name) > 1:
            raise RuntimeError(f"einsum(): output subscript {name} appears more than once in the output")
        if name not in known:
            raise RuntimeError(
                f"einsum(): output subscript {name} does not appear in the equation for any input operand"
            )
    return [n for name in output for n in (hidden if name is ... else [name])]


def _contract(pairs, output):
    """The product of all (tensor, names), summed over the names that ``output`` does not have, with the axes of ``output``."""
    for places in _path(pairs, output):
        product, *chosen = (pairs[i] for i in places)
        pairs = [pair for i, pair in enumerate(pairs) if i not in places]
        for i, pair in enumerate(chosen, 1):
            later = pairs + chosen[i:]
            product = _contract_two(product, pair, {name for _, names in later for name in names} | set(output))
        pairs.append(product)
    ((x, names),) = pairs
    x, names = _summed(x, names, set(output))
    return x.permute([names.index(name) for name in output])


def _path(pairs, output):
    """Which operands to multiply next, as places in the list from which they are taken and to whose end the product goes."""
    if len(pairs) < 3:
        return [(0, 1)] * (len(pairs) - 1)
    if not einsum_order.enabled():
        return [(0, 1)] + [(len(pairs) - 1 - i, 0) for i in range(1, len(pairs) - 1)]
    library, letters = einsum_order.library(), {}
    for _, names in pairs:
        for name in names:
            letters.setdefault(name, library.get_symbol(len(letters)))
    inputs = ",".join("".join(letters[name] for name in names) for _, names in pairs)
    equation = f"{inputs}->{''.join(letters[name] for name in output)}"
    shapes = [tuple(x.shape) for x, _ in pairs]
    return library.contract_path(equation, *shapes, shapes=True, optimize=einsum_order.strategy)[0]


def _summed(x, names, kept):
    """``x`` summed over the axes whose names are not in ``kept``."""
    axes = [i for i, name in enumerate(names) if name not in kept]
    return (x.sum(axes), [name for name in names if name in kept]) if axes else (x, names)


def _summed_alone(x, names, kept):
    """Like ``_summed``, before a product: an axis of length one is taken out, which leaves integers in their dtype."""
    for i in reversed(range(len(names))):
        if names[i] not in kept and x.size(i) == 1:
            x, names = x.squeeze(i), names[:i] + names[i + 1 :]
    return _summed(x, names, kept)


def _contract_two(left, right, kept):
    """The product of two (tensor, names), summed over the names that are not in ``kept``."""
    (x, of_x), (y, of_y) = left, right
    wide = {n: max(x.size(of_x.index(n)), y.size(of_y.index(n))) for n in of_x if n in of_y}
    wide = {n for n, size in wide.items() if size != 1 or x.size(of_x.index(n)) == y.size(of_y.index(n))}
    # a name of length one on one side only, or on one side only, is summed on its own
    x, of_x = _summed_alone(x, of_x, kept | set(of_y))
    y, of_y = _summed_alone(y, of_y, kept | set(of_x))
    x, of_x, y, of_y = _alike(x, of_x, y, of_y, kept)
    shared = [n for n in of_x if n in of_y]
    over = [n for n in shared if n not in kept]
    both = [n for n in shared if n in kept]
    of_x_only, of_y_only = [n for n in of_x if n not in shared], [n for n in of_y if n not in shared]
    if not over:
        names = both + of_x_only + of_y_only
        return _aligned(x, of_x, names) * _aligned(y, of_y, names), names
    if x.dtype is not y.dtype:
        raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(y)}")
    size = {**dict(zip(of_x, x.shape)), **dict(zip(of_y, y.shape))}
    b, n, m, k = (math.prod(size[name] for name in group) for group in (both, of_x_only, of_y_only, over))
    x = x.permute([of_x.index(name) for name in both + of_x_only + over])
    y = y.permute([of_y.index(name) for name in both + over + of_y_only])
    if both:
        z = bmm(x.reshape(b, n, k), y.reshape(b, k, m))
    else:
        z = mm(x.reshape(n, k), y.reshape(k, m))
    names = both + of_x_only + of_y_only
    return z.reshape([size[name] for name in names]), names


def _alike(x, of_x, y, of_y, kept):
    """The operands with equal lengths of all axes of the same name that are summed: one of length one is taken out."""
    for name in [n for n in of_x if n in of_y]:
        i, j = of_x.index(name), of_y.index(name)
        if x.size(i) != y.size(j):
            if x.size(i) == 1:
                x, of_x = x.squeeze(i), of_x[:i] + of_x[i + 1 :]
            else:
                y, of_y = y.squeeze(j), of_y[:j] + of_y[j + 1 :]
    x, of_x = _summed(x, of_x, kept | set(of_y))
    y, of_y = _summed(y, of_y, kept | set(of_x))
    return x, of_x, y, of_y


def _aligned(x, of_x, names):
    """``x`` with its axes in the order of ``names``, and axes of length one for the names that it has not."""
    x = x.permute([of_x.index(name) for name in names if name in of_x])
    return x.reshape([x.size([n for n in names if n in of_x].index(name)) if name in of_x else 1 for name in names])


@composite
def bilinear(input1, input2, weight, bias=None):
    """``input1 @ weight[k] @ input2 + bias[k]`` for each k: ``(..., n), (..., m), (k, n, m), (k,) -> (..., k)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.bilinear(minigrad.ones(1, 2), minigrad.ones(1, 3), minigrad.ones(4, 2, 3))
    tensor([[6., 6., 6., 6.]])
    """
    if input1.ndim != input2.ndim:
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {input1.ndim} and {input2.ndim}")
    given = [(name, x) for name, x in (("input1", input1), ("input2", input2), ("weight", weight), ("bias", bias)) if x is not None]
    if len({x.dtype for _, x in given}) > 1:
        raise RuntimeError(f"All tensors must have the same dtype, got {', '.join(f'{name}: {c_name(x.dtype)}' for name, x in given)}")
    for i, (n, m) in enumerate(zip(input1.shape[:-1], input2.shape[:-1])):
        if n != m:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {i}: got {n} and {m}")
    for name, x, dim in (("input1", input1, 1), ("input2", input2, 2)):
        if x.size(-1) != weight.size(dim):
            raise RuntimeError(f"bilinear(): {name} size does not match weight size: got {x.shape[-1]} but expected {weight.size(dim)}")
    if weight.ndim != 3:
        raise RuntimeError(f"bilinear(): weight must be 3-D, but got {weight.ndim}-D")
    k, n, m = weight.shape
    if bias is not None and not bias.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if bias is not None and bias.shape[0] != k:
        raise RuntimeError(f"bilinear(): bias size does not match weight size: got {bias.shape[0]} but expected {k}")
    lead = input1.shape[:-1]
    rows = math.prod(lead)
    x = mm(input1.reshape(rows, n), weight.permute(1, 0, 2).reshape(n, k * m)).reshape(rows, k, m)
    z = bmm(x, input2.reshape(rows, m, 1)).reshape(*lead, k)
    return z if bias is None else z + bias
