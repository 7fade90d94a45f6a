"""Spectral normalisation in PyTorch's older form: a forward pre-hook that divides the weight by its largest singular value."""

from typing import Any

from ..._api import Tensor, _normalize, dot, mv, no_grad
from .. import modules
from ..modules.module import Module
from ..parameter import Parameter, is_lazy

__all__ = [
    "SpectralNorm",
    "SpectralNormLoadStateDictPreHook",
    "SpectralNormStateDictHook",
    "remove_spectral_norm",
    "spectral_norm",
]


def output_dim(module: Module) -> int:
    """Return the dimension of a module's weight that counts its outputs."""
    transposed = (modules.ConvTranspose1d, modules.ConvTranspose2d, modules.ConvTranspose3d)
    return 1 if isinstance(module, transposed) else 0


class SpectralNorm:
    """The forward pre-hook that sets the weight to the trained one divided by its largest singular value.

    In training mode each call makes ``n_power_iterations`` further steps of the power method, starting from the vectors ``u`` and ``v``
    of the last.
    """

    name: str
    dim: int
    n_power_iterations: int
    eps: float

    _version = 1

    def __init__(
        self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        self.name, self.dim = name, dim
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.n_power_iterations, self.eps = n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """Return the weight as a matrix, with ``dim`` first and all other dimensions merged."""
        if self.dim:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """Return the normalised weight."""
        weight, u, v = (getattr(module, self.name + suffix) for suffix in ("_orig", "_u", "_v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v = _normalize.normalize(mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    u = _normalize.normalize(mv(matrix, v), dim=0, eps=self.eps, out=u)
                u, v = u.clone(), v.clone()  # the next forward writes to the buffers
        return weight / dot(u, mv(matrix, v))

    def remove(self, module: Module) -> None:
        """Make the normalised weight the parameter."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    def _solve_v_and_rescale(self, matrix, u, sigma):
        """v for u, with ``u @ matrix @ v == sigma``: what checkpoints of before 2019 lack."""
        v = mv((matrix.t() @ matrix).pinverse() @ matrix.t(), u)
        return v.mul_(sigma / dot(u, mv(matrix, v)))

    @staticmethod
    def apply(module: Module, name: str, n_power_iterations: int, dim: int, eps: float) -> Any:
        """Install the hook on a module and return it; raise RuntimeError if there is one already."""
        if any(
            isinstance(hook, SpectralNorm) and hook.name == name
            for hook in module._forward_pre_hooks.values()
        ):
            raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        hook = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy forward before "
                "applying spectral normalization"
            )
        with no_grad():
            sizes = hook.reshape_weight_to_matrix(weight).size()
            u, v = (_normalize.normalize(weight.new_empty(n).normal_(0, 1), dim=0, eps=eps) for n in sizes)
        delattr(module, name)
        module.register_parameter(f"{name}_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(f"{name}_u", u)
        module.register_buffer(f"{name}_v", v)
        module.register_forward_pre_hook(hook)
        module._register_state_dict_hook(SpectralNormStateDictHook(hook))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(hook))
        return hook


class SpectralNormLoadStateDictPreHook:
    """Compute ``v`` for checkpoints that were written without it."""

    def __init__(self, fn: Any) -> None:
        self.fn = fn

    def __call__(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: Any,
        unexpected_keys: Any,
        error_msgs: Any,
    ) -> None:
        name = self.fn.name
        version = local_metadata.get("spectral_norm", {}).get(f"{name}.version")
        key = prefix + name
        if version is not None and version >= 1:
            return
        if (
            version is None
            and key not in state_dict
            and all(key + suffix in state_dict for suffix in ("_orig", "_u", "_v"))
        ):
            return  # of today, without metadata
        missing = [key + suffix for suffix in ("_orig", "", "_u") if key + suffix not in state_dict]
        if missing:
            if strict:
                missing_keys.extend(missing)
            return
        with no_grad():
            original = state_dict[f"{key}_orig"]
            sigma = (original / state_dict.pop(key)).mean()
            matrix = self.fn.reshape_weight_to_matrix(original)
            state_dict[f"{key}_v"] = self.fn._solve_v_and_rescale(matrix, state_dict[f"{key}_u"], sigma)


class SpectralNormStateDictHook:
    """Record the version in the metadata of the module's state."""

    def __init__(self, fn: Any) -> None:
        self.fn = fn

    def __call__(self, module: Module, state_dict: Any, prefix: str, local_metadata: Any) -> None:
        versions = local_metadata.setdefault("spectral_norm", {})
        key = f"{self.fn.name}.version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """Divide a weight by its largest singular value in each forward; return the module.

    ``dim`` is the dimension that counts outputs: 0, or 1 for transposed convolutions. Draws two random vectors for the power method.
    Raises RuntimeError if it was applied before, ValueError if there is no such parameter. [Miyato et al. 2018]

    >>> import minigrad
    >>> linear = minigrad.nn.utils.spectral_norm(minigrad.nn.Linear(3, 2), n_power_iterations=20)
    >>> y = linear(minigrad.ones(1, 3))
    >>> minigrad.linalg.matrix_norm(linear.weight, 2).round(decimals=2).item()
    1.0
    """
    SpectralNorm.apply(module, name, n_power_iterations, output_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module: Module, name: Any = "weight") -> Any:
    """Undo ``spectral_norm``: the normalised weight becomes the parameter; raise ValueError if the module has none.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.spectral_norm(minigrad.nn.Linear(3, 2))
    >>> sorted(name for name, _ in minigrad.nn.utils.remove_spectral_norm(linear).named_parameters())
    ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            break
    else:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    for hooks, kind in (
        (module._state_dict_hooks, SpectralNormStateDictHook),
        (module._load_state_dict_pre_hooks, SpectralNormLoadStateDictPreHook),
    ):
        for key, hook in hooks.items():
            ours = getattr(hook, "hook", hook)  # those before loading are wrapped
            if isinstance(ours, kind) and ours.fn.name == name:
                del hooks[key]
                break
    return module
