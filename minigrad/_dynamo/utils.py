"""Counters of the compiler and other names that libraries ask it for."""

from collections import Counter, defaultdict

__all__ = ["CompileProfiler", "compile_times", "counters", "is_compile_supported"]

#: What was counted, by kind: nothing is.
counters: defaultdict[str, Counter[str]] = defaultdict(Counter)


def is_compile_supported(device_type):
    """Whether programs on a device are compiled: none are."""
    return False


def compile_times(repr="str", aggregate=False):
    """How long compiling took: a text without entries; two empty lists unless ``repr`` is ``"str"``."""
    return "TorchDynamo compilation metrics:\n" if repr == "str" else ([], [])


class CompileProfiler:
    """A backend that counts what it is given to compile: nothing."""

    def __init__(self):
        self.frame_count = self.op_count = 0

    def __call__(self, gm, example_inputs):
        return gm

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def report(self):
        """A text that says what was counted."""
        return "Nothing was compiled."
