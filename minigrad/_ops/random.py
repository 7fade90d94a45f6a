"""Random numbers: PyTorch's, for the same seed.  The numbers are made in ``_arrays/random/distributions.py``; here they become tensors."""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from .._arrays.random import distributions
from .._arrays.random import generator as generators
from .._arrays.unresolved import resolved
from .._base import device as devices
from .._base import dtypes
from .._base.argument_kinds import no_form
from .._base.composites import composite
from .._base.deprecation import old_form
from .._base.device import Device as _Device
from .._base.device import check as check_device
from .._base.device import device as named_device
from .._base.dtypes import dtype as _dtype
from .._base.dtypes import dtype_name, known, scalar_type_name
from .._base.errors import broadcast_shapes, not_a_tensor, type_name
from .._base.guards import explain, explain_failure
from .._base.publishing import publish
from .._core import late
from .._core.families import Op, op
from .._core.inplace import write
from .._core.modes import thread_state
from .._core.out import write_out, write_result
from .._core.packed import refuse_packed
from .._core.storage import check_overlap
from .._core.tensor import Tensor, wrap
from .create import (
    allocated,
    array_like,
    dtype_of,
    empty,
    finish,
    into_out,
    np_dtype,
    real_number,
    size_or_named,
    sizes,
)
from .drawing import apart, in_transform, overwrite, refuse_out, sampled, sizes_of
from .operands import need_tensors
from .overloads import refused
from .scalars import as_limit, number_of
from .sizes import as_int
from .undifferentiable import undifferentiable

__all__ = [
    "Generator", "bernoulli", "binomial", "default_generator", "get_rng_state", "initial_seed",
    "manual_seed", "multinomial", "normal", "poisson", "rand", "rand_like", "randint", "randint_like",
    "randn", "randn_like", "randperm", "seed", "set_rng_state", "thread_safe_generator",
]
METHODS = (
    "bernoulli bernoulli_ cauchy_ exponential_ geometric_ log_normal_ multinomial=multinomial_method "
    "normal=normal_method normal_ random_ uniform_"
)


# Generators ----------------------------------------------------------------------------------------------------------------


class Generator(generators.Generator):
    """A source of random numbers with a seed and a state of its own.

    >>> import minigrad
    >>> g = minigrad.Generator().manual_seed(0)
    >>> minigrad.rand(2, generator=g)
    tensor([0.4963, 0.7682])
    """

    __slots__ = ()
    device: Any = devices.CPU

    def __init__(self, device: _Device = "cpu") -> None:
        devices.check(device)
        super().__init__()

    def get_state(self) -> Tensor:
        """The state as a uint8 tensor, PyTorch's bytes."""
        return wrap(self.state_bytes())

    def set_state(self, new_state: Tensor) -> "Generator":
        """Continue from a state that ``get_state`` returned; returns the generator.

        Raises TypeError unless it is a uint8 tensor, RuntimeError if it is no state.
        """
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type_name(new_state)}")
        self.load_state_bytes(new_state._array)
        return self

    def __reduce__(self) -> Any:
        return type(self), (self.device,), (self.initial_seed(), None, self.get_state())

    def __setstate__(self, state: Any) -> None:
        self.set_state(state[2])

    def graphsafe_get_state(self) -> "Generator":
        """The generator itself: its state is not captured by any graph."""
        return self


publish("minigrad", Generator)


def _make_default():
    # the one that fills fall back to, as a generator of the public kind
    generator = Generator()
    generator.seed()
    generators._default = generator
    return generator


default_generator = _make_default()


def manual_seed(seed: int) -> Generator:
    """Seed the default generator with ``seed``, an integer in [-2**63, 2**64); return the generator.

    >>> import minigrad
    >>> _ = minigrad.manual_seed(0)
    >>> minigrad.rand(2)
    tensor([0.4963, 0.7682])
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Seed the default generator from the system's entropy; return the seed.

    >>> import minigrad
    >>> minigrad.seed() == minigrad.initial_seed()
    True
    """
    return default_generator.seed()


def thread_safe_generator() -> Generator | None:
    """Return the generator of a data-loading thread: None, because no thread has its own.

    >>> import minigrad
    >>> minigrad.thread_safe_generator() is None
    True
    """
    return None


