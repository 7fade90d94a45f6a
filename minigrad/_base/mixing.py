"""Tensors of PyTorch in the same process: they and minigrad's do not mix, and the error says so."""

import sys

_PACKAGE = __name__.partition(".")[0]


def _other():
    """PyTorch, if it is imported under its own name."""
    torch = sys.modules.get("torch")
    return None if torch is None or torch is sys.modules.get(_PACKAGE) else torch


def _error(found):
    torch = _other()
    return TypeError(
        f"minigrad.Tensor and torch.Tensor do not mix: a {found} of PyTorch {getattr(torch, '__version__', '')} was given where minigrad's are computed with, "
        "or the other way round; minigrad.from_dlpack(x) and torch.from_dlpack(x) convert tensors in shared memory"
    )


def is_pytorchs(cls):
    """Whether a class is one of PyTorch's, or of tensors that are."""
    torch = _other()
    if torch is None:
        return False
    return cls.__module__.partition(".")[0] == "torch" or issubclass(cls, getattr(torch, "Tensor", ()))


def refuse_pytorch(value):
    """Raise TypeError for a tensor, a dtype or another object of PyTorch's."""
    cls = type(value)
    if is_pytorchs(cls):
        raise _error(f"{cls.__module__}.{cls.__qualname__}")


def unknown_operand(value):
    """What a Python operator returns for an operand that it does not know: NotImplemented; raises TypeError for one of PyTorch's."""
    refuse_pytorch(value)
    return NotImplemented


def refuse_call_by_pytorch(func, args):
    """Raise TypeError if ``func``, which a class is asked about by ``__torch_function__``, is PyTorch's: it has met a tensor of minigrad's."""
    if _other() is None:
        return
    for value in args:
        refuse_pytorch(value)
    owner = getattr(func, "__self__", None)
    for each in (func, getattr(owner, "__objclass__", owner)):
        home = getattr(each, "__module__", None) or getattr(each, "__name__", "")
        if isinstance(home, str) and home.partition(".")[0] == "torch":
            raise _error("function")
    if getattr(getattr(func, "__objclass__", None), "__module__", "").partition(".")[0] == "torch":
        raise _error("method")
