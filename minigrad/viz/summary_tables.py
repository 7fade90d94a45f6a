"""The table of a ``Summary``, as text and as HTML: what the columns are called, what stands in them, what stands below."""

from typing import Any

from .._api import Size
from .._display.html import FAINT, Markup, element, table
from .._display.units import format_memory

__all__ = ["COLUMNS", "html_of", "text_of"]

_NOTHING = "--"
_LONGEST = 48  # characters in a cell with sizes


def size_text(sizes: Any) -> str:
    """Sizes (see ``sizes_of``) as text; what repeats is counted.

    >>> from minigrad import Size
    >>> from minigrad.viz.summary_tables import size_text
    >>> size_text((Size([2, 3]), {"state": (Size([1]),) * 4}))
    '([2, 3], {state: (4 x [1])})'
    """
    if isinstance(sizes, Size):
        return str(list(sizes))
    if isinstance(sizes, tuple):
        return f"({', '.join(_counted([size_text(item) for item in sizes]))})"
    if isinstance(sizes, dict):
        return "{" + ", ".join([f"{key}: {size_text(item)}" for key, item in sizes.items()]) + "}"
    return str(sizes)


def _counted(texts):
    """Runs of more than three equal texts as one, with their number."""
    found, start = [], 0
    for end in range(1, len(texts) + 1):
        if end == len(texts) or texts[end] != texts[start]:
            count = end - start
            found += [f"{count} x {texts[start]}"] if count > 3 else texts[start:end]
            start = end
    return found


def _short(text):
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _sizes(name):
    def entry(layer, whole):
        return _short(size_text(getattr(layer, name))) if layer.calls else _NOTHING

    return entry


def _number(name):
    """A column of a field that can be summed: of the layer alone, or, in the last row of a branch, with all layers inside."""

    def entry(layer, whole):
        value = getattr(layer, f"total_{name}" if whole else name)
        return f"{value:,}" if value else _NOTHING

    return entry


def _bytes(name):
    def entry(layer, whole):
        value = getattr(layer, f"total_{name}" if whole else name)
        return format_memory(value) if value else _NOTHING

    return entry


def _params(layer, whole):
    layers = list(layer.walk()) if whole else [layer]
    parts = []
    count = sum([each.params for each in layers])
    if count:
        parts.append(f"{count:,}")
    if any(each.shared for each in layers):
        parts.append("shared")
    if any(each.uninitialized for each in layers):
        parts.append("uninitialized")
    return " + ".join(parts) or _NOTHING


def _share(part, all_of_it):
    return f"{100 * part / all_of_it:.2f}%" if all_of_it else _NOTHING


def _trainable(layer, whole):
    count, trainable = (
        (layer.total_params, layer.total_trainable_params)
        if whole
        else (layer.params, layer.trainable_params)
    )
    if not count:
        return _NOTHING
    return "yes" if trainable == count else "no" if not trainable else f"{100 * trainable / count:.1f}%"


def _kernel(layer, whole):
    return _NOTHING if layer.kernel_size is None else str(layer.kernel_size)


def _calls(layer, whole):
    return str(layer.calls) if layer.calls else _NOTHING


#: The name of a column -> its header, what stands in it (a function of a layer, and whether that row stands for all inside), whether it needs a forward pass.
COLUMNS: Any = {
    "input_size": ("Input size", _sizes("input_size"), True),
    "output_size": ("Output size", _sizes("output_size"), True),
    "num_params": ("Params", _params, False),
    "params_percent": ("Params %", None, False),
    "trainable": ("Trainable", _trainable, False),
    "kernel_size": ("Kernel", _kernel, False),
    "mult_adds": ("Mult-adds", _number("mult_adds"), True),
    "flops": ("FLOPs", _number("flops"), True),
    "saved": ("Kept for backward", _bytes("saved_bytes"), True),
    "params_size": ("Params size", _bytes("param_bytes"), False),
    "buffers_size": ("Buffers size", _bytes("buffer_bytes"), False),
    "calls": ("Calls", _calls, True),
}


def _shown(layer, depth):
    """(layer, whether its row stands for all inside) for the layers down to ``depth``."""
    whole = layer.depth >= depth or not layer.children
    yield layer, whole
    for child in () if whole else layer.children:
        yield from _shown(child, depth)


