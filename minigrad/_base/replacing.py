"""Files that are written as a whole or not at all: ``replacing`` writes beside the old file, and moves the new one into its place.

A rename is the one change of a file that cannot be seen half done.  So whatever ends the writing, a full disk, an exception, a
``kill -9`` or a power cut, the path leads to all of the old file or to all of the new one.
"""

import contextlib
import errno
import io
import os
import stat

#: Why a directory takes no new file, though an old one in it may be written to.
_CLOSED_DIRECTORY = {errno.EACCES, errno.EPERM, errno.EROFS}
#: Why a file cannot be moved over another that may be written to: it is mounted there, or another user's in a directory like ``/tmp``.
_NOT_TO_BE_REPLACED = {errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM}
#: What file systems say that cannot sync.
_CANNOT_SYNC = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def replacing(path):
    """A binary file for what is to be at ``path`` when the ``with`` block is over; after an exception, what was there still is.

    A link stays, and what it leads to is replaced, with its permissions and, where that is allowed, its owner and group; other hard links to the old file keep it.
    What is no regular file (a pipe, ``/dev/stdout``) is written to directly.  So is, at last, an old file that cannot be
    replaced though it may be written to: in a directory that takes no new files, or mounted on its own.

    Raises OSError, as ``open(path, "wb")`` does, and if the file cannot be written to its end.
    """
    target, before = _target(path), None
    with contextlib.suppress(FileNotFoundError):
        before = os.stat(path)
    found = None
    if target is not None and (before is None or stat.S_ISREG(before.st_mode)):
        found = _beside(target, before)
    if found is None:
        with open(path, "wb") as file:
            yield file
        return
    temporary, descriptor = found
    try:
        with open(descriptor, "wb") as file:
            if before is not None:
                _keep_permissions(descriptor, before)
            yield file
            file.flush()
            _sync(descriptor)
        _move(temporary, target, before)
    except BaseException:
        with contextlib.suppress(OSError):  # what went wrong first is what matters
            os.unlink(temporary)
        raise
    _sync_directory(target)


@contextlib.contextmanager
def replacing_text(path, gzipped=False):
    """Like ``replacing``, a file for text in UTF-8."""
    with replacing(path) as file:
        if gzipped:
            import gzip

            with gzip.open(file, "wt", encoding="utf-8") as text:
                yield text
        else:
            text = io.TextIOWrapper(file, encoding="utf-8")
            yield text
            text.detach()  # which flushes, and leaves the file open


def _target(path):
    """Where links lead; None for what the system shows as a file, such as ``/dev/stdout``, which leads to an open one: nothing is replaced there."""
    target = os.fspath(path)
    for _ in range(40):  # as many links as Linux follows
        folder = os.path.dirname(target)
        if os.path.realpath(folder).startswith(("/proc/", "/dev/fd")):
            return None
        if not os.path.islink(target):
            break
        target = os.path.join(folder, os.readlink(target))
    return target


def _beside(target, before):
    """A new file in the directory of ``target``: its path and its descriptor; None if there can be none beside an old file that may be written to."""
    if before is not None:
        os.close(os.open(target, os.O_WRONLY))  # raises if it may not
    folder, name = os.path.split(target)
    # secret until it has the old file's permissions; without an old one it has those that the process's mask leaves
    mode = 0o666 if before is None else 0o600
    while True:
        temporary = os.path.join(folder, f".{name[:40]}.{os.urandom(4).hex()}.tmp")
        try:
            return temporary, os.open(temporary, _CREATE, mode)
        except FileExistsError:
            continue
        except OSError as error:
            if before is None or error.errno not in _CLOSED_DIRECTORY:
                raise
            return None


def _keep_permissions(descriptor, before):
    if not hasattr(os, "fchmod"):
        return  # Windows: a file has the permissions of its directory
    now = os.fstat(descriptor)
    # each as far as the process may and the file system can
    if now.st_gid != before.st_gid:
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, before.st_gid)
    if now.st_uid != before.st_uid:
        with contextlib.suppress(OSError):
            os.fchown(descriptor, before.st_uid, -1)
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, stat.S_IMODE(before.st_mode))


def _move(temporary, target, before):
    try:
        os.replace(temporary, target)
    except OSError as error:
        if before is None or error.errno not in _NOT_TO_BE_REPLACED:
            raise
        import shutil

        with open(temporary, "rb") as new, open(target, "wb") as old:
            shutil.copyfileobj(new, old)
            old.flush()
            _sync(old.fileno())
        os.unlink(temporary)


def _sync(descriptor):
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def _sync_directory(target):
    """Make the new name last as the bytes do; not all systems can, and the file is in its place by now."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            descriptor = os.open(os.path.dirname(target) or ".", os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
