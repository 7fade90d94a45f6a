"""Modules as functions of their parameters: ``functional_call`` and what goes with it.

A module is known here by what it has (``_parameters``, ``_buffers``, ``_modules``): this file stands below ``nn``.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from .._core.tensor import Tensor
from .._ops.join import stack

__all__ = ["functional_call", "replace_all_batch_norm_modules_", "stack_module_state"]


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: dict[str, Tensor] | Sequence[dict[str, Tensor]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call ``module`` with other tensors in the places of its parameters and buffers: ``module(*args, **kwargs)``.

    ``parameter_and_buffer_dicts``: a dictionary of tensors by name, or several with different keys.  What the module writes to its buffers is seen
    there, not in the module.  ``tie_weights``: a tensor given for one of several names of the same parameter is meant for all of them.

    Raises ValueError for keys that occur twice, or for different tensors for one parameter; RuntimeError with ``strict`` for keys that are missing or
    unknown.

    >>> import minigrad
    >>> model = minigrad.nn.Linear(2, 1, bias=False)
    >>> minigrad.func.functional_call(model, {"weight": minigrad.tensor([[1., 10.]])}, minigrad.tensor([3., 4.]))
    tensor([43.])
    """
    if isinstance(parameter_and_buffer_dicts, dict):
        given = parameter_and_buffer_dicts
    elif isinstance(parameter_and_buffer_dicts, Sequence):
        given = joined(parameter_and_buffer_dicts)
    else:
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(parameter_and_buffer_dicts)}"
        )
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with holding(module, given, tie_weights, strict):
        return module(*args, **(kwargs or {}))


def joined(dicts: Any) -> Any:
    """Several dictionaries as one; raises ValueError for a key that two of them have."""
    if not all(isinstance(d, dict) for d in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    keys = [key for d in dicts for key in d]
    repeated = [key for key in dict.fromkeys(keys) if keys.count(key) > 1]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
        )
    return {key: value for d in dicts for key, value in d.items()}


@contextlib.contextmanager
def holding(module: Any, given: Any, tie_weights: bool = False, strict: bool = False) -> Iterator[Any]:
    """Inside, ``module`` has the tensors of ``given``; what it put in their places is in ``given`` afterwards."""
    tensors = tied(module, given) if tie_weights else given
    if strict:
        check_keys(module, tensors)
    places: dict[str, Any] = {name: place(module, name) for name in tensors}
    before: dict[str, Any] = {}
    try:
        for name, tensor in tensors.items():
            before[name] = swapped(*places[name], tensor)  # type: ignore[call-arg]
        yield
    finally:
        after = {name: swapped(*places[name], tensor) for name, tensor in before.items()}  # type: ignore[call-arg]
        given.update({name: after[name] for name in given if name in after})


def place(module: Any, path: str) -> Any:
    """(the submodule, the last part) of a dotted name; raises AttributeError if there is no such submodule."""
    *parents, name = path.split(".")
    for depth, part in enumerate(parents, 1):
        owner = module
        module = getattr(owner, part, None)
        if module is None:
            raise AttributeError(f"{owner._get_name()} has no attribute `{part}`")
        if not hasattr(module, "_parameters"):
            raise TypeError(
                f"submodule `{'.'.join(parents[:depth])}`: {module} is not an instance of torch.nn.Module"
            )
    return module, name


_MISSING = object()


def swapped(module: Any, name: str, tensor: Any) -> Any:
    """Put ``tensor`` in the place of a parameter, buffer or attribute (nothing, if it is ``_MISSING``); returns what was there."""
    if tensor is not _MISSING and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if not name:
        raise KeyError('tensor name can\'t be empty string ""')
    for held in (module._parameters, module._buffers):
        if name in held:
            was = held[name]
            if tensor is _MISSING:
                del held[name]
            else:
                held[name] = tensor
            return was
    was = getattr(module, name, _MISSING)
    if was is not _MISSING and was is not None and not isinstance(was, Tensor):
        raise TypeError(f"attribute `{name}`: {was} is not an instance of torch.Tensor")
    if tensor is not _MISSING:
        setattr(module, name, tensor)
    elif was is not _MISSING:
        delattr(module, name)
    return was


def named_tensors(module: Any) -> Any:
    """Return all parameters and buffers of a module, by all of their names."""
    return {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }


def tied(module: Any, given: Any) -> Any:
    """``given``, with a tensor for one name of a parameter given for its other names too; raises ValueError if they differ."""
    names_of = {}
    for name, tensor in named_tensors(module).items():
        names_of.setdefault(id(tensor), set()).add(name)
    result = dict(given)
    for names in names_of.values():
        found = names & given.keys()
        if len(names) == 1 or not found:
            continue
        if len({id(given[name]) for name in found}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(names)}, which are tied. Consider using tie_weights=False"
            )
        value = given[next(iter(found))]
        result.update(dict.fromkeys(names, value))
    return result


def check_keys(module: Any, given: Any) -> None:
    """Raise RuntimeError unless ``given`` names all parameters and buffers, and nothing else."""
    known = named_tensors(module)
    unexpected = sorted(given.keys() - known.keys())
    missing = sorted(known.keys() - given.keys())
    messages = []
    if unexpected:
        messages.append(f"Unexpected key(s): {', '.join(map(repr, unexpected))}.")
    if missing:
        messages.append(f"Missing key(s): {', '.join(map(repr, missing))}.")
    if messages:
        lines = "\n\t".join(messages)
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:\n\t{lines}")


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters and the buffers of several modules of one class, stacked by name: (parameters, buffers), for ``vmap`` over an ensemble.

    The stacked parameters are new leaves.  Raises RuntimeError unless the modules are of one class and in the same mode, and agree on which parameters
    require grad.

    >>> import minigrad
    >>> models = [minigrad.nn.Linear(2, 3) for _ in range(4)]
    >>> parameters, buffers = minigrad.func.stack_module_state(models)
    >>> parameters["weight"].shape, buffers
    (torch.Size([4, 3, 2]), {})
    """
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return (
        {name: stacked([p[name] for p in parameters], name) for name in parameters[0]},
        {name: stacked([b[name] for b in buffers], name) for name in buffers[0]},
    )


def stacked(tensors: Any, name: str) -> Any:
    """Return a new leaf, if the tensors require grad: they must agree about that."""
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    result = stack(tensors)
    return result.detach().requires_grad_() if wanted == {True} else result


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Make the batch norms in the module ``root`` forget their running statistics, which ``vmap`` cannot update; returns ``root``.

    >>> import minigrad
    >>> net = minigrad.nn.Sequential(minigrad.nn.Linear(2, 3))
    >>> minigrad.func.replace_all_batch_norm_modules_(net) is net
    True
    """
    for module in root.modules():
        forget_running_stats(module)
    return root


def forget_running_stats(module):
    """Make a batch norm forget its running statistics; of other modules nothing."""
    is_batch_norm = any(base.__name__ == "_BatchNorm" for base in type(module).__mro__)
    if is_batch_norm and module.track_running_stats:
        module.running_mean = module.running_var = module.num_batches_tracked = None
        module.track_running_stats = False
