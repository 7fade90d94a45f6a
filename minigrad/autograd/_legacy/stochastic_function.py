"""Random draws as nodes of the graph: the ``reinforce(reward)`` of 2017.

A draw has no derivative; the score-function estimator stands in for it [Williams 1992]: the gradient of the parameters is
``-reward * d log p(draw) / d parameters``, so that a step against it makes rewarded draws more probable.  Until ``reinforce()`` is called,
a draw is what it is today: ``bernoulli`` and ``normal`` pass on zeros, ``multinomial`` gives indices that require no grad.

Draws are remembered only in programs that import ``Variable``; all others pay nothing.
"""

import weakref
from numbers import Number
from typing import Any

import numpy as np

from ..._arrays import vocabulary as arrays
from ..._base.deprecation import old_form
from ..._base.dtypes import legacy_type_name
from ..._base.errors import NO_REWARD, SECOND_BACKWARD
from ..._base.size import Size
from ..._core import late
from ..._core.modes import thread_state
from ..._core.node import AccumulateGrad, Node, Port, tick
from ..._core.observers import show_node
from ..._core.saved import stale
from ..._core.storage import FRESH
from ..._core.tensor import Tensor, wrap

__all__ = ["StochasticFunction"]

#: The accumulators of leaves that ``Variable(..., requires_grad=True)`` made.
_of_variables: weakref.WeakSet[AccumulateGrad] = weakref.WeakSet()


class StochasticFunction(Node):
    """The node of a random draw: ``operands`` are the parameters of the distribution, tensors or numbers."""

    __slots__ = ("operands", "versions", "drawn", "reward")
    takes_none = True

    @property
    def _made(self):
        return ((self.drawn.shape, self.drawn.dtype),)

    @property
    def rewarded(self):
        """Whether ``reinforce()`` was called."""
        return self.reward is not None

    def reinforce(self, reward):
        """Note the reward, which must fit the draw; a 0-dim tensor is a number: 2017 had numbers where it stands today."""
        if isinstance(reward, Tensor) and not reward._array.ndim:
            reward = reward.item()
        if not isinstance(reward, Number):
            expected = legacy_type_name(next(x for x in self.operands if isinstance(x, Tensor))._array.dtype)
            got = (
                legacy_type_name(reward._array.dtype) if isinstance(reward, Tensor) else type(reward).__name__
            )
            if got != expected:
                raise TypeError(
                    f"mismatch between reward and output type: got {got}, but expected {expected}"
                )
            if reward._array.shape != self.drawn.shape:
                raise ValueError(
                    f"got reward of size {Size(reward._array.shape)}, but expected a tensor of size {Size(self.drawn.shape)}"
                )
        if self.reward is not None:
            raise RuntimeError("you can only reinforce a stochastic Function once")
        self.reward = np.broadcast_to(
            reward._array if isinstance(reward, Tensor) else reward, self.drawn.shape
        )

    def backward(self, xp, g, keep):
        """The gradients of the parameters: by the reward, whatever ``g`` is; without a reward, zeros."""
        if self.operands is None:
            raise RuntimeError(SECOND_BACKWARD)
        for x, version in zip(self.operands, self.versions):
            if isinstance(x, Tensor) and x._storage.version != version:
                raise stale(x, version)
        raw = xp is arrays
        operands = [x._array if raw and isinstance(x, Tensor) else x for x in self.operands]
        edges = iter(self._next)  # of the tensors among the operands
        wanted = [isinstance(x, Tensor) and next(edges) is not None for x in self.operands]
        if self.reward is None:
            if self.needs_reward():
                raise RuntimeError(NO_REWARD)
            outs = [xp.zeros_like(x) if w else None for x, w in zip(operands, wanted)]
        else:
            dtype = next(x for x in self.operands if isinstance(x, Tensor))._array.dtype
            reward = self.reward.astype(dtype)
            outs = [
                xp.sum_to(score, tuple(x.shape)) if w else None
                for score, x, w in zip(
                    self.scores(xp, (lambda a: a) if raw else wrap, reward, *operands), operands, wanted
                )
            ]
        outs = [out for out, x in zip(outs, self.operands) if isinstance(x, Tensor)]
        if not keep and self.reward is not None:
            self.operands = None
        return outs

    def needs_reward(self):
        """Whether a leaf that ``Variable`` made lies below: then a missing reward is an error, as it was in 2017."""
        stack, seen = [*self._next], set()
        while stack:
            edge = stack.pop()
            node = edge.node if edge.__class__ is Port else edge
            if node is None or node in seen:
                continue
            if node.__class__ is AccumulateGrad and node in _of_variables:
                return True
            seen.add(node)
            stack += node._next
        return False


