"""``torch.ops``: operators under the names of PyTorch's dispatcher, ``ops.aten.mul.Tensor``.

``ops.aten.mul`` is an ``OpOverloadPacket``, ``ops.aten.mul.Tensor`` one ``OpOverload`` of it: objects that are made once, can be called, and stand
for an operator wherever one is compared or listed (selective checkpointing, profiles).  They call the function or method of that name.
"""

import contextlib
import operator
import threading
import types

from . import _api, autograd
from ._api import Tensor
from ._base.lazy import load, places
from ._ops.aten import aten_name
from ._ops.names import METHODS
from .nn import functional

__all__ = ["OpOverload", "OpOverloadPacket", "aten", "prim"]


class OpOverload:
    """One overload of an operator, such as ``aten.mul.Tensor``; made by ``ops``, once."""

    def __init__(self, packet, overload):
        self._overloadpacket = packet
        self._overloadname = overload
        self._opname = packet.__name__
        self._namespace = packet._namespace
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__module__ = packet.__module__
        self.__qualname__ = self._name = self.name()

    def __call__(self, /, *args, **kwargs):
        for overload, given, proceed in reversed(_applying.now):
            if (
                overload is self
                and not kwargs
                and len(args) == len(given)
                and all(map(operator.is_, args, given))
            ):
                return proceed()
        return self._overloadpacket(*args, **kwargs)

    def __repr__(self):
        return f"<OpOverload(op='{self._overloadpacket}', overload='{self._overloadname}')>"

    def __str__(self):
        return f"{self._overloadpacket}.{self._overloadname}"

    def __reduce__(self):
        return _overload, (self._namespace, self._opname, self._overloadname)

    def __deepcopy__(self, memo=None):
        return self

    def name(self):
        """The name with colons: ``aten::mul.Tensor``, and ``aten::mm`` for a default overload."""
        name = self._overloadpacket._qualified_op_name
        return name if self._overloadname == "default" else f"{name}.{self._overloadname}"

    @property
    def overloadpacket(self):
        """The operator of which this is an overload."""
        return self._overloadpacket

    @property
    def op(self):
        """What is called."""
        return self._overloadpacket.op

    @property
    def namespace(self):
        """``aten`` or ``prim``."""
        return self._namespace


class OpOverloadPacket:
    """An operator with all its overloads, such as ``aten.mul``; made by ``ops``, once."""

    def __init__(self, namespace, name, op, overloads):
        self.__name__ = name
        self.__module__ = f"{__name__}.{namespace}"
        self._namespace = namespace
        self._qualified_op_name = f"{namespace}::{name}"
        self._op = op
        self._overload_names = overloads

    def __call__(self, /, *args, **kwargs):
        return self.op(*args, **kwargs)

    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(
                f"'{self}' can't have an overload name beginning with '__' and the underlying op {self.op} has no "
                f"attribute {name} either."
            )
        if name not in self._overload_names:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")
        return self.__dict__.setdefault(name, OpOverload(self, name))

    def __iter__(self):
        return iter(self._overload_names)

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self}')>"

    def __str__(self):
        return f"{self._namespace}.{self.__name__}"

    def __reduce__(self):
        return _packet, (self._namespace, self.__name__)

    def __deepcopy__(self, memo=None):
        return self

    @property
    def op(self):
        """The function that is called."""
        return self._op

    def overloads(self):
        """The names of the overloads.

        >>> import minigrad
        >>> minigrad.ops.aten.lerp.overloads()
        ['Scalar', 'Tensor']
        """
        return list(self._overload_names)


class _OpNamespace(types.ModuleType):
    """The operators of one namespace; each is made when it is first asked for."""

    def __init__(self, name, find):
        super().__init__(f"{__name__}.{name}")
        self.name = name
        self._find = find
        self.__file__ = __name__

    def __getattr__(self, name):
        op = None if name[:2] == "__" else self._find(name)
        if op is None and (added := load("_library.overloads").find_custom(self.name, name)):
            return added
        if op is None:
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
        overloads = OVERLOADS.get(name) or OVERLOADS.get(name.removesuffix("_"), "default")
        packet = OpOverloadPacket(self.name, name, op, tuple(overloads.split()))
        return self.__dict__.setdefault(name, packet)


def _packet(namespace, name):
    return getattr(globals().get(namespace) or __getattr__(namespace), name)


def _overload(namespace, name, overload):
    return getattr(_packet(namespace, name), overload)


# What the operators do -----------------------------------------------------------------------------------------------------


def _to_copy(input, *, dtype=None, memory_format=None):
    kept = _api.preserve_format if memory_format is None else memory_format
    return input.to(input.dtype if dtype is None else dtype, copy=True, memory_format=kept)


def _index(input, indices):
    return input[tuple(slice(None) if i is None else i for i in indices)]


