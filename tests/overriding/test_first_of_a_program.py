"""Subclasses as the first thing that a program uses: nothing has been imported for them yet."""

import subprocess
import sys

import pytest

MAKERS = {
    "_make_subclass": "T._make_subclass(Sub, minigrad.tensor([1.0, 2.0]))",
    "the class": "Sub([1.0, 2.0])",
    "as_subclass": "minigrad.tensor([1.0, 2.0]).as_subclass(Sub)",
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("expression", ["x + 1", "minigrad.exp(x)", "x[0]"])
def test_operators_take_them(maker, expression):
    program = f"""
import minigrad
T = minigrad.Tensor
class Sub(T):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs or {{}})
x = {MAKERS[maker]}
assert type({expression}) is Sub, type({expression})
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
