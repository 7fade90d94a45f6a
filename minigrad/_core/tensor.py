"""``Tensor``: an array and its autograd state.  No mathematics: ``_api.py`` binds the operators.

Three slots are hot: ``_array`` (NumPy's), ``_node`` (the whole autograd state: see ``node.py``) and ``_storage`` (the
version: see ``storage.py``).  ``requires_grad``, ``grad_fn``, ``grad``, ``is_leaf``, ``_base``, ``_version`` are all derived from them.
All else is rare: a class default, or in the ``__dict__``.
"""

import warnings
import weakref
from types import FunctionType
from typing import Any

import numpy as np

from .._base import device as devices
from .._base import dtypes
from .._base.callers import level_of_user
from .._base.composites import composite
from .._base.dtypes import c_name
from .._base.errors import axis as axis_of
from .._base.errors import either_name, integer, type_name
from .._base.missing import without_missing
from .._base.mixing import refuse_call_by_pytorch
from .._base.publishing import publish
from .._base.read_only import read_only, refusing
from .._base.size import Size
from .._base.stub_annotations import annotate
from . import late
from .hooks import Hooks
from .levels import of_this_level, refuse, transforming
from .modes import reads_unusual_modes, thread_state
from .node import NOWHERE, AccumulateGrad, Port, accumulator, as_pair, rare
from .storage import FRESH, INFERENCE, own_storage
from .views import View

unusual_modes = 0
reads_unusual_modes(globals())

new = object.__new__
ndarray = np.ndarray