def _slice(input, dim=0, start=None, end=None, step=1):
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


_REDUCTIONS = ("none", "mean", "sum")


def _loss(name, order):
    """A loss of ``nn.functional`` as an operator: the reduction is a number, what follows the target has the places in ``order``."""
    function = getattr(functional, name)

    def call(input, target, *args, **kwargs):
        given = {**dict(zip(order.split(), args)), **kwargs}
        given["reduction"] = _REDUCTIONS[given.get("reduction", 1)]
        return function(input, target, **given)

    return call


def _nll_loss_forward(input, target, weight, reduction, ignore_index):
    loss = functional.nll_loss(
        input, target, weight, ignore_index=ignore_index, reduction=_REDUCTIONS[reduction]
    )
    counted = (target != ignore_index).to(input.dtype)
    if weight is not None:
        counted = counted * weight[_api.where(target == ignore_index, 0, target)]
    return loss, counted.sum() if reduction == 1 else input.new_zeros(())


#: Operators that are no function or method of that name, or take their arguments in another way.
_SPECIAL = {
    "_conj": _api.conj,
    "_log_softmax": lambda input, dim, half_to_float: _api.log_softmax(input, dim),
    "_prelu_kernel": lambda input, weight: _api.where(input > 0, input, weight * input),
    "_softmax": lambda input, dim, half_to_float: _api.softmax(input, dim),
    "_to_copy": _to_copy,
    "_unique2": lambda input, sorted=True, return_inverse=False, return_counts=False: _api.unique(
        input, sorted, True, True
    ),
    "_unsafe_view": lambda input, size: input.view(size),
    "detach": Tensor.detach,
    "detach_": Tensor.detach_,
    "dim": Tensor.dim,
    "index": _index,
    "is_contiguous": lambda input, memory_format=_api.contiguous_format: input.is_contiguous(
        memory_format=memory_format
    ),
    "log_sigmoid_forward": lambda input: (functional.logsigmoid(input), input.new_empty(0)),
    "linalg_vector_norm": lambda input, ord=2, dim=None, keepdim=False, *, dtype=None: _api.norm(
        input, ord, dim, keepdim, dtype=dtype
    ),
    "nll_loss_forward": _nll_loss_forward,
    "nll_loss2d_forward": _nll_loss_forward,
    "rsub": lambda input, other, alpha=1: _api.rsub(input, other, alpha=alpha),
    "size": Tensor.size,
    "slice": _slice,
    "rrelu_with_noise": lambda input, noise, lower=1 / 8, upper=1 / 3, training=False: (
        _api._activation._rrelu(input, noise, lower, upper, training)
    ),
    "storage_offset": Tensor.storage_offset,
    "stride": Tensor.stride,
    "sym_numel": Tensor.numel,
    "sym_size": Tensor.size,
    "sym_storage_offset": Tensor.storage_offset,
    "sym_stride": Tensor.stride,
    "unique_dim": lambda input, dim, sorted=True, return_inverse=False, return_counts=False: _api.unique(
        input, sorted, True, True, dim
    ),
}
_LOSSES = {
    "binary_cross_entropy": "weight reduction",
    "binary_cross_entropy_with_logits": "weight pos_weight reduction",
    "huber_loss": "reduction delta",
    "mse_loss": "reduction",
    "smooth_l1_loss": "reduction beta",
}
_ACTIVATIONS = "elu gelu glu hardsigmoid hardswish hardtanh leaky_relu mish silu softplus softshrink"
#: Tensor's own short ways, which are no operators.
_NO_OPERATORS = (
    "H T asarray bfloat16 bool byte cdouble cfloat char default_generator double dtype enable_grad finfo float from_dlpack from_numpy "
    "frombuffer get_rng_state half iinfo inference_mode int is_inference_mode_enabled is_tensor long mH mT new new_tensor no_grad "
    "set_printoptions set_rng_state short type unique unravel_index"
)


