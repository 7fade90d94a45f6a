"""``torch.ops``: operators under the names of PyTorch's dispatcher, ``ops.aten.mul.Tensor``.

``ops.aten.mul`` is an ``OpOverloadPacket``, ``ops.aten.mul.Tensor`` one ``OpOverload`` of it: objects that are made once, can be called, and stand
for an operator wherever one is compared or listed (selective checkpointing, profiles).  They call the function or method of that name.
"""

import contextlib
import functools
import operator
import threading
import types
from collections.abc import Iterator
from typing import Any

from . import _api, _aten_functions, autograd
from ._api import Tensor
from ._base.lazy import load, places
from ._core.modes import thread_state
from ._core.overriding import ask, asked
from ._ops.aten import aten_name
from ._ops.names import METHODS
from ._schemas import schema_of

__all__ = ["OpOverload", "OpOverloadPacket", "aten", "load_library", "prim"]


class OpOverload:
    """One overload of an operator, such as ``aten.mul.Tensor``; made by ``ops``, once."""

    __name__: str

    def __init__(self, packet: Any, overload: Any) -> None:
        self._overloadpacket = packet
        self._overloadname = overload
        self._opname = packet.__name__
        self._namespace = packet._namespace
        self.__name__ = f"{packet.__name__}.{overload}"
        self.__module__ = packet.__module__
        self.__qualname__ = self._name = self.name()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if thread_state.function_modes and thread_state.asks_modes:
            return ask(self, asked((*args, *kwargs.values())), args, kwargs)
        for overload, given, proceed in reversed(_applying.now):
            if (
                overload is self
                and not kwargs
                and len(args) == len(given)
                and all(map(operator.is_, args, given))
            ):
                return proceed()
        return self._overloadpacket(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self._overloadpacket}', overload='{self._overloadname}')>"

    def __str__(self) -> str:
        return f"{self._overloadpacket}.{self._overloadname}"

    def __reduce__(self) -> Any:
        return _overload, (self._namespace, self._opname, self._overloadname)

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self

    def name(self) -> Any:
        """The name with colons: ``aten::mul.Tensor``, and ``aten::mm`` for a default overload."""
        name = self._overloadpacket._qualified_op_name
        return name if self._overloadname == "default" else f"{name}.{self._overloadname}"

    @functools.cached_property
    def _schema(self):
        """Name, arguments and results: see ``_schemas.py``."""
        return schema_of(self)

    @property
    def overloadpacket(self) -> Any:
        """The operator of which this is an overload."""
        return self._overloadpacket

    @property
    def op(self) -> Any:
        """What is called."""
        return self._overloadpacket.op

    @property
    def namespace(self) -> Any:
        """``aten`` or ``prim``."""
        return self._namespace


