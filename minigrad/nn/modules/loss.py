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
    """``(input - target) ** 2``, reduced.

    >>> import minigrad
    >>> minigrad.nn.MSELoss()(minigrad.tensor([1., 2.]), minigrad.tensor([1., 4.]))
    tensor(2.)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    """``|input - target|``, reduced.

    >>> import minigrad
    >>> minigrad.nn.L1Loss()(minigrad.tensor([1., 2.]), minigrad.tensor([1., 5.]))
    tensor(1.5000)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """``|input - target| - beta / 2``, or ``(input - target) ** 2 / (2 * beta)`` where the difference is below ``beta``; reduced.

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
    """``delta * (|input - target| - delta / 2)``, or half the square of the difference up to ``delta``; reduced.

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
    """The cross entropy of probabilities, each of two classes, reduced.

    >>> import minigrad
    >>> minigrad.nn.BCELoss(reduction="none")(minigrad.tensor([0.5, 0.9]), minigrad.tensor([0., 1.]))
    tensor([0.6931, 0.1054])
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """``BCELoss`` of ``sigmoid(input)``, without its rounding errors; ``pos_weight`` weighs the first class.

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
    """``target * (log(target) - input)``, reduced; ``"batchmean"`` divides the sum by the size of the first axis.

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
    """Minus the elements of the input (N, C, ...) at the classes ``target`` (N, ...), weighted and reduced.

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
    """Deprecated: ``NLLLoss`` does the same.

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
    """The cross entropy of ``softmax(input)`` and ``target``: classes (N, ...), or probabilities in the input's shape (N, C, ...).

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
    """``CrossEntropyLoss`` of a learned linear map of the input: ``(N, in_features), (N)``; with ``out_features`` several targets each.

    Raises RuntimeError for a weight of another size, or a smoothing outside [0, 1].

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
    """``exp(input) - target * input`` (or of ``log(input)`` unless ``log_input``), reduced: minus the log-likelihood of counts.

    ``full`` adds Stirling's approximation of ``log(target!)``.

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
    """``(log(var) + (input - target) ** 2 / var) / 2``, with variances of at least ``eps``; reduced.  ``full`` adds the constant.

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
    """``input`` where the target is 1, ``max(margin - input, 0)`` where it is -1; reduced.

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
    """``log(1 + exp(-target * input))`` for targets 1 and -1, reduced.

    >>> import minigrad
    >>> minigrad.nn.SoftMarginLoss(reduction="none")(minigrad.tensor([0., 2.]), minigrad.tensor([1., -1.]))
    tensor([0.6931, 2.1269])
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """``max(1 - (input[y] - input[i]), 0) / C`` summed over the classes y that the target names before its first -1, and all others i.

    ``(N, C)`` each, or without N; reduced over N.

    >>> import minigrad
    >>> minigrad.nn.MultiLabelMarginLoss()(minigrad.tensor([[0.1, 0.7, 0.2]]), minigrad.tensor([[1, -1, 0]]))
    tensor(0.3000)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean over the classes of ``BCEWithLogitsLoss``: ``(N, C)``, with targets 0 and 1; reduced over N.

    >>> import minigrad
    >>> minigrad.nn.MultiLabelSoftMarginLoss()(minigrad.tensor([[0., 2.]]), minigrad.tensor([[1., 1.]]))
    tensor(0.4100)
    """

    __constants__: list[Any] = ["reduction"]

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """``max(margin - input[y] + input[i], 0) ** p / C`` summed over all classes i but the target y: ``(N, C), (N)``; reduced over N.

    Raises ValueError unless ``p`` is 1 or 2, and for a weight of another than one dimension.

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
    """``1 - cos(input1, input2)`` where the target is 1, ``max(cos - margin, 0)`` where it is -1: ``(N, D), (N, D), (N)``; reduced.

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
    """``max(-target * (input1 - input2) + margin, 0)`` for targets 1 and -1, reduced.

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
    """``max(d(anchor, positive) - d(anchor, negative) + margin, 0)`` for the ``p``-norm of differences d, reduced: ``(N, D)`` each.

    With ``swap`` the negative's distance is that to the anchor or the positive, whichever is less.  Raises ValueError unless the margin is
    positive.

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
    """``TripletMarginLoss`` for any function of two tensors as the distance; ``PairwiseDistance()`` unless given.

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
    """Minus the logarithm of the probability of labels whose places in time are not known, reduced.

    ``log_probs`` is (T, N, C) or (T, C), ``targets`` (N, S) or all labels one after another; ``zero_infinity`` makes the loss of impossible
    labels 0.  [Graves et al. 2006]

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
