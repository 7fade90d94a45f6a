"""What operators of ``torch.ops.aten`` compute that are no functions of the package by that name, or take their arguments in another way.

``ops.py`` looks here first.  Functions of ``linalg``, ``fft``, ``special`` and ``nn.functional`` have a prefix there, or reductions as numbers.
"""

from . import _api, _aten_backward, fft, linalg, special
from ._api import Tensor
from ._base import dtypes
from ._base.lazy import load
from .autograd import forward_ad
from .nn import functional
from .nn.utils import rnn

REDUCTIONS = ("none", "mean", "sum")


def find(name):
    """The function behind ``aten.name``; None if this module knows none."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    for prefix, module in (("linalg_", linalg), ("fft_", fft), ("special_", special)):
        if name.startswith(prefix):
            return getattr(module, name.removeprefix(prefix), None)
    if name in _LOSSES:
        return loss(*_LOSSES[name])
    if name in _LAYERS.split():
        return getattr(functional, name)
    if name[-1] == "_" and name[:-1] in _IN_PLACE.split():
        return _in_place(getattr(functional, name[:-1]))
    if name in _COPIES.split():
        return lambda input, *args, **kwargs: getattr(input.clone(), f"{name}_")(*args, **kwargs)
    if name.startswith("_foreach_"):
        function = getattr(load("_ops.foreach"), name, None)
        return _without_result(function) if function is not None and name[-1] == "_" else function
    return _aten_backward.find(name)


#: Functions of ``nn.functional`` that take the operator's arguments in its order.
_LAYERS = (
    "adaptive_avg_pool2d adaptive_avg_pool3d elu elu_ gelu glu hardsigmoid hardswish hardtanh hardtanh_ leaky_relu leaky_relu_ linear mish "
    "one_hot pad relu6 scaled_dot_product_attention silu softplus softshrink"
)
_IN_PLACE = "hardsigmoid hardswish mish relu6 silu"
#: Operators that do to a copy what the method with an underscore does to the tensor.
_COPIES = (
    "cauchy copy embedding_renorm exponential geometric log_normal random resize resize_as set uniform zero"
)
#: Operator -> the loss of ``nn.functional``, and the order of what follows the target.
_LOSSES = {
    "binary_cross_entropy": ("binary_cross_entropy", "weight reduction"),
    "binary_cross_entropy_with_logits": ("binary_cross_entropy_with_logits", "weight pos_weight reduction"),
    "cross_entropy_loss": ("cross_entropy", "weight reduction ignore_index label_smoothing"),
    "huber_loss": ("huber_loss", "reduction delta"),
    "l1_loss": ("l1_loss", "reduction"),
    "mse_loss": ("mse_loss", "reduction"),
    "multi_margin_loss": ("multi_margin_loss", "p margin weight reduction"),
    "multilabel_margin_loss": ("multilabel_margin_loss", "reduction"),
    "nll_loss": ("nll_loss", "weight reduction ignore_index"),
    "nll_loss2d": ("nll_loss", "weight reduction ignore_index"),
    "nll_loss_nd": ("nll_loss", "weight reduction ignore_index"),
    "smooth_l1_loss": ("smooth_l1_loss", "reduction beta"),
    "soft_margin_loss": ("soft_margin_loss", "reduction"),
}


def loss(name, order):
    """A loss of ``nn.functional`` as an operator: the reduction is a number, what follows the target has the places in ``order``."""
    function = getattr(functional, name)

    def call(input, target, *args, **kwargs):
        given = {**dict(zip(order.split(), args)), **kwargs}
        given["reduction"] = REDUCTIONS[given.get("reduction", 1)]
        return function(input, target, **given)

    return call


def _without_result(function):
    def call(*args, **kwargs):
        function(*args, **kwargs)

    return call


def _in_place(function):
    return lambda input, *args: function(input, *args, inplace=True)


# Indices, copies ------------------------------------------------------------------------------------------------------------


def _to_copy(input, *, dtype=None, memory_format=None):
    kept = _api.preserve_format if memory_format is None else memory_format
    return input.to(input.dtype if dtype is None else dtype, copy=True, memory_format=kept)


def _places(indices):
    return tuple(slice(None) if i is None else i for i in indices)


def _index(input, indices):
    return input[_places(indices)]


def _index_put_(input, indices, values, accumulate=False, unsafe=False):
    return input.index_put_(_places(indices), values, accumulate)


def _slice(input, dim=0, start=None, end=None, step=1):
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


def _alias(input):
    return input.view(input.shape)


# Layers ---------------------------------------------------------------------------------------------------------------------


def _pooled(function):
    """A pool whose stride is that of its windows if it is an empty list."""

    def call(input, kernel_size, stride=(), *args, **kwargs):
        return function(input, kernel_size, stride or None, *args, **kwargs)

    return call


def _max_pooled(function):
    def call(input, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
        return function(input, kernel_size, stride or None, padding, dilation, ceil_mode, True)

    return call


def _upsampled(mode, antialias=False, aligns=False):
    """Interpolation to an output size, or by factors: a list in the overload ``vec``, else numbers, which must give the output size."""

    def call(input, output_size, *args):
        align_corners, *scales = args if aligns else (None, *args)
        if scales and (scales[0] is None or isinstance(scales[0], (list, tuple))):
            factors = scales[0] if output_size is None else None
        else:
            factors = [scale for scale in scales if scale is not None]
            sizes = [int(n * scale) for n, scale in zip(input.shape[2:], factors)]
            if factors and sizes != list(output_size):
                raise NotImplementedError(
                    f"factors {factors} that do not give the output size {list(output_size)}"
                )
        if factors:
            output_size = None
        return functional.interpolate(
            input, output_size, factors or None, mode, align_corners, antialias=antialias
        )

    return call


def _padded(mode):
    return lambda input, padding: functional.pad(input, padding, mode)


def _batch_norm_legit(input, weight, bias, *args):
    """With the running moments, or, in the overload ``no_stats``, without."""
    moments, rest = ((None, None), args) if isinstance(args[0], bool) else (args[:2], args[2:])
    return _api.native_batch_norm(input, weight, bias, *moments, *rest)


def _batch_norm_of_moments(input, weight, bias, running_mean, running_var, momentum, eps):
    return _api.native_batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps)


def _convolution(
    input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, *backends
):
    return _api.convolution(
        input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


def _weight_norm(v, g, dim=0):
    return v * (g / _api.norm_except_dim(v, 2, dim))


def _masked_softmax(input, mask, dim=None, mask_type=None):
    return input.masked_fill(mask, -float("inf")).softmax(-1 if dim is None else dim)


def _safe_softmax(input, dim, dtype=None):
    hidden = (input == -float("inf")).all(dim, keepdim=True)
    return input.softmax(dim, dtype=dtype).masked_fill(hidden, 0.0)


def _nll_loss_forward(input, target, weight, reduction, ignore_index):
    loss = functional.nll_loss(
        input, target, weight, ignore_index=ignore_index, reduction=REDUCTIONS[reduction]
    )
    counted = (target != ignore_index).to(input.dtype)
    if weight is not None:
        counted = counted * weight[_api.where(target == ignore_index, 0, target)]
    return loss, counted.sum() if reduction == 1 else input.new_zeros(())


# Transforms and factors ------------------------------------------------------------------------------------------------------

_SCALED = (
    "backward",
    "ortho",
    "forward",
)  # by how an operator that transforms forwards divides: not, by the root, by the number
_SCALED_BACK = _SCALED[::-1]


def _fft_c2c(input, dim, normalization, forward):
    transform, norms = (fft.fftn, _SCALED) if forward else (fft.ifftn, _SCALED_BACK)
    return transform(input, dim=dim, norm=norms[normalization])


def _fft_r2c(input, dim, normalization, onesided):
    return (fft.rfftn if onesided else fft.fftn)(input, dim=dim, norm=_SCALED[normalization])


def _fft_c2r(input, dim, normalization, last_dim_size):
    sizes = [input.shape[d] for d in dim[:-1]] + [last_dim_size]
    return fft.irfftn(input, sizes, dim, _SCALED_BACK[normalization])


def _linalg_det(A):
    return (linalg.det(A), *linalg.lu_factor(A))


def _linalg_slogdet(A):
    return (*linalg.slogdet(A), *linalg.lu_factor(A))


def _linalg_svd(A, full_matrices=False, compute_uv=True, *, driver=None):
    if compute_uv:
        return linalg.svd(A, full_matrices=full_matrices, driver=driver)
    return A.new_empty(0), linalg.svdvals(A, driver=driver), A.new_empty(0)


def _linalg_eigh(A, UPLO="L", compute_v=True):
    return linalg.eigh(A, UPLO) if compute_v else (linalg.eigvalsh(A, UPLO), A.new_empty(0))


def _linalg_solve_ex(A, B, *, left=True, check_errors=False):
    solution, info = linalg.solve_ex(A, B, left=left, check_errors=check_errors)
    return (solution, *linalg.lu_factor(A), info)


def _assert_true(input, message="Expected Tensor with single nonzero value, but got zero"):
    if not input:
        raise RuntimeError(message)


def _assert_metadata(input, size=None, stride=None, dtype=None, *, device=None, layout=None):
    found = {
        "sizes": tuple(input.shape),
        "strides": input.stride(),
        "dtype": input.dtype,
        "device": input.device,
    }
    for what, wanted in {"sizes": size, "strides": stride, "dtype": dtype, "device": device}.items():
        wanted = tuple(wanted) if isinstance(wanted, list) else wanted
        if wanted is not None and found[what] != wanted:
            raise RuntimeError(f"Tensor {what} mismatch! Expected: {wanted}, Got: {found[what]}")


def _packed(input, lengths, batch_first):
    found = rnn.pack_padded_sequence(input, lengths, batch_first)
    return found.data, found.batch_sizes


def _padded_again(data, batch_sizes, batch_first, padding_value, total_length):
    total = None if total_length <= 0 else total_length
    return rnn.pad_packed_sequence(rnn.PackedSequence(data, batch_sizes), batch_first, padding_value, total)


def _windows_over(ndim):
    """A convolution of so many dimensions that is also told the size of its windows, which the weight has."""
    convolve = (_api.conv1d, _api.conv2d, _api.conv3d)[ndim - 1]

    def call(input, weight, kernel_size, bias=None, stride=1, padding=0, dilation=1):
        return convolve(input, weight, bias, stride, padding, dilation)

    return call


def _convolution_mode(input, weight, bias, stride, padding, dilation, groups):
    convolve = (_api.conv1d, _api.conv2d, _api.conv3d)[weight.ndim - 3]
    return convolve(input, weight, bias, stride, padding, dilation, groups)


def _transposed(input, weight, kernel_size, bias=None, stride=1, padding=0, output_padding=0, dilation=1):
    convolve = (_api.conv_transpose2d, _api.conv_transpose3d)[weight.ndim - 4]
    return convolve(input, weight, bias, stride, padding, output_padding, 1, dilation)


def _fractional(function):
    def call(input, kernel_size, output_size, random_samples):
        return function(
            input,
            kernel_size,
            output_size,
            return_indices=True,
            _random_samples=random_samples,
        )

    return call


_CASTS = {
    "Byte": dtypes.uint8,
    "Char": dtypes.int8,
    "Double": dtypes.float64,
    "Float": dtypes.float32,
    "Half": dtypes.float16,
    "Int": dtypes.int32,
    "Long": dtypes.int64,
    "Short": dtypes.int16,
}


def _cast(dtype):
    return lambda input, non_blocking=False: input.to(dtype)


FUNCTIONS = {
    "_assert_async": _assert_true,
    "_assert_scalar": _assert_true,
    "_assert_tensor_metadata": _assert_metadata,
    "_conj_copy": lambda input: input.conj().clone(),
    "_convolution_mode": _convolution_mode,
    "_dim_arange": lambda like, dim: _api.arange(like.shape[dim]),
    "_embedding_bag": _api.embedding_bag,
    "_embedding_bag_forward_only": _api.embedding_bag,
    "_functional_assert_async": lambda input, message, token: (_assert_true(input, message), token)[1],
    "_functional_assert_scalar": lambda input, message, token: (_assert_true(input, message), token)[1],
    "_grad_sum_to_size": lambda input, size: input.sum_to_size(size),
    "_histogramdd_bin_edges": lambda input, bins, **given: _api.histogramdd(input, bins, **given).bin_edges,
    "_histogramdd_from_bin_cts": lambda input, bins, **given: _api.histogramdd(input, bins, **given).hist,
    "_histogramdd_from_bin_tensors": lambda input, bins, **given: _api.histogramdd(input, bins, **given).hist,
    "_index_put_impl": lambda input, indices, values, accumulate=False, unsafe=False: _index_put_(
        input.clone(), indices, values, accumulate
    ),
    "_int_mm": lambda input, mat2: _api.mm(input.int(), mat2.int()),
    "_lazy_clone": lambda input: input.clone(),
    "_linalg_eigvals": linalg.eigvals,
    "_make_dual": lambda primal, tangent, level: forward_ad.make_dual(primal, tangent, level=level),
    "_neg_view": lambda input: -input,
    "_neg_view_copy": lambda input: -input,
    "_nnpack_available": lambda: False,
    "_pack_padded_sequence": _packed,
    "_pad_packed_sequence": _padded_again,
    "_pdist_forward": functional.pdist,
    "_reshape_alias_copy": lambda input, size, stride: input.reshape(size).clone(),
    "_reshape_copy": lambda input, size: input.reshape(size).clone(),
    "_reshape_from_tensor": lambda input, shape: input.reshape(shape.tolist()),
    "_unique": lambda input, sorted=True, return_inverse=False: _api.unique(input, sorted, True),
    "_unpack_dual": lambda dual, level: tuple(forward_ad.unpack_dual(dual, level=level)),
    "_weight_norm_interface": lambda v, g, dim=0: (_weight_norm(v, g, dim), _api.norm_except_dim(v, 2, dim)),
    "fractional_max_pool2d": _fractional(functional.fractional_max_pool2d_with_indices),
    "fractional_max_pool3d": _fractional(functional.fractional_max_pool3d_with_indices),
    "is_vulkan_available": lambda: False,
    "lift_fresh_copy": lambda input: input.clone(),
    "nonzero_numpy": lambda input: list(input.nonzero(as_tuple=True)),
    "normal_functional": lambda input, mean=0, std=1, *, generator=None: input.clone().normal_(
        mean, std, generator=generator
    ),
    "slow_conv3d": _windows_over(3),
    "slow_conv_dilated2d": _windows_over(2),
    "slow_conv_dilated3d": _windows_over(3),
    "slow_conv_transpose2d": _transposed,
    "slow_conv_transpose3d": _transposed,
    "sym_is_contiguous": lambda input, memory_format=_api.contiguous_format: input.is_contiguous(
        memory_format=memory_format
    ),
    "thnn_conv2d": _windows_over(2),
    "_adaptive_avg_pool2d": functional.adaptive_avg_pool2d,
    "_adaptive_avg_pool3d": functional.adaptive_avg_pool3d,
    "_aminmax": lambda input, dim=None, keepdim=False: _api.aminmax(input, dim=dim, keepdim=keepdim),
    **{f"_cast_{name}": _cast(dtype) for name, dtype in _CASTS.items()},
    "_cdist_forward": lambda x1, x2, p, compute_mode: _api.cdist(x1, x2, p),
    "_conj": _api.conj,
    "_conj_physical": _api.conj_physical,
    "_convolution": _convolution,
    "_euclidean_dist": lambda x1, x2: _api.cdist(x1, x2),
    "_fft_c2c": _fft_c2c,
    "_fft_c2r": _fft_c2r,
    "_fft_r2c": _fft_r2c,
    "_index_put_impl_": _index_put_,
    "_linalg_det": _linalg_det,
    "_linalg_eigh": _linalg_eigh,
    "_linalg_slogdet": _linalg_slogdet,
    "_linalg_solve_ex": _linalg_solve_ex,
    "_linalg_svd": _linalg_svd,
    "_local_scalar_dense": Tensor.item,
    "_log_softmax": lambda input, dim, half_to_float: _api.log_softmax(input, dim),
    "_logcumsumexp": _api.logcumsumexp,
    "_masked_softmax": _masked_softmax,
    "_native_batch_norm_legit": _batch_norm_legit,
    "_native_batch_norm_legit_no_training": _batch_norm_of_moments,
    "_prelu_kernel": lambda input, weight: _api.where(input > 0, input, weight * input),
    "_reshape_alias": lambda input, size, stride: input.as_strided(size, stride, input.storage_offset()),
    "_safe_softmax": _safe_softmax,
    "_shape_as_tensor": lambda input: _api.tensor(list(input.shape)),
    "_softmax": lambda input, dim, half_to_float: _api.softmax(input, dim),
    "_stack": _api.stack,
    "_to_copy": _to_copy,
    "_unique2": lambda input, sorted=True, return_inverse=False, return_counts=False: _api.unique(
        input, sorted, True, True
    ),
    "_unsafe_index": _index,
    "_unsafe_index_put": lambda input, indices, values, accumulate=False: _index_put_(
        input.clone(), indices, values, accumulate
    ),
    "_unsafe_view": lambda input, size: input.view(size),
    "_version": lambda input: input._version,
    "_weight_norm": _weight_norm,
    "adaptive_max_pool2d": lambda input, output_size: functional.adaptive_max_pool2d(
        input, output_size, True
    ),
    "adaptive_max_pool3d": lambda input, output_size: functional.adaptive_max_pool3d(
        input, output_size, True
    ),
    "alias": _alias,
    "avg_pool2d": _pooled(functional.avg_pool2d),
    "avg_pool3d": _pooled(functional.avg_pool3d),
    "can_cast": _api.can_cast,
    "col2im": functional.fold,
    "detach": Tensor.detach,
    "detach_": Tensor.detach_,
    "dim": Tensor.dim,
    "gelu_": lambda input, *, approximate="none": input.copy_(
        functional.gelu(input, approximate=approximate)
    ),
    "im2col": functional.unfold,
    "index": _index,
    "is_contiguous": lambda input, memory_format=_api.contiguous_format: input.is_contiguous(
        memory_format=memory_format
    ),
    "is_leaf": lambda input: input.is_leaf,
    "lift": _alias,
    "lift_fresh": _alias,
    "linalg_vector_norm": lambda input, ord=2, dim=None, keepdim=False, *, dtype=None: _api.norm(
        input, ord, dim, keepdim, dtype=dtype
    ),
    "log_sigmoid": functional.logsigmoid,
    "log_sigmoid_forward": lambda input: (functional.logsigmoid(input), input.new_empty(0)),
    "mH": lambda input: input.mH,
    "mT": lambda input: input.mT,
    "matrix_H": lambda input: input.H,
    "max_pool2d_with_indices": _max_pooled(functional.max_pool2d),
    "max_pool3d_with_indices": _max_pooled(functional.max_pool3d),
    "nll_loss2d_forward": _nll_loss_forward,
    "nll_loss_forward": _nll_loss_forward,
    "numel": Tensor.numel,
    "numpy_T": lambda input: input.T,
    "output_nr": lambda input: input.output_nr,
    "pad_sequence": rnn.pad_sequence,
    "promote_types": _api.promote_types,
    **{f"reflection_pad{n}d": _padded("reflect") for n in (1, 2, 3)},
    **{f"replication_pad{n}d": _padded("replicate") for n in (1, 2, 3)},
    "requires_grad_": Tensor.requires_grad_,
    "retain_grad": Tensor.retain_grad,
    "rrelu_with_noise": lambda input, noise, lower=1 / 8, upper=1 / 3, training=False: (
        _api._activation._rrelu(input, noise, lower, upper, training)
    ),
    "rsub": lambda input, other, alpha=1: _api.rsub(input, other, alpha=alpha),
    "size": Tensor.size,
    "slice": _slice,
    "storage_offset": Tensor.storage_offset,
    "stride": Tensor.stride,
    "sym_numel": Tensor.numel,
    "sym_size": Tensor.size,
    "sym_storage_offset": Tensor.storage_offset,
    "sym_stride": Tensor.stride,
    "upsample_bicubic2d": _upsampled("bicubic", aligns=True),
    "upsample_bilinear2d": _upsampled("bilinear", aligns=True),
    "upsample_linear1d": _upsampled("linear", aligns=True),
    **{f"upsample_nearest{n}d": _upsampled("nearest") for n in (1, 2, 3)},
    **{f"_upsample_nearest_exact{n}d": _upsampled("nearest-exact") for n in (1, 2, 3)},
    "_upsample_bicubic2d_aa": _upsampled("bicubic", antialias=True, aligns=True),
    "_upsample_bilinear2d_aa": _upsampled("bilinear", antialias=True, aligns=True),
    "upsample_trilinear3d": _upsampled("trilinear", aligns=True),
    "unique_dim": lambda input, dim, sorted=True, return_inverse=False, return_counts=False: _api.unique(
        input, sorted, True, True, dim
    ),
    "unique_dim_consecutive": lambda input, dim, return_inverse=False, return_counts=False: (
        _api.unique_consecutive(input, True, True, dim)
    ),
}
