"""CPU capabilities, as NumPy detects them."""

import functools
import os
import platform
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

#: The names of vector instructions -> NumPy's, by architecture: those that NumPy looks for.
_X86 = {
    **{
        name: name.upper()
        for name in [
            "sse",
            "sse2",
            "sse3",
            "ssse3",
            "popcnt",
            "avx",
            "avx2",
            "f16c",
            "fma3",
            "fma4",
            "bmi",
            "bmi2",
            "lzcnt",
        ]
    },
    "sse4_1": "SSE41",
    "sse4_2": "SSE42",
    **{
        f"avx512_{name}": f"AVX512{name.upper()}"
        for name in [
            "f",
            "cd",
            "dq",
            "bw",
            "vl",
            "ifma",
            "vbmi",
            "vbmi2",
            "bitalg",
            "vpopcntdq",
            "vnni",
            "bf16",
            "fp16",
            "4vnniw",
            "4fmaps",
        ]
    },
}
_ARM = {"neon": "NEON", "fp16_arith": "ASIMDHP", "dot": "ASIMDDP", "sve": "SVE"}


@functools.cache
def get_capabilities() -> Mapping[str, Any]:
    """Return the capabilities of the CPU as a mapping: features such as ``"avx2"``, ``"architecture"`` and ``"num_logical_cores"``.

    It has the features that NumPy detects; cache sizes and the AMX instructions are not included.

    >>> import minigrad
    >>> minigrad.cpu.get_capabilities()["num_logical_cores"] > 0
    True
    """
    from numpy._core._multiarray_umath import __cpu_features__ as found

    architecture = platform.machine().lower().replace("amd64", "x86_64")
    names = _X86 if architecture == "x86_64" else _ARM
    capable = {name: found[feature] for name, feature in names.items() if feature in found}
    return MappingProxyType(
        {**capable, "architecture": architecture, "num_logical_cores": os.cpu_count() or 1}
    )
