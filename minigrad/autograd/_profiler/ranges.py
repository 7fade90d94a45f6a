"""``emit_nvtx`` and ``emit_itt``: every operator and node as a range that NVIDIA's and Intel's tools show beside their own measurements."""

import functools
from collections.abc import Callable
from typing import Any

from ..._base.extras import missing_extra
from ..._base.publishing import publish
from ..._core.node import tick
from .event_names import names_of
from .input_shapes import describe
from .recorder import arguments_of, enter, leave

__all__ = ["emit_itt", "emit_nvtx"]


class _Ranges:
    """Pushes a range before whatever runs, and pops it afterwards; the engine and ``record_function`` take it for a ``Recorder``."""

    def __init__(self, push: Any, pop: Any, shapes: Any) -> None:
        self.push, self.pop, self.shapes = push, pop, shapes
        self.outer = None

    def text(self, name: str, inputs: Any = (), seq: Any = None) -> Any:
        """What a range is called: the name, the sequence number, the sizes of the inputs."""
        if seq is not None:
            name += f", {seq}"
        if self.shapes and inputs:
            name += f", sizes = {[describe(x)[0] for x in inputs]}"
        return name

    def watcher(self, cls: Any, operands: Any, params: Any, proceed: Any, writes: Any) -> Any:
        """An operator: its range says the number that a node of its will have."""

        def ranged():
            shown = names_of(cls, operands, params, writes)[0]
            inputs = arguments_of(cls, operands, params) if self.shapes else ()
            self.push(self.text(shown, inputs, f"seq={tick() + 1}"))
            try:
                return proceed()
            finally:
                self.pop()

        return ranged

    def node(self, function: Callable[..., Any], node: Any, g: Any, xp: Any, keep: Any) -> Any:
        """A node of a backward pass: its range says the number that it was recorded with."""
        gradients = g if node._outputs != 1 else (g,)
        self.push(self.text(node.name(), gradients, f"stashed seq={node._seq}"))
        try:
            if self.outer is not None:
                return self.outer.node(function, node, g, xp, keep)
            return function(node, g, xp, keep)
        finally:
            self.pop()

    def leaf(
        self, function: Callable[..., Any], node: Any, g: Any, fresh: Any, xp: Any, capture: Any, found: Any
    ) -> None:
        """The end of a backward pass at a leaf."""
        self.push(self.text(node.name(), (g,)))
        try:
            if self.outer is not None:
                self.outer.leaf(function, node, g, fresh, xp, capture, found)
            else:
                function(node, g, fresh, xp, capture, found)
        finally:
            self.pop()

    def entered(self, name: str) -> None:
        """A user's range begins."""
        self.push(name)
        if self.outer is not None:
            self.outer.entered(name)

    def ranged(self, name: str, start: Any, args: Any = None) -> None:
        """A user's range ends."""
        self.pop()
        if self.outer is not None:
            self.outer.ranged(name, start, args)

    def called(self, name: str, start: Any, result: Any, args: Any) -> None:
        """A function that is no operator has run: the operators in it had ranges of their own."""
        if self.outer is not None:
            self.outer.called(name, start, result, args)


class _Emit:
    """What the two context managers have in common; ``_tool`` gives the functions that push and pop."""

    _tool: Any

    entered: bool

    _title = ""

    def __init__(self, enabled: bool = True, record_shapes: bool = False) -> None:
        self.enabled = enabled
        self.entered = False
        self.record_shapes = record_shapes

    def __enter__(self) -> Any:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError(f"{self._title} annotation context manager is not reentrant")
        ranges = _Ranges(*self._tool(), self.record_shapes)  # type: ignore[call-arg]
        self.entered = True
        self._ranges = ranges
        enter(ranges)
        return self

    def __exit__(self, *exc: Any) -> Any:
        if self.enabled:
            leave(self._ranges)
        return False


class emit_nvtx(_Emit):
    """While entered, every operator and every node of a backward pass is an NVTX range, which Nsight Systems shows; needs the ``nvtx`` package.

    The range of an operator is called ``aten::mul, seq=5``: a node that it records gets the number 5, and its range in backward is called
    ``MulBackward0, stashed seq=5``.  With ``record_shapes`` the sizes of the inputs follow, as in ``sizes = [[3, 4], []]``.

    Raises ImportError without the package, RuntimeError if entered twice.

    >>> import minigrad
    >>> with minigrad.autograd.profiler.emit_nvtx(enabled=False):
    ...     y = minigrad.ones(2) * 2
    """

    _title = "NVTX"

    def _tool(self):
        try:
            import nvtx
        except ImportError as error:
            raise missing_extra("emit_nvtx", "nvtx", "nvtx") from error
        return nvtx.push_range, nvtx.pop_range


class emit_itt(_Emit):
    """While entered, every operator and every node of a backward pass is an ITT task, which VTune shows; needs the ``ittapi`` package.

    Tasks are called as the ranges of ``emit_nvtx`` are.

    Raises ImportError without the package, RuntimeError if entered twice.

    >>> import minigrad
    >>> with minigrad.autograd.profiler.emit_itt(enabled=False):
    ...     y = minigrad.ones(2) * 2
    """

    _title = "ITT"

    def _tool(self):
        return itt_tool()


publish("minigrad.autograd.profiler", emit_nvtx, emit_itt)


def itt_tool() -> Any:
    """The functions that begin a task and end the latest, in one domain.  Raises ImportError without the ``ittapi`` package."""
    try:
        import ittapi
    except ImportError as error:
        raise missing_extra("emit_itt", "ittapi", "itt") from error
    domain = ittapi.domain("PyTorch")

    def push(text):
        ittapi.task_begin(domain, ittapi.string_handle(text))

    return push, functools.partial(ittapi.task_end, domain)
