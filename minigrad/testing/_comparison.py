"""``assert_close``: whether numbers, tensors, and containers of them are equal up to a tolerance, and if not, where not.

First all pairs of leaves are made, then they are compared: a container of the wrong length is reported before a wrong value.
"""

import cmath
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import _api
from .._base.device import sparse_bsr, sparse_csr
from .._base.dtypes import (
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int64,
    uint16,
    uint32,
    uint64,
)

#: dtype -> (rtol, atol); what is not here is compared exactly.
_TOLERANCES = {
    float16: (1e-3, 1e-5),
    bfloat16: (1.6e-2, 1e-5),
    float32: (1.3e-6, 1e-5),
    float64: (1e-7, 1e-7),
    complex64: (1.3e-6, 1e-5),
    complex128: (1e-7, 1e-7),
}
_NUMBERS = (int, float, complex, np.number)
_OF_NUMBER = {bool: int64, int: int64, float: float64, complex: complex128}


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise AssertionError unless ``|actual - expected| <= atol + rtol * |expected|`` everywhere.

    Compares tensors and what ``as_tensor`` takes for one, numbers, None, and sequences and mappings of those.  Without tolerances, those
    of the dtypes hold (float32: 1.3e-6 and 1e-5; integers: none).  ``msg`` replaces the message, or is a function of it.  Raises
    ValueError if only one tolerance is given, TypeError for what cannot be compared.

    >>> import minigrad
    >>> minigrad.testing.assert_close(minigrad.ones(2), minigrad.tensor([1.0, 1.5]))
    Traceback (most recent call last):
      ...
    AssertionError: Tensor-likes are not close!
    <BLANKLINE>
    Mismatched elements: 1 / 2 (50.0%)
    Greatest absolute difference: 0.5 at index (1,) (up to 1e-05 allowed)
    Greatest relative difference: 0.3333333432674408 at index (1,) (up to 1.3e-06 allowed)
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    options = _Options(
        allow_subclasses, rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride
    )
    error = None
    try:
        pairs = list(_pairs(actual, expected, (), options))
    except _Failed as failed:
        error = failed.error()
    else:
        with _api.no_grad():
            for pair in pairs:
                try:
                    pair.compare()
                except _Failed as failed:
                    error = failed.error(msg)
                    break
    if error is not None:
        raise error


#: dtype -> (rtol, atol) of ``assert_allclose``, which compares the others exactly.
_LENIENT = {float16: (1e-3, 1e-3), float32: (1e-4, 1e-5), float64: (1e-5, 1e-8)}


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """Deprecated: ``assert_close`` that compares values only, not dtypes, by wider tolerances (float32: 1e-4 and 1e-5); nans are equal.

    >>> import minigrad
    >>> minigrad.testing.assert_allclose([1.0, 2.0], minigrad.tensor([1.0, 2.0001]))
    """
    __tracebackhide__ = True
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. "
        "Please use `torch.testing.assert_close()` instead.",
        FutureWarning,
        stacklevel=2,
    )
    if not isinstance(actual, _api.Tensor):
        actual = _api.tensor(actual)
    if not isinstance(expected, _api.Tensor):
        expected = _api.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        known = [_LENIENT.get(x.dtype, (0.0, 0.0)) for x in (actual, expected)]
        rtol, atol = map(max, zip(*known))
    assert_close(
        actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None
    )


