"""Divergences by the classes of two distributions: they are registered, and the most specific one that fits is found."""

import warnings
from typing import Any

from .._api import Tensor, _lazy
from .distribution import Distribution

_KL_REGISTRY: dict[tuple[type, type], Any] = {}  # (class of p, class of q) -> function of p and q
_KL_MEMOIZE: dict[tuple[type, type], Any] = {}  # the same for classes that have been asked for


def register_kl(type_p: Any, type_q: Any) -> Any:
    """Register the decorated function of p and q as the divergence of distributions of these two classes and their subclasses.

    Raises TypeError if an argument is not a class.

    >>> import minigrad
    >>> from minigrad.distributions import Normal, kl_divergence, register_kl
    >>> class Fixed(Normal):
    ...     pass
    >>> @register_kl(Fixed, Fixed)
    ... def _kl_fixed_fixed(p, q):
    ...     return (p.loc - q.loc).square()
    >>> kl_divergence(Fixed(0., 1.), Fixed(3., 1.))
    tensor(9.)
    """
    for name, given in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(given, type):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {given}")

    def decorator(fun):
        _KL_REGISTRY[type_p, type_q] = fun
        _KL_MEMOIZE.clear()
        return fun

    return decorator


def _dispatch_kl(type_p, type_q):
    """The function registered for the nearest bases of the two classes, or NotImplemented.

    Where one pair is nearer for p, another for q, the first one is taken, with a warning.
    """
    matches = [pair for pair in _KL_REGISTRY if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])]
    if not matches:
        return NotImplemented

    def distances(pair):
        return _distance(type_p, pair[0]), _distance(type_q, pair[1])

    for_p = min(matches, key=distances)
    for_q = min(matches, key=lambda pair: distances(pair)[::-1])
    found = _KL_REGISTRY[for_p]
    if found is not _KL_REGISTRY[for_q]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({for_p[0].__name__}, "
            f"{for_q[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return found


def _distance(cls, base):
    return cls.__mro__.index(base)


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """Compute the Kullback-Leibler divergence of two distributions, ``E_p log(p(x) / q(x))``, in the shape of their batches.

    Raises NotImplementedError if none is registered for their classes.

    >>> import minigrad
    >>> from minigrad.distributions import Normal, kl_divergence
    >>> kl_divergence(Normal(0., 1.), Normal(minigrad.tensor([0., 1.]), 1.))
    tensor([0.0000, 0.5000])
    """
    types = type(p), type(q)
    found = _KL_MEMOIZE.get(types)
    if found is None:
        found = _KL_MEMOIZE[types] = _dispatch_kl(*types)
    if found is NotImplemented:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {types[0].__name__} and q type {types[1].__name__}"
        )
    return found(p, q)


_lazy.publish(f"{__package__}.kl", register_kl, kl_divergence)
