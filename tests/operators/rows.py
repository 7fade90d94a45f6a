"""Rows of the table for operators on elements, or along one dimension: what the operands may be, what is computed, and how that is checked."""

import functools
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.draws import (
    ALL,
    BOOL,
    COMPLEX,
    FLOATS,
    INTEGERS,
    WIDE_UNSIGNED,
    as_list,
    close,
    exactly,
    name_of,
    strides_of,
    wide,
)
from tests.operators.transforms import Call

REAL = [*BOOL, *INTEGERS, *FLOATS]
NUMBERS = [*REAL, *COMPLEX]
INEXACT = [*FLOATS, *COMPLEX]

RULES = {
    "float": lambda d: d if d in INEXACT else "float32",
    "same": lambda d: d,
    "bool": lambda d: "bool",
    "truth": lambda d: "uint8" if d == "uint8" else "bool",
    "int64": lambda d: "int64",
    "real": lambda d: {"complex64": "float32", "complex128": "float64"}.get(d, d),
    "angle": lambda d: RULES["float"](RULES["real"](d)),
    "complex": lambda d: {"float32": "complex64", "float64": "complex128"}[d],
    "double": lambda d: "complex128" if d in COMPLEX else "float64",
    "sum": lambda d: d if d in INEXACT else "int64",
}


@dataclass
class Case:
    """Operands with the keywords of the call."""

    operands: list
    keywords: dict = field(default_factory=dict)
    lead: tuple = ()  # what stands before the tensors, as the order of polygamma
    fixed: dict = field(default_factory=dict)  # operands that keep their dtype: {0: "bool"} for a condition

    def tensors(self, module=minigrad, requires_grad=False):
        return [o.tensor(module, requires_grad and draws.differentiable(o)) for o in self.operands]

    def array_of_first(self):
        return wide(self.operands[0].array).ravel()

    def with_dtype(self, dtype):
        operands = [replace(o, dtype=self.fixed.get(place, dtype)) for place, o in enumerate(self.operands)]
        return replace(self, operands=operands)


@dataclass
class Row:
    """An operator: its name, what it computes, and which operands it takes."""

    op: str  # below the module: "exp", "nn.functional.gelu"
    reference: object = None  # of arrays in double precision; None where there is none in NumPy
    domains: tuple = ("real",)  # one for each operand
    rule: str = "same"  # the dtype of the result, from that of the operands
    dtypes: list = field(
        default_factory=lambda: NUMBERS
    )  # those whose values are compared with the reference
    order: int = 2  # of the gradients that are checked; 0: it has none
    keywords: dict = field(default_factory=dict)
    draw: object = None  # (draw, row, dtypes, values, empty) -> Case, for other than elementwise operators
    lead: tuple = ()
    fixed: dict = field(default_factory=dict)
    in_place: bool = True  # whether there is a method op_
    out: bool = True  # whether it takes out=
    values: tuple = ("apart", "ties")  # of the operands that are compared with the reference
    aliases: tuple = ()
    rtol: float | None = None
    note: str = ""  # tells rows of one operator apart
    differs: tuple = ()  # dtypes that PyTorch and minigrad treat differently
    torch: bool = True  # whether PyTorch has it
    strides: bool = False  # whether PyTorch's strides are to be the same
    torch_gradient: bool = True  # False: PyTorch's backward is at fault
    any_place: bool = False  # where equal elements stand, any of them may have been chosen
    noise: float = 0  # PyTorch's relative error in float64, where it computes with numbers in float32
    extremes: object = (
        True  # False: PyTorch's values at poles and beyond the range are noise; "real": complex ones
    )
    dims: str = "none one several"  # how a reduction takes dim: not at all, an int, a tuple
    keepdim: bool = True
    min_dims: int = 0
    ties: bool = True  # False: the gradient has a kink where two elements are the same
    max_dims: int = 4
    empty: bool = True
    needs: str = ""  # the package without which the operator raises ImportError

    single: tuple = ()  # what vmap takes no batch of: places of operands, or letters for their kinds
    placed: bool = (
        False  # whether the result depends on where in memory the elements are: samples are then contiguous
    )

    draws_layouts = False  # they have a check of their own

    def __str__(self):
        return f"{self.op} {self.note}".strip()

    @property
    def names(self):
        return {self.op, *self.aliases}

    @property
    def has_reference(self):
        return self.reference is not None

    @property
    def takes_out(self):
        return self.out

    def _repr_pretty_(self, printer, cycle):  # what Hypothesis shows of a failure
        printer.text(str(self))

    def function(self, module=minigrad, op=None):
        return functools.reduce(getattr, (op or self.op).split("."), module)

    def call(self, case, module=minigrad, op=None):
        """The operator as a function of the tensors of a case alone."""
        function = self.function(module, op)
        return lambda *tensors: function(*case.lead, *tensors, **case.keywords)

    def check_values(self, data):
        check_values(self, data)

    def check_gradients(self, data):
        check_gradients(self, data)

    def check_layouts(self, data):
        check_layouts(self, data)

    def check_torch(self, data):
        check_torch(self, data)

    def check_out(self, data):
        check_out(self, data)

    def check_in_place(self, data):
        check_in_place(self, data)

    def example(self, data):
        """A call in double precision, to be batched."""
        doubles = [d for d in ("float64", "complex128") if d in self.dtypes]
        case = data.draw(self.cases(doubles or self.dtypes))
        call = self.call(case)
        return Call(lambda *tensors: as_list(call(*tensors)), case.operands, self.single, self.placed)

    def cases(self, dtypes=None, values=("apart",)):
        if self.needs:
            pytest.importorskip(self.needs)
        return draw_case(self, tuple(dtypes or self.dtypes), values)


