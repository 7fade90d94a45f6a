"""Complex numbers: ONNX's operators compute none, so each tensor of them is two values, the real and the imaginary parts."""

from collections.abc import Iterator
from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ..errors import ConversionError
from ._common import result_dtype
from ._registry import exporter, find


class Complex:
    """A value of complex numbers, as two."""

    __slots__ = ("imag", "real")

    def __init__(self, real: Any, imag: Any) -> None:
        self.real, self.imag = real, imag

    def __iter__(self) -> Iterator[Any]:
        return iter((self.real, self.imag))


#: Operators whose exporters take complex numbers themselves.
OF_BOTH_KINDS = frozenset(("istft", "fft_fft"))
#: Operators that do to the real parts and to the imaginary ones what they do to numbers.
_PART_BY_PART = frozenset(
    [
        "alias",
        "cat",
        "chunk",
        "clone",
        "concat",
        "contiguous",
        "detach",
        "expand",
        "expand_as",
        "flatten",
        "flip",
        "getitem",
        "index_select",
        "mean",
        "movedim",
        "mT",
        "narrow",
        "neg",
        "permute",
        "repeat",
        "reshape",
        "roll",
        "select",
        "split",
        "squeeze",
        "stack",
        "sum",
        "swapaxes",
        "T",
        "tile",
        "transpose",
        "unbind",
        "unflatten",
        "unsqueeze",
        "view",
    ]
)


def has_complex(values: Any) -> bool:
    """Whether a value of complex numbers is among arguments."""
    if isinstance(values, Complex):
        return True
    if isinstance(values, dict):
        return any(map(has_complex, values.values()))
    return isinstance(values, (tuple, list)) and any(map(has_complex, values))


def applied(g: Builder, name: str, function: Any, args: Any, kwargs: Any) -> Any:
    """What an operator gives for complex numbers; ConversionError for one that is not written for these."""
    own = _OF_COMPLEX.get(name)
    if own is not None:
        return own(g, *args, **kwargs)
    if name not in _PART_BY_PART:
        raise ConversionError(
            f"{name} of complex numbers has no form in ONNX: view_as_real gives their parts"
        )
    real, imag = (function(g, *_parts(args, number), **_parts(kwargs, number)) for number in range(2))
    if isinstance(real, tuple):
        return tuple([Complex(*each) for each in zip(real, imag, strict=True)])
    return Complex(real, imag)


def _parts(values, number):
    if isinstance(values, Complex):
        return values.imag if number else values.real
    if isinstance(values, dict):
        return {key: _parts(each, number) for key, each in values.items()}
    if isinstance(values, (tuple, list)):
        return type(values)([_parts(each, number) for each in values])
    if isinstance(values, Value):
        raise ConversionError("complex numbers beside others have no form in ONNX")
    return values


def _as_complex(x):
    return (
        x if isinstance(x, Complex) else Complex(x.real, x.imag) if isinstance(x, complex) else Complex(x, 0)
    )


def _add(g: Builder, input: Any, other: Any, alpha: Any = 1) -> Complex:
    return _sums(g, "add", input, other, alpha)


def _sub(g: Builder, input: Any, other: Any, alpha: Any = 1) -> Complex:
    return _sums(g, "sub", input, other, alpha)


def _sums(g, name, input, other, alpha):
    compute: Any = find(name)
    pairs = zip(_as_complex(input), _as_complex(other))
    return Complex(*[_number_last(g, compute, a, b, alpha) for a, b in pairs])


def _number_last(g, compute, a, b, alpha):
    a = a if isinstance(a, Value) else g.constant(float(a), result_dtype(g))
    return compute(g, a, b, alpha=alpha)


def _mul(g: Builder, input: Any, other: Any) -> Complex:
    a, b = _as_complex(input), _as_complex(other)
    if not isinstance(input, Complex) or not isinstance(other, Complex):  # scaled by a real number
        a, b = (a, b) if isinstance(input, Complex) else (b, a)
        if not (isinstance(b.imag, Value) or b.imag):
            return Complex(*[g.op("Mul", x, b.real) for x in a])
    real = g.op("Sub", g.op("Mul", a.real, b.real), g.op("Mul", a.imag, b.imag))
    return Complex(real, g.op("Add", g.op("Mul", a.real, b.imag), g.op("Mul", a.imag, b.real)))


def _div(g: Builder, input: Any, other: Any) -> Complex:
    if not isinstance(other, Complex):
        return Complex(*[g.op("Div", x, other) for x in input])
    square = g.op("Add", g.op("Mul", other.real, other.real), g.op("Mul", other.imag, other.imag))
    product = _mul(g, input, _conj(g, other))
    return Complex(*[g.op("Div", x, square) for x in product])


@exporter("conj", "conj_physical")
def _conj(g: Builder, input: Any) -> Any:
    return Complex(input.real, g.op("Neg", input.imag)) if isinstance(input, Complex) else input


@exporter("resolve_conj", "resolve_neg")
def _resolved(g: Builder, input: Any) -> Any:
    return input


@exporter("real")
def _real(g: Builder, input: Any, *name: str) -> Value:
    return input.real if isinstance(input, Complex) else input


@exporter("imag", "view_as_real")
def _of_complex_only(g: Builder, input: Complex, *name: str) -> Value:
    raise ConversionError(f"{g.operator} takes complex numbers")


def _imag(g: Builder, input: Complex, *name: str) -> Value:
    return input.imag


def _abs(g: Builder, input: Complex) -> Value:
    hypot: Any = find("hypot")
    return hypot(g, input.real, input.imag)


def _angle(g: Builder, input: Complex) -> Value:
    atan2: Any = find("atan2")
    return atan2(g, input.imag, input.real)


def _view_as_real(g: Builder, input: Complex) -> Value:
    last = len(input.real.shape)
    return g.op("Concat", *[g.unsqueeze(x, last) for x in input], axis=last)


_OF_COMPLEX: dict[str, Any] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div": _div,
    "__add__": _add,
    "__sub__": _sub,
    "__mul__": _mul,
    "__rmul__": _mul,
    "__truediv__": _div,
    "conj": _conj,
    "conj_physical": _conj,
    "resolve_conj": _resolved,
    "resolve_neg": _resolved,
    "real": _real,
    "imag": _imag,
    "abs": _abs,
    "__abs__": _abs,
    "angle": _angle,
    "view_as_real": _view_as_real,
}


@exporter("view_as_complex")
def view_as_complex(g: Builder, input: Value) -> Complex:
    last = len(input.shape) - 1
    parts = [g.op("Gather", input, g.constant(i, dtypes.int64), axis=last) for i in range(2)]
    return Complex(*parts)


@exporter("complex")
def complex_(g: Builder, real: Value, imag: Value) -> Complex:
    return Complex(g.op("Expand", real, g.ints(g.result_shape)), g.op("Expand", imag, g.ints(g.result_shape)))


@exporter("polar")
def polar(g: Builder, abs: Value, angle: Value) -> Complex:
    return Complex(g.op("Mul", abs, g.op("Cos", angle)), g.op("Mul", abs, g.op("Sin", angle)))
