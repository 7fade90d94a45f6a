"""Transforms of functions: gradients, Jacobians and batches of them, in any composition (``torch.func``).

``vmap`` is in ``batches.py``; ``grad``, ``grad_and_value`` and ``vjp`` in ``reverse.py``, ``jvp`` and ``linearize`` in ``forward.py``, what is built of them in
``jacobians.py``; ``functional_call`` and its kin in ``modules.py``.
"""

from .. import _transforms as _transforms
from .batches import vmap
from .forward import jvp, linearize
from .jacobians import hessian, jacfwd, jacrev
from .reverse import grad, grad_and_value, vjp

__all__ = ["grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "vjp", "vmap"]
