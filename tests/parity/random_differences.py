"""What may differ between the two libraries when ``random_calls.py`` calls their functions, and why."""

import re

#: Functions whose results have elements that nothing has defined.
UNDEFINED = re.compile(r".*\.(empty\w*|new_empty\w*|resize_\w*)")
#: Functions whose results are not unique.
UNORDERED = re.compile(r".*\.(svd|eig|eigh|eigvals|qr|geqrf|topk|sort|argsort|msort|mode|median|nanmedian|kthvalue|unique)")

#: (functions, kind of difference, pattern found in what both say) -> reason.
JUSTIFIED = []


def reason(function, kind, theirs, ours, text):
    """Why a difference is justified, or None."""
    line = f"{kind}: {theirs} | {ours} | {text}"
    for functions, pattern, why in JUSTIFIED:
        if re.fullmatch(functions, function) and re.search(pattern, line):
            return why
    return None
