"""The Function of a whole batch, derived from one for a sample: each of its methods is the ``vmap`` of the user's.

Each call of a method opens a level of its own.  The context keeps tensors as they are further in, and remembers which of them hold a batch; the user's methods see
it through ``BatchContext``, which wraps them again.
"""

from typing import Any

from .._base.pytree import tree_map
from .._core.levels import BatchLevel
from .._core.tensor import Tensor
from .._core.wrapped import batch
from .._transforms import belongs
from .function_backward import not_implemented, rule_of


class Samples:
    """The level of a batch inside: ``enter`` makes tensors those of one sample, ``leave`` those of the batch again."""

    level: Any

    def __init__(self, size: Any, randomness: Any) -> None:
        self.size = size
        self.randomness = randomness

    def __enter__(self) -> Any:
        self.level = BatchLevel(self.size, self.randomness)
        return self

    def __exit__(self, *error: Any) -> None:
        self.level.close()

    def enter(self, tree: Any, batched: Any) -> Any:
        """``tree`` with a batch for each tensor that is one, as ``batched`` says."""
        return tree_map(
            lambda x, b: batch(x, self.level) if b and isinstance(x, Tensor) else x, tree, batched
        )

    def leave(self, tree: Any) -> Any:
        """``tree`` with the tensors further in, and for each whether it is a batch."""
        return (
            tree_map(lambda x: x._array.inner if belongs(x, self.level) else x, tree),
            tree_map(lambda x: belongs(x, self.level) and x._array.batched, tree),
        )

    def as_batch(self, x: Any, of_batch: Any) -> Any:
        """Return one tensor further in: a batch if ``of_batch``, else the sum over the samples."""
        if not isinstance(x, Tensor):
            return x
        x, is_batch = self.leave(x)
        if of_batch:
            return x if is_batch else x.expand(self.size, *x.shape)
        return x.sum(0) if is_batch else x


class Held:
    """An attribute of a context that is a tensor of one sample, as it is further in.

    ``batched``: for each level that was taken off, the innermost function's first, whether the tensor held a batch of it.
    """

    def __init__(self, tensor: Tensor, batched: Any) -> None:
        self.tensor = tensor
        self.batched = batched


class BatchContext:
    """A context as the methods of one sample see it."""

    __slots__ = ("_ctx", "_samples", "_held", "_saved")

    def __init__(self, ctx: Any, samples: Any, held: Any, saved: Any = None) -> None:
        set_own = object.__setattr__
        set_own(self, "_ctx", ctx)
        set_own(self, "_samples", samples)
        # which of the tensors kept for backward, and of those for forward, hold a batch
        set_own(self, "_held", held)
        set_own(self, "_saved", saved)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._ctx, name)
        if value.__class__ is not Held:
            return value
        *others, last = value.batched
        tensor = batch(value.tensor, self._samples.level) if last else value.tensor
        return Held(tensor, others) if others else tensor

    def __setattr__(self, name: str, value: Any) -> None:
        tensor, others = (value.tensor, value.batched) if value.__class__ is Held else (value, ())
        own = belongs(tensor, self._samples.level) and tensor._array.batched
        if own or others:
            value = Held(tensor._array.inner if own else tensor, (*others, own))
        setattr(self._ctx, name, value)

    def save_for_backward(self, *tensors: Any) -> None:
        """Save tensors for backward."""
        tensors, self._held["backward"] = self._samples.leave(tensors)
        self._ctx.save_for_backward(*tensors)

    def save_for_forward(self, *tensors: Any) -> None:
        """Save tensors for ``jvp``."""
        tensors, self._held["forward"] = self._samples.leave(tensors)
        self._ctx.save_for_forward(*tensors)

    def mark_dirty(self, *tensors: Any) -> None:
        """Declare which inputs were modified in place."""
        self._ctx.mark_dirty(*self._samples.leave(tensors)[0])

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Declare which outputs have no gradient."""
        self._ctx.mark_non_differentiable(*self._samples.leave(tensors)[0])

    @property
    def saved_tensors(self) -> Any:
        """What was kept, as tensors of one sample."""
        tensors = self._ctx.saved_tensors
        return self._samples.enter(tensors, self._held[self._saved]) if tensors else tensors


def generated(cls: Any, dims: Any, size: Any, randomness: Any) -> Any:
    """(the Function of a batch, a function that after its forward gives the dimensions of its outputs); ``dims``: those of the arguments."""
    batched = tree_map(lambda dim: dim is not None, dims)
    out_batched = shapes = None
    held = {}

    def out_dims():
        return tree_map(lambda b: 0 if b else None, out_batched)

    def forward(*args):
        nonlocal out_batched
        with Samples(size, randomness) as samples:
            output, out_batched = samples.leave(cls.forward(*samples.enter(args, batched)))
        return output

    def setup_context(ctx, inputs, output):
        nonlocal shapes
        with Samples(size, randomness) as samples:
            seen = BatchContext(ctx, samples, held)
            inputs = samples.enter(inputs, batched)
            shapes = [x._array.shape if isinstance(x, Tensor) else None for x in inputs]
            cls.setup_context(seen, inputs, samples.enter(output, out_batched))

    def backward(ctx, *grads):
        flags = out_batched if isinstance(out_batched, tuple) else (out_batched,)
        with Samples(size, randomness) as samples:
            grads = samples.enter(grads, tuple([b and g is not None for g, b in zip(grads, flags)]))
            seen = BatchContext(ctx, samples, held, "backward")
            rule = rule_of(cls)
            found = rule(seen, list(grads)) if cls.boxed_grads_call else rule(seen, *grads)
            found = found if isinstance(found, tuple) else (found,)
            results = []
            for k, g in enumerate(found):
                is_batch = k < len(batched) and batched[k] is True
                if is_batch and isinstance(g, Tensor) and g._array.shape != shapes[k]:
                    # a gradient may have the shape that its input was broadcast to
                    g = g.sum_to_size(shapes[k])
                results.append(samples.as_batch(g, is_batch))
        return tuple(results)

    def jvp(ctx, *tangents):
        flags = out_batched if isinstance(out_batched, tuple) else (out_batched,)
        with Samples(size, randomness) as samples:
            marks = tuple([t is not None and b is True for t, b in zip(tangents, batched)])
            seen = BatchContext(ctx, samples, held, "forward" if "forward" in held else "backward")
            found = cls.jvp(seen, *samples.enter(tangents, marks))
            several = isinstance(found, tuple)
            found = found if several else (found,)
            flags = (*flags, *(False,) * (len(found) - len(flags)))
            results = tuple([samples.as_batch(t, b) for t, b in zip(found, flags)])
        return results if several else results[0]

    body = {
        "forward": staticmethod(forward),
        "setup_context": staticmethod(setup_context),
        "backward": staticmethod(backward),
        "jvp": staticmethod(jvp),
        "vjp": staticmethod(not_implemented),
        "boxed_grads_call": False,
    }
    return type(cls)(f"Vmapped{cls.__name__}", (cls,), body), out_dims
