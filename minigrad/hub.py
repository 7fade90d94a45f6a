"""Models that are published as folders with a ``hubconf.py``, on this machine or on GitHub, and weights at URLs.

The cache is PyTorch's: ``$TORCH_HOME/hub``, by default ``~/.cache/torch/hub``.  A ``hubconf.py`` that says ``import torch`` gets minigrad after
``minigrad.install_as_torch()``.
"""

import importlib.util
import os
import re
import sys
import warnings
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

from . import serialization as _serialization
from ._api import _lazy
from ._hub_downloads import bar_class as _bar_class
from ._hub_downloads import download as _download
from ._hub_repositories import cached_repository as _cached_repository
from ._hub_repositories import check_members as _check_members

__all__ = [
    "download_url_to_file",
    "get_dir",
    "help",
    "list",
    "load",
    "load_state_dict_from_url",
    "set_dir",
]
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_directory: str | None = None


def get_dir() -> str:
    """Return the cache folder: that of ``set_dir``, or ``$TORCH_HOME/hub``, where ``$TORCH_HOME`` is by default ``$XDG_CACHE_HOME/torch``.

    >>> import minigrad
    >>> minigrad.hub.get_dir().endswith("hub")
    True
    """
    if os.getenv("TORCH_HUB"):
        warnings.warn("TORCH_HUB is deprecated, please use env TORCH_HOME instead", stacklevel=2)
    return os.path.join(_get_torch_home(), "hub") if _directory is None else _directory


def _get_torch_home():
    """The folder that PyTorch's programs keep what they download in."""
    home = os.getenv("TORCH_HOME", os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "torch"))
    return os.path.expanduser(home)


def set_dir(d: Any) -> None:
    """Set the cache folder to ``d``.

    >>> import minigrad
    >>> before = minigrad.hub.get_dir()
    >>> minigrad.hub.set_dir("models")
    >>> minigrad.hub.get_dir()
    'models'
    >>> minigrad.hub.set_dir(before)
    """
    global _directory
    _directory = os.path.expanduser(d)


def list(
    github: Any,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = "check",
    verbose: bool = True,
) -> Any:
    r"""List the entry points in the ``hubconf.py`` of a GitHub repository ``github``, ``"owner/name[:ref]"``.

    ``ref`` is a branch, a tag or a commit, by default the branch main or master; unless ``skip_validation``, it is checked that it
    belongs to this repository. ``force_reload`` downloads again what is in the cache. ``trust_repo`` says whether to ask on the terminal
    before running code of a repository that nobody has trusted yet ("check"), never (True), or always (False).

    >>> import minigrad, os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> before = minigrad.hub.get_dir()
    >>> minigrad.hub.set_dir(folder.name)
    >>> os.mkdir(os.path.join(folder.name, "pytorch_example_main"))
    >>> with open(os.path.join(folder.name, "pytorch_example_main", "hubconf.py"), "w") as file:
    ...     _ = file.write("def double(x):\n    'Two of them.'\n    return 2 * x")
    >>> minigrad.hub.list("pytorch/example:main", verbose=False)
    ['double']
    >>> minigrad.hub.set_dir(before)
    >>> folder.cleanup()
    """
    folder = _cached_repository(github, get_dir(), force_reload, trust_repo, verbose, skip_validation)
    with _importing(folder) as module:
        return [name for name in dir(module) if name[0] != "_" and callable(getattr(module, name))]


def help(
    github: Any,
    model: Any,
    force_reload: bool = False,
    skip_validation: bool = False,
    trust_repo: Any = "check",
) -> Any:
    r"""Return the docstring of the entry point ``model`` in the ``hubconf.py`` of ``github``; the arguments are those of ``list``.

    >>> import minigrad, os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> before = minigrad.hub.get_dir()
    >>> minigrad.hub.set_dir(folder.name)
    >>> os.mkdir(os.path.join(folder.name, "pytorch_example_main"))
    >>> with open(os.path.join(folder.name, "pytorch_example_main", "hubconf.py"), "w") as file:
    ...     _ = file.write("def double(x):\n    'Two of them.'\n    return 2 * x")
    >>> minigrad.hub.help("pytorch/example:main", "double")
    'Two of them.'
    >>> minigrad.hub.set_dir(before)
    >>> folder.cleanup()
    """
    folder = _cached_repository(github, get_dir(), force_reload, trust_repo, True, skip_validation)
    with _importing(folder) as module:
        return _entry(module, model).__doc__


