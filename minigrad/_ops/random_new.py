"""New tensors of random numbers that a user draws by writing over a tensor: what ``distributions`` draws, inside ``vmap`` too."""

from .._arrays.random import distributions
from .._core.modes import thread_state
from .._core.tensor import wrap
from .._core.wrapped import rewrap
from .create import allocated
from .drawing import apart, sizes_of

__all__ = []


def _filled(fill, shape, dtype, *parameters):
    levels = apart() if thread_state.levels else ()
    array = allocated((*sizes_of(levels), *shape), dtype.np)
    return rewrap(wrap(fill(array, None, *parameters)), levels)


def uniform(shape, dtype, low, high):
    """Numbers uniform in [low, high), of a floating dtype."""
    return _filled(distributions.fill_uniform, shape, dtype, low, high)


def exponential(shape, dtype):
    """Exponential numbers of mean 1."""
    return _filled(distributions.fill_exponential, shape, dtype)


def cauchy(shape, dtype):
    """Numbers of the Cauchy distribution around 0, of scale 1."""
    return _filled(distributions.fill_cauchy, shape, dtype, 0.0, 1.0)
