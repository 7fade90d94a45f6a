"""Modules as functions of the list of their parameters: the forms before ``func.functional_call`` and ``func.stack_module_state``."""

import copy

from .._api import no_grad, stack
from ..func.modules import functional_call
from ..nn import Module, Parameter

__all__ = [
    "FunctionalModule",
    "FunctionalModuleWithBuffers",
    "combine_state_for_ensemble",
    "make_functional",
    "make_functional_with_buffers",
]


class FunctionalModuleWithBuffers(Module):
    """A module without parameters and buffers of its own: it is called with tuples of both, then the arguments of ``forward``."""

    def __init__(self, stateless_model, param_names, buffer_names):
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = tuple(param_names)
        self.buffer_names = tuple(buffer_names)

    @staticmethod
    def _create_from(model, disable_autograd_tracking=False):
        stateless, params = _taken_out(model, disable_autograd_tracking)
        buffers = dict(model.named_buffers())
        return (
            FunctionalModuleWithBuffers(stateless, params, buffers),
            tuple(params.values()),
            tuple(buffers.values()),
        )

    def forward(self, params, buffers, *args, **kwargs):
        """What the module computes with these parameters and buffers."""
        given = {**dict(zip(self.param_names, params)), **dict(zip(self.buffer_names, buffers))}
        return functional_call(self.stateless_model, given, args, kwargs)


class FunctionalModule(Module):
    """A module without parameters of its own: it is called with a tuple of them, then the arguments of ``forward``."""

    def __init__(self, stateless_model, param_names):
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names = tuple(param_names)

    @staticmethod
    def _create_from(model, disable_autograd_tracking=False):
        stateless, params = _taken_out(model, disable_autograd_tracking)
        return FunctionalModule(stateless, params), tuple(params.values())

    def forward(self, params, *args, **kwargs):
        """What the module computes with these parameters."""
        return functional_call(self.stateless_model, dict(zip(self.param_names, params)), args, kwargs)


def _taken_out(model, disable_autograd_tracking):
    """(a copy of the module, whose parameters are on the device meta; copies of the parameters, by name)."""
    own = copy.deepcopy(model)
    params = dict(own.named_parameters())
    if disable_autograd_tracking:
        for param in params.values():
            param.requires_grad_(False)
    stateless = copy.deepcopy(model)
    blank = {
        id(param): Parameter(param.detach().to("meta"), param.requires_grad)
        for param in stateless.parameters()
    }
    for module in stateless.modules():
        for name, param in module._parameters.items():
            if param is not None:
                module._parameters[name] = blank[id(param)]
    return stateless, params


def make_functional(model, disable_autograd_tracking=False):
    """Split a module without buffers into (a function of the parameters and the arguments, the tuple of the parameters).

    With ``disable_autograd_tracking`` the parameters do not require grad. Raises RuntimeError for a module with buffers.

    >>> import minigrad
    >>> function, parameters = minigrad._functorch.make_functional.make_functional(minigrad.nn.Linear(2, 1))
    >>> function(parameters, minigrad.ones(3, 2)).shape
    torch.Size([3, 1])
    """
    if any(True for _ in model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    return FunctionalModule._create_from(model, disable_autograd_tracking)


def make_functional_with_buffers(model, disable_autograd_tracking=False):
    """Split a module into (a function of parameters, buffers and arguments, the parameters, the buffers); see ``make_functional``.

    >>> import minigrad
    >>> function, parameters, buffers = minigrad._functorch.make_functional.make_functional_with_buffers(minigrad.nn.BatchNorm1d(2))
    >>> len(parameters), len(buffers)
    (2, 3)
    """
    return FunctionalModuleWithBuffers._create_from(model, disable_autograd_tracking)


def combine_state_for_ensemble(models):
    """Return (function, stacked parameters, stacked buffers) of several modules of one class, for ``vmap`` over all of them.

    Raises RuntimeError unless they are of one class and in the same mode.

    >>> import minigrad
    >>> _, parameters, _ = minigrad._functorch.make_functional.combine_state_for_ensemble([minigrad.nn.Linear(2, 1) for _ in range(3)])
    >>> [tuple(p.shape) for p in parameters]
    [(3, 1, 2), (3, 1)]
    """
    if not models:
        raise RuntimeError("combine_state_for_ensemble: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError(
            "combine_state_for_ensemble: Expected all models to have the same training/eval mode."
        )
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("combine_state_for_ensemble: Expected all models to be of the same class.")
    functions, params, buffers = zip(*[make_functional_with_buffers(model) for model in models])
    with no_grad():
        return (
            functions[0],
            tuple([stack(parts).detach() for parts in zip(*params)]),
            tuple([stack(parts).detach() for parts in zip(*buffers)]),
        )
