"""Windows that slide over an image, or over a signal or a volume: their margins, as ONNX gives them."""

from typing import Any


def filled(values: Any, count: int, default: int = 1) -> list[int]:
    """Strides or dilations: the default for every axis where none are given."""
    return list(values) if values else [default] * count


def margins(
    auto_pad: str, pads: Any, sizes: Any, kernel: Any, strides: Any, dilations: Any
) -> tuple[list[int], list[int]]:
    """How much is added before and after each axis."""
    count = len(kernel)
    if auto_pad in ("NOTSET", ""):
        pads = filled(pads, 2 * count, 0)
        return pads[:count], pads[count:]
    if auto_pad == "VALID":
        return [0] * count, [0] * count
    before, after = [], []
    for size, width, stride, dilation in zip(sizes, kernel, strides, dilations):
        total = max((-(-size // stride) - 1) * stride + dilation * (width - 1) + 1 - size, 0)
        less = total // 2
        before.append(less if auto_pad == "SAME_UPPER" else total - less)
        after.append(total - before[-1])
    return before, after


def flat_margins(before: Any, after: Any) -> list[int]:
    """Margins in the order of ``pad``: the last axis first."""
    return [each for pair in reversed(list(zip(before, after))) for each in pair]


def by_dims(functions: Any, dims: int, operator: str) -> Any:
    """The function for one, two or three axes."""
    if not 1 <= dims <= len(functions):
        raise ValueError(f"{operator} over {dims} axes: minigrad has it over 1 to {len(functions)}")
    return functions[dims - 1]
