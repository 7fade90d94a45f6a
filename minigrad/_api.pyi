# Written by `python -m tests.generate`: do not edit.
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np

from ._base import return_types as _named_results
from ._base.device import device as _device
from ._base.device import layout as _layout
from ._base.device import memory_format as _memory_format
from ._base.dtypes import dtype as _dtype
from ._base.size import Size as _Size
from ._core.hooks import RemovableHandle
from ._core.node import Node

from ._base.errors import AcceleratorError as AcceleratorError
from ._ops.storage_classes import BFloat16Storage as BFloat16Storage
from ._ops.legacy_types import BFloat16Tensor as BFloat16Tensor
from ._ops.storage_classes import BoolStorage as BoolStorage
from ._ops.legacy_types import BoolTensor as BoolTensor
from ._ops.storage_classes import ByteStorage as ByteStorage
from ._ops.legacy_types import ByteTensor as ByteTensor
from ._ops.storage_classes import CharStorage as CharStorage
from ._ops.legacy_types import CharTensor as CharTensor
from ._ops.storage_classes import ComplexDoubleStorage as ComplexDoubleStorage
from ._ops.storage_classes import ComplexFloatStorage as ComplexFloatStorage
from ._ops.storage_classes import DoubleStorage as DoubleStorage
from ._ops.legacy_types import DoubleTensor as DoubleTensor
from ._ops.storage_classes import FloatStorage as FloatStorage
from ._ops.legacy_types import FloatTensor as FloatTensor
from ._ops.random import Generator as Generator
from ._ops.storage_classes import HalfStorage as HalfStorage
from ._ops.legacy_types import HalfTensor as HalfTensor
from ._ops.storage_classes import IntStorage as IntStorage
from ._ops.legacy_types import IntTensor as IntTensor
from ._ops.storage_classes import LongStorage as LongStorage
from ._ops.legacy_types import LongTensor as LongTensor
from ._base.errors import OutOfMemoryError as OutOfMemoryError
from ._ops.storage_classes import ShortStorage as ShortStorage
from ._ops.legacy_types import ShortTensor as ShortTensor
from ._base.size import Size as Size
from ._core.tensor import Tensor as Tensor
from ._ops.storage_classes import TypedStorage as TypedStorage
from ._ops.storage_classes import UntypedStorage as UntypedStorage
from ._ops.parameter import Buffer as __Buffer
_Buffer = __Buffer
from ._base.device import Device as __Device
_Device = __Device
_FUNCTIONS: Any
_INTERNAL: Any
_METHODS: Any
from ._core.node import Node as __Node
_Node = __Node
from ._ops.parameter import Parameter as __Parameter
_Parameter = __Parameter
from ._core.hooks import RemovableHandle as __RemovableHandle
_RemovableHandle = __RemovableHandle
def _about_to_write(tensors: Sequence[Tensor]) -> Tensor:
    """Let whoever keeps saved tensors copy what lies in the memory of ``tensors``, which is about to be written to."""
from ._ops import activation as __activation
_activation = __activation
def _assert(condition: Tensor, message: Any) -> Tensor:
    """Raise AssertionError with ``message`` unless ``condition`` is true: a one-element tensor, or anything that Python asks.

    >>> import minigrad
    >>> minigrad._assert(minigrad.ones(2).sum() == 2, "a sum")
    """
from ._ops import attention as __attention
_attention = __attention
from ._base import attention_kernels as __attention_kernels
_attention_kernels = __attention_kernels
def _autocast_dtype() -> Tensor:
    """The dtype of the lower precision of this thread; None outside of autocast."""
def _bump(tensor: Tensor) -> Tensor:
    """Count one more write to the memory of ``tensor``; raises RuntimeError for an inference tensor outside inference mode."""
def _capturing() -> Any:
    """What notes the step that is being captured in this thread; None if none is."""
def _check_overlap(t: Any) -> Tensor:
    """Raise RuntimeError if several elements of tensor ``t``, which is to be written to, share memory."""
from ._ops import class_loss as __class_loss
_class_loss = __class_loss
from ._base import compiling as __compiling
_compiling = __compiling
from ._base import composites as __composites
_composites = __composites
def _conj(input: Tensor) -> Tensor:
    """Like ``conj``, of a complex tensor only: raises RuntimeError for a real one."""
def _conj_physical(input: Tensor) -> Tensor:
    """Same as ``conj_physical``."""
from ._ops import convert as __convert
_convert = __convert
def _dirichlet_grad(x: Tensor, alpha: builtins.complex, total: Any) -> Tensor:
    """z = (dx/dy) / (1 - x) for a number x drawn from the beta distribution of parameters y and w - y: the last ones are ``alpha`` and ``total``."""
from ._base import dtypes as __dtypes
_dtypes = __dtypes
_fetch_meta: Any
_fetch_sparse: Any
_found: Any
def _functional_call(module: Any, parameter_and_buffer_dicts: Any, args: Any = None, kwargs: Any = None, *, tie_weights: builtins.bool = True, strict: builtins.bool = False) -> Tensor:
    """Call ``module`` with other tensors in the places of its parameters and buffers: ``module(*args, **kwargs)``.

    ``parameter_and_buffer_dicts``: a dictionary of tensors by name, or several with different keys.  What the module writes to its buffers is seen
    there, not in the module.  ``tie_weights``: a tensor given for one of several names of the same parameter is meant for all of them.

    Raises ValueError for keys that occur twice, or for different tensors for one parameter; RuntimeError with ``strict`` for keys that are missing or
    unknown.

    >>> import minigrad
    >>> model = minigrad.nn.Linear(2, 1, bias=False)
    >>> minigrad.func.functional_call(model, {"weight": minigrad.tensor([[1., 10.]])}, minigrad.tensor([3., 4.]))
    tensor([43.])
    """
def _getattr_of(module_globals: Any) -> Any:
    """A ``__getattr__`` for a module that has all its names, and lacks some of PyTorch's."""
def _grouped_mm(input: Tensor, mat2: Tensor, offs: Any = None, bias: Tensor | None = None, out_dtype: Any = None) -> Tensor:
    """Multiply matrices group by group: see ``nn.functional.grouped_mm``."""
from ._core import hooks as __hooks
_hooks = __hooks
def _is_all_true(input: Tensor) -> Tensor:
    """Whether all elements of a tensor of bools are true, as such a tensor without dimensions: inside ``vmap`` all samples count.

    Raises RuntimeError for other dtypes.

    >>> import minigrad
    >>> minigrad._is_all_true(minigrad.tensor([True, False]))
    tensor(False)
    """
def _is_any_true(input: Tensor) -> Tensor:
    """Whether any element of a tensor of bools is true, as such a tensor without dimensions: inside ``vmap`` all samples count.

    Raises RuntimeError for other dtypes.

    >>> import minigrad
    >>> minigrad._is_any_true(minigrad.tensor([True, False]))
    tensor(True)
    """
def _lacks(owner: Any, names: Any) -> None:
    """Mark those of the names as missing that the class has not."""
from ._base import lazy as __lazy
_lazy = __lazy
def _level_of_user() -> builtins.int:
    """How many calls above the caller the program's own line is, as ``warnings.warn`` counts: the first that is not of this package."""
from ._ops import linalg_factors as __linalg_factors
_linalg_factors = __linalg_factors
from ._ops import linalg_functions as __linalg_functions
_linalg_functions = __linalg_functions
from ._ops import linalg_norms as __linalg_norms
_linalg_norms = __linalg_norms
from ._ops import linalg_orthogonal as __linalg_orthogonal
_linalg_orthogonal = __linalg_orthogonal
from ._ops import linalg_solvers as __linalg_solvers
_linalg_solvers = __linalg_solvers
from ._ops import linalg_spectral as __linalg_spectral
_linalg_spectral = __linalg_spectral
from ._ops import linalg_vectors as __linalg_vectors
_linalg_vectors = __linalg_vectors
def _linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """Compute ``input @ weight.T + bias``: ``(..., k), (m, k), (m,) -> (..., m)``; a 1-dim weight ``(k,)`` gives ``(...,)``.

    Raises RuntimeError for sizes that do not fit or different dtypes.

    >>> import minigrad
    >>> minigrad.nn.functional.linear(minigrad.ones(1, 3), minigrad.ones(2, 3), minigrad.tensor([0., 1.]))
    tensor([[3., 4.]])
    """
from ._ops import loss as __loss
_loss = __loss
from ._ops import margin_loss as __margin_loss
_margin_loss = __margin_loss
from ._display import html as __markup
_markup = __markup
from ._base import mixing as __mixing
_mixing = __mixing
from ._ops import moments as __moments
_moments = __moments
from ._ops import names as __names
_names = __names
def _neg_view(input: Tensor) -> Tensor:
    """The negative of a tensor, as a view of the same memory."""
