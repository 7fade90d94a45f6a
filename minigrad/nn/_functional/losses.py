"""Losses: what ``nn.functional`` says of reductions, sizes and weights before the operators do their work."""

import warnings
from collections.abc import Callable
from typing import Any

from ..._api import (
    Tensor,
    _class_loss,
    _composites,
    _dtypes,
    _level_of_user,
    _linear,
    _loss,
    _margin_loss,
    _mixing,
    broadcast_tensors,
)
from ..._api import cosine_embedding_loss as _cosine_embedding_loss
from ..._api import ctc_loss as _ctc_loss
from ..._api import hinge_embedding_loss as _hinge_embedding_loss
from ..._api import margin_ranking_loss as _margin_ranking_loss
from ..._api import pairwise_distance as _pairwise_distance
from ..._api import poisson_nll_loss as _poisson_nll_loss
from ..._api import triplet_margin_loss as _triplet_margin_loss

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction(name, size_average=None, reduce=None):
    """PyTorch's number of a reduction, given its name or the deprecated flags."""
    if size_average is not None or reduce is not None:
        unreduced = reduce is not None and not reduce
        name = "none" if unreduced else "mean" if size_average is None or size_average else "sum"
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.",
            stacklevel=_level_of_user(),
        )
    if name == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
            stacklevel=_level_of_user(),
        )
        return 1
    number = _REDUCTIONS.get(name) if isinstance(name, str) else None
    if number is None:
        raise ValueError(f"{name} is not a valid value for reduction")
    return number


def _same_size(input, target):
    """Both tensors, broadcast if their sizes differ, which gives a warning."""
    try:
        if input._array.shape == target._array.shape:
            return input, target
    except AttributeError:
        _mixing.refuse_pytorch(input)
        _mixing.refuse_pytorch(target)
        raise
    warnings.warn(
        f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). They are broadcast, "
        "which is hardly ever meant: give both the same size.",
        stacklevel=_level_of_user(),
    )
    return broadcast_tensors(input, target)


def _check_weight(weight, input):
    """Raise ValueError for weights of another size."""
    if weight is not None and weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _weighted(errors, weight, reduction):
    """Errors times weights, reduced: the mean is the sum divided by the sum of the weights."""
    weighted = errors * weight
    if reduction == 0:
        return weighted
    return weighted.sum() if reduction == 2 else weighted.sum() / weight.sum()


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Compute the squared error ``(input - target) ** 2``, reduced.

    ``input`` and ``target`` broadcast; ``reduction`` is ``"mean"``, ``"sum"`` (a 0-dim tensor) or ``"none"`` (their common shape).

    >>> import minigrad
    >>> minigrad.nn.functional.mse_loss(minigrad.tensor([1., 2.]), minigrad.tensor([1., 4.]))
    tensor(2.)
    """
    given = input
    input, target = _same_size(input, target)
    _check_weight(weight, given)
    number = _reduction(reduction, size_average, reduce)
    if weight is not None:
        return _weighted((input - target) ** 2, weight, number)
    return _loss.mse_loss(input, target, number)


@_composites.composite
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Compute the absolute error ``|input - target|``, reduced.

    ``input`` and ``target`` broadcast; ``reduction`` is ``"mean"``, ``"sum"`` (a 0-dim tensor) or ``"none"`` (their common shape).

    >>> import minigrad
    >>> minigrad.nn.functional.l1_loss(minigrad.tensor([1., 2.]), minigrad.tensor([1., 5.]))
    tensor(1.5000)
    """
    given = input
    input, target = _same_size(input, target)
    _check_weight(weight, given)
    number = _reduction(reduction, size_average, reduce)
    if weight is not None:
        return _weighted((input - target).abs(), weight, number)
    return _loss.l1_loss(input, target, number)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Compute the absolute error less ``beta / 2``, or ``(input - target) ** 2 / (2 * beta)`` where it is below ``beta``; reduced. [Girshick 2015]

    ``input`` and ``target`` broadcast; ``reduction`` is ``"mean"``, ``"sum"`` (a 0-dim tensor) or ``"none"`` (their common shape).

    >>> import minigrad
    >>> minigrad.nn.functional.smooth_l1_loss(minigrad.tensor([1., 2.]), minigrad.tensor([1.5, 5.]), reduction="none")
    tensor([0.1250, 2.5000])
    """
    input, target = _same_size(input, target)
    number = _reduction(reduction, size_average, reduce)
    return _loss.smooth_l1_loss(input, target, number, beta)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """Compute ``delta * (|input - target| - delta / 2)``, or half the squared error where the error is at most ``delta``; reduced. [Huber 1964]

    ``input`` and ``target`` broadcast; ``reduction`` is ``"mean"``, ``"sum"`` (a 0-dim tensor) or ``"none"`` (their common shape).

    >>> import minigrad
    >>> minigrad.nn.functional.huber_loss(minigrad.tensor([1., 2.]), minigrad.tensor([1.5, 5.]), reduction="none", delta=2.)
    tensor([0.1250, 4.0000])
    """
    given = input
    input, target = _same_size(input, target)
    _check_weight(weight, given)
    number = _reduction(reduction)
    if weight is not None:
        weighted = _loss.huber_loss(input, target, 0, delta) * weight
        return _loss.reduced(weighted, number)  # the mean, too, is of all elements
    return _loss.huber_loss(input, target, number, delta)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute the binary cross entropy between probabilities ``input`` and ``target``, reduced.

    Both have the same shape; the result is a 0-dim tensor, or has that shape with ``reduction="none"``. Raises RuntimeError for an
    ``input`` outside [0, 1].

    >>> import minigrad
    >>> minigrad.nn.functional.binary_cross_entropy(minigrad.tensor([0.5, 0.9]), minigrad.tensor([0., 1.]), reduction="none")
    tensor([0.6931, 0.1054])
    """
    number = _reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Give both the same size."
        )
    if weight is not None:
        weight = weight.expand(_broadcast_shape(weight, target))
    return _loss.binary_cross_entropy(input, target, weight, number)