@read_only("torch._C.TensorBase", "_base _version grad_fn is_leaf output_nr retains_grad")
@read_only("torch._C.TensorBase", "device is_meta itemsize layout nbytes")
class Tensor:
    """A multi-dimensional array that can record operations for differentiation.

    ``Tensor(2, 3)`` makes an uninitialised tensor of a size, ``Tensor([1., 2.])`` one of given values; prefer ``minigrad.tensor``.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """

    __slots__ = ("_array", "_node", "_storage", "__dict__", "__weakref__")
    # a hash written in Python would cost 0.1 us for every dict access in the engine
    __hash__ = object.__hash__
    __array_priority__ = 1000  # prefer our reflected operators over NumPy's
    _laid_out = 0  # the version at which a tensor with views was last given another shape in place
    _layouts = ()  # pairs (such a version, the array before)
    _inference = None  # what is_inference() says, where the storage does not know it
    _retains = False  # whether the node from before it got another shape in place retains its gradient
    _results = None  # the class of what is made of this tensor, if it is not the tensor's own
    _grad_dtype = ...  # what was assigned to .grad_dtype
    _beyond = None  # where it looks in a storage that has become too small for it: see _ops/resizing.py
    _kept_grad = None  # .grad of a tensor that is not a leaf with an accumulator
    _former = None  # the accumulator of a leaf that requires grad no longer, or one with the hooks of a result that was detached
    _volatile = False  # see autograd/_legacy/volatile.py
    _is_meta = False  # whether the class is that of tensors on ``meta``: see _meta/tensors.py
    _is_sparse = False  # whether the class is that of sparse tensors: see _sparse/tensors.py
    _wrapped = False  # whether a layer of a transform stands in the place of the array: see wrapped.py
    _draw = None  # the node of a draw of indices, until it has a reward: see autograd/_legacy/stochastic_function.py
    _provenance: Any = None  # how a tensor without history came about, if noted: see autograd/_origins.py
    _not_finite: Any = None  # where its infinities and nans arose, if anomaly mode noted that
    _is_data = False  # whether this is the .data of a 0-dim tensor, of which [0] is a number (2017)

    def __new__(cls, *args, **kwargs):
        return cls._construct(cls, args, kwargs)  # _ops/legacy_types.py

    # The array ----------------------------------------------------------------------------------------------------

    @refusing("shape", "torch._C.TensorBase")
    def shape(self):
        """The size of each dimension."""
        return Size(self._array.shape)

    def size(self, dim=None, *, axis=None):
        """Return the shape, or the size of one dimension.

        >>> import minigrad
        >>> minigrad.ones(2, 3).size()
        torch.Size([2, 3])
        >>> minigrad.ones(2, 3).size(-1)
        3
        """
        if axis is not None:
            dim = either_name("size", dim, axis)
        if dim is None:
            return Size(self._array.shape)
        shape = self._array.shape
        if dim.__class__ is not int:
            dim = integer(dim, "size", "dim", 1)
        if not shape:
            axis_of(dim, 0)
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        try:
            return shape[axis_of(dim, len(shape))]
        except IndexError:
            integer(dim, "size", "dim", 1)  # one that is too long is no dimension out of range
            raise

    @refusing("ndim", "torch._C.TensorBase")
    def ndim(self):
        """The number of dimensions."""
        return self._array.ndim

    def dim(self):
        """Return the number of dimensions.

        >>> import minigrad
        >>> minigrad.ones(2, 3).dim()
        2
        """
        return self._array.ndim

    ndimension = dim

    def numel(self):
        """Return the number of elements.

        >>> import minigrad
        >>> minigrad.ones(2, 3).numel()
        6
        """
        return self._array.size

    nelement = numel

    @refusing("dtype", "torch._C.TensorBase")
    def dtype(self):
        """The type of the elements."""
        found = dtypes.of.get(self._array.dtype)
        return dtypes.from_numpy_dtype(self._array.dtype) if found is None else found

    device = property(
        lambda self: devices.META if is_blank(self._array) else devices.CPU,
        doc="Where the tensor lives: the CPU, or ``meta``.",
    )
    is_meta = property(
        lambda self: is_blank(self._array), doc="Whether the tensor has no elements: see ``minigrad.device``."
    )
    layout = property(
        lambda self: devices.strided,
        doc="How the elements are arranged: strided, unless the tensor is sparse.",
    )
    itemsize = property(lambda self: self._array.itemsize, doc="Bytes per element.")
    nbytes = property(lambda self: self._array.nbytes, doc="Bytes of all elements.")
    is_cuda = is_sparse = is_quantized = is_nested = is_mkldnn = is_mps = is_xpu = is_vulkan = is_xla = False
    is_ipu = is_maia = is_mtia = is_sparse_csr = False
    is_cpu = True
    name = None

    # Autograd state ---------------------------------------------------------------------------------------------------

    @property
    def _edge(self):
        """The node behind this tensor, a stale view's derived again."""
        node = self._node
        return node.current() if node.__class__ is View else node

    @property
    def requires_grad(self):
        """Whether gradients are wanted with respect to this tensor."""
        node = self._node
        if node.__class__ is View:
            return node.node is not None or node.base._node is not None
        return node is not None

    @requires_grad.setter
    @composite(event=None)
    def requires_grad(self, wanted):
        if wanted.__class__ is not bool:
            raise RuntimeError("requires_grad must be a bool")
        node = self._node
        if node.__class__ is View:
            node = node.node
        leaf = node is None or node.__class__ is AccumulateGrad or node.begins  # as it was when last derived
        if wanted:
            if not leaf:
                raise RuntimeError("you can only change requires_grad flags of leaf variables.")
            if self._array.dtype.kind not in "fcV":
                raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
            if node is None:
                start_requiring_grad(self)
        elif not leaf:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        elif node is not None:
            stop_requiring_grad(self)

    @requires_grad.deleter
    def requires_grad(self):
        raise RuntimeError("requires_grad must be a bool")

    @composite(event=None)
    def requires_grad_(self, requires_grad=True):
        """Set whether gradients with respect to this leaf are computed; return the tensor.

        Raises RuntimeError if the dtype is neither floating nor complex, or for ``False`` on a tensor that is not a leaf.

        >>> import minigrad
        >>> minigrad.ones(2).requires_grad_()
        tensor([1., 1.], requires_grad=True)
        """
        if thread_state.levels and transforming():
            refuse("requires_grad_", "(or perhaps using torch.autograd.functional.* APIs) ")
        if requires_grad.__class__ is not bool:
            raise TypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                + type_name(requires_grad)
            )
        if not requires_grad:
            self.requires_grad = False
        elif not self.requires_grad or (self._node.__class__ is View and self._node.node is None):
            start_requiring_grad(self)
        return self

    @property
    def grad_fn(self):
        """The node that made this tensor; None for a leaf."""
        node = self._edge
        if node is None or node is NOWHERE or node.__class__ is AccumulateGrad or node.begins:
            return None
        return (node.node if node.__class__ is Port else node).shown()

    @property
    def _grad_fn(self):
        """As ``grad_fn``; assigning None makes the tensor a leaf."""
        return self.grad_fn

    @_grad_fn.setter
    def _grad_fn(self, node):
        if node is not None:
            raise RuntimeError("_grad_fn can be only set to None")
        self.detach_()

    @_grad_fn.deleter
    def _grad_fn(self):
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    @property
    def output_nr(self):
        """Which output of ``grad_fn`` this is."""
        node = self._node
        if node.__class__ is View:  # as it was when last derived: this question derives nothing
            node = node.node
        return node.nr if node.__class__ is Port else 0

    @property
    def is_leaf(self):
        """Whether the tensor was not made by a recorded operation."""
        node = self._edge
        return node is None or node.__class__ is AccumulateGrad or node is NOWHERE or node.begins

    @property
    def grad(self):
        """The gradient that backward left here, or None.  Only leaves, and tensors after ``retain_grad()``, have one."""
        node = self._node
        if node.__class__ is View:
            node = node.node
        if node.__class__ is AccumulateGrad:
            return node.grad
        if (
            self._kept_grad is None
            and node is not None
            and node is not NOWHERE
            and not node.begins
            and not self.retains_grad
        ):
            warnings.warn(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Backward leaves it None: "
                "call .retain_grad() on the tensor before backward to have it filled, or read the .grad of the leaf that the "
                "tensor was computed from.",
                stacklevel=level_of_user(),
            )
        return self._kept_grad

    @grad.setter
    def grad(self, grad):
        if grad is not None:
            check_grad(self, grad)
        node = self._node
        if node.__class__ is View:
            node = node.node
        if node.__class__ is AccumulateGrad:
            node.grad = grad
            if grad is not None and grad._array.strides != self._array.strides:
                rare(node).misfit = True
        else:
            self._kept_grad = grad

    @grad.deleter
    def grad(self):
        self.grad = None

    @property
    def _grad(self):
        """Like ``grad``, without the warning."""
        node = self._node
        if node.__class__ is View:
            node = node.node
        return node.grad if node.__class__ is AccumulateGrad else self._kept_grad

    @_grad.setter
    def _grad(self, grad):
        self.grad = grad

    @_grad.deleter
    def _grad(self):
        self.grad = None

    @property
    def grad_dtype(self):
        """The dtype that the gradient of this leaf has: its own unless another is assigned; None if any will do."""
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return self.dtype if self._grad_dtype is Ellipsis else self._grad_dtype

    @grad_dtype.setter
    def grad_dtype(self, dtype):
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        if dtype is not None and not isinstance(dtype, dtypes.dtype):
            raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {type_name(dtype)}")
        grad = self.grad
        if dtype is not None and grad is not None and grad.dtype is not dtype:
            raise RuntimeError(
                f"Cannot set grad_dtype to '{dtypes.scalar_type_name(dtype)}' because there is already a gradient with "
                f"dtype '{c_name(grad.dtype)}'. Set .grad to None first, or convert the gradient to the new dtype."
            )
        self._grad_dtype = dtype
        if self._edge is not None:
            rare(self._edge).wants = None if dtype is None else dtype.np

    _cdata = property(lambda self: id(self), doc="A number that no other tensor has while this one lives.")
    _version = property(lambda self: version_of(self), doc="How often this memory was written to in place.")

    @property
    def _base(self):
        """The tensor that this one is a view of; None if it is none."""
        node = self._node
        return node.base if node.__class__ is View else None

    def _is_view(self):
        """Whether the tensor is a differentiable view of another."""
        return self._node.__class__ is View

    def is_inference(self):
        """Return whether the tensor was made in inference mode.

        >>> import minigrad
        >>> with minigrad.inference_mode(): x = minigrad.ones(2)
        >>> x.is_inference()
        True
        """
        return self._storage is INFERENCE if self._inference is None else self._inference

    @composite
    def detach(self):
        """Return a view without gradient history; it shares the version counter, so that writes to it are noticed.

        Keeps shape and dtype.

        >>> import minigrad
        >>> minigrad.ones(2, requires_grad=True).detach().requires_grad
        False
        """
        cls = self._results or self.__class__
        of_program = cls is not Tensor and is_of_program(self)
        out = new(Tensor if of_program else cls)
        out._array = self._array
        out._storage = own_storage(self)
        out._node = None
        if self._inference or (out._storage is INFERENCE and not thread_state.inference):
            _lift(out)
        return result_of_class(out, cls) if of_program else out

    @composite
    def detach_(self):
        """Forget the gradient history of this tensor; raise RuntimeError for a view.

        >>> import minigrad
        >>> x = minigrad.tensor([1.], requires_grad=True) * 2
        >>> x.detach_().requires_grad
        False
        """
        if thread_state.inference or self._storage is INFERENCE:  # which leave histories alone
            return self
        node = self._node
        if node.__class__ is View:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead, which returns a new tensor and leaves the view and "
                "its base in the graph."
            )
        if node is not None:
            own_storage(self)  # a node that saved this result goes on watching the version
            stop_requiring_grad(self)
        return self

    @property
    @composite(event=None)
    def data(self):
        """The same memory without history and with a version counter of its own: writing to it goes unnoticed."""
        cls = self._results or self.__class__
        of_program = cls is not Tensor and is_of_program(self)
        out = new(Tensor if of_program else cls)
        out._array = self._array
        out._node = None
        storage = self._storage
        out._storage = INFERENCE if storage is INFERENCE else FRESH
        if self._inference or (storage is INFERENCE and not thread_state.inference):
            _lift(out)
        if storage.repeats:
            own_storage(out).repeats = True
        if not self._array.ndim:
            out._is_data = True  # 2017: loss.data[0] is a number
        return result_of_class(out, cls) if of_program else out

    @data.setter
    def data(self, value):
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        if self.requires_grad and value._array.dtype.kind not in "fcV":
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex dtype"
            )
        if is_blank(value._array) is not is_blank(self._array):
            raise RuntimeError(
                "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type."
            )
        self._array = value._array
        node = self._node
        if node.__class__ is AccumulateGrad:
            node.array = value._array
        if value.is_inference() is not self.is_inference():
            self._inference = value.is_inference()  # the version counter stays what it is

    @data.deleter
    def data(self):
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    @property
    def retains_grad(self):
        """Whether ``retain_grad()`` was called on this tensor, which is not a leaf."""
        node = self._node
        if node.__class__ is View:
            node = node.node
        nr = 0
        if node.__class__ is Port:
            node, nr = node.node, node.nr
        if node is None or node.__class__ is AccumulateGrad:
            return False
        if self._retains:
            return True
        if node._extra is None:
            return False
        ref = node._extra.retain.get(nr)
        return ref is not None and ref() is self

    def __dir__(self):
        return without_missing(Tensor, sorted(set(object.__dir__(self))))

    # Subclasses -------------------------------------------------------------------------------------------------------

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if late.subclass_made is not None:
            late.subclass_made(cls)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """What happens to operations on a subclass unless it overrides this: they work as on tensors, results are of the subclass."""
        refuse_call_by_pytorch(func, args)
        if not all(issubclass(cls, t) for t in types):
            return NotImplemented
        was, thread_state.overrides = thread_state.overrides, False
        try:
            if getattr(func, "__name__", None) in _ON_THE_VERY_TENSOR:
                result = func(*args, **(kwargs or {}))
                whose = getattr(getattr(func, "__self__", None), "fget", None)
                return result if whose in _AS_IT_IS else rewrap_subclass(result, cls, (), ())
            bare = [strip_subclass(x) for x in args]
            result = func(*bare, **{name: strip_subclass(x) for name, x in (kwargs or {}).items()})
        finally:
            thread_state.overrides = was
        return rewrap_subclass(result, cls, bare, args)

    @staticmethod
    def _make_subclass(cls, data, require_grad=False):
        """A leaf of class ``cls`` over the memory of ``data``."""
        check_subclass(cls)
        new_leaf = as_class(strip_subclass(data).detach(), cls)
        was, thread_state.overrides = thread_state.overrides, False  # the class may not be ready to be asked
        try:
            return new_leaf.requires_grad_(require_grad)
        finally:
            thread_state.overrides = was

    # Hooks ------------------------------------------------------------------------------------------------------------

    def register_hook(self, hook):
        """Call ``hook(grad)`` whenever the gradient of this tensor is computed; a value it returns replaces the gradient.

        Returns a handle with ``remove()``. Raises RuntimeError if the tensor does not require grad.

        >>> import minigrad
        >>> x = minigrad.ones(2, requires_grad=True)
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node, nr = node_and_nr(self)
        if node is NOWHERE:
            return Hooks().add(hook)  # no gradient ever arrives there
        hooks = rare(node).tensor
        if nr not in hooks:
            hooks[nr] = Hooks()
        return hooks[nr].add(of_this_level(hook) if thread_state.levels else hook)

    def register_post_accumulate_grad_hook(self, hook):
        """Call ``hook(tensor)`` after a gradient was added to this leaf's ``.grad``; return a handle with ``remove()``.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2.], requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda x: print(x.grad))
        >>> (x * x).sum().backward()
        tensor([2., 4.])
        >>> handle.remove()
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        node = self._edge
        return (Hooks() if node is NOWHERE else rare(node).accumulated).add(hook)

    @property
    def _backward_hooks(self):
        """The hooks on this tensor, by the ids of their handles; None if there never was one."""
        if self._node.__class__ is View and self._node.meta is not None:
            node, nr = self._node.node, 0  # it may be refused to derive another
            if node.__class__ is Port:
                node, nr = node.node, node.nr
        else:
            node, nr = node_and_nr(self)
        extra = None if node is None else node._extra
        return None if extra is None else extra.tensor.get(nr)

    @_backward_hooks.setter
    def _backward_hooks(self, hooks):
        node, nr = node_and_nr(self)
        if node is None and hooks:
            node = self._former = self._former or accumulator(self)  # they wait for requires_grad
        if hooks:
            rare(node).tensor[nr] = Hooks(hooks)
        elif node is not None and node._extra is not None:
            node._extra.tensor.pop(nr, None)

    @_backward_hooks.deleter
    def _backward_hooks(self):
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def _post_accumulate_grad_hooks(self):
        """The hooks on this leaf that run after its gradient was added to, by the ids of their handles; None if there is none."""
        node = self._edge
        extra = node._extra if node.__class__ is AccumulateGrad else None
        return None if extra is None or not extra.accumulated else extra.accumulated

    def retain_grad(self):
        """Keep the ``.grad`` of this tensor although it is not a leaf; does nothing for a leaf.

        Raises RuntimeError if the tensor does not require grad.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2.], requires_grad=True)
        >>> y = x * x
        >>> y.retain_grad()
        >>> y.sum().backward()
        >>> y.grad
        tensor([1., 1.])
        """
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if thread_state.levels and transforming():
            refuse("retain_grad")
        if self.grad_fn is None or self._retains:
            return
        node, nr = node_and_nr(self)
        rare(node).retain[nr] = weakref.ref(self)


