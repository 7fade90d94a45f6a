"""A pickle machine that runs no code: what ``load(weights_only=True)`` reads files with.

Restricting which globals Python's own unpickler finds would not be enough: its BUILD writes attributes on whatever lies
on the stack, dtypes and classes included, REDUCE calls with any arguments, and its memo allocates what a file asks for.
So this is a machine of its own.  It knows a fixed set of names, each standing for a value; a call (REDUCE, NEWOBJ) goes to a
constructor written for that name, which checks its arguments; BUILD, APPEND and SETITEM act on the types listed with
them, and on nothing else.  A user widens this with ``add_safe_globals``, at their own judgement.

Opcodes: the pickle documentation (``pickletools``) is the reference.  All of protocols 2 to 5 that PyTorch writes are read.
"""

import _codecs as codecs
import _compat_pickle
import functools
import pickle
import struct
import types
from collections import Counter, OrderedDict
from pickle import UnpicklingError

from .. import _utils
from .._base import dtypes
from .._base.device import device
from .._base.size import Size
from .._core.tensor import Tensor
from .._ops.parameter import Parameter
from . import names

#: Nothing from these modules is ever let in, not even if a user asks for it.
BLOCKED = ("sys", "os", "posix", "nt")

_user_globals: list = []


def add_safe_globals(safe_globals):
    for item in safe_globals:
        if item not in _user_globals:
            _user_globals.append(item)


def get_safe_globals():
    return list(_user_globals)


def clear_safe_globals():
    _user_globals.clear()


def remove_safe_globals(safe_globals):
    for item in safe_globals:
        if item in _user_globals:
            _user_globals.remove(item)


def user_globals():
    """Full name -> object, for all that the user has allowed; ours go by PyTorch's name as well."""
    found = {}
    for item in _user_globals:
        if isinstance(item, tuple):
            if len(item) != 2:
                raise ValueError(
                    "Expected tuple of length 2 (global, str of callable full path), but got tuple of length: "
                    f"{len(item)}"
                )
            if type(item[1]) is not str:
                raise TypeError(
                    f"Expected second item in tuple to be str of callable full path, but got: {type(item[1])}"
                )
            found[item[1]] = item[0]
        else:
            found[f"{item.__module__}.{item.__qualname__}"] = item
            ours = names.to_torch(item)
            if ours is not None:
                found[".".join(ours)] = item
    return found


# What may be called ----------------------------------------------------------------------------------------------


def show(value):
    """A short text for a value from a file: a full ``repr`` of lists in lists could take for ever."""
    if isinstance(value, (str, bytes)):
        return repr(value[:40])
    if value is None or isinstance(value, (bool, float, type, types.FunctionType, types.BuiltinFunctionType)):
        return repr(value)
    return f"a {type(value).__name__}"


def _need(condition, what, args):
    if not condition:
        raise UnpicklingError(f"{what} cannot be made from ({', '.join(map(show, args[:8]))})")


def _hashable(key):
    """Refuse a key whose hash would take too long or recurse too deep: tuples in tuples without end."""
    pending, left = [key], 1000
    while pending:
        item = pending.pop()
        if isinstance(item, tuple):
            left -= 1 + len(item)
            if left < 0:
                raise UnpicklingError("a key is a tuple of more than a thousand parts: refused")
            pending.extend(item)
    return key


def _ordered_dict(*args):
    _need(not args or (len(args) == 1 and type(args[0]) is list), "OrderedDict", args)
    return OrderedDict((_hashable(key), value) for key, value in (args[0] if args else ()))


def _counter(*args):
    _need(not args or (len(args) == 1 and type(args[0]) is dict), "Counter", args)
    return Counter(*args)


def _set(*args):
    _need(not args or (len(args) == 1 and type(args[0]) in (list, tuple)), "set", args)
    return {_hashable(item) for item in (args[0] if args else ())}


def _encode(*args):
    _need(len(args) == 2 and type(args[0]) is str and args[1] in ("latin1", "latin-1"), "bytes", args)
    return args[0].encode("latin1")


def _bytes(*args):
    _need(not args, "bytes", args)  # how protocol 2 writes the empty string
    return b""


def _bytearray(*args):
    if len(args) == 2:
        return bytearray(_encode(*args))
    _need(not args or (len(args) == 1 and type(args[0]) is bytes), "bytearray", args)
    return bytearray(*args)