@st.composite
def draw_case(draw, row, dtypes, values):
    if row.draw is not None:
        return row.draw(draw, row, dtypes, values)
    shapes = draw(draws.broadcastable(len(row.domains), row.max_dims, row.empty, row.min_dims))
    dtype = draw(st.sampled_from(dtypes))
    kind = draw(st.sampled_from(list(values)))
    operands = [
        draw(draws.operands(shape, [row.fixed.get(place, dtype)], domain, [kind], place=place))
        for place, (shape, domain) in enumerate(zip(shapes, row.domains))
    ]
    return Case(operands, row.keywords, row.lead, row.fixed)


def draw_pairs(draw, row, dtypes, values):
    """One operand whose last dimension, of two elements next to each other, is that of real and imaginary parts."""
    shape = (*draw(draws.shapes(0, 3)), 2)
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(list(values)))
    return Case([draw(draws.operands(shape, [dtype], row.domains[0], [kind], layout="contiguous"))])


def draw_reduced(draw, row, dtypes, values):
    """One operand with what is reduced: ``dim`` and ``keepdim``, as the row's ``dims`` allows them."""
    forms = row.dims.split()
    form = draw(st.sampled_from(forms))
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(list(values)))
    x = draw(
        draws.operands(
            None,
            [dtype],
            row.domains[0],
            [kind],
            min_dims=row.min_dims,
            max_dims=row.max_dims,
            empty=row.empty,
        )
    )
    dims = len(x.shape)
    one = st.integers(-max(dims, 1), max(dims - 1, 0))
    keywords = dict(row.keywords)
    if form == "one":
        keywords["dim"] = draw(one)
    if form == "several":
        keywords["dim"] = tuple(draw(st.sets(st.integers(0, dims - 1), min_size=1))) if dims else ()
    if form in ("one", "several") and row.keepdim:
        keywords["keepdim"] = draw(st.booleans())
    return Case([x], keywords, row.lead)


def draw_sampled(draw, row, dtypes, values):
    """One operand that is long enough along ``dim`` for slopes to be estimated."""
    shape = draw(st.lists(st.integers(2, 4), min_size=1, max_size=3))
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(list(values)))
    x = draw(draws.operands(tuple(shape), [dtype], row.domains[0], [kind]))
    return Case([x], {**row.keywords, "dim": draw(st.integers(-len(shape), len(shape) - 1))})


def draw_channels(draw, row, dtypes, values):
    """One operand and a weight for each of its channels, or one for all."""
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(list(values)))
    shape = draw(draws.shapes(2, 4))
    x = draw(draws.operands(shape, [dtype], row.domains[0], [kind]))
    channels = 1 if draw(st.booleans()) else shape[1]
    weight = draw(draws.operands((channels,), [dtype], "positive", place=1))
    return Case([x, weight])


