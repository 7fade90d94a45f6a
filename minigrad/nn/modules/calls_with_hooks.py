"""Calls of a module that has hooks: what comes before ``forward``, after it, and around its backward."""

import warnings
from collections.abc import Callable
from typing import Any

from ..._api import Tensor
from .global_hooks import _everywhere, _WrappedHook


def call_with_hooks(module: Any, args: Any, kwargs: Any) -> Any:
    """Call ``forward`` with all hooks around it."""
    done = set()  # ids of the hooks that are to be called always, and were
    call = {"args": args, "kwargs": kwargs, "result": None}
    try:
        return forward_among_hooks(module, call, done)
    except Exception:
        call_always_hooks(module, call, done)
        raise


def forward_among_hooks(module: Any, call: Any, done: Any) -> Any:
    """Call ``forward`` between its pre-hooks and hooks; ids of hooks with ``always_call`` are added to ``done`` once they have run."""
    full, partial = module._get_backward_hooks()
    pre = [*_everywhere.backward_pre.values(), *module._backward_pre_hooks.values()]
    run_forward_pre_hooks(module, call)
    backward_hooks = None
    if full or pre:
        from .backward_hooks import (
            BackwardHooks,  # needs autograd.Function, which most programs never load
        )

        backward_hooks = BackwardHooks(module, full, pre)
        call["args"] = backward_hooks.around_inputs(call["args"])
    call["result"] = module.forward(*call["args"], **call["kwargs"])
    for key, hook in (*_everywhere.forward.items(), *module._forward_hooks.items()):
        if key in module._forward_hooks_always_called or key in _everywhere.always:
            done.add(key)
        run_forward_hook(module, key, hook, call)
    if backward_hooks is not None:
        if not isinstance(call["result"], (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                f"{type(call['result'])}",
                stacklevel=4,
            )
        call["result"] = backward_hooks.around_outputs(call["result"])
    if partial:
        hook_last_node(module, partial, call)
    return call["result"]


def run_forward_pre_hooks(module: Any, call: Any) -> None:
    """Run the hooks before ``forward``, which may change the arguments."""
    for key, hook in (*_everywhere.forward_pre.items(), *module._forward_pre_hooks.items()):
        if key in module._forward_pre_hooks_with_kwargs:
            changed = hook(module, call["args"], call["kwargs"])
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                call["args"], call["kwargs"] = changed
        else:
            changed = hook(module, call["args"])
            if changed is not None:
                call["args"] = changed if isinstance(changed, tuple) else (changed,)


def run_forward_hook(module: Any, key: Any, hook: Callable[..., Any], call: Any) -> None:
    """Run one hook after ``forward``, which may change the result."""
    if key in module._forward_hooks_with_kwargs or key in _everywhere.with_kwargs:
        changed = hook(module, call["args"], call["kwargs"], call["result"])
    else:
        changed = hook(module, call["args"], call["result"])
    if changed is not None:
        call["result"] = changed


def call_always_hooks(module: Any, call: Any, done: Any) -> None:
    """After an error, run the forward hooks with ``always_call`` that have not run yet; their own errors become warnings."""
    for hooks, always, which in (
        (_everywhere.forward, _everywhere.always, "global module forward hook"),
        (module._forward_hooks, module._forward_hooks_always_called, "module forward hook"),
    ):
        for key, hook in hooks.items():
            if key in always and key not in done:
                try:
                    run_forward_hook(module, key, hook, call)
                except Exception as error:
                    warnings.warn(
                        f"{which} with ``always_call=True`` raised an exception that was silenced as another error was "
                        f"raised in forward: {error}",
                        stacklevel=5,
                    )


def hook_last_node(module: Any, hooks: Any, call: Any) -> None:
    """Attach the deprecated backward hooks to the node that made the (first) output."""
    output = call["result"]
    while not isinstance(output, Tensor):
        if isinstance(output, dict):
            output = next(value for value in output.values() if isinstance(value, Tensor))
        else:
            output = output[0]
    node = output.grad_fn
    if node is not None:
        for hook in hooks:
            node.register_hook(_WrappedHook(hook, module))
        warn_of_partial_hooks(module, call["args"], call["result"], node)


def warn_of_partial_hooks(module: Any, inputs: Any, result: Any, node: Any) -> Any:
    """Warn about gradients that the deprecated backward hooks will not see."""
    results = (result,) if isinstance(result, Tensor) else result
    for values, what, missing in (
        (results, "return", "grad_output"),
        (inputs, "take as input", "grad_input"),
    ):
        if not (isinstance(values, tuple) and all(isinstance(x, Tensor) for x in values)):
            warning = (
                f"Using non-full backward hooks on a Module that does not {what} a single Tensor or a tuple of Tensors "
                "is deprecated and will be removed in future versions. This hook will be missing some of the "
                f"{missing}. register_full_backward_hook gives a hook all of them."
            )
            return warnings.warn(warning, FutureWarning, stacklevel=6)
    nodes = {x.grad_fn for x in results if x.grad_fn is not None}
    if not nodes or (len(nodes) == 1 and node not in nodes):
        warning = (
            "Using a non-full backward hook when outputs are nested in python data structure is deprecated and will be "
            "removed in future versions. This hook will be missing some grad_output."
        )
    elif len(nodes) > 1:
        warning = (
            "Using a non-full backward hook when outputs are generated by different autograd Nodes is deprecated and "
            "will be removed in future versions. This hook will be missing some grad_output. "
            "register_full_backward_hook gives a hook all of them."
        )
    elif {x.grad_fn for x in inputs if x.grad_fn is not None} != {end for end, _ in node.next_functions}:
        warning = (
            "Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and will "
            "be removed in future versions. This hook will be missing some grad_input. register_full_backward_hook "
            "gives a hook all of them."
        )
    else:
        return None
    return warnings.warn(warning, FutureWarning, stacklevel=6)
