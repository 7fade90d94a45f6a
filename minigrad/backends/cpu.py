"""The processor, as NumPy has found it."""

__all__ = ["get_cpu_capability"]


def get_cpu_capability() -> str:
    """Return the widest vector instructions that NumPy may use: ``"AVX512"``, ``"AVX2"`` or ``"DEFAULT"``.

    >>> import minigrad
    >>> minigrad.backends.cpu.get_cpu_capability() in ("AVX512", "AVX2", "DEFAULT")
    True
    """
    from numpy._core._multiarray_umath import __cpu_features__ as features

    if features.get("AVX512_SKX"):
        return "AVX512"
    return "AVX2" if features.get("AVX2") else "DEFAULT"