#: What happens to the very object, not to a plain tensor in its place: properties, and methods that note something about it.
_ON_THE_VERY_TENSOR = frozenset(
    (
        "__get__",
        "__set__",
        "__delete__",
        "backward",
        "register_hook",
        "register_post_accumulate_grad_hook",
        "retain_grad",
    )
    + ("__deepcopy__", "__format__", "__reduce_ex__", "__repr__", "__setstate__")
)
#: What reads a tensor that is of the class that it is of.
_AS_IT_IS = (vars(Tensor)["grad"].fget, vars(Tensor)["_base"].fget)

publish("minigrad", Tensor)
for _method in vars(Tensor).values():
    if isinstance(_method, (FunctionType, staticmethod)):
        publish("minigrad", getattr(_method, "__func__", _method))


def as_class(tensor, cls):
    """The same tensor (array, history, storage) as an object of another class."""
    own_storage(tensor)
    array = tensor._array
    out = new(getattr(array, "tensor", Tensor) if cls is Tensor and array.__class__ is not ndarray else cls)
    out._array = array
    out._node = tensor._node
    out._storage = tensor._storage
    if tensor._provenance is not None:
        out._provenance = tensor._provenance
    return out


def is_blank(array):
    """Whether an array, or what stands in its place, is one without elements."""
    return array.__class__ is not ndarray and getattr(array, "is_meta", False)