def initial_seed() -> int:
    """Return the seed that the default generator started from.

    >>> import minigrad
    >>> generator = minigrad.manual_seed(3)
    >>> minigrad.initial_seed()
    3
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Return the state of the default generator, a uint8 tensor.

    >>> import minigrad
    >>> minigrad.get_rng_state().dtype
    torch.uint8
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Restore a state of the default generator that ``get_rng_state`` returned.

    >>> import minigrad
    >>> state, first = minigrad.get_rng_state(), minigrad.rand(2)
    >>> minigrad.set_rng_state(state)
    >>> minigrad.equal(minigrad.rand(2), first)
    True
    """
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, _caller: str = "fork_rng", _devices_kw: str = "devices", device_type: Any = None) -> Iterator[Any]:
    """Restore the state of the default generator at the end of the ``with`` block.

    Raises an error for ``devices`` other than the CPU: there are none.

    >>> import minigrad
    >>> before = minigrad.get_rng_state()
    >>> with minigrad.random.fork_rng():
    ...     _ = minigrad.rand(3)
    >>> minigrad.equal(minigrad.get_rng_state(), before)
    True
    """
    kind = named_device(device_type or "cuda").type
    if not enabled:
        yield
        return
    for number in devices or ():
        check_device(f"{kind}:{number}" if isinstance(number, int) else number)
    state = default_generator.state_bytes()
    try:
        yield
    finally:
        default_generator.load_state_bytes(state)


def _source(name, generator):
    if generator is not None and not isinstance(generator, generators.Generator):
        raise TypeError(f"{name}(): argument 'generator' must be torch.Generator, not {type_name(generator)}")
    return generator


# New tensors ---------------------------------------------------------------------------------------------------------------


def _filled(name, fill, size, named, generator, out, dtype, rest):
    if rest[1] is not None and devices.is_meta(rest[1]):
        return late.meta().without_elements(_filled, name, fill, size, named, generator, out, dtype, rest)
    generator = _source(name, generator)
    shape = sizes(name, size_or_named(name, size, named))
    if out is not None:
        refuse_out()
        dtype = None if dtype is None else known(name, dtype)
        dtype_of(name, out)
        # into elements in the order of memory, as in place
        fits = out._array.shape == shape
        array = np.empty_like(out._array, subok=False) if fits else np.empty(shape, out._array.dtype)
        return into_out(name, out, fill(array, generator), dtype)
    levels = apart() if thread_state.levels else ()
    array = _unfilled((*sizes_of(levels), *shape), np_dtype(name, dtype))
    return finish(fill(array, generator), *rest, levels=levels)


@composite("empty")
def _unfilled(shape, dtype):
    """An array to be filled: a step that a profile shows."""
    return allocated(shape, dtype)


def _filled_like(name, fill, input, generator, dtype, memory_format, rest):
    device = rest[1]
    if device is None and isinstance(input, Tensor) and input.is_meta:
        device = devices.META
        rest = (rest[0], device, *rest[2:])
    if device is not None and devices.is_meta(device):
        kind = input.dtype if dtype is None else dtype
        if name == "randn_like" and not (kind.is_floating_point or kind.is_complex):
            raise RuntimeError(f"expected a floating-point or complex dtype, but got dtype={kind}")
        return late.meta().without_elements(_filled_like, name, fill, input, generator, dtype, memory_format, rest)
    levels = apart() if thread_state.levels else ()
    array = array_like(name, input, dtype, memory_format, samples=sizes_of(levels))
    return finish(fill(array, _source(name, generator)), *rest, input, levels)


@composite
def rand(
    *size: Any, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False, pin_memory: bool = False, **named: Any
) -> Any:
    """Return numbers drawn uniformly from [0, 1), of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.rand(2, 3).shape
    torch.Size([2, 3])
    """
    rest = (requires_grad, device, layout, pin_memory)
    try:
        return _filled("rand", distributions.fill_uniform, size, named, generator, out, dtype, rest)
    except Exception:
        explain_failure(rand, generator, out, dtype, layout, device, requires_grad, pin_memory, size, named)
        raise


