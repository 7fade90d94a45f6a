"""Operators of ``torch.ops.aten`` that are gradients of others, ``gelu_backward``: the formulas of those, applied to what the operator is given.

Most take the gradient of the result, the operand, and what the operator itself takes; they compute the operator again, and its gradient.
"""

from . import _api
from .autograd import enable_grad, grad
from .nn import functional

REDUCTIONS = ("none", "mean", "sum")


def find(name):
    """The function behind ``aten.name``, whose name ends in ``_backward`` or ``_backward_data``; None if there is none here."""
    if name in _OF_RESULTS:
        return _OF_RESULTS[name]
    if name in _CALLS:
        return _of_operand(_CALLS[name])
    return None


def _of_operand(call):
    """The gradient of ``call(x, *args)``, as a function of the gradient of its result, of x and the rest."""

    def backward(grad_output, input, *args, **kwargs):
        with enable_grad():
            x = input.detach().requires_grad_()
            (found,) = grad(call(x, *args, **kwargs), x, grad_output)
        return found

    return backward


def _loss(function, *order):
    """A loss whose reduction is a number; ``order`` are the names of what follows the target."""

    def call(input, target, *args):
        given = dict(zip(order, args))
        given["reduction"] = REDUCTIONS[given.get("reduction", 1)]
        return function(input, target, **given)

    return call


def _pool(function):
    def call(input, kernel_size, stride, *args):
        return function(input, kernel_size, stride or None, *args)

    return call


def _padded(mode):
    return lambda input, padding: functional.pad(input, padding, mode)


#: Operator -> what it is the gradient of, by its first operand.
_CALLS = {
    "avg_pool2d_backward": _pool(functional.avg_pool2d),
    "avg_pool3d_backward": _pool(functional.avg_pool3d),
    "binary_cross_entropy_backward": _loss(functional.binary_cross_entropy, "weight", "reduction"),
    "gelu_backward": functional.gelu,
    "glu_backward": functional.glu,
    "hardshrink_backward": functional.hardshrink,
    "hardsigmoid_backward": functional.hardsigmoid,
    "hardswish_backward": functional.hardswish,
    "hardtanh_backward": functional.hardtanh,
    "huber_loss_backward": _loss(functional.huber_loss, "reduction", "delta"),
    "leaky_relu_backward": lambda input, slope, is_result: functional.leaky_relu(input, slope),
    "log_sigmoid_backward": lambda input, buffer: functional.logsigmoid(input),
    "logit_backward": _api.logit,
    "mish_backward": functional.mish,
    "mse_loss_backward": _loss(functional.mse_loss, "reduction"),
    "silu_backward": functional.silu,
    "smooth_l1_loss_backward": _loss(functional.smooth_l1_loss, "reduction", "beta"),
    "soft_margin_loss_backward": _loss(functional.soft_margin_loss, "reduction"),
    "softplus_backward": functional.softplus,
    "softshrink_backward": functional.softshrink,
    "threshold_backward": lambda input, threshold: functional.threshold(input, threshold, 0),
    **{f"reflection_pad{n}d_backward": _padded("reflect") for n in (1, 2, 3)},
    **{f"replication_pad{n}d_backward": _padded("replicate") for n in (1, 2, 3)},
}


# Of the result --------------------------------------------------------------------------------------------------------------


def _adaptive(function):
    return lambda grad_output, input: _of_operand(function)(
        grad_output, input, grad_output.shape[2 - input.ndim :]
    )


def _of_part(view):
    """The gradient of a view of zeros of the shape ``input_sizes``: zeros but for ``grad_output``, where the view looks."""

    def backward(grad_output, input_sizes, *args):
        found = grad_output.new_zeros(input_sizes)
        view(found, *args).copy_(grad_output)
        return found

    return backward


def _sliced(x, dim, start, end, step):
    return x[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)]


def _softmax(grad_output, output, dim, input_dtype):
    return (output * (grad_output - (grad_output * output).sum(dim, keepdim=True))).to(input_dtype)


def _log_softmax(grad_output, output, dim, input_dtype):
    return (grad_output - output.exp() * grad_output.sum(dim, keepdim=True)).to(input_dtype)


def _embedding(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    weight = grad_output.new_zeros(num_weights, grad_output.shape[-1])

    def call(weight):
        return functional.embedding(
            indices, weight, padding_idx if padding_idx >= 0 else None, scale_grad_by_freq=scale_grad_by_freq
        )

    return _of_operand(call)(grad_output, weight)


def _convolution(
    grad_output,
    input,
    weight,
    bias_sizes,
    stride,
    padding,
    dilation,
    transposed,
    output_padding,
    groups,
    output_mask,
):
    with enable_grad():
        bias = None if bias_sizes is None else grad_output.new_zeros(bias_sizes)
        given = [None if x is None else x.detach().requires_grad_() for x in (input, weight, bias)]
        z = _api.convolution(*given, stride, padding, dilation, transposed, output_padding, groups)
        found = [
            grad(z, x, grad_output, retain_graph=True)[0] if wanted and x is not None else None
            for x, wanted in zip(given, output_mask)
        ]
    if output_mask[2] and bias is None:
        found[2] = grad_output.sum((0, *range(2, grad_output.ndim)))
    return tuple(found)


_OF_RESULTS = {
    "_adaptive_avg_pool2d_backward": _adaptive(functional.adaptive_avg_pool2d),
    "_adaptive_avg_pool3d_backward": _adaptive(functional.adaptive_avg_pool3d),
    "_log_softmax_backward_data": _log_softmax,
    "_softmax_backward_data": _softmax,
    "convolution_backward": _convolution,
    "diagonal_backward": _of_part(_api.diagonal),
    "embedding_dense_backward": _embedding,
    "native_dropout_backward": lambda grad_output, mask, scale: grad_output * mask * scale,
    "select_backward": _of_part(_api.select),
    "sigmoid_backward": lambda grad_output, output: grad_output * (output * (1 - output)).conj(),
    "slice_backward": _of_part(_sliced),
    "tanh_backward": lambda grad_output, output: grad_output * (1 - output * output).conj(),
}