def strip_subclass(x):
    """``x``, as a plain Tensor if it is of a subclass; so are the elements of a tuple or list."""
    if type(x) in (tuple, list):
        return type(x)([strip_subclass(y) for y in x])
    return as_class(x, Tensor) if isinstance(x, Tensor) and type(x) is not Tensor else x


def rewrap_subclass(result, cls, bare, operands):
    """The result of an op on ``bare``, the operands stripped, as if it came of the operands: a view of it of class ``cls``."""
    if type(result) in (tuple, list):
        return type(result)(rewrap_subclass(z, cls, bare, operands) for z in result)
    if type(result) is not Tensor and not getattr(result, "_is_meta", False):
        if isinstance(result, tuple) and type(result) is not Size:  # with names
            return tuple.__new__(type(result), [rewrap_subclass(z, cls, bare, operands) for z in result])
        return result
    for x, operand in zip(bare, operands):
        if result is x and isinstance(operand, cls):
            return restore_operand(operand, x)  # of another class, it becomes one of this
    return alias_of_class(result, cls, bare, operands)


def alias_of_class(tensor, cls, bare, operands):
    """A view of the whole ``tensor`` as an object of class ``cls``; its base, where that is one of ``bare``, is the operand that was stripped."""
    out = as_class(late.alias(tensor), cls)
    view = out._node
    if view.__class__ is View:
        for x, operand in zip(bare, operands):
            if view.base is x:
                view.base = operand
    return out


