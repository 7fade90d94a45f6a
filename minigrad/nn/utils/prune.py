"""Pruning: parameters with elements set to zero by a mask, chosen at random, by size, or given.

The parameter ``weight`` becomes ``weight_orig``, the mask the buffer ``weight_mask``, and ``weight`` their product, which a forward pre-hook
computes.  Pruning the same parameter again goes on among what is left.
"""

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from ..._api import _moments, kthvalue, ones_like, rand, rand_like, topk, zeros_like
from ..modules.module import Module
from .convert_parameters import parameters_to_vector

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]


class BasePruningMethod(ABC):
    """The base class of pruning methods.

    Subclasses define ``compute_mask``, which says what is kept, and ``PRUNING_TYPE``, which says what they choose among: "unstructured"
    (elements), "structured" (slices along ``dim``) or "global" (all elements, whatever was pruned before).
    """

    _tensor_name: str

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> None:
        """Return the mask for a tensor ``t`` of importance, within ``default_mask``: 1 for elements to keep."""

    def apply_mask(self, module: Module) -> Any:
        """Return the pruned tensor: the module's original times its mask."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask, original = (getattr(module, self._tensor_name + suffix) for suffix in ("_mask", "_orig"))
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> Any:
        """Prune a parameter by this method, made from the further arguments; return the hook."""
        method = cls(*args, **kwargs)
        method._tensor_name = name
        method = _after_those_before(module, method)
        again = isinstance(method, PruningContainer)
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, got {importance_scores.shape} "
                f"vs {original.shape}"
            )
        if again:
            default_mask = getattr(module, f"{name}_mask").detach().clone()
        else:
            module.register_parameter(f"{name}_orig", original)
            del module._parameters[name]
            default_mask = ones_like(original)
        try:
            mask = method.compute_mask(importance_scores, default_mask=default_mask)
            module.register_buffer(f"{name}_mask", mask)
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not again:  # leave the module as it was
                module.register_parameter(name, original)
                del module._parameters[f"{name}_orig"]
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """Return a tensor pruned by this method, without a module."""
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as tensor t, got {importance_scores.shape} vs {t.shape}"
            )
        mask = ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(importance_scores, default_mask=mask)

    def remove(self, module: Module) -> None:
        """Make the pruned tensor the parameter."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        name = self._tensor_name
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters.pop(f"{name}_orig")
        original.data = weight.data
        del module._buffers[f"{name}_mask"]
        setattr(module, name, original)


def _after_those_before(module, method):
    """``method``, or a container of it and those by which the parameter was pruned before; their hook is taken away."""
    name = method._tensor_name
    found = {key: hook for key, hook in module._forward_pre_hooks.items() if _prunes(hook, name)}
    if len(found) > 1:
        raise AssertionError(
            f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
        )
    for key, before in found.items():
        del module._forward_pre_hooks[key]
        container = before if isinstance(before, PruningContainer) else PruningContainer(before)
        container.add_pruning_method(method)
        return container
    return method


def _prunes(hook, name):
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


class PruningContainer(BasePruningMethod):
    """Several pruning methods for one parameter, applied one after another."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: Any = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: str) -> None:
        """Append a pruning method; raise TypeError if it is not one, ValueError if it prunes another parameter."""
        if method is not None:
            if not isinstance(method, BasePruningMethod):
                raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
            if self._tensor_name != method._tensor_name:
                raise ValueError(
                    f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer {self}. "
                    f"Found '{method._tensor_name}'"
                )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: int) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask after the last method, which chooses among what ``default_mask`` keeps."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        left = _left(method, t, default_mask)
        partial = method.compute_mask(t[left], default_mask=default_mask[left])
        mask = mask.clone() if mask is default_mask else mask
        mask[left] = partial.to(dtype=mask.dtype)
        return mask


def _left(method, t, mask):
    """The key of what a method may choose among."""
    everything = [slice(None)] * t.dim()
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "structured":
        if not hasattr(method, "dim"):
            raise AttributeError(
                'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
            )
        n = t.dim()
        dim = method.dim + n if method.dim < 0 else method.dim
        if dim < 0:
            raise IndexError(f"Index is out of bounds for tensor with dimensions {n}")
        everything[dim] = mask.sum(dim=[d for d in range(n) if d != dim]) != 0
    elif method.PRUNING_TYPE != "global":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    return tuple(everything)


class Identity(BasePruningMethod):
    """Prune nothing, but create the mask and the original.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.Identity().compute_mask(None, minigrad.ones(2))
    tensor([1., 1.])
    """

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return ``default_mask`` unchanged."""
        return default_mask

    @classmethod
    def apply(cls, module: Module, name: str) -> Any:
        """Give the parameter a mask of ones."""
        return super().apply(module, name)


