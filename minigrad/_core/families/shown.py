"""Which saved values a node shows, where PyTorch's do not follow from what the formulas here mention.

PyTorch's nodes keep some values that are not needed here, and the other way round.  This is read when such a value is asked for, or a node's attributes
are listed.
"""

import functools
from typing import Any

from ..node import AccumulateGrad, as_pair

#: Nodes, and PyTorch's names of what they save.
_TABLE = """
AdaptiveAvgPool2DBackward0 AdaptiveAvgPool3DBackward0: self
AdaptiveMaxPool2DBackward0 AdaptiveMaxPool3DBackward0: result1 self
AddbmmBackward0: alpha batch1 batch1_sym_argsize_0 batch1_sym_argsize_1 batch2 batch2_sym_argsize_2 beta
AddmmBackward0: alpha beta mat1 mat1_sym_sizes mat1_sym_strides mat2 mat2_sym_sizes mat2_sym_strides
AsStridedBackward0: size storage_offset stride
AvgPool2DBackward0 AvgPool3DBackward0: ceil_mode count_include_pad divisor_override kernel_size padding self stride
CholeskySolveBackward0: input2 result self upper
CummaxBackward0 CumminBackward0: dim indices self
CumprodBackward0: dim result self
CumsumBackward0 UnbindBackward0: dim
EmbeddingBagBackward0: indices mode offsets padding_idx per_sample_weights result1 result2 result3 scale_grad_by_freq sparse weight weight_sym_argsize_0
FftC2RBackward0: dim normalization
FftR2CBackward0: dim normalization onesided self
FractionalMaxPool2DBackward0 FractionalMaxPool3DBackward0: kernel_size output_size result1 self
GatherBackward0: dim index self sparse_grad
Im2ColBackward0: dilation kernel_size padding self_sym_argsize_minus_1 self_sym_argsize_minus_2 stride
IndexAddBackward0: alpha dim index source source_dim
IndexCopyBackward0: dim index source source_dim
IndexFillBackward1: dim index
IndexSelectBackward0: dim index self_sym_sizes
LinalgDetBackward0: A LU pivots result
LinalgHouseholderProductBackward0: input result tau
LinalgLuBackward0: L P U pivot
LinalgPinvBackward0 SpecialI1Backward0 SpecialLogNdtrBackward0: result self
LinalgSlogdetBackward0: A LU pivots sign
LinalgSolveExBackward0: A LU left pivots result
LinalgSvdBackward0: S S_sym_argsize_minus_1 U Vh full_matrices
LogSigmoidBackward0: buffer self
LuUnpackBackward0: LU_data_sym_argsize_minus_1 LU_data_sym_argsize_minus_2
MaskedSelectBackward0: mask self
MaxPool2DWithIndicesBackward0 MaxPool3DWithIndicesBackward0: ceil_mode dilation kernel_size padding result1 self stride
MaxUnpool2DBackward0 MaxUnpool3DBackward0: indices
MmBackward0: mat2 mat2_sym_sizes mat2_sym_strides self self_sym_sizes self_sym_strides
NansumBackward0: dim keepdim self
NativeLayerNormBackward0: bias input normalized_shape result1 result2 weight
NllLoss2DBackward0 NllLossBackward0: ignore_index reduction self target total_weight weight
NormalBackward1: mean_sym_sizes
NormalBackward3: mean_sym_sizes std_sym_sizes
OrmqrBackward0: input2 input3 left result self transpose
PutBackward0: accumulate index source
ReflectionPad1DBackward0 ReflectionPad2DBackward0 ReflectionPad3DBackward0 ReplicationPad1DBackward0 ReplicationPad2DBackward0 ReplicationPad3DBackward0: padding self
StdMeanBackward0: correction dim keepdim result0 self
TakeBackward0: index self
ToCopyBackward0:
TriangularSolveBackward0: A self solution transpose unitriangular upper
UpsampleBicubic2DBackward0 UpsampleBilinear2DBackward0: align_corners output_size scales_h scales_w self_sym_sizes
UpsampleLinear1DBackward0: align_corners output_size scales self_sym_sizes
UpsampleNearest1DBackward0 UpsampleNearestExact1DBackward0: output_size scales self_sym_sizes
UpsampleNearest2DBackward0 UpsampleNearestExact2DBackward0: output_size scales_h scales_w self_sym_sizes
UpsampleNearest3DBackward0 UpsampleNearestExact3DBackward0: output_size scales_d scales_h scales_w self_sym_sizes
UpsampleTrilinear3DBackward0: align_corners output_size scales_d scales_h scales_w self_sym_sizes
VarMeanBackward0: correction dim keepdim self
"""

#: What is not told by any operand: ``gather`` computes a dense gradient, and all factors are pivoted.
_FIXED = {"sparse_grad": False, "pivot": True}


@functools.cache
def _listed():
    lines = (line.partition(":") for line in _TABLE.strip().splitlines())
    return {node: frozenset(names.split()) for nodes, _, names in lines for node in nodes.split()}


def names_shown(cls: Any) -> Any:
    """PyTorch's names of the saved values of nodes of a class; None if they are those that the class has."""
    return _listed().get(cls.__name__)


def unsaved(node: Any, name: str) -> Any:
    """What ``_saved_name`` is, of a node that has no value by that name: what sizes and strides are known to be, else None, for nothing is kept.

    Raises AttributeError if PyTorch's node does not have the name either.
    """
    if name not in (names_shown(type(node)) or ()):
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_saved_{name}'")
    if name in _FIXED:
        return _FIXED[name]
    operand, _, asked = name.partition("_sym_")
    if name.endswith("_dim"):
        operand, asked = name.removesuffix("_dim"), "dim"
    if not asked:
        return None
    if asked == "strides":
        if node._next[_place(node, operand)] is None:
            return ()  # what only the gradient of that operand needs
        array = known(node, operand)
        return None if array is None else tuple([n // array.itemsize for n in array.strides])
    shape = _shape(node, operand)
    if shape is None or asked == "sizes":
        return shape
    if asked == "dim":
        return len(shape)
    place = asked.removeprefix("argsize_")
    return shape[-int(place.removeprefix("minus_")) if place[0] == "m" else int(place)]


def _shape(node, name):
    """The shape of an operand, or of a result that was saved; None if it is not known any more."""
    plan = node.plan
    i = _place(node, name)
    if i is not None and i < plan.arity and node.shapes is not None:
        return node.shapes if plan.arity == 1 else node.shapes[i]
    array = known(node, name)
    return None if array is None else array.shape


def known(node: Any, name: str) -> Any:
    """The array of an operand or result, if the node keeps it, it is a leaf's, or the node that computed it keeps it; else None."""
    i = _place(node, name)
    if i is None:
        return None
    held = node.held(i)
    array = getattr(held, "_array", held)
    if array is None and i < node.plan.arity:
        following, nr = as_pair(node._next[i])
        if isinstance(following, AccumulateGrad):
            array = following.variable._array
        elif getattr(following, "plan", None) is not None and nr < len(following.plan.results):
            array = following.held(following.plan.arity + nr)
    return array if hasattr(array, "strides") else None


def _place(node, name):
    names = node.names
    return next((i for own, i in node.plan.place.items() if names.get(own, own) == name), None)
