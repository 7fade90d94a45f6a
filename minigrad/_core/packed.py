"""Operators on elements that NumPy has no type for (see ``_arrays/packed.py``): few compute, in float32, and round; the others refuse them."""

import numpy as np

from .._arrays.packed import packed, unpacked
from .._base.dtypes import FLOAT8, from_numpy_dtype, scalar_type_name

#: Function -> the dtypes that PyTorch computes it with.
_COMPUTED = {
    **dict.fromkeys(("eq", "isnan", "mul", "ne"), FLOAT8),
    **dict.fromkeys(("abs", "addmm", "linear", "mm"), FLOAT8[:4]),
    "isfinite": ("float8_e5m2", "float8_e8m0fnu"),
    "isinf": ("float8_e5m2",),
}

#: Function=the name of PyTorch's kernel in its refusal, where it is not the function's with ``_cpu``.
_NAMES = (
    "add=add_stub addcmul=addcmul_cpu_out addmm=addmm_impl_cpu_ amax=max_values_cpu amin=min_values_cpu bmm=bmm ceil=ceil_vml_cpu "
    "clamp=clamp_scalar_cpu cos=cos_vml_cpu cumsum=cumsum_out_cpu dot=dot erf=erf_vml_cpu exp=exp_vml_cpu floor=floor_vml_cpu "
    "index_add=index_add_ isclose=mul_cpu_reduced_float isfinite=isfinite isinf=isinf lerp=lerp_kernel_scalar "
    "linalg_vector_norm=norm_cpu linear=addmm_impl_cpu_ log=log_vml_cpu max=max_all mean=sum_cpu min=min_all mm=addmm_impl_cpu_ "
    "nan_to_num=nan_to_num pow=pow prod=prod_out_cpu relu=clamp_min_scalar_cpu round=round_vml_cpu rsub=add_stub "
    "searchsorted=searchsorted_out_cpu sin=sin_vml_cpu softmax=softmax_lastdim_kernel_impl sort=sorting_kernel_method_name "
    "sqrt=sqrt_vml_cpu square=pow sub=add_stub tan=tan_vml_cpu tanh=tanh_vml_cpu tril=tril triu=triu trunc=trunc_vml_cpu unique2=unique"
)
_KERNELS = dict(pair.split("=") for pair in _NAMES.split())


def no_packed_kernel(cls, dtype):
    """The error of an op for such elements."""
    name = cls.function_name()
    return refusal(cls.kernel or _KERNELS.get(name, f"{name}_cpu"), dtype)


def refusal(kernel, np_dtype):
    """The error of what PyTorch calls ``kernel``."""
    return NotImplementedError(
        f"\"{kernel}\" not implemented for '{scalar_type_name(from_numpy_dtype(np_dtype))}'"
    )


def refuse_packed(x, kernel):
    """Raise if ``x`` is an array of such elements: NumPy would read its bytes; returns the array."""
    if x.dtype.char == "V":
        raise refusal(kernel, x.dtype)
    return x


def of_packed(cls, xs, params):
    """What the kernel of an op gives for such elements; raises NotImplementedError if PyTorch has none either."""
    dtype = next(x.dtype for x in xs if getattr(x, "dtype", None) is not None and x.dtype.char == "V")
    if dtype.names[0] not in _COMPUTED.get(cls.function_name(), ()):
        raise no_packed_kernel(cls, dtype)
    numbers = [unpacked(x) if getattr(x, "dtype", None) == dtype else x for x in xs]
    with np.errstate(all="ignore"):  # infinities and nans are values here
        z = cls.forward(*numbers, *params)
    return packed(z, dtype) if z.dtype.kind == "f" else z
