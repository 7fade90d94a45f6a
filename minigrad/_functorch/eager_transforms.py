"""The transforms, also as functions of all that they need at once."""

from ..func.forward import jvp, linearize, pushed
from ..func.functionalization import functionalize
from ..func.jacobians import hessian, jacfwd, jacrev
from ..func.reverse import chosen as _slice_argnums
from ..func.reverse import grad, grad_and_value, pulled, vjp
from ..func.reverse import replaced as _replaced

__all__ = [
    "_slice_argnums",
    "functionalize",
    "grad",
    "grad_and_value",
    "grad_and_value_impl",
    "grad_impl",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
]


def grad_impl(func, argnums, has_aux, args, kwargs):
    """Compute ``grad(func, argnums, has_aux)(*args, **kwargs)``.

    >>> import minigrad
    >>> minigrad._functorch.eager_transforms.grad_impl(minigrad.sin, 0, False, (minigrad.tensor(0.),), {})
    tensor(1.)
    """
    return grad(func, argnums, has_aux)(*args, **kwargs)


def grad_and_value_impl(func, argnums, has_aux, args, kwargs):
    """Compute ``grad_and_value(func, argnums, has_aux)(*args, **kwargs)``.

    >>> import minigrad
    >>> minigrad._functorch.eager_transforms.grad_and_value_impl(minigrad.exp, 0, False, (minigrad.tensor(0.),), {})
    (tensor(1.), tensor(1.))
    """
    return grad_and_value(func, argnums, has_aux)(*args, **kwargs)


def _vjp_with_argnums(func, *primals, argnums=None, has_aux=False):
    """Like ``vjp``, with respect to the arguments of ``argnums``."""
    return pulled(func, primals, argnums, has_aux)


def _jvp_with_argnums(func, primals, tangents, argnums, *, strict=False, has_aux):
    """Like ``jvp``, with respect to the arguments of ``argnums``."""
    return pushed(func, primals, tangents, argnums, strict, has_aux)


def _replace_args(old_args, new_args, argnums):
    """The arguments with other ones in the places of ``argnums``."""
    return _replaced(old_args, new_args if isinstance(argnums, tuple) else new_args[0], argnums)