class _ByAmount(BasePruningMethod):
    """A method that prunes a share (a float), or a number (an int)."""

    def __init__(self, amount: Any) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def number(self, size: Any) -> Any:
        """How many of ``size`` are to go; raises ValueError for more than there are."""
        n = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(n, size)
        return n


class RandomUnstructured(_ByAmount):
    """Prune elements at random: a fraction (float) or a number (int) of them.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.RandomUnstructured(0.5).compute_mask(minigrad.ones(4), minigrad.ones(4)).sum()
    tensor(2.)
    """

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask with randomly chosen elements set to 0."""
        n = self.number(t.nelement())
        mask = default_mask.clone()
        if n:
            mask.view(-1)[topk(rand_like(t).view(-1), k=n).indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any) -> Any:
        """Prune a parameter by this method."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_ByAmount):
    """Prune the elements of smallest magnitude: a fraction (float) or a number (int) of them.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.L1Unstructured(1).compute_mask(minigrad.tensor([3., 0.1]), minigrad.ones(2))
    tensor([1., 0.])
    """

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask with the elements of smallest magnitude set to 0."""
        n = self.number(t.nelement())
        mask = default_mask.clone()
        if n:
            mask.view(-1)[topk(t.abs().view(-1), k=n, largest=False).indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any, importance_scores: Any = None) -> Any:
        """Prune a parameter by this method, by its own elements or by ``importance_scores``."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _BySlices(_ByAmount):
    """A method that prunes whole slices along ``dim``."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def slices(self, t: Any) -> Any:
        """How many slices of ``t`` there are; raises ValueError or IndexError if there are none along ``dim``."""
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
        return t.shape[self.dim]

    def keeping(self, kept: Any, t: Any, default_mask: Any) -> Any:
        """``default_mask`` without the slices of ``t`` that are not ``kept``."""
        mask = zeros_like(t)
        key = [slice(None)] * t.dim()
        key[self.dim] = kept
        mask[tuple(key)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask


class RandomStructured(_BySlices):
    """Prune slices along ``dim`` at random: a fraction (float) or a number (int) of them.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.RandomStructured(1, dim=0).compute_mask(minigrad.ones(2, 2), minigrad.ones(2, 2)).sum()
    tensor(2.)
    """

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask with randomly chosen slices set to 0."""
        slices = self.slices(t)
        n = self.number(slices)
        if not n:
            return default_mask
        scores = rand(slices)
        return self.keeping(scores > kthvalue(scores, k=n).values, t, default_mask)

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any, dim: int = -1) -> Any:
        """Prune a parameter by this method."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_BySlices):
    """Prune the slices along ``dim`` of smallest norm of order ``n``: a fraction (float) or a number (int) of them.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.LnStructured(1, n=2, dim=0).compute_mask(minigrad.tensor([[1., 1.], [5., 0.]]), minigrad.ones(2, 2))
    tensor([[0., 0.],
            [1., 1.]])
    """

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask with the slices of smallest norm set to 0."""
        slices = self.slices(t)
        n = self.number(slices)
        if not n:
            return default_mask
        norms = _compute_norm(t, self.n, self.dim)
        return self.keeping(topk(norms, k=slices - n, largest=True).indices, t, default_mask)

    @classmethod
    def apply(
        cls, module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None
    ) -> Any:
        """Prune a parameter by this method, by its own slices or by those of ``importance_scores``."""
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Prune by a given mask.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.CustomFromMask.apply(minigrad.nn.Linear(2, 1), "weight", minigrad.tensor([[0, 1]])).compute_mask(None, minigrad.ones(1, 2))
    tensor([[0., 1.]])
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the product of both masks."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module: Module, name: str, mask: Any) -> Any:
        """Prune a parameter by this method."""
        return super().apply(module, name, mask=mask)


