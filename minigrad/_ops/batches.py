"""What the ops' rules for batches have in common; the batch stands at axis 0 (see ``_transforms/batching.py``)."""

__all__ = []


def everywhere(xs, batched, size):
    """Operands for all samples: those that are not batched expanded."""
    return [x if x is None or b else x.expand(size, *x.shape) for x, b in zip(xs, batched)]


def aligned(x, is_batched, ndim):
    """An operand beside samples of ``ndim`` dimensions: ones after the batch axis where it has fewer."""
    if x is None or not is_batched or x._array.ndim > ndim:
        return x
    shape = x._array.shape
    return x.reshape(shape[0], *(1,) * (ndim + 1 - len(shape)), *shape[1:])


def along_channels(x, is_batched, ndim):
    """A value for each channel beside samples (N, C, ...) of ``ndim`` dimensions."""
    if x is None:
        return x
    lead = x._array.shape[:1] if is_batched else ()
    return x.reshape(*lead, *(1,) * len(lead), -1, *(1,) * (ndim - 2))
