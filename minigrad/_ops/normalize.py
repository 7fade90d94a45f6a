"""Normalisation: by the moments over the last axes, over groups of channels, or over all but the channels; by the root mean square, by norms."""

import math
import operator

import numpy as np

from .._arrays import vocabulary as arrays
from .._arrays.kernels import normalize as kernels
from .._base.composites import composite
from .._base.dtypes import FLOATING, dtype_name, int64
from .._base.errors import dim_out_of_range, not_a_tensor, shape_text, type_name
from .._core.families import Fused, op
from .._core.modes import thread_state
from .._core.out import write_out, write_outs
from .._core.tensor import Tensor, wrap
from .._core.wrapped import Batched
from .batches import aligned, along_channels, everywhere
from .join import cat
from .moments import norm
from .powers import rsqrt
from .scalars import as_real

__all__ = [
    "batch_norm", "group_norm", "instance_norm", "layer_norm", "native_batch_norm", "native_group_norm", "native_layer_norm", "rms_norm",
]


def _floating(kernel, x):
    if x.dtype.kind not in "fV":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(x)}'")


def _check_dtypes(x, *parameters):
    """Raise RuntimeError unless all have one dtype, or ``x`` half precision and the others all single."""
    own = [p.dtype for p in parameters if p is not None]
    if not own or all(dtype is x.dtype for dtype in own):
        return
    if own[0] is not x.dtype:
        if any(dtype.name != "float32" for dtype in own):
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
        if x.dtype.itemsize != 2:
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    else:
        other = next(p for p in parameters if p is not None and p.dtype is not x.dtype)
        raise RuntimeError(f"expected scalar type {dtype_name(x)} but found {dtype_name(other)}")


def _along(values, ndim):
    """The shape in which a value per channel stands beside (N, C, ...)."""
    return (1, values, *[1] * (ndim - 2))


def weighed(z, w, b):
    """``z w + b``, in the dtype of z; w and b may be None."""
    dtype = z.dtype
    z = z if w is None else z * w
    return (z if b is None else z + b).to(dtype)


# Formulas: the moments are functions of x, to any order; the kernels beside them take those that were saved -------------------------


def standardized(xp, x, axes, eps):
    """``x`` minus its means along ``axes``, times r = 1 / sqrt(variance + eps); r; and of how many elements each moment is."""
    d = xp.centered(x, axes)
    n = math.prod([x.shape[i] for i in axes]) or 1
    r = (xp.sum(d * d, axes, True) / n + eps) ** -0.5
    return d * r, r, n


def slope_of_standardized(xp, g, x, axes, eps):
    """The gradient of ``standardized(x)``, z, to x: r (g - mean of g - z (mean of g z))."""
    z, r, n = standardized(xp, x, axes, eps)
    return r * (g - xp.sum(g, axes, True) / n - z * (xp.sum(g * z, axes, True) / n))


# Over the last axes ----------------------------------------------------------------------------------------------------------


class OverLast(Fused):
    """Normalisation over the last axes: weights that differ between samples are applied by themselves."""
    __slots__ = ()
    def batch(call, xs, batched, params, size):
        if not any(batched[1:]): return call(*xs, *params)
        (x,) = everywhere(xs[:1], batched, size)
        z, *moments = call(x, *(None,) * (len(xs) - 1), *params)
        ours = [aligned(v, of, x.ndim - 1) for v, of in zip(xs[1:], batched[1:])]
        return weighed(z, *ours, *(None,) * (2 - len(ours))), *moments