def is_of_program(x):
    """Whether the results of operators on ``x`` have to be made tensors of its class, one of a program's own."""
    return x._results is None and not x._is_meta and not x._is_sparse


def without_class(x):
    """``x``, as a plain Tensor if it is of a class of a program's own."""
    return as_class(x, Tensor) if x.__class__ is not Tensor and is_of_program(x) else x


def result_of_class(tensor, cls):
    """What a function of a tensor of class ``cls``, one of a program's own, gives, if its own code made ``tensor``."""
    override = getattr(cls.__torch_function__, "__func__", None)
    asked = thread_state.overrides and override is Tensor.__torch_function__.__func__
    return alias_of_class(tensor, cls, (), ()) if asked else tensor


def restore_operand(operand, bare):
    """An operand again, of whose state the op has made another on ``bare``, the operand stripped: an op in place."""
    operand._array, operand._node, operand._storage = bare._array, bare._node, bare._storage
    return operand


def check_subclass(cls):
    """Raise TypeError unless ``cls`` is a class of tensors."""
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your class "
            "inherits from Tensor."
        )


def version_of(tensor):
    """The version of a tensor's memory; raises RuntimeError for an inference tensor."""
    if tensor._storage is INFERENCE:
        raise RuntimeError("Inference tensors do not track version counter.")
    return tensor._storage.version


