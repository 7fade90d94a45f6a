"""What ``repr`` says of tensors inside transforms."""

from .._core import late
from .._core.lifted import reverse_levels, without_levels
from .._core.modes import thread_state
from .._core.tensor import Tensor
from .._core.wrapped import Batched, BatchLayer, Layer, Wrapped, wrap_layer
from .._ops.permute import movedim
from .._ops.text import describe


def text_inside(x):
    """What ``repr`` says of a tensor inside transforms: a line for each level that it belongs to."""
    levels, leads_out = reverse_levels(x)
    if levels:
        x = without_levels(x, leads_out)
        text = repr(x) if x.__class__ is not Tensor else describe(x)
        for level in levels:
            text = _indented(f"GradTrackingTensor(lvl={shown_number(level)}, value=", text)
        return text
    layer = x._array
    if not isinstance(layer, Layer):
        return describe(x)
    level = layer.level
    if layer.__class__ is BatchLayer:
        bdim = layer.given_dim if layer.batched else None
        return _indented(
            f"BatchedTensor(lvl={shown_number(level)}, bdim={bdim}, value=", repr(as_given(layer))
        )
    text = repr(layer.inner)
    if not level.is_forward_ad:
        number = shown_number(level) if level.open else -2
        return _indented(f"GradTrackingTensor(lvl={number}, value=", text)
    if layer.tangent is None or not level.open:
        return text
    if isinstance(layer.inner, Wrapped):
        return f"{text[:-1]}, tangent={layer.tangent})"
    value = wrap_layer(layer.inner._array)
    value._node = layer.inner._node if x._node is None else x._node
    return describe(value, f"tangent={layer.tangent}")


def as_given(layer):
    """What a layer of a batch holds, the samples where they lay in the argument of ``vmap`` if this is one."""
    inner, dim = layer.inner, layer.given_dim
    if not dim:
        return inner
    moved = movedim(inner, 0, dim)
    if inner.__class__ is Batched:
        moved._array.given_dim = inner._array.given_dim
    return moved


def shown_number(level):
    """The number of a level as PyTorch counts: that of ``forward_ad`` is none."""
    return level.number - sum(other.is_forward_ad for other in thread_state.levels[: level.number - 1])


def _indented(start, text):
    return start + "\n" + "\n".join([line and "    " + line for line in text.split("\n")]) + "\n)"


late.text_inside = text_inside