def _broadcast_shape(weight, target):
    shape = target.size()
    for back in range(1, weight.dim() + 1):
        size = shape[-back] if back <= len(shape) else 1
        if weight.size(-back) not in (1, size):
            raise RuntimeError(
                f"Attempting to broadcast a dimension of length {weight.size(-back)} at -{back}! Mismatching argument at "
                f"index 1 had {weight.size()}; but expected shape should be broadcastable to {list(shape)}"
            )
    return shape


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Compute ``binary_cross_entropy`` of ``sigmoid(input)`` in a numerically stable way; ``pos_weight`` weights the positive class.

    Both have the same shape; the result is a 0-dim tensor, or has that shape with ``reduction="none"``.

    >>> import minigrad
    >>> minigrad.nn.functional.binary_cross_entropy_with_logits(minigrad.tensor([0., 2.]), minigrad.tensor([1., 1.]), reduction="none")
    tensor([0.6931, 0.1269])
    """
    number = _reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return _loss.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


@_composites.composite
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """Compute ``target * (log(target) - input)`` for log-probabilities ``input``, reduced; ``"batchmean"`` divides the sum by the batch size.

    Shapes broadcast; the result is a 0-dim tensor, or has the common shape with ``reduction="none"``.

    >>> import minigrad
    >>> p = minigrad.tensor([[0.5, 0.5]])
    >>> minigrad.nn.functional.kl_div(minigrad.tensor([[0.25, 0.75]]).log(), p, reduction="batchmean")
    tensor(0.1438)
    """
    if size_average is None and reduce is None and reduction == "batchmean":
        total = _loss.kl_div(input, target, 2, log_target)
        return total / input.size()[0] if input.dim() else total
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size. 'batchmean' divides by "
            "the batch size only, as the definition of the divergence does. In the next major release, 'mean' will too.",
            stacklevel=_level_of_user(),
        )
    return _loss.kl_div(input, target, _reduction(reduction, size_average, reduce), log_target)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute the negative log-likelihood: minus ``input`` (N, C, ...) at the classes ``target`` (N, ...), weighted and reduced.

    Raises IndexError for a target that is not a class.

    >>> import minigrad
    >>> minigrad.nn.functional.nll_loss(minigrad.tensor([[-0.5, -1.], [-2., -0.1]]), minigrad.tensor([0, 1]), reduction="none")
    tensor([0.5000, 0.1000])
    """
    return _class_loss.nll_loss(
        input, target, weight, _reduction(reduction, size_average, reduce), ignore_index
    )


