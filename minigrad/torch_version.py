"""``TorchVersion``, the class of ``torch.__version__`` where ``torch`` means minigrad: a string that is compared as versions are."""

import functools
import re
from typing import Any

__all__ = ["TorchVersion"]

_NUMBERS = re.compile(
    r"\s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>alpha|beta|preview|pre|a|b|c|rc)[-_.]?(?P<pre_number>\d*))?"
    r"(?P<post>-(?P<bare_post>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>\d*))?"
    r"(?P<dev>[-_.]?dev[-_.]?(?P<dev_number>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*",
    re.IGNORECASE,
)
#: Where the marks of releases that are not final stand in the order: before the release, or after it.
_STAGES = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}
_DEV, _FINAL = -1, 3


@functools.lru_cache(64)
def _key(text):
    """What orders a version among others, as PEP 440 says; raises ValueError for what is none."""
    found = _NUMBERS.fullmatch(text)
    if found is None:
        raise ValueError(f"Invalid version: {text!r}")
    release = [int(number) for number in found["release"].split(".")]
    while len(release) > 1 and not release[-1]:
        release.pop()  # 1.2 is 1.2.0
    post = -1 if found["post"] is None else int(found["bare_post"] or found["post_number"] or 0)
    dev = float("inf") if found["dev"] is None else int(found["dev_number"] or 0)
    if found["pre"] is not None:
        pre = _STAGES[found["pre"].lower()], int(found["pre_number"] or 0)
    else:
        pre = (_DEV, 0) if found["dev"] is not None and found["post"] is None else (_FINAL, 0)
    parts = re.split("[-_.]", found["local"].lower()) if found["local"] else ()
    local = tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)
    return int(found["epoch"] or 0), tuple(release), pre, post, dev, local


class TorchVersion(str):
    """A version string that compares as a version: with strings, with tuples of numbers, and with other versions.

    A string that is not a version is compared as a string, and so is every string by ``!=``, as in PyTorch.

    >>> import minigrad
    >>> version = minigrad.torch_version.TorchVersion("2.13.0+minigrad")
    >>> version >= "2.9", version > (2, 13), version < "3", version == "2.13.0+minigrad"
    (True, True, True, True)
    """

    __slots__ = ()

    def _compare(self, other, operator):
        if isinstance(other, (tuple, list)):
            other = ".".join(map(str, other))
        elif not isinstance(other, str):
            return NotImplemented
        try:
            ours, theirs = _key(str(self)), _key(str(other))
        except ValueError:
            return getattr(str, operator)(self, other)
        return getattr(ours, operator)(theirs)

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, "__lt__")

    def __le__(self, other: Any) -> Any:
        return self._compare(other, "__le__")

    def __eq__(self, other: object) -> bool:
        return self._compare(other, "__eq__")

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, "__ge__")

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, "__gt__")

    __hash__: Any = str.__hash__
