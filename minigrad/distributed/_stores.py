"""Stores: where processes leave values for one another, in one process, in a file, or at a server that one of them runs."""

import os
import socket
import socketserver
import struct
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from datetime import timedelta

from ._errors import DistNetworkError, DistStoreError, QueueEmptyError

__all__ = ["FileStore", "HashStore", "PrefixStore", "Store", "TCPStore"]

_DEFAULT_TIMEOUT = timedelta(seconds=300)


def _bytes(value):
    return value.encode() if isinstance(value, str) else bytes(value)


class Store:
    """Keys with values, which several processes share: the base of the stores.

    What a store of another kind has to have is ``_call``: the name of one of the operations of ``_Table``, and its arguments.
    """

    def __init__(self) -> None:
        self._timeout = _DEFAULT_TIMEOUT

    def _call(self, operation, *args):
        raise NotImplementedError("a subclass of Store must implement its operations")

    @property
    def timeout(self) -> timedelta:
        """How long ``get`` and ``wait`` wait for a key."""
        return self._timeout

    def set_timeout(self, timeout: timedelta) -> None:
        """Let ``get`` and ``wait`` wait that long for a key."""
        self._timeout = timeout

    def set(self, key: str, value: str | bytes) -> None:
        """Give a key a value."""
        self._call("set", key, _bytes(value))

    def get(self, key: str) -> bytes:
        """The value of a key; waits for it, and raises DistStoreError when the time is over."""
        self.wait([key])
        return self._call("get", key)

    def add(self, key: str, amount: int) -> int:
        """Add to the number that a key has, 0 at first, and return it."""
        return self._call("add", key, int(amount))

    def append(self, key: str, value: str | bytes) -> None:
        """Put a value after that of a key."""
        self._call("append", key, _bytes(value))

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all the keys have values."""
        return self._call("check", list(keys))

    def compare_set(self, key: str, expected_value: str | bytes, desired_value: str | bytes) -> bytes:
        """Give a key another value if it has the expected one (or none, where "" is expected), and return the one that it has then."""
        return self._call("compare_set", key, _bytes(expected_value), _bytes(desired_value))

    def delete_key(self, key: str) -> bool:
        """Forget a key; returns whether there was one."""
        return self._call("delete_key", key)

    def num_keys(self) -> int:
        """How many keys have values."""
        return self._call("num_keys")

    def list_keys(self) -> list[str]:
        """The keys that have values."""
        return self._call("list_keys")

    def multi_get(self, keys: Sequence[str]) -> list[bytes]:
        """The values of several keys; waits for them."""
        self.wait(keys)
        return [self._call("get", key) for key in keys]

    def multi_set(self, keys: Sequence[str], values: Sequence[str | bytes]) -> None:
        """Give several keys values."""
        for key, value in zip(keys, values):
            self.set(key, value)

    def queue_push(self, key: str, value: str | bytes) -> None:
        """Put a value at the end of a queue."""
        self._call("queue_push", key, _bytes(value))

    def queue_pop(self, key: str, block: bool = True) -> bytes:
        """Take the first value of a queue; waits for one, or, without ``block``, raises QueueEmptyError if there is none."""
        value = self._call("queue_pop", key)
        if value is None and block:
            value = self._until(lambda: self._call("queue_pop", key), self._timeout, [key])
        if value is None:
            raise QueueEmptyError(f"queue {key} is empty")
        return value

    def queue_len(self, key: str) -> int:
        """How many values a queue has."""
        return self._call("queue_len", key)

    def wait(self, keys: Sequence[str], timeout: timedelta | None = None) -> None:
        """Wait until all the keys have values; raises DistStoreError when the time is over."""
        self._until(lambda: self.check(keys) or None, timeout or self._timeout, keys)

    def barrier(self, key: str, world_size: int, timeout: timedelta | None = None) -> None:
        """Wait until so many processes have called this with the key, once each; raises DistStoreError when the time is over."""
        if self.add(f"{key}/num_members", 1) == world_size:
            self.set(f"{key}/last_member", "1")
        self.wait([f"{key}/last_member"], timeout)

    def _until(self, ask, timeout, keys):
        deadline, pause = time.monotonic() + timeout.total_seconds(), 0.0005
        while (answer := ask()) is None:
            if time.monotonic() > deadline:
                raise DistStoreError(
                    f"wait timeout after {timeout.total_seconds() * 1000:.0f}ms, keys: {', '.join(keys)}"
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)
        return answer

    def has_extended_api(self) -> bool:
        """Whether there are ``append``, ``multi_get`` and ``multi_set``: True."""
        return True


class _Table:
    """What a store knows: keys with values, and queues."""

    def __init__(self):
        self.values = {}
        self.queues = {}

    def set(self, key, value):
        self.values[key] = value

    def get(self, key):
        return self.values[key]

    def add(self, key, amount):
        total = int(self.values.get(key, b"0")) + amount
        self.values[key] = str(total).encode()
        return total

    def append(self, key, value):
        self.values[key] = self.values.get(key, b"") + value

    def check(self, keys):
        return all(key in self.values for key in keys)

    def compare_set(self, key, expected, desired):
        if self.values.get(key, b"") == expected:
            self.values[key] = desired
        return self.values.get(key, expected)

    def delete_key(self, key):
        return self.values.pop(key, None) is not None

    def num_keys(self):
        return len(self.values)

    def list_keys(self):
        return list(self.values)

    def queue_push(self, key, value):
        self.queues.setdefault(key, deque()).append(value)

    def queue_pop(self, key):
        queue = self.queues.get(key)
        return queue.popleft() if queue else None

    def queue_len(self, key):
        return len(self.queues.get(key, ()))


class HashStore(Store):
    """A store for the threads of one process.

    >>> import minigrad
    >>> store = minigrad.distributed.HashStore()
    >>> store.set("key", "value")
    >>> store.get("key"), store.add("count", 2)
    (b'value', 2)
    """

    def __init__(self) -> None:
        super().__init__()
        self._table = _Table()
        self._lock = threading.Lock()

    def _call(self, operation, *args):
        with self._lock:
            return getattr(self._table, operation)(*args)


class FileStore(Store):
    """A store for processes that reach the same file; the last of ``world_size`` to end removes it.

    >>> import os, tempfile, minigrad
    >>> store = minigrad.distributed.FileStore(os.path.join(tempfile.mkdtemp(), "store"), 1)
    >>> store.set("key", "value")
    >>> store.get("key")
    b'value'
    """

    def __init__(self, file_name: str, world_size: int = -1) -> None:
        super().__init__()
        self.path = file_name
        self._place = 0
        self._table = _Table()
        self._world_size = world_size
        if world_size > 0:
            self._call("add", _USERS, 1)
            weakref.finalize(self, _leave, file_name, world_size)

    def _call(self, operation, *args):
        """Read what others have written, do the operation, and write it if it changed something."""
        import fcntl

        with open(self.path, "a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(self._place)
            data, place = file.read(), 0
            while place < len(data):
                (before, *its), place = _decode(data, place)
                getattr(self._table, before)(*its)
            result = getattr(self._table, operation)(*args)
            if operation not in _READING:
                file.write(_encode((operation, *args)))
            self._place = file.seek(0, os.SEEK_END)
        return result

    def num_keys(self) -> int:
        """How many keys have values."""
        return len(self.list_keys())

    def list_keys(self) -> list[str]:
        """The keys that have values."""
        return [key for key in self._call("list_keys") if key not in (_USERS, _ENDED)]


def _leave(path, world_size):
    """Count a process that has ended; the last one removes the file."""
    if os.path.exists(path) and FileStore(path)._call("add", _ENDED, 1) >= world_size:
        os.remove(path)


_READING = {"get", "check", "num_keys", "list_keys", "queue_len"}
_USERS, _ENDED = "/users/", "/ended/"


class TCPStore(Store):
    """A store at a server that the process with ``is_master`` runs, in a thread, at ``host_name:port`` (port 0: any that is free).

    Raises DistNetworkError if the server is not there within ``timeout``.

    >>> import minigrad
    >>> store = minigrad.distributed.TCPStore("127.0.0.1", 0, 1, is_master=True)
    >>> store.set("key", "value")
    >>> store.get("key"), store.num_keys()
    (b'value', 1)
    """

    def __init__(
        self,
        host_name: str,
        port: int,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: timedelta = _DEFAULT_TIMEOUT,
        wait_for_workers: bool = True,
        multi_tenant: bool = False,
        master_listen_fd: int | None = None,
        use_libuv: bool = True,
    ) -> None:
        super().__init__()
        self._timeout = timeout
        self.host, self._server = host_name, None
        self._lock = threading.Lock()
        if is_master:
            try:
                self._server = _Server((host_name if host_name in _LOCAL else "", port), _Connection)
            except OSError as error:
                raise DistNetworkError(
                    f"The server socket has failed to listen on any local network address. port: {port}: {error.strerror}"
                ) from None
            port = self._server.server_address[1]
            threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.port = port
        self._socket = self._connect()
        weakref.finalize(self, _close, self._socket, self._server)
        joined = self._call("add_worker") if world_size else 0
        if world_size and wait_for_workers and is_master and joined < world_size:
            self._until(lambda: self._call("workers") >= world_size or None, timeout, ["all workers"])

    def _connect(self):
        deadline = time.monotonic() + self._timeout.total_seconds()
        while True:
            try:
                connection = socket.create_connection((self.host, self.port), timeout=5)
            except OSError as error:
                if time.monotonic() > deadline:
                    raise DistNetworkError(
                        f"The client socket has timed out after {self._timeout.total_seconds() * 1000:.0f}ms while trying to connect to "
                        f"({self.host}, {self.port}): {error}"
                    ) from None
                time.sleep(0.05)
            else:
                connection.settimeout(None)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection

    def _call(self, operation, *args):
        with self._lock:
            try:
                _send(self._socket, (operation, *args))
                worked, answer = _receive(self._socket)
            except (OSError, EOFError):
                raise DistNetworkError(
                    f"the store at {self.host}:{self.port} is gone: its process has ended"
                ) from None
        if not worked:
            raise DistStoreError(answer)
        return answer


def _close(connection, server):
    connection.close()
    if server is not None:
        server.shutdown()
        server.server_close()


_LOCAL = ("localhost", "127.0.0.1")


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, address, handler):
        super().__init__(address, handler)
        self.table = _Table()
        self.lock = threading.Lock()
        self.workers = 0

    def handle_error(self, request, client_address):
        """A client that ends in the middle of a request is no error of the server's."""


