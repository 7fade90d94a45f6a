"""``volatile``, the inference mode of 2017: one volatile operand makes every result volatile, and nothing is recorded.

A volatile tensor is an object of a subclass of its class, made here when it is first needed.  The quick ways of ops, which are for ``families.fast_classes``
only, do not know it, and so lose nothing by it; the slow path finds ``Volatile.__torch_function__``, in-place ops ``_volatile``.
"""

from typing import Any

from ..._base.deprecation import old_form
from ..._base.publishing import publish
from ..._core.modes import set_recording
from ..._core.node import AccumulateGrad
from ..._core.tensor import Tensor, as_class
from ..._core.views import View

CONFLICT = "Variable can't be volatile and require_grad at the same time!"
_classes: dict[type, type] = {}


def warn() -> None:
    """Warn of this form, once."""
    old_form(
        "volatile",
        "Use `with torch.no_grad():` instead, around what is to be computed without history.",
        UserWarning,
    )


def volatile_class(cls):
    """The class of the volatile tensors that would be of class ``cls``; it bears the same name."""
    found = _classes.get(cls)
    if found is None:
        body = {
            "__module__": cls.__module__,
            "__qualname__": cls.__qualname__,
            "__doc__": cls.__doc__,
            "_fast_class": cls,
            "_results": cls._results or cls,
        }
        found = _classes[cls] = type(cls)(cls.__name__, (Volatile, cls), body)
    return found


def make_volatile(result: Any) -> Any:
    """Make a tensor, or each tensor of a tuple or list, volatile; returns what it was given."""
    if isinstance(result, (tuple, list)):
        for each in result:
            make_volatile(each)
    elif isinstance(result, Tensor) and not result._volatile:
        node = result._node
        if node.__class__ is View:
            if node.node.__class__ is not AccumulateGrad:
                node.node = None
        elif node.__class__ is not AccumulateGrad:
            result._node = None
        result.__class__ = volatile_class(type(result))
    return result


publish("minigrad.autograd.variable", make_volatile)


class Volatile(Tensor):
    """What is otherwise about volatile tensors, of whatever class."""

    __slots__ = ()
    _volatile = True
    _fast_class = Tensor
    _edge = None
    grad_fn = None
    output_nr = 0
    is_leaf = True
    retains_grad = False

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """Apply ``func`` to the tensors behind the volatile ones; nothing is recorded, and results are volatile."""
        pairs = []
        bare = [_bare(x, pairs) for x in args]
        named = {name: _bare(x, pairs) for name, x in (kwargs or {}).items()}
        result = unrecorded(func, bare, named)
        for operand, x in pairs:
            if result is operand:
                return x
        if any(result is x for x in args):
            result = as_class(result, type(result))  # an operand that is not volatile itself
        _restore_bases(result, pairs)
        return make_volatile(result)

    @property
    def requires_grad(self):
        """Whether gradients are wanted with respect to this tensor: never, it is volatile."""
        return False

    @requires_grad.setter
    def requires_grad(self, wanted):
        if wanted.__class__ is not bool:
            raise RuntimeError("requires_grad must be a bool")
        if wanted:
            raise ValueError(CONFLICT)

    def unfolded(self):
        """The same tensor, memory and views, as one of the class that it would be of if it were not volatile."""
        return as_class(self, type(self)._fast_class)

    def _spread(self, x):
        """Make ``x``, which was computed from this tensor, volatile too."""
        return make_volatile(x)

    def backward(
        self, gradient=None, retain_graph=None, create_graph=False, inputs=None, retain_variables=None
    ):
        """Raises RuntimeError: nothing was recorded."""
        raise RuntimeError("calling backward on a volatile variable")

    def register_hook(self, hook):
        """Raises RuntimeError: no gradient will ever arrive."""
        raise RuntimeError("cannot register a hook on a volatile variable")

    def detach(self):
        """The same memory; volatile as well."""
        return make_volatile(Tensor.detach(self))

    def __repr__(self, *, tensor_contents=None):
        return repr(as_class(self.data, self._fast_class))

    def __format__(self, spec):
        return format(as_class(self.data, self._fast_class), spec)

    def __reduce_ex__(self, protocol):
        return make_volatile, (self.unfolded(),)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = make_volatile(self.unfolded().__deepcopy__(memo))
        return memo[id(self)]


def unrecorded(function, args, kwargs):
    """``function(*args, **kwargs)`` under no_grad."""
    was = set_recording(False)
    try:
        return function(*args, **kwargs)
    finally:
        set_recording(was)


def _bare(x, pairs):
    if isinstance(x, Volatile):
        bare = x.unfolded()
        pairs.append((bare, x))
        return bare
    if type(x) in (tuple, list):
        return type(x)(_bare(each, pairs) for each in x)
    return x


def _restore_bases(result, pairs):
    """Let views of the tensors behind volatile ones be views of these."""
    for z in result if isinstance(result, (tuple, list)) else (result,):
        view = z._node if isinstance(z, Tensor) else None
        if view.__class__ is View:
            for bare, x in pairs:
                if view.base is bare:
                    view.base = x


def _volatile(self):
    """Whether the tensor is volatile: what is computed from it has no history (2017; today: ``no_grad``).

    May be set on leaves.
    """
    warn()
    return self._volatile


def _set_volatile(self, wanted):
    if wanted.__class__ is not bool:
        raise RuntimeError("volatile must be a bool")
    if not self.is_leaf:
        raise RuntimeError("volatile can only be set on leaf variables")
    warn()
    if wanted:
        make_volatile(self)
    elif self._volatile:
        self.__class__ = self._fast_class


volatile = property(_volatile, _set_volatile)
