"""How many floating-point operations an operator takes, told from the shapes of its inputs."""

from math import prod

__all__ = ["flops_of", "flops_of_call", "mult_adds_of"]


def _matmul(shapes, values):
    (n, k), (_, m) = shapes[0], shapes[1]
    return 2 * n * k * m


def _addmm(shapes, values):
    return _matmul(shapes[1:], values)


def _bmm(shapes, values):
    (b, n, k), (_, _, m) = shapes[0], shapes[1]
    return 2 * b * n * k * m


def _baddbmm(shapes, values):
    return _bmm(shapes[1:], values)


def _vector(shapes, values):
    return 2 * prod(shapes[0])


def _stack(shapes, values):
    """A product of matrices of any number of dimensions."""
    x, y = shapes[0], shapes[1]
    if len(y) == 1:
        return 2 * prod(x)
    if len(x) == 1:
        return 2 * prod(y)
    rows = x[-2]
    batch = 1
    for i in range(max(len(x), len(y)) - 2):
        batch *= max(x[-3 - i] if i < len(x) - 2 else 1, y[-3 - i] if i < len(y) - 2 else 1)
    return 2 * batch * rows * x[-1] * y[-1]


def _linear(shapes, values):
    """(..., k) with a weight (m, k)."""
    return 2 * prod(shapes[0]) * shapes[1][0]


def _convolution(shapes, values):
    """Of (n, c, ...) with (m, c / groups, ...): each output takes a product and a sum per weight of its channel; transposed, each input does."""
    x, weight = shapes[0], shapes[1]
    if any(value is None for value in values[3:9]):
        return 0
    stride, padding, dilation, transposed = values[3], values[4], values[5], values[6]
    if transposed:
        return 2 * prod(x) * prod(weight[1:])
    sizes = zip(x[2:], weight[2:], stride, padding, dilation)
    places = prod((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in sizes)
    return 2 * x[0] * places * prod(weight)


def _attention(shapes, values):
    """The two products of (..., l, e), (..., s, e) and (..., s, v)."""
    query, key, value = shapes[:3]
    pairs = prod(query[:-1]) * key[-2]
    return 2 * pairs * (query[-1] + value[-1])


def _lstm_products(shapes, values):
    """All steps of (t, n, x) with weights (4 h, x) and (4 h, h)."""
    x, w_ih, w_hh = shapes[:3]
    return 2 * x[0] * x[1] * (prod(w_ih) + prod(w_hh))


def _lstm_elements(shapes, values):
    """Of each step: the sum of the four gates' products, and c = f c + i k, h = o tanh c."""
    x, _, (_, h) = shapes[:3]
    return x[0] * x[1] * 8 * h


def _elements(shapes, values):
    return prod(shapes[0])


#: What consists of multiplications each of which is followed by an addition.
_PRODUCTS = {
    "aten::mm": _matmul,
    "aten::addmm": _addmm,
    "aten::bmm": _bmm,
    "aten::baddbmm": _baddbmm,
    "aten::mv": _vector,
    "aten::dot": _vector,
    "aten::matmul": _stack,
    "aten::linear": _linear,
    "aten::convolution": _convolution,
    "aten::scaled_dot_product_attention": _attention,
    "aten::mkldnn_rnn_layer": _lstm_products,
}
_ELEMENTWISE = {
    "aten::mul": _elements,
    "aten::add": _elements,
    "aten::mkldnn_rnn_layer": _lstm_elements,
}


def mult_adds_of(name, shapes, values):
    """The number of pairs of a multiplication and an addition in the operator's products of matrices, vectors or windows.

    >>> from minigrad.autograd._profiler.flops import mult_adds_of
    >>> mult_adds_of("aten::mm", [[2, 3], [3, 4]], [None, None])
    24
    """
    formula = _PRODUCTS.get(name)
    return 0 if formula is None else int(formula(shapes, values)) // 2


def flops_of(name, shapes, values):
    """The number of operations of the operator ``name`` on inputs of those shapes; 0 where none is counted.

    >>> from minigrad.autograd._profiler.flops import flops_of
    >>> flops_of("aten::mm", [[2, 3], [3, 4]], [None, None])
    48
    """
    elementwise = _ELEMENTWISE.get(name)
    elements = 0 if elementwise is None else int(elementwise(shapes, values))
    return 2 * mult_adds_of(name, shapes, values) + elements


def flops_of_call(names, inputs, count=flops_of):
    """``count`` of an operator that was noted under ``names`` (see ``event_names.py``), with inputs as ``described`` gives them."""
    # linear, and products of stacks of matrices, by the names that take any number of dimensions
    name = names[0] if names[0] in ("aten::linear", "aten::matmul") else names[-1]
    if name == "aten::linear":
        inputs = inputs[-2:]  # without the bias
    return count(name, [i[0] for i in inputs], [i[3] for i in inputs])
