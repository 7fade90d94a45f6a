"""The inputs of operators in the order of PyTorch's functions, from the order in which they are noted."""

from .described import described

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
    count, further = _FURTHER.get(name, (0, ()))
    return [*noted, *further] if len(noted) == count else noted
