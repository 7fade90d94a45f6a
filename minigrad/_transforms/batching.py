"""vmap: how an op is applied to a whole batch at once.

The batch stands at axis 0 of the inner tensors, always.  The rule is what the op's class says in ``batch`` (see ``_ops/batches.py``), or follows from its family:
elementwise ops run on the whole batch, the operands' ranks aligned.  What has no rule is done sample by sample, with a warning.
"""

import warnings

from .._core.families import Unary
from .._ops import vocabulary as xp
from .._ops.batches import pointwise


def call(cls, inner, batched, params, size):
    """The results of ``cls`` on ``inner``, of which some are batched along axis 0; they are batched likewise."""
    if cls.batch is not None:
        return cls.batch(cls.call, inner, batched, params, size)
    if issubclass(cls, Unary):
        return cls.call(inner[0], *params)
    if cls.broadcasts:
        return pointwise(cls.call, inner, batched, params, size)
    return loop(cls, inner, batched, params, size)


def has_rule(cls):
    """Whether a batch is more than a loop for an op."""
    return cls.batch is not None or is_elementwise(cls)


def is_elementwise(cls):
    """Whether an op computes each element of its result by itself."""
    return cls.broadcasts or cls.batch is pointwise or issubclass(cls, Unary)


def loop(cls, inner, batched, params, size):
    """One sample after the other."""
    warn_of_loop(cls.function_name())
    rows = []
    for i in range(size):
        rows.append(cls.call(*[x[i] if b else x for x, b in zip(inner, batched)], *params))
    if isinstance(rows[0], (tuple, list)):
        return tuple([xp.stack(column, 0) for column in zip(*rows)])
    return xp.stack(rows, 0)


_warned: set[str] = set()


def warn_of_loop(name):
    """Warn, once for each op, that it is slow under vmap."""
    if name not in _warned:
        _warned.add(name)
        warnings.warn(
            f"There is a performance drop because we have not yet implemented the batching rule for aten::{name}. Please file "
            "us an issue on GitHub so that we can prioritize its implementation.",
            stacklevel=2,
        )
