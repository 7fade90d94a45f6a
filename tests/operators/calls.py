"""Rows of the table for operators of any arguments: how to draw those of a call, what the result is to be, and how that is checked.

A row names an operator as found in the package (``linalg.solve``, ``nn.functional.pad``, ``Tensor.expand``; what follows a
space tells two rows of one operator apart).  It gives a function that draws the arguments of one call from a ``Source``, and a
reference on NumPy arrays; without one, the result of contiguous operands in double precision stands for it.
"""

import inspect
import math
import warnings
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import minigrad
from tests.operators import draws
from tests.operators.transforms import Call

FLOATS, COMPLEX = ["float64", "float32", "float16"], draws.COMPLEX
#: Letters for the dtypes of a row: d for those that linear algebra knows, f for all floating ones.
KINDS = {"d": FLOATS[:2], "f": FLOATS, "c": COMPLEX, "i": draws.INTEGERS, "b": draws.BOOL}
APART = [name for name in draws.LAYOUTS if name not in ("expanded", "mixed")]


@dataclass(frozen=True, eq=False)
class Given:
    """An operand with given values; as an ``Operand``, it makes a tensor of either library."""

    array: np.ndarray
    layout: str = "contiguous"
    seed: int = 0

    @property
    def shape(self):
        return self.array.shape

    @property
    def dtype(self):
        return self.array.dtype.name

    def tensor(self, module=minigrad, requires_grad=False):
        x = module.tensor(self.array, dtype=getattr(module, self.dtype))
        return draws.lay(module, x, self).requires_grad_(requires_grad)


class Name(str):
    """The name of a dtype or of another object of the library's own, given by keyword."""


class Source:
    """What the rows draw from: shapes and parameters one by one, the values of an operand by a seed."""

    def __init__(self, draw, dtype, layouts):
        self.draw, self.dtype, self.layouts = draw, dtype, layouts
        self.rng = np.random.default_rng(draw(st.integers(0, 999)))

    def dense(self):
        """The same source, of contiguous operands."""
        return Source(self.draw, self.dtype, ["contiguous"])

    def size(self, low=0, high=3):
        return self.draw(st.integers(low, high))

    def shape(self, least=0, most=3, low=0, high=3):
        """Between ``least`` and ``most`` sizes from ``low`` to ``high``."""
        return tuple(self.draw(st.lists(st.integers(low, high), min_size=least, max_size=most)))

    def one_of(self, *choices):
        return self.draw(st.sampled_from(choices))

    def flag(self):
        return self.draw(st.booleans())

    def dim(self, shape):
        """A dim of ``shape``, counted from either end."""
        most = max(len(shape), 1)
        return self.draw(st.integers(-most, most - 1))

    def under(self, shape):
        """A shape that broadcasts to ``shape``."""
        kept = shape[self.size(0, len(shape)) :]
        return tuple(1 if self.size(0, 3) == 0 else n for n in kept)

    def order(self, n):
        """The numbers below ``n``, in any order."""
        return tuple(int(i) for i in self.rng.permutation(n))

    def floats(self, *shape, low=-2.0, high=2.0):
        """Different numbers between ``low`` and ``high``, in the dtype of this call."""
        values = self.spread(shape, low, high)
        kind = np.dtype(self.dtype).kind
        if kind == "c":
            values = values + 1j * self.spread(shape, low, high)
        elif kind == "b":
            values = values > (low + high) / 2
        elif kind in "iu":
            values = np.abs(np.round(values)) if kind == "u" else np.round(values)
        return self.given(values.astype(self.dtype))

    def spread(self, shape, low=-2.0, high=2.0):
        n = math.prod(shape)
        places = self.rng.permutation(n) + self.rng.uniform(0.2, 0.8, n)
        return (low + (high - low) * places / max(n, 1)).reshape(shape)

    def ints(self, *shape, low=0, high=3):
        """Integers from ``low`` up to, and without, ``high``."""
        return self.given(self.rng.integers(low, max(high, low + 1), shape))

    def bools(self, *shape):
        return self.given(self.rng.integers(0, 2, shape).astype(bool))

    def given(self, array):
        """The array as an operand in a layout that is drawn; values repeat along the dim that is expanded."""
        operand = Given(np.asarray(array), self.draw(st.sampled_from(self.layouts)), self.size(0, 3))
        for dim in draws.expanded_dims(operand):
            repeated = np.repeat(operand.array.take([0], axis=dim), operand.shape[dim], axis=dim)
            operand = Given(repeated, operand.layout, operand.seed)
        return operand


