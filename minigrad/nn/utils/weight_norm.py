"""Weight normalisation in PyTorch's older form: a forward pre-hook that makes the weight of its length and its direction."""

import warnings
from typing import Any

from ..._api import _moments, norm_except_dim
from ..modules.module import Module
from ..parameter import Parameter, is_lazy

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]


class WeightNorm:
    """The forward pre-hook that sets the weight to ``g * v / norm(v)``, with the norm over all dimensions but ``dim``."""

    dim: int

    def __init__(self, name: str, dim: int) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """Return the weight computed from the module's ``g`` and ``v``."""
        return _moments.weight_norm(
            getattr(module, f"{self.name}_v"), getattr(module, f"{self.name}_g"), self.dim
        )

    @staticmethod
    def apply(module: Module, name: str, dim: int) -> Any:
        """Install the hook on a module and return it; raise RuntimeError if there is one already."""
        warnings.warn(
            "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
            FutureWarning,
            stacklevel=3,
        )
        if any(
            isinstance(hook, WeightNorm) and hook.name == name for hook in module._forward_pre_hooks.values()
        ):
            raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        hook = WeightNorm(name, dim)
        weight = getattr(module, name)
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward before "
                "applying weight normalization"
            )
        del module._parameters[name]
        module.register_parameter(f"{name}_g", Parameter(norm_except_dim(weight, 2, hook.dim).data))
        module.register_parameter(f"{name}_v", Parameter(weight.data))
        setattr(module, name, hook.compute_weight(module))
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[f"{self.name}_g"]
        del module._parameters[f"{self.name}_v"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Module, name: str = "weight", dim: int = 0) -> Any:
    """Replace a weight by its length (``weight_g``) and direction (``weight_v``), which are trained separately; deprecated, as in PyTorch.

    ``dim`` is the dimension along which lengths differ; None means one length for all. Returns the module. [Salimans and Kingma 2016]

    >>> import minigrad
    >>> linear = minigrad.nn.utils.weight_norm(minigrad.nn.Linear(2, 1))
    >>> linear.weight_g.shape, linear.weight_v.shape
    (torch.Size([1, 1]), torch.Size([1, 2]))
    """
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Any:
    """Undo ``weight_norm``; raise ValueError if the module has none.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.weight_norm(minigrad.nn.Linear(2, 1))
    >>> sorted(name for name, _ in minigrad.nn.utils.remove_weight_norm(linear).named_parameters())
    ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
