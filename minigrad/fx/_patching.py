"""What is exchanged while a program is traced, and put back afterwards: functions that ``wrap`` marks, and two methods of modules."""

import builtins
import contextlib
import functools

from .node import map_aggregate
from .proxy import Proxy

#: (id of a module's globals, name) -> the globals in which a function is to be left as it is.
_wrapped_fns_to_patch: dict = {}
#: (class, name) of methods that are to be left as they are.
_wrapped_methods_to_patch: list = []
_MARK = "__fx_already_patched"
_MISSING = object()


def find_proxy(*values):
    """A proxy in nested values; None if there is none."""
    found = []
    map_aggregate(values, lambda x: found.append(x) if isinstance(x, Proxy) else None)
    return found[-1] if found else None


def leaf_function(function):
    """The function as it is while a program is traced: a call with a proxy becomes a node."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        proxy = find_proxy(args, kwargs)
        if proxy is None:
            return function(*args, **kwargs)
        made = proxy.tracer.create_proxy("call_function", function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    return wrapped


def leaf_method(cls, name):
    """The same for a method of a class."""
    method = getattr(cls, name)

    @functools.wraps(method)
    def wrapped(*args, **kwargs):
        proxy = find_proxy(args, kwargs)
        if proxy is None:
            return method(*args, **kwargs)
        return proxy.tracer.create_proxy("call_method", name, args, kwargs)

    return wrapped


class _Patcher:
    """Exchanges entries of modules' globals, and attributes of classes; ``undo`` puts back what was there."""

    def __init__(self):
        self._done = []  # (how to set, what there was, what there is)
        self._seen = set()

    def patch(self, frame_dict, name, new_fn, deduplicate=True):
        """Exchange a global of a module; a builtin of that name if there is none."""
        before = frame_dict.get(name, _MISSING)
        if before is _MISSING and not hasattr(builtins, name):
            raise KeyError(name)
        if not getattr(before, _MARK, False):
            setattr(new_fn, _MARK, deduplicate)

            def put(value):
                if value is _MISSING:
                    del frame_dict[name]
                else:
                    frame_dict[name] = value

            self._exchange(put, before, new_fn)

    def patch_method(self, cls, name, new_fn, deduplicate=True):
        """Exchange an attribute of a class."""
        before = getattr(cls, name)
        if not getattr(before, _MARK, False):
            setattr(new_fn, _MARK, deduplicate)
            self._exchange(functools.partial(setattr, cls, name), before, new_fn)

    def _exchange(self, put, before, after):
        self._done.append((put, before, after))
        put(after)

    def visit_once(self, thing):
        """Whether this is the first time that it is asked about a thing."""
        first = id(thing) not in self._seen
        self._seen.add(id(thing))
        return first

    def undo(self):
        """Put back all that was there, the last first."""
        for put, before, _ in reversed(self._done):
            put(before)

    def redo(self):
        """Exchange all of it again."""
        for put, _, after in self._done:
            put(after)


_active: list = []


@contextlib.contextmanager
def patching():
    """A ``_Patcher`` for a ``with`` block."""
    patcher = _Patcher()
    _active.append(patcher)
    try:
        yield patcher
    finally:
        patcher.undo()
        _active.pop()


@contextlib.contextmanager
def _maybe_revert_all_patches():
    """In the block, nothing is exchanged that the innermost tracing has exchanged."""
    if not _active:
        yield
        return
    patcher = _active[-1]
    patcher.undo()
    try:
        yield
    finally:
        patcher.redo()


def patch_wrapped_functions(patcher):
    """Exchange what ``wrap`` has marked."""
    for (_, name), frame_dict in _wrapped_fns_to_patch.copy().items():
        function = frame_dict[name] if name in frame_dict else getattr(builtins, name)
        patcher.patch(frame_dict, name, leaf_function(function))
    for cls, name in _wrapped_methods_to_patch:
        patcher.patch_method(cls, name, leaf_method(cls, name))


def patch_automatic(patcher, frame_dict, function_ids):
    """Exchange the functions in a module's globals whose ids are given."""
    if patcher.visit_once(frame_dict):
        for name, value in [*frame_dict.items()]:
            if name[:1] != "_" and callable(value) and id(value) in function_ids:
                patcher.patch(frame_dict, name, leaf_function(value))
