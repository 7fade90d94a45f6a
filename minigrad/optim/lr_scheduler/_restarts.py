"""``CosineAnnealingWarmRestarts``: cosines, one after the other."""

import math

from ..._api import Tensor
from ..optimizer import Optimizer
from ._scheduler import LRScheduler, _set, repeated


class CosineAnnealingWarmRestarts(LRScheduler):
    """Lower the rate along a cosine, ``eta_min + (initial - eta_min) * (1 + cos(pi * T_cur / T_i)) / 2``, and restart after T_i epochs.

    Each period has ``T_mult`` times as many epochs as the one before. ``step`` also takes fractions of epochs. [Loshchilov & Hutter 2017,
    SGDR: Stochastic Gradient Descent with Warm Restarts]

    >>> import minigrad
    >>> optimizer = minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = minigrad.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [0.5]
    [1.0]
    [0.5]
    """

    T_mult: int
    eta_min: float | int
    last_epoch: int
    T_cur: int
    T_i: int

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        for value, wanted in ((T_0, "positive integer T_0"), (T_mult, "integer T_mult >= 1")):
            if value < 1 or not isinstance(value, int):
                raise ValueError(f"Expected {wanted}, but got {value}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min, self.T_cur = T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float | Tensor]:
        """Return the rates at ``T_cur``; called by ``step``."""
        self._warn_outside_of_step()
        part = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * part for base in self.base_lrs]

    @repeated
    def step(self, epoch: int | None = None) -> None:
        """Set the rates of the next epoch, or of ``epoch``, which may be a fraction; raise ValueError if it is negative."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        else:
            self._place(epoch)
        self.last_epoch = math.floor(epoch)
        with _set(self, "_get_lr_called_within_step"):
            rates = self.get_lr()
        self._write(rates)

    def _place(self, epoch):
        """Find the cosine in which an epoch lies: n of them, T_0 * (T_mult**n - 1) / (T_mult - 1) epochs, come before it."""
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            n = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**n
