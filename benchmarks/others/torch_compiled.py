"""Captured steps' programs under PyTorch, where ``torch.compile`` compiles them: whole steps, with backward and the optimizer inside.  It needs a C++ compiler."""

import functools

from benchmarks.cases.captured_steps import captured


class Compiling:
    """PyTorch, with ``compile`` for what minigrad calls ``capture``."""

    def __getattr__(self, name):
        import torch

        return getattr(torch, "compile" if name == "capture" else name)


SETUPS = {
    each.path: functools.partial(each.setup, Compiling())
    for each in captured.benchmarks
    if each.setup is not None
}
