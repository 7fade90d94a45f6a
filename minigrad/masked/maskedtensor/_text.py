"""Masked tensors as text."""

from collections.abc import Callable, Iterator
from typing import Any

_WIDTH = 8


def text_of(data: Any, mask: Any) -> str:
    """The elements, with ``--`` for those that are masked, a row a line."""
    shown = "{:8.4f}".format if data.dtype.is_floating_point else str
    if not data.ndim:
        return f"MaskedTensor({shown(data.item()) if mask.item() else '--'}, {mask.item()})"
    elements = iter(zip(data.flatten().tolist(), mask.flatten().tolist(), strict=True))
    return f"MaskedTensor(\n{_indented(_rows(elements, data.shape, shown))}\n)"


def _rows(elements: Iterator[Any], shape: Any, shown: Callable[[Any], str]) -> str:
    """The text of the next elements, as many as a block of ``shape`` has."""
    if len(shape) == 1:
        pairs = [next(elements) for _ in range(shape[0])]
        return f"[{', '.join([shown(x) if there else '--'.rjust(_WIDTH) for x, there in pairs])}]"
    rows = [_indented(_rows(elements, shape[1:], shown)) for _ in range(shape[0])]
    return "[\n" + ",\n".join(rows) + "\n]"


def _indented(text: str) -> str:
    return "\n".join([f"  {line}" for line in text.split("\n")])
