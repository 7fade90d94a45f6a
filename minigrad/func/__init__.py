"""Transforms of functions: gradients, Jacobians and batches of them, in any composition (``torch.func``).

``vmap`` is in ``batches.py``; ``grad``, ``grad_and_value`` and ``vjp`` in ``reverse.py``, ``jvp`` and ``linearize`` in ``forward.py``, what is built of them in
``jacobians.py``; ``functional_call`` and its kin in ``modules.py``, ``functionalize`` and ``debug_unwrap`` in ``functionalization.py``.
"""

from typing import TYPE_CHECKING

from .._base import lazy as _lazy

if TYPE_CHECKING:
    from .batches import vmap as vmap
    from .forward import jvp as jvp
    from .forward import linearize as linearize
    from .functionalization import debug_unwrap as debug_unwrap
    from .functionalization import functionalize as functionalize
    from .jacobians import hessian as hessian
    from .jacobians import jacfwd as jacfwd
    from .jacobians import jacrev as jacrev
    from .modules import functional_call as functional_call
    from .modules import replace_all_batch_norm_modules_ as replace_all_batch_norm_modules_
    from .modules import stack_module_state as stack_module_state
    from .rearranging import rearrange as rearrange
    from .reverse import grad as grad
    from .reverse import grad_and_value as grad_and_value
    from .reverse import vjp as vjp

#: Imported when first used.
_later = _lazy.places(
    {
        "func.batches": "vmap",
        "func.forward": "jvp linearize",
        "func.functionalization": "debug_unwrap functionalize",
        "func.jacobians": "hessian jacfwd jacrev",
        "func.modules": "functional_call replace_all_batch_norm_modules_ stack_module_state",
        "func.rearranging": "rearrange",
        "func.reverse": "grad grad_and_value vjp",
    }
)
_lazy.show_all(globals())


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals(), all_hidden=True)


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


__all__ = [
    "debug_unwrap",
    "functional_call",
    "functionalize",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "rearrange",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]
