"""Data types: PyTorch's names for NumPy's dtypes, their categories, and the rules of promotion.

A ``dtype`` is a thin, unique object around a NumPy dtype.  Arrays know only NumPy's side; ``of`` leads back.
``bfloat16`` is NumPy's only through the ``ml_dtypes`` package, which is imported when it is first asked for.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import type_name
from .extras import missing_extra, warn_of_old_numpy
from .publishing import publish
from .sealed import seal

BOOL, INTEGER, FLOATING, COMPLEX = range(4)  # categories, weakest first


class dtype:
    """The type of a tensor's elements, such as ``minigrad.float32``.

    >>> import minigrad
    >>> minigrad.float32.is_floating_point, minigrad.float32.itemsize
    (True, 4)
    """

    name: str
    category: Any
    rank: int
    aliases: Any

    __slots__ = ("name", "aliases", "category", "itemsize", "rank", "_np")

    def __init__(self, name: str, category: Any, rank: int, aliases: Any = (), numpy: Any = None) -> None:
        self.name, self.category, self.rank, self.aliases = name, category, rank, aliases
        self._np = numpy
        self.itemsize = 2 if numpy is None else numpy.itemsize

    @property
    def np(self) -> Any:
        """The NumPy dtype that holds such elements; ``bfloat16`` needs the ``ml_dtypes`` package."""
        if self._np is None:
            if self.name in WITHOUT_TENSORS:
                raise TypeError(f"there are no tensors of {self}: NumPy has no such dtype")
            try:
                import ml_dtypes
            except ImportError:
                raise missing_extra("bfloat16", "ml_dtypes", "io") from None
            warn_of_old_numpy("bfloat16", "io")
            self._np = np.dtype(ml_dtypes.bfloat16)
            of[self._np] = self
            for call in _waiting_for_bfloat16:
                call(self._np)
        return self._np

    is_floating_point: Any = property(
        lambda self: self.category == FLOATING, doc="Whether it holds real numbers."
    )
    is_complex: Any = property(lambda self: self.category == COMPLEX, doc="Whether it holds complex numbers.")

    @property
    def is_signed(self) -> Any:
        """Whether it has negative numbers; raises RuntimeError for bits, which are no numbers, and for quantised ones, which stand for others."""
        if self.name.startswith("bits"):
            raise RuntimeError("Bits types are undefined")
        if self.name[0] == "q":
            raise RuntimeError("isSignedType not supported for quantized types")
        return self.name.startswith("int") or (self.category >= FLOATING and self.name != "float8_e8m0fnu")

    def to_complex(self) -> Any:
        """The complex dtype whose parts have this dtype."""
        if self.category == COMPLEX:
            return self
        if self.category < FLOATING or self.rank is None:
            raise RuntimeError(f"Unknown Complex ScalarType for {scalar_type_name(self)}")
        return {float16: complex32, float64: complex128}.get(self, complex64)

    def to_real(self) -> Any:
        """The dtype of the real part."""
        return {complex32: float16, complex64: float32, complex128: float64}.get(self, self)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return self.name  # pickled by reference: a dtype is unique

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


publish("minigrad", dtype)


def _numpy(name, category, rank, *aliases):
    return dtype(name, category, rank, aliases, np.dtype("bool" if name == "bool" else name))


bool_ = _numpy("bool", BOOL, 0)
uint8 = _numpy("uint8", INTEGER, 1)
int8 = _numpy("int8", INTEGER, 1)
int16 = _numpy("int16", INTEGER, 2, "short")
int32 = _numpy("int32", INTEGER, 3, "int")
int64 = _numpy("int64", INTEGER, 4, "long")
uint16 = _numpy("uint16", INTEGER, 5)
uint32 = _numpy("uint32", INTEGER, 6)
uint64 = _numpy("uint64", INTEGER, 7)
float16 = _numpy("float16", FLOATING, 1, "half")
bfloat16 = dtype("bfloat16", FLOATING, 1)
float32 = _numpy("float32", FLOATING, 2, "float")
float64 = _numpy("float64", FLOATING, 3, "double")
complex64 = _numpy("complex64", COMPLEX, 2, "cfloat")
complex128 = _numpy("complex128", COMPLEX, 3, "cdouble")

ALL = (
    bool_, uint8, int8, int16, int32, int64, uint16, uint32, uint64,
    float16, bfloat16, float32, float64, complex64, complex128,
)  # fmt: skip


def _without_tensors(names, category, itemsize=1):
    for name in names.split():
        made = dtype(name, category, None)
        made.itemsize = itemsize
        yield name, made


#: What programs can name, and ask about, but no tensor can have.
WITHOUT_TENSORS = dict(
    [
        *_without_tensors("float4_e2m1fn_x2", FLOATING),
        *_without_tensors("bits8 bits1x8 bits2x4 bits4x2", INTEGER),
        *_without_tensors("bits16", INTEGER, 2),
        *_without_tensors(" ".join(f"int{n} uint{n}" for n in range(1, 8)), INTEGER),
        *_without_tensors("qint8 quint8 quint4x2 quint2x4", INTEGER),
        *_without_tensors("qint32", INTEGER, 4),
    ]
)
globals().update(WITHOUT_TENSORS)

#: The names of the eight-bit floats; the last has no sign.
FLOAT8 = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu")

#: What NumPy has no type for: tensors of these keep bytes (see ``_arrays/packed.py``).
float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu, complex32 = PACKED = [
    *[dtype(name, FLOATING, None, (), np.dtype([(name, "V1")])) for name in FLOAT8],  # type: ignore[arg-type]
    dtype("complex32", COMPLEX, 1, ("chalf",), np.dtype([("complex32", "V4")])),
]
seal(dtype)

#: NumPy dtype -> dtype.  Keys compare by value, so a dtype that was unpickled or byte-swapped to native finds its own.
of = {d._np: d for d in (*ALL, *PACKED) if d._np is not None}

#: Names that users may write: ``minigrad.float32`` and the aliases, such as ``minigrad.long``.
PUBLIC = {name: d for d in ALL for name in (d.name, *d.aliases)}

_waiting_for_bfloat16: list[Callable[[np.dtype], object]] = []


def when_bfloat16(call):
    """Let ``call(np_dtype)`` know of NumPy's bfloat16 when the package that defines it has been imported."""
    _waiting_for_bfloat16.append(call)
    if bfloat16._np is not None:
        call(bfloat16._np)


