"""Random numbers inside transforms: whether each sample of a ``vmap`` gets numbers of its own is for that ``vmap`` to say.

With no transform under way none of this is asked: what draws reads ``thread_state.levels`` first.
"""

from .._base.errors import broadcast_shapes
from .._core import late
from .._core.levels import BatchLevel
from .._core.modes import thread_state
from .._core.tensor import Tensor, wrap
from .._core.wrapped import Batched, Wrapped, batch, rewrap, unwrap
from .convert import copy_
from .shape import expand_to, reshape

__all__ = []


def apart():
    """The levels of ``vmap`` under way whose samples get numbers of their own, the outermost first.

    Raises RuntimeError if there is one that allows no random numbers.
    """
    return [level for level in thread_state.levels if level.__class__ is BatchLevel and _differ(level)]


def _differ(level):
    if level.randomness == "error":
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness flags "
            "on vmap or perform the randomness operation out of vmap"
        )
    return level.randomness == "different"


def sizes_of(levels):
    """How many samples each of the levels has: what stands before the shape of a sample."""
    return tuple([level.size for level in levels])


def refuse_out():
    """Raise RuntimeError for ``out=`` of a random op inside ``vmap``."""
    if any(level.__class__ is BatchLevel for level in thread_state.levels):
        raise RuntimeError(
            "vmap: We do not support calling out variants of random operations inside of vmap. Please use non-out variants as a workaround"
        )


def sampled(call, *operands):
    """``call(*operands)``, where ``call`` draws elementwise: once for all samples under way, and in forward mode of the values.

    Raises RuntimeError where the samples of an operand differ but their numbers shall not.
    """
    if operands[0].__class__ is not Tensor and any(x.is_meta for x in operands):
        return late.meta().without_elements(call, *operands)
    return _sampled(thread_state.levels, call, operands)


def _sampled(levels, call, operands):
    if not levels:
        return call(*operands)
    level, further_out = levels[-1], levels[:-1]
    inner = [unwrap(x, level) for x in operands]
    if level.__class__ is not BatchLevel:
        return _sampled(further_out, call, inner)
    batched = [x.__class__ is Batched and x._array.level is level and x._array.batched for x in operands]
    if not _differ(level):
        if True in batched:
            raise _same_for_a_batch()
        return _sampled(further_out, call, inner)
    shape = broadcast_shapes([x._array.shape for x in operands])
    inner = [_expanded(x, is_batched, level.size, shape) for x, is_batched in zip(inner, batched)]
    return batch(_sampled(further_out, call, inner), level)


def _expanded(x, is_batched, size, shape):
    """``x`` with an axis for ``size`` samples of ``shape`` in front."""
    if is_batched:
        own = x._array.shape[1:]
        x = reshape(x, (size, *(1,) * (len(shape) - len(own)), *own))
    return expand_to(x, (size, *shape))


def _same_for_a_batch():
    return RuntimeError(
        "Vmap does not currently support same randomness with a batched tensor input. Give an unbatched tensor, or choose "
        "randomness=\"different\"."
    )


def in_transform(x):
    """Whether random numbers written over ``x`` have to be spread over samples, or over a value and a tangent."""
    return bool(thread_state.levels) and (
        isinstance(x, Wrapped) or any(level.__class__ is BatchLevel for level in thread_state.levels)
    )


def overwrite(x, draw, probability=None):
    """Write ``draw(sizes)`` over ``x``, an array with ``sizes`` in front, those of the levels that want different numbers; returns ``x``.

    ``probability``: a tensor that ``draw`` takes besides.  Raises RuntimeError if numbers are to differ between samples that share the memory of ``x``.
    """
    levels = []
    for level in reversed(thread_state.levels):
        if level.__class__ is not BatchLevel:
            continue
        varies = probability is not None and _batched_at(probability, level)
        if _differ(level):
            if not _batched_at(x, level):
                raise _no_place("bernoulli") if varies else _shared_memory()
            levels.insert(0, level)
        elif varies:
            raise _same_for_a_batch()
    if probability is None:
        numbers = rewrap(wrap(draw(sizes_of(levels))), levels)
    else:
        numbers = sampled(lambda p: wrap(draw(p._array.shape[: len(levels)], p._array)), expand_to(probability, x._array.shape))
    return copy_(x, numbers)


def _batched_at(x, level):
    while isinstance(x, Wrapped):
        layer = x._array
        if layer.level is level:
            return x.__class__ is Batched and layer.batched
        x = layer.inner
    return False


def _shared_memory():
    return RuntimeError(
        "vmap: Cannot ask for different inplace randomness on an unbatched tensor. All samples share its memory: draw out "
        "of place, or into a batched tensor."
    )


def _no_place(name):
    return RuntimeError(
        f"vmap: inplace {name}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that "
        "has more elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over "
        f"in a vmap. Use {name} out of place: its result has room for all samples."
    )
