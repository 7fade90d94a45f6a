"""All operators that programs have defined, by their names."""

import threading

from .._base.forking import held_while_forking
from .operator import KEYS, Operator
from .schema import parse_schema

#: ``ns::name`` -> overload -> ``Operator``.
_operators: dict[str, dict[str, Operator]] = {}
#: ``ns::name`` of operators with a kernel but without a schema yet -> overload -> key -> kernel.
_waiting: dict[str, dict] = {}
#: What is known of results of operators without a schema: those of compiled libraries, which are not loaded.
_fakes: dict[str, object] = {}
_libraries: set[str] = set()
_lock = held_while_forking(threading.RLock())
_RESERVED = {"prim"}


def split(qualname):
    """(``ns::name``, overload) of a name; ValueError unless it has a namespace."""
    if not isinstance(qualname, str) or qualname.count("::") != 1:
        raise ValueError(
            f'Expected `qualname` to be of the form "namespace::name", but got {qualname}. '
            "The qualname passed to the torch.library APIs must consist of a namespace and a name, e.g. aten::sin"
        )
    name, _, overload = qualname.partition(".")
    return name, overload


def define(text, place):
    """Define an operator by its schema, whose name has a namespace; RuntimeError if there is one of this name."""
    schema = parse_schema(text)
    with _lock:
        overloads = _operators.setdefault(schema.name, {})
        if schema.overload_name in overloads:
            raise RuntimeError(
                f"Tried to register an operator ({schema}) with the same name and overload name multiple times. "
                f"Each overload's schema should only be registered with a single call to def(). Registered again at {place}"
            )
        operator = overloads[schema.overload_name] = Operator(schema)
        operator.kernels.update(_waiting.get(schema.name, {}).pop(schema.overload_name, {}))
        operator.fake = _fakes.pop(schema.name, None)
    return operator


def find(qualname):
    """The operator of a name; None if there is none."""
    name, overload = split(qualname)
    return _operators.get(name, {}).get(overload)


def known(qualname):
    """The same; RuntimeError if there is none."""
    operator = find(qualname)
    if operator is None:
        raise RuntimeError(f"operator {qualname} does not exist")
    return operator


def describe_results(qualname, fake):
    """Say what the results of an operator look like, before or after it is defined."""
    with _lock:
        operator = find(qualname)
        if operator is None:
            _fakes[split(qualname)[0]] = fake
        else:
            operator.fake = fake


def implement(qualname, key, kernel):
    """Give an operator a kernel, before or after it is defined; returns what takes it away again."""
    if key not in KEYS:
        raise RuntimeError(f"could not parse dispatch key: {key}")
    name, overload = split(qualname)
    with _lock:
        operator = find(qualname)
        kernels = operator.kernels if operator else _waiting.setdefault(name, {}).setdefault(overload, {})
        before = kernels.get(key)
        kernels[key] = kernel

    def undo():
        with _lock:
            if kernels.get(key) is kernel:
                kernels.pop(key)
                if before is not None:
                    kernels[key] = before

    return undo


def remove(operator):
    """Forget an operator."""
    with _lock:
        overloads = _operators.get(operator.schema.name, {})
        if overloads.get(operator.schema.overload_name) is operator:
            del overloads[operator.schema.overload_name]
            if not overloads:
                del _operators[operator.schema.name]


def overloads_of(name):
    """Overload -> operator of ``ns::name``."""
    return _operators.get(name, {})


def names_in(namespace):
    """The names of the operators of a namespace."""
    return sorted(name.partition("::")[2] for name in _operators if name.startswith(f"{namespace}::"))


def begin_library(namespace, kind):
    """Note a library; ValueError or RuntimeError if there may not be one."""
    if kind not in ("IMPL", "DEF", "FRAGMENT"):
        raise ValueError(f"Unsupported kind: {kind}")
    if namespace in _RESERVED and kind != "IMPL":
        raise ValueError(
            f"{namespace} is a reserved namespace. Please try creating a library with another name."
        )
    if kind == "DEF":
        if namespace in _libraries:
            raise RuntimeError(
                f"Only a single TORCH_LIBRARY can be used to register the namespace {namespace}; "
                'a "FRAGMENT" adds to it, "IMPL" gives it kernels'
            )
        _libraries.add(namespace)


def end_library(namespace, kind):
    """The library is no more."""
    if kind == "DEF":
        _libraries.discard(namespace)
