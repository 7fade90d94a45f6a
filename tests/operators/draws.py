"""What the tests of the operator families draw, and what they check.

An ``Operand`` is the description of a tensor: shape, dtype, layout and the kind of its values.  Hypothesis draws descriptions, not
elements: they are quick to draw, shrink to small shapes and plain layouts, and the same one makes a tensor of minigrad's and one of
PyTorch's.
"""

import functools
import math
import warnings
from dataclasses import dataclass

import hypothesis
import numpy as np
from hypothesis import strategies as st

import minigrad
from tests.numeric import check_gradients

try:
    import ml_dtypes
except ImportError:  # bfloat16 is an extra
    ml_dtypes = None

BOOL = ["bool"]
SIGNED = ["int8", "int16", "int32", "int64"]
INTEGERS = ["uint8", *SIGNED]
WIDE_UNSIGNED = ["uint16", "uint32", "uint64"]
FLOATS = ["float16", *(["bfloat16"] if ml_dtypes else []), "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
ALL = [*BOOL, *INTEGERS, *WIDE_UNSIGNED, *FLOATS, *COMPLEX]

LAYOUTS = ["contiguous", "transposed", "strided", "offset", "expanded", "channels_last", "mixed"]

#: Intervals that values are drawn from, by what an operator asks of its operand.
DOMAINS = {
    "real": (-3.1, 3.3),
    "small": (-0.91, 0.93),
    "positive": (0.23, 4.1),
    "above one": (1.13, 4.2),
    "probability": (0.06, 0.95),
    "nonzero": None,
    "off integers": None,
}


def few(test):
    """Run ``test`` on a tenth of the profile's examples: there is one test for every operator of a family."""
    examples = max(3, hypothesis.settings.default.max_examples // 10)
    return hypothesis.settings(max_examples=examples)(test)


# Descriptions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operand:
    """A tensor to be: ``tensor()`` makes minigrad's, ``tensor(torch)`` PyTorch's, ``array`` holds its values."""

    shape: tuple
    dtype: str = "float64"
    layout: str = "contiguous"
    domain: str = "real"
    values: str = "apart"  # all different and away from kinks; or "ties", "extremes"
    seed: int = 0

    @functools.cached_property
    def array(self):
        """The values, as an array of minigrad's own dtype."""
        numbers = draw_values(self)
        for dim in expanded_dims(self):
            numbers = np.broadcast_to(numbers.take([0], axis=dim), self.shape)
        return np.ascontiguousarray(numbers).reshape(self.shape)

    def tensor(self, module=minigrad, requires_grad=False):
        """A new tensor, a leaf in the described layout."""
        flat = self.array.astype(np.float32) if self.dtype == "bfloat16" else self.array
        x = module.tensor(flat, dtype=getattr(module, self.dtype))
        x = lay(module, x, self)
        return x.requires_grad_() if requires_grad else x


def numpy_dtype(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def draw_values(operand):
    """Values for an operand, before they are expanded."""
    rng = np.random.default_rng([operand.seed, len(operand.shape), *operand.shape])
    size = math.prod(operand.shape)
    dtype = numpy_dtype(operand.dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, operand.shape).astype(bool)
    if dtype.kind in "iu":
        return draw_integers(rng, operand, dtype)
    real = draw_reals(rng, size, operand.domain, operand.values)
    if dtype.kind == "c":
        real = real + 1j * draw_reals(rng, size, operand.domain, operand.values)
    if operand.values == "extremes" and size:
        specials = extremes(dtype)
        places = rng.integers(0, size, rng.integers(1, size + 1))
        real[places] = rng.choice(specials, len(places))
    with np.errstate(all="ignore"):
        return real.astype(dtype).reshape(operand.shape)


def draw_reals(rng, size, domain, values):
    """Numbers in a domain: of the kind "ties" one of five, otherwise each in a cell of its own."""
    cells = min(size, 5) if values == "ties" else size
    spread = (rng.permutation(cells) + rng.uniform(0.3, 0.7, cells)) / max(cells, 1)
    if domain == "nonzero":
        numbers = 0.31 + 3 * spread
        numbers *= rng.choice([-1.0, 1.0], cells)
    elif domain == "off integers":
        numbers = np.floor(8 * spread - 4) + 0.15 + 0.7 * rng.permutation(spread)
    else:
        low, high = DOMAINS[domain]
        numbers = low + (high - low) * spread
    return rng.choice(numbers, size) if values == "ties" and size else numbers


def draw_integers(rng, operand, dtype):
    low, high = {"positive": (1, 9), "above one": (2, 9), "probability": (0, 1), "small": (-1, 1)}.get(
        operand.domain, (-6, 7)
    )
    if dtype.kind == "u":
        low = max(low, 0)
    numbers = rng.integers(low, high, operand.shape, endpoint=True)
    if operand.domain == "nonzero":
        numbers[numbers == 0] = 3
    numbers = numbers.astype(dtype)
    if operand.values == "extremes" and operand.shape and numbers.size:
        limits = np.iinfo(dtype)
        specials = np.array([limits.min, limits.max, limits.max - 1, 0], dtype)
        places = rng.integers(0, 2, operand.shape).astype(bool)
        numbers[places] = rng.choice(specials, int(places.sum()))
    return numbers


def extremes(dtype):
    """Values at the edges of a floating or complex dtype."""
    edges = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, np.inf, -np.inf, np.nan]
    if dtype.itemsize > 2:  # not the ends of the range, where results differ in when they become infinite
        edges += [1e12, -1e12, 1e-12]
    edges = np.array(edges)
    return edges if dtype.kind != "c" else np.array([0, 1, -1, 1j, -1j, 2.5 - 0.5j])


# Layouts --------------------------------------------------------------------------------------------------------------


def expanded_dims(operand):
    """The dims along which the operand is one value repeated."""
    if operand.layout not in ("expanded", "mixed") or not operand.shape or 0 in operand.shape:
        return []
    return [operand.seed % len(operand.shape)]


def lay(module, x, operand):
    """A tensor equal to ``x``, which is contiguous, in the operand's layout."""
    dims, layout, seed = x.dim(), operand.layout, operand.seed
    if layout == "channels_last":
        return x.contiguous(memory_format=module.channels_last) if dims == 4 else x
    if not dims:
        return module.stack([x, x])[1] if layout in ("offset", "strided", "mixed") else x
    for dim in expanded_dims(operand):
        x = x.narrow(dim, 0, 1)
        if layout == "mixed":
            x = in_steps(module, x, (dim + 1) % dims)
        x = x.expand(operand.shape)
    if layout == "transposed" or (layout == "mixed" and not expanded_dims(operand)):
        order = [(d + 1 + seed) % dims for d in range(dims)]
        back = sorted(range(dims), key=order.__getitem__)
        x = x.permute(order).contiguous().permute(back)
    if layout == "strided":
        x = in_steps(module, x, seed % dims)
    if layout == "offset":
        pad = module.zeros_like(x.narrow(seed % dims, 0, min(1, x.shape[seed % dims])))
        x = module.cat([pad, x, pad], seed % dims).narrow(
            seed % dims, pad.shape[seed % dims], x.shape[seed % dims]
        )
    return x


def strides_of(x):
    """The strides along the dims that have more than one place."""
    return [stride for stride, n in zip(x.stride(), x.shape) if n > 1]


def in_steps(module, x, dim):
    """``x`` as every second slice of a larger tensor."""
    return module.stack([x, module.zeros_like(x)], dim + 1).flatten(dim, dim + 1)[
        (slice(None),) * dim + (slice(None, None, 2),)
    ]


# Strategies -----------------------------------------------------------------------------------------------------------

sides = st.sampled_from([2, 3, 1, 4, 0])
seeds = st.integers(0, 999)


def shapes(min_dims=0, max_dims=4, empty=True):
    """Shapes of up to ``max_dims`` dims, small; with a side of 0 now and then if ``empty``."""
    side = sides if empty else st.sampled_from([2, 3, 1, 4])
    shape = st.lists(side, min_size=min_dims, max_size=max_dims).map(tuple)
    return shape.filter(lambda s: math.prod(s) <= 48)


@st.composite
def broadcastable(draw, operands=2, max_dims=4, empty=True, min_dims=0):
    """As many shapes as there are operands, which broadcast together."""
    whole = draw(shapes(min_dims, max_dims, empty))
    found = []
    for _ in range(operands):
        kept = whole[draw(st.integers(0, len(whole) - min_dims)) if draw(st.booleans()) else 0 :]
        found.append(tuple(1 if draw(st.integers(0, 3)) == 0 else side for side in kept))
    return found


def layouts(shape):
    """Layouts that a tensor of such a shape can be in."""
    return st.sampled_from(LAYOUTS if len(shape) == 4 else [n for n in LAYOUTS if n != "channels_last"])


@st.composite
def operands(
    draw,
    shape=None,
    dtypes=("float64",),
    domain="real",
    values=("apart",),
    layout=None,
    min_dims=0,
    max_dims=4,
    empty=True,
    place=0,
):
    """One operand; ``shape`` and ``layout`` fix what is otherwise drawn.  Operands at different places have different values."""
    if shape is None:
        shape = draw(shapes(min_dims, max_dims, empty))
    dtype = draw(st.sampled_from(list(dtypes)))
    layout = layout or draw(layouts(shape))
    return Operand(
        tuple(shape), dtype, layout, domain, draw(st.sampled_from(list(values))), 1000 * place + draw(seeds)
    )


@st.composite
def several(
    draw,
    count=2,
    dtypes=("float64",),
    domains=None,
    values=("apart",),
    same_dtype=True,
    max_dims=4,
    empty=True,
):
    """``count`` operands whose shapes broadcast; ``domains`` names one domain for each."""
    if same_dtype:
        dtypes = [draw(st.sampled_from(list(dtypes)))]
    return [
        draw(operands(shape, dtypes, domain, values, place=place))
        for place, (shape, domain) in enumerate(
            zip(draw(broadcastable(count, max_dims, empty)), domains or ["real"] * count)
        )
    ]


# Checks ---------------------------------------------------------------------------------------------------------------

#: Relative tolerances by the precision that a result is computed in.
PRECISION = {"float16": 4e-3, "complex32": 4e-3, "bfloat16": 3e-2, "float32": 2e-5, "complex64": 4e-5}


def tolerance(*dtypes):
    """The relative tolerance for a result of operands of these dtypes."""
    return max(PRECISION.get(d, 1e-10) for d in dtypes)


def name_of(dtype):
    """``"float32"`` for minigrad's and PyTorch's ``float32``."""
    return str(dtype).removeprefix("torch.")


def as_list(outs):
    """A result, a tensor or a tuple of them, as a list."""
    return list(outs) if isinstance(outs, tuple | list) else [outs]


def wide(array):
    """An array in the precision that references are computed in: double for floating ones."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.float64) if array.dtype.kind not in "biu" else array


def exactly(x):
    """The values of a tensor of either library, as an array; those of bfloat16 as float64, those of complex32 as complex64."""
    x = x.detach()
    name = name_of(x.dtype)
    return (x.double() if name == "bfloat16" else x.cfloat() if name == "complex32" else x).numpy(force=True)


def agrees_with_numpy(function, reference, *operands, rtol=None, dtype=None):
    """Assert that ``function`` of the tensors is ``reference`` of their arrays, computed in double precision.

    ``dtype`` names the dtype that the result, the first of several, is to have.  Where it is a floating one, integers are given to ``reference`` as
    floating numbers too.
    """
    outs = as_list(function(*[o.tensor() for o in operands]))
    arrays = [wide(o.array) for o in operands]
    if dtype in FLOATS:
        arrays = [a.astype(np.float64) if a.dtype.kind in "biu" else a for a in arrays]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's about means of nothing
        expected = as_list(reference(*arrays))
    assert len(outs) == len(expected)
    assert dtype is None or name_of(outs[0].dtype) == dtype, f"{outs[0].dtype} and not {dtype}"
    for out, want in zip(outs, expected):
        want = np.asarray(want)
        assert tuple(out.shape) == want.shape
        close(exactly(out), want, rtol or tolerance(name_of(out.dtype), *[o.dtype for o in operands]))


def close(got, want, rtol, atol=None):
    """Assert that arrays agree; those of integers and of bools to the last bit."""
    if got.dtype.kind in "biu":
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(got, want.astype(got.dtype))
        return
    if want.dtype.kind not in "biu" and np.isfinite(wide(got)).all():
        biggest = np.abs(want[np.isfinite(want)]).max(initial=1.0)
        atol = rtol * min(biggest, 1e4) if atol is None else atol
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(wide(got), wide(want), rtol=rtol, atol=rtol if atol is None else atol)


def gradients_agree(function, *operands, order=2, rtol=1e-5, atol=1e-6):
    """Assert that the gradients of ``function``, of both orders, are those of central differences.

    The leaves have the operands' layouts; float64 and complex128 ones are differentiated.
    """
    if any(o.array.dtype in (np.float64, np.complex128) for o in operands):
        check_gradients(
            function, *[o.tensor() for o in operands], order=order, directions=2, rtol=rtol, atol=atol
        )


def layout_does_not_matter(function, *operands, gradients=True):
    """Assert that values and ``gradients`` are the same, whatever layout the operands are in."""
    laid = [o.tensor(requires_grad=differentiable(o)) for o in operands]
    plain = [o.tensor().contiguous().clone(memory_format=minigrad.contiguous_format) for o in operands]
    plain = [x.requires_grad_(differentiable(o)) for x, o in zip(plain, operands)]
    found, expected = as_list(function(*laid)), as_list(function(*plain))
    rtol = max(tolerance(o.dtype) for o in operands)
    for got, want in zip(found, expected, strict=True):
        assert got.dtype == want.dtype
        assert got.shape == want.shape
        assert got.requires_grad == want.requires_grad
        close(exactly(got), exactly(want), rtol)
    if not gradients:
        return
    for got, want in zip(gradients_of(found, laid), gradients_of(expected, plain), strict=True):
        assert (got is None) == (want is None)
        if got is not None:
            assert got.dtype == want.dtype
            close(exactly(got), exactly(want), 10 * rtol)


def differentiable(operand):
    return operand.dtype in FLOATS or operand.dtype in COMPLEX


def gradients_of(outs, leaves, module=minigrad):
    """The gradients of the leaves for cotangents that depend on the results' shapes alone."""
    outs = [out for out in outs if out.requires_grad]
    leaves = [x for x in leaves if x.requires_grad]
    if not outs or not leaves:
        return []
    return module.autograd.grad(outs, leaves, [ramp(module, out) for out in outs], allow_unused=True)


def ramp(module, out):
    """A cotangent for ``out``: small numbers, exact in every dtype."""
    numbers = module.arange(out.numel(), dtype=module.int64).reshape(out.shape) % 7
    return ((numbers - 3).to(module.float32) / 4).to(out.dtype)
