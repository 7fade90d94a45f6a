"""Mixed precision: inside ``amp.autocast``, products of matrices are computed in a lower precision, losses in float32.

A watcher of the thread's ops (``interpret.py``) casts their operands.  Which ops these are follows PyTorch's lists for the CPU, as far as
they are one op here: their classes say ``autocast``; functions made of several take ``widened``.  ``amp/`` is the public side.
"""

import functools

from .._base import dtypes
from .._core.modes import set_watching, thread_state, unwatch, watch
from .._core.tensor import Tensor
from .._core.views import View

__all__: list[str] = []  # amp/ is the public side


class Autocast:
    """One ``with`` block: what is cast to which dtype in it; ``dtype`` None switches an outer one off, and ``lower`` is what it is once it is on again."""

    __slots__ = ("dtype", "lower", "casts", "outer", "caching", "is_public")

    def __init__(self, dtype, caching, is_public=False, lower=None):
        self.dtype, self.caching, self.is_public = dtype, caching, is_public
        self.lower = dtype if lower is None else lower
        self.casts = self.outer = None

    def __enter__(self):
        outer = self.outer = thread_state.autocast
        # of one weight there is one cast until the outermost block ends, so that its gradients add up in the lower precision
        self.casts = {} if outer is None else outer.casts
        thread_state.autocast = self
        if self.dtype is not None:
            watch(self.watcher)

    def __exit__(self, *exc):
        if self.dtype is not None:
            unwatch(self.watcher)
        thread_state.autocast = self.outer
        self.outer = self.casts = None

    def watcher(self, cls, operands, params, proceed, writes):
        """Apply an op to operands that are cast first, if its class says so."""
        if cls.autocast is None or thread_state.autocast is not self or writes:
            return proceed
        to = self.dtype if cls.autocast == "lower" else dtypes.float32
        cast = tuple([self.cast(x, to) if isinstance(x, Tensor) else x for x in operands])
        if all(x is y for x, y in zip(cast, operands)):
            return proceed
        return lambda: self.apply(cls, cast, params)

    def apply(self, cls, operands, params):
        """Apply an op to cast operands: what watches inside this block has seen the others only, and looks again."""
        watchers = thread_state.watchers
        thread_state.watchers = watchers[watchers.index(self.watcher) + 1 :]
        was = set_watching(True)
        try:
            return cls.call(*operands, *params)
        finally:
            thread_state.watchers = watchers
            set_watching(was)

    def cast(self, x, to):
        """A tensor in the dtype ``to``, unless it is of float64 or no floating one."""
        if x.dtype is to or x.dtype.category != dtypes.FLOATING or x.dtype is dtypes.float64:
            return x
        weight = self.caching and x.is_leaf and x.requires_grad and x.dtype is dtypes.float32
        if not weight or x._node.__class__ is View or not thread_state.recording:
            return x.to(to)
        found = self.casts.get((id(x), to))
        if found is None:
            found = self.casts[id(x), to] = x, x.to(to)  # x itself, so that its id stays its own
        return found[1]


def current_dtype():
    """The dtype of the lower precision of this thread; None outside of autocast."""
    return None if thread_state.autocast is None else thread_state.autocast.dtype


def lasting():
    """An ``Autocast`` for later that is as autocast is now: what is computed once more is cast as it was."""
    return Autocast(current_dtype(), thread_state.autocast is None or thread_state.autocast.caching)


def widened(function):
    """A decorator for a function of several ops: inside autocast its tensors are cast to float32 first."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        if thread_state.autocast is None or thread_state.autocast.dtype is None:
            return function(*args, **kwargs)
        cast = thread_state.autocast.cast
        wide = [cast(x, dtypes.float32) if isinstance(x, Tensor) else x for x in args]
        named = {k: cast(x, dtypes.float32) if isinstance(x, Tensor) else x for k, x in kwargs.items()}
        return function(*wide, **named)

    return call