@_composites.composite("cross_entropy_loss")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Compute the cross entropy between ``softmax(input)`` and ``target``: class indices (N, ...), or probabilities of the shape of
    ``input`` (N, C, ...).

    Raises IndexError for a target that is not a class.

    >>> import minigrad
    >>> minigrad.nn.functional.cross_entropy(minigrad.zeros(2, 4), minigrad.tensor([0, 3]))
    tensor(1.3863)
    """
    number = _reduction(reduction, size_average, reduce)
    if not isinstance(input, Tensor):
        raise TypeError(
            f"cross_entropy_loss(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )
    return _class_loss.cross_entropy_loss(input, target, weight, number, ignore_index, label_smoothing)


@_composites.composite
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute the negative log-likelihood of Poisson counts: ``exp(input) - target * input``, or ``input - target * log(input + eps)``
    unless ``log_input``; reduced.

    ``full`` adds Stirling's approximation of log(target!). The result is a 0-dim tensor, or has the shape of ``input`` with ``reduction="none"``.

    >>> import minigrad
    >>> minigrad.nn.functional.poisson_nll_loss(minigrad.tensor([0., 1.]), minigrad.tensor([1., 2.]), reduction="none")
    tensor([1.0000, 0.7183])
    """
    number = _reduction(reduction, size_average, reduce)
    return _poisson_nll_loss(input, target, log_input, full, eps, number)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Compute the Gaussian negative log-likelihood ``(log(var) + (input - target)² / var) / 2``, with ``var`` at least ``eps``; reduced.

    ``full`` adds log(2π) / 2. ``var`` is a number, or a tensor of the input's shape, or with its last dimension missing or of size one.
    The result is a 0-dim tensor, or has the shape of ``input`` with ``reduction="none"``. Raises ValueError for other sizes and for
    negative variances.

    >>> import minigrad
    >>> minigrad.nn.functional.gaussian_nll_loss(minigrad.tensor([0., 2.]), minigrad.tensor([0., 0.]), minigrad.tensor([1., 1.]), reduction="none")
    tensor([0., 2.])
    """
    if not isinstance(var, (float, Tensor)):
        raise TypeError(
            f"gaussian_nll_loss(): argument 'var' (position 3) must be Tensor, not {type(var).__name__}"
        )
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var + input.new_zeros(input.size())
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    sizes, of_var = input.size(), var.size()
    if of_var != sizes:
        if sizes[:-1] == of_var:
            var = var.unsqueeze(-1)
        elif len(sizes) != len(of_var) or sum(n for n, m in zip(of_var, sizes) if n != m) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in _REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    return _loss.gaussian_nll_loss(input, target, var, full, eps, _REDUCTIONS[reduction])


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute ``log(1 + exp(-target * input))`` for targets 1 and -1, reduced.

    The result is a 0-dim tensor, or has the shape of ``input`` with ``reduction="none"``.

    >>> import minigrad
    >>> minigrad.nn.functional.soft_margin_loss(minigrad.tensor([0., 2.]), minigrad.tensor([1., -1.]), reduction="none")
    tensor([0.6931, 2.1269])
    """
    return _margin_loss.soft_margin_loss(input, target, _reduction(reduction, size_average, reduce))


