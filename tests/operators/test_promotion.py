"""Promotion: which dtype two dtypes, numbers and tensors of any dimension have together.

The tables were recorded from PyTorch; where it is installed they are compared with it again.
"""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.draws import ALL, few, name_of
from tests.operators.rows import attempt

LETTERS = "?BbhilHIQeEfdFD"
NAMES = (
    "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"
).split()

#: promote_types(row, column), a dot where it raises.
PROMOTED = """
  ?BbhilHIQeEfdFD
? ?Bbhil...eEfdFD
B BBhhil...eEfdFD
b bhbhil...eEfdFD
h hhhhil...eEfdFD
i iiiiil...eEfdFD
l llllll...eEfdFD
H ......H..eEfd..
I .......I.eEfd..
Q ........QeEfd..
e eeeeeeeeeeffdFD
E EEEEEEEEEfEfdFD
f ffffffffffffdFD
d dddddddddddddDD
F FFFFFF...FFFDFD
D DDDDDD...DDDDDD
"""

#: can_cast(row, column).
CASTS = """
  ?BbhilHIQeEfdFD
? yyyyyyyyyyyyyyy
B .yyyyyyyyyyyyyy
b .yyyyyyyyyyyyyy
h .yyyyyyyyyyyyyy
i .yyyyyyyyyyyyyy
l .yyyyyyyyyyyyyy
H .yyyyyyyyyyyyyy
I .yyyyyyyyyyyyyy
Q .yyyyyyyyyyyyyy
e .........yyyyyy
E .........yyyyyy
f .........yyyyyy
d .........yyyyyy
F .............yy
D .............yy
"""

#: result_type of a tensor of the row's dtype with dimensions and a 0-dim tensor of the column's; then with True, 2, 2.5 and 2j,
#: then of a 0-dim tensor with these.  C is the complex number of half precision.
RESULTS = """
  ?BbhilHIQeEfdFD ?lfF ?lfF
? ?Bbhil...eEfdFD ?lfF ?lfF
B BBBBBBBBBeEfdFD BBfF BBfF
b bbbbbbbbbeEfdFD bbfF bbfF
h hhhhhhhhheEfdFD hhfF hhfF
i iiiiiiiiieEfdFD iifF iifF
l llllllllleEfdFD llfF llfF
H HHHHHHHHHeEfdFD HHfF HHfF
I IIIIIIIIIeEfdFD IIfF IIfF
Q QQQQQQQQQeEfdFD QQfF QQfF
e eeeeeeeeeeeeeCC eeeC eeeC
E EEEEEEEEEEEEEFF EEEF EEEF
f fffffffffffffFF fffF fffF
d dddddddddddddDD dddD dddD
F FFFFFFFFFFFFFFF FFFF FFFF
D DDDDDDDDDDDDDDD DDDD DDDD
"""
NUMBERS = (True, 2, 2.5, 2j)


def read(table):
    """The cells of a table as ``(row, column number, letter)``."""
    for line in table.strip().splitlines()[1:]:
        row, *cells = line.split()
        for column, letter in enumerate("".join(cells)):
            yield row, column, letter


def dtype_of(letter, module=minigrad):
    return getattr(module, NAMES[LETTERS.index(letter)])


def letter_of(compute):
    """The letter of the dtype that ``compute()`` returns, a dot if it refuses."""
    try:
        name = name_of(compute())
    except RuntimeError:
        return "."
    return "C" if name == "complex32" else LETTERS[NAMES.index(name)]


def operands(module, row, column):
    """What stands in a cell of RESULTS."""
    shape = (2,) if column < 19 else ()
    other = (
        module.ones((), dtype=dtype_of(LETTERS[column], module))
        if column < 15
        else NUMBERS[(column - 15) % 4]
    )
    return module.ones(shape, dtype=dtype_of(row, module)), other


def has(letters):
    """Whether there are tensors of these dtypes: of bfloat16 only with ``ml_dtypes``."""
    return "bfloat16" in ALL or "E" not in letters