class BernoulliBackward0(StochasticFunction):
    """x = 1 with probability p, else 0;   d log p(x) / dp = (x - p) / (p (1 - p))."""

    __slots__ = ()

    def scores(self, xp, lift, reward, p):
        """The gradient of p."""
        return [-lift(reward) * (lift(self.drawn) - p) / (p * (1 - p))]


class Multinomial(StochasticFunction):
    """k with probability w_k / sum(w) for weights w (..., n), several times;   d log p(k) / dw_j = [j = k] / w_k - 1 / sum(w).

    Without replacement, each sum is over what had not been drawn before.
    """

    __slots__ = ("replacement",)

    def scores(self, xp, lift, reward, w):
        """The gradient of the weights."""
        drawn = self.drawn
        # the sum of the rewards of each place that was drawn
        at_place = np.zeros(tuple(w.shape), reward.dtype)
        rows = tuple(np.indices(drawn.shape)[:-1])
        np.add.at(at_place, (*rows, drawn), reward)
        out = -lift(at_place) / (w + lift((at_place == 0).astype(reward.dtype)))
        left = np.ones_like(at_place)
        for s in range(drawn.shape[-1]):
            mask = lift(left.copy())
            out = out + lift(reward[..., s : s + 1].copy()) * mask / xp.sum(w * mask, -1, True)
            if not self.replacement:
                np.put_along_axis(left, drawn[..., s : s + 1], 0, -1)
        return [out]


class _Normal(StochasticFunction):
    """x = m + s * a standard normal number;   d log p(x) / dm = (x - m) / s²,   d log p(x) / ds = (x - m)² / s³ - 1 / s."""

    __slots__ = ()

    def scores(self, xp: Any, lift: Any, reward: Any, mean: Any, std: float) -> Any:
        """The gradients of mean and standard deviation, one of which may be a number."""
        far = (lift(self.drawn) - mean) / std
        reward = lift(reward)
        return [-reward * far / std, -reward * (far * far - 1) / std]


class NormalBackward1(_Normal):
    """Normal numbers of several means and one standard deviation."""

    __slots__ = ()

    @property
    def _saved_mean_sym_sizes(self) -> tuple[int, ...]:
        return self.drawn.shape


class NormalBackward2(_Normal):
    """Normal numbers of one mean and several standard deviations."""

    __slots__ = ()


class NormalBackward3(_Normal):
    """Normal numbers of several means and standard deviations."""

    __slots__ = ()


def mark_variable(leaf: Any) -> None:
    """Note that ``leaf``, which requires grad, was made by ``Variable``."""
    _of_variables.add(leaf._edge)


#: What ``_ops/random.py`` calls the distributions.
_CLASSES = {
    "bernoulli": BernoulliBackward0,
    "multinomial": Multinomial,
    "normal_mean": NormalBackward1,
    "normal_std": NormalBackward2,
    "normal_both": NormalBackward3,
}


def remember(kind, draw, operands, replacement=True):
    """Note how ``draw``, a fresh tensor, was drawn; returns it."""
    if not thread_state.recording or thread_state.inference or draw._volatile:
        return draw
    edges = tuple([x._edge for x in operands if isinstance(x, Tensor)])
    if all(edge is None for edge in edges):
        return draw
    node = _CLASSES[kind]()
    node._next = edges
    node._seq = tick()
    node._extra = node.reward = None
    node._storage = FRESH
    node.operands = operands
    node.versions = tuple(x._storage.version if isinstance(x, Tensor) else 0 for x in operands)
    node.drawn = draw._array.copy()
    if draw._node is None:  # indices, which today require no grad
        node.replacement = replacement
        draw._draw = node
    else:
        draw._node = node
        show_node(node)
    return draw


late.remember_draw = remember


def reinforce(self, reward):
    """Give a random draw its reward: a number, or a tensor of the draw's size and of the probabilities' dtype.

    Backward then passes ``-reward * d log p(draw)`` through the draw. Raises RuntimeError if the tensor was not drawn from something that
    requires grad, or has a reward already.

    >>> import minigrad, warnings
    >>> from minigrad.autograd import Variable
    >>> p = Variable(minigrad.tensor([0.5]), requires_grad=True)
    >>> draw = p.bernoulli()
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     draw.reinforce(3.)
    >>> minigrad.autograd.backward([draw], [None])
    >>> minigrad.equal(p.grad, 6 - 12 * draw)
    True
    """
    old_form(
        "reinforce()",
        "Use the log-probability of the draw instead: `loss = -log_prob(action) * reward; loss.backward()`.",
    )
    node = self._draw or self.grad_fn
    if not isinstance(node, StochasticFunction):
        raise RuntimeError(
            "reinforce() can be only called on outputs of stochastic functions (bernoulli, multinomial, normal) of tensors that "
            "require grad, drawn after `from torch.autograd import Variable`."
        )
    node.reinforce(reward)
    if self._draw is not None:
        self._node, self._draw = node, None
