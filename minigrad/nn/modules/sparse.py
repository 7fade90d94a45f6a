"""Embeddings: the rows of a table at given indices."""

from typing import Any

from ..._api import Tensor, _Device, empty, no_grad
from ..._api import dtype as _dtype
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .module import Module

__all__ = ["Embedding", "EmbeddingBag"]


class _Table(Module):
    """A weight ``(num_embeddings, embedding_dim)``, drawn from the normal distribution, of which row ``padding_idx`` is 0."""

    weight: Any

    def _check_padding_idx(self, padding_idx, what):
        n = self.num_embeddings
        if padding_idx is None or padding_idx == 0:
            return padding_idx
        if not -n <= padding_idx < n:
            raise AssertionError(f"{what} must be within num_embeddings")
        return padding_idx % n

    def _make_weight(self, weight, requires_grad, device, dtype):
        shape = self.num_embeddings, self.embedding_dim
        if weight is None:
            self.weight = Parameter(empty(shape, device=device, dtype=dtype), requires_grad=requires_grad)
            self.reset_parameters()
        elif tuple(weight.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        else:
            self.weight = Parameter(weight, requires_grad=requires_grad)

    def reset_parameters(self) -> None:
        """Reinitialize the weight."""
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _description(self, *others):
        """The sizes, and each (name, value) of ``others`` that are not as usual."""
        parts = [f"{self.num_embeddings}, {self.embedding_dim}"]
        return ", ".join(parts + [f"{name}={value}" for name, value, usual in others if value != usual])


def _check_pretrained(embeddings):
    if embeddings.dim() != 2:
        raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
    return embeddings.shape


class Embedding(_Table):
    """Look up rows of a learned table at integer indices: ``(...) -> (..., embedding_dim)``.

    Row ``padding_idx`` is initialised to 0 and gets no gradient; ``max_norm`` rescales rows as they are used. Raises AssertionError if
    ``padding_idx`` is out of range.

    >>> import minigrad
    >>> minigrad.nn.Embedding(10, 3)(minigrad.tensor([[1, 2, 4, 5]])).shape
    torch.Size([1, 4, 3])
    """

    padding_idx: Any

    __constants__: list[Any] = [
        "num_embeddings",
        "embedding_dim",
        "padding_idx",
        "max_norm",
        "norm_type",
        "scale_grad_by_freq",
        "sparse",
    ]

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = self._check_padding_idx(padding_idx, "Padding_idx")
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self._make_weight(_weight, not _freeze, device, dtype)
        self.sparse = sparse

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        return self._description(
            ("padding_idx", self.padding_idx, None),
            ("max_norm", self.max_norm, None),
            ("norm_type", self.norm_type, 2),
            ("scale_grad_by_freq", self.scale_grad_by_freq, False),
            ("sparse", bool(self.sparse), False),
        )

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Any,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Any:
        """Return an embedding with the table ``(N, D)`` as its weight, which is not trained if ``freeze``.

        >>> import minigrad
        >>> minigrad.nn.Embedding.from_pretrained(minigrad.tensor([[1., 2.], [3., 4.]]))(minigrad.tensor([1]))
        tensor([[3., 4.]])
        """
        rows, columns = _check_pretrained(embeddings)
        return cls(
            rows,
            columns,
            _weight=embeddings,
            _freeze=freeze,
            padding_idx=padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            sparse=sparse,
        )


class EmbeddingBag(_Table):
    """Reduce bags of rows of a learned table by their sum, mean or maximum (``mode``): ``(B, n) -> (B, embedding_dim)``.

    Or give all indices as one vector ``(n)``, and in ``offsets`` ``(B)`` where each bag begins. Rows at ``padding_idx`` are skipped.
    Raises AssertionError if ``padding_idx`` is out of range.

    >>> import minigrad
    >>> minigrad.nn.EmbeddingBag(10, 3)(minigrad.tensor([1, 2, 4]), minigrad.tensor([0, 2])).shape
    torch.Size([2, 3])
    """

    padding_idx: Any

    __constants__: list[Any] = [
        "num_embeddings",
        "embedding_dim",
        "max_norm",
        "norm_type",
        "scale_grad_by_freq",
        "mode",
        "sparse",
        "include_last_offset",
        "padding_idx",
    ]

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.padding_idx = self._check_padding_idx(padding_idx, "padding_idx")
        self._make_weight(_weight, True, device, dtype)
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset

    def forward(
        self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None
    ) -> Tensor:
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        return self._description(
            ("max_norm", repr(self.max_norm), "None"),
            ("norm_type", self.norm_type, 2),
            ("scale_grad_by_freq", self.scale_grad_by_freq, False),
            ("mode", repr(self.mode), ""),
            ("padding_idx", self.padding_idx, None),
        )

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> Any:
        """Return an ``EmbeddingBag`` with the table ``(N, D)`` as its weight, which is not trained if ``freeze``."""
        rows, columns = _check_pretrained(embeddings)
        bag = cls(
            rows,
            columns,
            _weight=embeddings,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            mode=mode,
            sparse=sparse,
            include_last_offset=include_last_offset,
            padding_idx=padding_idx,
        )
        bag.weight.requires_grad = not freeze
        return bag
