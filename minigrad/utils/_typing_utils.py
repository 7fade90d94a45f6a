"""Help with annotations: ``torch.utils._typing_utils``."""


def not_none(obj):
    """``obj``; raises TypeError if it is None."""
    if obj is None:
        raise TypeError("Invariant encountered: value was None when it should not be")
    return obj


def copy_func_params(source_func):
    """A decorator that leaves a function as it is: type checkers give it the parameters of ``source_func``."""
    return lambda func: func


copy_method_params = copy_func_sig = copy_method_sig = copy_func_params