@dataclass
class Row:
    """An operator and how to check it."""

    name: str
    draw: Any
    reference: Any = None
    #: the dtypes whose results are compared with the reference, as letters of KINDS
    dtypes: str = "f"
    #: what to look at in place of the result, ``observe(torch, result)``: what does not depend on a choice of phase
    observe: Any = None
    #: what becomes of the tensors before they are the operator's, ``prepare(torch, *args)``: a symmetric part, say
    prepare: Any = None
    #: how many derivatives are checked
    order: int = 2
    #: whether PyTorch's strides are to be the same
    strides: bool = True
    #: the dtypes in which PyTorch is compared, as letters; the dtypes outside ``dtypes`` are mostly refused
    torch: str = "fcib"
    #: factor for the tolerance
    loose: float = 1.0
    #: whether values may repeat along a dim, so that operands may be expanded
    ties: bool = True
    #: False where PyTorch's out= is of another kind: it returns nothing, or records
    out: bool = True
    #: what vmap takes no batch of: places of operands, or letters for their kinds
    single: tuple = ()
    #: whether the result depends on where in memory the elements are: samples are then contiguous
    placed: bool = False

    @property
    def path(self):
        return self.name.split()[0]

    @property
    def names(self):
        return {self.path}

    def __str__(self):
        return self.name

    def function(self, module=minigrad):
        return attrgetter(self.path)(module)

    def arguments(self, data, letters):
        return data.draw(calls(self, dtypes_of(letters)))

    def example(self, data):
        """A call in double precision, to be batched."""
        arguments = data.draw(calls(self, doubles_of(self) or dtypes_of(self.dtypes)))
        return Call(
            lambda *tensors: evaluate(minigrad, self, arguments, tensors),
            operands_in(arguments),
            self.single,
            self.placed,
        )

    has_reference = True
    draws_layouts = True  # values and derivatives are checked for operands in every layout

    @property
    def takes_out(self):
        function = self.function()
        return self.out and "out" in inspect.signature(function).parameters and self.observe is None

    @property
    def in_place(self):
        return self.prepare is None and self.observe is None and self.form is not None

    @property
    def form(self):
        """The method that does the same in place, if there is one."""
        name = f"{self.path.rpartition('.')[2]}_"
        return (
            getattr(minigrad.Tensor, name, None) if self.path.rpartition(".")[0] in ("", "Tensor") else None
        )

    def check_values(self, data):
        values_agree(self, self.arguments(data, self.dtypes))

    def check_gradients(self, data):
        derivatives_agree(self, data.draw(calls(self, doubles_of(self))))

    def check_torch(self, data):
        pytorch_agrees(pytest.importorskip("torch"), self, self.arguments(data, self.torch))

    def check_out(self, data):
        out_agrees(self, self.arguments(data, self.dtypes))

    def check_in_place(self, data):
        in_place_agrees(self, data.draw(calls(self, doubles_of(self) or dtypes_of(self.dtypes))))


def split_arguments(arguments):
    """What a row drew as a tuple and a dict: the dict, if any, is last."""
    arguments = arguments if type(arguments) is tuple else (arguments,)
    return (arguments[:-1], arguments[-1]) if arguments and type(arguments[-1]) is dict else (arguments, {})