def _complex(*args):
    _need(len(args) == 2 and all(type(part) in (int, float) for part in args), "complex", args)
    return complex(*args)


def _size(*args):
    _need(len(args) == 1 and type(args[0]) in (tuple, list), "torch.Size", args)
    return Size(args[0])


def _device(*args):
    _need(
        args and type(args[0]) is str and all(type(index) is int for index in args[1:]), "torch.device", args
    )
    return device(*args)


def _layout(*args):
    _need(len(args) == 1 and type(args[0]) is str, "torch.layout", args)
    return names.get_layout(*args)


def _parameter(*args):
    _need(args and isinstance(args[0], Tensor) and len(args) <= 2, "Parameter", args)
    return Parameter(*args)


def _rebuild_from_type(*args):
    _need(len(args) == 4 and any(args[0] is rebuild for rebuild in _REBUILD), "a tensor", args)
    _need(isinstance(args[1], type) and issubclass(args[1], Tensor), "a tensor", args)
    return _utils._rebuild_from_type_v2(*args)


_REBUILD = tuple(
    getattr(_utils, f"_rebuild_{kind}")
    for kind in (
        "tensor", "tensor_v2", "tensor_v3", "parameter", "parameter_with_state", "sparse_tensor", "qtensor",
        "nested_tensor", "wrapper_subclass", "meta_tensor_no_storage", "device_tensor_from_numpy",
        "device_tensor_from_cpu_tensor",
    )
)  # fmt: skip


@functools.cache
def default_globals():
    """Full name -> object, for all that a file may name by default."""
    found = {
        "collections.OrderedDict": OrderedDict,
        "collections.Counter": Counter,
        "builtins.set": set,
        "builtins.bytes": bytes,
        "builtins.bytearray": bytearray,
        "builtins.complex": complex,
        "_codecs.encode": codecs.encode,
        "torch.Tensor": Tensor,
        "torch.nn.parameter.Parameter": Parameter,
        "torch.Size": Size,
        "torch.device": device,
        "torch.serialization._get_layout": names.get_layout,
        "torch._tensor._rebuild_from_type_v2": _utils._rebuild_from_type_v2,
    }
    found.update({f"torch._utils.{rebuild.__name__}": rebuild for rebuild in _REBUILD})
    found.update({f"torch.{d.name}": d for d in (*dtypes.ALL, *dtypes.PACKED)})
    found.update({".".join(name): kind for name, kind in names.storage_types().items()})
    return found


@functools.cache
def _constructors():
    """What REDUCE calls for an object, by its ``id``."""
    found = {
        OrderedDict: _ordered_dict,
        Counter: _counter,
        set: _set,
        bytes: _bytes,
        bytearray: _bytearray,
        complex: _complex,
        codecs.encode: _encode,
        Parameter: _parameter,
        Size: _size,
        device: _device,
        names.get_layout: _layout,
        _utils._rebuild_from_type_v2: _rebuild_from_type,
    }
    found.update({rebuild: rebuild for rebuild in _REBUILD})
    return {id(named): constructor for named, constructor in found.items()}


def modern_name(module, name):
    """A global name as Python 3 has it, where protocol 2 writes Python 2's; and as PyTorch has it, where other pickle modules write ours."""
    if (module, name) in _compat_pickle.NAME_MAPPING:
        return _compat_pickle.NAME_MAPPING[module, name]
    if module.partition(".")[0] == names.PACKAGE:
        return "torch" + module.removeprefix(names.PACKAGE), name
    return _compat_pickle.IMPORT_MAPPING.get(module, module), name


# The machine ---------------------------------------------------------------------------------------------------------


