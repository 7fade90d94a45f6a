"""How a module looks in a notebook: a tree to unfold, with the parameters' names, shapes and numbers."""

from ..._api import _markup
from ..parameter import is_lazy
from .module import Module

__all__ = ["module_html"]

element = _markup.element
_INSIDE = "margin-left: .5em; padding-left: 1em; border-left: 1px solid rgba(128, 128, 128, .3)"
_TREE = "font-family: monospace; font-size: .95em"
#: So many levels are unfolded from the start.
_OPEN = 2


def module_html(module):
    """Return the HTML that notebooks show for a module (``Module._repr_html_``); ``repr`` is unaffected.

    >>> from minigrad import nn
    >>> html = nn.Sequential(nn.Linear(3, 4), nn.ReLU())._repr_html_()
    >>> "16 parameters" in html and "<details" in html
    True
    """
    return element("div", _outline(module, "", "", {}, 0), style=_TREE)


def _outline(module, name, path, seen, depth):
    """The element of one module and all below; ``seen`` has the paths of those that were shown."""
    label = [element("span", f"{name}: ")] if name else []
    label.append(element("b", type(module).__name__))
    if module in seen:
        note = f" the same module as {seen[module] or 'the outermost'}"
        return element("div", *label, element("span", note, style=_markup.FAINT))
    seen[module] = path
    state = vars(module)
    children = [(key, child) for key, child in state.get("_modules", {}).items() if child is not None]
    tensors = [
        (key, tensor, kind)
        for kind, held in (("", "_parameters"), ("buffer", "_buffers"))
        for key, tensor in state.get(held, {}).items()
        if tensor is not None
    ]
    label.append(_about(module, children))
    if not children and not tensors:
        return element("div", *label)
    inside = [element("div", _line(*each)) for each in tensors]
    inside += [
        _outline(child, key, f"{path}.{key}" if path else key, seen, depth + 1) for key, child in children
    ]
    is_open = "" if children and depth < _OPEN else None
    return element(
        "details",
        element("summary", *label, style="cursor: pointer"),
        element("div", *inside, style=_INSIDE),
        open=is_open,
    )


def _about(module, children):
    """What stands behind the type: the module's own words, and how many parameters there are inside."""
    own = module.extra_repr()
    lists = "\n" in own or own.lstrip().startswith("(")  # what stands below
    own = f"({own})" if own and not lists else ""
    if not own and not children and type(module).__repr__ is not Module.__repr__:
        own = f" {module!r}"
    parameters = list(module.parameters()) if "_parameters" in vars(module) else []
    if not parameters:
        return element("span", own)
    lazy = sum(map(is_lazy, parameters))
    known = [p for p in parameters if not is_lazy(p)]
    count, trainable = (sum([p.numel() for p in ps]) for ps in (known, [p for p in known if p.requires_grad]))
    notes = [f"{count:,} parameters"] if known else []
    if trainable < count:
        notes[0] += f", {trainable:,} trainable"
    if lazy:
        notes.append(f"{lazy} uninitialized")
    return element("span", own, element("span", f" {', '.join(notes)}", style=_markup.FAINT))


def _line(name, tensor, kind):
    """A line on a parameter or buffer."""
    if is_lazy(tensor):
        shape = "uninitialized"
    else:
        shape = str(list(tensor.shape))
    notes = [shape, tensor.dtype.name, kind]
    if not kind and not tensor.requires_grad:
        notes.append("frozen")
    text = " · ".join(filter(None, notes))
    return element("span", f"{name}: ", element("span", text, style=_markup.FAINT))