def operands_in(value):
    """All operands in nested arguments."""
    if isinstance(value, Given):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [a for v in value for a in operands_in(v)] if isinstance(value, tuple | list) else []


def replaced(value, supply):
    """Nested arguments with what the iterator ``supply`` gives for the operands, in order."""
    if isinstance(value, Given):
        return next(supply)
    if type(value) in (tuple, list):
        return type(value)(replaced(v, supply) for v in value)
    return {k: replaced(v, supply) for k, v in value.items()} if isinstance(value, dict) else value


@st.composite
def calls(draw, row, dtypes):
    """The arguments of a call, with operands in them."""
    return row.draw(Source(draw, draw(st.sampled_from(dtypes)), draws.LAYOUTS if row.ties else APART))


def evaluate(torch, row, arguments, tensors):
    """What is looked at in the operator's result, as a list; the tensors take the operands' places."""
    args, kwargs = split_arguments(replaced(arguments, iter(tensors)))
    kwargs = {k: getattr(torch, v) if isinstance(v, Name) else v for k, v in kwargs.items()}
    if row.prepare is not None:
        args = row.prepare(torch, *args)
    out = attrgetter(row.path)(torch)(*args, **kwargs)
    return draws.as_list(out if row.observe is None else row.observe(torch, out))


def values_agree(row, arguments):
    """Assert that the result, in any dtype and layout, is the reference's, and that the operands keep their values."""
    operands = operands_in(arguments)
    tensors = [o.tensor() for o in operands]
    found = evaluate(minigrad, row, arguments, tensors)
    for operand, x in zip(operands, tensors):
        np.testing.assert_array_equal(draws.exactly(x), operand.array, err_msg="an operand was modified")
    wide = [draws.wide(o.array) for o in operands]
    if row.reference is None:
        expected = evaluate(minigrad, row, arguments, [minigrad.tensor(a) for a in wide])
    else:
        args, kwargs = split_arguments(replaced(arguments, iter(wide)))
        with np.errstate(all="ignore"):
            expected = draws.as_list(row.reference(*args, **kwargs))
    assert len(found) == len(expected)
    for got, want in zip(found, expected):
        want = draws.exactly(want) if isinstance(want, minigrad.Tensor) else np.asarray(want)
        got = draws.exactly(got) if isinstance(got, minigrad.Tensor) else np.asarray(got)
        assert got.shape == want.shape
        near(got, want, row.loose * draws.tolerance(got.dtype.name, *[o.dtype for o in operands]))


def near(got, want, rtol):
    if got.dtype.kind in "fc":
        want = want.astype(np.result_type(want.dtype, np.float64))
    draws.close(got, want, rtol)


def derivatives_agree(row, arguments):
    """Assert that first and second derivatives are those of central differences, whatever the operands' layouts."""

    def function(*tensors):
        return [v for v in evaluate(minigrad, row, arguments, tensors) if isinstance(v, minigrad.Tensor)]

    draws.gradients_agree(function, *operands_in(arguments), order=row.order, rtol=1e-4, atol=1e-5)


def attempt(torch, row, arguments):
    """The results, or the error."""
    try:
        return evaluate(torch, row, arguments, [o.tensor(torch) for o in operands_in(arguments)])
    except Exception as error:  # whatever it is, the other library is to raise the same
        return error


