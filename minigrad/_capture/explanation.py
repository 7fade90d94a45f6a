"""``Explanation``: what a captured step runs, as text, and in notebooks as HTML that tells its parts apart."""

from .._display.html import FAINT, PLAIN_TEXT, element, table
from .instructions import instructions

__all__ = ["Explanation"]

#: What the parts of a step are called, and their colours.
PARTS = {"forward": "#4c9f70", "backward": "#c8553d", "update": "#4f7cac", "": "transparent"}


class Explanation(str):
    """The text of ``explain``; ``lines`` has the lines of the source, each with the part of the step that it belongs to.

    ``minigrad.viz.graph`` draws it.
    """

    __slots__ = ("heading", "lines", "plan")

    def __new__(cls, heading, lines, plan):
        source = "".join(f"{line}\n" for _, line in lines).rstrip()
        made = super().__new__(cls, "\n".join([*heading, "", source]))
        made.heading, made.lines, made.plan = heading, lines, plan
        return made

    def calls(self):
        """How many lines of the source belong to each part of the step."""
        found = [part for part, _ in self.lines]
        return {part: found.count(part) for part in PARTS if part and part in found}

    def instructions(self):
        """The calls as data, for ``minigrad.viz.graph``: see ``instructions.py``."""
        return instructions(self.plan)

    def _repr_html_(self):
        first, *others = self.heading
        notes = [element("div", text.strip(), style=FAINT) for text in others]
        counts = table(["part", "lines"], [[part, number] for part, number in self.calls().items()])
        lines = [
            element(
                "div",
                line or " ",
                title=part or None,
                style=f"border-left: 4px solid {PARTS[part]}; padding-left: .6em",
            )
            for part, line in self.lines
        ]
        return str(
            element("div", element("div", first), *notes, counts, element("pre", *lines, style=PLAIN_TEXT))
        )
