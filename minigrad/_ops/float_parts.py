"""The parts of a floating-point number: its sign, its exponent and fraction, and the numbers next to it."""

import numpy as np

from .._arrays.kernels import elementwise as kernels
from .._base import return_types
from .._base.dtypes import c_name
from .._core.families import Binary, Op, binary, op
from .._core.inplace import elementwise_
from .._core.out import write_result
from .._core.tensor import Tensor
from .batches import pointwise

__all__ = ["copysign", "frexp", "ldexp", "ldexp_", "nextafter"]
METHODS = "copysign copysign_ frexp ldexp ldexp_ nextafter nextafter_"


class CopysignBackward0(Binary):
    """z = |x| with the sign of y; dz/dx = sgn z sgn x, 0 at 0.

    >>> import minigrad
    >>> minigrad.copysign(minigrad.tensor([1., -2.]), minigrad.tensor([-0., 3.]))
    tensor([-1.,  2.])
    """
    aten = "copysign.{other}"
    floats, ordered = True, True
    forward = np.copysign
    def vjp_x(xp, g, x, z): return g * (xp.sign(z) * xp.sign(x))
    def vjp_y(xp, g):       return xp.zeros_like(g)
class CopysignBackward1(Binary):
    """z = |x| with the sign of a number y; dz/dx = sgn z sgn x, 0 at 0."""
    aten = "copysign.{other}"
    floats, ordered, names = True, True, {"x": "self", "z": "result"}
    forward = np.copysign
    def vjp_x(xp, g, x, z): return g * (xp.sign(z) * xp.sign(x))
_copysign, copysign_ = binary(CopysignBackward0), elementwise_(CopysignBackward0, of_number=CopysignBackward1)
_copysign_number = binary(CopysignBackward1)


def copysign(input, other, *, out=None):
    """Compute ``|input|`` with the sign of ``other``, a tensor or a number; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.copysign(minigrad.tensor([1., -2.]), -0.)
    tensor([-1., -2.])
    """
    return (_copysign if isinstance(other, Tensor) else _copysign_number)(input, other, out=out)


class LdexpBackward0(Binary):
    """Each element times a power of two: z = x 2ʸ;   dz/dy = z log 2.

    >>> import minigrad
    >>> minigrad.ldexp(minigrad.tensor([1., 3.]), minigrad.tensor([4, -1]))
    tensor([16.0000,  1.5000])
    """
    aten = "ldexp.Tensor"
    floats, tensors_first = True, 2
    def forward(x, y):   return x * np.exp2(y)
    def vjp_x(xp, g, y): return g * xp.exp2(y)
    def vjp_y(xp, g, z): return g * (z * LOG_2)
ldexp, ldexp_ = binary(LdexpBackward0), elementwise_(LdexpBackward0)
LOG_2 = float(np.log(2.0))


class NextafterBackward0(Binary):
    """The next floating-point number towards another: z = the next number after x towards y.

    >>> import minigrad
    >>> minigrad.nextafter(minigrad.tensor([1.]), minigrad.tensor([2.])) - 1
    tensor([1.1921e-07])
    """
    tensors_first = 2
    def forward(x, y): return kernels.floating(np.nextafter, x, y)
    def vjp_x(xp, g, x, y): return xp.keep(g, x != y)
    def vjp_y(xp, g, y):    return xp.zeros_like(g)
nextafter, nextafter_ = binary(NextafterBackward0), elementwise_(NextafterBackward0)


class FrexpBackward0(Op):
    """x = mantissa 2 to the power of exponent, with |mantissa| in [0.5, 1)."""
    aten = "frexp.Tensor"
    batch = pointwise
    results, nondiff, public = "mantissa exponent", (1,), "frexp"
    def forward(x): return kernels.frexp(x)
    def vjp(xp, g, exponent): return xp.ldexp(g, -exponent)
_frexp = op(FrexpBackward0)


def frexp(input, *, out=None):
    """Return (mantissa, exponent) such that ``input == mantissa * 2 ** exponent`` and |mantissa| in [0.5, 1), for floating tensors.

    >>> import minigrad
    >>> minigrad.frexp(minigrad.tensor([8.])).exponent
    tensor([4], dtype=torch.int32)
    """
    if isinstance(input, Tensor) and input._array.dtype.kind not in "fV":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    results = _frexp(input)
    if out is not None:
        for part, place, result, wanted in zip(("mantissa", "exponent"), out, results, (c_name(results[0].dtype), "int")):
            if isinstance(place, Tensor) and place.dtype is not result.dtype:
                raise RuntimeError(
                    f"torch.frexp() expects {part} to have {'int dtype' if wanted == 'int' else f'dtype {wanted}'} but got {c_name(place.dtype)}"
                )
        results = [write_result(place, result, "frexp") for place, result in zip(out, results)]
    return return_types.frexp(results)
