"""What ``minigrad.ops.ns`` has for the operators of programs: the objects that are called."""

import threading

from .. import ops
from . import registry
from .arguments import bind


class _Proceeding(threading.local):
    now = None  # what the overload means to the dispatch mode whose turn it is


class CustomOverload(ops.OpOverload):
    """One overload of an operator that a program has defined."""

    def __init__(self, packet, overload, operator):
        super().__init__(packet, overload)
        self._operator = operator
        self._schema = operator.schema
        self.proceeding = _Proceeding()

    def __call__(self, /, *args, **kwargs):
        proceed = self.proceeding.now
        if proceed is not None:
            self.proceeding.now = None
            try:
                return proceed(*args, **kwargs)
            finally:
                self.proceeding.now = proceed
        return self._operator.call(self, args, kwargs)


class CustomPacket(ops.OpOverloadPacket):
    """An operator that a program has defined, with all its overloads: a call goes to the first whose arguments fit."""

    def __init__(self, namespace, name):
        super().__init__(namespace, name, self._dispatch, {})

    def _operators(self):
        return registry.overloads_of(self._qualified_op_name)

    def _dispatch(self, *args, **kwargs):
        operators = self._operators()
        names = [*operators]
        for name in names[:-1]:
            overload = getattr(self, name or "default")
            try:
                bind(overload._schema, args, kwargs)
            except RuntimeError:
                continue
            return overload(*args, **kwargs)
        if not names:
            raise AttributeError(
                f"'_OpNamespace' '{self._namespace}' object has no attribute '{self.__name__}'"
            )
        return getattr(self, names[-1] or "default")(*args, **kwargs)

    def __getattr__(self, name):
        operator = None if name[:2] == "__" else self._operators().get("" if name == "default" else name)
        if operator is None:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")
        kept = self.__dict__.setdefault("_made", {})
        if name not in kept or kept[name]._operator is not operator:
            kept[name] = CustomOverload(self, name, operator)
        return kept[name]

    def __iter__(self):
        return iter(self.overloads())

    def overloads(self):
        """The names of the overloads."""
        return [name or "default" for name in self._operators()]


class CustomNamespace(ops._OpNamespace):
    """The operators of a namespace that programs define."""

    def __init__(self, name):
        super().__init__(name, None)
        self._packets = {}

    def __getattr__(self, name):
        if name[:2] == "__" or not registry.overloads_of(f"{self.name}::{name}"):
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        if name not in self._packets:
            self._packets[name] = CustomPacket(self.name, name)
        return self._packets[name]

    def __dir__(self):
        return sorted({*super().__dir__(), *registry.names_in(self.name)})


_namespaces: dict[str, CustomNamespace] = {}


def namespace(name):
    """The namespace of this name."""
    return _namespaces.setdefault(name, CustomNamespace(name))


def find_custom(space, name):
    """An operator that a program has added to a namespace of ours; None if there is none."""
    return getattr(namespace(space), name) if registry.overloads_of(f"{space}::{name}") else None


def overload_of(operator):
    """The object of an operator."""
    space, _, name = operator.schema.name.partition("::")
    packet = getattr(ops, space)
    found = getattr(packet, name)
    return getattr(found, operator.schema.overload_name or "default")
