"""The profiler under the name that it had before ``minigrad.profiler``."""

from typing import Any

from . import profiler
from ._profiler.enums import ProfilerState

__all__ = ["profile"]


class profile(profiler.profile):
    """An older form of ``autograd.profiler.profile``, with fewer arguments. Raises RuntimeError if results are asked for before the end.

    >>> import minigrad
    >>> from minigrad.autograd import profiler_legacy
    >>> with profiler_legacy.profile() as prof:
    ...     x = minigrad.ones(2)
    >>> [event.name for event in prof.function_events]
    ['aten::ones']
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_cuda: bool = False,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
    ) -> None:
        super().__init__(
            enabled,
            use_device="cuda" if use_cuda else None,
            record_shapes=record_shapes,
            with_flops=with_flops,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_modules=with_modules,
        )
        self.profiler_kind = ProfilerState.CPU

    def _read(self):
        found = super()._read()
        for event in found:
            event.is_legacy = True
        return found

    @property
    def function_events(self) -> Any:
        """The recorded events, an ``EventList`` of ``FunctionEvent``; None before the end."""
        self._ensure_function_events()
        return self._function_events

    def _events(self):
        found = self.function_events
        if found is None:
            raise RuntimeError("Profiler didn't finish running")
        return found

    def __repr__(self) -> str:
        return "<unfinished profiler_legacy.profile>" if self.function_events is None else super().__repr__()

    def __str__(self) -> str:
        if self.function_events is None:
            return "<unfinished profile.profiler_legacy.profile>"
        return super().__str__()

    def export_chrome_trace(self, path: Any) -> Any:
        """Write the events as a trace: see ``EventList.export_chrome_trace``."""
        return self._events().export_chrome_trace(path)