class _Options:
    atol: Any
    rtol: Any

    __slots__ = (
        "allow_subclasses", "rtol", "atol", "equal_nan", "check_device", "check_dtype", "check_layout", "check_stride",
    )  # fmt: skip

    def __init__(self, *values: Any) -> None:
        for name, value in zip(self.__slots__, values):
            setattr(self, name, value)

    def tolerances(self, place: Any, *dtypes: Any) -> Any:
        """The pair (rtol, atol): as given, or the largest of those of the dtypes."""
        if (self.rtol is None) is not (self.atol is None):
            missing = "rtol" if self.rtol is None else "atol"
            raise _Failed(
                ValueError,
                f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.",
                place,
            )
        if self.rtol is not None:
            return self.rtol, self.atol
        known = [_TOLERANCES.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        return tuple(map(max, zip(*known)))


class _Failed(Exception):
    """A comparison that failed, at a place in the containers."""

    def __init__(self, kind: Any, message: Any, place: Any) -> None:
        self.kind, self.message, self.place = kind, message, place

    def error(self, msg: Any = None) -> Any:
        """The exception for the user, with the user's own message if there is one."""
        if isinstance(msg, str):
            return self.kind(msg)
        text = self.message
        if self.place:
            text += f"\n\nThe failure occurred for item {''.join(f'[{key!r}]' for key in self.place)}"
        return self.kind(text if msg is None else msg(text))


# From containers to pairs ----------------------------------------------------------------------------------------------------


def _pairs(actual, expected, place, options):
    """The pairs of leaves of two containers of the same structure."""
    if _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            raise _Failed(
                AssertionError,
                f"The length of the sequences mismatch: {len(actual)} != {len(expected)}",
                place,
            )
        for i in range(len(actual)):
            yield from _pairs(actual[i], expected[i], (*place, i), options)
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        for key in _common_keys(actual, expected, place):
            yield from _pairs(actual[key], expected[key], (*place, key), options)
    else:
        yield _pair(actual, expected, place, options)


def _is_sequence(value):
    return isinstance(value, Sequence) and not isinstance(value, str)  # a letter is a string of letters again


def _common_keys(actual, expected, place):
    ours, theirs = set(actual), set(expected)
    if ours != theirs:
        raise _Failed(
            AssertionError,
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {sorted(theirs - ours)}\n"
            f"Additional keys in the actual mapping: {sorted(ours - theirs)}",
            place,
        )
    try:
        return sorted(ours)
    except TypeError:  # keys without an order
        return list(actual)


def _pair(actual, expected, place, options):
    """Two leaves that can be compared; raises ``_Failed`` with TypeError for others."""
    if actual is None or expected is None:
        return _Nones(actual, expected, place)
    if isinstance(actual, (bool, np.bool_)) and isinstance(expected, (bool, np.bool_)):
        return _Booleans(bool(actual), bool(expected), place)
    if isinstance(actual, _NUMBERS) and isinstance(expected, _NUMBERS):
        return _Numbers(_as_python(actual), _as_python(expected), place, options)
    if isinstance(actual, type(expected)) or isinstance(expected, type(actual)):
        tensors = _as_tensors(actual, expected)
        if tensors is not None and (options.allow_subclasses or type(actual) is type(expected)):
            return _Tensors(*tensors, place, options)
    raise _Failed(
        TypeError,
        f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.",
        place,
    )


def _as_python(number):
    return number.item() if isinstance(number, np.number) else number


def _as_tensors(actual, expected):
    """Both as tensors; None if one of them cannot be."""
    try:
        return [x if isinstance(x, _api.Tensor) else _api.as_tensor(x) for x in (actual, expected)]
    except (TypeError, ValueError, RuntimeError):
        return None


# Pairs -------------------------------------------------------------------------------------------------------------------------


class _Pair:
    """Two leaves at a place in their containers."""

    __slots__ = ("actual", "expected", "place")

    def __init__(self, actual: Any, expected: Any, place: Any) -> None:
        self.actual, self.expected, self.place = actual, expected, place

    def fail(self, message: Any) -> Any:
        raise _Failed(AssertionError, message, self.place)


class _Nones(_Pair):
    __slots__ = ()

    def compare(self) -> None:
        if self.actual is not None or self.expected is not None:
            self.fail(f"None mismatch: {self.actual} is not {self.expected}")


class _Booleans(_Pair):
    __slots__ = ()

    def compare(self) -> None:
        if self.actual is not self.expected:
            self.fail(f"Booleans mismatch: {self.actual} is not {self.expected}")


class _Numbers(_Pair):
    __slots__ = ("options", "rtol", "atol")

    def __init__(self, actual: Any, expected: Any, place: Any, options: Any) -> None:
        super().__init__(actual, expected, place)
        self.options = options
        dtypes = (_OF_NUMBER.get(type(x), float64) for x in (actual, expected))
        self.rtol, self.atol = options.tolerances(place, *dtypes)

    def compare(self) -> None:
        x, y = self.actual, self.expected
        if self.options.check_dtype and type(x) is not type(y):
            self.fail(f"The (d)types do not match: {type(x)} != {type(y)}.")
        if x == y or (self.options.equal_nan and cmath.isnan(x) and cmath.isnan(y)):
            return
        difference = abs(x - y)
        if cmath.isfinite(difference) and difference <= self.atol + self.rtol * abs(y):
            return
        self.fail(_of_numbers(x, y, self.rtol, self.atol))


class _Tensors(_Pair):
    __slots__ = ("options", "rtol", "atol")

    def __init__(self, actual: Any, expected: Any, place: Any, options: Any) -> None:
        super().__init__(actual, expected, place)
        self.options = options
        self.rtol, self.atol = options.tolerances(place, actual.dtype, expected.dtype)

    def compare(self) -> None:
        self.compare_attributes()
        x, y = self.actual.detach(), self.expected.detach()
        if x.layout is not y.layout:
            x, y = x.to_dense(), y.to_dense()
        if x.layout is _api.strided:
            self.compare_elements(x, y, self.rtol, self.atol)
        else:
            self.compare_sparse(x, y)

    def compare_elements(self, x: Any, y: Any, rtol: float, atol: float, what: str = "Tensor-likes") -> None:
        """Fail unless the elements of two dense tensors are close; ``what`` they are is said in the message."""
        x, y = _in_one_dtype(x, y)
        matches = _api.isclose(x, y, rtol=rtol, atol=atol, equal_nan=self.options.equal_nan)
        if _api.all(matches):
            return
        if x.ndim:
            self.fail(_of_tensors(x, y, matches, rtol, atol, what))
        self.fail(_of_numbers(x.item(), y.item(), rtol, atol))

    def compare_sparse(self, x: Any, y: Any) -> None:
        """Fail unless two sparse tensors of one layout keep close values at equal places, in the same order."""
        kind = f"sparse {str(x.layout)[13:].upper()}"
        counts = [("specified values", x._nnz(), y._nnz())]
        if x.layout is _api.sparse_coo:
            counts.insert(0, ("sparse dimensions", x.sparse_dim(), y.sparse_dim()))
            names = ["_indices", "_values"]
        else:
            by_row = x.layout in (sparse_csr, sparse_bsr)
            names = [
                *(("crow_indices", "col_indices") if by_row else ("ccol_indices", "row_indices")),
                "values",
            ]
        for what, a, b in counts:
            if a != b:
                self.fail(f"The number of {what} in {kind} tensors does not match: {a} != {b}")
        for name in names:
            rtol, atol = (self.rtol, self.atol) if name.endswith("values") else (0, 0)
            a, b = getattr(x, name)(), getattr(y, name)()
            self.compare_elements(a, b, rtol, atol, f"S{kind[1:]} {name.lstrip('_')}")

    def compare_attributes(self) -> None:
        """Fail at the first attribute that differs."""
        options = self.options
        wanted = (
            ("shape", True),
            ("layout", options.check_layout),
            ("stride()", options.check_stride),
            ("device", options.check_device),
            ("dtype", options.check_dtype),
        )
        for name, asked in wanted:
            if not asked:
                continue
            x, y = (
                t.stride() if name == "stride()" else getattr(t, name) for t in (self.actual, self.expected)
            )
            if x != y:
                self.fail(f"The values for attribute '{name}' do not match: {x} != {y}.")


def _in_one_dtype(x, y):
    if x.dtype is y.dtype:
        return x, y
    unsigned = (uint16, uint32, uint64)  # promotion refuses them
    common = _api.promote_types(*(int64 if t.dtype in unsigned else t.dtype for t in (x, y)))
    return x.to(common), y.to(common)


# Messages ----------------------------------------------------------------------------------------------------------------------


def _of_numbers(x, y, rtol, atol):
    exact = rtol == atol == 0
    absolute = abs(x - y)
    relative = absolute / abs(y) if y else float("inf")
    return "\n".join(
        (
            f"Scalars are not {'equal' if exact else 'close'}!\n",
            f"Expected {y} but got {x}.",
            f"Absolute difference: {absolute}{_allowed(atol, exact)}",
            f"Relative difference: {relative}{_allowed(rtol, exact)}",
        )
    )


def _of_tensors(x, y, matches, rtol, atol, what):
    exact = rtol == atol == 0
    if x.dtype.category < float32.category:
        x, y = x.to(int64), y.to(int64)
    difference = (x - y).abs()
    wrong = matches.numel() - int(matches.sum())
    lines = [
        f"{what} are not {'equal' if exact else 'close'}!\n",
        f"Mismatched elements: {wrong} / {matches.numel()} ({wrong / matches.numel():.1%})",
    ]
    for kind, values, tolerance in (
        ("absolute", difference, atol),
        ("relative", difference / y.abs(), rtol),
    ):
        values = values.masked_fill(matches, 0).flatten()  # an allowed difference may be the greatest
        greatest, place = values.max(0)
        index = tuple(int(i) for i in np.unravel_index(int(place), matches.shape))
        lines.append(
            f"Greatest {kind} difference: {greatest.item()} at index {index}{_allowed(tolerance, exact)}"
        )
    return "\n".join(lines)


def _allowed(tolerance, exact):
    return "" if exact else f" (up to {tolerance} allowed)"
