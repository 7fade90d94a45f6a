"""Modules that learn their sizes from the first input."""

from itertools import chain
from typing import Any

from ..._api import no_grad
from ..parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """A mixin for modules that create their parameters when they see their first input; it precedes ``Module`` among the bases.

    ``initialize_parameters(*args, **kwargs)`` receives the arguments of the first ``forward`` and materialises the parameters; the
    module's class then becomes ``cls_to_become``.

    >>> import minigrad
    >>> layer = minigrad.nn.LazyLinear(2)
    >>> layer(minigrad.ones(1, 3)).shape, layer
    (torch.Size([1, 2]), Linear(in_features=3, out_features=2, bias=True))
    """

    _buffers: Any
    _parameters: Any
    _register_load_state_dict_pre_hook: Any
    register_forward_pre_hook: Any

    cls_to_become: type | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        buffers = (pair for pair in self._buffers.items() if pair[0] not in self._non_persistent_buffers_set)
        for name, tensor in chain(self._parameters.items(), buffers):
            if tensor is not None:
                destination[prefix + name] = tensor if keep_vars or is_lazy(tensor) else tensor.detach()

    def _lazy_load_hook(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        """Before a state dict is loaded: give what is not initialised here the shapes that it has there."""
        for name, tensor in chain(self._parameters.items(), self._buffers.items()):
            found = state_dict.get(prefix + name)
            if is_lazy(tensor) and found is not None and not is_lazy(found):
                with no_grad():
                    tensor.materialize(found.shape)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> Any:
        """Materialise the parameters for an input; subclasses must define it."""
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        """Return whether any of the module's own parameters or buffers is uninitialized."""
        return any(map(is_lazy, chain(self._parameters.values(), self._buffers.values())))

    def _infer_parameters(self, module, args, kwargs=None):
        """The hook before the first forward."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        for hook in ("_initialize_hook", "_load_hook"):
            getattr(module, hook).remove()
            delattr(module, hook)
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy forward pass to correctly "
            "initialize the modules"
        )
