"""``python -m minigrad --api 2017``: whole programs of that year, unmodified, and what each printed.

What they should print rests on the rules by which PyTorch 0.3 wrote tensors (columns of one width, four digits, type and size below) and on arithmetic:
the numbers follow from the programs by hand, and where they draw at random, what is printed does not depend on the draws.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

FOLDER = Path(__file__).parent / "programs_of_2017"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1]), "OMP_NUM_THREADS": "1"}


def run(*words):
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "minigrad", *words],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_printed(name):
    done = run("--api", "2017", str(FOLDER / f"{name}.py"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_eleven_programs():
    assert len(PROGRAMS) >= 11


def test_another_year_is_refused():
    done = run("--api", "2016", "-c", "print()")
    assert done.returncode == 2 and "--api takes 2017" in done.stderr


def test_without_the_option_nothing_of_it_is_there():
    done = run(
        "-c",
        "import sys, torch; print(torch.ones(2).sum(), any('_api_2017' in name for name in sys.modules))",
    )
    assert done.stdout == "tensor(2.) False\n"


#: Expressions of a tensor ``t`` ([1, 2, 4]) and a Variable ``v`` over it, and what 0.3 printed for each.
PRINTED = [
    ("t.sum(), t[1], t.max(), t.norm() ** 2", "(7.0, 2.0, 4.0, 21.0)"),
    ("t.sum(0).size(), v.sum().size(), v[0].size(), (v * v).mean().size()", "(torch.Size([1]), torch.Size([1]), torch.Size([1]), torch.Size([1]))"),
    ("list(t), [x.size() for x in v][0]", "([1.0, 2.0, 4.0], torch.Size([1]))"),
    ("(t > 1).type(), (v == 2).data.type(), (t > 1).sum(), (t > 0).all()", "('torch.ByteTensor', 'torch.ByteTensor', 2, True)"),
    ("isinstance(t, Variable), isinstance(v, Variable), isinstance(v.data, Variable)", "(False, True, False)"),
    ("list(t.masked_select(t > 1)), list(t.clone().masked_fill_(t > 1, 0)), list(t[t > 1])", "([2.0, 4.0], [1.0, 0.0, 0.0], [2.0, 4.0])"),
    ("list(t.clone().masked_copy_(t > 1, torch.zeros(3)))", "[1.0, 0.0, 0.0]"),
    ("list(torch.LongTensor([7, -7]) / 2), torch.arange(0, 2).type()", "([3, -3], 'torch.FloatTensor')"),
    ("type(t.max(0)).__name__, t.max(0)[1][0], v.max(0)[0].size()", "('tuple', 2, torch.Size([1]))"),
    ("Variable(t, volatile=True).sum().volatile", "True"),
    ("v.grad is None, v.sum().backward(), list(v.grad.data), isinstance(v.grad, Variable)", "(True, None, [1.0, 1.0, 1.0], True)"),
]  # fmt: skip


def test_what_expressions_printed():
    lines = ["import torch", "from torch.autograd import Variable"]
    lines += ["t = torch.FloatTensor([1, 2, 4])", "v = Variable(t, requires_grad=True)"]
    lines += [f"print(({expression}))" for expression, _ in PRINTED]
    done = run("--api", "2017", "-c", "\n".join(lines))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [printed for _, printed in PRINTED]


#: Numbers, and the lines by which 0.3 showed them.
TEXTS = [
    ("[[1, 2], [3, 4]]", [" 1  2", " 3  4", "[torch.FloatTensor of size 2x2]"]),
    ("[0.5, 12.25]", ["  0.5000", " 12.2500", "[torch.FloatTensor of size 2]"]),
    ("[1e-3, 1000.5]", [" 1.0000e-03", " 1.0005e+03", "[torch.FloatTensor of size 2]"]),
    ("[123456.5, 223456.5]", ["1.00000e+05 *", "  1.2346", "  2.2346", "[torch.FloatTensor of size 2]"]),
    ("[-1, 10]", [" -1", " 10", "[torch.FloatTensor of size 2]"]),
    ("[[[1], [2]]]", ["(0 ,.,.) = ", "  1", "  2", "[torch.FloatTensor of size 1x2x1]"]),
]


def test_texts_of_tensors():
    code = "\n".join(["import torch", *[f"print(torch.FloatTensor({numbers}))" for numbers, _ in TEXTS]])
    done = run("--api", "2017", "-c", code)
    assert done.stdout == "".join("\n" + "".join(f"{line}\n" for line in lines) + "\n" for _, lines in TEXTS)