_default = float32


def get_default_dtype() -> Any:
    """Return the dtype of tensors made from Python floats, initially ``float32``.

    >>> import minigrad
    >>> minigrad.get_default_dtype()
    torch.float32
    """
    return _default


def set_default_dtype(d: dtype, /) -> None:
    """Set the dtype of tensors made from Python floats to ``d``.

    Raises TypeError if ``d`` is not a floating-point dtype.

    >>> import minigrad
    >>> minigrad.set_default_dtype(minigrad.float32)
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if d.category != FLOATING:
        raise TypeError("only floating-point types are supported as the default type")
    if d.rank is None:
        raise TypeError(f"couldn't find storage object {scalar_type_name(d)}Storage")
    _default = d


def default_complex():
    """The complex dtype that goes with the default dtype."""
    return _default.to_complex()


def from_numpy_dtype(np_dtype: Any) -> Any:
    """The dtype for a NumPy dtype; raises PyTorch's TypeError for one that no tensor can have."""
    found = of.get(np_dtype)
    if found is None and np_dtype.name == "bfloat16" and bfloat16.np == np_dtype:
        return bfloat16
    if found is None:
        raise TypeError(
            f"can't convert np.ndarray of type {_type_text(np_dtype)}. The only supported types are: float64, "
            "float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, "
            "and bool."
        )
    return found


def _type_text(np_dtype):
    return f"numpy.{np_dtype.type.__name__}"


def is_complex_type(np_dtype):
    """Whether elements of a NumPy dtype are complex numbers: NumPy's own, or those of half precision, for which it has no type."""
    return np_dtype.kind == "c" or (np_dtype.char == "V" and np_dtype == complex32.np)


#: The dtypes that Python's own types stand for.
PYTHON = {float: float64, int: int64, bool: bool_, complex: complex128}


def known(name, dtype_or_type):
    """The dtype that an argument ``dtype`` of the function ``name`` means: one of Python's types stands for one; raises TypeError for anything else."""
    if dtype_or_type.__class__ is dtype:
        return dtype_or_type
    found = PYTHON.get(dtype_or_type) if isinstance(dtype_or_type, type) else None
    if found is None:
        raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type_name(dtype_or_type)}")
    return found


def of_python(value):
    """The dtype that a Python number has as a tensor, by the current defaults."""
    cls = type(value)
    if cls is bool:
        return bool_
    if issubclass(cls, int):
        return int64
    if issubclass(cls, complex):
        return default_complex()
    return _default


# Promotion ------------------------------------------------------------------------------------------------------------

_SIGNED = (int8, int16, int32, int64)


