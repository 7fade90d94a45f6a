"""What ``quasirandom.SobolEngine`` computes with: direction numbers as rows of an int64 tensor, points, scrambling."""

from .._arrays.random import sobol
from .._base import dtypes
from .._base.composites import composite
from .._core.tensor import about_to_write, bump, wrap

__all__ = ["_sobol_engine_draw", "_sobol_engine_ff_", "_sobol_engine_initialize_state_", "_sobol_engine_scramble_"]


@composite
def _sobol_engine_initialize_state_(input, dimension):
    """Write the direction numbers of ``dimension`` dimensions into ``input``, an int64 tensor (dimension, 30), which is returned.

    >>> import minigrad
    >>> minigrad._sobol_engine_initialize_state_(minigrad.zeros(2, 30, dtype=minigrad.int64), 2)[:, :2]
    tensor([[536870912, 268435456],
            [536870912, 805306368]])
    """
    _check_long(sobolstate=input)
    _check_dimension(input, dimension)
    return _write(input, sobol.directions(dimension))


@composite
def _sobol_engine_draw(quasi, n, sobolstate, dimension, num_generated, dtype):
    """The next ``n`` points, (n, dimension) of [0, 1), and the last as int64 numbers (dimension,) of 30 bits, from which to go on.

    ``quasi`` is the last point before, ``num_generated`` its number in the sequence; ``dtype`` is float32 or float64 (None: the default).

    >>> import minigrad
    >>> state = minigrad._sobol_engine_initialize_state_(minigrad.zeros(2, 30, dtype=minigrad.int64), 2)
    >>> points, last = minigrad._sobol_engine_draw(minigrad.zeros(2, dtype=minigrad.int64), 2, state, 2, 0, None)
    >>> points
    tensor([[0.5000, 0.5000],
            [0.7500, 0.2500]])
    """
    _check_long(sobolstate=sobolstate, quasi=quasi)
    _check_dimension(sobolstate, dimension)
    dtype = dtypes.get_default_dtype() if dtype is None else dtype
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}, {dimension}]")
    if dtype not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(f"\"_sobol_engine_draw\" not implemented for '{dtypes.scalar_type_name(dtype)}'")
    _check_end(num_generated + n)
    found = sobol.points(quasi._array, n, sobolstate._array, num_generated)
    last = found[-1].copy() if n else quasi._array.copy()
    return wrap(found.astype(dtype.np) * dtype.np.type(2.0**-sobol.BITS)), wrap(last)


@composite
def _sobol_engine_ff_(input, n, sobolstate, dimension, num_generated):
    """Move ``input``, the last point as int64 numbers (dimension,), on by ``n`` points, as ``_sobol_engine_draw`` does; it is returned.

    >>> import minigrad
    >>> state = minigrad._sobol_engine_initialize_state_(minigrad.zeros(2, 30, dtype=minigrad.int64), 2)
    >>> minigrad._sobol_engine_ff_(minigrad.zeros(2, dtype=minigrad.int64), 2, state, 2, 0)
    tensor([805306368, 268435456])
    """
    _check_long(sobolstate=sobolstate, quasi=input)
    _check_dimension(sobolstate, dimension)
    if n <= 0:
        return input
    _check_end(num_generated + n)
    return _write(input, sobol.advance(input._array, n, sobolstate._array, num_generated))


@composite
def _sobol_engine_scramble_(input, ltm, dimension):
    """Multiply the direction numbers in ``input`` (dimension, 30) by lower triangular matrices of bits ``ltm`` (dimension, 30, 30); all are int64.

    Ones stand for the diagonals of the matrices.

    >>> import minigrad
    >>> state = minigrad._sobol_engine_initialize_state_(minigrad.zeros(1, 30, dtype=minigrad.int64), 1)
    >>> minigrad._sobol_engine_scramble_(state, minigrad.ones(1, 30, 30, dtype=minigrad.int64), 1)[0, :2]
    tensor([1073741823,  536870911])
    """
    _check_long(sobolstate=input)
    _check_dimension(input, dimension)
    if ltm.dtype is not dtypes.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtypes.scalar_type_name(ltm.dtype)}")
    return _write(input, sobol.scrambled(input._array, ltm._array[:dimension]))


def _write(tensor, values):
    about_to_write((tensor,))
    bump(tensor)
    tensor._array[...] = values
    return tensor


def _check_long(**tensors):
    for name, tensor in tensors.items():
        if tensor.dtype is not dtypes.int64:
            raise RuntimeError(f"{name} needs to be of type Long")


def _check_dimension(state, dimension):
    """PyTorch reads and writes beyond the end of a state of another size."""
    if not 1 <= dimension <= sobol.DIMENSIONS:
        raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {sobol.DIMENSIONS}]")
    if state.shape != (dimension, sobol.BITS):
        raise RuntimeError(f"sobolstate has the shape {[*state.shape]}, expected {[dimension, sobol.BITS]}")


def _check_end(number):
    """PyTorch goes on with bits of other dimensions."""
    if number >= 1 << sobol.BITS:
        raise RuntimeError(f"A Sobol sequence has 2**{sobol.BITS} points: there is no point number {number}")