@composite
def randn(
    *size: Any, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False, pin_memory: bool = False, **named: Any
) -> Any:
    """Return normally distributed numbers of mean 0 and variance 1, of the default dtype unless ``dtype`` is given.

    >>> import minigrad
    >>> minigrad.randn(2, 3).shape
    torch.Size([2, 3])
    """
    rest = (requires_grad, device, layout, pin_memory)
    try:
        return _filled("randn", distributions.fill_normal, size, named, generator, out, dtype, rest)
    except Exception:
        explain_failure(randn, generator, out, dtype, layout, device, requires_grad, pin_memory, size, named)
        raise


_RANDINTS = (
    "(int high, tuple of ints size, *, Generator generator = None, ...)",
    "(int low, int high, tuple of ints size, *, Generator generator = None, ...)",
)


@composite
def randint(
    low: Any = None, high: Any = None, size: Any = None, *, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Any:
    """Return a tensor of ``size`` with integers from [low, high), int64 unless ``dtype`` is given; ``randint(high, size)`` starts from 0.

    >>> import minigrad
    >>> minigrad.randint(5, 6, (3,))
    tensor([5, 5, 5])
    """
    given = [v for v in (low, high, size) if v is not None]
    if isinstance(high, (tuple, list)) and size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    elif low is None:
        low = 0
    if not isinstance(size, (tuple, list)) or high is None:
        if size is None and isinstance(high, int) and len(given) == 2:
            raise TypeError(f"randint(): argument 'size' (position 2) must be tuple of ints, not {type_name(high)}")
        raise refused("randint", _RANDINTS, *given)
    low, high = _bounds("randint", low, high)
    fill = lambda array, generator: distributions.fill_random(array, generator, low, high)
    dtype = dtypes.int64 if dtype is None and out is None else dtype
    rest = (requires_grad, device, layout, pin_memory)
    return _filled("randint", fill, (size,), {}, generator, out, dtype, rest)


def _bounds(name, low, high):
    for argument, value in (("low", low), ("high", high)):
        if not hasattr(value, "__index__"):
            raise TypeError(f"{name}(): argument '{argument}' must be int, not {type_name(value)}")
    low, high = low.__index__(), high.__index__()
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    return low, high


@composite
def randperm(
    n: Any, *, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False, pin_memory: bool = False
) -> Any:
    """Return a random permutation of the integers below ``n``.

    >>> import minigrad
    >>> minigrad.randperm(4).sort().values
    tensor([0, 1, 2, 3])
    """
    if isinstance(n, bool) or not hasattr(n, "__index__"):
        raise TypeError(f"randperm(): argument 'n' (position 1) must be int, not {type_name(n)}")
    if dtype is not None:
        dtype = known("randperm", dtype)
    elif out is not None:
        dtype = dtype_of("randperm", out)
    else:
        dtype = dtypes.int64
    n, generator = n.__index__(), _source("randperm", generator)
    if out is not None:
        refuse_out()
        return into_out("randperm", out, distributions.permutation(n, generator, dtype.np), dtype)
    if device is not None and devices.is_meta(device):
        return empty(n, dtype=dtype, device=device, requires_grad=requires_grad, layout=layout)
    levels = apart() if thread_state.levels else ()
    array = _permutations(sizes_of(levels), n, generator, dtype.np)
    return finish(array, requires_grad, device, layout, pin_memory, levels=levels)


def _permutations(sizes, n, generator, dtype):
    """A permutation for each sample; the samples of the innermost batch are in the outer loop, as in PyTorch."""
    if not sizes:
        return distributions.permutation(n, generator, dtype)
    return np.stack([_permutations(sizes[:-1], n, generator, dtype) for _ in range(sizes[-1])], len(sizes) - 1)


@composite
def rand_like(
    input: Tensor, *, generator: Generator | None = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False, pin_memory: bool = False,
    memory_format: Any = devices.preserve_format,
) -> Any:
    """Return numbers drawn uniformly from [0, 1), in the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.rand_like(minigrad.ones(2)).shape
    torch.Size([2])
    """
    rest = (requires_grad, device, layout, pin_memory)
    return _filled_like("rand_like", distributions.fill_uniform, input, generator, dtype, memory_format, rest)


@composite
def randn_like(
    input: Tensor, *, generator: Generator | None = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False, pin_memory: bool = False,
    memory_format: Any = devices.preserve_format,
) -> Any:
    """Return normally distributed numbers of mean 0 and variance 1, in the shape, dtype and memory order of ``input``.

    >>> import minigrad
    >>> minigrad.randn_like(minigrad.ones(2)).shape
    torch.Size([2])
    """
    rest = (requires_grad, device, layout, pin_memory)
    return _filled_like("randn_like", distributions.fill_normal, input, generator, dtype, memory_format, rest)


@composite
def randint_like(
    input: Tensor, low: int = 0, high: Any = None, *, generator: Generator | None = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False, pin_memory: bool = False,
    memory_format: Any = devices.preserve_format,
) -> Any:
    """Return integers from [low, high), in the shape, dtype and memory order of ``input``; ``randint_like(input, high)`` starts from 0.

    >>> import minigrad
    >>> minigrad.randint_like(minigrad.ones(2), 5, 6)
    tensor([5., 5.])
    """
    if high is None:
        low, high = 0, low
    if isinstance(high, Tensor):
        if high.dim():
            raise RuntimeError("high must be a scalar tensor and on CPU")
        high = int(high.item())
    low, high = _bounds("randint_like", real_number(low), real_number(high))
    fill = lambda array, generator: distributions.fill_random(array, generator, low, high)
    rest = (requires_grad, device, layout, pin_memory)
    return _filled_like("randint_like", fill, input, generator, dtype, memory_format, rest)


# Distributions by tensors --------------------------------------------------------------------------------------------------


class BernoulliBackward0(Op):
    """z = 1 with probability x, else 0; no gradient comes through."""
    draws = True
    gives_zeros = True
    def forward(x, generator): return distributions.fill_bernoulli(np.empty(x.shape, x.dtype), generator, x)
    def vjp(xp, g): return xp.zeros_like(g)
@undifferentiable
class BernoulliOfNumber(Op):
    """z = 1 with probability p, a number, else 0, in the shape and dtype of x."""
    public = "bernoulli"
    def forward(x, p, generator): return distributions.fill_bernoulli(np.empty(x.shape, x.dtype), generator, p)
class PoissonBackward0(Op):
    """z = a Poisson number of rate x; no gradient comes through."""
    draws = True
    gives_zeros = True
    def forward(x, generator): return distributions.poisson(x, generator)
    def vjp(xp, g): return xp.zeros_like(g)
@undifferentiable
class Binomial(Op):
    """z = successes of x trials with probability y."""
    operands, names, broadcasts, public = "x y", {"x": "count", "y": "prob"}, True, "binomial"
    def forward(x, y, generator): return distributions.binomial(x, y, generator)
class NormalBackward1(Op):
    """z = normal numbers of mean x and a number as standard deviation; no gradient comes through."""
    draws = True
    aten = "normal.Tensor_float"
    gives_zeros, names = True, {"x": "mean"}
    public = "normal"
    def forward(x, std, generator): return distributions.normal(x, std, generator)
    def vjp(xp, g): return xp.zeros_like(g)
class NormalBackward2(Op):
    """z = normal numbers of a number as mean and standard deviation x; no gradient comes through."""
    draws = True
    aten = "normal.float_Tensor"
    gives_zeros = True
    public = "normal"
    def forward(x, mean, generator): return distributions.normal(mean, x, generator)
    def vjp(xp, g): return xp.zeros_like(g)
class NormalBackward3(Op):
    """z = normal numbers of mean x and standard deviation y, in the dtype of x; no gradient comes through."""
    draws = True
    aten = "normal.Tensor_Tensor"
    gives_zeros = True
    operands, names, public = "x y", {"x": "mean", "y": "std"}, "normal"
    def forward(x, y, generator, of_std):   return distributions.normal(x, y, generator)
    def vjp_x(xp, g, x_shape):              return xp.sum_to(xp.zeros_like(g), x_shape)
    def vjp_y(xp, g, y_shape, of_std):      return xp.astype(xp.sum_to(xp.zeros_like(g), y_shape), of_std)


def _drawn_from(kind, draw, *operands):
    return draw if late.remember_draw is None or thread_state.levels else late.remember_draw(kind, draw, operands)


_bernoulli, _bernoulli_of_number = op(BernoulliBackward0), op(BernoulliOfNumber)
_poisson, _binomial = op(PoissonBackward0), op(Binomial)
_normal_mean, _normal_std, _normal_both = op(NormalBackward1), op(NormalBackward2), op(NormalBackward3)


def bernoulli(input: Tensor, p: float | None = None, *, generator: Generator | None = None, out: Any = None) -> Any:
    """Draw 1 with the probabilities in ``input`` (or with probability ``p``), else 0.

    The result has the shape and dtype of ``input``, a floating-point one.

    >>> import minigrad
    >>> minigrad.bernoulli(minigrad.tensor([0., 1.]))
    tensor([0., 1.])
    """
    generator = _source("bernoulli", generator)
    if not isinstance(input, Tensor):
        raise not_a_tensor("bernoulli", "input", 1, input)
    if p is not None:
        if isinstance(p, Tensor) and (p.ndim or p.requires_grad):
            raise TypeError(
                "bernoulli() received an invalid combination of arguments - got (Tensor, Tensor), but expected one of:\n"
                " * (Tensor input, *, torch.Generator generator = None, Tensor out = None)\n"
                " * (Tensor input, float p, *, torch.Generator generator = None)\n"
            )
        if p.__class__ is not float or out is not None:
            explain(bernoulli, {"input": input, "p": p} | ({} if out is None else {"out": out}))
        p = float(p)
        return sampled(lambda x: _bernoulli_of_number(x, p, generator), input)
    if out is not None:
        refuse_out()
        return write_out(out, _like_out, out, input, generator, named="bernoulli")
    return _drawn_from("bernoulli", sampled(lambda x: _bernoulli(x, generator), input), input)


def _like_out(out, probability, generator):
    """Draws of ``out``'s dtype, whatever the dtype of the probabilities is."""
    check_overlap(out)
    return wrap(distributions.fill_bernoulli(np.empty(probability._array.shape, out._array.dtype), generator, probability._array))


def poisson(input: Tensor, generator: Generator | None = None) -> Any:
    """Draw Poisson-distributed numbers with the rates in ``input``.

    >>> import minigrad
    >>> minigrad.poisson(minigrad.zeros(2))
    tensor([0., 0.])
    """
    generator = _source("poisson", generator)
    return sampled(lambda x: _poisson(x, generator), input)


def binomial(count: Any, prob: Any, generator: Generator | None = None) -> Any:
    """Draw the number of successes among ``count`` trials of probability ``prob``, two floating-point tensors that broadcast.

    >>> import minigrad
    >>> minigrad.binomial(minigrad.tensor([10.]), minigrad.tensor([1.]))
    tensor([10.])
    """
    need_tensors("binomial", count=count, prob=prob)
    for name, x in (("count", count), ("prob", prob)):
        if not x.is_floating_point():
            raise ValueError(f"binomial only supports floating-point dtypes for {name}, got: {scalar_type_name(x.dtype)}")
    if count.dtype is not prob.dtype:
        raise RuntimeError(
            f"Found dtype {scalar_type_name(prob.dtype)} but expected {scalar_type_name(count.dtype)}"
        )
    generator = _source("binomial", generator)
    return sampled(lambda x, y: _binomial(x, y, generator), count, prob)


@composite
def normal(
    mean: Any, std: float = 1.0, size: Any = None, *, generator: Generator | None = None, out: Any = None, dtype: _dtype | None = None, layout: Any = None, device: _Device = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Any:
    """Draw normally distributed numbers: ``mean`` and ``std`` are tensors or numbers, or two numbers with a ``size``.

    >>> import minigrad
    >>> minigrad.normal(minigrad.tensor([1., 2.]), 0.)
    tensor([1., 2.])
    """
    generator = _source("normal", generator)
    if size is not None:
        numbers = [number_of(mean), number_of(std)]
        if None in numbers or isinstance(mean, complex) or isinstance(std, complex) or not isinstance(size, tuple | list):
            raise no_form("normal", {"mean": mean, "std": std, "size": size})
        mean, std = as_limit(numbers[0], "normal", "mean", 1), as_limit(numbers[1], "normal", "std", 2)
        fill = lambda array, generator: distributions.fill_normal(array, generator, float(mean), float(std))
        return _filled("normal", fill, (size,), {}, generator, out, dtype, (requires_grad, device, layout, pin_memory))
    if out is not None:
        refuse_out()
        if isinstance(mean, Tensor) and not isinstance(std, Tensor) and isinstance(out, Tensor):
            shape = broadcast_shapes([mean._array.shape, out._array.shape])
            write_out(out, mean.new_zeros, shape, dtype=out.dtype, named="normal")
            return out.normal_(0, std, generator=generator).add_(mean)
        if isinstance(std, Tensor) and std.is_floating_point() and isinstance(out, Tensor):  # drawn in the dtype of out
            shape = broadcast_shapes([x._array.shape for x in (mean, std) if isinstance(x, Tensor)])
            write_out(out, std.new_zeros, shape, dtype=out.dtype, named="normal")
            distributions.check_std(resolved(std._array))
            return out.normal_(generator=generator).mul_(std).add_(mean)
        return write_out(out, normal, mean, std, generator=generator)
    if isinstance(mean, Tensor):
        if isinstance(std, Tensor):
            draw = sampled(lambda x, y: _normal_both(x, y, generator, y._array.dtype), mean, std)
            return _drawn_from("normal_both", draw, mean, std)
        std = float(std)
        return _drawn_from("normal_mean", sampled(lambda x: _normal_mean(x, std, generator), mean), mean, std)
    if isinstance(std, Tensor):
        mean = float(mean)
        return _drawn_from("normal_std", sampled(lambda x: _normal_std(x, mean, generator), std), mean, std)
    raise no_form("normal", {"mean": mean, "std": std})


@composite
def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator | None = None, out: Any = None) -> Any:
    """Draw ``num_samples`` indices for each row of ``input`` (1 or 2 dimensions), whose elements are their weights.

    Raises RuntimeError for weights that are negative, not finite or all zero, and for too many samples without replacement.

    >>> import minigrad
    >>> minigrad.multinomial(minigrad.tensor([0., 1.]), 3, replacement=True)
    tensor([1, 1, 1])
    """
    if not isinstance(input, Tensor):
        raise not_a_tensor("multinomial", "input", 1, input)
    generator = _source("multinomial", generator)
    if out is not None and out.dtype is not dtypes.int64:
        raise RuntimeError(f"multinomial expects Long tensor out, got: {dtype_name(out)}")
    n = as_int(num_samples, "multinomial", "num_samples", 2)
    if out is not None:
        refuse_out()
    if thread_state.levels and 0 < input._array.ndim <= 2:
        result = sampled(lambda x: wrap(_by_rows(x._array, n, replacement, generator)), input)
    else:
        result = sampled(lambda x: wrap(distributions.multinomial(x._array, n, replacement, generator)), input)
    if out is not None:
        return write_result(out, result, "multinomial")
    if input._volatile:
        return input._spread(result)  # type: ignore[attr-defined]
    return result if late.remember_draw is None or thread_state.levels else late.remember_draw("multinomial", result, (input,), replacement)


def _by_rows(weights, n, replacement, generator):
    """``n`` indices for each of the rows, however many dimensions of samples stand before them."""
    rows = np.ascontiguousarray(weights).reshape(-1, weights.shape[-1]) if weights.ndim > 1 else weights
    return distributions.multinomial(rows, n, replacement, generator).reshape((*weights.shape[:-1], n))


def multinomial_method(input, num_samples=None, replacement=False, *, generator=None):
    """The same as ``multinomial``.

    >>> import minigrad
    >>> minigrad.tensor([0., 1., 0.]).multinomial(2, replacement=True)
    tensor([1, 1])
    """
    if num_samples is None:
        old_form("multinomial() without a number of samples", "Use `multinomial(1)` instead.")
        num_samples = 1
    return multinomial(input, num_samples, replacement, generator=generator)


def normal_method(input, std=1.0, *, generator=None):
    """Draw normally distributed numbers with the means in ``input``; see ``normal``.

    >>> import minigrad
    >>> minigrad.tensor([1., 2.]).normal(0.)
    tensor([1., 2.])
    """
    old_form("x.normal(std)", "Use `torch.normal(x, std)` instead.")
    return normal(input, std, generator=generator)


multinomial_method.__name__ = multinomial_method.__qualname__ = "multinomial"
normal_method.__name__ = normal_method.__qualname__ = "normal"


# In place ------------------------------------------------------------------------------------------------------------------


def _drawn(name, public_name, **facts):
    """The node of an op that writes random numbers over x: no gradient comes through."""
    body = {
        "__slots__": (), "__doc__": _drawn.__doc__, "__module__": __name__, "public": public_name,
        "forward": lambda x: x, "vjp": lambda xp, g: xp.zeros_like(g), "gives_zeros": True, **facts,
    }
    return type(name, (Op,), body)


UniformBackward0 = _drawn("UniformBackward0", "uniform")
NormalBackward0 = _drawn("NormalBackward0", "normal")
RandomBackward0 = _drawn("RandomBackward0", "random")
RandomBackward1 = _drawn("RandomBackward1", "random")
RandomBackward2 = _drawn("RandomBackward2", "random")
BernoulliBackward2 = _drawn("BernoulliBackward2", "bernoulli", aten_="bernoulli_.float")
ExponentialBackward0 = _drawn("ExponentialBackward0", "exponential")
GeometricBackward0 = _drawn("GeometricBackward0", "geometric")
CauchyBackward0 = _drawn("CauchyBackward0", "cauchy")
LogNormalBackward0 = _drawn("LogNormalBackward0", "log_normal")


class BernoulliBackward1(Op):
    """1 with the probability p, a tensor, else 0, written over x; no gradient comes through."""
    aten_ = "bernoulli_.Tensor"
    gives_zeros = True
    operands, broadcasts, names, public = "x p", True, {"x": "self", "p": "p", "z": "result"}, "bernoulli"
    def forward(x, p): return x
    def vjp_x(xp, g): return xp.zeros_like(g)
    def vjp_p(xp, g): return xp.zeros_like(g)


def uniform_(self, from_=0, /, to=1, *, generator=None, **named):
    """Fill with numbers drawn uniformly from [from, to); return the tensor.

    >>> import minigrad
    >>> minigrad.empty(2).uniform_(3, 3)
    tensor([3., 3.])
    """
    low = _from("uniform_", from_, named)
    generator = _source("uniform_", generator)
    return _overwritten(UniformBackward0, self, lambda x: distributions.fill_uniform(x, generator, _real(low), _real(to)))


def _real(value):
    """A parameter of a distribution as a float; raises TypeError for what has dimensions, or is an array: the guard says it in PyTorch's words."""
    if isinstance(value, np.ndarray) or (isinstance(value, Tensor) and value.ndim):
        raise TypeError(f"a number is expected, not {type_name(value)}")
    return float(value)


def _overwritten(node, x, fill):
    """``x``, with random numbers written over it by ``fill(array)``; ``node``: the class of its new history."""
    if in_transform(x):
        return overwrite(x, lambda sizes: fill(np.empty((*sizes, *x._array.shape), x._array.dtype)))
    return write(node, x, (), (), fill)


def _from(name, value, named):
    """The argument that PyTorch calls ``from``, which no Python function can."""
    for key in named:
        if key != "from":
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
    return named.get("from", value)


def normal_(self, mean=0, std=1, *, generator=None):
    """Fill with normally distributed numbers; return the tensor.

    >>> import minigrad
    >>> minigrad.empty(2).normal_(3, 0)
    tensor([3., 3.])
    """
    generator = _source("normal_", generator)
    return _overwritten(NormalBackward0, self, lambda x: distributions.fill_normal(x, generator, _real(mean), _real(std)))


def random_(self, *args, generator=None, **named):
    """Fill with integers: ``random_()`` over the dtype's range, ``random_(to)`` from [0, to), ``random_(from, to)`` from [from, to).

    >>> import minigrad
    >>> minigrad.empty(2).random_(3, 4)
    tensor([3., 3.])
    """
    for key in named:
        if key not in ("from", "to"):
            raise TypeError(f"random_() got an unexpected keyword argument '{key}'")
    if len(args) + len(named) > 2:
        raise TypeError(f"random_() takes from 0 to 2 positional arguments but {len(args)} were given")
    values = dict(zip(("from", "to") if len(args) == 2 or "to" in named else ("to",), args))
    values.update(named)
    if any(x.__class__ is bool or x is None or isinstance(x, np.ndarray) for x in values.values() if x is not values.get("to") or "from" not in values or x is not None):
        raise no_form("random_", values)
    low, high = values.get("from"), values.get("to")
    node = RandomBackward2 if not values else RandomBackward0 if "from" in values else RandomBackward1
    refuse_packed(self._array, "random_kernel_cpu")
    generator = _source("random_", generator)
    return _overwritten(node, self, lambda x: distributions.fill_random(x, generator, low, high))


def bernoulli_(self, p=0.5, *, generator=None):
    """Fill with 1 with probability ``p``, a number or a tensor that broadcasts, else 0; return the tensor.

    >>> import minigrad
    >>> minigrad.empty(2).bernoulli_(1)
    tensor([1., 1.])
    """
    refuse_packed(self._array, "bernoulli_tensor_cpu_self_" if isinstance(p, Tensor) else "bernoulli_scalar_cpu_")
    generator = _source("bernoulli_", generator)
    if isinstance(p, Tensor):
        if in_transform(self) or in_transform(p):
            dtype, shape = self._array.dtype, self._array.shape
            draw = lambda sizes, p: distributions.fill_bernoulli(np.empty((*sizes, *shape), dtype), generator, p)
            return overwrite(self, draw, p)
        if not self._array.size:
            return self
        if p._array.shape != self._array.shape:
            p = p.expand(self._array.shape)  # which says what does not fit
        return write(BernoulliBackward1, self, (p,), (), lambda x, p: distributions.fill_bernoulli(x, generator, p))
    return _overwritten(BernoulliBackward2, self, lambda x: distributions.fill_bernoulli(x, generator, _real(p)))


def exponential_(self, lambd=1, *, generator=None):
    """Fill with exponentially distributed numbers of mean ``1 / lambd``; return the tensor.

    >>> import minigrad
    >>> x = minigrad.empty(1000).exponential_(2.)
    >>> bool((x > 0).all()), 0.4 < x.mean().item() < 0.6
    (True, True)
    """
    generator = _source("exponential_", generator)
    return _overwritten(ExponentialBackward0, self, lambda x: distributions.fill_exponential(x, generator, _real(lambd)))


def geometric_(self, p, *, generator=None):
    """Fill with the numbers of trials up to the first success of probability ``p``; return the tensor.

    >>> import minigrad
    >>> minigrad.empty(3, dtype=minigrad.int64).geometric_(0.999999).shape
    torch.Size([3])
    """
    generator = _source("geometric_", generator)
    return _overwritten(GeometricBackward0, self, lambda x: distributions.fill_geometric(x, generator, _real(p)))


def cauchy_(self, median=0, sigma=1, *, generator=None):
    """Fill with numbers from the Cauchy distribution; return the tensor.

    >>> import minigrad
    >>> minigrad.empty(3).cauchy_().shape
    torch.Size([3])
    """
    generator = _source("cauchy_", generator)
    return _overwritten(CauchyBackward0, self, lambda x: distributions.fill_cauchy(x, generator, _real(median), _real(sigma)))


def log_normal_(self, mean=1, std=2, *, generator=None):
    """Fill with numbers whose logarithm is normally distributed; return the tensor.

    >>> import minigrad
    >>> bool((minigrad.empty(1000).log_normal_() > 0).all())
    True
    """
    generator = _source("log_normal_", generator)
    return _overwritten(LogNormalBackward0, self, lambda x: distributions.fill_log_normal(x, generator, _real(mean), _real(std)))