class NativeLayerNormBackward0(OverLast):
    """z = (x - mean) / sqrt(variance + eps) w + b, the moments over the last axes; also the mean and 1 / sqrt(...)."""
    operands, results, nondiff, optional_from = "x w b", "z result1 result2", (1, 2), 1
    names = {"x": "input", "w": "weight", "b": "bias"}
    public = "native_layer_norm"
    def forward(x, w, b, normalized_shape, eps):
        _floating("LayerNormKernelImpl", x)
        return kernels.layer_norm(x, w, b, len(normalized_shape), eps)
    def vjp_x(xp, g, x, w, result1, result2, normalized_shape, eps):
        return slope_of_standardized(xp, g if w is None else g * w, x, _last(x, normalized_shape), eps)
    def vjp_w(xp, g, x, result1, result2, normalized_shape, eps):
        return xp.sum_to(g * standardized(xp, x, _last(x, normalized_shape), eps)[0], normalized_shape)
    def vjp_b(xp, g, normalized_shape): return xp.sum_to(g, normalized_shape)
    def fused(g, needs, x, w, result1, result2, normalized_shape):
        return kernels.layer_norm_backward(g, x, w, result1, result2, len(normalized_shape), needs)
    event = "layer_norm native_layer_norm"
    def inputs(name, x, w, b, normalized_shape, eps):
        return (x, normalized_shape, w, b, eps, True) if name == "layer_norm" else (x, w, b, normalized_shape, eps)
_layer_norm = op(NativeLayerNormBackward0)


def _last(x, normalized_shape):
    return tuple(range(x.ndim - len(normalized_shape), x.ndim))


def _sizes(function, sizes):
    if sizes.__class__ is tuple and all(n.__class__ is int for n in sizes):
        return sizes
    if not isinstance(sizes, (tuple, list)):
        raise TypeError(f"{function}(): argument 'normalized_shape' (position 2) must be tuple of ints, not {type_name(sizes)}")
    try:
        return tuple([operator.index(n) for n in sizes])
    except TypeError:
        place = next(i for i, n in enumerate(sizes) if isinstance(n, Tensor) or not hasattr(n, "__index__"))
        raise TypeError(
            f"{function}(): argument 'normalized_shape' (position 2) must be tuple of ints, but found element of type "
            f"{type_name(sizes[place])} at pos {place}"
        ) from None


def _check_last(function, input, normalized_shape, comma, **parameters):
    if not isinstance(input, Tensor):
        raise not_a_tensor(function, "input", 1, input)
    sizes = _sizes(function, normalized_shape)
    if not sizes:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    for name, parameter in parameters.items():
        if parameter is not None and parameter._array.shape != sizes:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{shape_text(parameter.shape)} and normalized_shape = {shape_text(sizes)}"
            )
    shape = input._array.shape
    if shape[max(len(shape) - len(sizes), 0) :] != sizes:
        raise RuntimeError(
            f"Given normalized_shape={shape_text(sizes)}, expected input with shape [*{comma}{shape_text(sizes)[1:]}, but got input "
            f"of size{shape_text(shape)}"
        )
    return sizes


def native_layer_norm(input, normalized_shape, weight, bias, eps):
    """Compute ``layer_norm`` of a tensor; also return the means and the reciprocal standard deviations.

    >>> import minigrad
    >>> minigrad.native_layer_norm(minigrad.tensor([1., 3.]), [2], None, None, 0.)
    (tensor([-1.,  1.]), tensor([2.]), tensor([1.]))
    """
    sizes = _check_last("native_layer_norm", input, normalized_shape, ", ", weight=weight, bias=bias)
    _check_dtypes(input, weight, bias)
    return _layer_norm(input, weight, bias, sizes, eps)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    """Normalise over the last dimensions, of sizes ``normalized_shape``: ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.layer_norm(minigrad.tensor([1., 3.]), [2], eps=0.)
    tensor([-1.,  1.])
    """
    sizes = _check_last("layer_norm", input, normalized_shape, ", ", weight=weight, bias=bias)
    _check_dtypes(input, weight, bias)
    return _layer_norm(input, weight, bias, sizes, eps)[0]


