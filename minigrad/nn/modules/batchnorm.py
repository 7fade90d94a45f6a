"""Batch normalisation, and what it shares with instance normalisation."""

from typing import Any

from ..._api import Tensor, _Device, cat, empty, no_grad, ones, zeros
from ..._api import dtype as _dtype
from ..._api import tensor as new_tensor
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
    "SyncBatchNorm",
]


def _check_ndim(input, *allowed):
    """Raise ValueError unless the input has one of these numbers of axes."""
    if input.dim() not in allowed:
        expected = " or ".join(f"{n}D" for n in allowed)
        raise ValueError(f"expected {expected} input (got {input.dim()}D input)")


def _make(module, name, wanted, shape, device, dtype):
    """Register an uninitialised parameter, or None if it is not wanted."""
    module.register_parameter(name, Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None)


def _reset_affine(module):
    """Weights 1, biases 0."""
    init.ones_(module.weight)
    if module.bias is not None:
        init.zeros_(module.bias)


class _NormBase(Module):
    """Weight and bias, running mean and variance: ``(num_features)`` each, and the number of batches seen."""

    _version = 2  # version 1 had no num_batches_tracked
    __constants__: list[Any] = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    _ndims: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        _make(self, "weight", affine, num_features, device, dtype)
        _make(self, "bias", affine and bias, num_features, device, dtype)
        tracked: tuple[Any, ...] = None, None, None
        if track_running_stats:
            tracked = (
                zeros(num_features, device=device, dtype=dtype),
                ones(num_features, device=device, dtype=dtype),
                new_tensor(0, device=device),
            )
        for name, buffer in zip(("running_mean", "running_var", "num_batches_tracked"), tracked):
            self.register_buffer(name, buffer)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget the batches seen: mean 0, variance 1."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Weights 1, biases 0, no batches seen."""
        self.reset_running_stats()
        if self.affine:
            _reset_affine(self)

    def _check_input_dim(self, input):
        if not self._ndims:
            raise NotImplementedError
        _check_ndim(input, *self._ndims)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        version, key = local_metadata.get("version"), prefix + "num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            own = self.num_batches_tracked
            state_dict[key] = new_tensor(0) if own is None else own
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class _BatchNorm(_NormBase):
    def _next_average_factor(self):
        """The share of this batch in the running statistics; counts the batch if it is to be tracked."""
        if not (self.training and self.track_running_stats) or self.num_batches_tracked is None:
            return 0.0 if self.momentum is None else self.momentum
        self.num_batches_tracked.add_(1)
        return 1.0 / float(self.num_batches_tracked) if self.momentum is None else self.momentum

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        factor = self._next_average_factor()
        mean, var = self.running_mean, self.running_var
        of_batch = self.training or (mean is None and var is None)
        if self.training and not self.track_running_stats:
            mean = var = None
        return F.batch_norm(input, mean, var, self.weight, self.bias, of_batch, factor, self.eps)


class BatchNorm1d(_BatchNorm):
    """Normalise each channel of ``(N, C)`` or ``(N, C, L)``: ``(input - mean) / sqrt(var + eps) * weight + bias``.

    In training mode, mean and variance are those of the batch, and the running averages move towards them by the factor ``momentum``
    (None: they are plain averages over all batches); in evaluation mode, the running averages are used. Raises ValueError for an input
    with a different number of dimensions. [Ioffe and Szegedy 2015]

    >>> import minigrad
    >>> layer = minigrad.nn.BatchNorm1d(1)
    >>> layer(minigrad.tensor([[1.], [3.]])).flatten(), layer.running_mean
    (tensor([-1.0000,  1.0000], grad_fn=<ViewBackward0>), tensor([0.2000]))
    """

    _ndims = 2, 3


