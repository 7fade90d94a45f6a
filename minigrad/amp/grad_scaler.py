"""``GradScaler``: losses are multiplied before backward, gradients divided after it, so that small ones do not vanish in float16."""

import warnings
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from .. import _api
from .._api import Tensor
from .._base.dtypes import float16, float32, int32
from ..optim import Optimizer

__all__ = ["GradScaler"]

#: What has been done with an optimizer since the last ``update``.
_READY, _UNSCALED, _STEPPED = range(3)


class _Done:
    """What was done with an optimizer since the last ``update``, and whether infinite gradients were found (None: nobody looked)."""

    __slots__ = ("stage", "found_inf")

    def __init__(self) -> None:
        self.stage, self.found_inf = _READY, None


def _refresh_per_optimizer_state():  # by this name pickles of scalers know it, PyTorch's too
    return _Done()


class GradScaler:
    """Scales losses by a factor that grows while gradients are finite; when they are not, it shrinks and the step is skipped.

    For ``"cuda"`` it warns that there is none and is disabled: each method then works without scaling.

    >>> import minigrad
    >>> scaler = minigrad.amp.GradScaler("cpu", init_scale=8.0)
    >>> w = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.SGD([w], lr=0.5)
    >>> scaler.scale(w.sum()).backward()
    >>> w.grad
    tensor([8.])
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> w
    tensor([0.5000], requires_grad=True)
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if device == "cuda" and enabled:
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2
            )
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._scale: Any = None
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        self._growth_tracker: Any = None
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _check_scale(self, function):
        if self._scale is None:
            raise AssertionError(
                f"Attempted {function} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )

    def scale(self, outputs: Tensor | Iterable[Tensor]) -> Tensor | Iterable[Tensor]:
        """Multiply a tensor, or each of an iterable of tensors, by the scale; raise ValueError for anything else."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, _api.Tensor):
            if self._scale is None:
                self._scale = _api.full((), self._init_scale, dtype=float32)
                self._growth_tracker = _api.full((), self._init_growth_tracker, dtype=int32)
            return outputs * self._scale
        if isinstance(outputs, Iterable):
            scaled = [self.scale(x) for x in outputs]
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else iter(scaled)  # type: ignore[return-value]
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of the optimizer's parameters by the scale, for example to clip them before ``step``.

        Raises RuntimeError if that was done since the last ``update``, ValueError for gradients of float16.
        """
        if not self._enabled:
            return
        self._check_scale("unscale_")
        done = self._per_optimizer_states[id(optimizer)]
        if done.stage == _UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if done.stage == _STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = self._scale.double().reciprocal().float()
        found = [
            self._unscale(p.grad, inverse)
            for group in optimizer.param_groups
            for p in group["params"]
            if p.grad is not None
        ]
        done.found_inf = any(found) if found else None
        done.stage = _UNSCALED

    @staticmethod
    def _unscale(grad, inverse):
        """Divide one gradient; returns whether it is not finite somewhere."""
        if grad.dtype is float16:
            raise ValueError("Attempting to unscale FP16 gradients.")
        with _api.no_grad():
            infinite = not bool(_api.isfinite(grad).all())
            grad.mul_(inverse)
        return infinite

    def step(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> float | None:
        """Call ``optimizer.step(*args, **kwargs)`` after ``unscale_``, unless some gradient is not finite; return its result.

        Raises RuntimeError for a closure, and if called twice before ``update``.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_scale("step")
        done = self._per_optimizer_states[id(optimizer)]
        if done.stage == _STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if done.stage == _READY:
            self.unscale_(optimizer)
        if done.found_inf is None:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        returned = None if done.found_inf else optimizer.step(*args, **kwargs)
        done.stage = _STEPPED
        return returned

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """End the iteration: shrink the scale if some gradient was not finite, let it grow after enough iterations, or set it to ``new_scale``."""
        if not self._enabled:
            return
        self._check_scale("update")
        if new_scale is not None:
            self._take(new_scale)
        else:
            found = [done.found_inf for done in self._per_optimizer_states.values()]
            known = [f for f in found if f is not None]
            if not known:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(any(known))
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _take(self, new_scale):
        if isinstance(new_scale, float):
            self._scale.fill_(new_scale)
            return
        if not isinstance(new_scale, _api.Tensor) or new_scale.numel() != 1 or new_scale.requires_grad:
            raise AssertionError(
                "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with requires_grad=False."
            )
        self._scale.copy_(new_scale)

    def _adapt(self, found_inf):
        if found_inf:
            self._scale.mul_(self._backoff_factor)
            self._growth_tracker.zero_()
            return
        self._growth_tracker.add_(1)
        if int(self._growth_tracker) == self._growth_interval:
            grown = self._scale * self._growth_factor
            if bool(_api.isfinite(grown)):
                self._scale.copy_(grown)
            self._growth_tracker.zero_()

    def is_enabled(self) -> bool:
        """Return whether the scaler is enabled."""
        return self._enabled

    def get_scale(self) -> float:
        """Return the scale as a float; 1.0 if disabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self) -> float:
        """Return the factor by which the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale grows."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """Return the factor by which the scale shrinks."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set the factor by which the scale shrinks."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """Return the number of iterations with finite gradients after which the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set the number of iterations with finite gradients after which the scale grows."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self):
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker.item()

    def state_dict(self) -> dict[str, Any]:
        """Return the scale and its settings as a dict; empty if disabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the scale and the settings that ``state_dict`` returned; raise RuntimeError if the dict is empty."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
            self._growth_tracker.fill_(self._init_growth_tracker)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after scaler.update()."
                )
            state["_init_scale"] = self.get_scale()
            state["_init_growth_tracker"] = self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
