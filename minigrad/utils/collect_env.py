"""What a report of a bug should tell of the machine: ``python -m minigrad -m minigrad.utils.collect_env``."""

import importlib.metadata
import locale
import os
import platform
import re
import sys
from typing import Any, NamedTuple

import numpy as np

from .. import version as _version

__all__ = ["get_env_info", "get_pretty_env_info", "main"]


class SystemEnv(NamedTuple):
    """The facts that ``get_env_info`` collects; missing ones are None or "N/A"."""

    torch_version: str
    is_debug_build: str
    cuda_compiled_version: str
    gcc_version: str | None
    clang_version: str | None
    cmake_version: str | None
    os: str
    libc_version: str
    python_version: str
    python_platform: str
    is_cuda_available: str
    cuda_runtime_version: str
    pip_version: str
    pip_packages: str
    cpu_info: str


def _packages():
    """Installed distributions that have to do with arrays and networks: "name==version" each."""
    wanted = re.compile(
        r"numpy|scipy|torch|minigrad|onnx|mypy|nvidia|triton|optree|jax|tensorflow", re.IGNORECASE
    )
    found = {
        f"{each.metadata['Name']}=={each.version}"
        for each in importlib.metadata.distributions()
        if each.metadata["Name"] and wanted.match(each.metadata["Name"])
    }
    return "\n".join(sorted(found))


def get_env_info() -> Any:
    """Collect facts about the environment, as a named tuple.

    >>> from minigrad.utils.collect_env import get_env_info
    >>> get_env_info().is_cuda_available
    'False'
    """
    name, version = platform.libc_ver()
    return SystemEnv(
        torch_version=f"minigrad {_version.minigrad} (the API of PyTorch {_version.pytorch}, NumPy {np.__version__})",
        is_debug_build="False",
        cuda_compiled_version="None",
        gcc_version=None,
        clang_version=None,
        cmake_version=None,
        os=f"{platform.system()} {platform.release()} ({platform.machine()})",
        libc_version=f"{name}-{version}" if name else "N/A",
        python_version=f"{sys.version} ({sys.maxsize.bit_length() + 1}-bit runtime)".replace("\n", " "),
        python_platform=platform.platform(),
        is_cuda_available="False",
        cuda_runtime_version="N/A",
        pip_version="pip3",
        pip_packages=_packages(),
        cpu_info=f"{os.cpu_count()} CPUs, {platform.processor() or platform.machine()}, encoding {locale.getpreferredencoding()}",
    )


def get_pretty_env_info() -> str:
    """Return the facts about the environment as text.

    >>> from minigrad.utils.collect_env import get_pretty_env_info
    >>> print(get_pretty_env_info().splitlines()[1])
    Is debug build: False
    """
    info = get_env_info()
    return "\n".join(
        [
            f"PyTorch version: {info.torch_version}",
            f"Is debug build: {info.is_debug_build}",
            f"CUDA used to build PyTorch: {info.cuda_compiled_version}",
            "",
            f"OS: {info.os}",
            f"Libc version: {info.libc_version}",
            "",
            f"Python version: {info.python_version}",
            f"Python platform: {info.python_platform}",
            f"Is CUDA available: {info.is_cuda_available}",
            f"CUDA runtime version: {info.cuda_runtime_version}",
            "",
            "CPU:",
            info.cpu_info,
            "",
            "Versions of relevant libraries:",
            *(f"[{info.pip_version}] {line}" for line in info.pip_packages.splitlines()),
        ]
    )


def main() -> None:
    """Print the facts about the environment.

    >>> from minigrad.utils import collect_env
    >>> collect_env.main()  # doctest: +ELLIPSIS
    Collecting environment information...
    PyTorch version: minigrad ...
    """
    print("Collecting environment information...")
    print(get_pretty_env_info())


if __name__ == "__main__":
    main()