class OpOverloadPacket:
    """An operator with all its overloads, such as ``aten.mul``; made by ``ops``, once."""

    def __init__(self, namespace: Any, name: str, op: Any, overloads: Any) -> None:
        self.__name__ = name
        self.__module__ = f"{__name__}.{namespace}"
        self._namespace = namespace
        self._qualified_op_name = f"{namespace}::{name}"
        self._op = op
        self._overload_names = overloads

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if thread_state.function_modes and thread_state.asks_modes:
            return ask(self, asked((*args, *kwargs.values())), args, kwargs)
        return self.op(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(
                f"'{self}' can't have an overload name beginning with '__' and the underlying op {self.op} has no "
                f"attribute {name} either."
            )
        if name not in self._overload_names:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")
        return self.__dict__.setdefault(name, OpOverload(self, name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._overload_names)

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self}')>"

    def __str__(self) -> str:
        return f"{self._namespace}.{self.__name__}"

    def __reduce__(self) -> Any:
        return _packet, (self._namespace, self.__name__)

    def __deepcopy__(self, memo: Any = None) -> Any:
        return self

    @property
    def op(self) -> Any:
        """The function that is called."""
        return self._op

    def overloads(self) -> Any:
        """The names of the overloads.

        >>> import minigrad
        >>> minigrad.ops.aten.lerp.overloads()
        ['Scalar', 'Tensor']
        """
        return list(self._overload_names)


class _OpNamespace(types.ModuleType):
    """The operators of one namespace; each is made when it is first asked for."""

    def __init__(self, name: str, find: Any) -> None:
        super().__init__(f"{__name__}.{name}")
        self.name = name
        self._find = find
        self.__file__ = __name__

    def __getattr__(self, name: str) -> Any:
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

#: Tensor's own short ways, which are no operators.
_NO_OPERATORS = (
    "H T asarray bfloat16 bool byte cdouble cfloat char default_generator double dtype enable_grad finfo float from_dlpack from_numpy "
    "frombuffer get_rng_state half iinfo inference_mode int is_inference_mode_enabled is_tensor long mH mT new new_tensor no_grad "
    "set_printoptions set_rng_state short type unique unravel_index"
)


def _find(name):
    """The function behind ``aten.name``; None if there is none."""
    found = _aten_functions.find(name)
    if found is not None:
        return found
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
        "add sub mul rsub true_divide fmod copysign multiply subtract bitwise_and_ bitwise_or_ bitwise_xor_": "Tensor Scalar",
        "bitwise_and bitwise_or bitwise_xor": "Tensor Scalar Scalar_Tensor",
        "eq ne lt le gt ge greater greater_equal less less_equal not_equal": "Tensor Scalar",
        "bitwise_left_shift bitwise_right_shift": "Tensor Tensor_Scalar Scalar_Tensor",
        "fill lerp masked_fill": "Scalar Tensor",
        "bucketize searchsorted": "Tensor Scalar",
        "clamp clamp_max clamp_min clip narrow": "default Tensor",
        "log_softmax softmax transpose unbind unflatten select select_copy transpose_copy unbind_copy": "int",
        "std std_mean var var_mean": "default dim correction",
        "squeeze squeeze_copy": "default dim dims",
        "all any": "default dim dims",
        "slice slice_copy split_copy unsafe_split": "Tensor",
        "split": "Tensor sizes",
        "dsplit hsplit vsplit": "int array",
        "trapezoid trapz cumulative_trapezoid": "x dx",
        "frexp ldexp": "Tensor default",
        "argsort": "default stable",
        "atleast_1d atleast_2d atleast_3d": "default Sequence",
        "arange": "default start start_step",
        "bernoulli": "default p Tensor",
        "bernoulli_": "Tensor float",
        "bitwise_left_shift_ bitwise_right_shift_": "Tensor Tensor_Scalar",
        "conv1d conv2d conv3d": "default padding",
        "conv_transpose2d conv_transpose3d": "input",
        "count_nonzero": "default dim_IntList",
        "ctc_loss": "IntList Tensor",
        "div divide": "Tensor Scalar Tensor_mode Scalar_mode",
        "embedding_bag": "default padding_idx",
        "empty": "memory_format",
        "eye": "default m",
        "flatten": "using_ints",
        "float_power": "Tensor_Tensor Tensor_Scalar Scalar",
        "floor_divide": "default Scalar",
        "floor_divide_ remainder_ float_power_": "Tensor Scalar",
        "frobenius_norm": "dim",
        "gradient": "scalarint scalararray array scalarrayint scalarrayarray tensorarrayint tensorarray",
        "gru lstm rnn_relu rnn_tanh": "input data",
        "hamming_window": "default periodic periodic_alpha periodic_alpha_beta",
        "hann_window bartlett_window blackman_window": "default periodic",
        "histogram": "bins_tensor bin_ct",
        "histogramdd": "default int_bins TensorList_bins",
        "index": "Tensor",
        "index_fill": "int_Tensor int_Scalar",
        "is_contiguous": "default memory_format",
        "isin": "Tensor_Tensor Tensor_Scalar Scalar_Tensor",
        "kaiser_window": "default periodic beta",
        "kthvalue mode topk": "default values",
        "ldexp_": "default",
        "linalg_cond": "default p_str",
        "linalg_matrix_norm": "default str_ord",
        "linalg_matrix_rank": "default tol_tensor atol_rtol_tensor atol_rtol_float",
        "linalg_norm": "default ord_str",
        "linalg_pinv": "default rcond_tensor atol_rtol_tensor atol_rtol_float",
        "linspace logspace": "default Tensor_Tensor Tensor_Scalar Scalar_Tensor",
        "max": "default dim other",
        "mean": "default dim",
        "median nanmedian": "default dim",
        "meshgrid": "default indexing",
        "min": "default dim other",
        "moveaxis movedim": "int intlist",
        "norm": "Scalar ScalarOpt_dim ScalarOpt_dim_dtype ScalarOpt_dtype",
        "normal": "Tensor_float float_Tensor Tensor_Tensor float_float",
        "normal_": "default",
        "nuclear_norm": "default dim",
        "pow": "Tensor_Tensor Tensor_Scalar Scalar",
        "pow_": "Scalar Tensor",
        "prod": "default dim_int",
        "quantile nanquantile": "default scalar",
        "rand rand_like randn randn_like randperm": "default generator",
        "randint": "default generator low low_generator",
        "random_": "default from to",
        "range": "default step",
        "remainder": "Tensor Scalar Scalar_Tensor",
        "repeat_interleave": "Tensor self_Tensor self_int",
        "result_type": "Tensor Scalar Scalar_Tensor Scalar_Scalar",
        "round": "default decimals",
        "scatter": "value src reduce value_reduce",
        "scatter_reduce": "two",
        "set_": "default source_Tensor source_Storage source_Storage_storage_offset source_Tensor_storage_offset",
        "size stride sym_size sym_stride": "default int",
        "sort": "default stable",
        "special_xlog1py special_xlogy special_zeta": "default other_scalar self_scalar",
        "stft": "default center",
        "sum": "default dim_IntList",
        "to": "dtype device other",
        "transpose_": "default",
        "tensor_split": "sections indices tensor_indices_or_sections",
        "view view_copy": "default dtype",
        "upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d upsample_nearest3d "
        "upsample_trilinear3d _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d _upsample_nearest_exact2d "
        "_upsample_nearest_exact3d": "default vec",
        "special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v special_chebyshev_polynomial_w "
        "special_hermite_polynomial_h special_hermite_polynomial_he special_laguerre_polynomial_l special_legendre_polynomial_p "
        "special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
        "special_shifted_chebyshev_polynomial_w": "default x_scalar n_scalar",
        "_aminmax": "default dim",
        "_native_batch_norm_legit": "default no_stats",
        "_unsafe_index": "Tensor",
        "random": "default from to",
        "where": "self ScalarOther ScalarSelf Scalar default",
        "xlogy": "Tensor Scalar_Self Scalar_Other",
        "xlogy_": "Tensor Scalar_Other",
    }.items()
    for name in names.split()
}


