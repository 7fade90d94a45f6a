"""``Optimizer``: parameter groups, state, hooks, state dicts; each optimizer stands in a file of its own.

What the optimizers themselves share is in ``_formula.py``.
"""

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any, TypeAlias

from .. import autograd
from .._api import (
    Tensor,
    _dtypes,
    _RemovableHandle,
    get_default_dtype,
    is_complex,
    is_grad_enabled,
    set_grad_enabled,
    typename,
    view_as_real,
)
from .._api import _RemovableHandle as RemovableHandle
from ..utils._foreach_utils import (
    _get_foreach_kernels_supported_devices as _get_foreach_kernels_supported_devices,
)
from ..utils._foreach_utils import (
    _get_fused_kernels_supported_devices as _get_fused_kernels_supported_devices,
)
from ..utils._foreach_utils import _group_tensors_by_device_and_dtype as _group_tensors_by_device_and_dtype

__all__ = ["Optimizer", "register_optimizer_step_post_hook", "register_optimizer_step_pre_hook"]

ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]

_global_optimizer_pre_hooks: OrderedDict[Any, Any] = OrderedDict()
_global_optimizer_post_hooks: OrderedDict[Any, Any] = OrderedDict()


class _RequiredParameter:
    """Stands for a default that each group has to give."""

    def __repr__(self) -> str:
        return "<required parameter>"


required: Any = _RequiredParameter()


def _add(hooks, hook, prepend=False):
    """Register ``hook``; returns the handle."""
    handle = _RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(
    hook: "Callable[[Optimizer, tuple[Any, ...], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]] | None]",
) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` before each step of any optimizer; return a handle with ``remove()``.

    >>> import minigrad
    >>> from minigrad.optim.optimizer import register_optimizer_step_pre_hook
    >>> handle = register_optimizer_step_pre_hook(lambda optimizer, args, kwargs: print("before"))
    >>> minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=0.1).step()
    before
    >>> handle.remove()
    """
    return _add(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(
    hook: "Callable[[Optimizer, tuple[Any, ...], dict[str, Any]], None]",
) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` after each step of any optimizer; return a handle with ``remove()``.

    >>> import minigrad
    >>> from minigrad.optim.optimizer import register_optimizer_step_post_hook
    >>> handle = register_optimizer_step_post_hook(lambda optimizer, args, kwargs: print("after"))
    >>> minigrad.optim.SGD([minigrad.ones(1, requires_grad=True)], lr=0.1).step()
    after
    >>> handle.remove()
    """
    return _add(_global_optimizer_post_hooks, hook)


def _use_grad_for_differentiable(func):
    """``func``, a step, with grad mode on if the optimizer is ``differentiable``, and off otherwise."""

    @functools.wraps(func)
    def step(self, *args, **kwargs):
        before = is_grad_enabled()
        set_grad_enabled(self.defaults["differentiable"])
        try:
            return func(self, *args, **kwargs)
        finally:
            set_grad_enabled(before)

    return step


# Helpers under PyTorch's names, which optimizers of other libraries import.


def _get_value(x):
    """The number that a tensor holds; anything else as it is."""
    return x.item() if isinstance(x, Tensor) else x


def _to_scalar(x):
    """A tensor of one element without dimensions; anything else as it is."""
    return x.squeeze() if isinstance(x, Tensor) and x.dim() else x


def _stack_if_compiling(x):
    """``x``: nothing is compiled."""
    return x


def _disable_dynamo_if_unsupported(single_tensor_fn=None):
    """A decorator that leaves a function as it is: nothing is compiled."""
    return lambda function: function


def _get_scalar_dtype(is_fused=None):
    """The dtype of numbers of steps: float64 if that is the default dtype, and the step is not fused."""
    default = get_default_dtype()
    return default if default == _dtypes.float64 and not is_fused else _dtypes.float32


def _view_as_real(params, *state_and_grads):
    """Put views as pairs of numbers in the place of complex parameters, and of what belongs to them in the other lists."""
    for i, parameter in enumerate(params):
        if is_complex(parameter):
            for tensors in (params, *state_and_grads):
                tensors[i] = view_as_real(tensors[i])


def _get_capturable_supported_devices(supports_xla=True):
    """The kinds of devices for which PyTorch's optimizers accept ``capturable=True``."""
    return ["cuda", "xpu", "hpu", "privateuseone", *(["xla"] if supports_xla else [])]


def _device_dtype_check_for_fused(p, cuda_unsupported=False):
    """Raise RuntimeError unless a fused step could take the tensor ``p``."""
    devices = [
        name for name in _get_fused_kernels_supported_devices() if not (cuda_unsupported and name == "cuda")
    ]
    if p.device.type not in devices or not p.is_floating_point():
        raise RuntimeError(
            f"`fused=True` requires all the params to be floating point Tensors of supported devices: {devices} but {p.dtype} and {p.device.type}"
        )