def draw_halves(draw, row, dtypes, values):
    """One operand that can be split in two halves along ``dim``."""
    shape = list(draw(draws.shapes(1, 3)))
    dim = draw(st.integers(-len(shape), len(shape) - 1))
    shape[dim] = 4
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(list(values)))
    return Case([draw(draws.operands(tuple(shape), [dtype], row.domains[0], [kind]))], {"dim": dim})


def draw_ranked(draw, row, dtypes, values):
    """One operand, a rank ``k`` that there is along the drawn dimension, and the dimension."""
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=3)))
    dim = draw(st.integers(-len(shape), len(shape) - 1)) if shape else -1
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(list(values)))
    x = draw(draws.operands(shape, [dtype], row.domains[0], [kind]))
    k = draw(st.integers(1, shape[dim] if shape else 1))
    return Case([x], {**row.keywords, "k": k, "dim": dim})


def draw_moments(draw, row, dtypes, values):
    """One operand of at least two elements along every dimension, with what a moment is taken over."""
    shape = tuple(draw(st.lists(st.integers(2, 4), min_size=1, max_size=3)))
    dtype, kind = draw(st.sampled_from(dtypes)), draw(st.sampled_from(list(values)))
    keywords = dict(row.keywords)
    form = draw(st.sampled_from(["none", "one", "several"]))
    if form == "one":
        keywords["dim"] = draw(st.integers(-len(shape), len(shape) - 1))
    if form == "several":
        keywords["dim"] = tuple(draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    if form != "none":
        keywords["keepdim"] = draw(st.booleans())
    if row.note == "correction":
        keywords["correction"] = draw(st.sampled_from([0, 1]))
    return Case([draw(draws.operands(shape, [dtype], row.domains[0], [kind]))], keywords)


# Checks ---------------------------------------------------------------------------------------------------------------


def check_values(row, data):
    """Values and dtypes are those of the reference, under each of the operator's names."""
    case = data.draw(row.cases(values=row.values))
    dtype = RULES[row.rule](case.operands[-1].dtype)
    reference = functools.partial(row.reference, **case.keywords) if case.keywords else row.reference
    for name in (row.op, *row.aliases):
        draws.agrees_with_numpy(
            row.call(case, op=name),
            lambda *arrays: reference(*case.lead, *arrays),
            *case.operands,
            dtype=dtype,
            rtol=row.rtol if dtype in ("float64", "complex128") else None,
        )


def check_gradients(row, data):
    """Gradients of both orders are those of central differences, for leaves in every layout."""
    wanted = [d for d in ("float64", "complex128") if d in row.dtypes]
    case = data.draw(row.cases(wanted))
    if not row.ties:
        case = replace(case, operands=[apart(o) for o in case.operands])
    draws.gradients_agree(row.call(case), *case.operands, order=row.order)


def apart(operand):
    """The operand in a layout in which no value stands twice."""
    return replace(operand, layout="transposed") if operand.layout in ("expanded", "mixed") else operand


def check_layouts(row, data):
    """Values and gradients do not depend on the operands' layouts."""
    case = data.draw(row.cases())
    draws.layout_does_not_matter(row.call(case), *case.operands, gradients=row.order > 0)


def check_torch(row, data):
    """PyTorch gives the same values, dtypes and gradients, and refuses the same dtypes.

    Its kernels leave out ``uint16``, ``uint32`` and ``uint64`` at random, and half precision in some gradients: there minigrad
    goes further.
    """
    torch = pytest.importorskip("torch")
    case = data.draw(row.cases(values=("apart", "ties", "extremes") if row.extremes else row.values))
    if row.any_place:  # PyTorch's medians of expanded tensors are wrong
        case = replace(case, operands=[apart(o) for o in case.operands])
    for dtype in ALL:
        noise = row.extremes == "real" and dtype in COMPLEX and case.operands[0].values == "extremes"
        if dtype not in row.differs and not noise:
            same_as_torch(torch, row, case.with_dtype(dtype), dtype)


def same_as_torch(torch, row, case, dtype):
    theirs, ours = case.tensors(torch, True), case.tensors(minigrad, True)
    expected, refusal = attempt(row.call(case, torch), theirs)
    if refusal == "NotImplementedError" and dtype in WIDE_UNSIGNED:
        return
    got, our_refusal = attempt(row.call(case), ours)
    assert our_refusal == refusal, f"{dtype}: {our_refusal or 'accepted'} and not {refusal or 'accepted'}"
    if refusal:
        return
    rtol = draws.tolerance(*[o.dtype for o in case.operands], *[name_of(out.dtype) for out in expected])
    rtol = max(rtol, row.rtol or 0, row.noise)
    if row.any_place and len(case.array_of_first()) != len(np.unique(case.array_of_first())):
        assert len(got) == len(expected)
        got, expected = got[:1], [want.detach() for want in expected[:1]]
        got = [out.detach() for out in got]
    for out, want in zip(got, expected, strict=True):
        assert name_of(out.dtype) == name_of(want.dtype), f"{dtype}: {out.dtype} and not {want.dtype}"
        assert tuple(out.shape) == tuple(want.shape), dtype
        assert not row.strides or not want.numel() or strides_of(out) == strides_of(want), dtype
        assert out.requires_grad == want.requires_grad, dtype
        close(exactly(out), exactly(want), rtol)
    if not row.torch_gradient or any(o.values == "extremes" for o in case.operands):
        return
    wanted, refusal = attempt(lambda: draws.gradients_of(expected, theirs, torch), [])
    if refusal == "NotImplementedError" and row.order:
        return
    found, our_refusal = attempt(lambda: draws.gradients_of(got, ours), [])
    assert our_refusal == refusal, (
        f"gradient in {dtype}: {our_refusal or 'given'} and not {refusal or 'given'}"
    )
    for x, want in zip(found or (), wanted or (), strict=True):
        assert (x is None) == (want is None), dtype
        if x is not None:
            assert name_of(x.dtype) == name_of(want.dtype)
            close(exactly(x), exactly(want), 10 * rtol)


def attempt(function, operands):
    """The results as a list and None, or None and the name of the exception's class."""
    try:
        return as_list(function(*operands)), None
    except (RuntimeError, TypeError, ValueError, IndexError) as refusal:
        return None, type(refusal).__name__


# In place and out= ----------------------------------------------------------------------------------------------------

VIEWS = {
    "itself": (lambda x: x.clone(), lambda base: base, lambda x, new: new),
    "select": (
        lambda x: minigrad.stack([x, x]),
        lambda base: base[1],
        lambda x, new: minigrad.stack([x, new]),
    ),
    "strided": (
        lambda x: minigrad.stack([x, x], -1),
        lambda base: base.select(-1, 0),
        lambda x, new: minigrad.stack([new, x], -1),
    ),
    "transposed": (
        lambda x: x.permute(tuple(reversed(range(x.dim())))).clone(memory_format=minigrad.contiguous_format),
        lambda base: base.permute(tuple(reversed(range(base.dim())))),
        lambda x, new: new.permute(tuple(reversed(range(new.dim())))),
    ),
}


def check_in_place(row, data):
    """``op_`` on a view of a tensor writes what ``op`` returns, the tensor sees it, and gradients are those of a copy put together."""
    if row.order:
        wanted = [
            d
            for d in ("float64", "complex128")
            if d in row.dtypes and (d, row.rule) != ("complex128", "real")
        ]
    else:
        wanted = [d for d in row.dtypes if RULES[row.rule](d) == d or (row.rule, d) == ("bool", d)]
    case = data.draw(row.cases(wanted))
    whole = np.broadcast_shapes(*[o.shape for o in case.operands])
    first = replace(case.operands[0], shape=whole, layout="contiguous")
    case = replace(case, operands=[first, *case.operands[1:]])
    make, view, put = VIEWS[data.draw(st.sampled_from(list(VIEWS)))]
    versions = []

    def written(x, *others):
        base = make(x)
        before = base._version
        target = view(base)
        form = getattr(type(target), row.op + "_", None) or row.function(op=row.op + "_")
        assert form(target, *case.lead, *others, **case.keywords) is target
        versions.append((base._version > before) and base._version == target._version)
        return base

    def put_together(x, *others):
        return put(x, row.call(case)(x, *others).to(x.dtype))

    ours, copies = case.tensors(requires_grad=row.order > 0), case.tensors(requires_grad=row.order > 0)
    got, want = written(*ours), put_together(*copies)
    assert all(versions), "the version has not been counted up"
    assert got.dtype == want.dtype
    close(exactly(got), exactly(want), 1e-12)
    for x, y in zip(draws.gradients_of([got], ours), draws.gradients_of([want], copies), strict=True):
        close(exactly(x), exactly(y), 1e-10)
    if row.order:
        draws.gradients_agree(written, *case.operands, order=row.order)


def check_out(row, data):
    """``out=`` is filled with what the operator returns, resized if it is empty, refused if it cannot hold the dtype."""
    case = data.draw(row.cases())
    call, tensors = row.call(case), case.tensors()
    want = as_list(call(*tensors))

    def into(*outs):
        outs = outs[0] if len(outs) == 1 else outs
        return as_list(row.function()(*case.lead, *tensors, **case.keywords, out=outs))

    for outs in (
        [minigrad.empty(0, dtype=w.dtype) for w in want],
        [minigrad.stack([w, w], -1).select(-1, 0) for w in want],
        [minigrad.empty_like(w) for w in want],
    ):
        strides = [out.stride() for out in outs if out.shape == want[0].shape]
        returned = into(*outs)
        for r, out, w in zip(returned, outs, want, strict=True):
            assert r is out
            assert out.dtype == w.dtype
            assert out.shape == w.shape
            close(exactly(out), exactly(w), 0, atol=0)
        assert strides == [out.stride() for out in outs][: len(strides)], "strides of out= have changed"
    leaves = case.tensors(requires_grad=True)
    if row.order and any(x.requires_grad for x in leaves):
        with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
            outs = [minigrad.empty_like(w) for w in want]
            row.function()(
                *case.lead, *leaves, **case.keywords, out=outs[0] if len(outs) == 1 else tuple(outs)
            )


def check_out_torch(row, data):
    """PyTorch takes ``out=`` of the same dtypes, with the same values.

    Where it wants exactly the result's dtype, minigrad takes any that the result can be cast to.
    """
    torch = pytest.importorskip("torch")
    case = data.draw(row.cases([d for d in row.dtypes if d not in ("float16", "bfloat16")]))
    own = name_of(row_dtype(row, case))
    for dtype in (
        ("bool", "uint8", "int64", "float32", "float64", "complex128") if row.draw is None else (own,)
    ):
        results = []
        for module in (torch, minigrad):
            tensors = case.tensors(module)
            number = len(as_list(row.call(case, module)(*tensors)))
            outs = [module.empty(0, dtype=getattr(module, dtype)) for _ in range(number)]
            keywords = {**case.keywords, "out": outs[0] if number == 1 else tuple(outs)}
            function = row.function(module)
            results.append(attempt(lambda *t: function(*case.lead, *t, **keywords), tensors))
        (want, refusal), (got, our_refusal) = results
        if refusal == "TypeError" and row.draw is not None:
            continue  # of some functions PyTorch has no form without dim that takes out=
        if refusal == "IndexError" and any(0 in o.shape for o in case.operands):
            continue  # PyTorch's diff(out=) of nothing
        if refusal == "RuntimeError" and our_refusal is None:
            assert minigrad.can_cast(row_dtype(row, case), getattr(minigrad, dtype)), f"out of {dtype}"
            continue
        assert our_refusal == refusal, (
            f"out of {dtype}: {our_refusal or 'accepted'} and not {refusal or 'accepted'}"
        )
        for out, w in zip(got or (), want or (), strict=True):
            assert tuple(out.shape) == tuple(w.shape)
            close(
                exactly(out),
                exactly(w),
                max(draws.tolerance(*[o.dtype for o in case.operands], dtype, own), row.rtol or 0),
            )


def row_dtype(row, case):
    """The dtype of the result."""
    return getattr(minigrad, RULES[row.rule](case.operands[-1].dtype))
