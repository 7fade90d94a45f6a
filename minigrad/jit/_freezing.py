"""``freeze``: modules whose parameters are constants."""

import copy
from typing import Any

from ..nn import Module
from ._script import RecursiveScriptModule, ScriptModule

__all__ = []


class _Frozen(RecursiveScriptModule):
    """A module without parameters, buffers and submodules to be seen: it computes with those that the other module had."""

    def __init__(self, module: Module, preserved: Any) -> None:
        running = copy.deepcopy(module._running if isinstance(module, RecursiveScriptModule) else module)
        for parameter in running.parameters():
            parameter.requires_grad_(False)
        super().__init__(running)
        self.__dict__["_preserved"] = {"training", *preserved}
        own = self.__dict__
        own["_running"] = running
        for kind in ("_parameters", "_buffers", "_modules"):
            own[kind] = {}

    def __getattr__(self, name: str) -> Any:
        kept = self.__dict__.get("_preserved", ())
        if name.partition(".")[0] in kept or name[:2] == "__":
            return getattr(self._running, name)
        raise AttributeError(f"'RecursiveScriptModule' object has no attribute '{name}'")

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)(self._running, self._preserved)

    def __repr__(self) -> str:
        return f"RecursiveScriptModule(original_name={self.original_name})"


def freeze(mod: Any, preserved_attrs: list[str] | None = None, optimize_numerics: bool = True) -> Any:
    """Return a scripted module in eval mode whose parameters and buffers are constants from now on: it has none, and its results stay as they are.

    ``preserved_attrs`` names attributes and methods, beside ``forward``, that it is to keep.  Raises RuntimeError for a module that is not scripted or trains.

    >>> import minigrad
    >>> net = minigrad.jit.freeze(minigrad.jit.script(minigrad.nn.Linear(2, 1).eval()))
    >>> list(net.parameters())
    []
    """
    if not isinstance(mod, ScriptModule):
        raise RuntimeError(
            "Freezing expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your 'nn.Module'."
        )
    if mod.training:
        raise RuntimeError(
            "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module before freezing."
        )
    return _Frozen(mod, preserved_attrs or ())


def run_frozen_optimizations(
    mod: Any, optimize_numerics: bool = True, preserved_methods: list[str] | None = None
) -> None:
    """Do nothing: there are no such optimizations.

    >>> import minigrad
    >>> minigrad.jit.run_frozen_optimizations(None)
    """


def optimize_for_inference(mod: Any, other_methods: list[str] | None = None) -> Any:
    """Freeze a scripted module in eval mode; see ``freeze``. Raises RuntimeError for a module that is not scripted.

    >>> import minigrad
    >>> net = minigrad.jit.optimize_for_inference(minigrad.jit.script(minigrad.nn.Linear(2, 1)))
    >>> net(minigrad.ones(3, 2)).shape
    torch.Size([3, 1])
    """
    if not isinstance(mod, ScriptModule):
        raise RuntimeError(
            "optimize_for_inference expects a ScriptModule as input. Please use torch.jit.script or torch.jit.trace to script your 'nn.Module'."
        )
    return mod if isinstance(mod, _Frozen) else freeze(mod.eval(), other_methods)
