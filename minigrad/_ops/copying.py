"""Deep copies of tensors: leaves, with what the user has put on them; views of one memory go on sharing it.  What modules load into themselves."""

import warnings
from copy import deepcopy

import numpy as np

from .._arrays.memory_layout import address, flat_bytes, owner_of
from .._arrays.unresolved import resolved
from .._base.callers import level_of_user
from .._core.modes import thread_state
from .._core.storage import note_repeats
from .._core.tensor import bump, new, start_requiring_grad
from .storage_classes import copy_of_owner

__all__: list[str] = []  # Tensor gets the others from _api.py
METHODS = "module_load"

#: What a tensor's ``__dict__`` holds for autograd: copies go without.
NOT_COPIED = frozenset(
    {
        "_beyond",
        "_kept_grad",
        "_inference",
        "_retains",
        "_grad_dtype",
        "_laid_out",
        "_layouts",
        "_former",
        "_is_data",
        "_draw",
        "_provenance",
        "_not_finite",
    }
)


def tensor_deepcopy(self, memo):
    """A deep copy of a leaf; raises RuntimeError for another tensor."""
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  Copy "
            "x.detach() instead; a module that holds such a tensor (as one under torch.nn.utils.weight_norm does) can be "
            "copied once it holds none."
        )
    if id(self) in memo:
        return memo[id(self)]
    return copy_leaf(self, memo)


def module_load(self, other, assign=False):
    """Return the tensor that replaces a parameter or buffer when ``other`` is loaded into it, if ``__future__`` says that modules swap tensors.

    It has the values of ``other`` in this tensor's memory and dtype, or with ``assign`` is a view of ``other``; subclasses may override this.

    >>> import minigrad
    >>> minigrad.zeros(2).module_load(minigrad.tensor([1, 2]))
    tensor([1., 2.])
    """
    return other.detach() if assign else self.copy_(other).detach()


def warn_if_has_hooks(tensor):
    """Warn of each hook of a tensor that pickling leaves out.

    >>> import minigrad
    >>> x = minigrad.tensor([1.], requires_grad=True)
    >>> minigrad.utils.hooks.warn_if_has_hooks(x)
    """
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  Mark its function with "
                "@torch.utils.hooks.unserializable_hook if it may be left out.",
                stacklevel=level_of_user(),
            )


def copy_leaf(tensor, memo):
    """A deep copy of a leaf: values, strides, requires_grad, grad, the user's own attributes."""
    array = resolved(tensor._array)
    owner = owner_of(array)
    out = new(type(tensor))
    if owner.flags.forc and tensor._beyond is None:  # views of one owner go on sharing it
        twin = copy_of_owner(owner, memo)
        out._array = np.ndarray(
            array.shape, array.dtype, flat_bytes(twin), address(array) - address(owner), array.strides
        )
    else:
        out._array = array.copy(order="K")
    out._node = None
    out._storage = thread_state.fresh
    bump(out)  # PyTorch sets an empty tensor to the memory that it has copied
    note_repeats(out)
    memo[id(tensor)] = out
    if tensor.requires_grad:
        start_requiring_grad(out)
    grad = tensor.grad
    if grad is not None:
        out.grad = deepcopy(grad, memo)
    for key, value in tensor.__dict__.items():
        if key not in NOT_COPIED:
            out.__dict__[key] = deepcopy(value, memo)
    return out


tensor_deepcopy.__name__ = "__deepcopy__"