def _cells(summary, columns, rows):
    total = summary.total_params
    for layer, whole in rows:
        cells = []
        for name in columns:
            if name == "params_percent":
                count = layer.total_params if whole else layer.params
                cells.append(_share(count, total) if count else _NOTHING)
            else:
                cells.append(COLUMNS[name][1](layer, whole))
        yield cells


def _label(layer):
    own = layer.name.rpartition(".")[2]
    return f"{own}: {layer.type}" if own else layer.type


def totals(summary: Any) -> Any:
    """Return what stands below a table: groups of pairs (what, how much)."""
    count, trainable = summary.total_params, summary.trainable_params
    more = " and those of uninitialized layers" if summary.uninitialized else ""
    share = f" ({100 * trainable / count:.1f}%)" if 0 < trainable < count else ""
    groups = [
        [
            ("Total params", f"{count:,}{more}"),
            ("Trainable params", f"{trainable:,}{share}"),
            ("Non-trainable params", f"{summary.non_trainable_params:,}"),
        ]
    ]
    if summary.ran:
        groups[0] += [
            ("Total mult-adds", f"{summary.total_mult_adds:,}"),
            ("Total FLOPs", f"{summary.total_flops:,}"),
        ]
        groups.append(
            [
                ("Input size", format_memory(summary.input_bytes)),
                ("Forward/backward pass size", format_memory(summary.saved_bytes)),
                ("Params size", format_memory(summary.param_bytes)),
                ("Buffers size", format_memory(summary.buffer_bytes)),
                ("Estimated total size", format_memory(summary.total_bytes)),
            ]
        )
    else:
        groups.append(
            [
                ("Params size", format_memory(summary.param_bytes)),
                ("Buffers size", format_memory(summary.buffer_bytes)),
            ]
        )
    return groups


def _shared(summary):
    return [f"{name} is {first}: counted once" for name, first in summary.shared.items()]


def text_of(
    summary: Any, columns: Any, depth: Any, ascii_only: bool = False, with_totals: bool = True
) -> str:
    """Return the table as text."""
    rows = list(_shown(summary.layers[0], depth))
    names = _branches([layer for layer, _ in rows], ascii_only)
    headers = ["Layer", *[COLUMNS[name][0] for name in columns]]
    cells = [[name, *row] for name, row in zip(names, _cells(summary, columns, rows))]
    widths = [max(map(len, column)) for column in zip(headers, *cells)]
    line = "-" * (sum(widths) + 2 * (len(widths) - 1))

    def text(row):
        first, *others = zip(row, widths)
        return "  ".join([f"{first[0]:<{first[1]}}", *[f"{x:>{w}}" for x, w in others]]).rstrip()

    lines = [text(headers), line, *map(text, cells), line]
    if not with_totals:
        return "\n".join(lines)
    for group in totals(summary):
        lines += [*[f"{what}: {amount}" for what, amount in group], line]
    return "\n".join([*lines, *_shared(summary)])


def _branches(layers, ascii_only):
    """The labels of the rows, with the branches of the tree before them."""
    fork, last, down, gap = ("+- ", "+- ", "|  ", "   ") if ascii_only else ("├─ ", "└─ ", "│  ", "   ")
    shown = set(map(id, layers))
    labels = {}

    def branch(layer, before):
        children = [child for child in layer.children if id(child) in shown]
        for child in children:
            end = child is children[-1]
            labels[id(child)] = before + (last if end else fork) + _label(child)
            branch(child, before + (gap if end else down))

    labels[id(layers[0])] = _label(layers[0])
    branch(layers[0], "")
    return [labels[id(layer)] for layer in layers]


def html_of(summary: Any, columns: Any, depth: Any) -> Any:
    """Return the table as HTML."""
    rows = list(_shown(summary.layers[0], depth))
    headers = ["Layer", *[COLUMNS[name][0] for name in columns]]
    cells = [[_label(layer), *row] for (layer, _), row in zip(rows, _cells(summary, columns, rows))]
    below = [_line(group) for group in totals(summary)]
    notes = [element("div", text, style=FAINT) for text in _shared(summary)]
    return element("div", table(headers, cells, [layer.depth for layer, _ in rows]), *below, *notes)


def _line(group):
    """Pairs (what, how much) in one line."""
    parts = [element("span", f"{what}: ", element("b", amount)) for what, amount in group]
    return element("div", Markup(" &middot; ".join(parts)), style=FAINT)
