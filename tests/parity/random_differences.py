"""What may differ between the two libraries when ``random_calls.py`` calls their functions, and why."""

import re

#: Functions whose results have elements that nothing has defined.
UNDEFINED = re.compile(r".*\.(empty\w*|new_empty\w*|resize_\w*)")
#: Functions whose results are not unique.
UNORDERED = re.compile(
    r".*\.(svd|eig|eigh|eigvals|qr|geqrf|topk|sort|argsort|msort|mode|median|nanmedian|kthvalue|unique)"
)

#: (functions, kind of difference, pattern found in what both say) -> reason.
JUSTIFIED = [
    (
        r".*",
        r"^class: AttributeError: (?!.* \| AttributeError)",
        "PyTorch's functions in Python fail over an attribute of what is no tensor; here TypeError says so",
    ),
    (
        r".*",
        r"INTERNAL ASSERT|report a bug|primitive descriptor|oneMKL|internal error",
        "PyTorch fails where it did not mean to",
    ),
    (
        r".*",
        r"^class: NotImplementedError: Could not run 'aten::",
        "overloads for other devices are not there at all",
    ),
    (
        r".*",
        r"^class: NotImplementedError: \".*\" not implemented for .* \| (RuntimeError|IndexError|ValueError): (?!This function doesn't|Unknown Complex)",
        "the dtype is not all that is wrong; which mistake is told of first",
    ),
    (
        r".*",
        r"^class: IndexError: Dimension (out of range|specified).* \| (RuntimeError|NotImplementedError)",
        "PyTorch asks for a size before it counts the dimensions",
    ),
]


def reason(function, kind, theirs, ours, text):
    """Why a difference is justified, or None."""
    line = f"{kind}: {theirs} | {ours} | {text}"
    for functions, pattern, why in JUSTIFIED:
        if re.fullmatch(functions, function) and re.search(pattern, line):
            return why
    return None
