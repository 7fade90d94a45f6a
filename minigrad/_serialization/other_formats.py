"""Files that are no checkpoints, though programs meet them under such names: the pages and pointers that failed downloads leave."""

import pickle

__all__ = ["refuse_other_formats"]

#: How files begin, and what they are.  No pickle begins so.
_KINDS = (
    (b"<", "it is a page of HTML or XML, as servers send for an address that is wrong or needs a login"),
    (b"{", "it is JSON, as servers send with an error"),
    (b"[", "it is JSON, as servers send with an error"),
    (
        b"version https://git-lfs",
        "it is a pointer of Git LFS: `git lfs pull` fetches the file that it stands for",
    ),
    (b"\x1f\x8b", "it is compressed by gzip: unpack it first"),
    (b"\x89HDF", "it is HDF5, which h5py reads"),
    (b"\x93NUMPY", "it is an array of NumPy, which numpy.load reads"),
    (b"GGUF", "it is GGUF"),
)


def refuse_other_formats(file, weights_only):
    """Raise UnpicklingError if a file, which stays where it is, begins as those of some other format."""
    at = file.tell()
    head = file.read(64)
    file.seek(at)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    for magic, kind in _KINDS:
        if text.startswith(magic):
            failed = "Weights only load failed. " if weights_only else ""
            raise pickle.UnpicklingError(
                f"{failed}invalid load key, {chr(text[0])!r}. The file is not a checkpoint: {kind}."
            )
