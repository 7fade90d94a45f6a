"""Whether indices are looked at when sparse tensors are made; and ``gradcheck`` for functions of sparse tensors."""

import functools
from collections.abc import Callable

import numpy as np

from .._core.tensor import wrap
from . import invariants
from .parts import is_sparse, kept, of_values


class check_sparse_tensor_invariants:
    """Check the indices of sparse tensors when they are made, within a block or a decorated function, or skip that with ``enable=False``.

    By default they are checked, unlike in PyTorch.

    >>> import minigrad
    >>> with minigrad.sparse.check_sparse_tensor_invariants(False):
    ...     x = minigrad.sparse_coo_tensor([[0, 1]], [1., 2.], (2,))
    >>> minigrad.sparse.check_sparse_tensor_invariants.is_enabled()
    True
    """

    def __init__(self, enable=True):
        self.state = enable
        self._was = None

    @staticmethod
    def is_enabled():
        """Return whether indices are checked.

        >>> import minigrad
        >>> minigrad.sparse.check_sparse_tensor_invariants.is_enabled()
        True
        """
        return invariants.is_checking()

    @staticmethod
    def enable():
        """Check indices from now on.

        >>> import minigrad
        >>> minigrad.sparse.check_sparse_tensor_invariants.enable()
        """
        invariants.set_checking(True)

    @staticmethod
    def disable():
        """Do not check indices any more.

        >>> import minigrad
        >>> minigrad.sparse.check_sparse_tensor_invariants.disable()
        >>> minigrad.sparse.check_sparse_tensor_invariants.enable()
        """
        invariants.set_checking(False)

    def __enter__(self):
        if self._was is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different context manager instance for context nesting."
            )
        self._was = invariants.set_checking(self.state)

    def __exit__(self, *error):
        invariants.set_checking(self._was)
        self._was = None

    def __call__(self, mth):
        @functools.wraps(mth)
        def checking(*args, **kwargs):
            with type(self)(self.state):
                return mth(*args, **kwargs)

        return checking


def as_sparse_gradcheck(gradcheck: Callable[..., bool]) -> Callable[..., bool]:
    """Return ``gradcheck`` for functions that take or return sparse tensors, whose values are then checked.

    >>> import minigrad
    >>> check = minigrad.sparse.as_sparse_gradcheck(minigrad.autograd.gradcheck)
    >>> x = minigrad.eye(2, dtype=minigrad.float64).to_sparse().requires_grad_()
    >>> check(lambda x: (x * 2).to_dense(), x)
    True
    """

    @functools.wraps(gradcheck)
    def checked(func, inputs, **options):
        options.pop("masked", None)
        inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
        places = [x._array if is_sparse(x) else None for x in inputs]

        def of_dense(*args):
            given = [x if at is None else of_values(at, x) for x, at in zip(args, places)]
            found = func(*given)
            several = isinstance(found, (tuple, list))
            dense = [
                kept(z.coalesce() if z.is_sparse else z) if is_sparse(z) else z
                for z in (found if several else (found,))
            ]
            return tuple(dense) if several else dense[0]

        plain = []
        for x in inputs:
            plain.append(
                wrap(np.array(x._array.values)).requires_grad_(x.requires_grad) if is_sparse(x) else x
            )
        return gradcheck(of_dense, tuple(plain), **options)

    return checked