@_composites.composite
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute ``input`` where ``target`` is 1, and ``max(margin - input, 0)`` where it is -1; reduced.

    The result is a 0-dim tensor, or has the shape of ``input`` with ``reduction="none"``.

    >>> import minigrad
    >>> minigrad.nn.functional.hinge_embedding_loss(minigrad.tensor([0.3, 0.3]), minigrad.tensor([1., -1.]), reduction="none")
    tensor([0.3000, 0.7000])
    """
    return _hinge_embedding_loss(input, target, margin, _reduction(reduction, size_average, reduce))


@_composites.composite
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute ``max(margin - target * (input1 - input2), 0)``, reduced: ``target`` is 1 where ``input1`` should be larger, -1 where
    ``input2`` should.

    The result is a 0-dim tensor, or has the common shape with ``reduction="none"``. Raises RuntimeError for different numbers of dimensions.

    >>> import minigrad
    >>> minigrad.nn.functional.margin_ranking_loss(minigrad.tensor([1., 1.]), minigrad.tensor([3., 3.]), minigrad.tensor([1., -1.]), reduction="none")
    tensor([2., 0.])
    """
    number = _reduction(reduction, size_average, reduce)
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            f"margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {input1.size()}, "
            f"input2: {input2.size()}, target: {target.size()} "
        )
    return _margin_ranking_loss(input1, input2, target, margin, number)