def bump(tensor):
    """Count one more write to the memory of ``tensor``; raises RuntimeError for an inference tensor outside inference mode."""
    storage = tensor._storage
    if storage.shared:
        if storage is INFERENCE:
            if not thread_state.inference:
                raise inference_write()
            return
        storage = own_storage(tensor)
    storage.version += 1
    if unusual_modes and thread_state.origins is not None:
        thread_state.origins.note_write(storage)


def about_to_write(tensors):
    """Let whoever keeps saved tensors copy what lies in the memory of ``tensors``, which is about to be written to."""
    if thread_state.before_write is not None:
        for t in tensors:
            thread_state.before_write(t)


def inference_write():
    """The error for a write to an inference tensor outside inference mode."""
    return RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed. Write to a clone of the tensor: outside "
        "inference mode, that is a normal one."
    )


def _lift(tensor):
    """Let ``tensor``, detached from one of inference mode after that mode, be written to: it counts versions."""
    if tensor._storage is INFERENCE:
        tensor._storage = FRESH
    tensor._inference = True


def node_and_nr(tensor):
    """The node behind a tensor and which of its outputs the tensor is."""
    node = tensor._edge
    return (node.node, node.nr) if node.__class__ is Port else (node, 0)


#: ``new(*PLAIN)`` is ``new(Tensor)``, and quicker: Python need not make the tuple of the arguments.
PLAIN = (Tensor,)


