"""Helpers of ``torch.nn.functional`` under PyTorch's private names, which modules of other libraries import."""

import numbers

from ..._api import Tensor, no_grad
from ..._api import embedding_renorm_ as _embedding_renorm_
from .attention import _check_dims, _expect, _project, _project_separately


def _in_projection(q, k, v, w_q, w_k, w_v, b_q=None, b_k=None, b_v=None):
    """Query, key and value times weights of their own; raises AssertionError for sizes that do not fit."""
    q, k, v = _project_separately(q, k, v, (w_q, w_k, w_v), None)
    return tuple(x if b is None else x + b for x, b in zip((q, k, v), (b_q, b_k, b_v)))


def _in_projection_packed(q, k, v, w, b=None):
    """Query, key and value times the three parts of one weight, as contiguous tensors."""
    return tuple(part.contiguous() for part in _project(q, k, v, w, b))


def _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads):
    """Whether there is a batch; raises AssertionError for numbers of dimensions that do not fit."""
    return _check_dims(query, key, value, key_padding_mask, attn_mask, num_heads)


def _check_key_padding_mask(key_padding_mask, src_len, bsz):
    """Raise AssertionError unless the mask is of shape (bsz, src_len)."""
    for i, expected in enumerate((bsz, src_len)):
        found = key_padding_mask.shape[i]
        _expect(found == expected, f"Expected key_padded_mask.shape[{i}] to be {expected}, but got {found}")


def _get_softmax_dim(name, ndim, stacklevel):
    """The dimension of a softmax for which none is given: warns."""
    from ..functional import _implied_dim

    return _implied_dim(name, ndim, stacklevel + 1)


def _is_integer(x):
    """Whether ``x`` is a whole number, or a tensor of an integer dtype."""
    if isinstance(x, Tensor):
        return not (x.is_floating_point() or x.is_complex() or x.dtype.name == "bool")
    return isinstance(x, numbers.Integral)


def assert_int_or_pair(arg, arg_name, message):
    """Raise AssertionError with ``message``, which mentions the name, unless ``arg`` is an int or has two elements.

    >>> import minigrad
    >>> minigrad.nn.functional.assert_int_or_pair((3, 3), "kernel_size", "{} has to be an int or a pair")
    """
    _expect(isinstance(arg, int) or len(arg) == 2, message.format(arg_name))


def _list_with_default(out_size, defaults):
    """Output sizes with the last of ``defaults`` where they are None; raises ValueError unless there are more defaults than sizes."""
    if isinstance(out_size, (int, float)):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    return [default if size is None else size for size, default in zip(out_size, defaults[-len(out_size) :])]


def _unpool_output_size(input, kernel_size, stride, padding, output_size):
    """The sizes that unpooling gives, or ``output_size`` without batch and channels; raises ValueError for sizes out of reach."""
    n = len(kernel_size)
    usual = [
        (size - 1) * s + k - 2 * p for size, k, s, p in zip(input.size()[-n:], kernel_size, stride, padding)
    ]
    if output_size is None:
        return usual
    _check_unpool_output_size(output_size, n)
    sizes = list(output_size[-n:])
    for d, (size, around, step) in enumerate(zip(sizes, usual, stride)):
        if not around - step < size < around + step:
            raise ValueError(
                f'invalid output_size "{output_size}" (dim {d} must be between {around - step} and {around + step})'
            )
    return sizes


def _check_unpool_output_size(output_size, dim):
    """Raise ValueError unless there are ``dim`` sizes, or two more."""
    if len(output_size) not in (dim, dim + 2):
        raise ValueError(
            f"output_size should be a sequence containing {dim} or {dim + 2} elements, but it has a length of '{len(output_size)}'"
        )


def _verify_batch_size(size):
    """Raise ValueError if normalisation over a batch of this size had one value for each channel."""
    count = size[0]
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def _verify_spatial_size(size):
    """Raise ValueError if normalisation over images of this size had one value for each."""
    count = 1
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {size}")


@no_grad()
def _no_grad_embedding_renorm_(weight, input, max_norm, norm_type):
    """Shorten the rows of ``weight`` that ``input`` names to ``max_norm``, in place."""
    _embedding_renorm_(weight, input, max_norm, norm_type)