@_composites.composite
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute ``1 - cosine`` where ``target`` is 1, and ``max(cosine - margin, 0)`` where it is -1; reduced: ``(N, D), (N, D), (N) -> (N)``.

    >>> import minigrad
    >>> x = minigrad.tensor([[1., 0.], [1., 0.]])
    >>> minigrad.nn.functional.cosine_embedding_loss(x, minigrad.tensor([[0., 1.], [3., 0.]]), minigrad.tensor([1., -1.]), reduction="none")
    tensor([1., 1.])
    """
    number = _reduction(reduction, size_average, reduce)
    return _cosine_embedding_loss(input1, input2, target, margin, number)


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute the multi-class hinge loss: the sum of ``max(0, margin - input[target] + input[c]) ** p / C`` over the classes c other than
    the target; reduced.

    ``weight`` weights the losses by their targets. ``input`` is (N, C) or (C,), ``target`` (N,) or 0-dim. Raises ValueError unless ``p``
    is 1 or 2, RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.multi_margin_loss(minigrad.tensor([[0.1, 0.7, 0.2]]), minigrad.tensor([1]))
    tensor(0.3000)
    """
    number = _reduction(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return _margin_loss.multi_margin_loss(input, target, p, margin, weight, number)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute a hinge loss for several target classes: the sum of ``max(0, 1 - input[t] + input[c])`` over targets t and other classes c; reduced.

    Both are (N, C) or (C,). ``target`` is int64; the targets of a sample end at its first -1.

    >>> import minigrad
    >>> minigrad.nn.functional.multilabel_margin_loss(minigrad.tensor([[0.1, 0.7, 0.2]]), minigrad.tensor([[1, -1, 0]]))
    tensor(0.3000)
    """
    return _margin_loss.multilabel_margin_loss(input, target, _reduction(reduction, size_average, reduce))


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute the binary cross entropy between ``sigmoid(input)`` and ``target``, weighted, averaged over the last dimension, and reduced.

    Both are (..., C); the loss is (...), or 0-dim when reduced.

    >>> import minigrad
    >>> minigrad.nn.functional.multilabel_soft_margin_loss(minigrad.tensor([[0., 2.]]), minigrad.tensor([[1., 1.]]))
    tensor(0.4100)
    """
    valid = size_average is not None or reduce is not None or reduction in _REDUCTIONS
    number = _reduction(reduction, size_average, reduce) if valid else 0
    loss = _margin_loss.multilabel_soft_margin_loss(input, target, weight, number)
    if not valid:
        raise ValueError(reduction + " is not valid")
    return loss


def _check_margin(margin):
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")


@_composites.composite
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute ``max(d(anchor, positive) - d(anchor, negative) + margin, 0)``, where d is the ``p``-norm of the difference; reduced:
    ``(N, D) -> (N)``.

    With ``swap``, the distance from the negative to the positive is used instead if it is smaller.

    >>> import minigrad
    >>> minigrad.nn.functional.triplet_margin_loss(minigrad.tensor([[0., 0.]]), minigrad.tensor([[3., 4.]]), minigrad.tensor([[0., 5.5]]))
    tensor(0.5000)
    """
    number = _reduction(reduction, size_average, reduce)
    _check_margin(margin)
    return _triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, number)


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Compute ``triplet_margin_loss`` with any function of two tensors as the distance, ``pairwise_distance`` by default.

    The result is a 0-dim tensor, or has the shape of the distances with ``reduction="none"``.

    >>> import minigrad
    >>> def l1(x, y): return (x - y).abs().sum(-1)
    >>> minigrad.nn.functional.triplet_margin_with_distance_loss(minigrad.tensor([[0., 0.]]), minigrad.tensor([[3., 4.]]), minigrad.tensor([[0., 5.5]]), distance_function=l1)
    tensor(2.5000)
    """
    number = _reduction(reduction)
    _check_margin(margin)
    distance = _pairwise_distance if distance_function is None else distance_function
    return _margin_loss.triplet_loss(anchor, positive, negative, distance, margin, swap, number)


@_composites.composite
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Compute the connectionist temporal classification loss: minus the log-probability of ``targets``, summed over all alignments; reduced.

    ``log_probs`` is (T, N, C) or (T, C); ``targets`` is (N, S), or all label sequences concatenated; the lengths say how much of each
    sample is used. The mean is taken over the losses divided by their target lengths; ``zero_infinity`` replaces the infinite loss of
    impossible targets by 0. Raises RuntimeError for sizes that do not fit. [Graves et al. 2006]

    >>> import minigrad
    >>> log_probs = minigrad.full((2, 1, 2), 0.5).log()
    >>> minigrad.nn.functional.ctc_loss(log_probs, minigrad.tensor([[1]]), minigrad.tensor([2]), minigrad.tensor([1]), reduction="none").neg().exp()
    tensor([0.7500])
    """
    number = _reduction(reduction)
    return _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity)


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """Compute ``cross_entropy(linear(input, linear_weight, linear_bias), target)``: (N, E), (C, E), (N), or (C, K, E) for targets (N, K).

    In PyTorch, ``options`` controls how the work is divided; here it has no effect. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.nn.functional.linear_cross_entropy(minigrad.zeros(2, 3), minigrad.zeros(4, 3), minigrad.tensor([0, 3]))
    tensor(1.3863)
    """
    if not 1 <= input.dim() <= 2:
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {input.dim()}")
    if linear_weight.dim() < 2:
        raise RuntimeError(
            f"expected linear_weight with dimensionality at least 2, got {linear_weight.dim()}"
        )
    if input.shape[-1] != linear_weight.shape[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{input.shape[-1]} and {linear_weight.shape[-1]}, respectively"
        )
    outputs = tuple(linear_weight.shape[:-1])
    if linear_bias is not None and tuple(linear_bias.shape) != outputs:
        raise RuntimeError(f"expected linear_bias shape {outputs}, got {tuple(linear_bias.shape)}")
    if len(outputs) > 1 and input.dim() == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires batched input, (N, "
            f"{input.shape[-1]}), got unbatched input with shape {tuple(input.shape)}"
        )
    scores_shape = (*input.shape[:-1], *outputs)
    if tuple(target.shape) == scores_shape and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    if options is not None and not hasattr(options, "_adjust"):
        dense = (
            len(outputs) == 1
            and label_smoothing == 0
            and target.dtype is _dtypes.int64
            and reduction in ("mean", "sum", "none")
        )
        if dense:  # else PyTorch does not look at them
            raise TypeError(
                f"linear_cross_entropy(): argument 'options' must be LinearCrossEntropyOptions, not {type(options).__name__}"
            )
    if len(outputs) > 1:
        linear_weight = linear_weight.flatten(0, -2)
        linear_bias = None if linear_bias is None else linear_bias.flatten()
    scores = _linear(input, linear_weight, linear_bias).reshape(scores_shape)
    return cross_entropy(
        scores,
        target,
        weight=weight,
        reduction=reduction,
        ignore_index=-100 if ignore_index is None else ignore_index,
        label_smoothing=label_smoothing,
    )
