"""Pipes for tensors: beside the pipe that carries the messages runs a socket for the descriptors of the memory that they speak of.

The kernel keeps a descriptor that is under way.  So a process may end as soon as it has sent a tensor, by whatever death; and if nobody ever receives it, its memory is freed
with the last end of the connection.  On Linux only: elsewhere ``Pipe`` is that of ``multiprocessing``, and receivers fetch descriptors from the sender.
"""

import errno
import multiprocessing.connection
import os
import socket
import sys
import threading
import time
from multiprocessing import reduction
from typing import Any

from .._ops.process_pickles import count_descriptors, pack, register, set_received_descriptors, unpacking

__all__ = ["Pipe"]

PASSES_DESCRIPTORS = sys.platform.startswith("linux")

#: The most descriptors that Linux takes at once.
_MOST = 253


class _Next(threading.local):
    message = None


_next = _Next()


def set_next_message(message: Any) -> None:
    """Say what ``send_next`` of a connection is to send in this thread."""
    _next.message = message


class _DescriptorSocket:
    """One end of a socket for descriptors; it closes when nobody has it any longer, without complaint, as connections do."""

    __slots__ = ("fd",)

    def __init__(self, fd: Any) -> None:
        self.fd = fd

    def __del__(self, close: Any = os.close) -> None:
        fd, self.fd = self.fd, None
        if fd is not None:
            close(fd)

    close = __del__

    def _socket(self):
        return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, self.fd)

    def send(self, descriptors: Any) -> None:
        """Send descriptors, no more than ``_MOST``; these may be closed then."""
        end, pause = self._socket(), 0.001
        try:
            while True:
                try:
                    socket.send_fds(end, [b"\0"], descriptors)
                    return
                except OSError as error:
                    if error.errno != errno.ETOOMANYREFS:
                        raise
                time.sleep(pause)  # as many are under way as the system allows: until some have arrived
                pause = min(2 * pause, 0.1)
        finally:
            end.detach()

    def receive(self, expected: Any) -> Any:
        """So many descriptors, which are the caller's to close."""
        end, found = self._socket(), []
        try:
            while len(found) < expected:
                most = min(expected - len(found), _MOST)
                data, descriptors, flags, _ = socket.recv_fds(end, 1, most, socket.MSG_CMSG_CLOEXEC)
                found += descriptors
                if not data:
                    raise EOFError
                if flags & socket.MSG_CTRUNC:
                    raise OSError(
                        errno.EMFILE,
                        "Too many open files: a descriptor is needed for each tensor that is shared, and this process may "
                        "not have more (ulimit -n)",
                    )
        except BaseException:
            for each in found:
                os.close(each)
            raise
        finally:
            end.detach()
        return found


if PASSES_DESCRIPTORS:

    class Connection(multiprocessing.connection.Connection):
        """One end of a pipe that tensors travel through: ``send`` and ``recv`` as of the standard library's."""

        _check_closed: Any
        _check_writable: Any

        def __init__(
            self, handle: Any, descriptors: Any, readable: bool = True, writable: bool = True
        ) -> None:
            super().__init__(handle, readable, writable)
            self._descriptors = descriptors

        def close(self) -> None:
            """Close the connection."""
            super().close()
            self._descriptors.close()

        def send(self, obj: Any) -> None:
            """Send an object; the memory of tensors in it is shared from then on."""
            self._check_closed()
            self._check_writable()
            self.send_message(pack(obj))

        def recv(self) -> Any:
            """Receive an object; raises EOFError if there is nothing left and the other end was closed."""
            with unpacking():
                return reduction.ForkingPickler.loads(self.recv_message())

        def send_message(self, message: Any) -> None:
            """Send a ``Message``."""
            self._check_closed()
            segments = message.segments
            for first in range(0, len(segments), _MOST):
                self._descriptors.send([each.descriptor for each in segments[first : first + _MOST]])
            self.send_bytes(message.data)

        def send_next(self, replaced: Any) -> None:
            """Send what ``set_next_message`` has said; ``replaced``, the bytes that stand for it, are not sent."""
            message, _next.message = _next.message, None
            self.send_message(message)

        def recv_message(self) -> Any:
            """Receive the bytes of a message, to be unpickled, and the descriptors that go with them."""
            data = self.recv_bytes()
            expected = count_descriptors(data)
            if expected:
                set_received_descriptors(self._descriptors.receive(expected))
            return data


def Pipe(duplex: bool = True) -> Any:
    """Return two connected ends, of which, unless ``duplex``, the first receives and the second sends.

    >>> import minigrad
    >>> receiver, sender = minigrad.multiprocessing.Pipe(duplex=False)
    >>> x = minigrad.zeros(3)
    >>> sender.send(x)
    >>> y = receiver.recv()
    >>> x[0] = 1
    >>> y
    tensor([1., 0., 0.])
    """
    register()
    if not PASSES_DESCRIPTORS:
        return multiprocessing.connection.Pipe(duplex)
    near, far = (_DescriptorSocket(each.detach()) for each in socket.socketpair())
    if duplex:
        handles: Any = [each.detach() for each in socket.socketpair()]
    else:
        handles = os.pipe()
    return (
        Connection(handles[0], near, writable=duplex),
        Connection(handles[1], far, readable=duplex),
    )


def _reduce_connection(connection):
    return _rebuild_connection, (
        reduction.DupFd(connection.fileno()),
        reduction.DupFd(connection._descriptors.fd),
        connection.readable,
        connection.writable,
    )


def _rebuild_connection(handle, descriptors, readable, writable):
    return Connection(handle.detach(), _DescriptorSocket(descriptors.detach()), readable, writable)


if PASSES_DESCRIPTORS:
    reduction.register(Connection, _reduce_connection)
