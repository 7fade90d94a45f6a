"""The inputs of operators in the order of PyTorch's functions, from the order in which they are noted."""

from .input_shapes import described

__all__ = ["inputs_of"]

#: The number of inputs that an operator has here, and what PyTorch's function takes besides.
_FURTHER = {
    name: (count, tuple([described(value) for value in further]))
    for names, count, further in (
        ("add add_ sub sub_ rsub", 2, (1,)),
        ("addmm addbmm baddbmm addmv addr addmm_ addbmm_ baddbmm_ addmv_ addr_", 3, (1, 1)),
        ("softmax log_softmax", 2, (None,)),
        ("_softmax _log_softmax", 2, (False,)),
        ("clone", 1, (None,)),
        ("copy_", 2, (False,)),
    )
    for name in [f"aten::{name}" for name in names.split()]
}
#: Operators whose second input is a list of dimensions, though one may be given alone.
_OF_DIMENSIONS = {"aten::sum", "aten::mean", "aten::amax", "aten::amin", "aten::logsumexp"}
#: ``linear`` is noted as the product that it is: bias, input, weight.
_LINEAR = (1, 2, 0)
#: Convolutions are noted as (input, weight, bias, stride, padding, dilation, transposed, output_padding, groups).
_CONVOLUTION = (0, 1, 2, 3, 4, 5, 8)
_TRANSPOSED = (0, 1, 2, 3, 4, 7, 8, 5)

#: (the function, how many inputs are noted) -> where PyTorch's are among them; what stands in brackets is an input by itself.
_ARRANGED = {
    ("aten::batch_norm", 7): (0, 1, 2, 3, 4, [True], 5, 6, [True]),
    ("aten::batch_norm", 6): (0, 1, 2, 3, 4, [False], [None], 5, [True]),
    ("aten::layer_norm", 5): (0, 3, 1, 2, 4, [True]),
    ("aten::group_norm", 8): (0, 6, 1, 2, 7, [True]),
    ("aten::binary_cross_entropy_with_logits", 3): (0, 1, [None], [None], 2),
    ("aten::cumsum", 4): (0, 1, 2),
    ("aten::cumprod", 4): (0, 1, 2),
    ("aten::gather", 3): (0, 2, 1, [False]),
    ("aten::index_select", 3): (0, 2, 1),
}
#: Functions that make tensors of a size: after it, PyTorch's take dtype, layout, device and whether the memory is pinned.
_OF_A_SIZE = {f"aten::{name}" for name in ("ones", "rand", "randn", "zeros")}


def inputs_of_call(name, noted):
    """The inputs of a function that is no operator here."""
    if name in _OF_A_SIZE and noted and all(isinstance(n[3], (int, list, tuple)) for n in noted):
        size = noted[0][3] if len(noted) == 1 and not isinstance(noted[0][3], int) else [n[3] for n in noted]
        return [described(list(size)), *[described(None)] * 4]
    return noted


def inputs_of(names, depth, noted):
    """The inputs of the function or step ``names[depth]`` of an operator, of which ``noted`` are the descriptions."""
    name = names[depth]
    if not noted:
        return noted
    if name == "aten::linear":
        return [noted[i] for i in _LINEAR] if len(noted) == 3 else noted
    if name.startswith("aten::conv") and name != "aten::convolution":
        return [noted[i] for i in (_TRANSPOSED if "transpose" in name else _CONVOLUTION)]
    if names[0] == "aten::linear":
        *rest, (shape, strides, dtype, value) = noted
        noted = [*rest, (shape[::-1], strides[::-1], dtype, value)]
    if name in _OF_DIMENSIONS and len(noted) > 2 and noted[1][2] == "Scalar":
        noted = [noted[0], described([noted[1][3]]), *noted[2:]]
    arranged = _ARRANGED.get((name, len(noted)))
    if arranged is not None:
        return [described(*place) if isinstance(place, list) else noted[place] for place in arranged]
    count, further = _FURTHER.get(name, (0, ()))
    return [*noted, *further] if len(noted) == count else noted
