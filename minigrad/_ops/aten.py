"""What PyTorch's dispatcher calls an operator, such as ``mul.Tensor``: for what shows operators to users who know those names.

A name is that of the function, and after the dot an overload.  Most operators have one, ``default``; PyTorch numbers its nodes by overload
(``SumBackward1`` is ``sum.dim_IntList``), so the class tells nearly all the others.  ``minigrad.ops`` makes callable objects of the names.
"""

import numbers

import numpy as np

from .._core.saved import is_number
from .._core.tensor import Tensor

__all__: list[str] = []  # nothing that users call

#: The class of the node -> its name, where it is not that of the function with ``default``.
BY_CLASS = {
    "AddBackward0": "add.Tensor",
    "Argsort": "sort.default",
    "ConjBackward0": "_conj.default",
    "CopysignBackward0": "copysign.Tensor",
    "CopysignBackward1": "copysign.Scalar",
    "DivBackward0": "div.Tensor",
    "DivBackward2": "div.Tensor_mode",
    "FillBackward0": "fill.Scalar",
    "FillBackward1": "fill.Tensor",
    "FillBackward2": "fill.Scalar",
    "FillBackward3": "fill.Tensor",
    "FmodBackward0": "fmod.Scalar",
    "FmodBackward1": "fmod.Tensor",
    "FrexpBackward0": "frexp.Tensor",
    "ClampBackward0": "clamp.Tensor",
    "ClampMaxBackward1": "clamp_max.Tensor",
    "ClampMinBackward1": "clamp_min.Tensor",
    "IndexBackward0": "index.Tensor",
    "IndexFillBackward0": "index_fill.int_Scalar",
    "IndexFillBackward1": "index_fill.int_Tensor",
    "LdexpBackward0": "ldexp.Tensor",
    "LerpBackward0": "lerp.Scalar",
    "LerpBackward1": "lerp.Tensor",
    "LogSigmoidBackward0": "log_sigmoid_forward.default",
    "LogSoftmaxBackward0": "_log_softmax.default",
    "MaskedFillBackward0": "masked_fill.Scalar",
    "MaskedFillBackward1": "masked_fill.Tensor",
    "MaxBackward0": "max.dim",
    "MeanBackward1": "mean.dim",
    "MedianBackward1": "median.dim",
    "MinBackward0": "min.dim",
    "MulBackward0": "mul.Tensor",
    "NanmedianBackward1": "nanmedian.dim",
    "NllLoss2DBackward0": "nll_loss2d_forward.default",
    "NllLossBackward0": "nll_loss_forward.default",
    "NormalBackward1": "normal.Tensor_float",
    "NormalBackward2": "normal.float_Tensor",
    "NormalBackward3": "normal.Tensor_Tensor",
    "PowBackward0": "pow.Tensor_Scalar",
    "PowBackward1": "pow.Tensor_Tensor",
    "PowBackward2": "pow.Scalar",
    "PreluKernelBackward0": "_prelu_kernel.default",
    "ProdBackward1": "prod.dim_int",
    "RemainderBackward0": "remainder.Scalar",
    "RemainderBackward1": "remainder.Tensor",
    "RoundBackward1": "round.decimals",
    "RreluWithNoiseBackward0": "rrelu_with_noise.default",
    "RsubBackward0": "rsub.Tensor",
    "RsubBackward1": "rsub.Scalar",
    "ScatterBackward0": "scatter.src",
    "ScatterBackward1": "scatter.value",
    "ScatterReduceBackward0": "scatter_reduce.two",
    "SelectBackward0": "select.int",
    "SliceBackward0": "slice.Tensor",
    "SoftmaxBackward0": "_softmax.default",
    "SplitBackward0": "split.Tensor",
    "SqueezeBackward1": "squeeze.dim",
    "SqueezeBackward2": "squeeze.dims",
    "SqueezeBackward4": "squeeze.dim",
    "SqueezeBackward5": "squeeze.dims",
    "StdBackward0": "std.correction",
    "StdMeanBackward0": "std_mean.correction",
    "SubBackward0": "sub.Tensor",
    "SumBackward1": "sum.dim_IntList",
    "ToCopyBackward0": "_to_copy.default",
    "ToInteger": "_to_copy.default",
    "TransposeBackward0": "transpose.int",
    "UnbindBackward0": "unbind.int",
    "Unique2Backward0": "_unique2.default",
    "UnsafeSplitBackward0": "unsafe_split.Tensor",
    "UnsafeViewBackward0": "_unsafe_view.default",
    "VarBackward0": "var.correction",
    "VarMeanBackward0": "var_mean.correction",
    "WhereBackward0": "where.self",
    "XlogyBackward0": "xlogy.Tensor",
    "XlogyBackward1": "xlogy.Scalar_Self",
    "XlogyBackward2": "xlogy.Scalar_Other",
}

