"""Operators on elements that NumPy has no type for (see ``_arrays/packed.py``): few compute, in float32, and round; the others refuse them."""

from contextlib import suppress

import numpy as np

from .._arrays.packed import packed, unpacked
from .._base.dtypes import FLOAT8, complex32, from_numpy_dtype, is_complex_type, scalar_type_name
from .tensor import wrap

#: Function -> the dtypes that PyTorch computes it with.
_COMPUTED = {
    **dict.fromkeys(("eq", "isnan", "mul", "ne"), FLOAT8),
    **dict.fromkeys(("abs", "addmm", "linear", "mm"), FLOAT8[:4]),
    "isfinite": ("float8_e5m2", "float8_e8m0fnu"),
    "isinf": ("float8_e5m2",),
}

#: The functions that PyTorch computes complex numbers of half precision with.
_COMPUTED_COMPLEX = {
    "abs", "add", "addcmul", "conj", "conj_physical", "convolution", "dist", "eq", "isclose", "isfinite", "isinf", "isnan", "isreal",
    "linalg_vector_norm", "mul", "ne", "neg", "rsub", "sgn", "sub", "tril", "triu",
}  # fmt: skip

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
#: As above, of what takes complex numbers.
_NAMES += (
    " acos=acos_vml_cpu addcdiv=addcdiv_cpu_out addmv=addmv_impl_cpu asin=asin_vml_cpu atan=atan_vml_cpu baddbmm=baddbmm cumprod=cumprod_out_cpu "
    "exp2=exp2 expm1=expm1_vml_cpu ldexp=pow linalg_cholesky=cholesky_cpu linalg_cross=cross linalg_det=lu_cpu linalg_eigvals=linalg_eig_out_cpu "
    "linalg_matrix_exp=bmm linalg_qr=geqrf_cpu linalg_solve=lu_cpu linalg_svdvals=linalg_svd_cpu log1p=log1p_vml_cpu log2=log2_vml_cpu "
    "logcumsumexp=logcumsumexp_out_cpu logsumexp=exp_vml_cpu matmul=addmm_impl_cpu_ mv=addmv_impl_cpu scatter_add=scatter_gather_tensor_cpu "
    "trace=trace unique_consecutive=unique vdot=vdot"
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


def of_packed(cls, xs, params, explain):
    """What the kernel of an op gives for such elements; raises NotImplementedError if PyTorch has none either.

    ``explain(cls, error, xs, params)`` raises NumPy's error in PyTorch's words.
    """
    dtype = next(x.dtype for x in xs if getattr(x, "dtype", None) is not None and x.dtype.char == "V")
    is_complex, name = is_complex_type(dtype), cls.function_name()
    computed = name in _COMPUTED_COMPLEX if is_complex else dtype.names[0] in _COMPUTED.get(name, ())
    if not computed and not is_complex:
        raise no_packed_kernel(cls, dtype)
    numbers = [unpacked(x) if getattr(x, "dtype", None) == dtype else x for x in xs]
    with np.errstate(all="ignore"):  # infinities and nans are values here
        if not computed:
            _refuse_complex(cls, xs, numbers, params, explain)
            raise no_packed_kernel(cls, dtype)
        z = cls.forward(*numbers, *params)
        return (
            tuple([_of_half(part) for part in z])
            if z.__class__ is tuple
            else _of_half(z)
            if is_complex
            else _of_byte(z, dtype)
        )


def _of_half(z):
    z = np.asarray(z)
    if z.dtype.kind == "f":  # absolute values
        return z.astype(np.float16)
    return packed(z, complex32.np) if z.dtype.kind == "c" else z


def _of_byte(z, dtype):
    return packed(z, dtype) if z.dtype.kind == "f" else z


def _refuse_complex(cls, xs, numbers, params, explain):
    """Raise what an op says of half precision, or of complex numbers of any, if it takes none, in the name of these."""
    if hasattr(cls, "refuse"):
        with suppress(TypeError, ValueError):  # what it says of NumPy's errors
            cls.refuse(TypeError(), xs, params)
    try:
        if getattr(cls, "check", None) is not None:
            cls.check(*[wrap(x) if isinstance(x, np.ndarray) else x for x in numbers])
        try:
            cls.forward(*numbers, *params)
        except Exception as error:
            explain(cls, error, numbers, params)
    except (NotImplementedError, RuntimeError) as error:
        raise type(error)(str(error).replace("ComplexFloat", "ComplexHalf")) from None