def load(
    repo_or_dir: Any,
    model: Any,
    *args: Any,
    source: str = "github",
    trust_repo: Any = "check",
    force_reload: bool = False,
    verbose: bool = True,
    skip_validation: bool = False,
    **kwargs: Any,
) -> Any:
    r"""Call the entry point ``model`` of a ``hubconf.py`` with the other arguments: of a GitHub repository (see ``list``), or of a folder
    with ``source="local"``.

    Raises ValueError for another source; RuntimeError for an unknown entry point, and for modules in the file's ``dependencies`` that are
    not installed.

    >>> import minigrad, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(os.path.join(folder, "hubconf.py"), "w") as file:
    ...         _ = file.write("def double(x):\n    return 2 * x")
    ...     minigrad.hub.load(folder, "double", minigrad.ones(2), source="local")
    tensor([2., 2.])
    """
    source = source.lower()
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "github":
        folder = _cached_repository(
            repo_or_dir, get_dir(), force_reload, trust_repo, verbose, skip_validation
        )
    else:
        folder = repo_or_dir
    with _importing(folder) as module:
        return _entry(module, model)(*args, **kwargs)


@contextmanager
def _importing(folder):
    """The ``hubconf.py`` of a folder, executed; for as long, modules beside it can be imported."""
    folder = os.fspath(folder)
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("hubconf.py", os.path.join(folder, "hubconf.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(folder)


def _entry(module, model):
    if not isinstance(model, str):
        raise ValueError("Invalid input: model should be a string of function name")
    needed = getattr(module, "dependencies", None) or ()
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")
    found = getattr(module, model, None)
    if not callable(found):
        raise RuntimeError(f"Cannot find callable {model} in hubconf")
    return found


def download_url_to_file(url: str, dst: str, hash_prefix: str | None = None, progress: bool = True) -> None:
    """Download ``url`` to the file ``dst``; raise RuntimeError if its SHA-256 does not begin with ``hash_prefix``, or if the connection
    breaks off.

    ``progress`` shows a progress bar on stderr, by tqdm if it is installed. An existing ``dst`` is replaced only when the new file is complete.

    >>> import minigrad, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     source, target = pathlib.Path(folder, "source"), pathlib.Path(folder, "target")
    ...     _ = source.write_text("weights")
    ...     minigrad.hub.download_url_to_file(source.as_uri(), str(target), progress=False)
    ...     target.read_text()
    'weights'
    """
    _download(url, dst, hash_prefix, progress)


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> dict[str, Any]:
    """Download the file at ``url`` once, keep it in ``model_dir`` (by default ``get_dir()/checkpoints``), and return ``minigrad.load`` of it.

    The file keeps its name in the URL, or gets ``file_name``. With ``check_hash`` the name must end in ``-HASH.EXTENSION``, where the
    SHA-256 of the file begins with HASH; otherwise raises RuntimeError. As in PyTorch, ``weights_only`` is False by default: set it to
    True for a file whose author you do not trust, because otherwise it can run any code.

    >>> import minigrad, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "model.pt")
    ...     minigrad.save({"weight": minigrad.ones(2)}, path)
    ...     minigrad.hub.load_state_dict_from_url(path.as_uri(), model_dir=folder, weights_only=True)
    {'weight': tensor([1., 1.])}
    """
    if os.getenv("TORCH_MODEL_ZOO"):
        warnings.warn("TORCH_MODEL_ZOO is deprecated, please use env TORCH_HOME instead", stacklevel=2)
    folder = os.path.join(get_dir(), "checkpoints") if model_dir is None else model_dir
    os.makedirs(folder, exist_ok=True)
    name = os.path.basename(urlparse(url).path) if file_name is None else file_name
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        sys.stdout.write(f'Downloading: "{url}" to {path}\n')
        found = HASH_REGEX.search(name) if check_hash else None
        _download(url, path, found and found[1], progress)
    return _serialization.load(_unzipped(path, folder), map_location, weights_only=weights_only)


def _unzipped(path, folder):
    """The path of the one file in an archive of one, as were published before 2020; otherwise the path itself."""
    if not zipfile.is_zipfile(path):
        return path
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if len(members) != 1 or members[0].is_dir():
            return path
        warnings.warn(
            "Falling back to the old format < 1.6. A file that minigrad.save writes needs no archive around it",
            FutureWarning,
            stacklevel=3,
        )
        _check_members(archive)
        return archive.extract(members[0], folder)


if not TYPE_CHECKING:  # a name that is not there is an error

    def __getattr__(name):
        if name == "tqdm":  # torchvision imports it from here
            return _bar_class()
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


_lazy.publish_all(globals())