#: Functions whose overload says whether the other operand is a tensor or a number.
_BY_OTHER = "bitwise_and bitwise_or bitwise_xor copysign eq fmod ge gt le lt ne remainder searchsorted"
#: Functions whose overload says that of both operands.
_BY_BOTH = "bitwise_left_shift bitwise_right_shift isin"

#: In place, where it is not the name with ``_``.
IN_PLACE = {
    "bernoulli_.default": "bernoulli_.float",
    "normal_.Tensor_float": "normal_.default",
    "pow_.Tensor_Scalar": "pow_.Scalar",
    "pow_.Tensor_Tensor": "pow_.Tensor",
    "transpose_.int": "transpose_.default",
}


def aten_name(cls, operands, params=(), writes=False):
    """The name of one application of the op ``cls``, such as ``mul.Tensor``; ``writes``: in place, ``mul_.Tensor``.

    An op of ours that PyTorch does in several steps (``linear``, ``matmul`` of a stack) has the name of the one that multiplies.
    """
    function = cls.function_name()
    if function in ("linear", "matmul"):
        return _product(cls, operands)
    if function in _BY_OTHER.split():
        number_first = _is_number(operands[0])
        name = f"{function}.{'Scalar_Tensor' if number_first else 'Scalar' if _is_number(operands[1]) else 'Tensor'}"
    elif function in _BY_BOTH.split():
        kinds = ["Scalar" if _is_number(x) else "Tensor" for x in operands]
        name = f"{function}.{'Tensor' if kinds == ['Tensor', 'Tensor'] and function != 'isin' else '_'.join(kinds)}"
    elif function in ("all", "any", "count_nonzero"):
        dim = params[0]
        if function == "count_nonzero":
            name = f"count_nonzero.{'dim_IntList' if isinstance(dim, tuple) else 'default'}"
        else:
            name = f"{function}.{'default' if dim is None else 'dim' if isinstance(dim, int) else 'dims'}"
    else:
        name = BY_CLASS.get(cls.__name__) or f"{function}.default"
    if not writes:
        return name
    name = name.replace(".", "_.", 1)
    return IN_PLACE.get(name, name)


def _is_number(x):
    return is_number(x) if isinstance(x, Tensor) else isinstance(x, (numbers.Number, np.generic))


def _product(cls, operands):
    """The name of the step of ``linear`` or ``matmul`` that multiplies."""
    if cls.function_name() == "linear":
        return "addmm.default" if len(operands) == 3 else "mm.default"
    n, m = (x.ndim for x in operands)
    if n > 2 and m > 2:
        return "bmm.default"
    return "mv.default" if (n > 2 and m == 1) or (n == 1 and m > 2) else "mm.default"


def aten_arguments(cls, operands, params=()):
    """The arguments of one application of the op ``cls``, in the order of the function that ``aten_name`` tells."""
    if cls.function_name() == "linear":
        *rest, weight = operands
        return (*rest, weight.t())
    given = list(operands)
    while given and given[-1] is None:
        given.pop()
    return (*given, *params)
