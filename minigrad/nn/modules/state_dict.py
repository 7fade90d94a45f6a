"""Loading a ``state_dict`` into modules: what each takes from it, what is missing, left over, or does not fit."""

import itertools
from collections import namedtuple

from ..._api import Tensor, no_grad
from ..parameter import Parameter, is_lazy

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What ``load_state_dict`` did not find, and what it had no use for."""

    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


def load_all(module, state, prefix, metadata, assign, missing, unexpected, errors):
    """Load ``state``, all of whose keys begin with ``prefix``, into ``module`` and those below it."""
    local = {} if metadata is None else metadata.get(prefix[:-1], {})
    if assign:
        local["assign_to_params_buffers"] = assign
    module._load_from_state_dict(state, prefix, local, True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            below = f"{prefix}{name}."
            part = {key: value for key, value in state.items() if key.startswith(below)}
            load_all(child, part, below, metadata, assign, missing, unexpected, errors)
    incompatible = _IncompatibleKeys(missing, unexpected)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, incompatible) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
                "incompatible_keys need to be modified, it should be done inplace."
            )


def load_own(module, state_dict, prefix, metadata, strict, missing, unexpected, errors):
    """Take a module's own state, without those below, from ``state_dict``; what goes wrong is noted in the three lists."""
    buffers = (
        (name, b) for name, b in module._buffers.items() if name not in module._non_persistent_buffers_set
    )
    own = {name: x for name, x in itertools.chain(module._parameters.items(), buffers) if x is not None}
    assign = metadata.get("assign_to_params_buffers", False)
    for name, tensor in own.items():
        key = prefix + name
        if key in state_dict:
            error = load_tensor(module, name, key, tensor, state_dict[key], assign)
            if error is not None:
                errors.append(error)
        elif strict:
            missing.append(key)
    extra_key = prefix + _EXTRA_STATE_KEY_SUFFIX
    if module._has_extra_state("set_extra_state"):
        if extra_key in state_dict:
            module.set_extra_state(state_dict[extra_key])
        elif strict:
            missing.append(extra_key)
    elif strict and extra_key in state_dict:
        unexpected.append(extra_key)
    if strict:
        for key in state_dict:
            if key.startswith(prefix) and key != extra_key:
                name, *below = key[len(prefix) :].split(".", 1)
                if name not in (module._modules if below else own):
                    unexpected.append(key)


def load_tensor(module, name, key, tensor, found, assign):
    """Copy ``found`` into (or, to ``assign``, put it in place of) the registered ``tensor``; returns a message if it cannot be."""
    if not isinstance(found, Tensor) and not hasattr(found, "__torch_function__"):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
            f"received {type(found)}"
        )
    if not is_lazy(tensor):
        if not tensor.ndim and found.shape == (1,):
            found = found[0]  # files of version 0.3 had no 0-dim tensors
        if found.shape != tensor.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {found.shape} from checkpoint, the shape in current model "
                f"is {tensor.shape}."
            )
    try:
        with no_grad():
            if not assign:
                tensor.copy_(found)
            elif isinstance(tensor, Parameter):
                if isinstance(found, Parameter):
                    found.requires_grad_(tensor.requires_grad)
                else:
                    found = Parameter(found, requires_grad=tensor.requires_grad)
                setattr(module, name, found)
            else:
                setattr(module, name, found)
    except Exception as error:
        return (
            f'While copying the parameter named "{key}", whose dimensions in the model are {tensor.size()} and whose '
            f"dimensions in the checkpoint are {found.size()}, an exception occurred : {error.args}."
        )
    return None