class _Connection(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while True:
            try:
                operation, *args = _receive(self.request)
            except (OSError, EOFError):
                return
            with self.server.lock:
                try:
                    answer = True, self._answer(operation, args)
                except Exception as error:
                    answer = False, f"{type(error).__name__}: {error}"
            _send(self.request, answer)

    def _answer(self, operation, args):
        if operation == "add_worker":
            self.server.workers += 1
        if operation in ("add_worker", "workers"):
            return self.server.workers
        if operation not in _OPERATIONS:
            raise ValueError(f"a store has no operation {operation!r}")
        return getattr(self.server.table, operation)(*args)


_OPERATIONS = {name for name in vars(_Table) if name[0] != "_"}


# Requests and answers are tuples of a few kinds of values: what comes from a network or a file is not unpickled.
def _send(connection, values):
    text = _encode(values)
    connection.sendall(struct.pack("!I", len(text)) + text)


def _receive(connection):
    (length,) = struct.unpack("!I", _read(connection, 4))
    return _decode(_read(connection, length))[0]


def _read(connection, length):
    data = bytearray()
    while len(data) < length:
        piece = connection.recv(length - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def _encode(value):
    if isinstance(value, (list, tuple)):
        kind, text = b"l", struct.pack("!I", len(value)) + b"".join(map(_encode, value))
    elif isinstance(value, bool) or value is None:
        kind, text = b"c", {None: b"n", True: b"t", False: b"f"}[value]
    elif isinstance(value, int):
        kind, text = b"i", str(value).encode()
    elif isinstance(value, str):
        kind, text = b"s", value.encode()
    else:
        kind, text = b"b", bytes(value)
    return kind + struct.pack("!I", len(text)) + text


def _decode(data, place=0):
    """The value that begins at a place, and where it ends."""
    kind = data[place : place + 1]
    (length,) = struct.unpack_from("!I", data, place + 1)
    begin, end = place + 5, place + 5 + length
    text = data[begin:end]
    if kind == b"l":
        (count,) = struct.unpack_from("!I", data, begin)
        values, at = [], begin + 4
        for _ in range(count):
            value, at = _decode(data, at)
            values.append(value)
        return values, end
    if kind == b"c":
        return {b"n": None, b"t": True, b"f": False}[text], end
    return {b"i": int, b"s": bytes.decode, b"b": bytes}[kind](text), end


class PrefixStore(Store):
    """Another store, with a word before each key.

    >>> import minigrad
    >>> inner = minigrad.distributed.HashStore()
    >>> minigrad.distributed.PrefixStore("first", inner).set("key", "value")
    >>> inner.list_keys()
    ['first/key']
    """

    def __init__(self, prefix: str, store: Store) -> None:
        super().__init__()
        self.prefix, self.underlying_store = prefix, store
        self._timeout = store.timeout

    def _call(self, operation, *args):
        if operation in ("num_keys", "list_keys"):
            return getattr(self.underlying_store, operation)()
        first, *rest = args
        first = (
            [f"{self.prefix}/{key}" for key in first] if isinstance(first, list) else f"{self.prefix}/{first}"
        )
        return self.underlying_store._call(operation, first, *rest)

    @property
    def _underlying_non_prefix_store(self):
        store = self.underlying_store
        return store._underlying_non_prefix_store if isinstance(store, PrefixStore) else store