def pytorch_agrees(torch, row, arguments):
    """Assert that PyTorch gives the same values, dtypes and strides, or refuses with the same type of error.

    Whether nothing at all gets as far as a kernel that does not know its dtype is not compared, nor are strides of what comes from expanded operands: which of their dims is outermost is anybody's guess.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        theirs, ours = attempt(torch, row, arguments), attempt(minigrad, row, arguments)
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        unknown = {type(theirs), type(ours)} & {NotImplementedError}
        if unknown and any(0 in o.shape for o in operands_in(arguments)):
            return
        assert type(theirs).__name__ == type(ours).__name__, f"PyTorch: {theirs!r}\nhere: {ours!r}"
        return
    assert len(ours) == len(theirs)
    for our, their in zip(ours, theirs):
        if not isinstance(their, torch.Tensor):
            assert our == their
            continue
        assert (str(our.dtype), tuple(our.shape)) == (str(their.dtype), tuple(their.shape)), row.name
        if row.strides and their.numel() and not any(draws.expanded_dims(o) for o in operands_in(arguments)):
            assert draws.strides_of(our) == draws.strides_of(their)
        dtypes = [draws.name_of(our.dtype), *[o.dtype for o in operands_in(arguments)]]
        near(
            draws.exactly(our),
            draws.exactly(their.resolve_conj().resolve_neg()),
            row.loose * draws.tolerance(*dtypes),
        )


def dtypes_of(letters):
    return [name for letter in letters for name in KINDS[letter]]


def doubles_of(row):
    """The dtypes in which derivatives can be compared with differences."""
    return ["float64"] * ("f" in row.dtypes or "d" in row.dtypes) + ["complex128"] * ("c" in row.dtypes)


def out_agrees(row, arguments):
    """Assert that ``out=`` is filled with the results, resized if it is empty, and refused where gradients are wanted."""
    operands = operands_in(arguments)
    want = evaluate(minigrad, row, arguments, [o.tensor() for o in operands])

    def into(outs, tensors):
        args, kwargs = split_arguments(arguments)
        kwargs = {**kwargs, "out": outs[0] if len(outs) == 1 else tuple(outs)}
        return evaluate(minigrad, row, (*args, kwargs), tensors)

    for outs in (
        [minigrad.empty(0, dtype=w.dtype) for w in want],
        [minigrad.stack([w, w], -1).select(-1, 0) for w in want],
    ):
        strides = [(out, out.stride()) for out, w in zip(outs, want) if out.shape == w.shape]
        returned = into(outs, [o.tensor() for o in operands])
        for r, out, w in zip(returned, outs, want, strict=True):
            assert r is out
            assert (out.dtype, out.shape) == (w.dtype, w.shape)
            np.testing.assert_array_equal(draws.exactly(out), draws.exactly(w))
        assert all(out.stride() == stride for out, stride in strides), "strides of out= have changed"
    leaves = [o.tensor(requires_grad=draws.differentiable(o)) for o in operands]
    if row.order and any(out.requires_grad for out in evaluate(minigrad, row, arguments, leaves)):
        with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
            into([minigrad.empty_like(w) for w in want], leaves)


def in_place_agrees(row, arguments):
    """Assert that the method ``op_`` writes what the operator returns, with its gradients."""
    operands = operands_in(arguments)
    want = evaluate(minigrad, row, arguments, [o.tensor() for o in operands])[0]

    def written(x, *others):
        args, kwargs = split_arguments(replaced(arguments, iter([x.clone(), *others])))
        args = list(args)
        target = args.pop(next(i for i, a in enumerate(args) if isinstance(a, minigrad.Tensor)))
        assert row.form(target, *args, **kwargs) is target
        return target

    try:
        got = written(*[o.tensor() for o in operands])
    except RuntimeError as refusal:
        assert "doesn't match the broadcast shape" in str(refusal) and want.shape != operands[0].shape
        return
    assert got.dtype == operands[0].tensor().dtype
    draws.close(draws.exactly(got), draws.exactly(want.to(got.dtype)), 1e-12)
    if row.order:
        ours, copies = ([o.tensor(requires_grad=draws.differentiable(o)) for o in operands] for _ in range(2))
        found, expected = written(*ours), evaluate(minigrad, row, arguments, copies)[0]
        for x, y in zip(
            draws.gradients_of([found], ours), draws.gradients_of([expected], copies), strict=True
        ):
            assert (x is None) == (y is None)
            if x is not None:
                draws.close(draws.exactly(x), draws.exactly(y), 1e-10)
