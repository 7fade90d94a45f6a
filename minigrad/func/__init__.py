"""Transforms of functions: gradients, Jacobians and batches of them, in any composition (``torch.func``).

``vmap`` is in ``batches.py``; ``grad``, ``grad_and_value`` and ``vjp`` in ``reverse.py``, ``jvp`` and ``linearize`` in ``forward.py``, what is built of them in
``jacobians.py``; ``functional_call`` and its kin in ``modules.py``, ``functionalize`` and ``debug_unwrap`` in ``functionalization.py``.
"""

from .. import _transforms as _transforms
from .batches import vmap
from .forward import jvp, linearize
from .functionalization import debug_unwrap, functionalize
from .jacobians import hessian, jacfwd, jacrev
from .modules import functional_call, replace_all_batch_norm_modules_, stack_module_state
from .rearranging import rearrange
from .reverse import grad, grad_and_value, vjp

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