class FusedRmsNormBackward0(OverLast):
    """z = x r w with r = 1 / sqrt(mean of x² + eps), the mean over the last axes; also r."""
    operands, results, nondiff, optional_from = "x w", "z result1", (1,), 1
    names = {"x": "input", "w": "weight"}
    public = "rms_norm"
    def forward(x, w, normalized_shape, eps): return kernels.rms_norm(x, w, len(normalized_shape), eps)
    def vjp_x(xp, g, x, w, result1, normalized_shape, eps):
        axes = _last(x, normalized_shape)
        n, r = math.prod(normalized_shape), _inverse_root(xp, x, normalized_shape, eps)
        g = g if w is None else g * w
        return r * (g - x * (r * r * (xp.sum(g * x, axes, True) / n)))
    def vjp_w(xp, g, x, result1, normalized_shape, eps):
        return xp.sum_to(g * x * _inverse_root(xp, x, normalized_shape, eps), normalized_shape)
    def fused(g, needs, x, w, result1, normalized_shape):
        return kernels.rms_norm_backward(g, x, w, result1, len(normalized_shape), needs)
_rms_norm = op(FusedRmsNormBackward0)


def _inverse_root(xp, x, normalized_shape, eps):
    return (xp.sum(x * x, _last(x, normalized_shape), True) / math.prod(normalized_shape) + eps) ** -0.5


