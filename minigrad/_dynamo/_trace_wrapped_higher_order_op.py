"""``TransformGetItemToIndex``, which libraries import to look things up by batched indices."""

__all__ = ["TransformGetItemToIndex"]


class TransformGetItemToIndex:
    """A block in which ``x[i]`` may be looked up by indices that have a batch: here it may be everywhere, so that nothing changes.

    >>> import minigrad
    >>> x = minigrad.tensor([5., 6., 7.])
    >>> with minigrad._dynamo._trace_wrapped_higher_order_op.TransformGetItemToIndex():
    ...     minigrad.vmap(lambda i: x[i])(minigrad.tensor([2, 0]))
    tensor([7., 5.])
    """

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None