def wrap(array):
    """A new tensor over ``array``, which it shares."""
    tensor = new(*PLAIN)
    tensor._array = array
    tensor._node = None
    tensor._storage = thread_state.fresh
    return tensor


def wrap_each(arrays):
    """New tensors over arrays, which they share."""
    tensors = []
    fresh = thread_state.fresh
    for array in arrays:
        tensor = new(*PLAIN)
        tensor._array = array
        tensor._node = None
        tensor._storage = fresh
        tensors.append(tensor)
    return tensors


def of_array(array):
    """A tensor over an array from outside: native byte order, a dtype that tensors have."""
    found = dtypes.from_numpy_dtype(array.dtype)
    return wrap(array if array.dtype is found.np else array.view(found.np))


def start_requiring_grad(tensor):
    """Make ``tensor``, which has no history, a leaf that requires grad."""
    if tensor._array.dtype.kind not in "fc" and tensor.dtype.category < dtypes.FLOATING:
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    if not thread_state.inference and tensor.is_inference():
        raise RuntimeError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
        )
    node = tensor._former or accumulator(tensor)
    if tensor._grad_dtype is not Ellipsis and tensor._grad_dtype is not None:
        rare(node).wants = tensor._grad_dtype.np
    node.grad = tensor._kept_grad
    if tensor._kept_grad is not None:
        tensor._kept_grad = None
    if tensor._node.__class__ is View:
        tensor._node.node = node
    else:
        tensor._node = node


def stop_requiring_grad(tensor):
    """Make ``tensor`` one without history; it keeps its ``.grad``."""
    view = tensor._node
    node = view.node if view.__class__ is View else view
    if node.__class__ is AccumulateGrad:
        tensor._kept_grad = node.grad
        tensor._former = node
        rare(node).left = True
    elif node is not None:
        made_by, nr = as_pair(node)
        if made_by is not None and made_by._extra is not None and nr in made_by._extra.tensor:
            tensor._former = accumulator(tensor)
            rare(tensor._former).tensor[0] = made_by._extra.tensor[nr]
    if view.__class__ is View:
        view.node = None
    else:
        tensor._node = None


for _method in list(vars(Tensor).values()):
    if _method.__class__ is FunctionType:
        annotate(_method)


def check_grad(tensor, grad):
    """Raise unless ``grad`` may become ``tensor.grad``."""
    if not isinstance(grad, Tensor):
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type {type_name(grad)}"
        )
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if is_blank(grad._array) is not is_blank(tensor._array):
        raise RuntimeError(
            f"attempting to assign a gradient with device type '{grad.device.type}' to a tensor with device type '{tensor.device.type}'. "
            "Please ensure that the gradient and the tensor are on the same device"
        )
    wanted = tensor.dtype if tensor._grad_dtype is Ellipsis else tensor._grad_dtype
    if wanted is not None and grad.dtype is not wanted:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{c_name(grad.dtype)}' to a tensor with grad_dtype "
            f"'{dtypes.scalar_type_name(wanted)}'. A gradient has the dtype of its tensor unless the tensor's grad_dtype "
            "says otherwise: convert the gradient, or set grad_dtype to the dtype that is wanted, or to None for any."
        )
    if grad._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(grad._array.shape)}' to a tensor of size "
            f"'{list(tensor._array.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )
