"""What the questions in ``autograd.graph`` are answered with."""

from dataclasses import dataclass, field

from .._origins import Origin

__all__ = ["RECORD", "Answer", "Cut", "Holder", "Modification", "NoGrad", "Writes", "at", "listed"]

#: What helps where nothing was noted.
RECORD = "run it under minigrad.autograd.graph.record_origins() to see the line"


@dataclass(frozen=True, repr=False)
class Answer:
    """An answer: ``str()`` gives the text, and ``reason`` one word for programs."""

    reason: str
    text: str

    def __str__(self):
        return self.text

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class NoGrad(Answer):
    """Why a tensor does not require grad.

    ``function`` and ``origin`` say what made it so and where, as far as that was noted; ``causes`` holds the same for each of the tensors that it
    was computed from, where none of these requires grad.
    """

    function: str = ""
    origin: Origin | None = None
    causes: "tuple[NoGrad, ...]" = ()


@dataclass(frozen=True, repr=False)
class Cut(Answer):
    """Where the graph from an output to leaves is cut.

    ``connected`` has the names of the leaves to which the graph leads, ``cuts`` an answer by the name of each other leaf, and ``doubts`` one by the name of
    each of the connected that may get none all the same, or only zeros.
    """

    connected: tuple[str, ...] = ()
    cuts: dict[str, Answer] = field(default_factory=dict)
    doubts: dict[str, Answer] = field(default_factory=dict)
    origin: Origin | None = None


@dataclass(frozen=True, repr=False)
class Holder(Answer):
    """One of those who hold a piece of memory: ``reason`` is "saved", "tensor", "grad", "leaf", "hook", "closure" or "array"."""

    origin: Origin | None = None


@dataclass(frozen=True, repr=False)
class Holders(Answer):
    """Who holds the memory of a tensor: ``bytes`` of it, and the ``holders``."""

    bytes: int = 0
    holders: tuple[Holder, ...] = ()


@dataclass(frozen=True, repr=False)
class Modification(Answer):
    """A write in place: the version that it led to, the function that wrote, and the line."""

    version: int = 0
    function: str = ""
    origin: Origin | None = None


@dataclass(frozen=True, repr=False)
class Writes(Answer):
    """Which writes modified a tensor, or what a node saved: ``writes``, the oldest first; ``origin`` is the first one's."""

    writes: tuple[Modification, ...] = ()
    origin: Origin | None = None


def at(origin, before=", at "):
    """The words that name a line, if it is known."""
    return "" if origin is None else f"{before}{origin}"


def listed(items, most=10):
    """Items as lines of a list, at most so many of them."""
    lines = [f"\n  - {item}" for item in items[:most]]
    if len(items) > most:
        lines.append(f"\n  - and {len(items) - most} more")
    return "".join(lines)
