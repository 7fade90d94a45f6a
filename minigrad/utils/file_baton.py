"""A file that one process of several holds: ``torch.utils.file_baton``."""

import os
import time
import warnings
from typing import Any


class FileBaton:
    """A lock that is a file: whoever makes the file holds it, and removes it by ``release``.

    ``wait`` looks every ``wait_seconds``, and warns once if it takes longer than ``warn_after_seconds``.

    >>> import os, tempfile
    >>> from minigrad.utils.file_baton import FileBaton
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mine, other = (FileBaton(os.path.join(folder, "lock")) for _ in range(2))
    ...     print(mine.try_acquire(), other.try_acquire())
    ...     mine.release()
    ...     other.wait()
    True False
    """

    fd: Any

    def __init__(
        self, lock_file_path: Any, wait_seconds: float = 0.1, warn_after_seconds: Any = None
    ) -> None:
        self.lock_file_path = lock_file_path
        self.wait_seconds = wait_seconds
        self.warn_after_seconds = warn_after_seconds
        self.fd = None

    def try_acquire(self) -> bool | None:
        """Make the file; returns whether that was possible: not if it is there already."""
        try:
            self.fd = os.open(self.lock_file_path, os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            return False
        return True

    def wait(self) -> None:
        """Sleep until nobody has the file."""
        begun, warns = time.monotonic(), self.warn_after_seconds is not None
        while os.path.exists(self.lock_file_path):
            time.sleep(self.wait_seconds)
            if warns and time.monotonic() - begun > self.warn_after_seconds:
                warnings.warn(
                    f'Waited on lock file "{self.lock_file_path}" for {self.warn_after_seconds} seconds.',
                    stacklevel=2,
                )
                warns = False

    def release(self) -> None:
        """Remove the file."""
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None
        os.remove(self.lock_file_path)