_EPS = {"float64": float(np.finfo("float64").eps), "complex128": float(np.finfo("float64").eps)}


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Divide by the root mean square over the last dimensions, of sizes ``normalized_shape``: ``input / sqrt(mean of input² + eps) * weight``.

    ``eps`` defaults to the machine epsilon of the dtype. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.rms_norm(minigrad.tensor([1., 7.]), [2])
    tensor([0.2000, 1.4000])
    """
    if eps is not None and eps.__class__ is not float:
        eps = as_real(eps, "rms_norm", "eps", 4)
    if isinstance(input, Tensor) and isinstance(normalized_shape, list | tuple) and input.ndim < len(normalized_shape):
        if isinstance(weight, Tensor) and tuple(weight.shape) != tuple(normalized_shape):
            raise RuntimeError(
                f"Expected weight to be of same shape as normalized_shape, but got weight of shape {shape_text(weight.shape)} and "
                f"normalized_shape = {shape_text(normalized_shape)}"
            )
        raise ValueError(f"Input tensor must have at least {len(normalized_shape)} dimensions, but got {input.ndim}")
    sizes = _check_last("rms_norm", input, normalized_shape, "", weight=weight)
    name = input.dtype.name
    if eps is None:
        eps = _EPS.get(name, 2.0**-23)
    if input.dtype.is_complex:
        z = input * rsqrt((input * input).mean(_last(input, sizes), True) + eps)
        return z if weight is None else z * weight
    _floating("rms_norm", input._array)
    if weight is not None and weight.dtype is not input.dtype:
        wide = _rms_norm(input.to(weight.dtype) if weight.dtype.itemsize > input.dtype.itemsize else input, None, sizes, eps)[0]
        return (wide * weight).to(input.dtype)
    return _rms_norm(input, weight, sizes, eps)[0]


# Over groups of channels -----------------------------------------------------------------------------------------------------


class NativeGroupNormBackward0(Fused):
    """z = (x - mean) / sqrt(variance + eps) w + b, the moments over each of ``group`` groups of channels; also the mean and 1 / sqrt(...)."""
    operands, results, optional_from = "x w b", "z result1 result2", 1
    names = {"x": "input", "w": "weight", "b": "bias"}
    public = "native_group_norm"
    def batch(call, xs, batched, params, size):
        (x, w, b), (n, *sizes) = xs, params
        (x,) = everywhere(xs[:1], batched, size)
        apart = any(batched[1:])
        zs = call(x.flatten(0, 1), *((None, None) if apart else (w, b)), size * n, *sizes)
        z, *moments = [z.unflatten(0, (size, n)) for z in zs]
        if apart: z = weighed(z, *[along_channels(v, of, x.ndim - 1) for v, of in zip((w, b), batched[1:])])
        return z, *moments
    def forward(x, w, b, N, C, HxW, group, eps):
        _floating("GroupNormKernelImpl", x)
        return kernels.group_norm(x, w, b, N, C, HxW, group, eps)
    def vjp_x(xp, g, x, w, x_shape, result1, result2, N, C, HxW, group, eps):
        gz, gm, gr = g
        rows = xp.reshape(x, (N, group, HxW * C // group))
        out = None
        if gz is not None:
            gz = gz if w is None else gz * xp.reshape(w, _along(C, x.ndim))
            out = slope_of_standardized(xp, xp.reshape(gz, rows.shape), rows, (2,), eps)
        if gm is not None:
            gm = xp.broadcast_to(xp.reshape(gm, (N, group, 1)) / rows.shape[2], rows.shape)
            out = gm if out is None else out + gm
        if gr is not None:
            d = xp.centered(rows, 2)
            slope = (xp.sum(d * d, 2, True) / rows.shape[2] + eps) ** -1.5 / -rows.shape[2]
            out = d * (slope * xp.reshape(gr, (N, group, 1))) + (0 if out is None else out)
        return None if out is None else xp.reshape(out, x_shape)
    def vjp_w(xp, g, x, w_shape, result1, result2, N, C, HxW, group, eps):
        if g[0] is None: return None
        rows = xp.reshape(x, (N, group, HxW * C // group))
        z = standardized(xp, rows, (2,), eps)[0]
        return xp.sum(xp.reshape(g[0], (N, C, HxW)) * xp.reshape(z, (N, C, HxW)), (0, 2))
    def vjp_b(xp, g, N, C, HxW): return None if g[0] is None else xp.sum(xp.reshape(g[0], (N, C, HxW)), (0, 2))
    def fused(g, needs, x, w, result1, result2, N, C, HxW, group):
        return kernels.group_norm_backward(g[0], x, w, result1, result2, N, C, HxW, group, needs)
    def along(self, edges, xp, g, values):
        x, *_, mean = values[:5]
        if xp is not arrays or x is None or (g[0] is not None and g[1] is None and g[2] is None):
            return Fused.along(self, edges, xp, g, values)
        # the kernel has no place for gradients of the moments; half precision computes in single
        g, values = [*map(kernels.single, g)], [*map(kernels.single, values[:6]), *values[6:]]
        grads = [None if edge is None else formula(xp, g, values) for edge, formula in zip(edges, self.plan.bound)]
        return [h if h is None else h.astype(own.dtype, copy=False) for h, own in zip(grads, (x, mean, mean))]
    event = "group_norm native_group_norm"
    def inputs(name, x, w, b, N, C, HxW, group, eps):
        return (x, group, w, b, eps, True) if name == "group_norm" else (x, w, b, N, C, HxW, group, eps)
_group_norm = op(NativeGroupNormBackward0)


def _check_groups(input, shape, groups, weight, bias):
    channels = shape[1]
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if channels % groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape {shape_text(shape)} and "
            f"num_groups={groups}"
        )
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None and parameter._array.shape != (channels,):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
                f"{shape_text(parameter.shape)} and input of shape {shape_text(shape)}"
            )
    _check_dtypes(input, weight, bias)


def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    """Compute ``group_norm`` of (N, C, HxW) elements; also return the means and the reciprocal standard deviations.

    >>> import minigrad
    >>> minigrad.native_group_norm(minigrad.tensor([[1., 3.]]), None, None, 1, 2, 1, 1, 0.)
    (tensor([[-1.,  1.]]), tensor([[2.]]), tensor([[1.]]))
    """
    _check_groups(input, (N, C), group, weight, bias)
    if input.numel() != N * C * HxW:
        raise RuntimeError(
            "Expected X.numel() == N * C * HxW to be true, but got false.  The input must have N samples of C channels of "
            "HxW elements."
        )
    return _group_norm(input, weight, bias, N, C, HxW, group, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    """Normalise each of ``num_groups`` groups of channels of (N, C, ...): ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.group_norm(minigrad.tensor([[1., 3.]]), 1, eps=0.)
    tensor([[-1.,  1.]])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("group_norm", "input", 1, input)
    shape = input._array.shape
    if len(shape) < 2:
        raise dim_out_of_range(len(shape), len(shape))
    _check_groups(input, shape, num_groups, weight, bias)
    return _group_norm(input, weight, bias, *shape[:2], math.prod(shape[2:]), num_groups, eps)[0]


# Over all but the channels ---------------------------------------------------------------------------------------------------


def of_all_samples(running):
    """Running statistics of a batch, which are updated in place, in one row; raises RuntimeError if they have no room for all samples."""
    if running is None:
        return None
    if running.__class__ is not Batched or not running._array.batched:
        raise RuntimeError(
            "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in "
            "place, were not batched.\nEvery sample would have to update the same numbers. Use batch statistics only "
            "(track_running_stats=False), evaluation mode, or torch.func.functional_call with running statistics that are "
            "batched too."
        )
    return running._array.inner.view(-1)


class NativeBatchNormBackward0(Fused):
    """z = (x - mean) / sqrt(variance + eps) w + b for each channel; also the mean and 1 / sqrt(...).  Updates the running statistics."""
    operands, results, nondiff, optional_from = "x w b", "z result1 result2", (1, 2), 1
    names = {"x": "input", "w": "weight", "b": "bias"}
    public = "native_batch_norm"
    _saved_training = True
    def batch(call, xs, batched, params, size):
        (x, w, b), (*running, momentum, eps) = xs, params
        (x,) = everywhere(xs[:1], batched, size)
        z, mean, rstd = call(x.movedim(0, 1).flatten(1, 2), None, None, *map(of_all_samples, running), momentum, eps)
        z, c = z.unflatten(1, (size, -1)).movedim(1, 0), [along_channels(v, of, x.ndim - 1) for v, of in zip((w, b), batched[1:])]
        return weighed(z, *c), mean.unflatten(0, (size, -1)), rstd.unflatten(0, (size, -1))
    def forward(x, w, b, running_mean, running_var, momentum, eps):
        _floating("batch_norm", x)
        running = (None if v is None else v._array for v in (running_mean, running_var))
        return kernels.batch_norm(x, w, b, *running, momentum, eps)
    def vjp_x(xp, g, x, w, result1, result2, eps):
        c, axes = _along(x.shape[1], x.ndim), (0, *range(2, x.ndim))
        g = g if w is None else g * xp.reshape(w, c)
        return slope_of_standardized(xp, g, x, axes, eps)
    def vjp_w(xp, g, x, result1, result2, eps):
        axes = (0, *range(2, x.ndim))
        return xp.sum(g * standardized(xp, x, axes, eps)[0], axes)
    def vjp_b(xp, g, x_shape): return xp.sum(g, (0, *range(2, len(x_shape))))
    def fused(g, needs, x, w, result1, result2): return kernels.batch_norm_backward(g, x, w, result1, result2, needs)
    event = "batch_norm _batch_norm_impl_index native_batch_norm"
    def inputs(name, x, w, b, running_mean, running_var, momentum, eps):
        training, cudnn = ([True], [True]) if name == "batch_norm" else ([], [])
        return x, w, b, running_mean, running_var, *training, momentum, eps, *cudnn
_batch_norm = op(NativeBatchNormBackward0)