def _find(name):
    """The function behind ``aten.name``; None if there is none."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    if name in _LOSSES:
        return _loss(name, _LOSSES[name])
    if name in _ACTIVATIONS.split():
        return getattr(functional, name)
    if name in _NO_OPERATORS.split():
        return None
    if name in places(_api._FUNCTIONS):
        return getattr(_api, name)
    return getattr(Tensor, name) if name in places(METHODS) else None


def _find_prim(name):
    return {"device": lambda input: input.device, "dtype": lambda input: input.dtype}.get(name)


def _find_profiler(name):
    return {
        "_record_function_enter": autograd.profiler._record_function_enter,
        "_record_function_enter_new": autograd.profiler._record_function_enter,
        "_record_function_exit": autograd.profiler._record_function_exit,
    }.get(name)


#: The overloads of operators that have others than ``default``; in place (``add_``) they are the same.
OVERLOADS = {
    name: overloads
    for names, overloads in {
        "_record_function_exit": "default _RecordFunction",
        "add sub mul rsub true_divide fmod copysign bitwise_and bitwise_or bitwise_xor multiply subtract": "Tensor Scalar",
        "eq ne lt le gt ge greater greater_equal less less_equal not_equal": "Tensor Scalar",
        "bitwise_left_shift bitwise_right_shift": "Tensor Tensor_Scalar Scalar_Tensor",
        "fill lerp masked_fill": "Scalar Tensor",
        "bucketize searchsorted": "Tensor Scalar",
        "clamp clamp_max clamp_min clip narrow": "default Tensor",
        "log_softmax softmax transpose unbind unflatten select": "int",
        "std std_mean var var_mean": "default dim correction",
        "squeeze": "default dim dims",
        "all any": "default dim dims",
        "slice split unsafe_split": "Tensor",
        "trapezoid trapz cumulative_trapezoid": "x dx",
        "frexp ldexp": "Tensor default",
        "atleast_1d atleast_2d atleast_3d": "default Sequence",
        "arange": "default start start_step",
        "bernoulli": "default p Tensor",
        "bernoulli_": "Tensor float",
        "bitwise_left_shift_ bitwise_right_shift_": "Tensor Tensor_Scalar",
        "count_nonzero": "default dim_IntList",
        "div divide": "Tensor Scalar Tensor_mode Scalar_mode",
        "empty": "memory_format",
        "eye": "default m",
        "flatten": "using_ints",
        "float_power": "Tensor_Tensor Tensor_Scalar Scalar",
        "floor_divide": "default Scalar",
        "floor_divide_ remainder_ float_power_": "Tensor Scalar",
        "index": "Tensor",
        "index_fill": "int_Tensor int_Scalar",
        "is_contiguous": "default memory_format",
        "isin": "Tensor_Tensor Tensor_Scalar Scalar_Tensor",
        "kthvalue mode topk": "default values",
        "linspace logspace": "default Tensor_Tensor Tensor_Scalar Scalar_Tensor",
        "max": "default dim other",
        "mean": "default dim",
        "median nanmedian": "default dim",
        "min": "default dim other",
        "moveaxis movedim": "int intlist",
        "norm": "Scalar ScalarOpt_dim ScalarOpt_dim_dtype ScalarOpt_dtype",
        "normal": "Tensor_float float_Tensor Tensor_Tensor float_float",
        "normal_": "default",
        "pow": "Tensor_Tensor Tensor_Scalar Scalar",
        "pow_": "Scalar Tensor",
        "prod": "default dim_int",
        "rand rand_like randn randn_like randperm": "default generator",
        "randint": "default generator low low_generator",
        "random_": "default from to",
        "remainder": "Tensor Scalar Scalar_Tensor",
        "repeat_interleave": "Tensor self_Tensor self_int",
        "round": "default decimals",
        "scatter": "value src reduce value_reduce",
        "scatter_reduce": "two",
        "size stride sym_size sym_stride": "default int",
        "sort": "default stable",
        "sum": "default dim_IntList",
        "transpose_": "default",
        "tensor_split": "sections indices tensor_indices_or_sections",
        "view": "default dtype",
        "where": "self ScalarOther ScalarSelf Scalar default",
        "xlogy": "Tensor Scalar_Self Scalar_Other",
    }.items()
    for name in names.split()
}


def __getattr__(name):
    """The operators that a program defines (``minigrad.library``): any name is a namespace, as in PyTorch."""
    if name[:2] == "__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return load("_library.overloads").namespace(name)


aten = _OpNamespace("aten", _find)
prim = _OpNamespace("prim", _find_prim)
profiler = _OpNamespace("profiler", _find_profiler)
#: Steps of ours that PyTorch has no name for, as far as any was seen.
_steps: dict[str, OpOverloadPacket] = {}


class _Applying(threading.local):
    now = ()


_applying = _Applying()


@contextlib.contextmanager
def applying(overload, args, proceed):
    """Inside, ``overload(*args)`` is the application of an operator that is under way: ``proceed()``."""
    was = _applying.now
    _applying.now = (*was, (overload, args, proceed))
    try:
        yield
    finally:
        _applying.now = was


def overload_of(cls, operands, params=(), writes=False):
    """The ``OpOverload`` of one application of the op ``cls``: see ``_ops/aten.py``."""
    name, _, overload = aten_name(cls, operands, params, writes).partition(".")
    packet = getattr(aten, name, None) or _steps.get(name)
    if packet is None:
        packet = _steps[name] = OpOverloadPacket("minigrad", name, cls.call, (overload,))
    overloads = packet._overload_names
    return getattr(packet, overload if overload in overloads else overloads[0])
