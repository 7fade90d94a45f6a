"""The ``state_dict`` of modules: making one, and loading it: what each takes from it, what is missing, left over, or does not fit."""

import itertools
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any

from ..._api import Tensor, no_grad
from ..parameter import Parameter, is_lazy

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What ``load_state_dict`` did not find, and what it had no use for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


def load_all(
    module: Any,
    state: Any,
    prefix: str,
    metadata: Any,
    assign: bool,
    missing: Any,
    unexpected: Any,
    errors: Any,
) -> None:
    """Load ``state``, whose keys all begin with ``prefix``, into ``module`` and its descendants."""
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


def load_own(
    module: Any,
    state_dict: Any,
    prefix: str,
    metadata: Any,
    strict: bool,
    missing: Any,
    unexpected: Any,
    errors: Any,
) -> None:
    """Load a module's own state, without its descendants', from ``state_dict``; problems are added to the three lists."""
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


def load_tensor(module: Any, name: str, key: Any, tensor: Tensor, found: Any, assign: bool) -> str | None:
    """Copy ``found`` into the registered ``tensor``, replace it if ``assign``, or swap them if ``__future__`` says so; return a message if
    that fails.
    """
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
    from ... import __future__ as settings

    swaps = settings.get_swap_module_params_on_conversion()
    try:
        with no_grad():
            if swaps:
                _swap_in(tensor, found, assign)
            elif not assign:
                if tensor.is_meta and not found.is_meta:
                    warnings.warn(
                        f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, which is "
                        "a no-op. Pass `assign=True` to have the tensors of the checkpoint put in the places of the module's, or give the module "
                        "memory first, by to_empty().",
                        stacklevel=6,
                    )
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
            f'While {"swapping" if swaps else "copying"} the parameter named "{key}", whose dimensions in the model are {tensor.size()} and whose '
            f"dimensions in the checkpoint are {found.size()}, an exception occurred : {error.args}."
        )
    return None


def _swap_in(tensor, found, assign):
    """Let the registered ``tensor`` become what its ``module_load`` makes of ``found``."""
    from ...utils import swap_tensors

    made = tensor.module_load(found, assign=assign)
    if made is found or made is tensor:
        raise RuntimeError(
            "module_load returned one of self or other, please .detach() the result if returning one of the inputs in module_load"
        )
    if isinstance(tensor, Parameter):
        if isinstance(made, Parameter):
            made.requires_grad_(tensor.requires_grad)
        else:
            made = Parameter(made, requires_grad=tensor.requires_grad)
    swap_tensors(tensor, made)


# Methods of ``Module`` ------------------------------------------------------------------------------------------


def _save_to_state_dict(self, destination, prefix, keep_vars):
    """Put the state of this module, without those below, into ``destination``."""
    for name, parameter in self._parameters.items():
        if parameter is not None:
            destination[prefix + name] = parameter if keep_vars else parameter.detach()
    for name, buffer in self._buffers.items():
        if buffer is not None and name not in self._non_persistent_buffers_set:
            destination[prefix + name] = buffer if keep_vars else buffer.detach()
    if self._has_extra_state("get_extra_state"):
        destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()


def state_dict(
    self: Any, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
) -> Any:
    """Return all parameters and persistent buffers of the module and its descendants, by their dotted names.

    The tensors share memory with the module; they are detached unless ``keep_vars``.

    >>> from minigrad import nn
    >>> list(nn.Sequential(nn.Linear(1, 1)).state_dict())
    ['0.weight', '0.bias']
    """
    if args:
        warnings.warn(
            "Positional args are being deprecated, use kwargs instead. Pass destination, prefix and keep_vars by name.",
            FutureWarning,
            stacklevel=2,
        )
        given = (destination, prefix, keep_vars)
        destination, prefix, keep_vars = args + given[len(args) :]
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    local_metadata = {"version": self._version}
    versions = getattr(destination, "_metadata", None)
    if versions is not None:
        versions[prefix[:-1]] = local_metadata
    for hook in self._state_dict_pre_hooks.values():
        hook(self, prefix, keep_vars)
    self._save_to_state_dict(destination, prefix, keep_vars)
    for name, child in self._modules.items():
        if child is not None:
            child.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    for hook in self._state_dict_hooks.values():
        changed = hook(self, destination, prefix, local_metadata)
        if changed is not None:
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = changed
    return destination


def load_state_dict(
    self: Any, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
) -> Any:
    """Copy the tensors of ``state_dict`` into parameters and buffers, or with ``assign`` replace them.

    Returns (missing_keys, unexpected_keys). Raises RuntimeError for different shapes and, if ``strict``, for missing or unexpected keys;
    TypeError if the argument is not a mapping.
    """
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing, unexpected, errors = [], [], []
    metadata = getattr(state_dict, "_metadata", None)
    state_dict = OrderedDict(state_dict)
    if metadata is not None:
        state_dict._metadata = metadata  # type: ignore[attr-defined]

    load_all(self, state_dict, "", metadata, assign, missing, unexpected, errors)
    if strict:
        for keys, what in ((unexpected, "Unexpected"), (missing, "Missing")):
            if keys:
                errors.insert(
                    0, f"{what} key(s) in state_dict: " + ", ".join(f'"{key}"' for key in keys) + ". "
                )
    if errors:
        text = "\n\t".join(errors)
        raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{text}")
    return _IncompatibleKeys(missing, unexpected)
