"""Instance normalisation: of each channel of each sample."""

import warnings

from ..._api import Tensor, _Device
from ..._api import dtype as _dtype
from .. import functional as F
from .batchnorm import _LazyNormBase, _NormBase

__all__ = [
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
]


class _InstanceNorm(_NormBase):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: _Device = None,
        dtype: _dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _get_no_batch_dim(self):
        return self._ndims[0]

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        stats = [prefix + name for name in ("running_mean", "running_var") if prefix + name in state_dict]
        if local_metadata.get("version") is None and not self.track_running_stats and stats:
            name = type(self).__name__
            error_msgs.append(
                f"Unexpected running stats buffer(s) {' and '.join(f'{chr(34)}{key}{chr(34)}' for key in stats)} for {name} "
                "with track_running_stats=False. Versions before 0.4.0 saved them always: delete these keys from "
                "state_dict, or make the module with track_running_stats=True to use them."
            )
            for key in stats:
                state_dict.pop(key)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )

    def _check_channels(self, input):
        axis = input.dim() - self._get_no_batch_dim()
        found = input.size(axis)
        if found == self.num_features:
            return
        if self.affine:
            raise ValueError(
                f"expected input's size at dim={axis} to match num_features ({self.num_features}), but got: {found}."
            )
        warnings.warn(
            f"input's size at dim={axis} does not match num_features. Without affine=True nothing has that size: leave "
            "num_features as it is in the input.",
            stacklevel=3,
        )

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        self._check_channels(input)
        if input.dim() == self._get_no_batch_dim():
            return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_instance_norm(input)

    def _apply_instance_norm(self, input):
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of each sample of ``(N, C, L)`` or ``(C, L)``: ``(input - mean) / sqrt(var + eps)``.

    With ``affine`` the result is scaled by a weight and shifted by a bias per channel; with ``track_running_stats`` evaluation mode uses
    running statistics. Raises ValueError for an input with a different number of dimensions. [Ulyanov et al. 2016]

    >>> import minigrad
    >>> minigrad.nn.InstanceNorm1d(1)(minigrad.tensor([[1., 3.]]))
    tensor([[-1.0000,  1.0000]])
    """

    _ndims = 2, 3


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each image of ``(N, C, H, W)`` or ``(C, H, W)``, as ``InstanceNorm1d`` does.

    >>> import minigrad
    >>> minigrad.nn.InstanceNorm2d(3)(minigrad.ones(2, 3, 4, 4)).shape
    torch.Size([2, 3, 4, 4])
    """

    _ndims = 3, 4


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each volume of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, as ``InstanceNorm1d`` does.

    >>> import minigrad
    >>> minigrad.nn.InstanceNorm3d(3)(minigrad.ones(2, 3, 4, 4, 4)).shape
    torch.Size([2, 3, 4, 4, 4])
    """

    _ndims = 4, 5


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """An ``InstanceNorm1d`` that takes ``num_features`` from dimension 1 of its first input.

    >>> import minigrad
    >>> norm = minigrad.nn.LazyInstanceNorm1d()
    >>> norm(minigrad.ones(2, 3, 4)).shape, norm.num_features
    (torch.Size([2, 3, 4]), 3)
    """

    cls_to_become: type | None = InstanceNorm1d
    _ndims = 2, 3


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """An ``InstanceNorm2d`` that takes ``num_features`` from dimension 1 of its first input.

    >>> import minigrad
    >>> norm = minigrad.nn.LazyInstanceNorm2d()
    >>> norm(minigrad.ones(2, 3, 4, 4)).shape, norm.num_features
    (torch.Size([2, 3, 4, 4]), 3)
    """

    cls_to_become: type | None = InstanceNorm2d
    _ndims = 3, 4


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """An ``InstanceNorm3d`` that takes ``num_features`` from dimension 1 of its first input.

    >>> import minigrad
    >>> norm = minigrad.nn.LazyInstanceNorm3d()
    >>> norm(minigrad.ones(2, 3, 4, 4, 4)).shape, norm.num_features
    (torch.Size([2, 3, 4, 4, 4]), 3)
    """

    cls_to_become: type | None = InstanceNorm3d
    _ndims = 4, 5