def _as_dtypes(function, **given):
    """The arguments as dtypes, which Python's types of numbers stand for too; raises TypeError for what is none."""
    found = []
    for position, (name, value) in enumerate(given.items(), 1):
        if value.__class__ is type:
            value = {bool: bool_, int: int64, float: float64, complex: complex128}.get(value, value)
        if value.__class__ is not dtype:
            raise TypeError(
                f"{function}(): argument '{name}' (position {position}) must be torch.dtype, not {type_name(value)}"
            )
        found.append(value)
    return found


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the smallest dtype to which both dtypes can be promoted.

    Raises RuntimeError for unsigned types wider than ``uint8``, which promote with floating-point types only.

    >>> import minigrad
    >>> minigrad.promote_types(minigrad.int32, minigrad.float16)
    torch.float16
    """
    a, b = type1, type2
    if not a.__class__ is b.__class__ is dtype:
        a, b = _as_dtypes("promote_types", type1=a, type2=b)
    if a is b:
        return a
    if a.rank is None or b.rank is None:
        kind = "Float8 Types" if "float8" in a.name + b.name else "types without tensors"
        raise RuntimeError(
            f"Promotion for {kind} is not supported, attempted to promote {scalar_type_name(a)} and {scalar_type_name(b)}"
        )
    if a.category < b.category:
        a, b = b, a
    # a is of the stronger category, or both are of the same
    if a.category != b.category:
        if a.category == COMPLEX and b.category == FLOATING:
            b = b.to_complex()
            return a if a.rank > b.rank else b
        whole = a if a.category == INTEGER else b
        if a.category != FLOATING and whole.category == INTEGER and whole.rank > 4:
            raise _no_promotion(a, b)
        return a
    if a.category == INTEGER:
        if a.rank > 4 or b.rank > 4:
            raise _no_promotion(a, b)
        if uint8 in (a, b):
            return _SIGNED[max(a.rank, b.rank, 2) - 1]
        return a if a.rank > b.rank else b
    if a.rank == b.rank:  # float16 with bfloat16
        return float32
    return a if a.rank > b.rank else b


def _no_promotion(a, b):
    names = {uint16: "UInt16", uint32: "UInt32", uint64: "UInt64"}
    return RuntimeError(
        "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote "
        f"{scalar_type_name(a) if a not in names else names[a]} and "
        f"{scalar_type_name(b) if b not in names else names[b]}"
    )


def can_cast(from_: Any, to: Any) -> bool:
    """Return whether values of dtype ``from_`` can be written into dtype ``to``; a category is never narrowed.

    >>> import minigrad
    >>> minigrad.can_cast(minigrad.float64, minigrad.int32)
    False
    """
    from_, to = _as_dtypes("can_cast", from_=from_, to=to)
    if from_.category == COMPLEX and to.category != COMPLEX:
        return False
    if from_.category == FLOATING and to.category < FLOATING:
        return False
    return not (from_.category != BOOL and to.category == BOOL)


def result_dtype(operands):
    """The dtype of an operator over ``operands``: pairs (dtype, strength).

    Strength 2 is a tensor with dimensions, 1 a 0-dim tensor, 0 a Python number.  The stronger decide; a weaker one
    lifts the result only if it is of a higher category.
    """
    by_rank = [None, None, None]
    for d, rank in operands:
        if rank == 0 and d.category >= FLOATING:
            d = _default if d.category == FLOATING else default_complex()
        so_far = by_rank[rank]
        by_rank[rank] = d if so_far is None else promote_types(so_far, d)
    return _combine(by_rank[2], _combine(by_rank[1], by_rank[0]))


def _combine(stronger, weaker):
    if stronger is None or weaker is None:
        return weaker if stronger is None else stronger
    if stronger.category >= weaker.category:
        return stronger
    if stronger.category == FLOATING:
        return stronger.to_complex()
    return weaker if weaker.category > INTEGER else promote_types(stronger, weaker)


_SCALAR_NAMES = {
    bool_: "Bool", uint8: "Byte", int8: "Char", int16: "Short", int32: "Int", int64: "Long",
    uint16: "UInt16", uint32: "UInt32", uint64: "UInt64", float16: "Half", bfloat16: "BFloat16",
    float32: "Float", float64: "Double", complex32: "ComplexHalf", complex64: "ComplexFloat", complex128: "ComplexDouble",
}  # fmt: skip


def scalar_type_name(d):
    """The name that PyTorch's error messages use for a dtype: ``Float``, ``Long``, ..."""
    if d.rank is None:
        if d.name[0] == "q":
            return d.name.replace("quint", "QUInt").replace("qint", "QInt")
        return d.name.replace("uint", "UInt") if d.name[0] == "u" else d.name.capitalize()
    return _SCALAR_NAMES[d]


def dtype_name(x):
    """``scalar_type_name`` of a tensor's elements, or an array's."""
    d = x.dtype
    return scalar_type_name(d if d.__class__ is dtype else from_numpy_dtype(d))


def c_name(d):
    """The name of a dtype in messages that use C's words: ``double``."""
    return {
        "float32": "float",
        "float64": "double",
        "int64": "long int",
        "int32": "int",
        "float16": "c10::Half",
        "bfloat16": "c10::BFloat16",
        "complex32": "c10::complex<c10::Half>",
        "complex64": "c10::complex<float>",
        "complex128": "c10::complex<double>",
        "int16": "short int",
        "int8": "signed char",
        "uint8": "unsigned char",
    }.get(d.name, d.name)


def legacy_type_name(np_dtype):
    """The name of the type of tensors of 2017: ``torch.FloatTensor``."""
    return f"torch.{scalar_type_name(from_numpy_dtype(np_dtype))}Tensor"


_OLD_TYPES = {
    f"torch.{name}Tensor" for name in ("Float", "Double", "Half", "Long", "Int", "Short", "Char", "Byte")
}


def internal_type_name(np_dtype):
    """The name of a type in the texts of errors, which have the one of 2017 for the oldest dtypes only: ``CPUBoolType``."""
    text = legacy_type_name(np_dtype)
    return text if text in _OLD_TYPES else f"CPU{text[6:-6]}Type"
