"""The states of models and optimizers with names that do not depend on how they are trained: without ``module.``, and parameters by name, not by number."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..._api import Tensor, no_grad, tensor, zeros_like
from ...nn import Module
from ...nn.modules.state_dict import _IncompatibleKeys
from ...nn.parallel import DistributedDataParallel
from ...optim import Optimizer
from .._groups import get_rank, is_initialized
from .._objects import all_gather_object, broadcast_object_list
from ..optim import ZeroRedundancyOptimizer

__all__ = [
    "StateDictOptions",
    "get_model_state_dict",
    "get_optimizer_state_dict",
    "get_state_dict",
    "set_model_state_dict",
    "set_optimizer_state_dict",
    "set_state_dict",
]


@dataclass
class StateDictOptions:
    """How states are got and set.

    ``full_state_dict``: all processes have all of the state of an optimizer that is shared out among them; with ``cpu_offload`` the first one only, the others get an
    empty state. ``ignore_frozen_params`` leaves out parameters without ``requires_grad``. ``strict``: whether names that are missing are an error.
    ``broadcast_from_rank0``: only the first process has a state to be set (``full_state_dict`` has to be True too). ``flatten_optimizer_state_dict`` gives the
    optimizer's state names such as ``state.weight.exp_avg``.

    >>> from minigrad.distributed.checkpoint.state_dict import StateDictOptions
    >>> StateDictOptions(strict=False).full_state_dict
    False
    """

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"


def _checked(options):
    options = options or StateDictOptions()
    if options.broadcast_from_rank0 and not options.full_state_dict:
        raise ValueError("full_state_dict must be True when broadcast_from_rank0 is True.")
    return options


def _is_wrapper(module, part):
    """Whether a part of a name leads from a wrapper, DistributedDataParallel or what ``compile`` makes, to the model in it."""
    if part == "_orig_mod":
        return type(module).__name__ == "OptimizedModule"
    return part == "module" and isinstance(module, DistributedDataParallel)


def _plain_name(model, name):
    """The name that a parameter or buffer has in the model without wrappers."""
    kept, module = [], model
    for part in name.split("."):
        if not _is_wrapper(module, part):
            kept.append(part)
        module = getattr(module, part, None)
    return ".".join(kept)


def _names(model):
    """Parameter (its id) -> its name, the first of several."""
    return {
        id(p): _plain_name(model, name)
        for name, p in reversed([*model.named_parameters(remove_duplicate=False)])
    }


def _prefixes(model, submodules):
    if not submodules:
        return None
    warnings.warn(
        "Getting submodules only model/optim state_dict is deprecated and will be removed in 2.5. This feature can be achieved by manually "
        "filtering out the state_dict returned from get_state_dict.",
        FutureWarning,
        stacklevel=4,
    )
    return [f"{_plain_name(model, name)}." for name, module in model.named_modules() if module in submodules]


def _for_rank(state, options):
    """The state, or nothing where only the first process is to have it."""
    if not options.cpu_offload:
        return state
    if options.full_state_dict and is_initialized() and get_rank():
        return {}
    return _copied(state)


def _copied(value):
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return [_copied(part) for part in value] if type(value) is list else value


def get_model_state_dict(
    model: Module, *, submodules: set[Module] | None = None, options: StateDictOptions | None = None
) -> dict[str, Any]:
    """Return the state of a model, with the names that it has without ``DistributedDataParallel`` and ``compile``.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.state_dict import get_model_state_dict
    >>> list(get_model_state_dict(minigrad.nn.Linear(2, 1)))
    ['weight', 'bias']
    """
    options = _checked(options)
    prefixes = _prefixes(model, submodules)
    state = {_plain_name(model, name): value for name, value in model.state_dict().items()}
    if options.ignore_frozen_params:
        frozen = {_plain_name(model, name) for name, p in model.named_parameters() if not p.requires_grad}
        state = {name: value for name, value in state.items() if name not in frozen}
    if prefixes is not None:
        cut = 0 if options.keep_submodule_prefixes else 1
        state = {
            name[cut * len(prefix) :]: value
            for name, value in state.items()
            for prefix in prefixes
            if name.startswith(prefix)
        }
    return _for_rank(state, options)


def set_model_state_dict(
    model: Module, model_state_dict: dict[str, Any], *, options: StateDictOptions | None = None
) -> _IncompatibleKeys:
    """Let a model have the state that ``get_model_state_dict`` gives; what ``load_state_dict`` returns.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.state_dict import get_model_state_dict, set_model_state_dict
    >>> one, two = minigrad.nn.Linear(2, 1), minigrad.nn.Linear(2, 1)
    >>> set_model_state_dict(one, get_model_state_dict(two))
    <All keys matched successfully>
    """
    options = _checked(options)
    state = _from_first(model_state_dict, options)
    if not state:
        return _IncompatibleKeys([], [])
    state = dict(state)
    for name in model.state_dict():
        plain = _plain_name(model, name)
        if plain != name:
            if plain in state:
                state[name] = state.pop(plain)
            elif options.strict:
                raise RuntimeError(f"Missing key: {plain}.")
    return model.load_state_dict(state, strict=options.strict)


def _from_first(state, options):
    """The state of the first process, where only it has one."""
    if not options.broadcast_from_rank0:
        return state
    held = [state]
    broadcast_object_list(held, src=0)
    return held[0]


def get_optimizer_state_dict(
    model: Module,
    optimizers: Optimizer | Iterable[Optimizer],
    *,
    submodules: set[Module] | None = None,
    options: StateDictOptions | None = None,
) -> dict[str, Any]:
    """Return the state of the optimizers of a model, with the names of the parameters in the place of numbers.

    An optimizer that has no state yet gets that of one step with zero gradients and a learning rate of 0. Of a ``ZeroRedundancyOptimizer`` it is the part of this process, unless ``full_state_dict`` is set.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.state_dict import get_optimizer_state_dict
    >>> model = minigrad.nn.Linear(2, 1)
    >>> list(get_optimizer_state_dict(model, minigrad.optim.Adam(model.parameters()))["state"])
    ['weight', 'bias']
    """
    options = _checked(options)
    prefixes = _prefixes(model, submodules)
    names = _names(model)
    state: dict[str, Any] = {}
    groups: list[dict[str, Any]] = []
    for optimizer in _listed(optimizers):
        _initialize(optimizer)
        held = {names[id(p)]: dict(part) for p, part in _held_state(optimizer).items()}
        if options.full_state_dict and isinstance(optimizer, ZeroRedundancyOptimizer):
            parts: list[Any] = [None] * optimizer.process_group._size
            all_gather_object(parts, held, optimizer.process_group)
            held = {name: value for part in parts for name, value in part.items()}
        order = [names[id(p)] for group in optimizer.param_groups for p in group["params"]]
        state.update({name: held[name] for name in order if name in held})
        for group in optimizer.param_groups:
            rest = {key: value for key, value in group.items() if key != "params"}
            groups.append({**rest, "params": [names[id(p)] for p in group["params"]]})
    if prefixes is not None:
        state = {name: part for name, part in state.items() if any(map(name.startswith, prefixes))}
        for group in groups:
            group["params"] = [name for name in group["params"] if any(map(name.startswith, prefixes))]
    whole = {"state": state, "param_groups": groups}
    return _for_rank(_flattened(whole) if options.flatten_optimizer_state_dict else whole, options)


def _listed(optimizers):
    return (optimizers,) if isinstance(optimizers, Optimizer) else tuple(optimizers)


def _held_state(optimizer):
    return optimizer.state_of_own() if isinstance(optimizer, ZeroRedundancyOptimizer) else optimizer.state


def _initialize(optimizer):
    """Let an optimizer that has no state have one: by a step in which nothing moves."""
    inner = optimizer.optim if isinstance(optimizer, ZeroRedundancyOptimizer) else optimizer
    if inner is None or inner.state:
        return
    parameters = [p for group in inner.param_groups for p in group["params"]]
    if any(p.grad is not None for p in parameters):
        return
    rates = [group.get("lr") for group in inner.param_groups]
    with no_grad():
        for p in parameters:
            if p.requires_grad:
                p.grad = zeros_like(p)
    for group, rate in zip(inner.param_groups, rates):
        if rate is not None:
            group["lr"] = tensor(0.0) if isinstance(rate, Tensor) else 0.0
    inner.step()
    for group, rate in zip(inner.param_groups, rates):
        if rate is not None:
            group["lr"] = rate
    inner.zero_grad(set_to_none=True)


def _flattened(state):
    flat: dict[str, Any] = {}

    def add(prefix, value):
        if isinstance(value, dict):
            for key, part in value.items():
                add(f"{prefix}.{key}", part)
        elif isinstance(value, (Tensor, int, float)):
            flat[prefix] = value
        else:
            raise NotImplementedError(
                "Flattening optimizer state_dict only supports tensor, int, float, dict states now. "
                f"Type is {type(value)}."
            )

    for name, part in state["state"].items():
        add(f"state.{name}", part)
    for group in state["param_groups"]:
        for name in group["params"]:
            flat.update(
                {f"param_groups.{name}.{key}": value for key, value in group.items() if key != "params"}
            )
    return flat


def set_optimizer_state_dict(
    model: Module,
    optimizers: Optimizer | Iterable[Optimizer],
    optim_state_dict: dict[str, Any],
    *,
    options: StateDictOptions | None = None,
) -> None:
    """Let the optimizers of a model have the state that ``get_optimizer_state_dict`` gives, of all of it their parts.

    Raises RuntimeError if that of a parameter is missing, unless ``strict`` is False.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.state_dict import get_optimizer_state_dict, set_optimizer_state_dict
    >>> model = minigrad.nn.Linear(2, 1)
    >>> optimizer = minigrad.optim.Adam(model.parameters())
    >>> set_optimizer_state_dict(model, optimizer, get_optimizer_state_dict(model, optimizer))
    """
    options = _checked(options)
    given = _from_first(optim_state_dict, options)
    names = _names(model)
    for optimizer in _listed(optimizers):
        _initialize(optimizer)
        if not given:
            continue
        held = _held_state(optimizer)
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        state, groups, first = {}, [], 0
        for group in optimizer.param_groups:
            members = [names[id(p)] for p in group["params"]]
            groups.append(
                {**_options_of(group, members, given), "params": list(range(first, first + len(members)))}
            )
            first += len(members)
        for number, p in enumerate(parameters):
            found = _state_of(names[id(p)], held.get(p), given)
            if found:
                state[number] = found
            elif p in held and options.strict:
                raise RuntimeError(
                    f"Missing optimizer state for parameter '{names[id(p)]}' in checkpoint. The parameter requires gradients but has no saved optimizer "
                    "state. To load anyway, use StateDictOptions(strict=False)."
                )
        optimizer.load_state_dict({"state": state, "param_groups": groups})


def _state_of(name, held, given):
    """What the state has for a parameter, in either form."""
    if "state" in given:
        return given["state"].get(name)
    return {
        key: _nested(f"state.{name}.{key}", given)
        for key in held or {}
        if any(f"{known}.".startswith(f"state.{name}.{key}.") for known in given)
    }


def _nested(prefix, given):
    if prefix in given:
        return given[prefix]
    keys = {name[len(prefix) + 1 :].partition(".")[0] for name in given if name.startswith(f"{prefix}.")}
    return {key: _nested(f"{prefix}.{key}", given) for key in sorted(keys)}


def _options_of(group, members, given):
    """The options that the state has for a group of parameters: those of the group in which its first parameter is."""
    own = {key: value for key, value in group.items() if key != "params"}
    if "state" in given:
        for theirs in given["param_groups"]:
            if members and members[0] in theirs["params"]:
                own.update({key: value for key, value in theirs.items() if key != "params"})
        return own
    for key in own:
        values = [given[f"param_groups.{name}.{key}"] for name in members]
        if any(value != values[0] for value in values):
            raise RuntimeError(
                f"All the parameters in the same parameter group should have the same saved param_group value. But {members[0]}.{key} is {values[0]} "
                f"while others are {values[1:]}."
            )
        own[key] = values[0] if values else own[key]
    return own


def get_state_dict(
    model: Module,
    optimizers: Optimizer | Iterable[Optimizer],
    *,
    submodules: set[Module] | None = None,
    options: StateDictOptions | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the state of a model and that of its optimizers, as ``get_model_state_dict`` and ``get_optimizer_state_dict`` give them.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.state_dict import get_state_dict
    >>> model = minigrad.nn.Linear(2, 1)
    >>> of_model, of_optimizer = get_state_dict(model, minigrad.optim.SGD(model.parameters(), 0.1))
    >>> of_optimizer["param_groups"][0]["params"]
    ['weight', 'bias']
    """
    optimizers = _listed(optimizers)
    of_model = get_model_state_dict(model, submodules=submodules, options=options)
    of_optimizers = (
        get_optimizer_state_dict(model, optimizers, submodules=submodules, options=options)
        if optimizers
        else {}
    )
    return of_model, of_optimizers


def set_state_dict(
    model: Module,
    optimizers: Optimizer | Iterable[Optimizer],
    *,
    model_state_dict: dict[str, Any],
    optim_state_dict: dict[str, Any],
    options: StateDictOptions | None = None,
) -> _IncompatibleKeys:
    """Let a model and its optimizers have the states that ``get_state_dict`` gives.

    >>> import minigrad
    >>> from minigrad.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
    >>> model = minigrad.nn.Linear(2, 1)
    >>> optimizer = minigrad.optim.SGD(model.parameters(), 0.1)
    >>> of_model, of_optimizer = get_state_dict(model, optimizer)
    >>> set_state_dict(model, optimizer, model_state_dict=of_model, optim_state_dict=of_optimizer)
    <All keys matched successfully>
    """
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return set_model_state_dict(model, model_state_dict, options=options)