class Unpickler:
    """Reads one pickle from ``file``, which has ``read`` and ``readline``.

    ``persistent_load`` makes a storage from its identifier; ``encoding`` is that of Python 2's strings.  Raises
    UnpicklingError for anything that is not allowed or not well formed, EOFError where the file ends too early.
    """

    def __init__(self, file, *, persistent_load=None, encoding="utf-8"):
        self._read, self._readline = file.read, file.readline
        self._encoding = encoding
        if persistent_load is not None:
            self.persistent_load = persistent_load
        self._allowed = default_globals()
        self._by_user = user_globals()
        self._stack, self._marks, self._memo = [], [], {}
        self._users_error = None
        self._tell, self._begin, self._copied = file.tell, file.tell(), 0

    def persistent_load(self, pid):
        """Refuses every identifier: a pickle on its own has no storages."""
        raise UnpicklingError("unsupported persistent id encountered")

    def load(self):
        """The object in the pickle."""
        read, operations = self._read, _operations(type(self))
        try:
            while True:
                opcode = read(1)
                operation = operations.get(opcode)
                if operation is None:
                    if opcode == pickle.STOP:
                        return self._stack.pop()
                    if not opcode:
                        raise EOFError("Ran out of input")
                    raise UnpicklingError(f"Unsupported operand {opcode[0]}")
                operation(self)
        except _MALFORMED as error:
            if error is self._users_error:
                raise
            raise UnpicklingError(f"the pickle is damaged: {type(error).__name__}: {error}") from error

    def _exactly(self, size):
        data = self._read(size)
        if len(data) != size:
            raise UnpicklingError("pickle data was truncated")
        return data

    def _unsigned(self, width):
        return int.from_bytes(self._exactly(width), "little")

    def _text(self, width):
        return str(self._exactly(self._unsigned(width)), "utf-8", "surrogatepass")

    def _line(self):
        line = self._readline()
        if line[-1:] != b"\n":
            raise UnpicklingError("pickle data was truncated")
        return line[:-1].decode("utf-8")

    def _pop_mark(self):
        items, self._stack = self._stack, self._marks.pop()
        return items

    def _find(self, module, name):
        """The object that a global name stands for; never imports anything."""
        module, name = modern_name(module, name)
        path = f"{module}.{name}"
        if module in BLOCKED:
            raise UnpicklingError(
                f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked."
            )
        if path in self._allowed:
            return self._allowed[path]
        if path in self._by_user:
            return self._by_user[path]
        names.refuse_missing(module, name)
        path = path.removeprefix("builtins.")
        raise UnpicklingError(
            f"Unsupported global: GLOBAL {path} was not an allowed global by default. If you trust it, allow it with "
            f"`torch.serialization.add_safe_globals([{path}])`, or for a while with "
            f"`torch.serialization.safe_globals([{path}])`."
        )

    def _is_users(self, obj):
        return any(obj is allowed for allowed in self._by_user.values())

    def _users(self, function, *args, **kwargs):
        """Call what the user has allowed; its own exceptions pass unchanged."""
        try:
            return function(*args, **kwargs)
        except Exception as error:
            self._users_error = error
            raise

    def _charge(self, *containers):
        """Count what calls copy; a small file must not make many copies of one large container.

        Every element of what ``pickle`` writes stands in the file, so a file that is larger than all copies is in order.
        """
        self._copied += sum(len(part) for part in containers if type(part) in (str, bytes, tuple, list, dict))
        if self._copied > 1 << 16 and self._copied > 2 * (self._tell() - self._begin):
            raise UnpicklingError("the pickle would grow to many times its size: refused")

    # Names and calls

    def global_(self):
        self._stack.append(self._find(self._line(), self._line()))

    def stack_global(self):
        name, module = self._stack.pop(), self._stack.pop()
        if type(name) is not str or type(module) is not str:
            raise UnpicklingError("STACK_GLOBAL requires str")
        self._stack.append(self._find(module, name))

    def reduce(self):
        args, function = self._stack.pop(), self._stack.pop()
        constructor = _constructors().get(id(function))
        if type(args) is not tuple:
            raise UnpicklingError(f"arguments of a call must be a tuple, but got {type(args)}")
        if constructor is not None:
            self._charge(*args)
            self._stack.append(constructor(*args))
        elif self._is_users(function):
            self._stack.append(self._users(function, *args))
        else:
            raise UnpicklingError(f"Trying to call reduce for unrecognized function {show(function)}")

    def newobj(self):
        self._new(self._stack.pop(), {})

    def newobj_ex(self):
        kwargs = self._stack.pop()
        self._new(self._stack.pop(), kwargs)

    def _new(self, args, kwargs):
        cls = self._stack.pop()
        constructor = _constructors().get(id(cls))
        if type(args) is not tuple or type(kwargs) is not dict:
            raise UnpicklingError("arguments of a new object must be a tuple and a dict")
        if constructor is not None and isinstance(cls, type) and not kwargs:
            self._charge(*args)
            self._stack.append(constructor(*args))
        elif isinstance(cls, type) and self._is_users(cls):
            self._stack.append(self._users(cls.__new__, cls, *args, **kwargs))
        else:
            raise UnpicklingError(
                "Can only create new object for nn.Parameter or classes allowlisted "
                f"via `add_safe_globals` but got {show(cls)}"
            )

    def build(self):
        state, instance = self._stack.pop(), self._stack[-1]
        cls = type(instance)
        self._charge(state)
        if cls is Tensor or cls is Parameter:
            _need(type(state) is tuple and len(state) in (3, 4, 5), "the state of a tensor", (state,))
            _utils.set_state(instance, state)
        elif cls is OrderedDict:
            _need(
                type(state) is dict and all(type(key) is str for key in state),
                "the state of an OrderedDict",
                (state,),
            )
            instance.__dict__.update(state)
        elif self._is_users(cls):
            self._users(_set_state, instance, state)
        else:
            raise UnpicklingError(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted "
                f"via `add_safe_globals`, but got {cls}"
            )

    def persistent(self):
        pid = self._stack.pop()
        if type(pid) is not tuple and type(pid) is not int:
            raise UnpicklingError(f"persistent_load id must be tuple or int, but got {type(pid)}")
        if type(pid) is tuple and (not pid or pid[0] not in ("storage", b"storage")):
            raise UnpicklingError(
                f"Only persistent_load of storage is allowed, but got {show(*pid[:1]) if pid else pid}"
            )
        self._stack.append(self.persistent_load(pid))

    # Containers

    def mark(self):
        self._marks.append(self._stack)
        self._stack = []

    def append(self):
        item = self._stack.pop()
        self._list("append to").append(item)

    def appends(self):
        items = self._pop_mark()
        self._list("extend").extend(items)

    def _list(self, verb):
        target = self._stack[-1]
        if type(target) is not list:
            raise UnpicklingError(f"Can only {verb} lists, but got {type(target)}")
        return target

    def setitem(self):
        value, key = self._stack.pop(), self._stack.pop()
        self._dict("SETITEM")[_hashable(key)] = value

    def setitems(self):
        items = self._pop_mark()
        target = self._dict("SETITEMS")
        for key, value in zip(items[::2], items[1::2], strict=True):
            target[_hashable(key)] = value

    def _dict(self, verb):
        target = self._stack[-1]
        if type(target) not in (dict, OrderedDict, Counter):
            raise UnpicklingError(
                f"Can only {verb} for dict, collections.OrderedDict, collections.Counter, but got {type(target)}"
            )
        return target

    def additems(self):
        items, target = self._pop_mark(), self._stack[-1]
        if type(target) is not set:
            raise UnpicklingError(f"Can only add to sets, but got {type(target)}")
        target.update(map(_hashable, items))

    def tuple_(self):
        items = self._pop_mark()
        self._stack.append(tuple(items))

    def tuple1(self):
        self._stack[-1:] = [(self._stack[-1],)]

    def tuple2(self):
        self._stack[-2:] = [(self._stack[-2], self._stack[-1])]

    def tuple3(self):
        self._stack[-3:] = [(self._stack[-3], self._stack[-2], self._stack[-1])]

    # Numbers, strings, memo

    def binstring(self, width):
        data = self._exactly(self._unsigned(width))
        self._stack.append(data if self._encoding == "bytes" else data.decode(self._encoding))

    def put(self, width):
        self._memo[self._unsigned(width)] = self._stack[-1]

    def memoize(self):
        self._memo[len(self._memo)] = self._stack[-1]

    def get(self, width):
        self._stack.append(self._memo[self._unsigned(width)])

    def pop(self):
        self._stack.pop()

    def proto(self):
        if self._exactly(1)[0] > pickle.HIGHEST_PROTOCOL:
            raise UnpicklingError("unsupported pickle protocol")

    def frame(self):
        self._exactly(8)  # how many bytes to read ahead: of no use here


