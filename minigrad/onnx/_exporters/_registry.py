"""Which function writes an operator as nodes of ONNX: ``exporter`` marks it, ``find`` finds it by the operator's name."""

import importlib
import sys
from collections.abc import Callable
from typing import Any

#: The files with translations, each of a family of operators.
FAMILIES = (
    "accumulations",
    "arithmetic",
    "activations",
    "attention",
    "comparisons",
    "complex_numbers",
    "convolutions",
    "creation",
    "embeddings",
    "given_nodes",
    "indexing",
    "losses",
    "matrices",
    "normalizations",
    "packed_sequences",
    "pooling",
    "recurrent",
    "reductions",
    "resizing",
    "shapes",
    "sorting",
    "spectra",
)
_exporters: dict[str, Callable[..., Any]] = {}
#: Other names of operators.
_SAME = {
    "__radd__": "add",
    "__add__": "add",
    "__mul__": "mul",
    "__rmul__": "mul",
    "__sub__": "sub",
    "__truediv__": "div",
    "__matmul__": "matmul",
    "__neg__": "neg",
    "__invert__": "bitwise_not",
    "__and__": "bitwise_and",
    "__rand__": "bitwise_and",
    "__or__": "bitwise_or",
    "__ror__": "bitwise_or",
    "__xor__": "bitwise_xor",
    "__rxor__": "bitwise_xor",
    "__pow__": "pow",
    "__floordiv__": "floor_divide",
    "__mod__": "remainder",
    "__abs__": "abs",
    "__eq__": "eq",
    "__ne__": "ne",
    "__lt__": "lt",
    "__le__": "le",
    "__gt__": "gt",
    "__ge__": "ge",
    "__lshift__": "bitwise_left_shift",
    "__rshift__": "bitwise_right_shift",
    "special_expit": "sigmoid",
    "special_erf": "erf",
    "special_erfc": "erfc",
    "special_exp2": "exp2",
    "special_expm1": "expm1",
    "special_log1p": "log1p",
    "special_logit": "logit",
    "special_round": "round",
    "special_softmax": "softmax",
    "special_log_softmax": "log_softmax",
    "special_logsumexp": "logsumexp",
    "special_xlogy": "xlogy",
    "special_sinc": "sinc",
    **{
        f"{name}_copy": name
        for name in [
            "alias",
            "detach",
            "diagonal",
            "expand",
            "permute",
            "select",
            "slice",
            "squeeze",
            "t",
            "transpose",
            "unbind",
            "unfold",
            "unsqueeze",
            "view",
        ]
    },
}


def exporter(*names: str) -> Callable[..., Any]:
    """Mark a function as that which writes these operators: ``function(g, *arguments)`` with ``g`` a ``Builder``."""

    def mark(function):
        for name in names:
            _exporters[name] = function
        return function

    return mark


def find(name: str) -> Callable[..., Any] | None:
    """The function for an operator; None if it has no form in ONNX."""
    for family in FAMILIES:
        if f"{__package__}.{family}" not in sys.modules:
            importlib.import_module(f"{__package__}.{family}")
    return _exporters.get(_SAME.get(name, name))
