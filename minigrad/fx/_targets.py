"""What the targets of nodes are called: the names in printed graphs and in generated code, which are PyTorch's.

In generated code ``torch`` is this package, so ``torch.nn.functional.relu`` is an expression that leads to the function. PyTorch has some functions
under names of its C++ parts (``torch._C._nn.gelu``); ``_C`` knows these.
"""

import builtins
import functools
import inspect
import re
import sys
import types

from .._base.publishing import own_module

_PACKAGE = __name__.partition(".")[0]
_PRIVATE = re.compile(rf"{_PACKAGE}\._|.*\._")
_OWN_NAME = re.compile(rf"\b{_PACKAGE}\.")

#: Functions of the root that PyTorch defines in its ``torch.functional``.
IN_FUNCTIONAL = frozenset(
    [
        "atleast_1d",
        "atleast_2d",
        "atleast_3d",
        "block_diag",
        "broadcast_shapes",
        "broadcast_tensors",
        "cartesian_prod",
        "cdist",
        "chain_matmul",
        "einsum",
        "lu",
        "meshgrid",
        "norm",
        "split",
        "stft",
        "tensordot",
        "unique",
        "unique_consecutive",
        "unravel_index",
    ]
)
#: Functions of ``nn.functional`` that are built into PyTorch.
BUILT_IN_NN = frozenset(
    [
        "avg_pool2d",
        "avg_pool3d",
        "elu_",
        "gelu",
        "hardtanh_",
        "leaky_relu_",
        "linear",
        "log_sigmoid",
        "one_hot",
        "scaled_dot_product_attention",
        "softplus",
        "softshrink",
    ]
)
_PREFIXED = {"linalg": "linalg_", "fft": "fft_", "special": "special_"}


@functools.cache
def _name_of_method(func):
    """The name of a method of tensors: where a function has it as well, the method's own is another."""
    methods = vars(sys.modules[_PACKAGE].Tensor)
    own = func.__name__
    return own if methods.get(own) is func else next((n for n, each in methods.items() if each is func), own)


def public_place(func):
    """The (module, name) under which PyTorch knows a function of this package; None for any other function."""
    module, name = own_module(func), getattr(func, "__name__", None)
    if not isinstance(module, str) or name is None or module.partition(".")[0] != _PACKAGE:
        return None
    qualname = getattr(func, "__qualname__", name)
    if module == f"{_PACKAGE}._tensor" or qualname == f"Tensor.{name}":
        return "torch.Tensor", _name_of_method(func)
    place = module[len(_PACKAGE) + 1 :]
    if not isinstance(func, type) and (place == "" or place.split(".")[0] in (*_PREFIXED, "nn", "_ops")):
        root = sys.modules[_PACKAGE]
        bare = name.removeprefix(_PREFIXED.get(place, ""))
        if getattr(root, name, None) is func and not (place in _PREFIXED and bare != name):
            return ("torch.functional" if name in IN_FUNCTIONAL else "torch"), name
        if place in _PREFIXED:
            return f"torch._C._{place}", _PREFIXED[place] + bare
        if place == "nn.functional" and name in BUILT_IN_NN:
            return "torch._C._nn", name
    return ".".join(filter(None, ("torch", place))).replace("torch._ops.", "torch.ops."), name


def is_own(obj):
    """Whether generated code reaches a function or class as ``torch...``, because it is of this package."""
    module = getattr(obj, "__module__", None)
    own = (
        _PACKAGE,
        sys.modules[_PACKAGE].__name__,
    )  # a tensor's class says what the package calls itself at the moment
    return isinstance(module, str) and module.partition(".")[0] in own and hasattr(obj, "__name__")


def name_of(func):
    """The bare name of a function, after which its nodes are called: ``linalg_norm`` of ``linalg.norm``."""
    place = public_place(func)
    return func.__name__ if place is None else place[1]


def qualified_name(func):
    """The dotted name of a function; raises RuntimeError if it has none."""
    name = func.__name__
    if getattr(builtins, name, None) is func:
        return name
    place = public_place(func)
    if place is not None:
        return ".".join(place)
    if name == "<lambda>":
        try:
            name = inspect.getsource(func).split("=")[0].strip()
        except (OSError, TypeError) as error:
            raise RuntimeError("Unable to represent lambda") from error
    module = func.__module__
    if module is None:
        raise RuntimeError(f"cannot find module for {func}")
    return f"{module}.{name}"


def printed_name(target):
    """How a printed graph shows a target: as ``qualified_name``, with ``builtins.`` and ``operator.`` before the names of these modules."""
    if isinstance(target, str):
        return target
    module, name = getattr(target, "__module__", None), getattr(target, "__name__", None)
    if name is not None and module == "builtins":
        return f"builtins.{name}"
    if name is not None and module == "_operator":
        return f"operator.{name}"
    return qualified_name(target)


def type_text(kind):
    """How annotations are shown: a class by its dotted name, anything else by its repr, with the names that PyTorch has."""
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        text = (
            kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        )
    elif kind is ...:
        return "..."
    elif isinstance(kind, types.FunctionType):
        return kind.__name__
    else:
        text = repr(kind)
    return _OWN_NAME.sub("torch.", text)
