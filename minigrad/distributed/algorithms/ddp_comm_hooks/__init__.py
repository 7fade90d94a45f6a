"""Hooks for ``DistributedDataParallel.register_comm_hook``, and names for them: ``register_ddp_comm_hook`` registers one by its name."""

import enum
from typing import Any

from . import debugging_hooks, default_hooks, powerSGD_hook, quantization_hooks

__all__ = ["DDPCommHookType", "register_ddp_comm_hook"]


class _Registration:
    """Registers a hook with a model; those of PowerSGD get a state of the given rank."""

    def __init__(self, hook, rank=None):
        self._hook, self._rank = hook, rank

    def __call__(self, model: Any, state: Any = None, **options: Any) -> None:
        if self._rank is not None:
            options.setdefault("matrix_approximation_rank", self._rank)
            state = powerSGD_hook.PowerSGDState(state, **options)
        elif options:
            raise TypeError(f"{self._hook.__name__} has no options, but got {', '.join(options)}")
        model.register_comm_hook(state, self._hook)

    def __repr__(self) -> str:
        return self._hook.__name__ if self._rank is None else f"{self._hook.__name__} of rank {self._rank}"


class DDPCommHookType(enum.Enum):
    """The hooks by name; the value of each registers it: ``DDPCommHookType.NOOP.value(model=model, state=None)``.

    >>> from minigrad.distributed.algorithms.ddp_comm_hooks import DDPCommHookType
    >>> DDPCommHookType["POWER_SGD_RANK2"].value
    powerSGD_hook of rank 2
    """

    ALLREDUCE = _Registration(default_hooks.allreduce_hook)
    FP16_COMPRESS = _Registration(default_hooks.fp16_compress_hook)
    BF16_COMPRESS = _Registration(default_hooks.bf16_compress_hook)
    QUANTIZE_PER_TENSOR = _Registration(quantization_hooks.quantization_pertensor_hook)
    QUANTIZE_PER_CHANNEL = _Registration(quantization_hooks.quantization_perchannel_hook)
    POWER_SGD = _Registration(powerSGD_hook.powerSGD_hook, 1)
    POWER_SGD_RANK2 = _Registration(powerSGD_hook.powerSGD_hook, 2)
    BATCHED_POWER_SGD = _Registration(powerSGD_hook.batched_powerSGD_hook, 1)
    BATCHED_POWER_SGD_RANK2 = _Registration(powerSGD_hook.batched_powerSGD_hook, 2)
    NOOP = _Registration(debugging_hooks.noop_hook)


def register_ddp_comm_hook(comm_hook_type: DDPCommHookType, model: Any, state: Any = None) -> None:
    """Register a hook with a ``DistributedDataParallel`` model: ``state`` is the process group for which it averages, None for all processes.

    >>> import minigrad
    >>> from minigrad import distributed
    >>> from minigrad.distributed.algorithms.ddp_comm_hooks import DDPCommHookType, register_ddp_comm_hook
    >>> distributed.init_process_group(rank=0, world_size=1, store=distributed.HashStore())
    >>> model = minigrad.nn.parallel.DistributedDataParallel(minigrad.nn.Linear(2, 1))
    >>> register_ddp_comm_hook(DDPCommHookType.FP16_COMPRESS, model)
    >>> distributed.destroy_process_group()
    """
    comm_hook_type.value(model=model, state=state)