def __getattr__(name):
    """The operators that a program defines (``minigrad.library``): any name is a namespace, as in PyTorch."""
    if name[:2] == "__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return load("_library.overloads").namespace(name)


def load_library(path: Any) -> Any:
    """Raises OSError: libraries of compiled operators call PyTorch's own, which is not here.  Packages that have one go on without it.

    >>> import minigrad
    >>> minigrad.ops.load_library("operators.so")
    Traceback (most recent call last):
    OSError: Could not load this library: operators.so (minigrad runs no compiled operators of PyTorch)
    """
    raise OSError(f"Could not load this library: {path} (minigrad runs no compiled operators of PyTorch)")


aten: Any = _OpNamespace("aten", _find)
prim: Any = _OpNamespace("prim", _find_prim)
profiler: Any = _OpNamespace("profiler", _find_profiler)
#: Steps of ours that PyTorch has no name for, as far as any was seen.
_steps: dict[str, OpOverloadPacket] = {}


class _Applying(threading.local):
    now: Any = ()


_applying = _Applying()


@contextlib.contextmanager
def applying(overload: Any, args: Any, proceed: Any) -> Iterator[Any]:
    """Inside, ``overload(*args)`` is the application of an operator that is under way: ``proceed()``."""
    was = _applying.now
    _applying.now = (*was, (overload, args, proceed))
    try:
        yield
    finally:
        _applying.now = was


def overload_of(cls: Any, operands: Any, params: Any = (), writes: bool = False) -> Any:
    """The ``OpOverload`` of one application of the op ``cls``: see ``_ops/aten.py``."""
    name, _, overload = aten_name(cls, operands, params, writes).partition(".")
    packet = getattr(aten, name, None) or _steps.get(name)
    if packet is None:
        packet = _steps[name] = OpOverloadPacket("minigrad", name, cls.call, (overload,))
    overloads = packet._overload_names
    return getattr(packet, overload if overload in overloads else overloads[0])