class BatchNormByRunningStatistics(Fused, node="NativeBatchNormBackward0"):
    """The same with given statistics."""
    operands, optional_from = "x w b running_mean running_var", 1
    names = {"x": "input", "w": "weight", "b": "bias"}
    public, needs_first = "native_batch_norm", False
    def batch(call, xs, batched, params, size):
        (x, *xs), (of_x, *batched), (eps,) = xs, batched, params
        ndim = x.ndim - of_x
        w, b, mean, var = [along_channels(v, of, ndim) for v, of in zip(xs, batched)]
        return weighed((x - mean) * rsqrt(var + eps), w, b)
    _saved_training = False
    _saved_result1 = _saved_result2 = property(lambda node: wrap(np.empty(0, node.x3._array.dtype)))
    def forward(x, w, b, running_mean, running_var, eps):
        _floating("batch_norm", x)
        return kernels.batch_norm_by(x, w, b, running_mean, running_var, eps)
    def vjp_x(xp, g, w, running_mean, running_var, x_shape, eps):
        scale = (running_var + eps) ** -0.5
        return g * xp.reshape(scale if w is None else scale * w, _along(x_shape[1], len(x_shape)))
    def vjp_w(xp, g, x, running_mean, running_var, eps):
        c = _along(x.shape[1], x.ndim)
        z = (x - xp.reshape(running_mean, c)) * xp.reshape((running_var + eps) ** -0.5, c)
        return xp.sum(g * z, (0, *range(2, x.ndim)))
    def vjp_b(xp, g, x_shape, running_mean, running_var): return xp.sum(g, (0, *range(2, len(x_shape))))
    def fused(g, needs, x, w, running_mean, running_var, eps):
        return kernels.batch_norm_by_backward(g, x, w, running_mean, running_var, eps, needs)
    event = "batch_norm _batch_norm_impl_index native_batch_norm"
    def inputs(name, x, w, b, running_mean, running_var, eps):
        training, cudnn = ([False, None], [True]) if name == "batch_norm" else ([], [])
        return x, w, b, running_mean, running_var, *training, eps, *cudnn
_batch_norm_by = op(BatchNormByRunningStatistics)


def _check_channels(channels, weight, bias, running_mean, running_var, training):
    for name, running in (("running_mean", running_mean), ("running_var", running_var)):
        if running is None:
            if not training:
                raise RuntimeError(f"{name} must be defined in evaluation mode")
        elif running.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {running.numel()}")
    for name, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None and parameter.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {parameter.numel()}")
    for name, running in (("running_mean", running_mean), ("running_var", running_var)):
        if running is not None and running.requires_grad and thread_state.recording:
            raise RuntimeError(
                f"The function 'native_batch_norm' is not differentiable with respect to argument '{name}'. This input cannot have "
                "requires_grad True."
            )


