"""Losses as modules: ``reduction`` is ``"mean"``, ``"sum"`` or ``"none"``."""

import math
import warnings
from collections.abc import Callable
from typing import Any

from ..._api import Tensor, _Device
from ..._api import dtype as _dtype
from .. import _reduction
from .. import functional as F
from .distance import PairwiseDistance
from .linear import Linear
from .module import Module
from .utils import _shown

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "LinearCrossEntropyLoss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "NLLLoss2d",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]


class _Loss(Module):
    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = _reduction.legacy_get_string(size_average, reduce, stacklevel=4)
        self.reduction = reduction


class _WeightedLoss(_Loss):
    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class MSELoss(_Loss):
    """Compute the squared error ``(input - target) ** 2``, reduced.

    >>> import minigrad
    >>> minigrad.nn.MSELoss()(minigrad.tensor([1., 2.]), minigrad.tensor([1., 4.]))
    tensor(2.)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    """Compute the absolute error ``|input - target|``, reduced.

    >>> import minigrad
    >>> minigrad.nn.L1Loss()(minigrad.tensor([1., 2.]), minigrad.tensor([1., 5.]))
    tensor(1.5000)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Compute the absolute error less ``beta / 2``, or ``(input - target) ** 2 / (2 * beta)`` where it is below ``beta``; reduced. [Girshick 2015]

    >>> import minigrad
    >>> minigrad.nn.SmoothL1Loss(reduction="none")(minigrad.tensor([1., 2.]), minigrad.tensor([1.5, 5.]))
    tensor([0.1250, 2.5000])
    """

    __constants__: list[Any] = ["reduction"]

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Compute ``delta * (|input - target| - delta / 2)``, or half the squared error where the error is at most ``delta``; reduced. [Huber 1964]

    >>> import minigrad
    >>> minigrad.nn.HuberLoss(reduction="none")(minigrad.tensor([1., 2.]), minigrad.tensor([1.5, 5.]))
    tensor([0.1250, 2.5000])
    """

    __constants__: list[Any] = ["reduction", "delta"]

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        if not isinstance(delta, (float, int)):
            raise TypeError(f"delta must be a float or int, got: {type(delta)}")
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class BCELoss(_WeightedLoss):
    """Compute the binary cross entropy between probabilities ``input`` and ``target``, reduced.

    >>> import minigrad
    >>> minigrad.nn.BCELoss(reduction="none")(minigrad.tensor([0.5, 0.9]), minigrad.tensor([0., 1.]))
    tensor([0.6931, 0.1054])
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """Compute ``BCELoss`` of ``sigmoid(input)`` in a numerically stable way; ``pos_weight`` weights the positive class.

    >>> import minigrad
    >>> minigrad.nn.BCEWithLogitsLoss(reduction="none")(minigrad.tensor([0., 2.]), minigrad.tensor([1., 1.]))
    tensor([0.6931, 0.1269])
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class KLDivLoss(_Loss):
    """Compute ``target * (log(target) - input)`` for log-probabilities ``input``, reduced; ``"batchmean"`` divides the sum by the batch size.

    >>> import minigrad
    >>> minigrad.nn.KLDivLoss(reduction="batchmean")(minigrad.tensor([[0.25, 0.75]]).log(), minigrad.tensor([[0.5, 0.5]]))
    tensor(0.1438)
    """

    __constants__: list[Any] = ["reduction"]

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        log_target: bool = False,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class NLLLoss(_WeightedLoss):
    """Compute the negative log-likelihood: minus ``input`` (N, C, ...) at the classes ``target`` (N, ...), weighted and reduced.

    >>> import minigrad
    >>> minigrad.nn.NLLLoss()(minigrad.tensor([[-0.5, -1.], [-2., -0.1]]), minigrad.tensor([0, 1]))
    tensor(0.3000)
    """

    __constants__: list[Any] = ["ignore_index", "reduction"]

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(
            input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class NLLLoss2d(NLLLoss):
    """A deprecated name for ``NLLLoss``.

    >>> import minigrad
    >>> minigrad.nn.NLLLoss2d()(minigrad.zeros(1, 2, 3, 3), minigrad.zeros(1, 3, 3, dtype=minigrad.int64)).shape
    torch.Size([])
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        warnings.warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead, which takes the same arguments.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


class CrossEntropyLoss(_WeightedLoss):
    """Compute the cross entropy between ``softmax(input)`` and ``target``: class indices (N, ...), or probabilities of the input's shape (N,
    C, ...).

    >>> import minigrad
    >>> minigrad.nn.CrossEntropyLoss()(minigrad.zeros(2, 4), minigrad.tensor([0, 3]))
    tensor(1.3863)
    """

    __constants__: list[Any] = ["ignore_index", "reduction", "label_smoothing"]

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class LinearCrossEntropyLoss(_WeightedLoss):
    """Compute ``CrossEntropyLoss`` of a learned linear map of the input: ``(N, in_features), (N)``; with ``out_features`` there are several
    targets per sample.

    Raises RuntimeError for a weight of the wrong size, or label smoothing outside [0, 1].

    >>> import minigrad
    >>> minigrad.nn.LinearCrossEntropyLoss(3, 4)(minigrad.zeros(2, 3), minigrad.tensor([0, 3]))
    tensor(1.3863, grad_fn=<NllLossBackward0>)
    """

    linear: Any

    __constants__: list[Any] = ["num_classes", "out_features", "reduction", "ignore_index", "label_smoothing"]

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: _Device = None,
        dtype: _dtype | None = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: Any = None,
    ) -> None:
        if weight is not None and weight.shape != (num_classes,):
            raise RuntimeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if label_smoothing < 0 or label_smoothing > 1.0:
            raise RuntimeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes = num_classes
        self.out_features = out_features
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        rows = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, rows, bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        linear, shape = self.linear, (self.num_classes, *self.out_features)
        return F.linear_cross_entropy(
            input,
            linear.weight.reshape((*shape, linear.in_features)),
            target,
            linear_bias=None if linear.bias is None else linear.bias.reshape(shape),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        return (
            f"in_features={self.linear.in_features}, {_shown(self, 'num_classes out_features')}, "
            f"bias={self.linear.bias is not None}, {_shown(self, 'reduction ignore_index label_smoothing options')}"
        )


class PoissonNLLLoss(_Loss):
    """Compute the negative log-likelihood of Poisson counts: ``exp(input) - target * input``, reduced.

    ``input`` is the logarithm of the rate, or with ``log_input=False`` the rate itself. ``full`` adds Stirling's approximation of
    ``log(target!)``.

    >>> import minigrad
    >>> minigrad.nn.PoissonNLLLoss(reduction="none")(minigrad.tensor([0., 1.]), minigrad.tensor([1., 2.]))
    tensor([1.0000, 0.7183])
    """

    __constants__: list[Any] = ["log_input", "full", "eps", "reduction"]

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: bool | None = None,
        eps: float = 1e-8,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        return F.poisson_nll_loss(
            log_input,
            target,
            log_input=self.log_input,
            full=self.full,
            eps=self.eps,
            reduction=self.reduction,
        )


class GaussianNLLLoss(_Loss):
    """Compute the Gaussian negative log-likelihood ``(log(var) + (input - target) ** 2 / var) / 2``, with ``var`` at least ``eps``; reduced.

    ``full`` adds the constant ``log(2π) / 2``.

    >>> import minigrad
    >>> minigrad.nn.GaussianNLLLoss(reduction="none")(minigrad.tensor([0., 2.]), minigrad.tensor([0., 0.]), minigrad.tensor([1., 1.]))
    tensor([0., 2.])
    """

    __constants__: list[Any] = ["full", "eps", "reduction"]

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """Compute ``input`` where the target is 1, and ``max(margin - input, 0)`` where it is -1; reduced.

    >>> import minigrad
    >>> minigrad.nn.HingeEmbeddingLoss(reduction="none")(minigrad.tensor([0.3, 0.3]), minigrad.tensor([1., -1.]))
    tensor([0.3000, 0.7000])
    """

    __constants__: list[Any] = ["margin", "reduction"]

    def __init__(
        self,
        margin: float = 1.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """Compute ``log(1 + exp(-target * input))`` for targets 1 and -1, reduced.

    >>> import minigrad
    >>> minigrad.nn.SoftMarginLoss(reduction="none")(minigrad.tensor([0., 2.]), minigrad.tensor([1., -1.]))
    tensor([0.6931, 2.1269])
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """Compute a hinge loss for several target classes: the sum of ``max(1 - (input[y] - input[i]), 0) / C`` over target classes y and other
    classes i.

    Both are ``(N, C)``, or without N; the targets of a sample end at its first -1. The result is reduced over N.

    >>> import minigrad
    >>> minigrad.nn.MultiLabelMarginLoss()(minigrad.tensor([[0.1, 0.7, 0.2]]), minigrad.tensor([[1, -1, 0]]))
    tensor(0.3000)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Compute the mean of ``BCEWithLogitsLoss`` over the classes of ``(N, C)``, with targets 0 and 1; reduced over N.

    >>> import minigrad
    >>> minigrad.nn.MultiLabelSoftMarginLoss()(minigrad.tensor([[0., 2.]]), minigrad.tensor([[1., 1.]]))
    tensor(0.4100)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """Compute the multi-class hinge loss: the sum of ``max(margin - input[y] + input[i], 0) ** p / C`` over all classes i except the target y.

    ``(N, C), (N)``, reduced over N. Raises ValueError unless ``p`` is 1 or 2, and for a weight that is not one-dimensional.

    >>> import minigrad
    >>> minigrad.nn.MultiMarginLoss()(minigrad.tensor([[0.1, 0.7, 0.2]]), minigrad.tensor([1]))
    tensor(0.3000)
    """

    margin: float

    __constants__: list[Any] = ["p", "margin", "reduction"]

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.ndim != 1:
            raise ValueError(
                f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.ndim}D instead"
            )
        self.p, self.margin = p, margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


class CosineEmbeddingLoss(_Loss):
    """Compute ``1 - cos(input1, input2)`` where the target is 1, and ``max(cos - margin, 0)`` where it is -1; reduced.

    The shapes are ``(N, D), (N, D), (N)``.

    >>> import minigrad
    >>> minigrad.nn.CosineEmbeddingLoss()(minigrad.tensor([[1., 0.]]), minigrad.tensor([[0., 1.]]), minigrad.tensor([1.]))
    tensor(1.)
    """

    __constants__: list[Any] = ["margin", "reduction"]

    def __init__(
        self,
        margin: float = 0.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """Compute ``max(-target * (input1 - input2) + margin, 0)`` for targets 1 and -1, reduced.

    >>> import minigrad
    >>> minigrad.nn.MarginRankingLoss()(minigrad.tensor([1., 1.]), minigrad.tensor([3., 3.]), minigrad.tensor([1., -1.]))
    tensor(1.)
    """

    __constants__: list[Any] = ["margin", "reduction"]

    def __init__(
        self,
        margin: float = 0.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """Compute ``max(d(anchor, positive) - d(anchor, negative) + margin, 0)``, where d is the ``p``-norm of the difference; reduced.

    All three are ``(N, D)``. With ``swap``, the distance from the negative to the positive is used instead if it is smaller. Raises
    ValueError unless the margin is positive.

    >>> import minigrad
    >>> minigrad.nn.TripletMarginLoss()(minigrad.tensor([[0., 0.]]), minigrad.tensor([[3., 4.]]), minigrad.tensor([[0., 5.5]]))
    tensor(0.5000)
    """

    __constants__: list[Any] = ["margin", "p", "eps", "swap", "reduction"]

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        _check_margin(self, margin)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(_Loss):
    """Compute ``TripletMarginLoss`` with any function of two tensors as the distance, ``PairwiseDistance()`` by default.

    >>> import minigrad
    >>> loss = minigrad.nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().sum(-1))
    >>> loss(minigrad.tensor([[0., 0.]]), minigrad.tensor([[3., 4.]]), minigrad.tensor([[0., 5.5]]))
    tensor(2.5000)
    """

    distance_function: Any

    __constants__: list[Any] = ["margin", "swap", "reduction"]

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        _check_margin(self, margin)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


def _check_margin(loss, margin):
    if margin <= 0:
        raise ValueError(f"{type(loss).__name__}: expected margin to be greater than 0, got {margin} instead")


class CTCLoss(_Loss):
    """Compute the connectionist temporal classification loss: minus the log-probability of a label sequence, summed over all alignments; reduced.

    ``log_probs`` is (T, N, C) or (T, C); ``targets`` is (N, S), or all label sequences concatenated. ``zero_infinity`` replaces the
    infinite loss of impossible targets by 0. [Graves et al. 2006]

    >>> import minigrad
    >>> log_probs = minigrad.full((2, 1, 2), 0.5).log()
    >>> minigrad.nn.CTCLoss(reduction="none")(log_probs, minigrad.tensor([[1]]), minigrad.tensor([2]), minigrad.tensor([1])).neg().exp()
    tensor([0.7500])
    """

    __constants__: list[Any] = ["blank", "reduction"]

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(
        self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor
    ) -> Tensor:
        return F.ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            self.blank,
            self.reduction,
            self.zero_infinity,
        )
