"""The channels of several groups, taken in turn."""

from typing import Any

from ..._api import Tensor
from .. import functional as F
from .module import Module
from .utils import _shown

__all__ = ["ChannelShuffle"]


class ChannelShuffle(Module):
    """Divide the channels of ``(N, C, ...)`` into ``groups`` groups, and interleave them: the first of each group, the second of each, and
    so on. [Zhang et al. 2018]

    >>> import minigrad
    >>> minigrad.nn.ChannelShuffle(2)(minigrad.arange(4.).view(1, 4, 1, 1)).flatten()
    tensor([0., 2., 1., 3.])
    """

    __constants__: list[Any] = ["groups"]

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return _shown(self, "groups")
