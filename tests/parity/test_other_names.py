"""The names that PyTorch's operators take for their parameters beside their own: NumPy's, and those of ``linalg``; every public function is tried."""

import re
import zlib

import pytest

torch = pytest.importorskip("torch")

import minigrad
from tests.parity.random_arguments import Call
from tests.parity.random_calls import Space
from tests.parity.signatures import functions

#: A parameter's own name -> NumPy's.
NUMPY_NAMES = {"dim": "axis", "keepdim": "keepdims"}
#: One function here, which takes them; of PyTorch's two the method is written in Python, and does not.
LENIENT = {"torch.Tensor.unflatten"}
ATTEMPTS = 200
SPACES = {"torch": Space(torch), "minigrad": Space(minigrad)}


class FittingCall(Call):
    """A call of which no argument is made a wrong one."""

    def spoil(self, given):
        pass


def named(overload, name):
    """The overload, whose parameter ``name`` and all behind it are given by name."""
    place = [p.name for p in overload].index(name)
    rest = [
        p if p.is_out else p._replace(by_name=True, optional=p.optional and p.name != name)
        for p in overload[place:]
    ]
    return [*overload[:place], *rest]


def working_call(function, overloads, name):
    """A call that both libraries take, with an argument called ``name``."""
    having = [named(overload, name) for overload in overloads if name in [p.name for p in overload]]
    for i in range(ATTEMPTS if having else 0):
        text = FittingCall(zlib.crc32(f"{function} {name} {i}".encode())).text(function, having)
        if (
            f"{name}=" in text
            and "out=" not in text
            and all(space.outcome(text)[0] for space in SPACES.values())
        ):
            return text
    return None


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore")
def test_names_of_numpy():
    tried, wrong = set(), []
    for function, overloads in functions(minigrad).items():
        for own, other in NUMPY_NAMES.items():
            text = working_call(function, overloads, own)
            if text is None or function in LENIENT:
                continue
            tried.add((function, other))
            usual = SPACES["minigrad"].outcome(text)
            text = re.sub(rf"\b{own}=", f"{other}=", text)
            fine, well = (space.outcome(text) for space in SPACES.values())
            if fine[0] != well[0] or (well[0] and str(usual) != str(well)):
                wrong.append(f"{text}: {fine[1]} | {well[1]}")
    assert not wrong, "\n".join(wrong)
    assert len(tried) > 240


MATRIX = "torch.tensor([[4., 1.], [1., 3.]])"
#: Functions of ``linalg`` -> the arguments after the first.
LINALG = {
    "cholesky": "", "cholesky_ex": "", "cond": "", "det": "", "diagonal": "", "eig": "", "eigh": "", "eigvals": "", "eigvalsh": "",
    "householder_product": "tau=torch.ones(2)", "inv": "", "inv_ex": "", "ldl_factor": "", "ldl_factor_ex": "", "lstsq": f"b={MATRIX}",
    "lu": "", "lu_factor": "", "lu_factor_ex": "", "matrix_exp": "", "matrix_norm": "", "matrix_power": "n=2", "matrix_rank": "",
    "norm": "", "pinv": "", "qr": "", "slogdet": "", "solve": f"B={MATRIX}", "solve_ex": f"B={MATRIX}",
    "solve_triangular": f"B={MATRIX}, upper=True", "svd": "", "svdvals": "", "tensorinv": "ind=1", "tensorsolve": "other=torch.ones(2)",
    "vander": "", "vecdot": f"y={MATRIX}", "vector_norm": "",
}  # fmt: skip


@pytest.mark.torch
def test_first_argument_of_linalg():
    wrong, taken = [], 0
    for function, others in LINALG.items():
        for name in ("input", "A", "self", "B", "mat"):
            text = f"torch.linalg.{function}({name}={MATRIX}, {others})"
            fine, well = (space.outcome(text)[0] for space in SPACES.values())
            taken += fine
            if fine != well:
                wrong.append(text)
    assert not wrong, "\n".join(wrong)
    assert taken > 30


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("minigrad.narrow(x, axis=0, start=0)", 'missing 1 required positional arguments: "length"'),
        ("minigrad.narrow(x, start=0, length=1)", 'missing 1 required positional arguments: "dim"'),
        ("x.narrow(0, 0, 1, axis=0)", "unexpected keyword argument 'axis'"),
        ("minigrad.linalg.norm(x, dim=1, axis=1)", "unexpected keyword argument 'axis'"),
        ("x.unsqueeze_()", 'missing 1 required positional arguments: "dim"'),
        ("minigrad.linalg.vector_norm(x, x=x)", "unexpected keyword argument 'x'"),
        ("minigrad.norm(x, axis=0)", "unexpected keyword argument 'axis'"),
    ],
)
def test_given_twice_or_not_at_all(call, words):
    with pytest.raises(TypeError, match=words):
        eval(call, {"minigrad": minigrad, "x": minigrad.ones(2, 3)})


def test_under_a_mode():
    x = minigrad.arange(6.0).reshape(2, 3)
    with minigrad.overrides.BaseTorchFunctionMode():
        assert x.narrow(axis=1, start=0, length=2).shape == (2, 2)
        assert minigrad.linalg.norm(x, axis=0, keepdims=True).shape == (1, 3)
    assert minigrad.func.vmap(lambda row: minigrad.fft.fft(row, axis=0))(x).shape == (2, 3)