#: What the docstrings of optimizers say about options that many of them have.
_params_doc = "params (iterable): the parameters, (name, parameter) pairs, or dicts of groups"
_maximize_doc = "maximize (bool, optional): follow the gradient upwards (default: False)"
_foreach_doc = "foreach (bool, optional): whether small parameters are laid side by side in memory and moved as one (default: None)"
_fused_doc = "fused (bool, optional): accepted; all parameters are updated alike (default: None)"
_capturable_doc = (
    "capturable (bool, optional): whether steps can be captured by an accelerator's graph (default: False)"
)
_differentiable_doc = "differentiable (bool, optional): whether steps can be differentiated (default: False)"


def _default_to_fused_or_foreach(params, differentiable, use_fused=False):
    """(fused, foreach), where the user has asked for neither: on the CPU a loop over the parameters, unless ``use_fused`` and all are floating-point."""
    plain = all(p is None or (isinstance(p, Tensor) and p.is_floating_point()) for p in params)
    return use_fused and not differentiable and plain, False


class Optimizer:
    """The base class of all optimizers; subclasses define ``step``.

    ``params`` holds tensors, pairs (name, tensor), or dicts, each a group with its own options; ``defaults`` holds the options for groups
    that do not set them. Raises TypeError or ValueError for tensors that cannot be optimised.
    """

    _optimizer_load_state_dict_post_hooks: Any
    _optimizer_load_state_dict_pre_hooks: Any
    _optimizer_state_dict_post_hooks: Any
    _optimizer_state_dict_pre_hooks: Any
    _optimizer_step_post_hooks: Any
    _optimizer_step_pre_hooks: Any

    state: Any
    param_groups: list[Any]

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        defaults: dict[str, Any],
    ) -> None:
        self.defaults = defaults
        self._begin_hooks()
        self._patch_step_function()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + typename(params)
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    _HOOKS = (
        "_optimizer_step_pre_hooks",
        "_optimizer_step_post_hooks",
        "_optimizer_state_dict_pre_hooks",
        "_optimizer_state_dict_post_hooks",
        "_optimizer_load_state_dict_pre_hooks",
        "_optimizer_load_state_dict_post_hooks",
    )

    def _begin_hooks(self):
        for name in self._HOOKS:
            self.__dict__.setdefault(name, OrderedDict())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin_hooks()
        self._patch_step_function()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"

    # Steps ----------------------------------------------------------------------------------------------------------------

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Perform one optimization step; ``closure`` recomputes the loss, which is returned."""
        raise NotImplementedError

    def _patch_step_function(self):
        """Have the class's ``step`` call the hooks."""
        cls = type(self)
        if not getattr(cls.step, "hooked", False):
            cls.step = self.profile_hook_step(cls.step)
            cls.step.hooked = True

    @staticmethod
    def profile_hook_step(func: Callable[..., Any]) -> Any:
        """``func``, a step, with the hooks around it."""

        @functools.wraps(func)
        def step(*args, **kwargs):
            self = args[0]
            if autograd._profiler_enabled():
                with _shown_as(self, "step"):
                    return _step_with_hooks(self, func, args, kwargs)
            if (
                self._optimizer_step_pre_hooks
                or self._optimizer_step_post_hooks
                or _global_optimizer_pre_hooks
                or _global_optimizer_post_hooks
            ):
                return _step_with_hooks(self, func, args, kwargs)
            return func(*args, **kwargs)

        return step

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or with ``set_to_none=False`` set them to zero."""
        if autograd._profiler_enabled():
            with _shown_as(self, "zero_grad"):
                return self._clear_grads(set_to_none)
        return self._clear_grads(set_to_none)

    def _clear_grads(self, set_to_none):
        for group in self.param_groups:
            for p in group["params"]:
                if set_to_none:
                    p.grad = None
                    continue
                grad = p.grad
                if grad is not None:
                    if grad.grad_fn is not None:
                        grad.detach_()
                    else:
                        grad.requires_grad_(False)
                    grad.zero_()

    # Groups ---------------------------------------------------------------------------------------------------------------

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group: a dict with ``params`` and options; missing options take their defaults.

        Raises TypeError or ValueError for tensors that cannot be optimised, or are in another group.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections: a set may have another order in the "
                "next run. Give a list."
            )
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [p[0] for p in params if isinstance(p, tuple)]
        if names:
            if len(names) != len(params):
                raise ValueError(
                    "all optimizer params should be with/without names. Some param names are missing"
                )
            param_group["param_names"] = names
            params = [p[1] for p in params]
        param_group["params"] = params
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is " + typename(p)
                )
            if not self.defaults.get("differentiable") and not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        values = {**self.defaults, **param_group}
        for name in self.defaults:
            if values[name] is required:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            param_group.setdefault(name, values[name])
        if len(params) != len(set(params)):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error: such "
                "a parameter would be updated once per occurrence",
                stacklevel=3,
            )
        for group in self.param_groups:
            if ("param_names" in param_group) != ("param_names" in group):
                which = "with names" if "param_names" in param_group else "without names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param group "
                    f"{which} to the optimizer"
                )
            if not set(group["params"]).isdisjoint(params):
                raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    # Hooks ----------------------------------------------------------------------------------------------------------------

    def register_step_pre_hook(
        self,
        hook: Callable[[Any, tuple[Any, ...], dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]] | None],
    ) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` before each step; it may return other (args, kwargs)."""
        return _add(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(
        self, hook: Callable[[Any, tuple[Any, ...], dict[str, Any]], None]
    ) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return _add(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(
        self, hook: "Callable[[Optimizer], None]", prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer)`` before ``state_dict``."""
        return _add(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(
        self, hook: "Callable[[Optimizer, dict[str, Any]], dict[str, Any] | None]", prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` after ``state_dict``; it may return another one."""
        return _add(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: "Callable[[Optimizer, dict[str, Any]], dict[str, Any] | None]", prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` before ``load_state_dict``; it may return another one."""
        return _add(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: "Callable[[Optimizer], None]", prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer)`` after ``load_state_dict``."""
        return _add(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # State dicts ----------------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return the state and the groups as a dict, with parameters as numbers: ``{"state": {0: ...}, "param_groups": [...]}``."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers = {}
        for i, p in enumerate(chain.from_iterable(group["params"] for group in self.param_groups)):
            numbers.setdefault(id(p), i)
        groups = [
            {
                **{key: value for key, value in group.items() if key != "params"},
                "params": [numbers[id(p)] for p in group["params"]],
            }
            for group in self.param_groups
        ]
        state = {numbers[id(p)] if isinstance(p, Tensor) else p: value for p, value in self.state.items()}
        packed = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, packed)
            if changed is not None:
                packed = changed
        return packed

    @staticmethod
    def _process_value_according_to_param_policy(param, value, param_id, param_groups, key=None):
        """A tensor of a loaded state for its parameter: ``step`` keeps its dtype unless the step is ``fused``."""
        if key == "step":
            options = next((group for group in param_groups if param_id in group["params"]), {})
            return value.float() if options.get("fused") or options.get("capturable") else value
        return value.to(param.dtype) if param.is_floating_point() else value

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the state and the groups that ``state_dict`` returned, here or in PyTorch; the parameters are kept.

        Raises ValueError if the numbers of groups or of their parameters differ.
        """
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(group["params"]) != len(other["params"]) for group, other in zip(groups, saved)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        by_number = {}
        for group, other in zip(groups, saved):
            by_number.update(zip(other["params"], group["params"]))
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in by_number:
                state[by_number[key]] = _fitted(by_number[key], value, key, saved)
            else:
                state[key] = value
        for group, other in zip(groups, saved):
            other["params"] = group["params"]
            if "param_names" in group:
                other.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)


def _shown_as(optimizer, method):
    """The range that a profile shows for a method of an optimizer."""
    return autograd.profiler.record_function(f"Optimizer.{method}#{type(optimizer).__name__}.{method}")


def _step_with_hooks(optimizer, func, args, kwargs):
    """``func(*args, **kwargs)`` between the hooks; ``args`` begin with the optimizer."""
    for hook in chain(_global_optimizer_pre_hooks.values(), optimizer._optimizer_step_pre_hooks.values()):
        changed = hook(optimizer, args, kwargs)
        if changed is not None:
            if not (isinstance(changed, tuple) and len(changed) == 2):
                raise RuntimeError(
                    f"{func} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                )
            args, kwargs = changed
    result = func(*args, **kwargs)
    for hook in chain(optimizer._optimizer_step_post_hooks.values(), _global_optimizer_post_hooks.values()):
        hook(optimizer, args, kwargs)
    return result


def _fitted(param, value, number, groups, key=None):
    """A value of a loaded state in the dtype of its parameter, whose number is given."""
    if isinstance(value, Tensor):
        return Optimizer._process_value_according_to_param_policy(param, value, number, groups, key)
    if isinstance(value, dict):
        return {name: _fitted(param, inner, number, groups, name) for name, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return type(value)(_fitted(param, inner, number, groups) for inner in value)
    return value
