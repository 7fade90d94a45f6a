"""Function modes: what they hear, in which order, and when they are off."""

import subprocess
import sys
import threading

import pytest

import minigrad
from minigrad.nn import functional as F
from minigrad.overrides import BaseTorchFunctionMode, TorchFunctionMode, enable_reentrant_dispatch


class Names(TorchFunctionMode):
    """Notes the name of each function."""

    def __init__(self):
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(func.__name__)
        return func(*args, **(kwargs or {}))


def test_a_mode_hears_of_all_functions():
    """Operators, methods, functions of networks, and those that make tensors."""
    with Names() as mode:
        x = minigrad.zeros(2, 2)
        x = minigrad.tensor([[1.0, 2.0]]) + x
        y = F.relu(x @ minigrad.randn(2, 2)).sum(0)
        y.add_(1)
        1 - y
        x[0]
        minigrad.is_tensor(x)
        minigrad.manual_seed(0)
        minigrad.is_grad_enabled()
    assert mode.names == "zeros tensor add randn matmul relu sum add_ __rsub__ __getitem__".split()
    x + 1
    assert len(mode.names) == 10


def test_a_property_is_heard_of_when_it_is_first_read():
    """In a new process: its code is imported by this access."""
    program = (
        "import minigrad\n"
        "from tests.overriding.test_modes import Names\n"
        "x = minigrad.ones(2, 3)\n"
        "with Names() as mode: x.T; x.T\n"
        "print(mode.names)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['__get__', '__get__']"


def test_what_one_function_does_inside_is_not_heard_of():
    """While a mode's method runs it is off."""
    with Names() as mode:
        F.cross_entropy(minigrad.ones(2, 3), minigrad.tensor([0, 1]))
    assert mode.names == ["ones", "tensor", "cross_entropy"]


def test_modes_nest():
    """The innermost is asked first, and what it calls goes to the next."""
    with Names() as outer, Names() as inner:
        minigrad.ones(2)
    assert outer.names == inner.names == ["ones"]
    with Names() as outer, BaseTorchFunctionMode(), minigrad.DisableTorchFunction():
        minigrad.ones(2)
    assert outer.names == []
    with Names() as outer, minigrad.DisableTorchFunctionSubclass():
        minigrad.ones(2)
    assert outer.names == ["ones"]


def test_a_mode_may_answer_itself():
    """What it returns is the result; NotImplemented by all is an error."""

    class Sevens(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return 7 if func is minigrad.ones else NotImplemented

    with Sevens():
        assert minigrad.ones(2) == 7
        with pytest.raises(
            TypeError, match="Multiple dispatch failed for 'torch.zeros'; all __torch_function__"
        ):
            minigrad.zeros(2)
    assert minigrad.ones(1).item() == 1


def test_modes_are_asked_before_operands():
    """And with their types."""
    types_seen = []

    class Sub(minigrad.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            types_seen.append(("operand", types))
            return super().__torch_function__(func, types, args, kwargs)

    class Types(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            types_seen.append(("mode", types))
            return func(*args, **(kwargs or {}))

    x = minigrad.ones(2).as_subclass(Sub)
    with Types():
        y = x * 2
    assert types_seen == [("mode", (Sub,)), ("operand", (Sub,))]
    assert type(y) is Sub


def test_reentrant():
    """A mode may have itself asked again for what it calls."""
    depth = []

    class Deep(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            depth.append(func.__name__)
            if func is minigrad.relu:
                with self:
                    return args[0].clamp(min=0)
            return func(*args, **(kwargs or {}))

    x = minigrad.tensor([-1.0, 1.0])
    with Deep():
        minigrad.relu(x)
    assert depth == ["relu", "clamp"]
    with Names() as mode, minigrad.DisableTorchFunction(), enable_reentrant_dispatch():
        minigrad.ones(2)
    assert mode.names == ["ones"]


def test_modes_are_of_one_thread():
    """Others hear nothing, and are not heard."""
    with Names() as mode:
        thread = threading.Thread(target=lambda: minigrad.ones(2) + 1)
        thread.start()
        thread.join()
    assert mode.names == []


def test_errors_leave_no_mode():
    """A block that raises ends its mode; so does the method of one."""
    mode = Names()
    with pytest.raises(ZeroDivisionError), mode:
        1 / 0
    minigrad.ones(2)
    with mode, pytest.raises(RuntimeError):
        minigrad.ones(2) + minigrad.ones(3)
    assert mode.names == ["ones", "ones", "add"]


def test_functions_are_themselves_again():
    """No function keeps the code that it runs while a mode is on."""
    functions = minigrad.mul, minigrad.tanh, minigrad.Tensor.exp
    before = [f.__code__ for f in functions]
    with Names():
        assert all(f.__code__ is not code for f, code in zip(functions, before))
    assert all(f.__code__ is code for f, code in zip(functions, before))
