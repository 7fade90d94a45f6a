"""Files from URLs, for ``hub``: into a file beside the place where they are to be, checked, then moved there."""

import hashlib
import os
import shutil
import sys
import uuid
from urllib.request import Request, urlopen

_CHUNK = 128 * 1024


class Progress:
    """A line on stderr that says how much there is, where tqdm is not installed."""

    def __init__(self, total=None, disable=False, **unused):
        self.total, self.disable, self.n = total, disable, 0

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if not self.disable:
            sys.stderr.write("\n")

    def update(self, n):
        """Count ``n`` more bytes."""
        self.n += n
        if not self.disable:
            said = f"{self.n} bytes" if not self.total else f"{100 * self.n / self.total:.1f}%"
            sys.stderr.write(f"\r{said}")
            sys.stderr.flush()


def bar_class():
    """tqdm if it is installed, ``Progress`` otherwise."""
    try:
        from tqdm import tqdm
    except ImportError:
        return Progress
    return tqdm


def download(url, path, hash_prefix=None, progress=True):
    """Write what is at ``url`` to ``path``; RuntimeError if its SHA-256 does not begin with ``hash_prefix``: then nothing is written."""
    path = os.path.expanduser(path)
    partial = f"{path}.{uuid.uuid4().hex}.partial"
    try:
        with open(partial, "xb") as file:
            digest = _fetch(url, file, hash_prefix is not None, progress)
        if hash_prefix is not None and not digest.startswith(hash_prefix):
            raise RuntimeError(
                f'invalid hash value (expected "{hash_prefix}", got "{digest[: len(hash_prefix)]}")'
            )
        shutil.move(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def _fetch(url, file, hashed, progress):
    """Copy what is at ``url`` to a file; its SHA-256 if that is asked for."""
    digest = hashlib.sha256()
    with urlopen(Request(url, headers={"User-Agent": "torch.hub"})) as response:
        length = response.headers.get("Content-Length")
        total = None if length is None else int(length)
        received = 0
        options = {
            "total": total,
            "disable": not progress,
            "unit": "B",
            "unit_scale": True,
            "unit_divisor": 1024,
        }
        with bar_class()(**options) as bar:
            while chunk := response.read(_CHUNK):
                file.write(chunk)
                if hashed:
                    digest.update(chunk)
                received += len(chunk)
                bar.update(len(chunk))
    if total is not None and received != total:
        raise RuntimeError(f"the download of {url} ended after {received} of {total} bytes")
    return digest.hexdigest()