def identity(module: Module, name: str) -> Any:
    """Create a parameter's mask and original without pruning anything; return the module.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.identity(minigrad.nn.Linear(2, 1), "weight").weight_mask
    tensor([[1., 1.]])
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: Any) -> Any:
    """Prune randomly chosen elements of a parameter, a fraction (float) or a number (int) of them; return the module.

    >>> from minigrad import nn
    >>> layer = nn.utils.prune.random_unstructured(nn.Linear(2, 3), "weight", amount=2)
    >>> int(layer.weight_mask.sum()), sorted(layer.state_dict())
    (4, ['bias', 'weight_mask', 'weight_orig'])
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount: Any, importance_scores: Any = None) -> Any:
    """Prune the elements of a parameter of smallest magnitude, a fraction (float) or a number (int) of them; return the module.

    ``importance_scores``, of the same shape, are compared instead of the parameter if given.

    >>> import minigrad
    >>> linear = minigrad.nn.Linear(4, 1)
    >>> linear.weight.data = minigrad.tensor([[1., -0.1, 3., 0.2]])
    >>> minigrad.nn.utils.prune.l1_unstructured(linear, "weight", amount=2).weight_mask
    tensor([[1., 0., 1., 0.]])
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount: Any, dim: int) -> Any:
    """Prune randomly chosen slices of a parameter along ``dim``, a fraction (float) or a number (int) of them; return the module.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.prune.random_structured(minigrad.nn.Linear(2, 4), "weight", amount=0.5, dim=0)
    >>> linear.weight_mask.sum()
    tensor(4.)
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None
) -> Any:
    """Prune the slices of a parameter along ``dim`` of smallest norm of order ``n``, a fraction (float) or a number (int) of them; return
    the module.

    >>> import minigrad
    >>> linear = minigrad.nn.Linear(2, 2)
    >>> linear.weight.data = minigrad.tensor([[1., 1.], [5., 0.]])
    >>> minigrad.nn.utils.prune.ln_structured(linear, "weight", amount=1, n=2, dim=0).weight_mask
    tensor([[0., 0.],
            [1., 1.]])
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune elements of several parameters, given as pairs (module, name), chosen among all of them by an unstructured method.

    ``kwargs`` are the method's arguments. Raises TypeError if the method is not unstructured, or the parameters are not pairs.

    >>> import minigrad
    >>> a, b = minigrad.nn.Linear(2, 2), minigrad.nn.Linear(2, 2)
    >>> prune = minigrad.nn.utils.prune
    >>> prune.global_unstructured([(a, "weight"), (b, "weight")], prune.L1Unstructured, amount=0.5)
    >>> a.weight_mask.sum() + b.weight_mask.sum()
    tensor(4.)
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    if importance_scores is None:
        importance_scores = {}
    if not isinstance(importance_scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    scores = parameters_to_vector(
        [importance_scores.get((module, name), getattr(module, name)) for module, name in parameters]
    )
    masks = parameters_to_vector(
        [getattr(module, f"{name}_mask", ones_like(getattr(module, name))) for module, name in parameters]
    )
    container = PruningContainer()
    method = pruning_method(**kwargs)
    container._tensor_name = method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type '
            f"{method.PRUNING_TYPE}"
        )
    container.add_pruning_method(method)
    mask = container.compute_mask(scores, masks)
    start = 0
    for module, name in parameters:
        parameter = getattr(module, name)
        end = start + parameter.numel()
        custom_from_mask(module, name, mask=mask[start:end].view_as(parameter))
        start = end


def custom_from_mask(module: Module, name: str, mask: Any) -> Any:
    """Prune a parameter by a mask, 0 where elements are removed; return the module.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.prune.custom_from_mask(minigrad.nn.Linear(2, 1), "weight", minigrad.tensor([[0, 1]]))
    >>> linear.weight == 0
    tensor([[ True, False]])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module: Module, name: str) -> Any:
    """Make the pruned tensor the parameter for good; return the module.

    Raises ValueError if it is not pruned.

    >>> import minigrad
    >>> linear = minigrad.nn.utils.prune.custom_from_mask(minigrad.nn.Linear(2, 1), "weight", minigrad.tensor([[0, 1]]))
    >>> minigrad.nn.utils.prune.remove(linear, "weight").weight == 0
    tensor([[ True, False]])
    """
    for key, hook in module._forward_pre_hooks.items():
        if _prunes(hook, name):
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: Module) -> bool:
    """Return whether a parameter of a module or of its descendants is pruned.

    >>> import minigrad
    >>> minigrad.nn.utils.prune.is_pruned(minigrad.nn.Linear(2, 1))
    False
    """
    return any(
        isinstance(hook, BasePruningMethod)
        for each in module.modules()
        for hook in each._forward_pre_hooks.values()
    )


def _validate_pruning_amount_init(amount):
    """Raise TypeError or ValueError unless an amount is a share in [0, 1] or a number of at least 0."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (not isinstance(amount, numbers.Integral) and float(amount) > 1.0):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


def _validate_pruning_amount(amount, tensor_size):
    """Raise ValueError if a number of elements is greater than how many there are."""
    if isinstance(amount, numbers.Integral) and amount > tensor_size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to prune={tensor_size}"
        )


def _compute_nparams_toprune(amount, tensor_size):
    """How many of ``tensor_size`` elements an amount is, a share or a number."""
    return amount if isinstance(amount, numbers.Integral) else round(amount * tensor_size)


def _validate_structured_pruning(t):
    """Raise ValueError for a tensor without slices."""
    if t.dim() <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
            f"{t.shape} with {t.dim()} dims"
        )


def _validate_pruning_dim(t, dim):
    """Raise IndexError for a dimension that a tensor does not have."""
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _compute_norm(t, n, dim):
    """The ``n``-norms of the slices of a tensor along ``dim``."""
    others = list(range(t.dim()))
    del others[dim]
    return _moments.norm(t, p=n, dim=others)
