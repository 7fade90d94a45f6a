"""Products of matrices and vectors, random calls: values and derivatives, and the same as PyTorch."""

import itertools

import numpy as np
import pytest

from tests.operators.calls import Row

ALL = "dci"


def sizes(s, count):
    return [s.size(0, 3) for _ in range(count)]


def mm(s):
    n, k, m = sizes(s, 3)
    return s.floats(n, k), s.floats(k, m)


def bmm(s):
    b, n, k, m = sizes(s, 4)
    return s.floats(b, n, k), s.floats(b, k, m)


def mv(s):
    n, k = sizes(s, 2)
    return s.floats(n, k), s.floats(k)


def dot(s):
    (n,) = sizes(s, 1)
    return s.floats(n), s.floats(n)


def outer(s):
    n, m = sizes(s, 2)
    return s.floats(n), s.floats(m)


def matmul(s):
    """Vectors, matrices or stacks that broadcast."""
    n, k, m = sizes(s, 3)
    stack = s.shape(0, 2)
    left = (k,) if s.flag() else (*s.under(stack), n, k)
    right = (k,) if s.flag() else (*s.under(stack), k, m)
    return s.floats(*left), s.floats(*right)


def weights(s):
    """Whole numbers, which integer tensors take as well; zero leaves the first operand out."""
    return {"beta": s.one_of(0, 1, 2), "alpha": s.one_of(1, 3)}


def added(operands, result):
    """``operands`` of a product, before them a tensor that broadcasts to its result, behind them weights."""

    def arguments(s):
        xs = operands(s)
        return (s.floats(*s.under(result(*[x.shape for x in xs]))), *xs, weights(s))

    return arguments


def sum_of(product):
    return lambda x, a, b, beta, alpha: beta * x + alpha * product(a, b)


def linear(s):
    n, m = sizes(s, 2)
    x, w = s.floats(*s.shape(0, 2), n), s.floats(m, n)
    return (x, w, s.floats(m)) if s.flag() else (x, w)


def bilinear(s):
    n, m, k = s.size(1, 3), s.size(1, 3), s.size(1, 3)
    stack = s.shape(0, 2, low=1)
    return s.floats(*stack, n), s.floats(*stack, m), s.floats(k, n, m), s.floats(k)


def inner(s):
    n = s.size()
    return s.floats(*s.shape(0, 2), n), s.floats(*s.shape(0, 2), n)


def kron(s):
    return s.dense().floats(*s.shape(0, 3)), s.dense().floats(*s.shape(0, 3))


def tensordot(s):
    shared = s.shape(0, 2)
    return s.floats(*s.shape(0, 2), *shared), s.floats(*shared, *s.shape(0, 2)), len(shared)


def tensordot_dims(s):
    n, k, m = sizes(s, 3)
    return s.floats(k, n, m), s.floats(m, 2, k), ([0, 2], [2, 0])


def einsum(s):
    """Letters with a size each, spread over two or three operands; some survive."""
    size = {letter: s.size(0, 3) for letter in "abcd"}
    terms = ["".join(letter for letter in "abcd" if s.flag()) for _ in range(s.size(1, 3))]
    seen = sorted(set("".join(terms)))
    kept = "".join(letter for letter in seen if s.flag())
    return f"{','.join(terms)}->{kept}", *[s.floats(*[size[letter] for letter in t]) for t in terms]


def einsum_special(s):
    n, stack = s.size(0, 3), s.shape(0, 2)
    shapes = {
        "ii": [(n, n)], "ii->i": [(n, n)], "...ij->...ji": [(*stack, n, 2)], "i...,i...->...": [(n, *stack), (n, *stack)],
        "...a,...a": [(*s.under(stack), n), (*stack, n)], "ij,jk": [(2, n), (n, 3)], "iji->j": [(n, 2, n)],
    }  # fmt: skip
    equation = s.one_of(*shapes)
    return equation, *[s.floats(*shape) for shape in shapes[equation]]


def einsummed(equation, *xs):
    return np.einsum(equation, *xs, optimize=len(xs) > 2)


def chain(s):
    n = [s.size(0, 3) for _ in range(s.size(3, 5))]
    return [s.floats(a, b) for a, b in itertools.pairwise(n)]


def chained(*xs):
    out = xs[0]
    for x in xs[1:]:
        out = out @ x
    return out


def multi_dot(s):
    n = [s.size(1, 3) for _ in range(s.size(3, 5))]
    xs = [s.floats(a, b) for a, b in itertools.pairwise(n)]
    if s.flag():
        xs[0] = s.floats(n[1])
    return (xs,)


def vecdot(s):
    shape = s.shape(1, 3)
    return s.floats(*s.under(shape[:-1]), shape[-1]), s.floats(*shape)


def addmv(s):
    x, y = mv(s)
    return s.floats(x.shape[0]), x, y, weights(s)


MATRICES = [
    Row("mm", mm, np.matmul, ALL),
    Row("bmm", bmm, np.matmul, ALL),
    Row("mv", mv, np.matmul, ALL),
    Row("dot", dot, np.dot, ALL),
    Row("vdot", dot, np.vdot, ALL),
    Row("outer", outer, np.outer, ALL),
    Row("ger", outer, np.outer, ALL),
    Row("matmul", matmul, np.matmul, ALL),
    Row("linalg.matmul", matmul, np.matmul, ALL),
    Row("Tensor.__matmul__", matmul, np.matmul, ALL),
    Row("addmm", added(mm, lambda a, b: (a[0], b[1])), sum_of(np.matmul), ALL, torch="dci"),
    Row("addmv", addmv, sum_of(np.matmul), ALL, torch="dci"),
    Row("addr", added(outer, lambda a, b: (a[0], b[0])), sum_of(np.outer), ALL, torch="dci"),
    Row("addbmm", added(bmm, lambda a, b: (a[1], b[2])), sum_of(lambda a, b: (a @ b).sum(0)), ALL, torch="dci"),
    Row("baddbmm", added(bmm, lambda a, b: (a[0], a[1], b[2])), sum_of(np.matmul), ALL, torch="dci"),
    Row("nn.functional.linear", linear, lambda x, w, b=0: x @ w.T + b, ALL),
]  # fmt: skip

SUMS = [
    Row("einsum", einsum, einsummed, "dc", strides=False, torch="dc"),
    Row("einsum special", einsum_special, einsummed, "dc", strides=False, torch="dc"),
    Row("inner", inner, np.inner, ALL),
    Row("kron", kron, np.kron, ALL),
    Row("tensordot", tensordot, np.tensordot, ALL, torch="dci"),
    Row("tensordot dims", tensordot_dims, lambda a, b, dims: np.tensordot(a, b, dims), ALL),
    Row("bilinear", bilinear, lambda x, y, w, b: np.einsum("...n,kni,...i->...k", x, w, y) + b, "d"),
    Row("nn.functional.bilinear", bilinear, lambda x, y, w, b: np.einsum("...n,kni,...i->...k", x, w, y) + b, "d"),
    Row("chain_matmul", lambda s: tuple(chain(s)), chained, ALL),
    Row("linalg.multi_dot", multi_dot, np.linalg.multi_dot, "dc"),
    Row("linalg.vecdot", vecdot, lambda x, y: (np.conj(x) * y).sum(-1), "dc", strides=False),
]  # fmt: skip

ROWS = MATRICES + SUMS

MARKS = pytest.mark.filterwarnings("ignore:torch.chain_matmul is deprecated")

EXCLUSIONS = {"spmm": "of sparse matrices", "addmv_": "what the row of addmv does in place"}
