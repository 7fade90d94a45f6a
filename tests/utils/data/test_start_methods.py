"""Workers by fork, spawn and forkserver, in programs started in every way: what comes out is the same."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import minigrad
from minigrad.utils.data import DataLoader

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}
METHODS = multiprocessing.get_all_start_methods()

PROGRAM = """
import sys
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset, get_worker_info

class Squares(Dataset):
    def __init__(self):
        self.table = torch.arange(10.0) ** 2

    def __len__(self):
        return 10

    def __getitem__(self, i):
        if i == 9 and get_worker_info() is not None:
            raise KeyError("nine")
        return self.table[i], torch.rand(1), torch.__name__

def set_up(number):
    torch.rand(number)

def main(method):
    torch.manual_seed(0)
    loader = DataLoader(Squares(), batch_size=3, num_workers=2, worker_init_fn=set_up, multiprocessing_context=method)
    try:
        for numbers, drawn, names in loader:
            print(numbers.tolist(), drawn.tolist(), names)
    except KeyError as error:
        print(str(error).splitlines()[0], "nine" in str(error))
    data = TensorDataset(torch.arange(6).reshape(3, 2))
    loader = DataLoader(data, num_workers=1, multiprocessing_context=method, persistent_workers=True)
    print([batch[0].tolist() for _ in range(2) for batch in loader])

if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "fork")
"""

EXPECTED_END = [
    "Caught KeyError in DataLoader worker process 1. True",
    "[[[0, 1]], [[2, 3]], [[4, 5]], [[0, 1]], [[2, 3]], [[4, 5]]]",
]


def run(*arguments, stdin=None, cwd=None, program=("-m", "minigrad")):
    done = subprocess.run(
        [sys.executable, *program, *map(str, arguments)],
        env=ENVIRONMENT,
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_all_methods_give_the_same(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    printed = {method: run(path, method, cwd=tmp_path) for method in METHODS}
    for method in METHODS:
        assert printed[method] == printed[METHODS[0]]
    assert printed[METHODS[0]][-2:] == EXPECTED_END
    assert len(printed[METHODS[0]]) == 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_classes_of_a_program_that_no_file_holds():
    """As in a notebook: workers that are forked have them."""
    for lines in (run("-", stdin=PROGRAM), run("-c", PROGRAM)):
        assert lines[-2:] == EXPECTED_END


def test_without_the_alias(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        PROGRAM.replace("import torch", "import minigrad as torch").replace("from torch", "from minigrad")
    )
    for method in METHODS:
        assert run(path, method, program=())[-2:] == EXPECTED_END


def test_a_context_may_be_given_itself():
    context = multiprocessing.get_context(METHODS[0])
    loader = DataLoader([1, 2], num_workers=1, multiprocessing_context=context)
    assert loader.multiprocessing_context is context


def test_what_cannot_be_pickled_is_named(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        textwrap.dedent("""
        import multiprocessing, warnings
        from minigrad.utils.data import DataLoader

        if __name__ == "__main__":
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                try:
                    iter(DataLoader([1], num_workers=1, collate_fn=lambda x: x, multiprocessing_context="spawn"))
                except Exception as error:
                    print(type(error).__name__, "lambda" in str(error))
            print(str(seen[0].message).partition(".")[0])
            print(multiprocessing.active_children())
        """)
    )
    kind, said, children = run(path, program=())
    assert kind in ("AttributeError True", "PicklingError True")
    assert said == "Got pickle error when attempting to start a worker Process"
    assert children == "[]"
