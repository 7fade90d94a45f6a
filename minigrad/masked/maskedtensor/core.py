"""``MaskedTensor``: a tensor with a mask, and what functions make of it."""

from collections.abc import Callable
from typing import Any

from ... import _api
from ..._api import Tensor
from ..._base import dtypes
from ..._core.overriding import let_ask, meet
from ...overrides import DisableTorchFunctionSubclass
from ._functions import Seen, rule_of
from ._text import text_of

__all__ = ["MaskedTensor", "is_masked_tensor"]

_DTYPES = (
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64,
)  # fmt: skip


def is_masked_tensor(obj: Any) -> bool:
    """Return whether an object is a ``MaskedTensor``.

    >>> import minigrad
    >>> minigrad.masked.is_masked_tensor(minigrad.ones(2))
    False
    """
    return isinstance(obj, MaskedTensor)


def checked(data: Any, mask: Any) -> None:
    """Raise TypeError or ValueError unless ``data`` and ``mask`` are tensors that can be those of a masked tensor."""
    for name, value in (("data", data), ("mask", mask)):
        if not isinstance(value, Tensor) or isinstance(value, MaskedTensor):
            raise TypeError(f"{name} must be a Tensor")
    if data.layout is not mask.layout:
        raise TypeError("data and mask must have the same layout.")
    if data.layout is not _api.strided:
        raise TypeError(f"minigrad has no masked tensors with data layout of {data.layout}")
    if mask.dtype is not dtypes.bool_:
        raise TypeError("mask must have dtype bool.")
    if data.dtype not in _DTYPES:
        raise TypeError(f"{data.dtype} is not supported in MaskedTensor.")
    if data.dim() != mask.dim():
        raise ValueError("data.dim() must equal mask.dim()")
    if data.size() != mask.size():
        raise ValueError("data.size() must equal mask.size()")


class MaskedTensor(Tensor):
    """A tensor some of whose elements are masked: they are not there to reductions, and results keep them masked.

    ``data`` and ``mask``, bools that are False where an element is masked, are copied. Functions of elements apply to all of them and keep the mask;
    those of two masked tensors require equal masks; reductions leave masked elements out, and what is made of masked elements alone is
    masked; views and ``cat`` apply to data and mask alike. Other functions raise TypeError: apply them to ``get_data()`` or ``to_tensor(value)``.

    >>> import minigrad
    >>> from minigrad.masked import masked_tensor
    >>> x = masked_tensor(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([[True, False], [False, False]]))
    >>> x.sum(1)
    MaskedTensor(
      [  1.0000,       --]
    )
    >>> (x * 2).to_tensor(0)
    tensor([[2., 0.],
            [0., 0.]])
    """

    _mask: Tensor

    @staticmethod
    def __new__(cls, data: Any, mask: Any, requires_grad: bool = False) -> Any:
        """A copy of ``data`` with a copy of ``mask``."""
        checked(data, mask)
        new = cls._of(data.detach().clone(), mask.detach().clone())
        return new.requires_grad_() if requires_grad else new

    @classmethod
    def _of(cls, data, mask):
        """``data`` itself, seen with a mask."""
        meet(
            subclass=True
        )  # only now: programs that make no masked tensors call functions at their usual speed
        new = data.as_subclass(cls)
        new._mask = mask
        return new

    def get_mask(self) -> Tensor:
        """Return the mask: True where there is an element.

        >>> import minigrad
        >>> minigrad.masked.masked_tensor(minigrad.ones(2), minigrad.tensor([True, False])).get_mask()
        tensor([ True, False])
        """
        return self._mask

    def get_data(self) -> Tensor:
        """Return all elements, whatever the masked ones may be; gradients pass through.

        >>> import minigrad
        >>> minigrad.masked.masked_tensor(minigrad.ones(2), minigrad.tensor([True, False])).get_data()
        tensor([1., 1.])
        """
        with DisableTorchFunctionSubclass():
            return self.as_subclass(Tensor)

    def to_tensor(self, value: Any) -> Tensor:
        """Return a tensor with ``value`` in place of the masked elements.

        >>> import minigrad
        >>> minigrad.masked.masked_tensor(minigrad.ones(2), minigrad.tensor([True, False])).to_tensor(7)
        tensor([1., 7.])
        """
        return self.get_data().masked_fill(~self._mask, value)

    @property
    def _masked_data(self):
        return self.get_data()

    @property
    def _masked_mask(self):
        return self._mask

    def __repr__(self, **kwargs: Any) -> str:  # type: ignore[override]
        """Return the elements as text, with ``--`` for those that are masked."""
        return text_of(self.get_data(), self._mask)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        """Return the text of ``repr``."""
        return format(repr(self), spec)

    def __reduce_ex__(self, proto: Any) -> Any:
        """What pickles and copies are made of."""
        return type(self), (self.get_data().detach(), self._mask, self.requires_grad)

    def __deepcopy__(self, memo: Any) -> Any:
        """A masked tensor with copies of data and mask."""
        return memo.setdefault(id(self), type(self)(self.get_data(), self._mask, self.requires_grad))

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Apply a function to data and masks."""
        kwargs = kwargs or {}
        with DisableTorchFunctionSubclass():
            if func == Tensor.grad.__get__:  # type: ignore[attr-defined]
                (tensor,) = args
                found = func(tensor)
                return None if found is None else cls._of(found, tensor._mask)
            rule = rule_of(func)
            if rule is None:
                return NotImplemented
            found = rule(func, args, kwargs)
        in_place = func.__name__[-1] == "_" and func.__name__[:2] != "__"
        return args[0] if in_place else cls._from_rule(found)

    @classmethod
    def _from_rule(cls, found):
        """What a rule has returned, with masked tensors for what it has seen."""
        if isinstance(found, Seen):
            return cls._of(*found)
        return tuple(map(cls._from_rule, found)) if type(found) is tuple else found


let_ask(vars(MaskedTensor)["__torch_function__"].__func__)