from ._ops import normalize as __normalize
_normalize = __normalize
from ._ops import random_new as __random_new
_random_new = __random_new
from ._ops import recurrent as __recurrent
_recurrent = __recurrent
def _sample_dirichlet(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Shares drawn from the Dirichlet distributions whose parameters stand along the last axis of ``input``: (..., n) -> (..., n), float32 or float64.

    Raises NotImplementedError for other dtypes.

    >>> import minigrad
    >>> minigrad._sample_dirichlet(minigrad.ones(2, 3)).sum(-1)
    tensor([1., 1.])
    """
def _segment_reduce(data: Any, reduce: builtins.str, *, lengths: Any = None, indices: Tensor | None = None, offsets: Tensor | None = None, axis: Any = 0, unsafe: Any = False, initial: Any = None) -> Tensor:
    """Reduce consecutive segments of dimension ``axis``: the "sum", "mean", "max", "min" or "prod" of each.

    ``lengths`` has how many elements each segment has, or ``offsets`` where each begins and the last one ends; the dimensions before ``axis`` are
    those of ``data``. Reductions start with ``initial``, which is what an empty segment gives: by default 0, nan, -inf, inf and 1. ``unsafe`` allows
    lengths that do not add up to the size of the dimension. Raises NotImplementedError for integers, RuntimeError for what does not fit.

    >>> import minigrad
    >>> minigrad.segment_reduce(minigrad.tensor([1., 2., 3.]), "sum", lengths=minigrad.tensor([2, 0, 1]))
    tensor([3., 0., 3.])
    """
def _sobol_engine_draw(quasi: Any, n: builtins.int, sobolstate: Any, dimension: builtins.int, num_generated: Any, dtype: _dtype | None) -> Tensor:
    """The next ``n`` points, (n, dimension) of [0, 1), and the last as int64 numbers (dimension,) of 30 bits, from which to go on.

    ``quasi`` is the last point before, ``num_generated`` its number in the sequence; ``dtype`` is float32 or float64 (None: the default).

    >>> import minigrad
    >>> state = minigrad._sobol_engine_initialize_state_(minigrad.zeros(2, 30, dtype=minigrad.int64), 2)
    >>> points, last = minigrad._sobol_engine_draw(minigrad.zeros(2, dtype=minigrad.int64), 2, state, 2, 0, None)
    >>> points
    tensor([[0.5000, 0.5000],
            [0.7500, 0.2500]])
    """
def _sobol_engine_ff_(input: Tensor, n: builtins.int, sobolstate: Any, dimension: builtins.int, num_generated: Any) -> Tensor:
    """Move ``input``, the last point as int64 numbers (dimension,), on by ``n`` points, as ``_sobol_engine_draw`` does; it is returned.

    >>> import minigrad
    >>> state = minigrad._sobol_engine_initialize_state_(minigrad.zeros(2, 30, dtype=minigrad.int64), 2)
    >>> minigrad._sobol_engine_ff_(minigrad.zeros(2, dtype=minigrad.int64), 2, state, 2, 0)
    tensor([805306368, 268435456])
    """
def _sobol_engine_initialize_state_(input: Tensor, dimension: builtins.int) -> Tensor:
    """Write the direction numbers of ``dimension`` dimensions into ``input``, an int64 tensor (dimension, 30), which is returned.

    >>> import minigrad
    >>> minigrad._sobol_engine_initialize_state_(minigrad.zeros(2, 30, dtype=minigrad.int64), 2)[:, :2]
    tensor([[536870912, 268435456],
            [536870912, 805306368]])
    """
def _sobol_engine_scramble_(input: Tensor, ltm: Any, dimension: builtins.int) -> Tensor:
    """Multiply the direction numbers in ``input`` (dimension, 30) by lower triangular matrices of bits ``ltm`` (dimension, 30, 30); all are int64.

    Ones stand for the diagonals of the matrices.

    >>> import minigrad
    >>> state = minigrad._sobol_engine_initialize_state_(minigrad.zeros(1, 30, dtype=minigrad.int64), 1)
    >>> minigrad._sobol_engine_scramble_(state, minigrad.ones(1, 30, 30, dtype=minigrad.int64), 1)[0, :2]
    tensor([1073741823,  536870911])
    """
from ._ops import special as __special
_special = __special
from ._ops import spectral as __spectral
_spectral = __spectral
def _standard_gamma(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Numbers of the gamma distributions of scale 1 whose shapes stand in ``input``, a tensor of float32 or float64 of any shape.

    Raises NotImplementedError for other dtypes.

    >>> import minigrad
    >>> alpha = minigrad.full((1000,), 3., requires_grad=True)
    >>> x = minigrad._standard_gamma(alpha)
    >>> 2.5 < x.mean().item() < 3.5
    True
    >>> x.sum().backward()    # on the average a draw grows as the mean does
    >>> 0.9 < alpha.grad.mean().item() < 1.1
    True
    """
def _standard_gamma_grad(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """z = dy/dx for a number y drawn from the gamma distribution of shape x: how it moves at its fixed place of the distribution.

    Works on each pair of elements, x of ``input`` and y of ``output``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad._standard_gamma_grad(minigrad.tensor([1.]), minigrad.tensor([0.6931]))
    tensor([0.9680])
    """
def _vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: builtins.str = ..., *, chunk_size: builtins.int | None = None) -> Tensor:
    """Turn ``func``, a function of one sample, into a function of whole batches.

    ``in_dims`` says along which dimension of each argument the samples lie (None: the same for all), ``out_dims`` where they lie in each
    result: an int, or a structure of them like the arguments (or the results). ``randomness`` is "error", "different" or "same" random
    numbers for the samples. ``chunk_size`` limits how many samples are computed at once.

    Raises ValueError if these do not fit the arguments or the results, RuntimeError for operations that cannot work on a whole batch,
    such as ``item()``.

    >>> import minigrad
    >>> x, y = minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([10., 1.])
    >>> minigrad.func.vmap(minigrad.dot, in_dims=(0, None))(x, y)
    tensor([12., 34.])
    """
def _warn_if_has_hooks(tensor: Tensor) -> Tensor:
    """Warn of each hook of a tensor that pickling leaves out.

    >>> import minigrad
    >>> x = minigrad.tensor([1.], requires_grad=True)
    >>> minigrad.utils.hooks.warn_if_has_hooks(x)
    """
def _wrap(array: Any) -> Tensor:
    """A new tensor over ``array``, which it shares."""
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element: z = |x|;   dz/dx = sgn x, 0 at 0.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.abs(minigrad.tensor([-1., 2.])), minigrad.abs(minigrad.tensor([3 + 4j]))
    (tensor([1., 2.]), tensor([5.]))
    """
def abs_(input: Tensor) -> Tensor:
    """In-place version of ``abs``; not for complex.

    >>> import minigrad
    >>> minigrad.tensor([-1, 2]).abs_()
    tensor([1, 2])
    """
def absolute(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element: z = |x|;   dz/dx = sgn x, 0 at 0.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.abs(minigrad.tensor([-1., 2.])), minigrad.abs(minigrad.tensor([3 + 4j]))
    (tensor([1., 2.]), tensor([5.]))
    """
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse cosine of each element: z = acos x;   dz/dx = -1 / √(1 - x²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.acos(minigrad.tensor([-1., 0., 2.]))
    tensor([3.1416, 1.5708,    nan])
    """
def acos_(input: Tensor) -> Tensor:
    """In-place version of ``acos``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.acos_() is x
    True
    """
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic cosine of each element: z = acosh x;   dz/dx = 1 / √(x² - 1), for complex x 1 / (√(x - 1) √(x + 1)).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.acosh(minigrad.tensor([0., 1., 2.]))
    tensor([   nan, 0.0000, 1.3170])
    """
def acosh_(input: Tensor) -> Tensor:
    """In-place version of ``acosh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.acosh_() is x
    True
    """
def adaptive_avg_pool1d(input: Tensor, output_size: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Take the means of ``output_size`` windows that cover the last dimension of ``(N, C, L)`` or ``(C, L)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.adaptive_avg_pool1d(minigrad.tensor([[1., 3., 5., 7.]]), 2)
    tensor([[2., 6.]])
    """
def adaptive_max_pool1d(input: Tensor, output_size: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Take the maxima of ``output_size`` windows that cover the last dimension; return ``(values, indices)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.adaptive_max_pool1d(minigrad.tensor([[1., 3., 7., 5.]]), 2)
    (tensor([[3., 7.]]), tensor([[1, 2]]))
    """
def add(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex | None = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``input + alpha * other``, elementwise; the operands broadcast and promote.

    >>> import minigrad
    >>> minigrad.add(minigrad.tensor([1., 2.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([21., 42.])
    """
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``beta * input + alpha * (the sum of the matrix products of two batches)``; ``input`` is ignored if ``beta`` is 0.

    >>> import minigrad
    >>> minigrad.addbmm(minigrad.zeros(1, 1), minigrad.ones(5, 1, 3), minigrad.ones(5, 3, 1))
    tensor([[15.]])
    """
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *old: Any, value: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``input + value * tensor1 / tensor2``, elementwise; tensor1 and tensor2 may not both be integers.

    >>> import minigrad
    >>> minigrad.addcdiv(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([2., 4.]), value=10)
    tensor([6., 6.])
    """
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *old: Any, value: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``input + value * tensor1 * tensor2``, elementwise.

    >>> import minigrad
    >>> minigrad.addcmul(minigrad.tensor([1., 1.]), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]), value=10)
    tensor([31., 81.])
    """
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``beta * input + alpha * mat1 @ mat2`` for matrices; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    >>> import minigrad
    >>> minigrad.addmm(minigrad.tensor([1., 2.]), minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[4., 5.]])
    """
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``beta * input + alpha * mat @ vec``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    ``mat`` is (n, m), ``vec`` (m,), the result (n,); all of one dtype.

    >>> import minigrad
    >>> minigrad.addmv(minigrad.tensor([1., 2.]), minigrad.ones(2, 3), minigrad.ones(3))
    tensor([4., 5.])
    """
def addmv_(input: Tensor, mat: Tensor, vec: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1) -> Tensor:
    """In-place version of ``addmv``; ``input`` must have the shape of the product.

    >>> import minigrad
    >>> minigrad.ones(2).addmv_(minigrad.eye(2), minigrad.tensor([3., 4.]))
    tensor([4., 5.])
    """
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``beta * input + alpha * outer(vec1, vec2)``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    ``vec1`` is (n,), ``vec2`` (m,), the result (n, m).

    >>> import minigrad
    >>> minigrad.addr(minigrad.ones(2, 2), minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor([[4., 5.],
            [7., 9.]])
    """
def adjoint(input: Tensor) -> Tensor:
    """Return a view with the last two dimensions exchanged, conjugated if complex; raise RuntimeError for one dimension.

    >>> import minigrad
    >>> minigrad.adjoint(minigrad.zeros(4, 2, 3)).shape
    torch.Size([4, 3, 2])
    """
def affine_grid_generator(theta: Tensor, size: Sequence[builtins.int], align_corners: builtins.bool) -> Tensor:
    """The same as ``nn.functional.affine_grid``.

    >>> import minigrad
    >>> minigrad.affine_grid_generator(minigrad.eye(2, 3)[None], [1, 1, 1, 2], True).flatten()
    tensor([-1.,  0.,  1.,  0.])
    """
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``alias`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.alias_copy(minigrad.tensor([1, 2]))
    tensor([1, 2])
    """
def all(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return whether all elements are non-zero: of the whole tensor, or along ``dim``.

    >>> import minigrad
    >>> minigrad.all(minigrad.tensor([[1, 0], [1, 1]]), 1)
    tensor([False,  True])
    """
def allclose(input: Tensor, other: Tensor, rtol: builtins.float = ..., atol: builtins.float = ..., equal_nan: builtins.bool = False) -> builtins.bool:
    """Return whether all elements are close, as a Python bool; see ``isclose``.

    >>> import minigrad
    >>> minigrad.allclose(minigrad.tensor([1.]), minigrad.tensor([1.000001]))
    True
    """
def alpha_dropout(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """Apply dropout for networks with ``selu``: dropped elements take its lower limit, and mean and variance are preserved.

    >>> import minigrad
    >>> minigrad.alpha_dropout(minigrad.ones(2), 0.5, False)
    tensor([1., 1.])
    """
def alpha_dropout_(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """In-place version of ``alpha_dropout``.

    >>> import minigrad
    >>> minigrad.alpha_dropout_(minigrad.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
def amax(input: Tensor, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the largest elements along ``dim``: an int or several, with () for all.

    >>> import minigrad
    >>> minigrad.amax(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([4., 3.])
    """
def amin(input: Tensor, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the smallest elements along ``dim``: an int or several, with () for all.

    >>> import minigrad
    >>> minigrad.amin(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([1., 2.])
    """
def aminmax(input: Tensor, *, dim: builtins.int | None = None, keepdim: builtins.bool = False, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.aminmax:
    """Return the smallest and the largest element: of all, or along one dimension.

    >>> import minigrad
    >>> minigrad.aminmax(minigrad.tensor([3., 1., 2.]))
    torch.return_types.aminmax(
    min=tensor(1.),
    max=tensor(3.))
    """
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the angle of each element in radians.

    >>> import minigrad
    >>> minigrad.angle(minigrad.tensor([1j, -1]))
    tensor([1.5708, 3.1416])
    """
def any(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return whether any element is non-zero: of the whole tensor, or along ``dim``.

    >>> import minigrad
    >>> minigrad.any(minigrad.tensor([[1, 0], [0, 0]]), 1)
    tensor([ True, False])
    """
def arange(start: builtins.complex | None = None, end: builtins.complex | None = None, step: builtins.complex = 1, *, out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return the numbers from ``start`` (0) up to but not including ``end``, ``step`` apart; int64 if all three are integers.

    Raises RuntimeError if ``step`` is zero or leads away from ``end``.

    >>> import minigrad
    >>> minigrad.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
def arccos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse cosine of each element: z = acos x;   dz/dx = -1 / √(1 - x²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.acos(minigrad.tensor([-1., 0., 2.]))
    tensor([3.1416, 1.5708,    nan])
    """
def arccos_(input: Tensor) -> Tensor:
    """In-place version of ``acos``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.acos_() is x
    True
    """
def arccosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic cosine of each element: z = acosh x;   dz/dx = 1 / √(x² - 1), for complex x 1 / (√(x - 1) √(x + 1)).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.acosh(minigrad.tensor([0., 1., 2.]))
    tensor([   nan, 0.0000, 1.3170])
    """
def arccosh_(input: Tensor) -> Tensor:
    """In-place version of ``acosh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.acosh_() is x
    True
    """
def arcsin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse sine of each element: z = asin x;   dz/dx = 1 / √(1 - x²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.asin(minigrad.tensor([-1., 0., 2.]))
    tensor([-1.5708,  0.0000,     nan])
    """
def arcsin_(input: Tensor) -> Tensor:
    """In-place version of ``asin``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.asin_() is x
    True
    """
def arcsinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic sine of each element: z = asinh x;   dz/dx = 1 / √(x² + 1).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.asinh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.8814])
    """
def arcsinh_(input: Tensor) -> Tensor:
    """In-place version of ``asinh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.asinh_() is x
    True
    """
def arctan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse tangent of each element: z = atan x;   dz/dx = 1 / (x² + 1).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.atan(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7854])
    """
def arctan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of a point in the plane: z = the angle of the point (y, x), as C's atan2;   dz/dx = y / (x² + y²), dz/dy = -x / (x² + y²), 0 at the origin.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.atan2(minigrad.tensor([1., 1.]), minigrad.tensor([1., -1.]))
    tensor([0.7854, 2.3562])
    """
def arctan_(input: Tensor) -> Tensor:
    """In-place version of ``atan``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.atan_() is x
    True
    """
def arctanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic tangent of each element: z = atanh x;   dz/dx = 1 / (1 - x²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.atanh(minigrad.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.5493,    inf])
    """
def arctanh_(input: Tensor) -> Tensor:
    """In-place version of ``atanh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.atanh_() is x
    True
    """
def are_deterministic_algorithms_enabled() -> builtins.bool:
    """Return whether deterministic algorithms were asked for.

    >>> import minigrad
    >>> minigrad.are_deterministic_algorithms_enabled()
    False
    """
def argmax(input: Tensor, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the index of the largest element (the first among equals): of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.argmax(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([1, 0])
    """
def argmin(input: Tensor, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the index of the smallest element (the first among equals): of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.argmin(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    tensor([0, 1])
    """
def argsort(input: Tensor, dim: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the indices that sort the elements along ``dim``; ``out`` requires ``stable``.

    >>> import minigrad
    >>> minigrad.argsort(minigrad.tensor([3., 1., 2.]))
    tensor([1, 2, 0])
    """
def argwhere(input: Tensor) -> Tensor:
    """Return the indices of all non-zero elements, one row for each.

    >>> import minigrad
    >>> minigrad.argwhere(minigrad.tensor([0, 5, 6]))
    tensor([[1],
            [2]])
    """
def as_strided(input: Tensor, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
    """Return a view of the storage under ``input`` with the given ``size``, ``stride`` and offset (default: that of ``input``), in elements.

    Raises RuntimeError if the view would exceed the storage, or for negative strides.

    >>> import minigrad
    >>> minigrad.as_strided(minigrad.arange(6), (2, 3), (1, 2))
    tensor([[0, 2, 4],
            [1, 3, 5]])
    """
def as_strided_(input: Tensor, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
    """Change the tensor's size, strides and offset in place: ``input.as_strided_(size, stride, storage_offset)``.

    >>> import minigrad
    >>> minigrad.as_strided_(minigrad.arange(4.), (2,), (2,))
    tensor([0., 2.])
    """
def as_strided_copy(input: Tensor, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``as_strided`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.as_strided_copy(minigrad.arange(4), (2, 2), (1, 1))
    tensor([[0, 1],
            [1, 2]])
    """
def as_strided_scatter(input: Tensor, src: Tensor, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
    """Return a copy of ``input``, dense in the order of its indices, with ``src`` where ``as_strided`` would look.

    Raises RuntimeError if the shape does not fit or the range is too large.

    >>> import minigrad
    >>> minigrad.as_strided_scatter(minigrad.zeros(4), minigrad.ones(2), (2,), (2,))
    tensor([1., 0., 1., 0.])
    """
def as_tensor(data: Any, dtype: _dtype | None = None, device: _Device = None) -> Tensor:
    """Convert ``data`` to a tensor: itself or sharing memory where possible, else a copy; gradient history is kept.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.])
    >>> minigrad.as_tensor(x) is x
    True
    """
def asarray(obj: Any, *, dtype: _dtype | None = None, device: _Device = None, copy: builtins.bool | None = None, requires_grad: builtins.bool | None = False) -> Tensor:
    """Convert ``obj`` to a tensor: a copy if ``copy`` is true, never one if ``copy`` is False, else only if needed.

    Shape and dtype are those of ``obj``, unless ``dtype`` is given. Raises ValueError if ``copy=False`` is impossible.

    >>> import minigrad
    >>> minigrad.asarray([1, 2])
    tensor([1, 2])
    """
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse sine of each element: z = asin x;   dz/dx = 1 / √(1 - x²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.asin(minigrad.tensor([-1., 0., 2.]))
    tensor([-1.5708,  0.0000,     nan])
    """
def asin_(input: Tensor) -> Tensor:
    """In-place version of ``asin``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.asin_() is x
    True
    """
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic sine of each element: z = asinh x;   dz/dx = 1 / √(x² + 1).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.asinh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.8814])
    """
def asinh_(input: Tensor) -> Tensor:
    """In-place version of ``asinh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.asinh_() is x
    True
    """
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse tangent of each element: z = atan x;   dz/dx = 1 / (x² + 1).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.atan(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7854])
    """
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of a point in the plane: z = the angle of the point (y, x), as C's atan2;   dz/dx = y / (x² + y²), dz/dy = -x / (x² + y²), 0 at the origin.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.atan2(minigrad.tensor([1., 1.]), minigrad.tensor([1., -1.]))
    tensor([0.7854, 2.3562])
    """
def atan_(input: Tensor) -> Tensor:
    """In-place version of ``atan``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.atan_() is x
    True
    """
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic tangent of each element: z = atanh x;   dz/dx = 1 / (1 - x²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.atanh(minigrad.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.5493,    inf])
    """
def atanh_(input: Tensor) -> Tensor:
    """In-place version of ``atanh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.atanh_() is x
    True
    """
def atleast_1d(*tensors: Tensor | Sequence[Tensor]) -> Any:
    """Return the tensor, or each of several in a tuple, with at least 1 dimension: itself, or a view.

    >>> import minigrad
    >>> minigrad.atleast_1d(minigrad.tensor(1)).shape
    torch.Size([1])
    """
def atleast_2d(*tensors: Tensor | Sequence[Tensor]) -> Any:
    """Return the tensor, or each of several in a tuple, with at least 2 dimensions: itself, or a view.

    >>> import minigrad
    >>> minigrad.atleast_2d(minigrad.tensor(1)).shape
    torch.Size([1, 1])
    """
def atleast_3d(*tensors: Tensor | Sequence[Tensor]) -> Any:
    """Return the tensor, or each of several in a tuple, with at least 3 dimensions: itself, or a view.

    >>> import minigrad
    >>> minigrad.atleast_3d(minigrad.tensor(1)).shape
    torch.Size([1, 1, 1])
    """
from . import autograd as autograd
def avg_pool1d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True) -> Tensor:
    """Take the mean of each window: ``(N, C, L)`` or ``(C, L)``; windows are ``stride`` apart, by default their size.

    Zeros of the padding count unless ``count_include_pad`` is False. Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.avg_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[2., 1.]])
    """
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``beta * input + alpha * bmm(batch1, batch2)``; ``input`` broadcasts to the product, and is ignored if ``beta`` is 0.

    ``batch1`` is (b, n, m), ``batch2`` (b, m, p), the result (b, n, p); all of one dtype.

    >>> import minigrad
    >>> minigrad.baddbmm(minigrad.ones(2, 1, 1), minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
    tensor([4., 4.])
    """
def bartlett_window(window_length: builtins.int, periodic: builtins.bool = True, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return a triangular window from 0 to 1 and back: (window_length,); symmetric unless ``periodic``.

    Raises RuntimeError for a negative length and for integer dtypes.

    >>> import minigrad
    >>> minigrad.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
def batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: builtins.bool, momentum: builtins.float, eps: builtins.float, cudnn_enabled: builtins.bool) -> Tensor:
    """Normalise each channel of (N, C, ...): ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    If ``training``, mean and variance are those of the input, and the running statistics, if given, move towards them by the factor
    ``momentum``; otherwise the running statistics are used. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.batch_norm(minigrad.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 0., False)
    tensor([[-1.],
            [ 1.]])
    """
def bernoulli(input: Tensor, p: builtins.float | None = None, *, generator: Generator | None = None, out: Any = None) -> Tensor:
    """Draw 1 with the probabilities in ``input`` (or with probability ``p``), else 0.

    The result has the shape and dtype of ``input``, a floating-point one.

    >>> import minigrad
    >>> minigrad.bernoulli(minigrad.tensor([0., 1.]))
    tensor([0., 1.])
    """
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input1 @ weight[k] @ input2 + bias[k]`` for each k: ``(..., n), (..., m), (k, n, m), (k,) -> (..., k)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.bilinear(minigrad.ones(1, 2), minigrad.ones(1, 3), minigrad.ones(4, 2, 3))
    tensor([[6., 6., 6., 6.]])
    """
def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: builtins.int = 0) -> Tensor:
    """Compute the binary cross entropy of ``sigmoid(input)``, reduced; ``weight`` weights elements, ``pos_weight`` the positive class.

    >>> import minigrad
    >>> minigrad.binary_cross_entropy_with_logits(minigrad.zeros(2), minigrad.ones(2))
    tensor([0.6931, 0.6931])
    """
def bincount(input: Tensor, weights: Tensor | None = None, minlength: builtins.int = 0) -> Tensor:
    """Count the occurrences of each integer from 0 on in ``input``, or sum their ``weights``.

    >>> import minigrad
    >>> minigrad.bincount(minigrad.tensor([3, 1, 1]))
    tensor([0, 2, 0, 1])
    """
def binomial(count: Any, prob: Any, generator: Generator | None = None) -> Tensor:
    """Draw the number of successes among ``count`` trials of probability ``prob``, two floating-point tensors that broadcast.

    >>> import minigrad
    >>> minigrad.binomial(minigrad.tensor([10.]), minigrad.tensor([1.]))
    tensor([10.])
    """
def bitwise_and(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Bitwise AND of integers; logical AND of bool.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> bin(minigrad.bitwise_and(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
    '0b1000'
    """
def bitwise_left_shift(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Shift the bits of x left by y: x 2ʸ; 0 where y is negative or at least the width of the dtype.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.bitwise_left_shift(minigrad.tensor([1, 3]), minigrad.tensor([4, 1]))
    tensor([16,  6])
    """
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Bitwise NOT of integers; logical NOT of bool.

    >>> import minigrad
    >>> minigrad.bitwise_not(minigrad.tensor([0, 3]))
    tensor([-1, -4])
    """
def bitwise_or(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Bitwise OR of integers; logical OR of bool.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> bin(minigrad.bitwise_or(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
    '0b1110'
    """
def bitwise_right_shift(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Shift the bits of x right by y: x / 2ʸ, rounded down; only the sign remains where y is negative or at least the width of the dtype.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.bitwise_right_shift(minigrad.tensor([17, -17]), 2)
    tensor([ 4, -5])
    """
def bitwise_xor(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Bitwise XOR of integers and bool.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> bin(minigrad.bitwise_xor(minigrad.tensor(0b1100), minigrad.tensor(0b1010)))
    '0b110'
    """
def blackman_window(window_length: builtins.int, periodic: builtins.bool = True, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the window ``0.42 - 0.5 cos(2πt) + 0.08 cos(4πt)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.blackman_window(4)[2]
    tensor(1.)
    """
def block_diag(*tensors: Tensor | Sequence[Tensor]) -> Tensor:
    """Return a matrix of zeros with the tensors, of at most two dimensions, as blocks along its diagonal.

    Raises RuntimeError for a tensor of more dimensions.

    >>> import minigrad
    >>> minigrad.block_diag(minigrad.tensor([[1, 2]]), minigrad.tensor(3))
    tensor([[1, 2, 0],
            [0, 0, 3]])
    """
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply two batches of matrices, ``(b, n, k) @ (b, k, m) -> (b, n, m)``.

    >>> import minigrad
    >>> minigrad.bmm(minigrad.ones(2, 1, 3), minigrad.ones(2, 3, 1)).flatten()
    tensor([3., 3.])
    """
def broadcast_shapes(*shapes: Any) -> _Size:
    """Return the shape that tensors of these shapes (tuples or ints) broadcast to; raises RuntimeError if they do not.

    >>> import minigrad
    >>> minigrad.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
def broadcast_tensors(*tensors: Tensor | Sequence[Tensor]) -> builtins.tuple[Tensor, ...]:
    """Return the tensors expanded to the shape that they broadcast to, as a tuple; raises RuntimeError if they do not.

    >>> import minigrad
    >>> minigrad.broadcast_tensors(minigrad.tensor([1, 2]), minigrad.tensor([[3]]))
    (tensor([[1, 2]]), tensor([[3, 3]]))
    """
def broadcast_to(input: Tensor, size: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Return a view expanded to ``size``, as ``input.expand(size)`` does.

    >>> import minigrad
    >>> minigrad.broadcast_to(minigrad.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
def bucketize(input: Tensor, boundaries: Tensor, *, out_int32: builtins.bool = False, right: builtins.bool = False, out: Tensor | None = None) -> Tensor:
    """Return the index of the bin between sorted, 1-dimensional ``boundaries`` that each element falls into.

    >>> import minigrad
    >>> minigrad.bucketize(minigrad.tensor([2, 3]), minigrad.tensor([1, 3, 5]))
    tensor([1, 1])
    """
def can_cast(from_: Any, to: Any) -> builtins.bool:
    """Return whether values of dtype ``from_`` can be written into dtype ``to``; a category is never narrowed.

    >>> import minigrad
    >>> minigrad.can_cast(minigrad.float64, minigrad.int32)
    False
    """
def cartesian_prod(*tensors: Tensor | Sequence[Tensor]) -> Tensor:
    """Return the Cartesian product of vectors, as the rows of a matrix; a single vector is returned unchanged.

    >>> import minigrad
    >>> minigrad.cartesian_prod(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
def cat(tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: Any = None) -> Tensor:
    """Concatenate tensors along a dimension; their other sizes must agree, and their dtypes promote.

    Raises RuntimeError if sizes differ, ValueError for an empty list.

    >>> import minigrad
    >>> minigrad.cat([minigrad.tensor([1, 2]), minigrad.tensor([3])])
    tensor([1, 2, 3])
    """
def cdist(x1: Any, x2: Any, p: Any = ..., compute_mode: Any = ...) -> Tensor:
    """Return the ``p``-norm distance of each row of ``x1`` from each row of ``x2``: ``(..., P, M), (..., R, M) -> (..., P, R)``.

    Raises RuntimeError for dtypes other than float32 and float64, and for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.cdist(minigrad.tensor([[0., 0.]]), minigrad.tensor([[3., 4.], [0., 0.]]))
    tensor([[5., 0.]])
    """
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded up: z = the least integer not below x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.ceil(minigrad.tensor([-1.5, 1.5]))
    tensor([-1.,  2.])
    """
def ceil_(input: Tensor) -> Tensor:
    """In-place version of ``ceil``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.ceil_() is x
    True
    """
def celu(input: Tensor, alpha: builtins.complex = ...) -> Tensor:
    """Replace negative elements by ``alpha * (exp(input / alpha) - 1)``, and keep the others.

    Keeps shape and dtype; floating-point dtypes only.

    >>> import minigrad
    >>> minigrad.celu(minigrad.tensor([-1., 1.]), 2.0)
    tensor([-0.7869,  1.0000])
    """
def celu_(input: Tensor, alpha: builtins.complex = ...) -> Tensor:
    """In-place version of ``celu``.

    >>> import minigrad
    >>> minigrad.celu_(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """
def chain_matmul(*matrices: Any, out: Tensor | None = None) -> Tensor:
    """Multiply several matrices in the cheapest order. Deprecated: use ``linalg.multi_dot``.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.chain_matmul(minigrad.ones(1, 2), minigrad.ones(2, 3), minigrad.ones(3, 1))
    tensor([[6.]])
    """
def channel_shuffle(input: Tensor, groups: builtins.int) -> Tensor:
    """Divide the channels of ``(N, C, ...)`` into ``groups`` groups, and interleave them: the first of each, the second of each, and so on.

    Raises RuntimeError unless the channels are a multiple of ``groups``.

    >>> import minigrad
    >>> minigrad.channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
channels_last: memory_format
channels_last_3d: memory_format
def cholesky(input: Tensor, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``linalg.cholesky``; deprecated.

    >>> import minigrad
    >>> minigrad.cholesky(minigrad.tensor([[4.]]))
    tensor([[2.]])
    """
def cholesky_inverse(input: Tensor, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of ``L Lᴴ``, or of ``Lᴴ L`` with ``upper``, where L is ``input``.

    ``input`` is (..., n, n), of a floating or complex dtype, as is the result.

    >>> import minigrad
    >>> minigrad.cholesky_inverse(minigrad.tensor([[2.]]))
    tensor([[0.2500]])
    """
def cholesky_solve(input: Tensor, input2: Tensor, upper: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Solve ``A X = input`` for ``A = L Lᴴ``, or ``Lᴴ L`` with ``upper``, where L is ``input2``.

    ``input`` is (..., n, k), ``input2`` (..., n, n); floating and complex dtypes.

    >>> import minigrad
    >>> minigrad.cholesky_solve(minigrad.tensor([[8.]]), minigrad.tensor([[2.]]))
    tensor([[2.]])
    """
def chunk(input: Tensor, chunks: builtins.int, dim: builtins.int = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
    """Split along a dimension into a tuple of at most ``chunks`` views of equal size (the last may be smaller).

    Raises RuntimeError for a 0-dim tensor, or if ``chunks`` is not positive.

    >>> import minigrad
    >>> minigrad.chunk(minigrad.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
def clamp(input: Tensor, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None, *, out: Tensor | None = None) -> Tensor:
    """Limit each element to [min, max], each a number, a tensor or None; ``max`` wins if the limits cross, and nan stays nan.

    Raises RuntimeError if both are None.

    >>> import minigrad
    >>> minigrad.clamp(minigrad.tensor([-1., 0.5, 2.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
def clamp_(input: Tensor, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None) -> Tensor:
    """In-place version of ``clamp``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 0.5, 2.]).clamp_(0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
def clamp_max(input: Tensor, max: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Limit each element to at most ``max``, a number or a tensor.

    >>> import minigrad
    >>> minigrad.clamp_max(minigrad.tensor([-1., 2.]), 0)
    tensor([-1.,  0.])
    """
def clamp_max_(input: Tensor, max: Tensor | builtins.complex) -> Tensor:
    """In-place version of ``clamp_max``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 2.]).clamp_max_(0)
    tensor([-1.,  0.])
    """
def clamp_min(input: Tensor, min: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Limit each element to at least ``min``, a number or a tensor.

    >>> import minigrad
    >>> minigrad.clamp_min(minigrad.tensor([-1., 2.]), 0)
    tensor([0., 2.])
    """
def clamp_min_(input: Tensor, min: Tensor | builtins.complex) -> Tensor:
    """In-place version of ``clamp_min``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 2.]).clamp_min_(0)
    tensor([0., 2.])
    """
def clip(input: Tensor, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None, *, out: Tensor | None = None) -> Tensor:
    """Limit each element to [min, max], each a number, a tensor or None; ``max`` wins if the limits cross, and nan stays nan.

    Raises RuntimeError if both are None.

    >>> import minigrad
    >>> minigrad.clamp(minigrad.tensor([-1., 0.5, 2.]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
def clip_(input: Tensor, min: Tensor | builtins.complex | None = None, max: Tensor | builtins.complex | None = None) -> Tensor:
    """In-place version of ``clamp``.

    >>> import minigrad
    >>> minigrad.tensor([-1., 0.5, 2.]).clamp_(0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
def clone(input: Tensor, *, memory_format: _memory_format | None = ...) -> Tensor:
    """Return a copy of ``input`` through which gradients flow.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.clone(minigrad.tensor([1, 2]))
    tensor([1, 2])
    """
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along the second dimension, as columns if they are vectors.

    >>> import minigrad
    >>> minigrad.column_stack([minigrad.tensor([1, 2]), minigrad.tensor([3, 4])])
    tensor([[1, 3],
            [2, 4]])
    """
def combinations(input: Tensor, r: builtins.int = 2, with_replacement: builtins.bool = False) -> Tensor:
    """Return all combinations of ``r`` elements of a vector, as the rows of a matrix; with or without replacement.

    >>> import minigrad
    >>> minigrad.combinations(minigrad.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Make complex numbers ``real + imag j`` from two floating-point tensors of the same dtype, which broadcast.

    >>> import minigrad
    >>> minigrad.complex(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([1.+2.j])
    """
def concat(tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """The same as ``cat``.

    >>> import minigrad
    >>> minigrad.concat([minigrad.tensor([1, 2]), minigrad.tensor([3])])
    tensor([1, 2, 3])
    """
def concatenate(tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: Any = None) -> Tensor:
    """The same as ``cat``.

    >>> import minigrad
    >>> minigrad.concatenate([minigrad.tensor([1, 2]), minigrad.tensor([3])])
    tensor([1, 2, 3])
    """
def conj(input: Tensor) -> Tensor:
    """Return the conjugate of a complex tensor, as a view; a real tensor itself.

    Conjugation happens when the elements are read; see ``resolve_conj``.

    >>> import minigrad
    >>> z = minigrad.tensor([1 + 2j])
    >>> minigrad.conj(z)
    tensor([1.-2.j])
    >>> minigrad.conj(z).mul_(2).is_conj(), z
    (True, tensor([2.+4.j]))
    """
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the conjugate of a complex tensor in new memory; a real tensor itself.

    >>> import minigrad
    >>> minigrad.conj_physical(minigrad.tensor([1 + 2j]))
    tensor([1.-2.j])
    """
def conj_physical_(input: Tensor) -> Tensor:
    """In-place version of ``conj_physical``.

    >>> import minigrad
    >>> minigrad.tensor([1 + 2j]).conj_physical_()
    tensor([1.-2.j])
    """
def constant_pad_nd(input: Tensor, pad: Sequence[builtins.int], value: builtins.complex = 0) -> Tensor:
    """Pad ``input`` with ``value``: ``pad`` is (before, after) for the last dimension, then for the one before it, and so on.

    Negative widths crop. Raises RuntimeError for widths that do not fit.

    >>> import minigrad
    >>> minigrad.constant_pad_nd(minigrad.ones(2), (1, 0), 5.)
    tensor([5., 1., 1.])
    """
contiguous_format: memory_format
def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """Cross-correlate sequences with a kernel: ``(N, C, L)`` or ``(C, L)`` with ``(O, C / groups, K)``; ``padding`` may be "same" or "valid".

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv1d(minigrad.ones(1, 1, 4), minigrad.ones(1, 1, 3), padding="same")
    tensor([[[2., 3., 3., 2.]]])
    """
def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """Cross-correlate images with a kernel: ``(N, C, H, W)`` or ``(C, H, W)`` with ``(O, C / groups, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv2d(minigrad.ones(1, 1, 3, 3), minigrad.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str | builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> Tensor:
    """Cross-correlate volumes with a kernel: ``(N, C, D, H, W)`` or ``(C, D, H, W)`` with ``(O, C / groups, J, K, L)``; see ``conv1d``.

    >>> import minigrad
    >>> minigrad.conv3d(minigrad.ones(1, 1, 2, 2, 2), minigrad.ones(1, 1, 2, 2, 2)).flatten()
    tensor([8.])
    """
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: builtins.int = 0) -> Tensor:
    """Cross-correlate sequences with time first: ``(T, N, C)`` with ``(K, C, O)`` and a bias ``(O,)``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.conv_tbc(minigrad.ones(3, 1, 1), minigrad.ones(2, 1, 1), minigrad.zeros(1)).flatten()
    tensor([2., 2.])
    """
def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Apply the transpose (the gradient) of ``conv1d`` to sequences: ``(N, C, L)`` with ``(C, O / groups, K)``.

    Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.conv_transpose1d(minigrad.ones(1, 1, 2), minigrad.ones(1, 1, 2))
    tensor([[[1., 2., 1.]]])
    """
def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Apply the transpose of ``conv2d`` to images; see ``conv_transpose1d``.

    ``input`` is (N, C, H, W) or (C, H, W), ``weight`` (C, C_out
    groups, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose2d(minigrad.ones(1, 1, 1, 1), minigrad.ones(1, 1, 1, 2), stride=2)
    tensor([[[[1., 1.]]]])
    """
def conv_transpose3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> Tensor:
    """Apply the transpose of ``conv3d`` to volumes; see ``conv_transpose1d``.

    ``input`` is (N, C, D, H, W) or (C, D, H, W), ``weight`` (C, C_out
    groups, kD, kH, kW).

    >>> import minigrad
    >>> minigrad.conv_transpose3d(minigrad.ones(1, 1, 1, 1, 1), minigrad.ones(1, 1, 1, 1, 2)).flatten()
    tensor([1., 1.])
    """
def convolution(input: Tensor, weight: Tensor, bias: Tensor | None, stride: Sequence[builtins.int], padding: Sequence[builtins.int], dilation: Sequence[builtins.int], transposed: builtins.bool, output_padding: Sequence[builtins.int], groups: builtins.int) -> Tensor:
    """Compute the general convolution: ``(N, C, ...)`` with ``(O, C / groups, ...)`` or, transposed, ``(C, O / groups, ...)``.

    All other convolutions are special cases of it. Raises RuntimeError for sizes, dtypes and numbers that do not fit.

    >>> import minigrad
    >>> x, w = minigrad.ones(1, 1, 3), minigrad.ones(1, 1, 2)
    >>> minigrad.convolution(x, w, None, [1], [0], [1], False, [0], 1)
    tensor([[[2., 2.]]])
    """
def copysign(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Compute ``|input|`` with the sign of ``other``, a tensor or a number; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.copysign(minigrad.tensor([1., -2.]), -0.)
    tensor([-1., -2.])
    """
def corrcoef(input: Tensor) -> Tensor:
    """Return the correlation matrix of the rows of ``input``, whose columns are observations: ``cov`` scaled to ones on the diagonal.

    >>> import minigrad
    >>> minigrad.corrcoef(minigrad.tensor([[1., 2., 3.], [3., 2., 1.]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine of each element: z = cos x;   dz/dx = -sin x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.cos(minigrad.tensor([0., 1.]))
    tensor([1.0000, 0.5403])
    """
def cos_(input: Tensor) -> Tensor:
    """In-place version of ``cos``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.cos_() is x
    True
    """
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine of each element: z = cosh x;   dz/dx = sinh x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.cosh(minigrad.tensor([0., 1.]))
    tensor([1.0000, 1.5431])
    """
def cosh_(input: Tensor) -> Tensor:
    """In-place version of ``cosh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.cosh_() is x
    True
    """
def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: builtins.float = ..., reduction: builtins.int = 0) -> Tensor:
    """Compute ``1 - cosine`` where ``target`` is 1, and ``max(cosine - margin, 0)`` where it is -1; reduced: ``(N, D), (N, D), (N) -> (N)``.

    >>> import minigrad
    >>> minigrad.cosine_embedding_loss(minigrad.ones(1, 2), minigrad.ones(1, 2), minigrad.ones(1))
    tensor([0.])
    """
def cosine_similarity(x1: Tensor, x2: Tensor, dim: builtins.int = 1, eps: builtins.float = ...) -> Tensor:
    """Return the cosine of the angle between ``x1`` and ``x2`` along ``dim``, with each norm at least ``eps``.

    >>> import minigrad
    >>> minigrad.cosine_similarity(minigrad.tensor([[3., 4.]]), minigrad.tensor([[4., 3.]]))
    tensor([0.9600])
    """
def count_nonzero(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, **names: Any) -> Tensor:
    """Count the non-zero elements: of the whole tensor, or along ``dim``.

    >>> import minigrad
    >>> minigrad.count_nonzero(minigrad.tensor([[1, 0], [1, 1]]), dim=0)
    tensor([2, 1])
    """
def cov(input: Tensor, *, correction: builtins.int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
    """Return the covariance matrix of the rows of ``input``, whose columns are observations; a vector is one row.

    ``fweights`` (integers) says how often each observation occurs, ``aweights`` how much it counts. Divides by the sum of weights less
    ``correction``. Raises RuntimeError for bools, and for weights that do not fit.

    >>> import minigrad
    >>> minigrad.cov(minigrad.tensor([[1., 2., 3.], [3., 2., 1.]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
def cross(input: Tensor, other: Tensor, dim: builtins.int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return the cross product along ``dim``, by default the first dimension of size 3; see ``linalg.cross``.

    >>> import minigrad
    >>> minigrad.cross(minigrad.tensor([1., 0., 0.]), minigrad.tensor([0., 1., 0.]), dim=0)
    tensor([0., 0., 1.])
    """
def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor | Sequence[builtins.int], target_lengths: Tensor | Sequence[builtins.int], blank: builtins.int = 0, reduction: builtins.int = 0, zero_infinity: builtins.bool = False) -> Tensor:
    """Compute the connectionist temporal classification loss: minus the log-probability of ``targets``, summed over all alignments; reduced.

    ``log_probs`` is (T, N, C) or (T, C); ``targets`` is (N, S), or all label sequences concatenated; the lengths say how much of each
    sample is used. The mean is taken over the losses divided by their target lengths; ``zero_infinity`` replaces the infinite loss of
    impossible targets by 0. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> log_probs = minigrad.full((2, 1, 2), 0.5).log()
    >>> minigrad.ctc_loss(log_probs, minigrad.tensor([[1]]), (2,), (1,))
    tensor([0.2877])
    """
def cummax(input: Tensor, dim: builtins.int | None = None, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.cummax:
    """Return the cumulative maxima along ``dim``, and their indices: the last one among equals.

    >>> import minigrad
    >>> minigrad.cummax(minigrad.tensor([1., 3., 2.]), 0).values
    tensor([1., 3., 3.])
    """
def cummin(input: Tensor, dim: builtins.int | None = None, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.cummin:
    """Return the cumulative minima along ``dim``, and their indices: the last one among equals.

    >>> import minigrad
    >>> minigrad.cummin(minigrad.tensor([3., 1., 2.]), 0).values
    tensor([3., 1., 1.])
    """
def cumprod(input: Tensor, dim: builtins.int | None = None, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the cumulative products along ``dim``; integers and bools are multiplied in ``int64``.

    >>> import minigrad
    >>> minigrad.cumprod(minigrad.tensor([1., 2., 3.]), 0)
    tensor([1., 2., 6.])
    """
def cumsum(input: Tensor, dim: builtins.int | None = None, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the cumulative sums along ``dim``; integers and bools are summed in ``int64``.

    >>> import minigrad
    >>> minigrad.cumsum(minigrad.tensor([1., 2., 3.]), 0)
    tensor([1., 3., 6.])
    """
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: builtins.complex | None = None, dim: builtins.int = -1) -> Tensor:
    """Integrate samples ``y`` cumulatively along ``dim`` by the trapezoidal rule; the result has one element less than ``y``.

    >>> import minigrad
    >>> minigrad.cumulative_trapezoid(minigrad.tensor([1., 5., 10.]))
    tensor([ 3.0000, 10.5000])
    """
default_generator: Generator
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Degrees converted to radians: z = x π / 180.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.deg2rad(minigrad.tensor([0, 90, 180]))
    tensor([0.0000, 1.5708, 3.1416])
    """
def deg2rad_(input: Tensor) -> Tensor:
    """In-place version of ``deg2rad``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.deg2rad_() is x
    True
    """
def dequantize(input: Tensor) -> Tensor:
    """Return the tensor in float32: minigrad has no quantised tensors, for which PyTorch's function would return the numbers that they stand for.

    >>> import minigrad
    >>> minigrad.dequantize(minigrad.tensor([1, 2]))
    tensor([1., 2.])
    """
def det(input: Tensor) -> Tensor:
    """Return the determinants of square matrices ``(..., n, n) -> (...)``, as ``linalg.det``.

    >>> import minigrad
    >>> minigrad.det(minigrad.tensor([[2., 0.], [0., 3.]]))
    tensor(6.)
    """
def detach(input: Tensor) -> Tensor:
    """Return a view without gradient history: ``input.detach()``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.detach(minigrad.ones(2, requires_grad=True))
    tensor([1., 1.])
    """
def detach_(input: Tensor) -> Tensor:
    """Forget the gradient history of the tensor itself: ``input.detach_()``; raise RuntimeError for a view.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.detach_(minigrad.ones(2, requires_grad=True) * 2)
    tensor([2., 2.])
    """
def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return a copy. Its derivative is not implemented, as in PyTorch: ``backward`` raises an error.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.detach_copy(minigrad.ones(2))
    tensor([1., 1.])
    """
from ._base.device import device as device
def diag(input: Tensor, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return a matrix with a vector on its diagonal, or a copy of a matrix's diagonal; a positive ``diagonal`` lies above the main one.

    Raises RuntimeError for other than one or two dimensions.

    >>> import minigrad
    >>> minigrad.diag(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
def diag_embed(input: Tensor, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> Tensor:
    """Return zeros with the last dimension of ``input`` on the diagonals of matrices that two new dimensions span.

    Raises RuntimeError if they are the same, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.diag_embed(minigrad.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
def diagflat(input: Tensor, offset: builtins.int = 0) -> Tensor:
    """Return a matrix with all elements of ``input`` on its diagonal.

    >>> import minigrad
    >>> minigrad.diagflat(minigrad.tensor([[1], [2]]))
    tensor([[1, 0],
            [0, 2]])
    """
def diagonal(input: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
    """Return a view of the diagonals of the matrices that two dimensions span, as the last dimension; a positive ``offset`` lies above the
    main one.

    Raises RuntimeError if the dimensions are the same, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.diagonal(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
def diagonal_copy(input: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``diagonal`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.diagonal_copy(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
def diagonal_scatter(input: Tensor, src: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
    """Return a copy of ``input`` with ``src`` on its diagonals; raises RuntimeError if the shape does not fit.

    >>> import minigrad
    >>> minigrad.diagonal_scatter(minigrad.zeros(2, 2), minigrad.ones(2))
    tensor([[1., 0.],
            [0., 1.]])
    """
def diff(input: Tensor, n: builtins.int = 1, dim: builtins.int = -1, prepend: Tensor | None = None, append: Tensor | None = None, *, out: Tensor | None = None, axis: Any = None) -> Tensor:
    """Return the n-th differences of neighbouring elements along ``dim``, after ``prepend`` and ``append`` are joined on; XOR for bools.

    >>> import minigrad
    >>> minigrad.diff(minigrad.tensor([1., 4., 9.]))
    tensor([3., 5.])
    """
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The digamma function of each element: z = d/dx log |Γ(x)|;   dz/dx = polygamma(1, x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.digamma(minigrad.tensor([1., 2.]))
    tensor([-0.5772,  0.4228])
    """
def dist(input: Tensor, other: Tensor, p: builtins.complex = 2) -> Tensor:
    """Return the ``p``-norm of ``input - other``, over all elements.

    >>> import minigrad
    >>> minigrad.dist(minigrad.tensor([1., 2.]), minigrad.tensor([4., 6.]))
    tensor(5.)
    """
def div(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *, rounding_mode: builtins.str | None = None, out: Tensor | None = None) -> Tensor:
    """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers unless ``rounding_mode`` is "trunc" or "floor".

    >>> import minigrad
    >>> minigrad.div(minigrad.tensor([7, -7]), 2)
    tensor([ 3.5000, -3.5000])
    >>> minigrad.div(minigrad.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4])
    """
def divide(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *, rounding_mode: builtins.str | None = None, out: Tensor | None = None) -> Tensor:
    """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers unless ``rounding_mode`` is "trunc" or "floor".

    >>> import minigrad
    >>> minigrad.div(minigrad.tensor([7, -7]), 2)
    tensor([ 3.5000, -3.5000])
    >>> minigrad.div(minigrad.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4])
    """
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the dot product of two vectors.

    >>> import minigrad
    >>> minigrad.dot(minigrad.tensor([1., 2.]), minigrad.tensor([3., 4.]))
    tensor(11.)
    """
def dropout(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """Set elements to zero with probability ``p``, and scale the others by ``1 / (1 - p)``; return ``input`` itself unless ``train``.

    Raises RuntimeError if ``p`` is not a probability.

    >>> import minigrad
    >>> minigrad.dropout(minigrad.ones(2), 0.5, False)
    tensor([1., 1.])
    """
def dropout_(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """In-place version of ``dropout``.

    >>> import minigrad
    >>> minigrad.dropout_(minigrad.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
def dsplit(input: Tensor, indices_or_sections: Any = None, *, indices: builtins.int | Sequence[builtins.int] | None = None, sections: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
    """Split along the third dimension with ``tensor_split``; a number of sections must divide its size.

    >>> import minigrad
    >>> minigrad.dsplit(minigrad.arange(4).reshape(1, 2, 2), 2)[0].shape
    torch.Size([1, 2, 1])
    """
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along the third dimension.

    >>> import minigrad
    >>> minigrad.dstack([minigrad.tensor([1]), minigrad.tensor([2])])
    tensor([[[1, 2]]])
    """
from ._base.dtypes import dtype as dtype
def eig(self: Any, eigenvectors: Any = False, *, e: Any = None, v: Any = None) -> Tensor:
    """Raise RuntimeError: removed in favour of ``linalg.eig``.

    >>> import minigrad
    >>> minigrad.eig(minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
def einsum(*args: Any) -> Tensor:
    """Sum products of operands over dimensions named by letters, such as ``einsum("ij,jk->ik", x, y)``.

    ``...`` stands for any dimensions; a letter twice in one operand takes the diagonal; without ``->`` the result has the letters that
    occur once, in alphabetical order. Instead of a string, each operand may be followed by a list of numbers that name its dimensions.
    More than two operands are multiplied from left to right, or in the order that ``opt_einsum`` finds if it is installed (see
    ``backends.opt_einsum``).

    >>> import minigrad
    >>> minigrad.einsum("ij,ij->i", minigrad.ones(2, 3), minigrad.ones(2, 3))
    tensor([3., 3.])
    """
def embedding(weight: Tensor, indices: Tensor, padding_idx: builtins.int = -1, scale_grad_by_freq: builtins.bool = False, sparse: builtins.bool = False) -> Tensor:
    """Look up rows of ``weight`` at ``indices``: (N, D), (...) -> (..., D); the row ``padding_idx`` gets no gradient.

    ``scale_grad_by_freq`` divides a row's gradient by the number of times it is looked up. Raises IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.embedding(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([1, 1]))
    tensor([[3., 4.],
            [3., 4.]])
    """
def embedding_bag(weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: builtins.bool = False, mode: builtins.int = 0, sparse: builtins.bool = False, per_sample_weights: Tensor | None = None, include_last_offset: builtins.bool = False, padding_idx: builtins.int | None = None) -> Tensor:
    """Reduce bags of rows of ``weight`` at ``indices``, which begin at ``offsets``, by their sum (``mode`` 0), mean (1) or maximum (2).

    Also returns the bag of each index, the sizes of the bags, and the indices of the maxima. Raises RuntimeError for offsets that do not
    fit, and for an index out of range.

    >>> import minigrad
    >>> minigrad.embedding_bag(minigrad.tensor([[1.], [2.]]), minigrad.tensor([0, 1, 1]), minigrad.tensor([0, 1]))[0]
    tensor([[1.],
            [4.]])
    """
def embedding_renorm_(input: Tensor, indices: Tensor, max_norm: builtins.float, norm_type: builtins.float) -> Tensor:
    """Scale down, in place, those rows of ``input`` at ``indices`` whose norm exceeds ``max_norm``.

    >>> import minigrad
    >>> minigrad.embedding_renorm_(minigrad.tensor([[3., 4.]]), minigrad.tensor([0]), 1., 2.)
    tensor([[0.6000, 0.8000]])
    """
def empty(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False, memory_format: _memory_format | None = None, **named: Any) -> Tensor:
    """Return a tensor with uninitialised elements.

    >>> import minigrad
    >>> minigrad.empty(2, 3).shape
    torch.Size([2, 3])
    """
def empty_like(input: Tensor, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False, memory_format: _memory_format | None = ...) -> Tensor:
    """Return an uninitialised tensor of the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.empty_like(minigrad.ones(2, 3)).shape
    torch.Size([2, 3])
    """
def empty_permuted(size: Sequence[builtins.int], physical_layout: Sequence[builtins.int], *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return a dense, uninitialised tensor of ``size`` whose dimensions lie in memory in the order ``physical_layout``, outermost first.

    >>> import minigrad
    >>> minigrad.empty_permuted((2, 3, 4), (2, 0, 1)).stride()
    (3, 1, 6)
    """
def empty_strided(size: Sequence[builtins.int], stride: Sequence[builtins.int], *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return a tensor of ``size`` and ``stride`` with uninitialised elements.

    >>> import minigrad
    >>> minigrad.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
from .autograd.grad_mode import enable_grad as enable_grad
def eq(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x == y, elementwise; nan equals nothing.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.eq(minigrad.tensor([1., float("nan")]), minigrad.tensor([1., float("nan")]))
    tensor([ True, False])
    """
def equal(input: Tensor, other: Tensor) -> builtins.bool:
    """Return whether two tensors have the same shape and elements, as a Python bool.

    >>> import minigrad
    >>> minigrad.equal(minigrad.tensor([1, 2]), minigrad.tensor([1, 2]))
    True
    """
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function of each element: z = 2/√π times the integral of exp(-t²) from 0 to x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.erf(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.8427,  0.0000,  1.0000])
    """
def erf_(input: Tensor) -> Tensor:
    """In-place version of ``erf``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.erf_() is x
    True
    """
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complementary error function of each element: z = 1 - erf x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.erfc(minigrad.tensor([-1., 0., 5.]))
    tensor([1.8427e+00, 1.0000e+00, 1.5375e-12])
    """
def erfc_(input: Tensor) -> Tensor:
    """In-place version of ``erfc``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.erfc_() is x
    True
    """
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse error function of each element: z = the number whose erf is x;   dz/dx = √π/2 exp(z²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.erfinv(minigrad.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.4769,    inf])
    """
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The exponential of each element: z = eˣ;   dz/dx = z.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.exp(minigrad.tensor([0, 1, 2]))
    tensor([1.0000, 2.7183, 7.3891])
    """
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Two to the power of each element: z = 2ˣ;   dz/dx = z log 2.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.exp2(minigrad.tensor([0., 3., -1.]))
    tensor([1.0000, 8.0000, 0.5000])
    """
def exp2_(input: Tensor) -> Tensor:
    """In-place version of ``exp2``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.exp2_() is x
    True
    """
def exp_(input: Tensor) -> Tensor:
    """In-place version of ``exp``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.exp_() is x
    True
    """
def expand_copy(input: Tensor, *sizes: builtins.int | Sequence[builtins.int], size: Sequence[builtins.int] | None = None, out: Tensor | None = None) -> Tensor:
    """Return the result of ``expand`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.expand_copy(minigrad.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The exponential of each element minus one: z = eˣ - 1, exact near 0;   dz/dx = z + 1.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.expm1(minigrad.tensor([0., 1e-10]))
    tensor([0.0000e+00, 1.0000e-10])
    """
def expm1_(input: Tensor) -> Tensor:
    """In-place version of ``expm1``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.expm1_() is x
    True
    """
def eye(n: builtins.int, m: builtins.int | None = None, *, out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return a matrix (n, m) with ones on its diagonal and zeros elsewhere; m is n by default.

    >>> import minigrad
    >>> minigrad.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
def fake_quantize_per_channel_affine(input: Tensor, scale: Any, zero_point: Any, axis: Any, quant_min: Any, quant_max: Any) -> Tensor:
    """``fake_quantize_per_tensor_affine`` with a scale and a zero point for each index along ``axis``.

    ``scale`` is a 1-D tensor of dtype float32 or bfloat16, ``zero_point`` one of the same size, of int32 or of floating numbers, which are
    added before rounding. Raises RuntimeError for sizes that do not fit, limits in the wrong order, and zero points outside of them.

    >>> import minigrad
    >>> scale, zero_point = minigrad.tensor([0.5, 2.]), minigrad.tensor([0, 0], dtype=minigrad.int32)
    >>> minigrad.fake_quantize_per_channel_affine(minigrad.tensor([0.7, 0.7]), scale, zero_point, 0, -4, 4)
    tensor([0.5000, 0.0000])
    """
def fake_quantize_per_tensor_affine(input: Tensor, scale: Any, zero_point: Any, quant_min: Any, quant_max: Any) -> Tensor:
    """Round the elements to multiples of ``scale`` and clamp them to those from ``quant_min`` to ``quant_max`` around ``zero_point``.

    ``scale`` and ``zero_point`` are two numbers, or two tensors of one element. The result has the shape and dtype of ``input``, and gradients
    pass unchanged where nothing was clamped. Raises RuntimeError for limits in the wrong order, NotImplementedError for integers.

    >>> import minigrad
    >>> minigrad.fake_quantize_per_tensor_affine(minigrad.tensor([0.1, 0.7, 9.]), 0.5, 0, -4, 4)
    tensor([0.0000, 0.5000, 2.0000])
    """
def feature_alpha_dropout(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """Apply ``alpha_dropout`` to whole channels of ``(N, C, ...)``.

    >>> import minigrad
    >>> minigrad.feature_alpha_dropout(minigrad.ones(1, 3, 2), 0.5, True).shape
    torch.Size([1, 3, 2])
    """
def feature_alpha_dropout_(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """In-place version of ``feature_alpha_dropout``.

    >>> import minigrad
    >>> minigrad.feature_alpha_dropout_(minigrad.ones(1, 1, 2), 0.5, train=False)
    tensor([[[1., 1.]]])
    """
def feature_dropout(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """Apply ``dropout`` to whole channels of ``(N, C, ...)``.

    >>> import minigrad
    >>> x = minigrad.feature_dropout(minigrad.ones(1, 9, 2), 0.5, True)
    >>> (x[..., 0] == x[..., 1]).all()
    tensor(True)
    """
def feature_dropout_(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """In-place version of ``feature_dropout``.

    >>> import minigrad
    >>> minigrad.feature_dropout_(minigrad.ones(1, 1, 2), 0.5, train=False)
    tensor([[[1., 1.]]])
    """
def fill(input: Tensor, value: Tensor | builtins.complex) -> Tensor:
    """Return a tensor like ``input`` with every element set to ``value``, a number or a 0-dim tensor.

    >>> import minigrad
    >>> minigrad.fill(minigrad.zeros(2), 7)
    tensor([7., 7.])
    """
def fill_(input: Tensor, value: Tensor | builtins.complex) -> Tensor:
    """Set every element to ``value``, a number or a 0-dim tensor; return the tensor.

    >>> import minigrad
    >>> minigrad.zeros(2).fill_(7)
    tensor([7., 7.])
    """
from ._base.limits import finfo as finfo
def fix(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded towards zero: z = x without its fraction.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.trunc(minigrad.tensor([-1.5, 1.5]))
    tensor([-1.,  1.])
    """
def fix_(input: Tensor) -> Tensor:
    """In-place version of ``trunc``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.trunc_() is x
    True
    """
def flatten(input: Tensor, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
    """Merge the dimensions ``start_dim`` to ``end_dim`` into one: ``input`` itself, a view or a copy, as the memory allows.

    Raises RuntimeError if ``start_dim`` comes after ``end_dim``, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.flatten(minigrad.zeros(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
def flip(input: Tensor, dims: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Return a copy with the order of elements reversed along the given dimensions.

    Raises IndexError for a dimension out of range, RuntimeError for one named twice.

    >>> import minigrad
    >>> minigrad.flip(minigrad.tensor([[1, 2], [3, 4]]), (0,))
    tensor([[3, 4],
            [1, 2]])
    """
def fliplr(input: Tensor) -> Tensor:
    """Return a copy with the second dimension reversed; raise RuntimeError if there is none.

    >>> import minigrad
    >>> minigrad.fliplr(minigrad.tensor([[1, 2]]))
    tensor([[2, 1]])
    """
def flipud(input: Tensor) -> Tensor:
    """Return a copy with the first dimension reversed; raise RuntimeError if there is none.

    >>> import minigrad
    >>> minigrad.flipud(minigrad.tensor([1, 2]))
    tensor([2, 1])
    """
def float_power(input: Tensor, exponent: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Raise ``input`` to the power ``exponent`` in float64 (complex128 for complex operands).

    >>> import minigrad
    >>> minigrad.float_power(minigrad.tensor([1, 2, 3]), 2)
    tensor([1., 4., 9.], dtype=torch.float64)
    """
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded down: z = the greatest integer not above x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.floor(minigrad.tensor([-1.5, 1.5]))
    tensor([-2.,  1.])
    """
def floor_(input: Tensor) -> Tensor:
    """In-place version of ``floor``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.floor_() is x
    True
    """
def floor_divide(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Division rounded down to an integer: z = x / y rounded down.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.floor_divide(minigrad.tensor([7., -7.]), 2)
    tensor([ 3., -4.])
    """
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The maximum of two tensors that ignores nan, element by element: z = the greater of x and y, or the one that is no nan; of equal ones x takes the gradient.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.fmax(minigrad.tensor([1., float("nan")]), minigrad.tensor([2., 3.]))
    tensor([2., 3.])
    """
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The minimum of two tensors that ignores nan, element by element: z = the less of x and y, or the one that is no nan; of equal ones x takes the gradient.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.fmin(minigrad.tensor([1., float("nan")]), minigrad.tensor([2., 3.]))
    tensor([1., 3.])
    """
def fmod(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Compute ``input - trunc(input / other) * other``, elementwise, with the sign of ``input``, like C's ``fmod``.

    Raises RuntimeError where integers are divided by zero.

    >>> import minigrad
    >>> minigrad.fmod(minigrad.tensor([-3., 3.]), 2)
    tensor([-1.,  1.])
    """
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The fractional part of each element: z = x - trunc x, with x's sign.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.frac(minigrad.tensor([-1.5, 1.25]))
    tensor([-0.5000,  0.2500])
    """
def frac_(input: Tensor) -> Tensor:
    """In-place version of ``frac``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.frac_() is x
    True
    """
def frexp(input: Tensor, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.frexp:
    """Return (mantissa, exponent) such that ``input == mantissa * 2 ** exponent`` and |mantissa| in [0.5, 1), for floating tensors.

    >>> import minigrad
    >>> minigrad.frexp(minigrad.tensor([8.])).exponent
    tensor([4], dtype=torch.int32)
    """
def frobenius_norm(input: Tensor, dim: builtins.int | Sequence[builtins.int], keepdim: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return ``linalg.vector_norm`` with ``ord=2``, along at most two dimensions; deprecated.

    >>> import minigrad
    >>> minigrad.frobenius_norm(minigrad.tensor([[3., 4.]]), dim=(0, 1))
    tensor(5.)
    """
def from_dlpack(ext_tensor: Any, *, device: _Device = None, copy: Any = None) -> Tensor:
    """Make a tensor over the memory of a CPU tensor or array with ``__dlpack__``, or of a capsule; copy it if ``copy``.

    Shape and dtype are those of the memory. Raises RuntimeError for a capsule that was consumed before, BufferError for memory that
    tensors cannot represent, AssertionError for other devices.

    >>> import minigrad, numpy
    >>> minigrad.from_dlpack(numpy.ones(2))
    tensor([1., 1.], dtype=torch.float64)
    """
def from_file(filename: builtins.str, shared: builtins.bool | None = None, size: builtins.int | None = 0, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return a tensor of ``size`` elements of ``dtype`` whose memory is a mapped file, so that opening a large file takes no longer than a
    small one.

    If ``shared``, writes to the tensor reach the file, and a file that is missing or too short is extended with zeros. Otherwise the file
    stays as it is. ``size=0`` touches no file.

    Raises RuntimeError if the file cannot be opened or mapped, or is too short.

    >>> import minigrad, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "weights")
    ...     x = minigrad.from_file(path, shared=True, size=3).fill_(2)
    ...     minigrad.from_file(path, size=3)
    tensor([2., 2., 2.])
    """
def from_numpy(ndarray: Any) -> Tensor:
    """Make a tensor that shares an array's memory.

    Raises TypeError for a dtype that tensors do not have, ValueError for negative strides or foreign byte order.

    >>> import minigrad, numpy
    >>> minigrad.from_numpy(numpy.arange(3))
    tensor([0, 1, 2])
    """
def frombuffer(buffer: Any, *, dtype: _dtype, count: builtins.int = -1, offset: builtins.int = 0, requires_grad: builtins.bool = False) -> Tensor:
    """Make a 1-dim tensor over the memory of an object with Python's buffer interface.

    >>> import minigrad
    >>> minigrad.frombuffer(bytearray([1, 0, 2, 0]), dtype=minigrad.int16)
    tensor([1, 2], dtype=torch.int16)
    """
def full(size: Sequence[builtins.int], fill_value: builtins.complex, *, out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return a tensor of ``size`` filled with a number, whose type determines the dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.full((2,), 7)
    tensor([7, 7])
    """
def full_like(input: Tensor, fill_value: builtins.complex, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False, memory_format: _memory_format | None = ...) -> Tensor:
    """Return a tensor of the shape, dtype and memory order of ``input``, filled with a number.

    >>> import minigrad
    >>> minigrad.full_like(minigrad.tensor([1., 2.]), 7)
    tensor([7., 7.])
    """
def gather(input: Tensor, dim: builtins.int | None = None, index: Tensor | None = None, *, sparse_grad: builtins.bool = False, out: Tensor | None = None, axis: Any = None) -> Tensor:
    """Pick the elements of ``input`` at ``index`` along a dimension; the result has the shape of ``index``.

    ``index`` (int32 or int64) may be smaller than ``input`` in the other dimensions. With ``sparse_grad``, the gradient of a leaf is
    sparse. Raises RuntimeError for an index out of range.

    >>> import minigrad
    >>> minigrad.gather(minigrad.tensor([[1, 2], [3, 4]]), 1, minigrad.tensor([[0], [1]]))
    tensor([[1],
            [4]])
    """
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor of two integers, never negative.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.gcd(minigrad.tensor([12, -8]), minigrad.tensor([18, 12]))
    tensor([6, 4])
    """
def gcd_(input: Tensor, other: Tensor) -> Tensor:
    """In-place version of ``gcd``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([1, 2])
    >>> x.gcd_(x) is x
    True
    """
def ge(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x >= y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.ge(minigrad.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True])
    """
def geqrf(input: Tensor, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.geqrf:
    """Return R with the vectors of Householder reflections below it, and their factors, as ``linalg.householder_product`` takes them.

    >>> import minigrad
    >>> minigrad.geqrf(minigrad.tensor([[3.], [4.]])).a
    tensor([[-5.0000],
            [ 0.5000]])
    """
def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the outer product of two vectors: ``(n,), (m,) -> (n, m)``.

    >>> import minigrad
    >>> minigrad.outer(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
def get_default_device() -> _device:
    """Return the device of new tensors in this thread: the CPU, unless a ``with device(...)`` block or ``set_default_device`` says otherwise.

    >>> import minigrad
    >>> minigrad.get_default_device()
    device(type='cpu')
    """
def get_default_dtype() -> _dtype:
    """Return the dtype of tensors made from Python floats, initially ``float32``.

    >>> import minigrad
    >>> minigrad.get_default_dtype()
    torch.float32
    """
def get_deterministic_debug_mode() -> builtins.int:
    """Return the mode as a number; see ``set_deterministic_debug_mode``.

    >>> import minigrad
    >>> minigrad.get_deterministic_debug_mode()
    0
    """
def get_device(input: Tensor) -> builtins.int:
    """Return the index of the tensor's device: -1 for the CPU.

    >>> import minigrad
    >>> minigrad.get_device(minigrad.ones(2))
    -1
    """
def get_float32_matmul_precision() -> builtins.str:
    """Return the precision that was set for products of float32 matrices.

    >>> import minigrad
    >>> minigrad.get_float32_matmul_precision()
    'highest'
    """
def get_num_interop_threads() -> builtins.int:
    """Return the number of threads that may run operators at the same time: 1, unless the program has set another.

    >>> import minigrad
    >>> minigrad.get_num_interop_threads()
    1
    """
def get_rng_state() -> Tensor:
    """Return the state of the default generator, a uint8 tensor.

    >>> import minigrad
    >>> minigrad.get_rng_state().dtype
    torch.uint8
    """
def gradient(input: Tensor, *, spacing: Any = 1, dim: builtins.int | Sequence[builtins.int] | None = None, edge_order: builtins.int = 1) -> builtins.tuple[Tensor, ...]:
    """Estimate the derivatives along each dimension (or those in ``dim``) by central differences; at the edges, by one-sided ones.

    ``spacing`` is a number, a list of numbers, or a list of tensors with the coordinates. With ``edge_order=2`` the estimates at the
    edges are exact for parabolas.

    >>> import minigrad
    >>> minigrad.gradient(minigrad.tensor([1., 4., 9., 16.]))
    (tensor([3., 4., 6., 7.]),)
    """
def greater(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x > y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.gt(minigrad.tensor([1, 2, 3]), 2)
    tensor([False, False,  True])
    """
def greater_equal(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x >= y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.ge(minigrad.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True])
    """
def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: builtins.int, padding_mode: builtins.int, align_corners: builtins.bool) -> Tensor:
    """Sample images at points, as ``nn.functional.grid_sample`` does, with numbers for the modes.

    Bilinear is 0, nearest 1, bicubic 2; zeros 0, border 1, reflection 2. The shapes are those of ``grid_sample``.

    >>> import minigrad
    >>> x, grid = minigrad.tensor([[[[1., 3.]]]]), minigrad.zeros(1, 1, 1, 2)
    >>> minigrad.grid_sampler(x, grid, 0, 0, False)
    tensor([[[[2.]]]])
    """
def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: builtins.int, padding_mode: builtins.int, align_corners: builtins.bool) -> Tensor:
    """Sample images ``(N, C, H, W)`` at points, as ``grid_sampler`` does.

    >>> import minigrad
    >>> minigrad.grid_sampler_2d(minigrad.ones(1, 1, 2, 2), minigrad.zeros(1, 1, 1, 2), 0, 0, True).flatten()
    tensor([1.])
    """
def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: builtins.int, padding_mode: builtins.int, align_corners: builtins.bool) -> Tensor:
    """Sample volumes ``(N, C, D, H, W)`` at points, as ``grid_sampler`` does.

    >>> import minigrad
    >>> minigrad.grid_sampler_3d(minigrad.ones(1, 1, 2, 2, 2), minigrad.zeros(1, 1, 1, 1, 3), 0, 0, True).flatten()
    tensor([1.])
    """
def group_norm(input: Tensor, num_groups: builtins.int, weight: Tensor | None = None, bias: Tensor | None = None, eps: builtins.float = ..., cudnn_enabled: builtins.bool = True) -> Tensor:
    """Normalise each of ``num_groups`` groups of channels of (N, C, ...): ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.group_norm(minigrad.tensor([[1., 3.]]), 1, eps=0.)
    tensor([[-1.,  1.]])
    """
def gru(*args: Any, **named: Any) -> builtins.tuple[Tensor, Tensor]:
    """Apply layers of gated recurrent units to sequences; the function behind ``nn.GRU``. Its arguments are those of ``lstm``, with one state.

    ``input`` is (T, N, F), or (N, T, F) with ``batch_first``; returns the outputs and the last states.

    >>> import minigrad
    >>> weights = [minigrad.zeros(6, 3), minigrad.zeros(6, 2)]
    >>> output, h = minigrad.gru(minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]))
    """
def gru_cell(input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> Tensor:
    """Compute one step of a gated recurrent unit: ``(N, X), (N, H) -> (N, H)``; raise RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.gru_cell(minigrad.ones(1, 3), minigrad.zeros(1, 2), minigrad.zeros(6, 3), minigrad.zeros(6, 2))
    tensor([[0., 0.]])
    """
def gt(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x > y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.gt(minigrad.tensor([1, 2, 3]), 2)
    tensor([False, False,  True])
    """
def hamming_window(window_length: builtins.int, periodic: builtins.bool = True, alpha: builtins.float = ..., beta: builtins.float = ..., *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the window ``alpha - beta cos(2πt)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
def hann_window(window_length: builtins.int, periodic: builtins.bool = True, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the window ``0.5 - 0.5 cos(2πt)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
def hardshrink(input: Tensor, lambd: builtins.complex = ..., *, out: Tensor | None = None) -> Tensor:
    """Set elements within [``-lambd``, ``lambd``] to zero, and keep the others.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.hardshrink(minigrad.tensor([-1., 0.2, 0.7]))
    tensor([-1.0000,  0.0000,  0.7000])
    """
def hash_tensor(input: Tensor, dim: builtins.int | Sequence[builtins.int] = ..., *, keepdim: builtins.bool = False, mode: builtins.int = 0, out: Tensor | None = None) -> Tensor:
    """Return the XOR of the elements' bits, over all or along ``dim``, as uint64.

    Floats count as float64, integers as int64. Raises RuntimeError for a ``mode`` other than 0 and if there is nothing to reduce.

    >>> import minigrad
    >>> minigrad.hash_tensor(minigrad.tensor([1, 2, 4])).item()
    7
    """
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return 0 where ``input`` is negative, 1 where it is positive, and ``values`` where it is zero; not differentiable.

    Shapes broadcast; both must have the same dtype, which is the result's.

    >>> import minigrad
    >>> minigrad.heaviside(minigrad.tensor([-1., 0., 2.]), minigrad.tensor([0.5]))
    tensor([0.0000, 0.5000, 1.0000])
    """
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: builtins.float = ..., reduction: builtins.int = 0) -> Tensor:
    """Compute ``input`` where ``target`` is 1, and ``max(margin - input, 0)`` where it is -1; reduced.

    The result is a 0-dim tensor, or has the common shape without reduction.

    >>> import minigrad
    >>> minigrad.hinge_embedding_loss(minigrad.tensor([2., 0.25]), minigrad.tensor([1., -1.]))
    tensor([2.0000, 0.7500])
    """
def histc(input: Tensor, bins: builtins.int = 100, min: builtins.complex = 0, max: builtins.complex = 0, *, out: Tensor | None = None) -> Tensor:
    """Count the elements in each of ``bins`` equal bins from ``min`` to ``max``, or over the range of the data if both are equal.

    >>> import minigrad
    >>> minigrad.histc(minigrad.tensor([1., 2., 1.]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
def histogram(input: Tensor, bins: Tensor | builtins.int = 100, *, range: Any = None, weight: Tensor | None = None, density: builtins.bool = False, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.histogram:
    """Count the elements between ``bins`` equally spaced edges, or between given edges; return the counts and the edges.

    ``weight`` counts each element by its weight; with ``density`` the histogram integrates to 1.

    >>> import minigrad
    >>> minigrad.histogram(minigrad.tensor([1., 2., 1.]), bins=4, range=(0., 3.)).hist
    tensor([0., 2., 1., 0.])
    """
def histogramdd(input: Tensor, bins: Sequence[Tensor] | builtins.int | Sequence[builtins.int], range: Any = None, weight: Tensor | None = None, density: builtins.bool = False) -> _named_results.histogramdd:
    """Count points in bins, as ``histogram`` does; the last dimension holds their coordinates.

    ``bins`` is a number, or numbers or edges for each dimension.

    >>> import minigrad
    >>> minigrad.histogramdd(minigrad.tensor([[0., 1.], [1., 0.]]), bins=2).hist
    tensor([[0., 1.],
            [1., 0.]])
    """
def hsplit(input: Tensor, indices_or_sections: Any = None, *, indices: builtins.int | Sequence[builtins.int] | None = None, sections: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
    """Split along the second dimension (of a vector, the first) with ``tensor_split``; a number of sections must divide its size.

    >>> import minigrad
    >>> minigrad.hsplit(minigrad.arange(4).reshape(1, 2, 2), 2)[0].shape
    torch.Size([1, 1, 2])
    """
def hspmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply a sparse matrix by a dense one; the result is a hybrid sparse tensor of the rows that the first has.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.hspmm(a, minigrad.tensor([[1.], [10.]])).values()
    tensor([[20.]])
    """
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along the second dimension, vectors along the first.

    >>> import minigrad
    >>> minigrad.hstack([minigrad.tensor([1]), minigrad.tensor([2])])
    tensor([1, 2])
    """
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The length of the hypotenuse of a right triangle: z = √(x² + y²).

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.hypot(minigrad.tensor([3., 5.]), minigrad.tensor([4., 12.]))
    tensor([ 5., 13.])
    """
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0: z = I₀(x);   dz/dx = I₁(x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.i0(minigrad.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
def i0_(input: Tensor) -> Tensor:
    """In-place version of ``i0``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.i0_() is x
    True
    """
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The regularised lower incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from 0 to y;   dz/dy = yˣ⁻¹ e⁻ʸ / Γ(x).

    Needs SciPy.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.igamma(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([0.8647])
    """
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The regularised upper incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from y on;   dz/dy = -yˣ⁻¹ e⁻ʸ / Γ(x).

    Needs SciPy.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.igammac(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([0.1353])
    """
from ._base.limits import iinfo as iinfo
def imag(input: Tensor) -> Tensor:
    """Return a view of the imaginary part of a complex tensor.

    Raises RuntimeError for a real tensor.

    >>> import minigrad
    >>> minigrad.imag(minigrad.tensor([1 + 2j]))
    tensor([2.])
    """
def index_add(input: Tensor, dim: builtins.int, index: Tensor, source: Tensor, *, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Return a copy of ``input`` with ``alpha`` times the slices of ``source`` added at ``index`` along a dimension.

    Raises RuntimeError if sizes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.index_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
    tensor([3., 0., 0.])
    """
def index_copy(input: Tensor, dim: builtins.int, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return a copy of ``input`` with the slices of ``source`` at ``index`` (int64) along a dimension.

    Raises RuntimeError if shapes or dtypes do not fit, IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.index_copy(minigrad.zeros(3), 0, minigrad.tensor([2]), minigrad.tensor([7.]))
    tensor([0., 0., 7.])
    """
def index_fill(input: Tensor, dim: builtins.int, index: Tensor, value: Tensor | builtins.complex) -> Tensor:
    """Return a copy of ``input`` with ``value``, a number or 0-dim tensor, in the slices at ``index`` (int64) along a dimension.

    Raises IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.index_fill(minigrad.tensor([1, 2, 3]), 0, minigrad.tensor([0, -1]), 9)
    tensor([9, 2, 9])
    """
def index_put(input: Tensor, indices: Sequence[Tensor] | None, values: Tensor, accumulate: builtins.bool = False) -> Tensor:
    """Return a copy of ``input`` with ``values``, broadcast, written (or with ``accumulate`` added) at ``indices``, a tuple of index tensors
    or masks.

    Raises RuntimeError if dtypes differ or shapes do not fit, IndexError for an index out of range.

    >>> import minigrad
    >>> x, i = minigrad.zeros(3), minigrad.tensor([0, 0, 2])
    >>> minigrad.index_put(x, (i,), minigrad.tensor(1.), accumulate=True)
    tensor([2., 0., 1.])
    """
def index_put_(input: Tensor, indices: Sequence[Tensor] | None, values: Tensor, accumulate: builtins.bool = False) -> Tensor:
    """In-place version of ``index_put``; returns the tensor.

    >>> import minigrad
    >>> minigrad.zeros(3).index_put_((minigrad.tensor([0, 2]),), minigrad.tensor([1., 5.]))
    tensor([1., 0., 5.])
    """
def index_reduce(input: Tensor, dim: builtins.int, index: Tensor, source: Tensor, reduce: builtins.str, *, include_self: builtins.bool = True, out: Tensor | None = None) -> Tensor:
    """Return a copy of ``input`` with slices of ``source`` reduced into it at ``index`` along a dimension, by "prod", "mean", "amax" or "amin".

    The slices of ``input`` there are included if ``include_self``. Raises RuntimeError if shapes or dtypes do not fit.

    >>> import minigrad
    >>> minigrad.index_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
    tensor([6., 1.])
    """
def index_select(input: Tensor, dim: builtins.int | None = None, index: Tensor | None = None, *, out: Tensor | None = None, axis: Any = None) -> Tensor:
    """Return the slices of ``input`` at ``index`` (a vector of int32 or int64) along a dimension.

    Raises IndexError for an index that is negative or too large.

    >>> import minigrad
    >>> minigrad.index_select(minigrad.tensor([[1, 2], [3, 4]]), 0, minigrad.tensor([1, 1]))
    tensor([[3, 4],
            [3, 4]])
    """
from .autograd.grad_mode import inference_mode as inference_mode
def initial_seed() -> builtins.int:
    """Return the seed that the default generator started from.

    >>> import minigrad
    >>> generator = minigrad.manual_seed(3)
    >>> minigrad.initial_seed()
    3
    """
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sum products over the last dimensions of both operands; a 0-dim operand is a factor.

    >>> import minigrad
    >>> minigrad.inner(minigrad.ones(2, 3), minigrad.ones(3))
    tensor([3., 3.])
    """
def instance_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, use_input_stats: builtins.bool, momentum: builtins.float, eps: builtins.float, cudnn_enabled: builtins.bool) -> Tensor:
    """Normalise each channel of each sample of (N, C, ...) separately; see ``batch_norm``.

    >>> import minigrad
    >>> minigrad.instance_norm(minigrad.tensor([[[1., 3.]]]), None, None, None, None, True, 0.1, 0., False)
    tensor([[[-1.,  1.]]])
    """
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The same as ``linalg.inv``.

    >>> import minigrad
    >>> minigrad.inverse(minigrad.tensor([[2., 0.], [0., 4.]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
def is_anomaly_check_nan_enabled() -> builtins.bool:
    """Return whether anomaly mode, if on, looks for nans.

    >>> import minigrad
    >>> minigrad.is_anomaly_check_nan_enabled()
    True
    """
def is_anomaly_enabled() -> builtins.bool:
    """Return whether anomaly mode is on in this thread.

    >>> import minigrad
    >>> minigrad.is_anomaly_enabled()
    False
    """
def is_complex(input: Tensor) -> builtins.bool:
    """Return whether the tensor's dtype is complex; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_complex(minigrad.tensor(1j))
    True
    """
def is_conj(input: Tensor) -> builtins.bool:
    """Return whether the tensor is a conjugate view, as ``conj()`` of a complex tensor is.

    >>> import minigrad
    >>> z = minigrad.tensor(1j)
    >>> minigrad.is_conj(z.conj()), minigrad.is_conj(z.conj().conj())
    (True, False)
    """
def is_deterministic_algorithms_warn_only_enabled() -> builtins.bool:
    """Return whether warnings instead of errors were asked for where no algorithm is deterministic.

    >>> import minigrad
    >>> minigrad.is_deterministic_algorithms_warn_only_enabled()
    False
    """
def is_distributed(input: Tensor) -> builtins.bool:
    """Return whether the tensor is distributed over several processes: always False.

    >>> import minigrad
    >>> minigrad.is_distributed(minigrad.ones(2))
    False
    """
def is_floating_point(input: Tensor) -> builtins.bool:
    """Return whether the tensor's dtype is a floating-point dtype; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_floating_point(minigrad.ones(2))
    True
    """
def is_grad_enabled() -> builtins.bool:
    """Return whether operations are recorded in this thread.

    >>> import minigrad
    >>> minigrad.is_grad_enabled()
    True
    """
def is_inference(input: Tensor) -> builtins.bool:
    """Return whether the tensor was made in inference mode; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_inference(minigrad.ones(2))
    False
    """
def is_inference_mode_enabled() -> builtins.bool:
    """Return whether inference mode is on in this thread.

    >>> import minigrad
    >>> minigrad.is_inference_mode_enabled()
    False
    """
def is_neg(input: Tensor) -> builtins.bool:
    """Return whether the tensor is a negative view, as the imaginary part of a conjugate view is.

    >>> import minigrad
    >>> minigrad.is_neg(minigrad.tensor(1j).conj().imag)
    True
    """
def is_nonzero(input: Tensor) -> builtins.bool:
    """Return whether the only element is not zero; raises RuntimeError if there are more or none.

    >>> import minigrad
    >>> minigrad.is_nonzero(minigrad.tensor([0.]))
    False
    """
def is_same_size(input: Tensor, other: Tensor) -> builtins.bool:
    """Return whether two tensors have the same shape.

    >>> import minigrad
    >>> minigrad.is_same_size(minigrad.ones(2), minigrad.zeros(2))
    True
    """
def is_signed(input: Tensor) -> builtins.bool:
    """Return whether the tensor's dtype can hold negative numbers; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.is_signed(minigrad.ones(2, dtype=minigrad.uint8))
    False
    """
def is_storage(obj: Any) -> builtins.bool:
    """Return whether ``obj`` is a storage: the memory under a tensor.

    >>> import minigrad
    >>> minigrad.is_storage(minigrad.ones(2).untyped_storage()), minigrad.is_storage(minigrad.ones(2))
    (True, False)
    """
def is_tensor(obj: Any) -> builtins.bool:
    """Return whether ``obj`` is a Tensor.

    >>> import minigrad
    >>> minigrad.is_tensor(minigrad.ones(2)), minigrad.is_tensor([1.])
    (True, False)
    """
def is_warn_always_enabled() -> builtins.bool:
    """Return whether warnings that appear once in a program appear each time.

    >>> import minigrad
    >>> minigrad.is_warn_always_enabled()
    False
    """
def isclose(input: Tensor, other: Tensor, rtol: builtins.float = ..., atol: builtins.float = ..., equal_nan: builtins.bool = False) -> Tensor:
    """Return whether ``|input - other| <= atol + rtol * |other|``, elementwise; equal infinities are close.

    Raises RuntimeError for operands of different dtypes and for negative tolerances.

    >>> import minigrad
    >>> minigrad.isclose(minigrad.tensor([1., 2.]), minigrad.tensor([1.000001, 2.1]))
    tensor([ True, False])
    """
def isfinite(input: Tensor) -> Tensor:
    """Whether the element is neither infinite nor nan.

    Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

    >>> import minigrad
    >>> minigrad.isfinite(minigrad.tensor([1., float("inf"), float("nan")]))
    tensor([ True, False, False])
    """
def isin(elements: Tensor | None = None, test_elements: Tensor | None = None, *, assume_unique: builtins.bool = False, invert: builtins.bool = False, out: Tensor | None = None, element: builtins.complex | None = None, test_element: builtins.complex | None = None) -> Tensor:
    """Return whether each of ``elements`` is (with ``invert``, is not) in ``test_elements``. One of the two may be a number.

    A number can be passed by keyword as ``element`` or ``test_element``.

    >>> import minigrad
    >>> minigrad.isin(minigrad.tensor([1, 2, 3]), minigrad.tensor([2, 3, 5]))
    tensor([False,  True,  True])
    """
def isinf(input: Tensor) -> Tensor:
    """Whether the element is infinite.

    Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

    >>> import minigrad
    >>> minigrad.isinf(minigrad.tensor([1., float("-inf"), float("nan")]))
    tensor([False,  True, False])
    """
def isnan(input: Tensor) -> Tensor:
    """Whether the element is nan.

    Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

    >>> import minigrad
    >>> minigrad.isnan(minigrad.tensor([1., float("inf"), float("nan")]))
    tensor([False, False,  True])
    """
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return whether each element is -inf; not for complex.

    >>> import minigrad
    >>> minigrad.isneginf(minigrad.tensor([1., -float("inf")]))
    tensor([False,  True])
    """
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return whether each element is +inf; not for complex.

    >>> import minigrad
    >>> minigrad.isposinf(minigrad.tensor([1., float("inf")]))
    tensor([False,  True])
    """
def isreal(input: Tensor) -> Tensor:
    """Whether the imaginary part is zero.

    Works on each element x of ``input``, of any shape.  The result has the same shape and is bool.

    >>> import minigrad
    >>> minigrad.isreal(minigrad.tensor([1 + 0j, 1j]))
    tensor([ True, False])
    """
def istft(input: Tensor, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: Tensor | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool | None = None, length: builtins.int | None = None, return_complex: builtins.bool = False) -> Tensor:
    """Invert ``stft`` by least squares: (batch, frequency, window) -> (batch, time).

    Raises RuntimeError where no window covers a part of the signal.

    >>> import minigrad
    >>> window = minigrad.hann_window(8)
    >>> z = minigrad.stft(minigrad.ones(16), 8, window=window, return_complex=True)
    >>> minigrad.istft(z, 8, window=window).shape
    torch.Size([16])
    """
def kaiser_window(window_length: builtins.int, periodic: builtins.bool = True, beta: builtins.float = ..., *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the window ``I₀(beta √(1 - (2t - 1)²)) / I₀(beta)`` for t from 0 to 1: (window_length,); symmetric unless ``periodic``.

    >>> import minigrad
    >>> minigrad.kaiser_window(4)[2]
    tensor(1.)
    """
def kl_div(input: Tensor, target: Tensor, reduction: builtins.int = 0, *, log_target: builtins.bool = False) -> Tensor:
    """Compute ``target * (log(target) - input)``, or ``exp(target) * (target - input)`` if ``log_target``, reduced.

    Shapes broadcast; ``reduction`` is 0 for none, 1 for the mean, 2 for the sum.

    >>> import minigrad
    >>> minigrad.kl_div(minigrad.zeros(2), minigrad.ones(2), 2)
    tensor(0.)
    """
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the Kronecker product: each element of ``input`` times all of ``other``, as a block.

    >>> import minigrad
    >>> minigrad.kron(minigrad.tensor([1, 10]), minigrad.tensor([1, 2]))
    tensor([ 1,  2, 10, 20])
    """
def kthvalue(input: Tensor, k: builtins.int, dim: builtins.int = -1, keepdim: builtins.bool = False, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.kthvalue:
    """Return the ``k``-th smallest elements along ``dim``, counted from 1, and their indices; nan counts as the largest.

    >>> import minigrad
    >>> minigrad.kthvalue(minigrad.tensor([3., 1., 2.]), 2)
    torch.return_types.kthvalue(
    values=tensor(2.),
    indices=tensor(2))
    """
def layer_norm(input: Tensor, normalized_shape: Sequence[builtins.int], weight: Tensor | None = None, bias: Tensor | None = None, eps: builtins.float = ..., cudnn_enable: builtins.bool = True) -> Tensor:
    """Normalise over the last dimensions, of sizes ``normalized_shape``: ``(input - mean) / sqrt(variance + eps) * weight + bias``.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.layer_norm(minigrad.tensor([1., 3.]), [2], eps=0.)
    tensor([-1.,  1.])
    """
from ._base.device import layout as layout
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple of two integers, never negative.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.lcm(minigrad.tensor([4, -6]), minigrad.tensor([6, 9]))
    tensor([12, 18])
    """
def lcm_(input: Tensor, other: Tensor) -> Tensor:
    """In-place version of ``lcm``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([1, 2])
    >>> x.lcm_(x) is x
    True
    """
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element times a power of two: z = x 2ʸ;   dz/dy = z log 2.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.ldexp(minigrad.tensor([1., 3.]), minigrad.tensor([4, -1]))
    tensor([16.0000,  1.5000])
    """
def ldexp_(input: Tensor, other: Tensor) -> Tensor:
    """In-place version of ``ldexp``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.ldexp_(x) is x
    True
    """
def le(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x <= y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.le(minigrad.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False])
    """
def lerp(input: Tensor, end: Tensor, weight: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Interpolate linearly: ``input + weight * (end - input)``; ``weight`` is a number or a tensor.

    >>> import minigrad
    >>> minigrad.lerp(minigrad.tensor([0., 10.]), minigrad.tensor([10., 20.]), 0.3)
    tensor([ 3., 13.])
    """
def less(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x < y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.lt(minigrad.tensor([1, 2, 3]), 2)
    tensor([ True, False, False])
    """
def less_equal(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x <= y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.le(minigrad.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False])
    """
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function of each element: z = log |Γ(x)|;   dz/dx = digamma x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.lgamma(minigrad.tensor([1., 5., 0.]))
    tensor([0.0000, 3.1781,    inf])
    """
def linspace(start: Tensor | builtins.complex, end: Tensor | builtins.complex, steps: builtins.int | None, *, out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return ``steps`` numbers evenly spaced from ``start`` to ``end``, both included.

    >>> import minigrad
    >>> minigrad.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of each element: z = log x;   dz/dx = 1 / x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.log(minigrad.tensor([1., 10., 0.]))
    tensor([0.0000, 2.3026,   -inf])
    """
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10 of each element: z = log₁₀ x;   dz/dx = 1 / (x log 10).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.log10(minigrad.tensor([1000., 0.01]))
    tensor([ 3.0000, -2.0000])
    """
def log10_(input: Tensor) -> Tensor:
    """In-place version of ``log10``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.log10_() is x
    True
    """
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of one plus each element: z = log(1 + x), exact near 0;   dz/dx = 1 / (1 + x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.log1p(minigrad.tensor([0., 1e-10]))
    tensor([0.0000e+00, 1.0000e-10])
    """
def log1p_(input: Tensor) -> Tensor:
    """In-place version of ``log1p``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.log1p_() is x
    True
    """
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2 of each element: z = log₂ x;   dz/dx = 1 / (x log 2).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.log2(minigrad.tensor([8., 0.5]))
    tensor([ 3., -1.])
    """
def log2_(input: Tensor) -> Tensor:
    """In-place version of ``log2``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.log2_() is x
    True
    """
def log_(input: Tensor) -> Tensor:
    """In-place version of ``log``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.log_() is x
    True
    """
def log_softmax(input: Tensor, dim: builtins.int | None = None, dtype: _dtype | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the logarithm of ``softmax``, accurate even where that underflows; ``dtype`` converts first.

    >>> import minigrad
    >>> minigrad.log_softmax(minigrad.tensor([0., 0.]), 0)
    tensor([-0.6931, -0.6931])
    """
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of a sum of exponentials, without overflow: z = log(eˣ + eʸ);   dz/dx = eˣ / (eˣ + eʸ).

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.logaddexp(minigrad.tensor([-1000., 1.]), minigrad.tensor([-1000., 2.]))
    tensor([-999.3068,    2.3133])
    """
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2 of a sum of powers of two, without overflow: z = log₂(2ˣ + 2ʸ);   dz/dx = 2ˣ / (2ˣ + 2ʸ).

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.logaddexp2(minigrad.tensor([3., 2.]), minigrad.tensor([3., 0.]))
    tensor([4.0000, 2.3219])
    """
def logcumsumexp(input: Tensor, dim: builtins.int | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Compute ``log(cumsum(exp(input), dim))`` without overflow.  Raises NotImplementedError for integers.

    >>> import minigrad
    >>> minigrad.logcumsumexp(minigrad.tensor([0., 0.]), 0)
    tensor([0.0000, 0.6931])
    """
def logdet(input: Tensor) -> Tensor:
    """Return the logarithm of the determinant: nan where it is negative, -inf where it is zero.

    ``input`` is (..., n, n), the result (...).

    >>> import minigrad
    >>> minigrad.logdet(minigrad.eye(2))
    tensor(0.)
    """
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Logical AND: whether both elements are non-zero.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and is bool; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.logical_and(minigrad.tensor([0, 1, 2]), minigrad.tensor([True, True, False]))
    tensor([False,  True, False])
    """
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return whether each element is zero; of any dtype.

    >>> import minigrad
    >>> minigrad.logical_not(minigrad.tensor([0, 3]))
    tensor([ True, False])
    """
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Logical OR: whether at least one element is non-zero.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and is bool; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.logical_or(minigrad.tensor([0., 1.]), minigrad.tensor([0, 0]))
    tensor([False,  True])
    """
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Logical XOR: whether exactly one element is non-zero.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and is bool; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.logical_xor(minigrad.tensor([0., 1.]), minigrad.tensor([2, 2]))
    tensor([ True, False])
    """
def logit(input: Tensor, eps: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of the sigmoid: ``log(input / (1 - input))``; ``eps`` clamps the input to [eps, 1 - eps].

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.logit(minigrad.tensor([0.5, 1.]), eps=0.1)
    tensor([0.0000, 2.1972])
    """
def logit_(input: Tensor, eps: builtins.float | None = None) -> Tensor:
    """In-place version of ``logit``.

    >>> import minigrad
    >>> minigrad.tensor([0.5, 0.9]).logit_()
    tensor([0.0000, 2.1972])
    """
def logspace(start: Tensor | builtins.complex, end: Tensor | builtins.complex, steps: builtins.int | None, base: builtins.float = ..., *, out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return ``steps`` powers of ``base`` with exponents evenly spaced from ``start`` to ``end``, both included.

    >>> import minigrad
    >>> minigrad.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
def logsumexp(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Compute ``log(exp(input).sum(dim))`` without overflow. Integers are converted to the default dtype.

    >>> import minigrad
    >>> minigrad.logsumexp(minigrad.tensor([1000., 1000.]), 0)
    tensor(1000.6932)
    """
def lstm(*args: Any, **named: Any) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """Apply layers of long short-term memory to sequences; the function behind ``nn.LSTM``.

    ``lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)``, or for packed data
    ``lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)``; returns the output and the last states
    h and c. ``input`` is (T, N, X), each of ``hx`` (layers * directions, N, H). Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> x, state = minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2)
    >>> weights = [minigrad.zeros(8, 3), minigrad.zeros(8, 2)]
    >>> output, h, c = minigrad.lstm(x, (state, state), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape, c.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]), torch.Size([1, 1, 2]))
    """
def lstm_cell(input: Tensor, hx: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> builtins.tuple[Tensor, Tensor]:
    """Compute one step of long short-term memory: ``(N, X), ((N, H), (N, H)) -> (N, H), (N, H)``, the states h and c.

    Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> state = minigrad.zeros(1, 2)
    >>> h, c = minigrad.lstm_cell(minigrad.ones(1, 3), (state, state), minigrad.ones(8, 3), minigrad.ones(8, 2))
    >>> h
    tensor([[0.7038, 0.7038]])
    """
def lstsq(input: Tensor, A: Any, *, out: Tensor | None = None) -> Tensor:
    """Raise RuntimeError: removed in favour of ``linalg.lstsq``.

    >>> import minigrad
    >>> minigrad.lstsq(minigrad.ones(2, 1), minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
def lt(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x < y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.lt(minigrad.tensor([1, 2, 3]), 2)
    tensor([ True, False, False])
    """
def lu(A: Any, pivot: Any = True, get_infos: Any = False, out: Tensor | None = None) -> Tensor:
    """Return the result of ``linalg.lu_factor`` (with ``get_infos``, ``linalg.lu_factor_ex``) as a plain tuple; deprecated.

    >>> import minigrad
    >>> minigrad.lu(minigrad.tensor([[2.]]))
    (tensor([[2.]]), tensor([1], dtype=torch.int32))
    """
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``linalg.lu_solve``, with the arguments in another order; deprecated.

    >>> import minigrad
    >>> minigrad.lu_solve(minigrad.tensor([[8.]]), *minigrad.linalg.lu_factor(minigrad.tensor([[4.]])))
    tensor([[2.]])
    """
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: builtins.bool = True, unpack_pivots: builtins.bool = True, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.lu_unpack:
    """Return P, L and U from the result of ``linalg.lu_factor``; parts that are not requested are empty.

    >>> import minigrad
    >>> minigrad.lu_unpack(*minigrad.linalg.lu_factor(minigrad.tensor([[1., 2.], [2., 6.]]))).P
    tensor([[0., 1.],
            [1., 0.]])
    """
def manual_seed(seed: builtins.int) -> Generator:
    """Seed the default generator with ``seed``, an integer in [-2**63, 2**64); return the generator.

    >>> import minigrad
    >>> _ = minigrad.manual_seed(0)
    >>> minigrad.rand(2)
    tensor([0.4963, 0.7682])
    """
def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: builtins.float = ..., reduction: builtins.int = 0) -> Tensor:
    """Compute ``max(margin - target * (input1 - input2), 0)``, reduced: ``target`` is 1 where ``input1`` should be larger, -1 where
    ``input2`` should.

    The result is a 0-dim tensor, or has the common shape without reduction.

    >>> import minigrad
    >>> minigrad.margin_ranking_loss(minigrad.tensor([2.]), minigrad.tensor([3.]), minigrad.tensor([1.]))
    tensor([1.])
    """
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | builtins.complex) -> Tensor:
    """Return a copy of ``input`` with ``value``, a number or 0-dim tensor, where ``mask`` is true; both broadcast.

    Raises RuntimeError for a mask that is not of dtype bool.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2.])
    >>> minigrad.masked_fill(x, x > 1, 0)
    tensor([1., 0.])
    """
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Return a copy of ``input`` with consecutive elements of ``source`` where ``mask`` is true; both broadcast.

    Raises RuntimeError for a mask that is not of dtype bool, or a source of another dtype or with too few elements.

    >>> import minigrad
    >>> x = minigrad.tensor([1, 2, 3])
    >>> minigrad.masked_scatter(x, x > 1, minigrad.tensor([7, 8]))
    tensor([1, 7, 8])
    """
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the elements of ``input`` where ``mask`` is true, as a vector; both broadcast.

    Raises RuntimeError for a mask that is not of dtype bool.

    >>> import minigrad
    >>> x = minigrad.tensor([1., 2., 3.])
    >>> minigrad.masked_select(x, x > 1)
    tensor([2., 3.])
    """
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply vectors, matrices or batches of matrices; leading dimensions broadcast.

    Two vectors give their dot product. ``(..., n, k) @ (..., k, m) -> (..., n, m)``; a vector counts as a row on the left, as a column on
    the right. Raises RuntimeError for 0-dim operands, sizes that do not fit, or different dtypes.

    >>> import minigrad
    >>> minigrad.matmul(minigrad.tensor([[1., 2.], [3., 4.]]), minigrad.tensor([1., 1.]))
    tensor([3., 7.])
    """
def matrix_exp(input: Tensor) -> Tensor:
    """Return the matrix exponentials of square matrices, Σ Aⁿ / n!.

    >>> import minigrad
    >>> minigrad.matrix_exp(minigrad.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
def matrix_power(input: Tensor, n: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Return the n-th power of square matrices, of their inverses for a negative n, as ``linalg.matrix_power``.

    >>> import minigrad
    >>> minigrad.matrix_power(minigrad.tensor([[1., 1.], [0., 1.]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
def matrix_rank(input: Tensor, tol: Any = None, symmetric: Any = False, *, out: Tensor | None = None) -> Tensor:
    """Raise RuntimeError: removed in favour of ``linalg.matrix_rank``.

    >>> import minigrad
    >>> minigrad.matrix_rank(minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
@overload
def max(input: Tensor) -> Tensor:
    """Return the largest of all elements; the largest along ``dim``, with their indices; or the larger elements of two tensors.

    A nan counts as the largest.  Raises RuntimeError or IndexError if there are no elements to choose from.

    >>> import minigrad
    >>> minigrad.max(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    torch.return_types.max(
    values=tensor([4., 3.]),
    indices=tensor([1, 0]))
    """
@overload
def max(input: Tensor, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.max:
    """Return the largest of all elements; the largest along ``dim``, with their indices; or the larger elements of two tensors.

    A nan counts as the largest.  Raises RuntimeError or IndexError if there are no elements to choose from.

    >>> import minigrad
    >>> minigrad.max(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    torch.return_types.max(
    values=tensor([4., 3.]),
    indices=tensor([1, 0]))
    """
@overload
def max(input: Tensor, other: Tensor, *, out: Any = ...) -> Tensor:
    """Return the largest of all elements; the largest along ``dim``, with their indices; or the larger elements of two tensors.

    A nan counts as the largest.  Raises RuntimeError or IndexError if there are no elements to choose from.

    >>> import minigrad
    >>> minigrad.max(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    torch.return_types.max(
    values=tensor([4., 3.]),
    indices=tensor([1, 0]))
    """
def max_pool1d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False) -> Tensor:
    """Take the maximum of each window of ``(N, C, L)`` or ``(C, L)``; windows are ``stride`` apart, by default their size.

    Padding counts as minus infinity. Raises RuntimeError for sizes and numbers that do not fit.

    >>> import minigrad
    >>> minigrad.max_pool1d(minigrad.tensor([[1., 3., 2., 0.]]), 2)
    tensor([[3., 2.]])
    """
def max_pool1d_with_indices(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: Any = False) -> builtins.tuple[Tensor, Tensor]:
    """Take the maximum of each window of ``(N, C, L)`` or ``(C, L)``; return ``(values, indices)``. See ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool1d_with_indices(minigrad.tensor([[1., 3., 2.]]), 2)
    (tensor([[3.]]), tensor([[1]]))
    """
def max_pool2d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False) -> Tensor:
    """Take the maximum of each window of ``(N, C, H, W)`` or ``(C, H, W)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool2d(minigrad.arange(16.).reshape(1, 4, 4), 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
def max_pool3d(input: Tensor, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False) -> Tensor:
    """Take the maximum of each window of ``(N, C, D, H, W)`` or ``(C, D, H, W)``; see ``max_pool1d``.

    >>> import minigrad
    >>> minigrad.max_pool3d(minigrad.arange(8.).reshape(1, 2, 2, 2), 2).flatten()
    tensor([7.])
    """
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The maximum of two tensors, element by element: z = the greater of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.maximum(minigrad.tensor([1., 5.]), minigrad.tensor([2., float("nan")]))
    tensor([2., nan])
    """
def mean(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the mean of all elements, or along ``dim``: an int or several, with () for all.

    The dtype (or ``dtype``, which converts first) must be floating-point or complex; otherwise raises RuntimeError.

    >>> import minigrad
    >>> minigrad.mean(minigrad.tensor([[1., 2.], [3., 4.]]), dim=1)
    tensor([1.5000, 3.5000])
    """
@overload
def median(input: Tensor) -> Tensor:
    """Return the median, the lower of two middle elements: of all, or along ``dim`` with its index.

    The result is nan if an element is nan.

    >>> import minigrad
    >>> minigrad.median(minigrad.tensor([4., 1., 3., 2.]))
    tensor(2.)
    """
@overload
def median(input: Tensor, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.median:
    """Return the median, the lower of two middle elements: of all, or along ``dim`` with its index.

    The result is nan if an element is nan.

    >>> import minigrad
    >>> minigrad.median(minigrad.tensor([4., 1., 3., 2.]))
    tensor(2.)
    """
from ._base.device import memory_format as memory_format
def meshgrid(*tensors: Tensor | Sequence[Tensor], indexing: Any = None) -> builtins.tuple[Tensor, ...]:
    """Expand vectors to a grid, as views: result k varies along dimension k (``"ij"``; the first two are exchanged for ``"xy"``).

    Raises RuntimeError for tensors of more than one dimension or of several dtypes.

    >>> import minigrad
    >>> minigrad.meshgrid(minigrad.tensor([1, 2]), minigrad.tensor([3, 4, 5]), indexing="ij")[0]
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
@overload
def min(input: Tensor) -> Tensor:
    """Return the smallest of all elements; the smallest along ``dim``, with their indices; or the smaller elements of two tensors.

    A nan counts as the smallest.  Raises RuntimeError or IndexError if there are no elements to choose from.

    >>> import minigrad
    >>> minigrad.min(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    torch.return_types.min(
    values=tensor([1., 2.]),
    indices=tensor([0, 1]))
    """
@overload
def min(input: Tensor, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.min:
    """Return the smallest of all elements; the smallest along ``dim``, with their indices; or the smaller elements of two tensors.

    A nan counts as the smallest.  Raises RuntimeError or IndexError if there are no elements to choose from.

    >>> import minigrad
    >>> minigrad.min(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    torch.return_types.min(
    values=tensor([1., 2.]),
    indices=tensor([0, 1]))
    """
@overload
def min(input: Tensor, other: Tensor, *, out: Any = ...) -> Tensor:
    """Return the smallest of all elements; the smallest along ``dim``, with their indices; or the smaller elements of two tensors.

    A nan counts as the smallest.  Raises RuntimeError or IndexError if there are no elements to choose from.

    >>> import minigrad
    >>> minigrad.min(minigrad.tensor([[1., 4.], [3., 2.]]), 1)
    torch.return_types.min(
    values=tensor([1., 2.]),
    indices=tensor([0, 1]))
    """
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The minimum of two tensors, element by element: z = the less of x and y, nan if either is; equal ones share the gradient, with a nan both take the whole.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.  Complex numbers are not supported.

    >>> import minigrad
    >>> minigrad.minimum(minigrad.tensor([1., 5.]), minigrad.tensor([2., float("nan")]))
    tensor([1., nan])
    """
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply two matrices, ``(n, k) @ (k, m) -> (n, m)``.

    >>> import minigrad
    >>> minigrad.mm(minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[3., 3.]])
    """
def mode(input: Tensor, dim: builtins.int = -1, keepdim: builtins.bool = False, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.mode:
    """Return the most frequent elements along ``dim`` (the smallest among equally frequent ones), and their indices.

    >>> import minigrad
    >>> minigrad.mode(minigrad.tensor([1, 2, 2, 3])).values
    tensor(2)
    """
def moveaxis(input: Tensor, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]) -> Tensor:
    """The same as ``movedim``.

    >>> import minigrad
    >>> minigrad.moveaxis(minigrad.ones(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
def movedim(input: Tensor, source: builtins.int | Sequence[builtins.int], destination: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Return a view with dimensions moved to other positions; the others keep their order.

    Raises RuntimeError if the numbers of sources and destinations differ, or one is repeated; IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.movedim(minigrad.zeros(2, 3, 4), 0, 2).shape
    torch.Size([3, 4, 2])
    """
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sort the elements along the first dimension.

    >>> import minigrad
    >>> minigrad.msort(minigrad.tensor([3., 1., 2.]))
    tensor([1., 2., 3.])
    """
def mul(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """The product of two tensors, element by element: z = x y.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.mul(minigrad.tensor([1, 2]), minigrad.tensor([[10.], [100.]]))
    tensor([[ 10.,  20.],
            [100., 200.]])
    """
def multinomial(input: Tensor, num_samples: builtins.int, replacement: builtins.bool = False, *, generator: Generator | None = None, out: Any = None) -> Tensor:
    """Draw ``num_samples`` indices for each row of ``input`` (1 or 2 dimensions), whose elements are their weights.

    Raises RuntimeError for weights that are negative, not finite or all zero, and for too many samples without replacement.

    >>> import minigrad
    >>> minigrad.multinomial(minigrad.tensor([0., 1.]), 3, replacement=True)
    tensor([1, 1, 1])
    """
def multiply(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """The product of two tensors, element by element: z = x y.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.mul(minigrad.tensor([1, 2]), minigrad.tensor([[10.], [100.]]))
    tensor([[ 10.,  20.],
            [100., 200.]])
    """
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply a matrix by a vector, ``(n, k) @ (k,) -> (n,)``.

    >>> import minigrad
    >>> minigrad.mv(minigrad.ones(2, 3), minigrad.ones(3))
    tensor([3., 3.])
    """
def mvlgamma(input: Tensor, p: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithm of the multivariate gamma function of dimension ``p``; raise RuntimeError for p < 1.

    >>> import minigrad
    >>> minigrad.mvlgamma(minigrad.tensor([2., 3.]), 2)
    tensor([0.4516, 1.5502])
    """
def nan_to_num(input: Tensor, nan: builtins.float | None = ..., posinf: builtins.float | None = None, neginf: builtins.float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Replace nan by ``nan`` (0), and the infinities by ``posinf`` and ``neginf`` (the greatest and least numbers of the dtype).

    >>> import minigrad
    >>> minigrad.nan_to_num(minigrad.tensor([1., float("nan"), float("inf")]), posinf=9.)
    tensor([1., 0., 9.])
    """
def nan_to_num_(input: Tensor, nan: builtins.float | None = ..., posinf: builtins.float | None = None, neginf: builtins.float | None = None) -> Tensor:
    """In-place version of ``nan_to_num``.

    >>> import minigrad
    >>> minigrad.tensor([float("nan"), 1.]).nan_to_num_(9.)
    tensor([9., 1.])
    """
def nanmean(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the mean of the elements that are not nan: of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.nanmean(minigrad.tensor([1., float("nan"), 2.]))
    tensor(1.5000)
    """
@overload
def nanmedian(input: Tensor) -> Tensor:
    """Return the median of the elements that are not nan; see ``median``.

    >>> import minigrad
    >>> minigrad.nanmedian(minigrad.tensor([1., float("nan"), 3.]))
    tensor(1.)
    """
@overload
def nanmedian(input: Tensor, dim: builtins.int, keepdim: builtins.bool = ..., *, out: Any = ...) -> _named_results.nanmedian:
    """Return the median of the elements that are not nan; see ``median``.

    >>> import minigrad
    >>> minigrad.nanmedian(minigrad.tensor([1., float("nan"), 3.]))
    tensor(1.)
    """
def nanquantile(input: Tensor, q: Tensor | builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = ..., out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the quantiles of the elements that are not nan; see ``quantile``.

    >>> import minigrad
    >>> minigrad.nanquantile(minigrad.tensor([1., float("nan"), 3.]), 0.5)
    tensor(2.)
    """
def nansum(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the sum of the elements that are not nan: of all, or along ``dim``.

    >>> import minigrad
    >>> minigrad.nansum(minigrad.tensor([1., float("nan"), 2.]))
    tensor(3.)
    """
def narrow(input: Tensor, dim: builtins.int, start: Tensor | builtins.int, length: builtins.int) -> Tensor:
    """Return a view of ``length`` elements of dimension ``dim``, starting at ``start``.

    Raises IndexError if ``dim`` or ``start`` is out of range, RuntimeError if the range does not fit.

    >>> import minigrad
    >>> minigrad.narrow(minigrad.tensor([1, 2, 3, 4]), 0, 1, 2)
    tensor([2, 3])
    """
def narrow_copy(input: Tensor, dim: builtins.int, start: builtins.int, length: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``narrow`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.narrow_copy(minigrad.arange(5), 0, 1, 3)
    tensor([1, 2, 3])
    """
def native_batch_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None, running_var: Tensor | None, training: builtins.bool, momentum: builtins.float, eps: builtins.float, *, out: Tensor | Sequence[Tensor] | None = None) -> Tensor:
    """Compute ``batch_norm`` of a tensor; also return the means and the reciprocal standard deviations, which are empty unless ``training``.

    >>> import minigrad
    >>> minigrad.native_batch_norm(minigrad.tensor([[1.], [3.]]), None, None, None, None, True, 0.1, 0.)
    (tensor([[-1.],
            [ 1.]]), tensor([2.]), tensor([1.]))
    """
def native_channel_shuffle(input: Tensor, groups: builtins.int) -> Tensor:
    """The same as ``channel_shuffle``.

    >>> import minigrad
    >>> minigrad.native_channel_shuffle(minigrad.arange(4.).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
def native_dropout(input: Tensor, p: builtins.float, train: builtins.bool) -> Tensor:
    """Set elements to zero with probability ``p``, and scale the others by ``1 / (1 - p)``; also return which have been kept.

    ``train=None`` means True; with False, all elements are kept. Raises RuntimeError if ``p`` is not a probability, or for integers.

    >>> import minigrad
    >>> minigrad.native_dropout(minigrad.ones(2), 0.5, False)
    (tensor([1., 1.]), tensor([True, True]))
    """
def native_group_norm(input: Tensor, weight: Tensor | None, bias: Tensor | None, N: builtins.int, C: builtins.int, HxW: builtins.int, group: builtins.int, eps: builtins.float) -> Tensor:
    """Compute ``group_norm`` of (N, C, HxW) elements; also return the means and the reciprocal standard deviations.

    >>> import minigrad
    >>> minigrad.native_group_norm(minigrad.tensor([[1., 3.]]), None, None, 1, 2, 1, 1, 0.)
    (tensor([[-1.,  1.]]), tensor([[2.]]), tensor([[1.]]))
    """
def native_layer_norm(input: Tensor, normalized_shape: Sequence[builtins.int], weight: Tensor | None, bias: Tensor | None, eps: builtins.float) -> Tensor:
    """Compute ``layer_norm`` of a tensor; also return the means and the reciprocal standard deviations.

    >>> import minigrad
    >>> minigrad.native_layer_norm(minigrad.tensor([1., 3.]), [2], None, None, 0.)
    (tensor([-1.,  1.]), tensor([2.]), tensor([1.]))
    """
def ne(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x != y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.ne(minigrad.tensor([1, 2]), 1)
    tensor([False,  True])
    """
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative of each element: z = -x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.neg(minigrad.tensor([1, -2]))
    tensor([-1,  2])
    """
def neg_(input: Tensor) -> Tensor:
    """In-place version of ``neg``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.neg_() is x
    True
    """
def negative(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative of each element: z = -x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.neg(minigrad.tensor([1, -2]))
    tensor([-1,  2])
    """
def negative_(input: Tensor) -> Tensor:
    """In-place version of ``neg``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.neg_() is x
    True
    """
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The next floating-point number towards another: z = the next number after x towards y.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.nextafter(minigrad.tensor([1.]), minigrad.tensor([2.])) - 1
    tensor([1.1921e-07])
    """
from .autograd.grad_mode import no_grad as no_grad
@overload
def nonzero(input: Tensor, *, out: Any = ..., as_tuple: Literal[False] = ...) -> Tensor:
    """Return the indices of all non-zero elements: one row for each, or a tuple with a vector for each dimension.

    >>> import minigrad
    >>> minigrad.nonzero(minigrad.tensor([[0, 1], [2, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
@overload
def nonzero(input: Tensor, *, as_tuple: Literal[True]) -> builtins.tuple[Tensor, ...]:
    """Return the indices of all non-zero elements: one row for each, or a tuple with a vector for each dimension.

    >>> import minigrad
    >>> minigrad.nonzero(minigrad.tensor([[0, 1], [2, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
def nonzero_static(input: Tensor, *, size: builtins.int, fill_value: builtins.int = -1, out: Tensor | None = None) -> Tensor:
    """Return the indices of non-zero elements in exactly ``size`` rows, cut off or filled up with rows of ``fill_value``.

    Raises RuntimeError if ``size`` is negative.

    >>> import minigrad
    >>> minigrad.nonzero_static(minigrad.tensor([0, 5]), size=2)
    tensor([[ 1],
            [-1]])
    """
def norm(input: Tensor, p: Any = ..., dim: Any = None, keepdim: builtins.bool = False, out: Tensor | None = None, dtype: _dtype | None = None) -> Tensor:
    """Return the norm of all elements, or along ``dim``: ``p`` is a number, "fro" (the same as 2) or "nuc" (the nuclear norm of matrices).

    >>> import minigrad
    >>> minigrad.norm(minigrad.tensor([3., 4.]))
    tensor(5.)
    """
def norm_except_dim(v: Tensor, pow: builtins.int = 2, dim: builtins.int = 0) -> Tensor:
    """Return the norms of order ``pow`` over all dimensions but ``dim``, which are kept with size one; with ``dim`` -1, one norm over all.

    Raises IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.norm_except_dim(minigrad.ones(2, 4))
    tensor([[2.],
            [2.]])
    """
def normal(mean: Any, std: builtins.float = ..., size: Any = None, *, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False) -> Tensor:
    """Draw normally distributed numbers: ``mean`` and ``std`` are tensors or numbers, or two numbers with a ``size``.

    >>> import minigrad
    >>> minigrad.normal(minigrad.tensor([1., 2.]), 0.)
    tensor([1., 2.])
    """
def not_equal(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Whether x != y, elementwise.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast; y may be a number.  The result has the common shape and is bool; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.ne(minigrad.tensor([1, 2]), 1)
    tensor([False,  True])
    """
def nuclear_norm(input: Tensor, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return ``linalg.matrix_norm`` with ``ord="nuc"``; deprecated.

    >>> import minigrad
    >>> minigrad.nuclear_norm(minigrad.tensor([[3., 0.], [0., 4.]]))
    tensor(7.)
    """
def numel(input: Tensor) -> builtins.int:
    """Return the number of elements; raises TypeError if the argument is not a tensor.

    >>> import minigrad
    >>> minigrad.numel(minigrad.ones(2, 3))
    6
    """
def ones(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False, **named: Any) -> Tensor:
    """Return a tensor of ones, of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.ones(2)
    tensor([1., 1.])
    """
def ones_like(input: Tensor, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False, memory_format: _memory_format | None = ...) -> Tensor:
    """Return ones of the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.ones_like(minigrad.tensor([1, 2]))
    tensor([1, 1])
    """
def orgqr(input: Tensor, input2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The same as ``linalg.householder_product``.

    >>> import minigrad
    >>> A = minigrad.tensor([[3., 1.], [4., 2.]])
    >>> minigrad.orgqr(*minigrad.geqrf(A))
    tensor([[-0.6000, -0.8000],
            [-0.8000,  0.6000]])
    """
def ormqr(input: Tensor, input2: Tensor, input3: Tensor, left: builtins.bool = True, transpose: builtins.bool = False, *, out: Tensor | None = None) -> Tensor:
    """Compute ``Q @ input3``, or ``input3 @ Q`` unless ``left``, with the Q of ``geqrf`` or, if ``transpose``, its adjoint.

    ``input`` is (..., m, k), ``input2``, the factors of the reflections, (..., k), ``input3`` (..., m, n), or (..., n, m) unless ``left``.

    >>> import minigrad
    >>> minigrad.ormqr(*minigrad.geqrf(minigrad.tensor([[3.], [4.]])), minigrad.tensor([[-5.], [0.]]))
    tensor([[3.],
            [4.]])
    """
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the outer product of two vectors: ``(n,), (m,) -> (n, m)``.

    >>> import minigrad
    >>> minigrad.outer(minigrad.tensor([1, 2]), minigrad.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
def pairwise_distance(x1: Tensor, x2: Tensor, p: builtins.float = ..., eps: builtins.float = ..., keepdim: builtins.bool = False) -> Tensor:
    """Return the ``p``-norms of ``x1 - x2 + eps`` along the last dimension: (..., D) -> (...).

    >>> import minigrad
    >>> minigrad.pairwise_distance(minigrad.tensor([[1., 2.]]), minigrad.tensor([[4., 6.]]), eps=0.)
    tensor([5.])
    """
def pca_lowrank(A: Any, q: Any = None, center: Any = True, niter: Any = 2) -> Tensor:
    """Approximate the ``q`` largest principal components of the rows of ``A``: return ``(U, S, V)``, with the directions as columns of V.

    Raises ValueError for a ``q`` beyond ``min(m, n)`` or a negative ``niter``.

    >>> import minigrad
    >>> minigrad.pca_lowrank(minigrad.tensor([[1., 0.], [-1., 0.]]), q=1)[1]
    tensor([1.4142])
    """
def pdist(input: Tensor, p: builtins.float = 2) -> Tensor:
    """Return the ``p``-norm distances between all pairs of rows, as a vector: ``(n, m) -> (n (n - 1) / 2)``.

    Raises RuntimeError unless there are two dimensions, NotImplementedError for half precision.

    >>> import minigrad
    >>> minigrad.pdist(minigrad.tensor([[0., 0.], [3., 4.], [0., 4.]]))
    tensor([5., 4., 3.])
    """
def permute(input: Tensor, dims: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Return a view with the dimensions in another order.

    Raises RuntimeError unless ``dims`` names every dimension once, IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.permute(minigrad.zeros(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
def permute_copy(input: Tensor, dims: Sequence[builtins.int], *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``permute`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.permute_copy(minigrad.tensor([[1, 2]]), (1, 0))
    tensor([[1],
            [2]])
    """
def pinverse(input: Tensor, rcond: builtins.float = ...) -> Tensor:
    """Return the pseudoinverse, with singular values up to ``rcond`` times the largest as zero: see ``linalg.pinv``.

    ``input`` is (..., m, n), the result (..., n, m).

    >>> import minigrad
    >>> minigrad.pinverse(minigrad.tensor([[2.], [0.]]))
    tensor([[0.5000, 0.0000]])
    """
def pixel_shuffle(input: Tensor, upscale_factor: builtins.int) -> Tensor:
    """Rearrange channels into pixels, ``(..., C * r * r, H, W) -> (..., C, H * r, W * r)``.

    Raises RuntimeError unless the channels are a multiple of the factor's square.

    >>> import minigrad
    >>> minigrad.pixel_shuffle(minigrad.arange(4.).reshape(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
def pixel_unshuffle(input: Tensor, downscale_factor: builtins.int) -> Tensor:
    """Rearrange pixels into channels, ``(..., C, H * r, W * r) -> (..., C * r * r, H, W)``.

    Raises RuntimeError unless height and width are multiples of the factor.

    >>> import minigrad
    >>> minigrad.pixel_unshuffle(minigrad.arange(4.).reshape(1, 2, 2), 2).flatten()
    tensor([0., 1., 2., 3.])
    """
def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Draw Poisson-distributed numbers with the rates in ``input``.

    >>> import minigrad
    >>> minigrad.poisson(minigrad.zeros(2))
    tensor([0., 0.])
    """
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: builtins.bool, full: builtins.bool, eps: builtins.float, reduction: builtins.int) -> Tensor:
    """Compute the negative log-likelihood of Poisson counts: ``exp(input) - target * input``, or ``input - target * log(input + eps)``
    unless ``log_input``; reduced.

    ``full`` adds Stirling's approximation of log(target!). Shapes broadcast; ``reduction`` is 0 for none, 1 for the mean, 2 for the sum.

    >>> import minigrad
    >>> minigrad.poisson_nll_loss(minigrad.zeros(1), minigrad.ones(1), True, False, 1e-8, 1)
    tensor(1.)
    """
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Make complex numbers ``abs * (cos(angle) + sin(angle) j)`` from two floating-point tensors of the same dtype, which broadcast.

    >>> import minigrad
    >>> minigrad.polar(minigrad.tensor([2.]), minigrad.tensor([0.]))
    tensor([2.+0.j])
    """
def polygamma(n: builtins.int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the derivative of order ``n`` of ``digamma``; raise RuntimeError for a negative order.

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.polygamma(1, minigrad.tensor([1., 0.5]))
    tensor([1.6449, 4.9348])
    """
def positive(input: Tensor) -> Tensor:
    """Return ``input`` itself; raise RuntimeError for bool.

    >>> import minigrad
    >>> minigrad.positive(minigrad.tensor([1., 2.]))
    tensor([1., 2.])
    """
def pow(input: Tensor, exponent: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Raise ``input`` to the power ``exponent``, elementwise; either may be a number.

    Raises RuntimeError for an integer tensor with a negative integer exponent.

    >>> import minigrad
    >>> minigrad.pow(minigrad.tensor([1., 2., 3.]), 2)
    tensor([1., 4., 9.])
    """
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Multiply negative elements by ``weight``: one per channel (dimension 1), or one for all.

    Raises RuntimeError if the number of weights is not the number of channels. [He et al. 2015]

    >>> import minigrad
    >>> minigrad.prelu(minigrad.tensor([-4., 2.]), minigrad.tensor([0.25]))
    tensor([-1.,  2.])
    """
preserve_format: memory_format
def prod(input: Tensor, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the product of all elements, or along one dimension. Integers and bools are multiplied in ``int64``.

    >>> import minigrad
    >>> minigrad.prod(minigrad.tensor([[1., 2.], [3., 4.]]), 1)
    tensor([ 2., 12.])
    """
def promote_types(type1: _dtype, type2: _dtype) -> _dtype:
    """Return the smallest dtype to which both dtypes can be promoted.

    Raises RuntimeError for unsigned types wider than ``uint8``, which promote with floating-point types only.

    >>> import minigrad
    >>> minigrad.promote_types(minigrad.int32, minigrad.float16)
    torch.float16
    """
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: builtins.bool = False) -> Tensor:
    """Return a copy of ``input`` with the elements of ``source`` written, or with ``accumulate`` added, at ``index`` of the flattened tensor.

    Raises IndexError for an index out of range or of another size than ``source``.

    >>> import minigrad
    >>> minigrad.put(minigrad.tensor([1, 2, 3]), minigrad.tensor([0]), minigrad.tensor([9]))
    tensor([9, 2, 3])
    """
def q_per_channel_axis(input: Tensor) -> Tensor:
    """Raise NotImplementedError: only quantized tensors have a quantization axis.

    >>> import minigrad
    >>> minigrad.q_per_channel_axis(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_axis' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
def q_per_channel_scales(input: Tensor) -> Tensor:
    """Raise NotImplementedError: only quantized tensors have scales.

    >>> import minigrad
    >>> minigrad.q_per_channel_scales(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_scales' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
def q_per_channel_zero_points(input: Tensor) -> Tensor:
    """Raise NotImplementedError: only quantized tensors have zero points.

    >>> import minigrad
    >>> minigrad.q_per_channel_zero_points(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_per_channel_zero_points' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
def q_scale(input: Tensor) -> Tensor:
    """Raise NotImplementedError: only quantized tensors have a scale.

    >>> import minigrad
    >>> try:
    ...     minigrad.q_scale(minigrad.ones(2))
    ... except NotImplementedError as error:
    ...     print(str(error)[:71])
    Could not run 'aten::q_scale' with arguments from the 'CPU' backend: it
    """
def q_zero_point(input: Tensor) -> Tensor:
    """Raise NotImplementedError: only quantized tensors have a zero point.

    >>> import minigrad
    >>> minigrad.q_zero_point(minigrad.ones(2))
    Traceback (most recent call last):
        ...
    NotImplementedError: Could not run 'aten::q_zero_point' with arguments from the 'CPU' backend: it is defined for quantized tensors only, and minigrad has none.
    """
def qr(input: Tensor, some: builtins.bool = True, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.qr:
    """Return the result of ``linalg.qr`` with mode "reduced", or "complete" unless ``some``; deprecated.

    >>> import minigrad
    >>> minigrad.qr(minigrad.tensor([[3.], [4.]])).R
    tensor([[-5.]])
    """
def quantile(input: Tensor, q: Tensor | builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = ..., out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the ``q``-quantiles, 0 ≤ q ≤ 1, of all elements or along ``dim``; several ``q`` add a first dimension.

    The result is nan if an element is nan.

    >>> import minigrad
    >>> minigrad.quantile(minigrad.tensor([1., 2., 3., 4.]), 0.5)
    tensor(2.5000)
    """
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Radians converted to degrees: z = x 180 / π.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.rad2deg(minigrad.tensor([0., 1.]))
    tensor([ 0.0000, 57.2958])
    """
def rad2deg_(input: Tensor) -> Tensor:
    """In-place version of ``rad2deg``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.rad2deg_() is x
    True
    """
def rand(*size: Any, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False, **named: Any) -> Tensor:
    """Return numbers drawn uniformly from [0, 1), of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.rand(2, 3).shape
    torch.Size([2, 3])
    """
def rand_like(input: Tensor, *, generator: Generator | None = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False, memory_format: Any = ...) -> Tensor:
    """Return numbers drawn uniformly from [0, 1), in the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.rand_like(minigrad.ones(2)).shape
    torch.Size([2])
    """
def randint(low: Any = None, high: Any = None, size: Any = None, *, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False) -> Tensor:
    """Return a tensor of ``size`` with integers from [low, high), int64 unless ``dtype`` is given; ``randint(high, size)`` starts from 0.

    >>> import minigrad
    >>> minigrad.randint(5, 6, (3,))
    tensor([5, 5, 5])
    """
def randint_like(input: Tensor, low: builtins.int = 0, high: Any = None, *, generator: Generator | None = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False, memory_format: Any = ...) -> Tensor:
    """Return integers from [low, high), in the shape, dtype and memory order of ``input``; ``randint_like(input, high)`` starts from 0.

    >>> import minigrad
    >>> minigrad.randint_like(minigrad.ones(2), 5, 6)
    tensor([5., 5.])
    """
def randn(*size: Any, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False, **named: Any) -> Tensor:
    """Return normally distributed numbers of mean 0 and variance 1, of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.randn(2, 3).shape
    torch.Size([2, 3])
    """
def randn_like(input: Tensor, *, generator: Generator | None = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False, memory_format: Any = ...) -> Tensor:
    """Return normally distributed numbers of mean 0 and variance 1, in the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.randn_like(minigrad.ones(2)).shape
    torch.Size([2])
    """
def randperm(n: Any, *, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False) -> Tensor:
    """Return a random permutation of the integers below ``n``.

    >>> import minigrad
    >>> minigrad.randperm(4).sort().values
    tensor([0, 1, 2, 3])
    """
def range(start: builtins.complex, end: builtins.complex, step: builtins.complex = 1, *, out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = ..., device: _Device = None, requires_grad: builtins.bool = False) -> Tensor:
    """Return the numbers from ``start`` to ``end`` inclusive, of the default dtype. Deprecated: use ``arange``.

    >>> import minigrad
    >>> minigrad.range(1, 3)
    tensor([1., 2., 3.])
    """
def ravel(input: Tensor) -> Tensor:
    """Flatten to one dimension: a view or a copy, as the memory allows.

    >>> import minigrad
    >>> minigrad.ravel(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
def real(input: Tensor) -> Tensor:
    """Return a view of the real part of a complex tensor; a real tensor itself.

    >>> import minigrad
    >>> minigrad.real(minigrad.tensor([1 + 2j]))
    tensor([1.])
    """
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The reciprocal of each element: z = 1 / x;   dz/dx = -z².

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.reciprocal(minigrad.tensor([2, 4]))
    tensor([0.5000, 0.2500])
    """
def reciprocal_(input: Tensor) -> Tensor:
    """In-place version of ``reciprocal``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.reciprocal_() is x
    True
    """
def relu(input: Tensor) -> Tensor:
    """The rectified linear unit: z = max(x, 0); the slope is 0 where z = 0.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.relu(minigrad.tensor([-1., 0., 2.]))
    tensor([0., 0., 2.])
    """
def relu_(input: Tensor) -> Tensor:
    """In-place version of ``relu``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.relu_() is x
    True
    """
def remainder(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Compute ``input - floor(input / other) * other``, elementwise, with the sign of ``other``, like Python's ``%``.

    Raises RuntimeError where integers are divided by zero.

    >>> import minigrad
    >>> minigrad.remainder(minigrad.tensor([-3., 3.]), 2)
    tensor([1., 1.])
    """
def renorm(input: Tensor, p: builtins.complex, dim: builtins.int, maxnorm: builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Scale down the slices of ``input`` along ``dim`` whose ``p``-norm exceeds ``maxnorm``.

    >>> import minigrad
    >>> minigrad.renorm(minigrad.tensor([[3., 4.], [1., 0.]]), 2, 0, 1.)
    tensor([[0.6000, 0.8000],
            [1.0000, 0.0000]])
    """
def repeat_interleave(input: Tensor | None = None, repeats: Tensor | builtins.int | None = None, dim: builtins.int | None = None, *, output_size: builtins.int | None = None, axis: Any = None) -> Tensor:
    """Repeat each element (or slice along ``dim``) the same number of times, or as often as a tensor of integers says.

    Without ``dim`` the tensor is flattened. Given ``repeats`` only, returns each index that many times. Raises RuntimeError for a
    negative number, or if ``repeats`` does not fit the dimension.

    >>> import minigrad
    >>> minigrad.repeat_interleave(minigrad.tensor([1, 2]), minigrad.tensor([1, 3]))
    tensor([1, 2, 2, 2])
    """
def reshape(input: Tensor, shape: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Return ``input`` in another shape, in which one size may be -1: a view if the memory allows it, else a copy.

    Raises RuntimeError if the sizes do not fit.

    >>> import minigrad
    >>> minigrad.reshape(minigrad.arange(6), (3, 2)).shape
    torch.Size([3, 2])
    """
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: _memory_format | None = ...) -> Tensor:
    """Give the tensor the size of another, as ``resize_`` does.

    >>> import minigrad
    >>> minigrad.resize_as_(minigrad.arange(4), minigrad.ones(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
def resolve_conj(input: Tensor) -> Tensor:
    """Return a copy of a conjugate view with conjugated elements; any other tensor itself.

    >>> import minigrad
    >>> z = minigrad.tensor(1j)
    >>> minigrad.resolve_conj(z.conj()).is_conj(), minigrad.resolve_conj(z) is z
    (False, True)
    """
def resolve_neg(input: Tensor) -> Tensor:
    """Return a copy of a negative view with negated elements; any other tensor itself.

    >>> import minigrad
    >>> minigrad.resolve_neg(minigrad.tensor(1j).conj().imag).is_neg()
    False
    """
def result_type(tensor1: Any = None, tensor2: Any = None, *, tensor: Tensor | None = None, other: Tensor | builtins.complex | None = None, scalar: builtins.complex | None = None, scalar1: builtins.complex | None = None, scalar2: builtins.complex | None = None) -> _dtype:
    """Return the dtype of an operation between two tensors or numbers; raise TypeError for anything else.

    The keywords are those of PyTorch's overloads: ``tensor`` and ``other``, ``scalar`` and ``tensor``, ``scalar1`` and ``scalar2``.

    >>> import minigrad
    >>> minigrad.result_type(minigrad.ones(2, dtype=minigrad.int32), 1.5)
    torch.float32
    """
def rms_norm(input: Tensor, normalized_shape: Sequence[builtins.int], weight: Tensor | None = None, eps: builtins.float | None = None) -> Tensor:
    """Divide by the root mean square over the last dimensions, of sizes ``normalized_shape``: ``input / sqrt(mean of input² + eps) * weight``.

    ``eps`` defaults to the machine epsilon of the dtype. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.rms_norm(minigrad.tensor([1., 7.]), [2])
    tensor([0.2000, 1.4000])
    """
def rnn_relu(*args: Any, **named: Any) -> builtins.tuple[Tensor, Tensor]:
    """Apply layers of ``relu`` units to sequences; the function behind ``nn.RNN``. Its arguments are those of ``lstm``, with one state.

    ``input`` is (T, N, F), or (N, T, F) with ``batch_first``; returns the outputs and the last states.

    >>> import minigrad
    >>> weights = [minigrad.zeros(2, 3), minigrad.zeros(2, 2)]
    >>> output, h = minigrad.rnn_relu(minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]))
    """
def rnn_relu_cell(input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> Tensor:
    """Compute ``relu(input @ w_ih.T + b_ih + hx @ w_hh.T + b_hh)``: ``(N, X), (N, H) -> (N, H)``; raise RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.rnn_relu_cell(minigrad.ones(1, 3), minigrad.ones(1, 2), minigrad.zeros(2, 3), minigrad.eye(2))
    tensor([[1., 1.]])
    """
def rnn_tanh(*args: Any, **named: Any) -> builtins.tuple[Tensor, Tensor]:
    """Apply layers of ``tanh`` units to sequences; the function behind ``nn.RNN``. Its arguments are those of ``lstm``, with one state.

    ``input`` is (T, N, F), or (N, T, F) with ``batch_first``; returns the outputs and the last states.

    >>> import minigrad
    >>> weights = [minigrad.zeros(2, 3), minigrad.zeros(2, 2)]
    >>> output, h = minigrad.rnn_tanh(minigrad.ones(5, 1, 3), minigrad.zeros(1, 1, 2), weights, False, 1, 0.0, True, False, False)
    >>> output.shape, h.shape
    (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]))
    """
def rnn_tanh_cell(input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None) -> Tensor:
    """Compute ``tanh(input @ w_ih.T + b_ih + hx @ w_hh.T + b_hh)``: ``(N, X), (N, H) -> (N, H)``; raise RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.rnn_tanh_cell(minigrad.ones(1, 3), minigrad.ones(1, 2), minigrad.zeros(2, 3), minigrad.eye(2))
    tensor([[0.7616, 0.7616]])
    """
def roll(input: Tensor, shifts: builtins.int | Sequence[builtins.int], dims: builtins.int | Sequence[builtins.int] | None = None) -> Tensor:
    """Return a copy with elements shifted along dimensions; elements shifted past the end reappear at the beginning.

    Without ``dims`` the tensor is flattened first. Raises RuntimeError unless there are as many shifts as dimensions.

    >>> import minigrad
    >>> minigrad.roll(minigrad.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
def rot90(input: Tensor, k: builtins.int = 1, dims: Sequence[builtins.int] = ...) -> Tensor:
    """Return a copy rotated by ``k`` times 90 degrees in the plane of two dimensions, from the first towards the second.

    Raises RuntimeError unless two different dimensions are given.

    >>> import minigrad
    >>> minigrad.rot90(minigrad.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
def round(input: Tensor, *, decimals: builtins.int = 0, out: Tensor | None = None) -> Tensor:
    """Round to the nearest integer, or to ``decimals`` places; halves go to the even neighbour.

    >>> import minigrad
    >>> minigrad.round(minigrad.tensor([0.5, 1.5, -2.7]))
    tensor([ 0.,  2., -3.])
    """
def round_(input: Tensor, *, decimals: builtins.int = 0) -> Tensor:
    """In-place version of ``round``.

    >>> import minigrad
    >>> minigrad.tensor([1.26, -2.5]).round_(decimals=1)
    tensor([ 1.3000, -2.5000])
    """
def row_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The same as ``vstack``.

    >>> import minigrad
    >>> minigrad.row_stack([minigrad.tensor([1, 2]), minigrad.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
def rrelu(input: Tensor, lower: builtins.complex = ..., upper: builtins.complex = ..., training: builtins.bool = False, generator: Generator | None = None) -> Tensor:
    """Multiply negative elements by a random slope from [``lower``, ``upper``), or by the mean of the two unless ``training``.

    >>> import minigrad
    >>> minigrad.rrelu(minigrad.tensor([-1., 1.]), 0.2, 0.4)
    tensor([-0.3000,  1.0000])
    """
def rrelu_(input: Tensor, lower: builtins.complex = ..., upper: builtins.complex = ..., training: builtins.bool = False, generator: Generator | None = None) -> Tensor:
    """In-place version of ``rrelu``.

    >>> import minigrad
    >>> minigrad.rrelu_(minigrad.tensor([-4.8, 2.]))
    tensor([-1.1000,  2.0000])
    """
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The reciprocal of the square root of each element: z = 1 / √x;   dz/dx = -z³ / 2.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.rsqrt(minigrad.tensor([4., 0.]))
    tensor([0.5000,    inf])
    """
def rsqrt_(input: Tensor) -> Tensor:
    """In-place version of ``rsqrt``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.rsqrt_() is x
    True
    """
def rsub(input: Tensor, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex = 1) -> Tensor:
    """Compute ``other - alpha * input``, elementwise.

    >>> import minigrad
    >>> minigrad.rsub(minigrad.tensor([1., 2.]), 10)
    tensor([9., 8.])
    """
def scalar_tensor(s: builtins.complex, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return a 0-dim tensor holding a number, of the default dtype.

    >>> import minigrad
    >>> minigrad.scalar_tensor(2)
    tensor(2.)
    """
def scatter(input: Tensor, dim: builtins.int, index: Tensor, src: Tensor | builtins.complex | None = None, *, value: builtins.complex | None = None, reduce: builtins.str | None = None, out: Tensor | None = None) -> Tensor:
    """Return a copy of ``input`` with elements of ``src`` (a tensor, or one number) written at ``index`` along a dimension.

    ``reduce`` may be "add" or "multiply".  Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.scatter(minigrad.zeros(3), 0, minigrad.tensor([2, 0]), minigrad.tensor([1., 2.]))
    tensor([2., 0., 1.])
    """
def scatter_add(input: Tensor, dim: builtins.int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return a copy of ``input`` with elements of ``src`` added at ``index`` along a dimension.

    Raises RuntimeError if shapes or dtypes do not fit, or for an index out of range.

    >>> import minigrad
    >>> minigrad.scatter_add(minigrad.zeros(3), 0, minigrad.tensor([0, 0]), minigrad.tensor([1., 2.]))
    tensor([3., 0., 0.])
    """
def scatter_reduce(input: Tensor, dim: builtins.int, index: Tensor, src: Tensor, reduce: builtins.str, *, include_self: builtins.bool = True, out: Tensor | None = None) -> Tensor:
    """Return a copy of ``input`` with elements of ``src`` reduced into it at ``index`` along a dimension, by "sum", "prod", "mean", "amax"
    or "amin".

    The elements of ``input`` there are included if ``include_self``. Raises RuntimeError if shapes or dtypes do not fit.

    >>> import minigrad
    >>> minigrad.scatter_reduce(minigrad.ones(2), 0, minigrad.tensor([0, 0]), minigrad.tensor([2., 3.]), "prod")
    tensor([6., 1.])
    """
def searchsorted(sorted_sequence: Tensor, input: Tensor, *, out_int32: builtins.bool = False, right: builtins.bool = False, side: builtins.str | None = None, out: Tensor | None = None, sorter: Tensor | None = None) -> Tensor:
    """Return the indices at which ``input`` would have to be inserted into ``sorted_sequence`` (along its last dimension) to keep it sorted.

    Among equal elements that is before the first, or with ``right`` (or ``side="right"``) after the last.

    >>> import minigrad
    >>> minigrad.searchsorted(minigrad.tensor([1, 3, 5]), minigrad.tensor([3, 6]))
    tensor([1, 3])
    """
def seed() -> builtins.int:
    """Seed the default generator from the system's entropy; return the seed.

    >>> import minigrad
    >>> minigrad.seed() == minigrad.initial_seed()
    True
    """
def segment_reduce(data: Any, reduce: builtins.str, *, lengths: Any = None, indices: Tensor | None = None, offsets: Tensor | None = None, axis: Any = 0, unsafe: Any = False, initial: Any = None) -> Tensor:
    """Reduce consecutive segments of dimension ``axis``: the "sum", "mean", "max", "min" or "prod" of each.

    ``lengths`` has how many elements each segment has, or ``offsets`` where each begins and the last one ends; the dimensions before ``axis`` are
    those of ``data``. Reductions start with ``initial``, which is what an empty segment gives: by default 0, nan, -inf, inf and 1. ``unsafe`` allows
    lengths that do not add up to the size of the dimension. Raises NotImplementedError for integers, RuntimeError for what does not fit.

    >>> import minigrad
    >>> minigrad.segment_reduce(minigrad.tensor([1., 2., 3.]), "sum", lengths=minigrad.tensor([2, 0, 1]))
    tensor([3., 0., 3.])
    """
def select(input: Tensor, dim: builtins.int, index: builtins.int) -> Tensor:
    """Return a view of ``input`` at ``index`` of dimension ``dim``, which is removed.

    Raises IndexError if either is out of range.

    >>> import minigrad
    >>> minigrad.select(minigrad.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
def select_copy(input: Tensor, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``select`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.select_copy(minigrad.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([3, 4])
    """
def select_scatter(input: Tensor, src: Tensor, dim: builtins.int, index: builtins.int) -> Tensor:
    """Return a copy of ``input`` with ``src`` at ``index`` of a dimension; raises RuntimeError if the shape does not fit.

    >>> import minigrad
    >>> minigrad.select_scatter(minigrad.zeros(2, 2), minigrad.ones(2), 0, 1)
    tensor([[0., 0.],
            [1., 1.]])
    """
def selu(input: Tensor) -> Tensor:
    """Compute ``scale * elu(input, alpha)`` with the two constants that keep mean 0 and variance 1 from layer to layer.

    >>> import minigrad
    >>> minigrad.selu(minigrad.tensor([-1., 1.]))
    tensor([-1.1113,  1.0507])
    """
def selu_(input: Tensor) -> Tensor:
    """In-place version of ``selu``.

    >>> import minigrad
    >>> minigrad.selu_(minigrad.tensor([-1., 2.]))
    tensor([-1.1113,  2.1014])
    """
def set_anomaly_enabled(enabled: builtins.bool, check_nan: builtins.bool = True) -> None:
    """Switch anomaly mode of this thread on or off; raise TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_anomaly_enabled(False)
    """
def set_default_device(device: Any) -> None:
    """Set the device of new tensors in this thread: ``"cpu"``, None (the same), or ``"meta"``.

    Raises AssertionError or RuntimeError for any other device, as PyTorch does when the next tensor is made.

    >>> import minigrad
    >>> minigrad.set_default_device("cpu")
    """
def set_default_dtype(d: _dtype) -> None:
    """Set the dtype of tensors made from Python floats to ``d``.

    Raises TypeError if ``d`` is not a floating-point dtype.

    >>> import minigrad
    >>> minigrad.set_default_dtype(minigrad.float32)
    """
def set_default_tensor_type(t: Any) -> Tensor:
    """Make a floating-point tensor type, such as ``DoubleTensor`` or ``"torch.DoubleTensor"``, the default for tensors made from Python floats.

    Raises TypeError for another type, AttributeError for an unknown name.

    >>> import minigrad, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     minigrad.set_default_tensor_type(minigrad.FloatTensor)
    """
def set_deterministic_debug_mode(debug_mode: builtins.int | builtins.str) -> None:
    """Ask for deterministic algorithms by a mode: 0 or ``"default"`` is off, 1 or ``"warn"`` warns only, 2 or ``"error"`` is on.

    See ``use_deterministic_algorithms``. Raises TypeError or RuntimeError for anything else.

    >>> import minigrad
    >>> minigrad.set_deterministic_debug_mode("warn")
    >>> minigrad.get_deterministic_debug_mode()
    1
    >>> minigrad.set_deterministic_debug_mode(0)
    """
def set_float32_matmul_precision(precision: builtins.str) -> None:
    """Allow a lower precision for products of float32 matrices. They are computed in full float32 all the same.

    ``precision`` is ``"highest"``, ``"high"`` or ``"medium"``; anything else warns and changes nothing.

    >>> import minigrad
    >>> minigrad.set_float32_matmul_precision("highest")
    """
def set_flush_denormal(mode: builtins.str) -> builtins.bool:
    """Ask for denormal numbers to be flushed to zero; return False, because NumPy cannot do that.

    Raises RuntimeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_flush_denormal(True)
    False
    """
from .autograd.grad_mode import set_grad_enabled as set_grad_enabled
def set_num_interop_threads(n: Any) -> None:
    """Set the number that ``get_num_interop_threads`` returns, once; operators run in the thread that calls them.

    Raises RuntimeError if ``n`` is not a positive int, and for a second call.

    >>> import minigrad
    >>> minigrad.set_num_interop_threads(0)
    Traceback (most recent call last):
      ...
    RuntimeError: set_num_interop_threads expects a positive integer
    """
def set_printoptions(precision: Any = None, threshold: Any = None, edgeitems: Any = None, linewidth: Any = None, profile: Any = None, sci_mode: Any = None) -> None:
    """Set how tensors print from now on.

    An option left at ``None`` keeps its value, except ``sci_mode``, which every call sets.

    ``precision`` is the number of digits after the point; ``linewidth`` the length of a line in characters.
    A tensor of more than ``threshold`` entries shows only the ``edgeitems`` first and last of each dimension.
    ``sci_mode`` forces (``True``) or forbids (``False``) powers of ten; ``None`` decides for each tensor.
    ``profile`` (``"default"``, ``"short"`` or ``"full"``) sets all but ``sci_mode``, before the other
    arguments apply; any other name changes nothing, as in PyTorch.

    >>> import minigrad as torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([2.71828, -1.0])
    tensor([ 2.72, -1.00])
    >>> torch.set_printoptions(profile="default")
    """
def set_rng_state(new_state: Tensor) -> None:
    """Restore a state of the default generator that ``get_rng_state`` returned.

    >>> import minigrad
    >>> state, first = minigrad.get_rng_state(), minigrad.rand(2)
    >>> minigrad.set_rng_state(state)
    >>> minigrad.equal(minigrad.rand(2), first)
    True
    """
def set_warn_always(b: builtins.bool) -> None:
    """Set whether warnings that appear once in a program appear each time; raise RuntimeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.set_warn_always(False)
    """
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The direction of each element: z = x / |x|, 0 at 0.  For complex x the part of g along z does not change z: (g - Re(g z̄) z) / |x|.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sgn(minigrad.tensor([3 + 4j, 0j]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logistic sigmoid of each element: z = 1 / (1 + e⁻ˣ);   dz/dx = z (1 - z).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sigmoid(minigrad.tensor([-2., 0., 2.]))
    tensor([0.1192, 0.5000, 0.8808])
    """
def sigmoid_(input: Tensor) -> Tensor:
    """In-place version of ``sigmoid``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.sigmoid_() is x
    True
    """
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign of each element: z = -1, 0 or 1: the sign of x, 0 for nan; no gradient comes through.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sign(minigrad.tensor([-2., 0., float("nan")]))
    tensor([-1.,  0.,  0.])
    """
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return whether the sign bit of each element is set, that of -0 too; not for complex.

    >>> import minigrad
    >>> minigrad.signbit(minigrad.tensor([1., -0.]))
    tensor([False,  True])
    """
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine of each element: z = sin x;   dz/dx = cos x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sin(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.8415])
    """
def sin_(input: Tensor) -> Tensor:
    """In-place version of ``sin``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.sin_() is x
    True
    """
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The normalised sinc function of each element: z = sin(πx) / πx, 1 at 0;   dz/dx = (cos(πx) - z) / x, 0 at 0.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sinc(minigrad.tensor([0., 0.5, 1.5]))
    tensor([ 1.0000,  0.6366, -0.2122])
    """
def sinc_(input: Tensor) -> Tensor:
    """In-place version of ``sinc``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.sinc_() is x
    True
    """
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine of each element: z = sinh x;   dz/dx = cosh x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sinh(minigrad.tensor([0., 1.]))
    tensor([0.0000, 1.1752])
    """
def sinh_(input: Tensor) -> Tensor:
    """In-place version of ``sinh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.sinh_() is x
    True
    """
def slice_copy(input: Tensor, dim: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1, *, out: Tensor | None = None) -> Tensor:
    """Return a copy of a range along a dimension.

    >>> import minigrad
    >>> minigrad.slice_copy(minigrad.arange(5), 0, 1, 3)
    tensor([1, 2])
    """
def slice_scatter(input: Tensor, src: Tensor, dim: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1, *, out: Tensor | None = None) -> Tensor:
    """Return a copy of ``input`` with ``src`` at a range of a dimension; raises RuntimeError if the shape does not fit.

    >>> import minigrad
    >>> minigrad.slice_scatter(minigrad.zeros(3), minigrad.ones(2), start=1)
    tensor([0., 1., 1.])
    """
def slogdet(input: Tensor, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.slogdet:
    """Return the sign (phase) of the determinants of square matrices, and the logarithms of their magnitudes, as ``linalg.slogdet``.

    >>> import minigrad
    >>> minigrad.slogdet(minigrad.eye(2)).logabsdet
    tensor(0.)
    """
def smm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply a sparse matrix by a dense one; the result is sparse.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.smm(a, minigrad.tensor([[1.], [10.]])).to_dense()
    tensor([[20.],
            [ 0.]])
    """
def softmax(input: Tensor, dim: builtins.int | None = None, dtype: _dtype | None = None, *, out: Tensor | None = None, **names: Any) -> Tensor:
    """Scale the exponentials of the elements to sum to 1: ``exp(input) / exp(input).sum(dim)``; ``dtype`` converts first.

    Raises NotImplementedError for integers, IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.softmax(minigrad.tensor([0., 0.]), 0)
    tensor([0.5000, 0.5000])
    """
def solve(input: Tensor, A: Any, *, out: Tensor | None = None) -> Tensor:
    """Raise RuntimeError: removed in favour of ``linalg.solve``.

    >>> import minigrad
    >>> minigrad.solve(minigrad.ones(2, 1), minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
def sort(input: Tensor, dim: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool | None = None, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.sort:
    """Sort the elements along ``dim``; return them and their original indices; nan counts as the largest.

    The order of equal elements is kept, with or without ``stable``. Raises RuntimeError for complex tensors.

    >>> import minigrad
    >>> minigrad.sort(minigrad.tensor([3., 1., 2.]))
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([1, 2, 0]))
    """
def sparse_bsc_tensor(ccol_indices: Any, row_indices: Any, values: Tensor, size: Sequence[builtins.int] | None = None, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, check_invariants: Any = None) -> Tensor:
    """Make a sparse tensor in compressed columns of blocks (BSC), where each ``values[k]`` is a block; see ``sparse_csc_tensor``.

    >>> import minigrad
    >>> minigrad.sparse_bsc_tensor([0, 0, 1], [0], [[[2., 3.]]], (1, 4)).to_dense()
    tensor([[0., 0., 2., 3.]])
    """
def sparse_bsr_tensor(crow_indices: Any, col_indices: Any, values: Tensor, size: Sequence[builtins.int] | None = None, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, check_invariants: Any = None) -> Tensor:
    """Make a sparse tensor in compressed rows of blocks (BSR), where each ``values[k]`` is a block; see ``sparse_csr_tensor``.

    >>> import minigrad
    >>> minigrad.sparse_bsr_tensor([0, 1], [1], [[[2., 3.]]], (1, 4)).to_dense()
    tensor([[0., 0., 2., 3.]])
    """
def sparse_compressed_tensor(compressed_indices: Any, plain_indices: Any, values: Tensor, size: Sequence[builtins.int] | None = None, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, check_invariants: Any = None) -> Tensor:
    """Make a sparse tensor in the compressed ``layout``: row (or column) i has ``values`` and ``plain_indices`` from position
    ``compressed_indices[i]`` on.

    Raises RuntimeError for indices that violate the layout, unless ``check_invariants=False``.

    >>> import minigrad
    >>> minigrad.sparse_compressed_tensor([0, 1, 3], [1, 0, 1], [2., 3., 4.], (2, 2), layout=minigrad.sparse_csr).to_dense()
    tensor([[0., 2.],
            [3., 4.]])
    """
sparse_coo: layout
def sparse_coo_tensor(indices: Tensor, values: Tensor | None = None, size: Sequence[builtins.int] | None = None, *, dtype: _dtype | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, check_invariants: Any = None, is_coalesced: Any = None) -> Tensor:
    """Make a sparse tensor in coordinate format: ``values`` (n, *dense dimensions) at ``indices`` (sparse dimensions, n), zeros elsewhere.

    If an index occurs more than once, its values are summed. ``sparse_coo_tensor(size)`` is empty; without ``size``, it is the smallest
    that holds all indices. Gradients go to ``values``. Raises RuntimeError for indices out of range, unless ``check_invariants=False``,
    and for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3., 4., 5.], (2, 3)).to_dense()
    tensor([[0., 0., 3.],
            [4., 0., 5.]])
    """
def sparse_csc_tensor(ccol_indices: Any, row_indices: Any, values: Tensor, size: Sequence[builtins.int] | None = None, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, check_invariants: Any = None) -> Tensor:
    """Make a sparse tensor in compressed columns (CSC): column i has ``values[ccol_indices[i]:ccol_indices[i + 1]]`` in the rows given by
    ``row_indices``.

    >>> import minigrad
    >>> minigrad.sparse_csc_tensor([0, 1, 3], [1, 0, 1], [2., 3., 4.]).to_dense()
    tensor([[0., 3.],
            [2., 4.]])
    """
def sparse_csr_tensor(crow_indices: Any, col_indices: Any, values: Tensor, size: Sequence[builtins.int] | None = None, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, check_invariants: Any = None) -> Tensor:
    """Make a sparse tensor in compressed rows (CSR): row i has ``values[crow_indices[i]:crow_indices[i + 1]]`` in the columns given by
    ``col_indices``.

    >>> import minigrad
    >>> minigrad.sparse_csr_tensor([0, 1, 3], [1, 0, 1], [2., 3., 4.]).to_dense()
    tensor([[0., 2.],
            [3., 4.]])
    """
def split(tensor: Any, split_size_or_sections: Any, dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
    """Split along a dimension into a tuple of views: of one size (the last may be smaller), or of the sizes in a list.

    Raises RuntimeError if the sizes do not sum to the dimension's.

    >>> import minigrad
    >>> minigrad.split(minigrad.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
def split_copy(input: Tensor, split_size: builtins.int, dim: builtins.int = 0, *, out: Sequence[Tensor] | None = None) -> builtins.tuple[Tensor, ...]:
    """Return the result of ``split`` as a copy, in memory of their own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.split_copy(minigrad.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
def split_with_sizes(input: Tensor, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
    """Split along a dimension into a tuple of views of the sizes in a list.

    Raises RuntimeError if the sizes do not sum to the dimension's.

    >>> import minigrad
    >>> minigrad.split_with_sizes(minigrad.arange(3), [1, 2])
    (tensor([0]), tensor([1, 2]))
    """
def split_with_sizes_copy(input: Tensor, split_sizes: Sequence[builtins.int], dim: builtins.int = 0, *, out: Sequence[Tensor] | None = None) -> builtins.tuple[Tensor, ...]:
    """Return the result of ``split_with_sizes`` as a copy, in memory of their own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.split_with_sizes_copy(minigrad.arange(3), (1, 2))
    (tensor([0]), tensor([1, 2]))
    """
def spmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Multiply a sparse matrix by a dense one, as ``mm`` does; here both are dense.

    >>> import minigrad
    >>> minigrad.spmm(minigrad.ones(1, 3), minigrad.ones(3, 2))
    tensor([[3., 3.]])
    """
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root of each element: z = √x;   dz/dx = 1 / 2z.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sqrt(minigrad.tensor([4, 9]))
    tensor([2., 3.])
    >>> minigrad.sqrt(minigrad.tensor([-1.])), minigrad.sqrt(minigrad.tensor([-1 + 0j]))
    (tensor([nan]), tensor([0.+1.j]))
    """
def sqrt_(input: Tensor) -> Tensor:
    """In-place version of ``sqrt``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.sqrt_() is x
    True
    """
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the square of each element, ``input ** 2``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.square(minigrad.tensor([2, 3]))
    tensor([4, 9])
    """
def square_(input: Tensor) -> Tensor:
    """In-place version of ``square``.

    >>> import minigrad
    >>> minigrad.tensor([2, 3]).square_()
    tensor([4, 9])
    """
def squeeze(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, *, axis: Any = None) -> Tensor:
    """Return a view without the dimensions of size one, or without those in ``dim`` (one or several) that have size one.

    Raises IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.squeeze(minigrad.zeros(1, 3, 1)).shape
    torch.Size([3])
    """
def squeeze_copy(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, *, axis: Any = None, out: Tensor | None = None) -> Tensor:
    """Return the result of ``squeeze`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.squeeze_copy(minigrad.tensor([[1, 2]]))
    tensor([1, 2])
    """
def sspaddmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: builtins.complex = 1, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``beta * input + alpha * (mat1 @ mat2)`` for sparse ``input`` and ``mat1``, as a sparse tensor.

    >>> import minigrad
    >>> a = minigrad.tensor([[0., 2.], [0., 0.]]).to_sparse()
    >>> minigrad.sspaddmm(a, a, minigrad.eye(2)).to_dense()
    tensor([[0., 4.],
            [0., 0.]])
    """
def stack(tensors: Sequence[Tensor], dim: builtins.int = 0, *, out: Tensor | None = None, axis: Any = None) -> Tensor:
    """Stack tensors of one shape along a new dimension; their dtypes promote.

    Raises RuntimeError if shapes differ or the list is empty.

    >>> import minigrad
    >>> minigrad.stack([minigrad.tensor([1, 2]), minigrad.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
def std(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, *, correction: builtins.complex | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the standard deviation: of all elements, or along ``dim``. Its gradient is 0 where all elements are equal.

    >>> import minigrad
    >>> minigrad.std(minigrad.tensor([1., 2., 3.]))
    tensor(1.)
    """
def std_mean(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, *, correction: builtins.complex | None = None, **names: Any) -> builtins.tuple[Tensor, Tensor]:
    """Return the standard deviation and the mean: of all elements, or along ``dim``.

    >>> import minigrad
    >>> minigrad.std_mean(minigrad.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
def stft(input: Tensor, n_fft: Any, hop_length: Any = None, win_length: Any = None, window: Any = None, center: Any = True, pad_mode: Any = ..., normalized: Any = False, onesided: Any = None, return_complex: Any = None, align_to_window: Any = None) -> Tensor:
    """Compute the short-time Fourier transform, that of overlapping windows of a signal: (batch, time) -> (batch, frequency, window).

    Windows of ``n_fft`` elements (``win_length`` of which are non-zero) are ``hop_length`` apart; with ``center`` the first is centered
    at the beginning. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.stft(minigrad.ones(16), 8, window=minigrad.hann_window(8), return_complex=True).shape
    torch.Size([5, 9])
    """
strided: layout
def sub(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex | None = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``input - alpha * other``, elementwise; the operands broadcast and promote; not for bool.

    >>> import minigrad
    >>> minigrad.sub(minigrad.tensor([21., 42.]), minigrad.tensor([10., 20.]), alpha=2)
    tensor([1., 2.])
    """
def subtract(input: Tensor, other: Tensor | builtins.complex, *old: Any, alpha: builtins.complex = 1, out: Tensor | None = None) -> Tensor:
    """Compute ``input - alpha * other``, as ``sub`` does; beside a number, ``alpha`` may be given by position.

    >>> import minigrad
    >>> minigrad.subtract(minigrad.tensor([21., 42.]), 10, 2)
    tensor([ 1., 22.])
    """
def sum(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the sum of all elements, or along ``dim``: an int or several, with () for all.

    Integers and bools are summed in ``int64``; ``dtype`` converts first. Raises IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.sum(minigrad.tensor([[1., 2.], [3., 4.]]), dim=0)
    tensor([4., 6.])
    """
def svd(input: Tensor, some: builtins.bool = True, compute_uv: builtins.bool = True, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.svd:
    """Factorise ``input = U diag(S) V.mH`` as ``linalg.svd`` does, but return V.

    ``some`` gives the reduced form; without ``compute_uv``, U and V are zeros.

    >>> import minigrad
    >>> minigrad.svd(minigrad.tensor([[3., 0.], [0., 4.]])).S
    tensor([4., 3.])
    """
def svd_lowrank(A: Any, q: Any = 6, niter: Any = 2, M: Any = None) -> Tensor:
    """Approximate the ``q`` largest singular values of ``A`` (less ``M`` if given), and their vectors: ``A ≈ U diag(S) V.mH``.

    The method is randomised; ``niter`` steps of subspace iteration improve the result. [Halko et al. 2009]

    >>> import minigrad
    >>> minigrad.svd_lowrank(minigrad.diag(minigrad.tensor([3., 1., 0.])), q=1, niter=9)[1]
    tensor([3.])
    """
def swapaxes(input: Tensor, axis0: builtins.int, axis1: builtins.int) -> Tensor:
    """The same as ``transpose``.

    >>> import minigrad
    >>> minigrad.swapaxes(minigrad.ones(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
def swapdims(input: Tensor, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """The same as ``transpose``.

    >>> import minigrad
    >>> minigrad.swapdims(minigrad.ones(2, 3), 0, 1).shape
    torch.Size([3, 2])
    """
def symeig(input: Tensor, eigenvectors: Any = False, upper: builtins.bool = True, *, out: Tensor | None = None) -> Tensor:
    """Raise RuntimeError: removed in favour of ``linalg.eigh``.

    >>> import minigrad
    >>> minigrad.symeig(minigrad.eye(2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: This function was deprecated since version 1.9 and is now removed...
    """
def t(input: Tensor) -> Tensor:
    """Return the transpose of a matrix, as a view; a vector or 0-dim tensor itself.

    Raises RuntimeError for more dimensions.

    >>> import minigrad
    >>> minigrad.t(minigrad.zeros(2, 3)).shape
    torch.Size([3, 2])
    """
def t_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``t`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.t_copy(minigrad.tensor([[1, 2]]))
    tensor([[1],
            [2]])
    """
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the elements of the flattened ``input`` at ``index`` (int64), in the shape of ``index``.

    Raises IndexError for an index out of range.

    >>> import minigrad
    >>> minigrad.take(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([0, -1]))
    tensor([1, 4])
    """
def take_along_dim(input: Tensor, indices: Tensor, dim: builtins.int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Pick the elements of ``input`` at ``indices`` (int64) along a dimension; the other dimensions broadcast.

    Without ``dim``, both are flattened. Raises RuntimeError for an index out of range.

    >>> import minigrad
    >>> minigrad.take_along_dim(minigrad.tensor([[1, 2], [3, 4]]), minigrad.tensor([[1, 0]]), 1)
    tensor([[2, 1],
            [4, 3]])
    """
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent of each element: z = tan x;   dz/dx = 1 + z².

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.tan(minigrad.tensor([0., 1.]))
    tensor([0.0000, 1.5574])
    """
def tan_(input: Tensor) -> Tensor:
    """In-place version of ``tan``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.tan_() is x
    True
    """
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent of each element: z = tanh x;   dz/dx = 1 - z².

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.tanh(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.7616,  0.0000,  0.7616])
    """
def tanh_(input: Tensor) -> Tensor:
    """In-place version of ``tanh``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.tanh_() is x
    True
    """
def tensor(data: Any, *, dtype: _dtype | None = None, device: _Device = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False) -> Tensor:
    """Make a new tensor from a copy of ``data``: a number, nested sequences of numbers, an array, or a tensor.

    Python floats get the default dtype, integers int64; arrays keep their dtype.

    >>> import minigrad
    >>> minigrad.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
def tensor_split(input: Tensor, indices_or_sections: Any = None, dim: builtins.int = 0, *, indices: Sequence[builtins.int] | None = None, sections: builtins.int | None = None, tensor_indices_or_sections: Tensor | None = None) -> builtins.tuple[Tensor, ...]:
    """Split along a dimension into a tuple of views: a number of nearly equal size, or cut before the given indices.

    A keyword says which of the two is meant. Raises RuntimeError for a 0-dim tensor, or if the number of sections is not positive.

    >>> import minigrad
    >>> minigrad.tensor_split(minigrad.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
def tensordot(a: Any, b: Any, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Sum products over pairs of dimensions: the last ``dims`` of a with the first of b, or those in ``dims = (of a, of b)``.

    The result has the other dimensions of a, then those of b. Raises RuntimeError for sizes or dtypes that do not fit.

    >>> import minigrad
    >>> minigrad.tensordot(minigrad.ones(2, 3, 4), minigrad.ones(3, 4, 5)).shape
    torch.Size([2, 5])
    """
def thread_safe_generator() -> Generator | None:
    """Return the generator of a data-loading thread: None, because no thread has its own.

    >>> import minigrad
    >>> minigrad.thread_safe_generator() is None
    True
    """
def threshold(input: Tensor, threshold: builtins.complex, value: builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Keep elements greater than ``threshold``, and replace the others by ``value``.

    Keeps shape and dtype.

    >>> import minigrad
    >>> minigrad.threshold(minigrad.tensor([0., 1., 2.]), 1, 9)
    tensor([9., 9., 2.])
    """
def threshold_(input: Tensor, threshold: builtins.complex, value: builtins.complex) -> Tensor:
    """In-place version of ``threshold``.

    >>> import minigrad
    >>> minigrad.threshold_(minigrad.tensor([-3., 0.5]), 0., 9.)
    tensor([9.0000, 0.5000])
    """
def tile(input: Tensor, dims: builtins.int | Sequence[builtins.int]) -> Tensor:
    """Repeat a tensor as ``input.repeat`` does, but with missing leading numbers taken as 1.

    >>> import minigrad
    >>> minigrad.tile(minigrad.tensor([[1], [2]]), (2,))
    tensor([[1, 1],
            [2, 2]])
    """
def to_dlpack(tensor: Any) -> Any:
    """Export the tensor's memory as a DLPack capsule, which ``utils.dlpack.from_dlpack`` can consume once.

    >>> import minigrad
    >>> minigrad.utils.dlpack.from_dlpack(minigrad.to_dlpack(minigrad.ones(2)))
    tensor([1., 1.])
    """
def topk(input: Tensor, k: builtins.int, dim: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True, *, out: Tensor | Sequence[Tensor] | None = None, **names: Any) -> _named_results.topk:
    """Return the ``k`` largest (or smallest) elements along ``dim``, in order, and their indices; nan counts as the largest.

    Raises RuntimeError if there are fewer than ``k`` elements.

    >>> import minigrad
    >>> minigrad.topk(minigrad.tensor([3., 1., 2.]), 2)
    torch.return_types.topk(
    values=tensor([3., 2.]),
    indices=tensor([0, 2]))
    """
def trace(input: Tensor) -> Tensor:
    """Return the sum of a matrix's diagonal; integers are summed in ``int64``.

    Raises RuntimeError unless there are two dimensions.

    >>> import minigrad
    >>> minigrad.trace(minigrad.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
def transpose(input: Tensor, dim0: builtins.int, dim1: builtins.int) -> Tensor:
    """Return a view with two dimensions exchanged; raises IndexError for one out of range.

    >>> import minigrad
    >>> minigrad.transpose(minigrad.zeros(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """
def transpose_copy(input: Tensor, dim0: builtins.int, dim1: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``transpose`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.transpose_copy(minigrad.tensor([[1, 2]]), 0, 1)
    tensor([[1],
            [2]])
    """
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: builtins.complex | None = None, dim: builtins.int = -1) -> Tensor:
    """Integrate samples ``y`` along ``dim`` by the trapezoidal rule, at positions ``x`` or at distance ``dx``.

    >>> import minigrad
    >>> minigrad.trapezoid(minigrad.tensor([1., 5., 10.]))
    tensor(10.5000)
    """
def trapz(y: Tensor, x: Tensor | None = None, *, dx: builtins.float | None = None, dim: builtins.int = -1) -> Tensor:
    """Return the same as ``trapezoid``.

    >>> import minigrad
    >>> minigrad.trapz(minigrad.tensor([1., 5., 10.]))
    tensor(10.5000)
    """
def triangular_solve(input: Tensor, A: Tensor, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False, *, out: Tensor | Sequence[Tensor] | None = None) -> _named_results.triangular_solve:
    """Solve ``T X = input`` for the upper (or lower) triangle T of ``A``, or its transpose; return X and a copy of ``A``.

    ``A`` is (..., n, n), ``input`` and X are (..., n, k), of one floating or complex dtype.

    >>> import minigrad
    >>> minigrad.triangular_solve(minigrad.tensor([[4.]]), minigrad.tensor([[2.]])).solution
    tensor([[2.]])
    """
def tril(input: Tensor, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return a copy with zeros above a diagonal of the last two dimensions; a positive ``diagonal`` lies above the main one.

    Raises RuntimeError for fewer than two dimensions.

    >>> import minigrad
    >>> minigrad.tril(minigrad.ones(2, 2))
    tensor([[1., 0.],
            [1., 1.]])
    """
def tril_indices(row: builtins.int, col: builtins.int, offset: builtins.int = 0, *, dtype: _dtype | None = None, device: _Device = None, layout: _layout | None = None, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return the indices (2, n) of the lower triangle of a ``row`` x ``col`` matrix, row by row.

    >>> import minigrad
    >>> minigrad.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: builtins.float = ..., p: builtins.float = ..., eps: builtins.float = ..., swap: builtins.bool = False, reduction: builtins.int = 0) -> Tensor:
    """Compute ``max(d(anchor, positive) - d(anchor, negative) + margin, 0)``, where d is the ``p``-norm of the difference; reduced:
    ``(N, D) -> (N)``.

    >>> import minigrad
    >>> minigrad.triplet_margin_loss(minigrad.zeros(1, 2), minigrad.zeros(1, 2), minigrad.ones(1, 2), eps=0.)
    tensor([0.])
    """
def triu(input: Tensor, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return a copy with zeros below a diagonal of the last two dimensions; a positive ``diagonal`` lies above the main one.

    Raises RuntimeError for fewer than two dimensions.

    >>> import minigrad
    >>> minigrad.triu(minigrad.ones(2, 2))
    tensor([[1., 1.],
            [0., 1.]])
    """
def triu_indices(row: builtins.int, col: builtins.int, offset: builtins.int = 0, *, dtype: _dtype | None = None, device: _Device = None, layout: _layout | None = None, pin_memory: builtins.bool | None = False) -> Tensor:
    """Return the indices (2, n) of the upper triangle of a ``row`` x ``col`` matrix, row by row.

    >>> import minigrad
    >>> minigrad.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
def true_divide(input: Tensor | builtins.complex, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Divide ``input`` by ``other``, elementwise; integers give floating-point numbers.

    >>> import minigrad
    >>> minigrad.true_divide(minigrad.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    """
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded towards zero: z = x without its fraction.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.trunc(minigrad.tensor([-1.5, 1.5]))
    tensor([-1.,  1.])
    """
def trunc_(input: Tensor) -> Tensor:
    """In-place version of ``trunc``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.trunc_() is x
    True
    """
def typename(obj: Any) -> builtins.str:
    """Return the name of an object's type; for a tensor, that of 2017.

    >>> import minigrad
    >>> minigrad.typename(minigrad.ones(2)), minigrad.typename("text")
    ('torch.FloatTensor', 'str')
    """
def unbind(input: Tensor, dim: builtins.int = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
    """Return a tuple of views of ``input`` at each index of a dimension; raise IndexError if there is no such dimension.

    >>> import minigrad
    >>> minigrad.unbind(minigrad.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
def unbind_copy(input: Tensor, dim: builtins.int = 0, *, axis: Any = None, out: Sequence[Tensor] | None = None) -> builtins.tuple[Tensor, ...]:
    """Return the result of ``unbind`` as a copy, in memory of their own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.unbind_copy(minigrad.tensor([1, 2]))
    (tensor(1), tensor(2))
    """
def unflatten(input: Tensor, dim: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
    """Return a view with dimension ``dim`` split into ``sizes``, one of which may be -1.

    Raises RuntimeError unless the product of the sizes is that of the dimension.

    >>> import minigrad
    >>> minigrad.unflatten(minigrad.zeros(2, 6), 1, (3, -1)).shape
    torch.Size([2, 3, 2])
    """
def unfold_copy(input: Tensor, dimension: builtins.int, size: builtins.int, step: builtins.int, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``unfold`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.unfold_copy(minigrad.arange(4), 0, 2, 1)
    tensor([[0, 1],
            [1, 2],
            [2, 3]])
    """
def unique(input: Tensor, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
    """Return the distinct elements, or slices along ``dim``, in order (whatever ``sorted`` says); optionally also their positions and counts.

    >>> import minigrad
    >>> minigrad.unique(minigrad.tensor([3, 1, 1]), return_counts=True)
    (tensor([1, 3]), tensor([2, 1]))
    """
def unique_consecutive(input: Tensor, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
    """Return the elements, or slices along ``dim``, without consecutive repetitions.

    >>> import minigrad
    >>> minigrad.unique_consecutive(minigrad.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
def unravel_index(indices: Any, shape: Any) -> builtins.tuple[Tensor, ...]:
    """Convert indices into a flattened tensor of ``shape`` to a tuple of indices for each dimension.

    Raises ValueError for a negative size, TypeError for indices that are not integers.

    >>> import minigrad
    >>> minigrad.unravel_index(minigrad.tensor([1, 5]), (2, 3))
    (tensor([0, 1]), tensor([1, 2]))
    """
def unsafe_chunk(input: Tensor, chunks: builtins.int, dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
    """Split into chunks that share memory but are not views; see ``chunk``.

    >>> import minigrad
    >>> minigrad.unsafe_chunk(minigrad.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
def unsafe_split(input: Tensor, split_size: builtins.int, dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
    """Split into pieces of one size that share memory but are not views: write to a piece only if the others are not used.

    See ``split``.

    >>> import minigrad
    >>> minigrad.unsafe_split(minigrad.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> builtins.tuple[Tensor, ...]:
    """Split into pieces of the given sizes that share memory but are not views; see ``split_with_sizes``.

    >>> import minigrad
    >>> minigrad.unsafe_split_with_sizes(minigrad.arange(3), (1, 2))
    (tensor([0]), tensor([1, 2]))
    """
def unsqueeze(input: Tensor, dim: builtins.int | None = None, *, axis: Any = None) -> Tensor:
    """Return a view with a new dimension of size one at ``dim``; raises IndexError if it is out of range.

    >>> import minigrad
    >>> minigrad.unsqueeze(minigrad.tensor([1, 2]), 1)
    tensor([[1],
            [2]])
    """
def unsqueeze_copy(input: Tensor, dim: builtins.int | None = None, *, axis: Any = None, out: Tensor | None = None) -> Tensor:
    """Return the result of ``unsqueeze`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.unsqueeze_copy(minigrad.tensor([1, 2]), 0)
    tensor([[1, 2]])
    """
def use_deterministic_algorithms(mode: builtins.bool, *, warn_only: builtins.bool = False) -> None:
    """Ask for deterministic algorithms. All are deterministic, so nothing is refused, and nothing warns.

    ``empty`` and similar functions then fill what they make (see ``utils.deterministic``). Raises TypeError if the argument is not a bool.

    >>> import minigrad
    >>> minigrad.use_deterministic_algorithms(True)
    >>> minigrad.are_deterministic_algorithms_enabled()
    True
    >>> minigrad.use_deterministic_algorithms(False)
    """
def vander(x: Tensor, N: builtins.int | None = None, increasing: builtins.bool = False) -> Tensor:
    """Return the matrix of powers of a vector's elements, with falling exponents unless ``increasing``.

    >>> import minigrad
    >>> minigrad.vander(minigrad.tensor([1, 2, 3]), 2)
    tensor([[1, 1],
            [2, 1],
            [3, 1]])
    """
def var(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, *, correction: builtins.complex | None = None, out: Tensor | None = None, **names: Any) -> Tensor:
    """Return the variance, Σ (x - mean)² / (n - correction): of all elements, or along ``dim``.

    >>> import minigrad
    >>> minigrad.var(minigrad.tensor([1., 2., 3.]))
    tensor(1.)
    """
def var_mean(input: Tensor, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, keepdim: builtins.bool = False, *, correction: builtins.complex | None = None, **names: Any) -> builtins.tuple[Tensor, Tensor]:
    """Return the variance and the mean: of all elements, or along ``dim``.

    >>> import minigrad
    >>> minigrad.var_mean(minigrad.tensor([1., 2., 3.]))
    (tensor(1.), tensor(2.))
    """
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the dot product of two vectors, with ``input`` conjugated.

    >>> import minigrad
    >>> minigrad.vdot(minigrad.tensor([1j]), minigrad.tensor([1j]))
    tensor(1.+0.j)
    """
def view_as_complex(input: Tensor) -> Tensor:
    """Return a view of pairs of real numbers as complex numbers, (..., 2) -> (...).

    Raises RuntimeError unless the last dimension consists of two adjacent numbers.

    >>> import minigrad
    >>> minigrad.view_as_complex(minigrad.tensor([[1., 2.]]))
    tensor([1.+2.j])
    """
def view_as_complex_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``view_as_complex`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.view_as_complex_copy(minigrad.tensor([[1., 2.]]))
    tensor([1.+2.j])
    """
def view_as_real(input: Tensor) -> Tensor:
    """Return a view of a complex tensor as its real and imaginary parts, (...) -> (..., 2).

    Raises RuntimeError for a tensor that is not complex.

    >>> import minigrad
    >>> minigrad.view_as_real(minigrad.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
def view_as_real_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the result of ``view_as_real`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.view_as_real_copy(minigrad.tensor([1 + 2j]))
    tensor([[1., 2.]])
    """
def view_copy(input: Tensor, *shape: Any, size: Sequence[builtins.int] | None = None, dtype: _dtype | None = None, out: Tensor | None = None) -> Tensor:
    """Return the result of ``view`` as a copy, in memory of its own; shape and dtype are the same.

    >>> import minigrad
    >>> minigrad.view_copy(minigrad.arange(4), (2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
def vsplit(input: Tensor, indices_or_sections: Any = None, *, indices: builtins.int | Sequence[builtins.int] | None = None, sections: builtins.int | None = None) -> builtins.tuple[Tensor, ...]:
    """Split along the first dimension with ``tensor_split``; a number of sections must divide its size.

    >>> import minigrad
    >>> minigrad.vsplit(minigrad.arange(4).reshape(1, 2, 2), 1)[0].shape
    torch.Size([1, 2, 2])
    """
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along the first dimension, as rows if they are vectors.

    >>> import minigrad
    >>> minigrad.vstack([minigrad.tensor([1]), minigrad.tensor([2])])
    tensor([[1],
            [2]])
    """
@overload
def where(condition: Any) -> builtins.tuple[Tensor, ...]:
    """Return ``input`` where ``condition`` is true, and ``other`` elsewhere; all three broadcast, and ``input`` and ``other`` may be numbers.

    Given the condition alone, returns the indices where it is true, as ``nonzero(as_tuple=True)`` does.

    >>> import minigrad
    >>> x = minigrad.tensor([-1., 2.])
    >>> minigrad.where(x > 0, x, 0.)
    tensor([0., 2.])
    """
@overload
def where(condition: Any, input: Any, other: Any, *, out: Any = ...) -> Tensor:
    """Return ``input`` where ``condition`` is true, and ``other`` elsewhere; all three broadcast, and ``input`` and ``other`` may be numbers.

    Given the condition alone, returns the indices where it is true, as ``nonzero(as_tuple=True)`` does.

    >>> import minigrad
    >>> x = minigrad.tensor([-1., 2.])
    >>> minigrad.where(x > 0, x, 0.)
    tensor([0., 2.])
    """
def xlogy(input: Tensor, other: Tensor | builtins.complex, *, out: Tensor | None = None) -> Tensor:
    """Compute ``input * log(other)``, with 0 where ``input`` is 0 and ``other`` is not nan; either may be a number.

    >>> import minigrad
    >>> minigrad.xlogy(minigrad.tensor([0., 2.]), minigrad.tensor([0., 1.]))
    tensor([0., 0.])
    """
def xlogy_(input: Tensor, other: Tensor | builtins.complex) -> Tensor:
    """In-place version of ``xlogy``; returns the tensor.

    Keeps shape and dtype; raises RuntimeError if the result does not fit them.

    >>> import minigrad
    >>> x = minigrad.tensor([0.25, 0.5])
    >>> x.xlogy_(x) is x
    True
    """
def zero_(input: Tensor) -> Tensor:
    """Set every element to zero; return the tensor.

    >>> import minigrad
    >>> minigrad.ones(2).zero_()
    tensor([0., 0.])
    """
def zeros(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False, **named: Any) -> Tensor:
    """Return a tensor of zeros, of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
def zeros_like(input: Tensor, *, dtype: _dtype | None = None, layout: _layout | None = None, device: _Device = None, requires_grad: builtins.bool | None = False, pin_memory: builtins.bool | None = False, memory_format: _memory_format | None = ...) -> Tensor:
    """Return zeros of the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.zeros_like(minigrad.tensor([1, 2]))
    tensor([0, 0])
    """
