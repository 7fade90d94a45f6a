"""Small things that are shared: where a function says that it lives."""

__all__ = ["exposed_in"]

#: What ``argnums`` may be.
argnums_t = int | tuple[int, ...]


def exposed_in(module):
    """Decorate a function so that it names ``module`` as its own.

    >>> import minigrad
    >>> minigrad._functorch.utils.exposed_in("torch.func")(lambda x: x).__module__
    'torch.func'
    """

    def mark(function):
        function.__module__ = module
        return function

    return mark
