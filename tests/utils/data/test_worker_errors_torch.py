"""What goes wrong in a worker arrives as in PyTorch: the type, what stands before the worker's traceback, who was killed by what."""

import gc
import os
import re
import signal
import sys
import time

import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.utils.data.libraries import data_of

pytestmark = pytest.mark.torch


@pytest.fixture(autouse=True, scope="module")
def short_waits():
    """PyTorch's workers may wait for each other when they end, until the loader loses patience."""
    with pytest.MonkeyPatch.context() as patch:
        for lib in (torch, minigrad):
            patch.setattr(data_of(lib)._utils, "MP_STATUS_CHECK_INTERVAL", 0.2)
        yield
        gc.collect()  # iterators that tracebacks have kept


class TwoArguments(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)


class WithMessage(Exception):
    message = "class attribute"

    def __init__(self, message="", code=0):
        super().__init__(message)


def raising(error):
    def act():
        raise error

    return act


def killing(number):
    return lambda: os.kill(os.getpid(), number)


ACTS = {
    "ValueError": raising(ValueError("hi")),
    "KeyError": raising(KeyError("k")),
    "an error of two arguments": raising(TwoArguments(1, 2)),
    "an error with a message": raising(WithMessage("hi", 3)),
    "UnicodeDecodeError": raising(UnicodeDecodeError("utf8", b"x", 0, 1, "reason")),
    "OSError": raising(FileNotFoundError(2, "No such file", "x.txt")),
    "StopIteration": raising(StopIteration("x")),
    "SIGKILL": killing(signal.SIGKILL),
    "SIGTERM": killing(signal.SIGTERM),
    "os._exit": lambda: os._exit(3),
    "sys.exit": lambda: sys.exit(2),
}


def failure(lib, act, where, **options):
    """What a loader gives, and the error that it raises: its text without the traceback and with numbers for pids."""
    data = data_of(lib)

    class Numbers(data.Dataset):
        def __len__(self):
            return 12

        def __getitem__(self, i):
            if where == "item" and i == 6:
                act()
            return i

    def set_up(number):
        if where == "worker_init_fn" and number == 1:
            act()

    def together(samples):
        if where == "collate_fn" and 6 in samples:
            act()
        return samples

    options = {"batch_size": 2, "num_workers": 2, "worker_init_fn": set_up, "collate_fn": together} | options
    seen, errors = [], []
    try:
        for batch in data.DataLoader(Numbers(), **options):
            seen.append(batch)
    except Exception as error:
        cause = error.__cause__
        errors = [describe(error)] + ([] if cause is None else [describe(cause)])
    return seen, errors


def describe(error):
    kind = type(error)
    first, *rest = str(error).splitlines()
    words = re.sub(r"Details are.*", "", re.sub(r"pid(\(s\))? [\d, ]+", "pid N", first)).strip()
    last = next((line for line in reversed(rest) if line.strip()), "")
    return kind.__name__, words, rest[:1], last


@pytest.mark.parametrize("where", ["item", "worker_init_fn", "collate_fn"])
@pytest.mark.parametrize("name", ACTS)
def test_failures(name, where):
    ours, theirs = failure(minigrad, ACTS[name], where), failure(torch, ACTS[name], where)
    if (
        "SIG" in name or "exit" in name
    ):  # how far the other worker had come is chance, and which error PyTorch raises of which
        said = [
            {words.partition(". ")[0].rstrip(".") for kind, words, *_ in errors if kind == "RuntimeError"}
            for _, errors in (ours, theirs)
        ]
        assert said[0] >= said[1] != set()
        assert ours[1][0][1] == "DataLoader worker (pid N) exited unexpectedly"
    else:
        assert ours == theirs


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda n: n.name)
def test_the_cause_names_the_signal(number):
    """PyTorch hears of it by a signal of its own, which may come at any time: where it does, its words are these."""
    _, (_, cause) = failure(minigrad, killing(number), "item")
    assert cause[:2] == (
        "RuntimeError",
        f"DataLoader worker (pid N) is killed by signal: {signal.strsignal(number)}.",
    )


def test_timeout():
    def act():
        time.sleep(30)

    ours = failure(minigrad, act, "item", timeout=1)
    assert ours == failure(torch, act, "item", timeout=1)
    assert ours[1][0][:2] == ("RuntimeError", "DataLoader timed out after 1 seconds")


def test_a_loader_goes_on_after_an_error():
    def program(lib):
        data = data_of(lib)

        class Numbers(data.Dataset):
            def __len__(self):
                return 8

            def __getitem__(self, i):
                if i in (2, 5):
                    raise ValueError(i)
                return i

        iterator, seen = iter(data.DataLoader(Numbers(), num_workers=2)), []
        while True:
            try:
                seen.append(next(iterator).tolist())
            except ValueError as error:
                seen.append(str(error).strip().rpartition("\n")[2])
            except StopIteration:
                return seen

    assert program(minigrad) == program(torch)
