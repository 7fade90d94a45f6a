"""The profiler under the name that it had before ``minigrad.profiler``."""

from . import profiler

__all__ = ["profile"]


class profile(profiler.profile):
    """As ``autograd.profiler.profile``, with fewer arguments.

    >>> import minigrad
    >>> from minigrad.autograd import profiler_legacy
    >>> with profiler_legacy.profile() as prof:
    ...     x = minigrad.ones(2)
    >>> [event.name for event in prof.function_events]
    ['aten::ones']
    """

    def __init__(
        self,
        enabled=True,
        *,
        use_cuda=False,
        record_shapes=False,
        with_flops=False,
        profile_memory=False,
        with_stack=False,
        with_modules=False,
    ):
        super().__init__(
            enabled,
            use_device="cuda" if use_cuda else None,
            record_shapes=record_shapes,
            with_flops=with_flops,
            profile_memory=profile_memory,
            with_stack=with_stack,
            with_modules=with_modules,
        )