class BatchNorm2d(_BatchNorm):
    """Normalise each channel of images ``(N, C, H, W)``, as ``BatchNorm1d`` does.

    >>> import minigrad
    >>> minigrad.nn.BatchNorm2d(3)(minigrad.ones(2, 3, 4, 4)).shape
    torch.Size([2, 3, 4, 4])
    """

    _ndims = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalise each channel of volumes ``(N, C, D, H, W)``, as ``BatchNorm1d`` does.

    >>> import minigrad
    >>> minigrad.nn.BatchNorm3d(3)(minigrad.ones(2, 3, 4, 4, 4)).shape
    torch.Size([2, 3, 4, 4, 4])
    """

    _ndims = (5,)


class _LazyNormBase(LazyModuleMixin, _NormBase):
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any
    num_features: Any

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = new_tensor(0, device=device)

    def reset_parameters(self) -> None:
        """As the module's that this one becomes; nothing before it has seen an input."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Give parameters and running statistics the size of the input's channel axis."""
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for tensor in (self.weight, self.bias, self.running_mean, self.running_var):
            if tensor is not None:
                tensor.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A ``BatchNorm1d`` that takes ``num_features`` from its first input.

    >>> import minigrad
    >>> bn = minigrad.nn.LazyBatchNorm1d()
    >>> y = bn(minigrad.ones(2, 3))
    >>> bn
    BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become: type | None = BatchNorm1d
    _ndims = 2, 3


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A ``BatchNorm2d`` that takes ``num_features`` from its first input.

    >>> import minigrad
    >>> bn = minigrad.nn.LazyBatchNorm2d()
    >>> bn(minigrad.ones(2, 3, 4, 4)).shape, bn.num_features
    (torch.Size([2, 3, 4, 4]), 3)
    """

    cls_to_become: type | None = BatchNorm2d
    _ndims = (4,)


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A ``BatchNorm3d`` that takes ``num_features`` from its first input.

    >>> import minigrad
    >>> bn = minigrad.nn.LazyBatchNorm3d()
    >>> bn(minigrad.ones(2, 3, 4, 4, 4)).shape, bn.num_features
    (torch.Size([2, 3, 4, 4, 4]), 3)
    """

    cls_to_become: type | None = BatchNorm3d
    _ndims = (5,)


class SyncBatchNorm(_BatchNorm):
    """Normalise each channel of ``(N, C, ...)`` by the mean and variance over the batches of all processes in a group, in training mode.

    >>> import minigrad
    >>> minigrad.nn.SyncBatchNorm(3).eval()(minigrad.ones(2, 3)).shape
    torch.Size([2, 3])
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        device: _Device = None,
        dtype: _dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    def forward(self, input: Tensor) -> Tensor:
        if not self.training:
            return super().forward(input)
        from ... import distributed

        if not distributed.is_initialized() or distributed.get_world_size(self.process_group) == 1:
            return super().forward(input)
        self._check_input_dim(input)
        return self._normalized_by_all(input, self._next_average_factor())

    def _normalized_by_all(self, input, factor):
        """The formula of batch normalisation, with sums over all processes; differentiated as it stands."""
        from ...distributed.nn.functional import all_reduce

        axes = [0, *range(2, input.dim())]
        shape = [1, -1] + [1] * (input.dim() - 2)
        count = new_tensor([float(input.numel() // input.size(1))], dtype=input.dtype)
        totals = all_reduce(cat([input.sum(axes), count]), group=self.process_group)
        count = totals[-1].item()
        mean = totals[:-1] / count
        centred = input - mean.view(shape)
        var = all_reduce((centred * centred).sum(axes), group=self.process_group) / count
        if self.track_running_stats:
            with no_grad():
                unbiased = var * (count / (count - 1)) if count > 1 else var
                self.running_mean.mul_(1 - factor).add_(mean, alpha=factor)
                self.running_var.mul_(1 - factor).add_(unbiased, alpha=factor)
        normal = centred * (var + self.eps).rsqrt().view(shape)
        if self.weight is not None:
            normal = normal * self.weight.view(shape)
        return normal if self.bias is None else normal + self.bias.view(shape)

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Any:
        """Replace every batch normalisation in ``module`` by a ``SyncBatchNorm`` with its parameters and buffers; return the module."""
        converted = module
        if isinstance(module, _BatchNorm):
            converted = SyncBatchNorm(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
                bias=module.bias is not None,
            )
            if module.affine:
                with no_grad():
                    converted.weight, converted.bias = module.weight, module.bias
            converted.running_mean, converted.running_var = module.running_mean, module.running_var
            converted.num_batches_tracked = module.num_batches_tracked
            converted.training = module.training
        for name, child in module.named_children():
            converted.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return converted
