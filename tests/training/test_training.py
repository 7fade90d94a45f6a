"""Whole training runs have the losses that they have in PyTorch, at every step: see ``programs.py``.

``recorded.json`` holds those of PyTorch, for where it is not installed.  With it, this file as a script records them again.
"""

import importlib.util
import itertools
import json
from pathlib import Path

import pytest

import minigrad

RECORDED = Path(__file__).with_name("recorded.json")
#: Relative; the runs agree to 1e-6, and other machines round their sums in another order.
TOLERANCE = 1e-4


def load_programs():
    """The module of programs, which is in no package."""
    spec = importlib.util.spec_from_file_location(
        "training_programs", Path(__file__).with_name("programs.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PROGRAMS = load_programs().PROGRAMS

every_program = pytest.mark.parametrize("name", PROGRAMS)


def run(name, library):
    """The losses of a program under a library, whose generator is left as it was."""
    state = library.get_rng_state()
    try:
        return list(PROGRAMS[name](library))
    finally:
        library.set_rng_state(state)


@every_program
def test_losses_are_those_recorded(name):
    recorded = json.loads(RECORDED.read_text())[name]
    assert len(recorded) >= 51
    assert run(name, minigrad) == pytest.approx(recorded, rel=TOLERANCE)


@every_program
@pytest.mark.torch
def test_losses_are_those_of_pytorch(name):
    torch = pytest.importorskip("torch")
    assert run(name, minigrad) == pytest.approx(run(name, torch), rel=TOLERANCE)


@every_program
def test_a_run_repeats_to_the_last_bit(name):
    assert run(name, minigrad) == run(name, minigrad)


@every_program
def test_the_recorded_losses_would_show_a_difference(name):
    """From step to step they move by far more than the tolerance, so that no wrong update can hide in it."""
    losses = json.loads(RECORDED.read_text())[name]
    moves = [abs(after - before) / before for before, after in itertools.pairwise(losses)]
    assert min(losses[-6:]) < 0.95 * losses[0]
    assert sum(move > 10 * TOLERANCE for move in moves) > 0.9 * len(moves)


if __name__ == "__main__":
    import torch

    RECORDED.write_text(json.dumps({name: run(name, torch) for name in PROGRAMS}, indent=1) + "\n")
