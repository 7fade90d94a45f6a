"""Softmax over many classes of unequal frequency: the frequent ones directly, the rest in clusters."""

from collections import namedtuple
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ..._api import Tensor, _Device, argmax, cat
from ..._api import dtype as _dtype
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """Approximate the softmax over many classes of unequal frequency: ``(N, in_features), (N) -> output (N), loss ()``, or without N.

    Returns the log-probability of each target and their negative mean. Classes must be numbered by falling frequency. Those below
    ``cutoffs[0]``, and one entry for each cluster between later cutoffs, are scored by the ``head``; each cluster divides its probability
    among its classes after projecting the input to fewer features (fewer by the factor ``div_value`` from one cluster to the next).
    Raises ValueError unless the cutoffs increase and lie between 1 and ``n_classes - 1``. [Grave et al. 2017]

    >>> import minigrad
    >>> layer = minigrad.nn.AdaptiveLogSoftmaxWithLoss(8, 10, cutoffs=[4])
    >>> layer(minigrad.ones(3, 8), minigrad.tensor([0, 4, 9])).output.shape
    torch.Size([3])
    """

    cutoffs: list[Any]
    shortlist_size: int
    n_clusters: int
    head_size: int
    head: Any
    tail: Any

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        rising = all(a < b for a, b in pairwise(cutoffs))
        if not rising or cutoffs[0] <= 0 or cutoffs[-1] > n_classes - 1 or any(int(c) != c for c in cutoffs):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is "
                "between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, device=device, dtype=dtype)
        self.tail = ModuleList()
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            hidden = int(in_features // (div_value ** (i + 1)))
            self.tail.append(
                Sequential(
                    Linear(in_features, hidden, bias=False, device=device, dtype=dtype),
                    Linear(hidden, high - low, bias=False, device=device, dtype=dtype),
                )
            )

    def reset_parameters(self) -> None:
        """Reinitialize all weights."""
        self.head.reset_parameters()
        for projection in self.tail:
            for layer in projection:
                layer.reset_parameters()

    def _check(self, input, target):
        if target.dim() == 1:
            if input.size(0) != target.size(0):
                raise RuntimeError("Input and target should have the same size in the batch dimension.")
            if input.dim() != 2:
                raise RuntimeError(
                    f"1D target tensor expects 2D input tensors, but found inputs with size {input.size()}"
                )
        elif target.dim() != 0:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        elif input.dim() != 1:
            raise RuntimeError(
                f"0D target tensor expects 1D input tensors, but found inputs with size {input.size()}"
            )

    def forward(self, input_: Tensor, target_: Tensor) -> Any:
        self._check(input_, target_)
        batched = target_.dim() > 0
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        if len(target) and not (target.min() >= 0 and target.max() < self.n_classes):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, "
                f"{target.max().item()}] were found. "
            )
        output = input.new_zeros(len(target))
        in_head = target.clone()  # the target's class, or its cluster's place in the head
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            rows = ((target >= low) & (target < high)).nonzero().flatten()
            if len(rows):
                log_probs = F.log_softmax(self.tail[i](input.index_select(0, rows)), dim=1)
                own = log_probs.gather(1, (target[rows] - low).unsqueeze(1)).squeeze(1)
                output.index_copy_(0, rows, own)
                in_head.index_fill_(0, rows, self.shortlist_size + i)
        log_probs = F.log_softmax(self.head(input), dim=1)
        output += log_probs.gather(1, in_head.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _get_full_log_prob(self, input, head_output):
        """The log-probabilities of all classes, given the scores of the head."""
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for i, projection in enumerate(self.tail):
            own = F.log_softmax(projection(input), dim=1)
            parts.append(own + head[:, self.shortlist_size + i].unsqueeze(1))
        return cat(parts, 1)

    def log_prob(self, input: Tensor) -> Tensor:
        """Return the log-probabilities of all classes: ``(N, in_features) -> (N, n_classes)``."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """Return the most probable class of each sample: ``(N, in_features) -> (N)``.

        Equal to ``log_prob(input).argmax(1)``, but faster.
        """
        head_output = self.head(input)
        output = argmax(head_output, dim=1)
        in_tail = output >= self.shortlist_size
        if in_tail.any():
            log_prob = self._get_full_log_prob(input[in_tail], head_output[in_tail])
            output[in_tail] = argmax(log_prob, dim=1)
        return output
