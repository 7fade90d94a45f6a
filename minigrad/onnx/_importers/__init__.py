"""The operators of ONNX, a function for each that has its name: inputs are positional, attributes are keywords.

An attribute that later became an input (or the other way round) is a parameter that both may fill.  A function that has a parameter
``opset`` is told the version of the operators that the model was written for; ``wanted`` tells which outputs are used.
"""

from typing import Any

from ..._base import lazy as _lazy

FAMILIES = (
    "activations", "arithmetic", "attention", "casting", "control", "convolutions", "creating", "detection", "indexing", "losses",
    "normalization", "pooling", "quantization", "recurrence", "reductions", "resizing", "sequences", "shaping", "signals",
)  # fmt: skip


def operators() -> dict[str, Any]:
    """Name -> function of every operator of ONNX's own domain that can be computed."""
    found = {}
    for family in FAMILIES:
        module = _lazy.load(f"onnx._importers.{family}")
        own = (
            (name, value)
            for name, value in vars(module).items()
            if getattr(value, "__module__", None) == module.__name__
        )
        found.update((name, value) for name, value in own if name[0].isupper())
    return found


def find(domain: str, name: str) -> Any:
    """The function of an operator; None if there is none."""
    if domain not in ("", "ai.onnx"):
        return None
    if not _found:
        _found.update(operators())
    return _found.get(name)


_found: dict[str, Any] = {}
