"""What ``repr`` says of tensors inside of transforms."""

from .._core import late
from .._core.lifted import Lifted
from .._core.modes import thread_state
from .._core.wrapped import BatchLayer, Layer, Wrapped, wrap_layer
from .._ops.text import describe


def text_inside(x):
    """What ``repr`` says of a tensor inside of transforms: a line for each level that it belongs to."""
    node, layer = x._node, x._array
    level = layer.level if isinstance(layer, Layer) else None
    tracking = tracking_level(x, 0 if level is None else level.number)
    if tracking is not None:
        without = wrap_layer(layer)
        without._storage = x._storage
        without._node = x._edge._next[0] if x._edge.begins else None  # as it is outside
        return _indented(f"GradTrackingTensor(lvl={tracking.number}, value=", repr(without))
    if level is None:
        return describe(x)
    number = level.number if level.open else -2
    if layer.__class__ is BatchLayer:
        return _indented(
            f"BatchedTensor(lvl={level.number}, bdim={0 if layer.batched else None}, value=",
            repr(layer.inner),
        )
    text = repr(layer.inner)
    if not level.is_forward_ad:
        return _indented(f"GradTrackingTensor(lvl={number}, value=", text)
    if layer.tangent is None or not level.open:
        return text
    if isinstance(layer.inner, Wrapped):
        return f"{text[:-1]}, tangent={layer.tangent})"
    value = wrap_layer(layer.inner._array)
    value._node = layer.inner._node if node is None else node
    return describe(value, f"tangent={layer.tangent}")


def tracking_level(x, number):
    """The innermost reverse transform under way, opened after level ``number``, by which ``x`` may be tracked; None if there is none."""
    node = x._edge
    if node is None:
        return None
    if node.__class__ is Lifted and node.level is not None:
        return node.level if node.level.open else None
    for level in reversed(thread_state.levels[number:]):
        if not level.wraps:
            return level
    return None


def _indented(start, text):
    return start + "\n" + "\n".join([line and "    " + line for line in text.split("\n")]) + "\n)"


late.text_inside = text_inside