@pytest.mark.parametrize("row", LETTERS)
def test_promote_types_and_can_cast(row):
    for (a, column, want), (_, _, castable) in zip(read(PROMOTED), read(CASTS), strict=True):
        if a == row:
            b = LETTERS[column]
            assert letter_of(lambda: minigrad.promote_types(dtype_of(a), dtype_of(b))) == want, (
                f"{a} with {b}"
            )
            assert minigrad.can_cast(dtype_of(a), dtype_of(b)) == (castable == "y"), f"{a} as {b}"


@pytest.mark.parametrize("row", LETTERS)
def test_result_type_and_what_operators_do(row):
    for a, column, want in read(RESULTS):
        if a != row or not has(a + want + (LETTERS[column] if column < 15 else "")):
            continue
        x, y = operands(minigrad, a, column)
        assert letter_of(lambda: minigrad.result_type(x, y)) == want, (a, column)
        assert letter_of(lambda: minigrad.result_type(y, x)) == want, (a, column)
        assert letter_of(lambda: (x + y).dtype) == want, (a, column)
        if isinstance(y, minigrad.Tensor):
            assert letter_of(lambda: minigrad.where(minigrad.tensor(True), y, x).dtype) == want, (a, column)


@pytest.mark.torch
def test_the_tables_are_those_of_torch():
    torch = pytest.importorskip("torch")
    for (a, column, promoted), (_, _, castable) in zip(read(PROMOTED), read(CASTS), strict=True):
        x, y = dtype_of(a, torch), dtype_of(LETTERS[column], torch)
        assert letter_of(lambda: torch.promote_types(x, y)) == promoted
        assert torch.can_cast(x, y) == (castable == "y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that complex numbers of half precision are experimental
        for a, column, want in read(RESULTS):
            assert letter_of(lambda: torch.result_type(*operands(torch, a, column))) == want


@st.composite
def two_of_any_dtypes(draw):
    shapes = draw(draws.broadcastable(2, max_dims=2))
    return [draw(draws.operands(shape, draws.ALL, place=place)) for place, shape in enumerate(shapes)]


@few
@given(two_of_any_dtypes())
def test_an_operator_computes_in_the_promoted_dtype(pair):
    x, y = [o.tensor() for o in pair]
    try:
        dtype = minigrad.result_type(x, y)
    except RuntimeError:
        return
    for function in (minigrad.add, minigrad.mul):
        got, want = function(x, y), function(x.to(dtype), y.to(dtype))
        assert got.dtype is dtype
        draws.close(draws.exactly(got), draws.exactly(want), draws.tolerance(name_of(dtype)))


@few
@given(two_of_any_dtypes())
def test_gradients_have_the_dtypes_of_their_operands(pair):
    x, y = [o.tensor(requires_grad=draws.differentiable(o)) for o in pair]
    try:
        out = x * y
    except RuntimeError:
        return
    leaves = [leaf for leaf in (x, y) if leaf.requires_grad]
    assert out.requires_grad == bool(leaves)
    for leaf, grad in zip(leaves, draws.gradients_of([out], leaves), strict=True):
        assert grad.dtype is leaf.dtype
        assert grad.shape == leaf.shape


@pytest.mark.torch
@few
@given(two_of_any_dtypes())
def test_mixed_operands_as_in_torch(pair):
    torch = pytest.importorskip("torch")
    for name in ("add", "sub", "mul", "div", "maximum", "eq", "pow", "atan2", "where"):
        results = []
        for module in (torch, minigrad):
            tensors = [o.tensor(module) for o in pair]
            if name == "where":
                tensors = [module.tensor(True), *tensors]
            results.append(attempt(getattr(module, name), tensors))
        (want, refusal), (got, our_refusal) = results
        if refusal == "NotImplementedError" and {o.dtype for o in pair} & set(draws.WIDE_UNSIGNED):
            continue
        assert our_refusal == refusal, name
        for out, w in zip(got or (), want or (), strict=True):
            assert name_of(out.dtype) == name_of(w.dtype), name
            rtol = draws.tolerance(name_of(out.dtype), *[o.dtype for o in pair])
            draws.close(draws.exactly(out), draws.exactly(w), rtol)