def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, *, out=None):
    """Compute ``batch_norm`` of a tensor; also return the means and the reciprocal standard deviations, which are empty unless ``training``.

    >>> import minigrad
    >>> minigrad.native_batch_norm(minigrad.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 0.)
    (tensor([[-1.],
            [ 1.]]), tensor([2.]), tensor([1.]))
    """
    if (running_mean is None) != (running_var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    if not input.numel() and not training:
        empties = [input.new_empty(0) for _ in range(2)]
        return input.clone(), *empties
    if not input.numel():
        raise RuntimeError(f"input tensor must have at least one element, but got input_sizes = {shape_text(input.shape)}")
    args = input, weight, bias, running_mean, running_var, training, momentum, eps
    if out is not None:
        return write_outs(out, _normalized, *args, named="native_batch_norm")
    return _normalized(*args)


def _normalized(input, weight, bias, running_mean, running_var, training, momentum, eps):
    shape = input._array.shape
    _check_channels(shape[1] if len(shape) > 1 else 0, weight, bias, running_mean, running_var, training)
    if training and (running_mean is None) != (running_var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    _floating("batch_norm", input._array)
    _check_dtypes(input, weight, bias, running_mean, running_var)
    weight, bias = (v if v is None or v.ndim == 1 else v.reshape(-1) for v in (weight, bias))
    if training:
        return _batch_norm(input, weight, bias, running_mean, running_var, momentum, eps)
    z = _batch_norm_by(input, weight, bias, running_mean, running_var, eps)
    return z, *(wrap(np.empty(0, running_mean._array.dtype)) for _ in range(2))


def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    """Normalise each channel of (N, C, ...): ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    If ``training``, mean and variance are those of the input, and the running statistics, if given, move towards them by the factor
    ``momentum``; otherwise the running statistics are used. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.batch_norm(minigrad.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 0., False)
    tensor([[-1.],
            [ 1.]])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("batch_norm", "input", 1, input)
    momentum, eps = as_real(momentum, "batch_norm", "momentum", 7), as_real(eps, "batch_norm", "eps", 8)
    if not input._array.size:
        z = input.clone()
        for parameter, combine in ((weight, operator.mul), (bias, operator.add)):
            if parameter is not None:
                z = combine(z, parameter.select(0, 0))
        return z
    return _normalized(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


@composite
def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    """Normalise each channel of each sample of (N, C, ...) separately; see ``batch_norm``.

    >>> import minigrad
    >>> minigrad.instance_norm(minigrad.tensor([[[1., 3.]]]), None, None, None, None, True, 0.1, 0., False)
    tensor([[[-1.,  1.]]])
    """
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    if running_mean is not None and running_var is None and running_mean.dtype is not input.dtype:
        raise RuntimeError("Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #0 'self'")
    n, c, rest = input.size(0), input.size(1), input.shape[2:]
    kept = (input if weight is None else weight).dtype  # the statistics may have any other
    mean, variance = (v if v is None else v.to(kept).repeat(n) for v in (running_mean, running_var))
    weight, bias = (v if v is None else v.repeat(n) for v in (weight, bias))
    z = batch_norm(input.contiguous().view(1, n * c, *rest), weight, bias, mean, variance, use_input_stats, momentum, eps, cudnn_enabled)
    for running, several in ((running_mean, mean), (running_var, variance)):
        if running is not None and use_input_stats:
            mean = several.detach().reshape(n, c).mean(0)
            if not running._wrapped: running._array[...] = mean._array
            else: running.copy_(mean)
    return z.view(n, c, *rest)


# By norms of neighbours ------------------------------------------------------------------------------------------------------


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Divide by a power of the mean square over ``size`` neighbouring channels: ``input / (k + alpha * mean) ** beta``, for (N, C, ...).

    Raises ValueError for less than three dimensions. [Krizhevsky et al. 2012]

    >>> import minigrad
    >>> minigrad.nn.functional.local_response_norm(minigrad.ones(1, 3, 1), size=3, alpha=3.)
    tensor([[[0.4387],
             [0.3536],
             [0.4387]]])
    """
    if input.ndim < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.ndim} dimensions)"
        )
    if not input.numel():
        return input
    if size < 1:
        kernel = "kH: 0 kW: 1" if input.ndim == 3 else "kT: 0 kH: 1 kW: 1"
        raise RuntimeError(f"kernel size should be greater than zero, but got {kernel}")
    if input.dtype.category < FLOATING and input.dtype is not int64:
        kernel = "avg_pool2d" if input.ndim == 3 else "avg_pool3d_out_frame"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_name(input)}'")
    n, _, *rest = input.shape
    before, after = (input.new_zeros((n, length, *rest)) for length in (size // 2, (size - 1) // 2))
    squares = cat((before, input * input, after), 1)
    mean = squares.unfold(1, size, 1).sum(-1).div(size, rounding_mode=None if squares.is_floating_point() else "trunc")
    return input / (mean * alpha + k).pow(beta)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """Divide ``input`` by its ``p``-norms along ``dim``, or by ``eps`` where they are less.

    >>> import minigrad
    >>> minigrad.nn.functional.normalize(minigrad.tensor([[3., 4.]]))
    tensor([[0.6000, 0.8000]])
    """
    if out is not None:
        norm(input, p, dim, True)  # which says what is wrong with the input, before out is looked at
        return write_out(out, normalize, input, p, dim, eps, named="div")
    return input / norm(input, p, dim, True).clamp_min(eps).expand_as(input)
