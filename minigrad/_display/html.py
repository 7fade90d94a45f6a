"""HTML for notebooks: text that is escaped, elements, tables; plain and small, readable on light and dark pages, and without scripts.

Styles stand in the elements themselves, so that nothing leaks from one output into the rest of a notebook.
"""

from html import escape

__all__ = ["FAINT", "PLAIN_TEXT", "Markup", "element", "table"]

FAINT = "opacity: .65; font-size: .9em"
PLAIN_TEXT = "margin: 0; white-space: pre; overflow-x: auto"
_CELL = "padding: .15em .8em .15em {indent}em; border: 0; white-space: pre; background: transparent; text-align: {align}"
_LINE = "border: 0; border-bottom: 1px solid rgba(128, 128, 128, .5)"


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag, *content, **attributes):
    """Return an HTML element with escaped text, or other elements, inside; attributes that are None are left out.

    >>> from minigrad._display.html import element
    >>> element("div", "a < b", element("b", "c"), title='"quoted"')
    '<div title="&quot;quoted&quot;">a &lt; b<b>c</b></div>'
    """
    inside = "".join([x if isinstance(x, Markup) else escape(str(x)) for x in content])
    given = [f' {name}="{escape(str(value))}"' for name, value in attributes.items() if value is not None]
    return Markup(f"<{tag}{''.join(given)}>{inside}</{tag}>")


def image(source, **attributes):
    """An image."""
    given = [f' {name}="{escape(str(value))}"' for name, value in attributes.items()]
    return Markup(f'<img src="{escape(source)}"{"".join(given)}>')


def table(headers, rows, indents=None, left=1):
    """A table: headers, rows of as many cells; the first ``left`` columns begin at the left, numbers stand at the right.

    ``indents`` says for each row by how many steps its first cell is moved in.
    """

    def cell(tag, content, column, steps=0):
        align = "left" if column < left else "right"
        return element(tag, content, style=_CELL.format(indent=0.4 + 1.2 * steps, align=align))

    head = element("tr", *[cell("th", text, i) for i, text in enumerate(headers)], style=_LINE)
    body = [
        element(
            "tr",
            *[cell("td", text, i, indents[r] if indents and not i else 0) for i, text in enumerate(row)],
            style="border: 0; background: transparent",
        )
        for r, row in enumerate(rows)
    ]
    style = "border-collapse: collapse; font-family: monospace; font-size: .9em; border: 0"
    return element("table", element("thead", head), element("tbody", *body), style=style)