#: What reading a damaged pickle can raise, apart from our own refusals.
_MALFORMED = (
    LookupError, TypeError, ValueError, AttributeError, OverflowError, MemoryError, RecursionError, struct.error,
)  # fmt: skip


def _set_state(instance, state):
    """What ``pickle`` does for BUILD."""
    if hasattr(instance, "__setstate__"):
        instance.__setstate__(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        instance.__dict__.update(state)
    for key, value in (slots or {}).items():
        setattr(instance, key, value)


@functools.cache
def _operations(machine):
    """Opcode -> what it does to a machine of this class."""

    def push(value):
        return lambda machine: machine._stack.append(value())

    def pushed(decode):
        return lambda machine: machine._stack.append(decode(machine))

    def fixed(format):
        layout = struct.Struct(format)
        return lambda machine: machine._stack.append(layout.unpack(machine._exactly(layout.size))[0])

    def sized(operation, width):
        return lambda machine: operation(machine, width)

    p, u = pickle, machine
    return {
        p.GLOBAL: u.global_, p.STACK_GLOBAL: u.stack_global, p.REDUCE: u.reduce, p.NEWOBJ: u.newobj,
        p.NEWOBJ_EX: u.newobj_ex, p.BUILD: u.build, p.BINPERSID: u.persistent, p.MARK: u.mark, p.APPEND: u.append,
        p.APPENDS: u.appends, p.SETITEM: u.setitem, p.SETITEMS: u.setitems, p.ADDITEMS: u.additems,
        p.TUPLE: u.tuple_, p.TUPLE1: u.tuple1, p.TUPLE2: u.tuple2, p.TUPLE3: u.tuple3, p.POP: u.pop,
        p.MEMOIZE: u.memoize, p.PROTO: u.proto, p.FRAME: u.frame,
        p.NONE: push(lambda: None), p.NEWTRUE: push(lambda: True), p.NEWFALSE: push(lambda: False),
        p.EMPTY_TUPLE: push(tuple), p.EMPTY_LIST: push(list), p.EMPTY_DICT: push(dict), p.EMPTY_SET: push(set),
        p.BININT: fixed("<i"), p.BININT1: fixed("<B"), p.BININT2: fixed("<H"), p.BINFLOAT: fixed(">d"),
        p.LONG1: pushed(lambda m: pickle.decode_long(m._exactly(m._unsigned(1)))),
        p.LONG4: pushed(lambda m: pickle.decode_long(m._exactly(m._unsigned(4)))),
        p.SHORT_BINUNICODE: pushed(lambda m: m._text(1)), p.BINUNICODE: pushed(lambda m: m._text(4)),
        p.BINUNICODE8: pushed(lambda m: m._text(8)),
        p.SHORT_BINBYTES: pushed(lambda m: m._exactly(m._unsigned(1))),
        p.BINBYTES: pushed(lambda m: m._exactly(m._unsigned(4))),
        p.BINBYTES8: pushed(lambda m: m._exactly(m._unsigned(8))),
        p.BYTEARRAY8: pushed(lambda m: bytearray(m._exactly(m._unsigned(8)))),
        p.SHORT_BINSTRING: sized(u.binstring, 1), p.BINSTRING: sized(u.binstring, 4),
        p.BINPUT: sized(u.put, 1), p.LONG_BINPUT: sized(u.put, 4),
        p.BINGET: sized(u.get, 1), p.LONG_BINGET: sized(u.get, 4),
    }  # fmt: skip


def globals_in(pickled):
    """The full names of all globals that a pickle, given as bytes, mentions; in order of appearance, each once.

    Raises UnpicklingError if the pickle is damaged.
    """
    import pickletools

    found, strings, memo = {}, [None, None], {}
    try:
        for operation, argument, _ in pickletools.genops(pickled):
            kind = operation.name
            if kind in ("GLOBAL", "STACK_GLOBAL"):
                pair = argument.split(" ", 1) if kind == "GLOBAL" else strings[-2:]
                found[".".join(modern_name(*pair))] = True
            elif kind == "MEMOIZE":
                memo[len(memo)] = strings[-1]
            elif kind in ("BINPUT", "LONG_BINPUT"):
                memo[argument] = strings[-1]
            else:
                strings.append(memo.get(argument) if kind in ("BINGET", "LONG_BINGET") else argument)
    except _MALFORMED as error:
        raise UnpicklingError(f"the pickle is damaged: {type(error).__name__}: {error}") from error
    return list(found)
