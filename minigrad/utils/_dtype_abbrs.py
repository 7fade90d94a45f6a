"""Short names of dtypes, as printed graphs have them: ``f32``, ``i64``."""

from .._base import dtypes

_LETTERS = {"float": "f", "complex": "c", "int": "i", "uint": "u"}
_SIZED = (
    "float64 float32 float16 complex128 complex64 complex32 int64 int32 int16 int8 uint64 uint32 uint16 uint8"
)


def _short(name):
    letters = name.rstrip("0123456789")
    return _LETTERS[letters] + name[len(letters) :]


#: dtype -> its short name.
dtype_abbrs = {
    **{getattr(dtypes, name): _short(name) for name in _SIZED.split()},
    dtypes.bfloat16: "bf16",
    dtypes.bool_: "b8",
}
