"""Products of matrices and vectors."""

from typing import Any

from ..._base import dtypes
from .._builder import Builder, Value
from ._common import axis_of, promoted, refuse, result_dtype, together, varargs
from ._registry import exporter


@exporter("linear")
def linear(g: Builder, input: Value, weight: Value, bias: Value | None = None) -> Value:
    if len(input.shape) == 2 and bias is not None and len(weight.shape) == 2:
        return g.op("Gemm", input, weight, bias, transB=1)
    turned = g.transpose(weight, [1, 0]) if len(weight.shape) == 2 else weight
    product = g.op("MatMul", input, turned)
    return product if bias is None else g.op("Add", product, bias)


@exporter("bilinear")
def bilinear(g: Builder, input1: Value, input2: Value, weight: Value, bias: Value | None = None) -> Value:
    found = g.op(
        "Einsum",
        g.op("Einsum", input1, weight, equation="...i,oij->...oj"),
        input2,
        equation="...oj,...j->...o",
    )
    return found if bias is None else g.op("Add", found, bias)


@exporter("matmul", "linalg_matmul", "mm", "bmm", "mv", "dot", "inner_product", "vdot")
def matmul(g: Builder, input: Value, other: Value) -> Value:
    return g.op("MatMul", *together(g, input, other))


@exporter("__rmatmul__")
def rmatmul(g: Builder, input: Value, other: Value) -> Value:
    return matmul(g, other, input)


@exporter("chain_matmul", "linalg_multi_dot")
def multi_dot(g: Builder, *matrices: Any) -> Value:
    every = varargs(matrices)
    found = every[0]
    for each in every[1:]:
        found = g.op("MatMul", found, each)
    return found


def _scaled_sum(g, start, product, beta, alpha):
    product = product if alpha == 1 else g.op("Mul", product, alpha)
    if beta == 0:
        return product
    return g.op("Add", start if beta == 1 else g.op("Mul", start, beta), product)


