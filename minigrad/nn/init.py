"""Initialisation of parameters, in place and unrecorded; with PyTorch's random numbers for PyTorch's seeds."""

import functools
import math
import warnings
from typing import Any, Literal

from .._api import Generator, Tensor, _lazy, _linalg_orthogonal, empty_like, no_grad, randperm, where

_LINEAR = (
    "linear",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
)


def calculate_gain(
    nonlinearity: Literal[
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
        "tanh",
        "relu",
        "leaky_relu",
        "selu",
    ],
    param: int | float | None = None,
) -> float:
    """Return the recommended gain for a nonlinearity: a factor for the scale of initial weights.

    Raises ValueError for an unknown one.

    >>> from minigrad.nn import init
    >>> init.calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity in _LINEAR or nonlinearity == "sigmoid":
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill with numbers drawn uniformly from [a, b).

    Returns the tensor, whose shape is arbitrary. Like the other functions here it works in place and is not recorded.

    >>> import minigrad
    >>> x = minigrad.nn.init.uniform_(minigrad.empty(1000), 2., 3.)
    >>> ((2 <= x) & (x < 3)).all()
    tensor(True)
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Fill with normally distributed numbers of mean ``mean`` and standard deviation ``std``.

    >>> import minigrad
    >>> x = minigrad.nn.init.normal_(minigrad.empty(10000), mean=5.)
    >>> x.mean().round(), x.std().round()
    (tensor(5.), tensor(1.))
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one value.

    >>> import minigrad
    >>> minigrad.nn.init.constant_(minigrad.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones.

    >>> import minigrad
    >>> minigrad.nn.init.ones_(minigrad.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros.

    >>> import minigrad
    >>> minigrad.nn.init.zeros_(minigrad.empty(2))
    tensor([0., 0.])
    """
    with no_grad():
        return tensor.zero_()


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Fill with normally distributed numbers within [a, b]; numbers outside are drawn again.

    >>> import minigrad
    >>> x = minigrad.nn.init.trunc_normal_(minigrad.empty(1000))
    >>> (x.abs() <= 2).all()
    tensor(True)
    """

    def below(x):
        return (1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0

    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
            stacklevel=2,
        )
    if tensor.is_meta:
        return tensor
    with no_grad():
        if below(b) - below(a) > 0.3:
            _redraw(tensor, mean, std, a, b, generator)
        else:
            _accept_and_reject(tensor, mean, std, a, b, generator)
    return tensor


# PyTorch's names of the same without checks, which programs import.


def _no_grad_uniform_(tensor, a, b, generator=None):
    return uniform_(tensor, a, b, generator)


def _no_grad_normal_(tensor, mean, std, generator=None):
    return normal_(tensor, mean, std, generator)


def _no_grad_trunc_normal_(tensor, mean, std, a, b, generator=None):
    return trunc_normal_(tensor, mean, std, a, b, generator)


def _no_grad_fill_(tensor, val):
    return constant_(tensor, val)


def _no_grad_zero_(tensor):
    return zeros_(tensor)


def _redraw(tensor, mean, std, a, b, generator):
    low, high = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()
    drawn = tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (drawn < low) | (drawn > high)
        if not outside.any():
            break
        drawn = where(outside, empty_like(drawn).normal_(mean, std, generator=generator), drawn)
    if drawn is not tensor:
        tensor.copy_(drawn)


def _accept_and_reject(tensor, mean, std, a, b, generator):
    """Uniform numbers of [a, b], each accepted with a probability proportional to the normal density: for far tails."""
    nearest = max(a, min(mean, b))
    log_peak = -0.5 * ((nearest - mean) / std) ** 2

    def refused(candidates):
        log_density = candidates.sub(mean).div_(std).pow_(2).mul_(-0.5).sub_(log_peak)
        return empty_like(tensor).uniform_(generator=generator).log_().gt(log_density)

    accepted = tensor.uniform_(a, b, generator=generator)
    pending = refused(accepted)
    while pending.any():
        candidates = empty_like(tensor).uniform_(a, b, generator=generator)
        accepted = where(pending, candidates, accepted)
        pending = where(pending, refused(candidates), pending)
    if accepted is not tensor:
        tensor.copy_(accepted)


def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix with the identity; raise ValueError if the argument is not a matrix.

    >>> import minigrad
    >>> minigrad.nn.init.eye_(minigrad.empty(2, 3))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.zero_().diagonal().fill_(1)
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill a convolution kernel so that the convolution passes its input channels on unchanged.

    >>> import minigrad
    >>> w = minigrad.nn.init.dirac_(minigrad.empty(1, 1, 3))
    >>> minigrad.nn.functional.conv1d(minigrad.tensor([[[1., 2., 3.]]]), w, padding=1)
    tensor([[[1., 2., 3.]]])
    """
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    size = tensor.size()
    if size[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = size[0] // groups
    centre = tuple(n // 2 for n in size[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(per_group, size[1])):
                tensor[(group * per_group + channel, channel, *centre)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill with numbers drawn uniformly between plus and minus ``gain * sqrt(6 / (fan_in + fan_out))``. [Glorot and Bengio 2010]

    >>> import minigrad
    >>> w = minigrad.nn.init.xavier_uniform_(minigrad.empty(20, 30))
    >>> (w.abs() <= (6 / 50) ** 0.5).all()
    tensor(True)
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Fill with normally distributed numbers of standard deviation ``gain * sqrt(2 / (fan_in + fan_out))``. [Glorot and Bengio 2010]

    >>> import minigrad
    >>> w = minigrad.nn.init.xavier_normal_(minigrad.empty(100, 100))
    >>> w.std().round(decimals=2)
    tensor(0.1000)
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def _kaiming_std(tensor, a, mode, nonlinearity):
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: Literal["fan_in", "fan_out"] = "fan_in",
    nonlinearity: Literal[
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
        "tanh",
        "relu",
        "leaky_relu",
        "selu",
    ] = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Fill with numbers drawn uniformly between plus and minus ``gain * sqrt(3 / fan)``. [He et al. 2015]

    >>> import minigrad
    >>> w = minigrad.nn.init.kaiming_uniform_(minigrad.empty(20, 30), nonlinearity="relu")
    >>> (w.abs() <= (6 / 30) ** 0.5).all()
    tensor(True)
    """
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: Literal["fan_in", "fan_out"] = "fan_in",
    nonlinearity: Literal[
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
        "tanh",
        "relu",
        "leaky_relu",
        "selu",
    ] = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Fill with normally distributed numbers of standard deviation ``gain / sqrt(fan)``. [He et al. 2015]

    >>> import minigrad
    >>> w = minigrad.nn.init.kaiming_normal_(minigrad.empty(100, 200), nonlinearity="relu")
    >>> w.std().round(decimals=2)
    tensor(0.1000)
    """
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    return normal_(tensor, 0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """Fill with ``gain`` times a (semi-)orthogonal matrix of ``tensor.size(0)`` rows. [Saxe et al. 2013]

    Raises ValueError for fewer than two dimensions.

    >>> import minigrad
    >>> w = minigrad.nn.init.orthogonal_(minigrad.empty(2, 5))
    >>> minigrad.allclose(w @ w.T, minigrad.eye(2), atol=1e-6)
    True
    """
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel() or tensor.is_meta:
        return tensor
    rows, columns = tensor.size(0), tensor.numel() // tensor.size(0)
    drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
    if rows < columns:
        drawn.t_()
    q, r = _linalg_orthogonal.qr(drawn)
    q *= r.diagonal().sign()  # makes the factorisation unique, and q uniform
    if rows < columns:
        q.t_()
    with no_grad():
        tensor.view_as(q).copy_(q)
        tensor.mul_(gain)
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Fill a matrix with normally distributed numbers, and set a fraction ``sparsity`` of each column to 0.   [Martens 2010]

    >>> import minigrad
    >>> w = minigrad.nn.init.sparse_(minigrad.empty(10, 3), sparsity=0.8)
    >>> (w == 0).sum(0)
    tensor([8, 8, 8])
    """
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[randperm(rows)[:zeros], column] = 0
    return tensor


def _deprecated(function, shape="2, 2", more=""):
    new_name = function.__name__
    old_name = new_name.removesuffix("_")
    warning = f"`nn.init.{old_name}` is now deprecated in favor of `nn.init.{new_name}`."

    @functools.wraps(function)
    def deprecated(*args, **kwargs):
        warnings.warn(warning, FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = old_name
    deprecated.__doc__ = f"""A deprecated name for ``{new_name}``.

    >>> import minigrad
    >>> x = minigrad.empty({shape})
    >>> minigrad.nn.init.{old_name}(x{more}) is x
    True
    """
    return deprecated


uniform: Any = _deprecated(uniform_)
normal: Any = _deprecated(normal_)
constant: Any = _deprecated(constant_, more=", 0.5")
eye: Any = _deprecated(eye_)
dirac: Any = _deprecated(dirac_, "2, 2, 3")
xavier_uniform: Any = _deprecated(xavier_uniform_)
xavier_normal: Any = _deprecated(xavier_normal_)
kaiming_uniform: Any = _deprecated(kaiming_uniform_)
kaiming_normal: Any = _deprecated(kaiming_normal_)
orthogonal: Any = _deprecated(orthogonal_)
sparse: Any = _deprecated(sparse_, more=", 0.5")

_lazy.publish_all(globals())