@exporter("addmm")
def addmm(g: Builder, input: Value, mat1: Value, mat2: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    return g.op("Gemm", mat1, mat2, input, alpha=float(alpha), beta=float(beta))


@exporter("baddbmm", "addmv")
def baddbmm(
    g: Builder, input: Value, batch1: Value, batch2: Value, *, beta: Any = 1, alpha: Any = 1
) -> Value:
    return _scaled_sum(g, input, g.op("MatMul", batch1, batch2), beta, alpha)


@exporter("addbmm")
def addbmm(g: Builder, input: Value, batch1: Value, batch2: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    return _scaled_sum(
        g, input, g.reduce("ReduceSum", g.op("MatMul", batch1, batch2), [0], False), beta, alpha
    )


@exporter("outer", "ger")
def outer(g: Builder, input: Value, vec2: Value) -> Value:
    a, b = together(g, input, vec2)
    return g.op("Mul", g.unsqueeze(a, 1), g.unsqueeze(b, 0))


@exporter("addr")
def addr(g: Builder, input: Value, vec1: Value, vec2: Value, *, beta: Any = 1, alpha: Any = 1) -> Value:
    return _scaled_sum(g, input, outer(g, vec1, vec2), beta, alpha)


@exporter("inner")
def inner(g: Builder, input: Value, other: Value) -> Value:
    if not input.shape or not other.shape:
        return g.op("Mul", input, other)
    a = "".join(chr(97 + i) for i in range(len(input.shape) - 1))
    b = "".join(chr(110 + i) for i in range(len(other.shape) - 1))
    return g.op("Einsum", input, other, equation=f"{a}z,{b}z->{a}{b}")


@exporter("kron")
def kron(g: Builder, input: Value, other: Value) -> Value:
    if len(input.shape) != 2 or len(other.shape) != 2:
        raise refuse("kron of other things than matrices")
    product = g.op("Einsum", *together(g, input, other), equation="ij,kl->ikjl")
    return g.reshape(product, g.result_shape)


@exporter("einsum")
def einsum(g: Builder, equation: str, *operands: Any) -> Value:
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    if not isinstance(equation, str):
        raise refuse("einsum with lists of dimensions")
    return g.op("Einsum", *together(g, *operands), equation=equation.replace(" ", ""))


@exporter("tensordot")
def tensordot(g: Builder, a: Value, b: Value, dims: Any = 2, out: Any = None) -> Value:
    if isinstance(dims, int):
        dims = [*range(len(a.shape) - dims, len(a.shape))], [*range(dims)]
    first, second = ([axis_of(x, d) for d in each] for x, each in zip((a, b), dims))
    left = [chr(97 + i) for i in range(len(a.shape))]
    right = [chr(97 + len(a.shape) + i) for i in range(len(b.shape))]
    for one, other in zip(first, second):
        right[other] = left[one]
    rest = [x for i, x in enumerate(left) if i not in first] + [
        x for i, x in enumerate(right) if i not in second
    ]
    return g.op("Einsum", a, b, equation=f"{''.join(left)},{''.join(right)}->{''.join(rest)}")


@exporter("det", "linalg_det")
def det(g: Builder, input: Value) -> Value:
    return g.op("Det", input)


@exporter("logdet")
def logdet(g: Builder, input: Value) -> Value:
    return g.op("Log", g.op("Det", input))


@exporter("slogdet", "linalg_slogdet")
def slogdet(g: Builder, input: Value) -> Any:
    found = g.op("Det", input)
    return g.op("Sign", found), g.op("Log", g.op("Abs", found))


@exporter("matrix_power", "linalg_matrix_power")
def matrix_power(g: Builder, input: Value, n: int) -> Value:
    if n < 1:
        raise refuse(f"matrix_power of {n}")
    found = None
    square = input
    while n:
        if n % 2:
            found = square if found is None else g.op("MatMul", found, square)
        n //= 2
        square = g.op("MatMul", square, square) if n else square
    assert found is not None
    return found


@exporter("linalg_vecdot")
def vecdot(g: Builder, x: Value, y: Value, *, dim: int = -1) -> Value:
    axis = dim - max(len(x.shape), len(y.shape)) if dim >= 0 else dim
    return g.reduce("ReduceSum", g.op("Mul", *together(g, x, y)), [axis], False)


@exporter("cross", "linalg_cross")
def cross(g: Builder, input: Value, other: Value, dim: int | None = None) -> Value:
    """Of each vector of three the turned parts."""
    rank = max(len(input.shape), len(other.shape))
    axis = -1 if dim is None else dim - rank if dim >= 0 else dim
    if dim is None and g.operator == "aten::cross":
        axis = next(i for i, size in enumerate(input.shape) if size == 3) - rank
    turns = g.constant([1, 2, 0], dtypes.int64), g.constant([2, 0, 1], dtypes.int64)
    parts = []
    for x in together(g, input, other):
        own = axis + len(x.shape)
        parts.append([g.op("Gather", x, turn, axis=own) for turn in turns])
    (a, b), (c, d) = parts
    return g.op("Sub", g.op("Mul", a, d), g.op("Mul", b, c))


@exporter("trace")
def trace(g: Builder, input: Value) -> Value:
    from .shapes import _diagonal

    return g.cast(g.reduce("ReduceSum", _diagonal(g, input), [0], False), result_dtype(g))


@exporter("cosine_similarity")
def cosine_similarity(g: Builder, x1: Value, x2: Value, dim: int = 1, eps: float = 1e-8) -> Value:
    axis = max(len(x1.shape), len(x2.shape))
    axis = dim % axis
    dtype = promoted(x1, x2)
    a, b = g.cast(x1, dtype), g.cast(x2, dtype)
    scaled = []
    for x, shape in ((a, x1.shape), (b, x2.shape)):
        own = axis - (max(len(x1.shape), len(x2.shape)) - len(shape))
        length = g.reduce("ReduceL2", x, [own], True)
        scaled.append(g.op("Div", x, g.op("Max", length, eps)))
    return g.reduce("ReduceSum", g.op("Mul", *scaled), [axis], False)


@exporter("pairwise_distance")
def pairwise_distance(
    g: Builder, x1: Value, x2: Value, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Value:
    from .reductions import vector_norm

    gap = g.op("Add", g.op("Sub", x1, x2), eps)
    return vector_norm(g, gap, p, [max(len(x1.shape), len(x2.shape)) - 1], keepdim)


@exporter("cdist")
def cdist(g: Builder, x1: Value, x2: Value, p: float = 2.0, compute_mode: str = "") -> Value:
    from .reductions import vector_norm

    ranks = len(x1.shape), len(x2.shape)
    gap = g.op("Sub", g.unsqueeze(x1, ranks[0] - 1), g.unsqueeze(x2, ranks[1] - 2))
    return vector_norm(g, gap, p, [max(ranks)], False)
