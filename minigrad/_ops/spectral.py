"""Fourier transforms: ``minigrad.fft``, and the short-time transforms ``stft`` and ``istft``."""

import operator

import numpy as np

from .._arrays.kernels import fourier
from .._base import dtypes
from .._base.composites import composite
from .._base.deprecation import warn_once
from .._base.dtypes import dtype_name
from .._base.errors import axis, dim_out_of_range, not_a_tensor, shape_text, too_large, type_name
from .._core.families import Linear, op
from .._core.out import write_out, write_result
from .._core.tensor import Tensor, wrap
from .._core.wrapped import elements
from .arrange import roll
from .batches import along
from .complex import conj, view_as_real
from .create import finish, sizes
from .create import np_dtype as dtype_of
from .index_slices import _index_select
from .overloads import refused
from .padding import constant_pad
from .parts import narrow, unfold, unfold_backward
from .permute import transpose
from .shape import squeeze, unsqueeze

__all__ = ["istft", "stft"]
METHODS = "istft stft"


# The three kernels -----------------------------------------------------------------------------------------------------------


class FftC2CBackward0(Linear):
    """z = F x along ``dim``; F is its own transpose."""
    batch = along("dim")
    def forward(x, dim, normalization, forward):      return fourier.fft_c2c(x, dim, normalization, forward)
    def vjp(xp, g, dim, normalization, forward):      return xp.fft_c2c(g, dim, normalization, forward)
fft_c2c = op(FftC2CBackward0)


class FftR2CBackward0(Linear):
    """z = F x of real x, without what follows from the rest if ``onesided``."""
    batch = along("dim")
    def forward(x, dim, normalization, onesided):     return fourier.fft_r2c(x, dim, normalization, onesided)
    def vjp(xp, g, shape, dim, normalization):        return xp.fft_c2c(xp.padded(g, shape), dim, normalization, True)
fft_r2c = op(FftR2CBackward0)


class FftC2RBackward0(Linear):
    """x = F⁻¹ z of one half of z, where x is real: what the other half adds doubles the gradient of the points between the ends."""
    batch = along("dim")
    conjugates = False
    def forward(x, dim, normalization, last_dim_size): return fourier.fft_c2r(x, dim, normalization, last_dim_size)
    def vjp(xp, g, dim, normalization, last_dim_size):
        return xp.inner_doubled(xp.fft_r2c(g, dim, normalization, True), dim[-1], last_dim_size)
fft_c2r = op(FftC2RBackward0)


def zeros_around(x, dim, before, behind):
    """``x`` with zeros before and behind it along one dimension, counted from the front."""
    return constant_pad(x, (0, 0) * (x._array.ndim - 1 - dim) + (before, behind), 0)


# Arguments -----------------------------------------------------------------------------------------------------------------


def _check(name, input):
    if not isinstance(input, Tensor):
        raise not_a_tensor(name, "input", 1, input)


def _floating(input):
    """``input`` in a dtype that can be transformed: integers become the default dtype."""
    if input.dtype.category < dtypes.FLOATING:
        return input.to(dtypes.get_default_dtype())
    if input.dtype.itemsize == 2:
        raise RuntimeError(f"Unsupported dtype {dtype_name(input)}")
    if input.dtype is dtypes.complex32:
        raise RuntimeError("MKL FFT doesn't support tensors of type: Half")
    return input


def _complex(input):
    input = _floating(input)
    return input if input.is_complex() else input.to(input.dtype.to_complex())


def _integer(name, argument, value, position, kind="int"):
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"{name}(): argument '{argument}' (position {position}) must be {kind}, not {type_name(value)}")


def _dimension(dim, ndim):
    if not ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return axis(dim, ndim)


def _points(n):
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")
    return n


def _normalization(norm, forward):
    if norm is None or norm == "backward":
        return 0 if forward else 2
    if norm == "ortho":
        return 1
    if norm == "forward":
        return 2 if forward else 0
    raise RuntimeError(f'Invalid normalization mode: "{norm}"')


def _resized(x, n, dim):
    """``x`` cut off, or with zeros behind it, to n elements along ``dim``."""
    have = x.shape[dim]
    return x if n == have else narrow(x, dim, 0, n) if n < have else zeros_around(x, dim, 0, n - have)


def _one_axis(name, input, n, dim):
    """The dimension and the number of points, None if not given."""
    dim = _dimension(_integer("fft_" + name, "dim", dim, 3), input.ndim)
    return dim, None if n is None else _points(_integer("fft_" + name, "n", n, 2))


def _axes(name, input, s, dim):
    """The dimensions and the number of points along each, -1 where not given."""
    ndim = input.ndim
    if dim is not None:
        dim = tuple(_dimension(_integer("fft_" + name, "dim", d, 3, "tuple of ints"), ndim) for d in (dim if isinstance(dim, (tuple, list)) else (dim,)))
        if len(set(dim)) < len(dim):
            raise RuntimeError("FFT dims must be unique")
    if s is None:
        dim = tuple(range(ndim)) if dim is None else dim
        return dim, [_points(input.shape[d]) for d in dim]
    s = [_integer("fft_" + name, "s", n, 2, "tuple of ints") for n in (s if isinstance(s, (tuple, list)) else (s,))]
    if dim is None:
        if len(s) > ndim:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions.")
        dim = tuple(range(ndim - len(s), ndim))
    elif len(dim) != len(s):
        raise RuntimeError("When given, dim and shape arguments must have the same length")
    return dim, [_points(input.shape[d] if n == -1 else n) for n, d in zip(s, dim)]


def _out(name, kernel, out, function, *args):
    """``function(*args)``, written into ``out`` if that is given: its dtype is looked at first, that of several dimensions after these."""
    if out is None:
        return function(*args)
    if out.__class__ is not Tensor:
        return write_out(out, function, *args, named=kernel)
    if name[-1] != "n":
        _check_kind(name, kernel, out)
    result = function(*args)
    if name[-1] == "n":
        _check_kind(name, kernel, out)
    return write_result(out, result, kernel)


def _check_kind(name, kernel, out):
    is_complex = kernel != "_fft_c2r"
    if not (out.is_complex() if is_complex else out.is_floating_point()):
        kind = "complex" if is_complex else "floating point"
        raise RuntimeError(f"{name} expects a {kind} output tensor, but got {dtype_name(out)}")


def _all_resized(x, dim, s):
    for d, n in zip(dim, s):
        x = _resized(x, n, d)
    return x


# Along one dimension -------------------------------------------------------------------------------------------------------


def _one_dimensional(name, input, n, dim, norm, forward):
    x = _floating(input)
    dim, n = _one_axis(name, input, n, dim)
    _points(input.shape[dim] if n is None else n)
    if n is not None:
        x = _resized(x, n, dim)
    if x.is_complex():
        return fft_c2c(x, (dim,), _normalization(norm, forward), forward)
    z = fft_r2c(x, (dim,), _normalization(norm, forward), False)
    return z if forward else conj(z)


@composite("fft_fft")
def fft(input, n=None, dim=-1, norm=None, *, out=None):
    """Compute the discrete Fourier transform along ``dim``, of ``n`` points: the input is cut off or padded with zeros.

    ``norm`` is "backward" (no factor), "ortho" (1/√n) or "forward" (1/n). Raises RuntimeError for an empty dimension.

    >>> import minigrad
    >>> minigrad.fft.fft(minigrad.tensor([1., 0., 0.]))
    tensor([1.+0.j, 1.+0.j, 1.+0.j])
    """
    _check("fft_fft", input)
    return _out("fft", "_fft_c2c" if input.is_complex() else "_fft_r2c", out, _one_dimensional, "fft", input, n, dim, norm, True)


@composite("fft_ifft")
def ifft(input, n=None, dim=-1, norm=None, *, out=None):
    """Compute the inverse of ``fft``; here ``norm="backward"`` means a factor of 1/n, "forward" none.

    (..., n, ...) -> (..., n, ...), complex.

    >>> import minigrad
    >>> minigrad.fft.ifft(minigrad.tensor([2., 2.])).real
    tensor([2., 0.])
    """
    _check("fft_ifft", input)
    return _out("ifft", "_fft_c2c" if input.is_complex() else "_fft_r2c", out, _one_dimensional, "ifft", input, n, dim, norm, False)


def _of_real(name, input, n, dim, norm, forward):
    if input.is_complex():
        raise RuntimeError(f"{name} expects a real input tensor, but got {dtype_name(input)}")
    x = _floating(input)
    dim, n = _one_axis(name, input, n, dim)
    x = _resized(x, _points(x.shape[dim] if n is None else n), dim)
    z = fft_r2c(x, (dim,), _normalization(norm, forward), True)
    return z if forward else conj(z)


@composite("fft_rfft")
def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Compute the ``fft`` of real numbers, without the half that is redundant: n points become ``n // 2 + 1``.

    >>> import minigrad
    >>> minigrad.fft.rfft(minigrad.tensor([1., 2., 3.])).shape
    torch.Size([2])
    """
    _check("fft_rfft", input)
    return _out("rfft", "_fft_r2c", out, _of_real, "rfft", input, n, dim, norm, True)


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Compute the inverse of ``hfft``: one half of the ``ifft`` of real numbers.

    >>> import minigrad
    >>> minigrad.fft.ihfft(minigrad.tensor([1., 2., 3.])).shape
    torch.Size([2])
    """
    _check("fft_ihfft", input)
    return _out("ihfft", "_fft_r2c", out, _in_dtype_of(out, _of_real), "ihfft", input, n, dim, norm, False)


def _in_dtype_of(out, function):
    """``function``, which raises RuntimeError unless its result has the dtype of ``out``, if that is a tensor."""
    def computed(*args):
        z = function(*args)
        if isinstance(out, Tensor) and out.dtype is not z.dtype:
            names = [dtypes.scalar_type_name(x.dtype) for x in (z, out)]
            raise RuntimeError("Found dtype {} but expected {}".format(*names))
        return z

    return function if out is None else computed


def _to_real(name, input, n, dim, norm, forward):
    x = _complex(input)
    dim, n = _one_axis(name, input, n, dim)
    n = _points(2 * (x.shape[dim] - 1) if n is None else n)
    x = _resized(x, n // 2 + 1, dim)
    return fft_c2r(conj(x) if forward else x, (dim,), _normalization(norm, forward), n)


@composite("fft_irfft")
def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Compute the inverse of ``rfft``: ``n`` real numbers from one half of their transform, by default 2 (m - 1) from m.

    >>> import minigrad
    >>> minigrad.fft.irfft(minigrad.fft.rfft(minigrad.tensor([1., 2., 3.])), n=3)
    tensor([1., 2., 3.])
    """
    _check("fft_irfft", input)
    return _out("irfft", "_fft_c2r", out, _to_real, "irfft", input, n, dim, norm, False)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    """Compute the ``fft`` of a Hermitian-symmetric signal, of which one half is given: ``n`` real numbers.

    >>> import minigrad
    >>> minigrad.fft.hfft(minigrad.tensor([1., 0., 0.]))
    tensor([1., 1., 1., 1.])
    """
    _check("fft_hfft", input)
    return _out("hfft", "_fft_c2r", out, _to_real, "hfft", input, n, dim, norm, True)


# Along several dimensions ----------------------------------------------------------------------------------------------------


def _several(name, input, s, dim, norm, forward):
    dim, s = _axes(name, input, s, dim)
    x = _all_resized(_complex(input), dim, s)
    return fft_c2c(x, dim, _normalization(norm, forward), forward)


@composite("fft_fftn")
def fftn(input, s=None, dim=None, norm=None, *, out=None):
    """Compute the ``fft`` along several dimensions, by default all, of ``s`` points (-1 keeps a size).

    >>> import minigrad
    >>> minigrad.fft.fftn(minigrad.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    _check("fft_fftn", input)
    return _out("fftn", "_fft_c2c", out, _several, "fftn", input, s, dim, norm, True)


@composite("fft_ifftn")
def ifftn(input, s=None, dim=None, norm=None, *, out=None):
    """Compute the inverse of ``fftn``.

    The shape is kept; the result is complex.

    >>> import minigrad
    >>> minigrad.fft.ifftn(minigrad.ones(2, 2))
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    _check("fft_ifftn", input)
    return _out("ifftn", "_fft_c2c", out, _several, "ifftn", input, s, dim, norm, False)


def _some_axes(name, input, s, dim):
    """Like ``_axes``, of which there must be one; without points, for the caller to check."""
    given = s
    dim, s = _axes(name, input, s, dim)
    if not dim:
        raise RuntimeError(f"{name} must transform at least one axis")
    return dim, s, given is not None


def _last_points(given, s, last):
    """How many real numbers a transform to real numbers yields along its last dimension."""
    if given is None:
        return _points(2 * (s[-1] - 1))
    n = (given if isinstance(given, (tuple, list)) else (given,))[-1]
    return _points(2 * (last - 1) if n == -1 else s[-1])


def _rfftn(input, s, dim, norm):
    if input.is_complex():
        raise RuntimeError(f"rfftn expects a real-valued input tensor, but got {dtype_name(input)}")
    dim, s, _ = _some_axes("rfftn", input, s, dim)
    x = _floating(input)
    return fft_r2c(_all_resized(x, dim, s), dim, _normalization(norm, True), True)


def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Compute the ``fftn`` of real numbers, without the redundant half along the last dimension.

    >>> import minigrad
    >>> minigrad.fft.rfftn(minigrad.ones(4, 4)).shape
    torch.Size([4, 3])
    """
    _check("fft_rfftn", input)
    return _out("rfftn", "_fft_r2c", out, _rfftn, input, s, dim, norm)


def _irfftn(input, s, dim, norm):
    dim, sizes_, _ = _some_axes("irfftn", input, s, dim)
    x = _complex(input)
    n = _last_points(s, sizes_, x.shape[dim[-1]])
    sizes_[-1] = n // 2 + 1
    return fft_c2r(_all_resized(x, dim, sizes_), dim, _normalization(norm, False), n)


def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Compute the inverse of ``rfftn``.

    Complex input; the last dimension, of size n, becomes 2 (n - 1), or as ``s`` says.

    >>> import minigrad
    >>> minigrad.fft.irfftn(minigrad.ones(4, 3)).shape
    torch.Size([4, 4])
    """
    _check("fft_irfftn", input)
    return _out("irfftn", "_fft_c2r", out, _irfftn, input, s, dim, norm)


def _hfftn(input, s, dim, norm):
    dim, sizes_, _ = _some_axes("hfftn", input, s, dim)
    x = _complex(input)
    n = _last_points(s, sizes_, x.shape[dim[-1]])
    sizes_[-1] = n // 2 + 1
    x = _all_resized(x, dim, sizes_)
    norm = _normalization(norm, True)
    if len(dim) > 1:
        x = fft_c2c(x, dim[:-1], norm, True)
    return fft_c2r(conj(x), dim[-1:], norm, n)


def hfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Compute the ``fftn`` of a Hermitian-symmetric signal, of which one half along the last dimension is given: real numbers.

    >>> import minigrad
    >>> minigrad.fft.hfftn(minigrad.ones(4, 3)).shape
    torch.Size([4, 4])
    """
    _check("fft_hfftn", input)
    return _out("hfftn", "_fft_c2r", out, _hfftn, input, s, dim, norm)


def _ihfftn(input, s, dim, norm, out):
    dim, s, _ = _some_axes("ihfftn", input, s, dim)
    if input.is_complex():
        raise RuntimeError(f"Only supports floating-point dtypes, but found: {dtype_name(input)}")
    x = _floating(input)
    norm = _normalization(norm, False)
    z = conj(fft_r2c(_all_resized(x, dim, s), dim[-1:], norm, True))
    if len(dim) == 1:
        return _in_dtype_of(out, lambda: z)()
    return fft_c2c(z, dim[:-1], norm, False)


def ihfftn(input, s=None, dim=None, norm=None, *, out=None):
    """Compute the inverse of ``hfftn``.

    Real input; the last dimension, of size n, becomes n // 2 + 1.

    >>> import minigrad
    >>> minigrad.fft.ihfftn(minigrad.ones(4, 4)).shape
    torch.Size([4, 3])
    """
    _check("fft_ihfftn", input)
    return _out("ihfftn", "_fft_r2c", out, _ihfftn, input, s, dim, norm, out)


def _along_two(several, shape):
    name = several.__name__[:-1] + "2"

    def function(input, s=None, dim=(-2, -1), norm=None, *, out=None):
        _check("fft_" + name, input)
        return several(input, s, dim, norm, out=out)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Compute ``{several.__name__}`` along two dimensions, by default the last two.

    >>> import minigrad
    >>> minigrad.fft.{name}(minigrad.ones(4, 4)).shape
    torch.Size({shape})
    """
    return function


fft2, ifft2 = _along_two(fftn, [4, 4]), _along_two(ifftn, [4, 4])
rfft2, irfft2 = _along_two(rfftn, [4, 3]), _along_two(irfftn, [4, 6])
hfft2, ihfft2 = _along_two(hfftn, [4, 6]), _along_two(ihfftn, [4, 3])
for _function in (fft2, ifft2):
    composite(f"fft_{_function.__name__}")(_function)


# Frequencies and order -------------------------------------------------------------------------------------------------------


def _frequencies(name, points, n, d, out, dtype, layout, device, pin_memory, requires_grad):
    chosen = dtype_of(name, dtype, out)
    if chosen.kind in "iub":
        raise RuntimeError(f"{name} requires a floating point or complex dtype")
    if chosen.kind == "c":
        type_ = dtypes.scalar_type_name(dtypes.from_numpy_dtype(chosen))
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{type_}'")
    with np.errstate(all="ignore"):
        array = points.astype(chosen) * (np.float64(1) / np.float64(n * d)).astype(chosen)
    if out is not None:
        kept = name == "rfftfreq" and isinstance(out, Tensor) and out.numel() == array.size
        return write_result(out, wrap(array.reshape(out.shape) if kept else array), name)
    return finish(array, requires_grad, device, layout, pin_memory)


def _places(n):
    """The integers below ``n`` as an array; raises RuntimeError for more of them than memory can address."""
    if n >= 2**60:
        raise too_large(ValueError(), (n,))
    return np.arange(n)


def fftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """Return the frequencies of an ``fft`` of ``n`` points at distance ``d``, in the order of its results.

    >>> import minigrad
    >>> minigrad.fft.fftfreq(4)
    tensor([ 0.0000,  0.2500, -0.5000, -0.2500])
    """
    (n,) = sizes("fftfreq", (_integer("fft_fftfreq", "n", n, 1),))
    points = _places(n)
    points[(n + 1) // 2 :] -= n
    return _frequencies("fftfreq", points, n, d, out, dtype, layout, device, pin_memory, requires_grad)


def rfftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """Return the frequencies of an ``rfft`` of ``n`` points at distance ``d``.

    >>> import minigrad
    >>> minigrad.fft.rfftfreq(4)
    tensor([0.0000, 0.2500, 0.5000])
    """
    n = _integer("fft_rfftfreq", "n", n, 1)
    (count,) = sizes("rfftfreq", (int(n / 2) + 1,))
    return _frequencies("rfftfreq", _places(count), n, d, out, dtype, layout, device, pin_memory, requires_grad)


def _shifted(input, dim, inverse):
    ndim = input.ndim
    dims = tuple(range(ndim)) if dim is None else tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    name = "fft_ifftshift" if inverse else "fft_fftshift"
    dims = [axis(_integer(name, "dim", d, 2, "tuple of ints"), ndim) for d in dims]
    if not dims or not ndim:
        raise RuntimeError("`shifts` required")
    return roll(input, [(input.shape[d] + inverse) // 2 for d in dims], dims)


@composite("fft_fftshift")
def fftshift(input, dim=None):
    """Move frequency 0 to the middle, by default along all dimensions.

    >>> import minigrad
    >>> minigrad.fft.fftshift(minigrad.fft.fftfreq(4))
    tensor([-0.5000, -0.2500,  0.0000,  0.2500])
    """
    return _shifted(input, dim, 0)


@composite("fft_ifftshift")
def ifftshift(input, dim=None):
    """Undo ``fftshift``.

    Shape and dtype are kept.

    >>> import minigrad
    >>> minigrad.fft.ifftshift(minigrad.tensor([-1., 0., 1.]))
    tensor([ 0.,  1., -1.])
    """
    return _shifted(input, dim, 1)


# Short-time transforms -----------------------------------------------------------------------------------------------------


def _reflected(n, before, behind):
    places = np.absolute(np.arange(-before, n + behind))
    return np.where(places >= n, 2 * (n - 1) - places, places)


_PADDING = {
    "reflect": _reflected,
    "replicate": lambda n, before, behind: np.clip(np.arange(-before, n + behind), 0, n - 1),
    "circular": lambda n, before, behind: np.arange(-before, n + behind) % n,
}


def _around(x, pad, mode):
    """``x`` with ``pad`` elements before and behind it along its last dimension."""
    n = x.shape[-1]
    dim = x.ndim - 1
    if mode == "constant":
        return zeros_around(x, dim, pad, pad)
    if not isinstance(mode, str):
        raise TypeError(f"pad(): argument 'mode' (position 3) must be str, not {type_name(mode)}")
    if mode not in _PADDING:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    extended = [1] * (3 - x.ndim) + list(x.shape)
    if x.ndim > 3 and mode != "constant":
        raise NotImplementedError(f"Padding size 2 is not supported for {x.ndim}D input tensor.")
    if 0 in extended:
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: "
            f"{shape_text(extended)}"
        )
    if mode == "reflect" and pad >= n:
        raise RuntimeError(
            f"Argument #4: Padding size should be less than the corresponding input dimension, but got: padding ({pad}, {pad}) "
            f"at dimension 2 of input {shape_text(extended)}"
        )
    return _index_select(x, wrap(_PADDING[mode](n, pad, pad)), dim)


def _window_text(window):
    return "None" if window is None else f"torch.{dtype_name(window)}Tensor{{{shape_text(window.shape)}}}"


def _to_length(window, win_length, n_fft, like):
    """The window of ``n_fft`` elements: ones if there is none, with zeros on both sides."""
    if window is None:
        window = like.new_ones(win_length, dtype=like.dtype)
    if win_length == n_fft:
        return window
    left = (n_fft - win_length) // 2
    return zeros_around(window, 0, left, n_fft - win_length - left)


def _warn_of_rectangle(name, why):
    """Warn once that a transform without a window takes the sharpest one, and ``why`` that may be unwanted."""
    warn_once(
        f"{name}() without a window",
        f"A window was not provided. A rectangular window will be applied{why}To suppress this warning and use a rectangular "
        "window, explicitly set `window=torch.ones(n_fft, device=<device>)`.",
        UserWarning,
    )


_INT = (int, np.integer, Tensor)
#: What the arguments of ``stft`` after the input may be, in PyTorch's order; and its form in words.
_KINDS_OF_STFT = (_INT, _INT, _INT, Tensor, bool, bool, bool, bool)
_FORMS_OF_STFT = (
    "(Tensor input, int n_fft, int hop_length, int win_length, Tensor window, bool normalized, bool onesided, bool return_complex, bool align_to_window)",
)


@composite
def stft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
    onesided=None, return_complex=None, align_to_window=None,
):
    """Compute the short-time Fourier transform, that of overlapping windows of a signal: (batch, time) -> (batch, frequency, window).

    Windows of ``n_fft`` elements (``win_length`` of which are non-zero) are ``hop_length`` apart; with ``center`` the first is centered
    at the beginning. Raises RuntimeError for sizes that do not fit.

    >>> import minigrad
    >>> minigrad.stft(minigrad.ones(16), 8, window=minigrad.hann_window(8), return_complex=True).shape
    torch.Size([5, 9])
    """
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    _check("stft", input)
    if window is None:
        _warn_of_rectangle(
            "stft",
            ",which is known to cause spectral leakage. Other windows such as torch.hann_window or torch.hamming_window are "
            "recommended to reduce spectral leakage.",
        )
    x = input
    if center:
        x = _around(unsqueeze(x, 0) if x.ndim == 0 else x, n_fft // 2, pad_mode)
    given = (n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)
    counts = [value for value in given[:3] if isinstance(value, Tensor)]
    if not all(value is None or isinstance(value, kind) for value, kind in zip(given, _KINDS_OF_STFT)) or any(n.ndim for n in counts):
        raise refused("stft", _FORMS_OF_STFT, input, *given)
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    of_complex = x.is_complex() or (window is not None and window.is_complex())
    if return_complex is None:
        if not of_complex:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will further require that "
                "return_complex=True in a future PyTorch release."
            )
        return_complex = True

    def error(what):
        flags = [None if flag is None else int(flag) for flag in (onesided, return_complex, align_to_window)]
        return RuntimeError(
            f"stft(torch.{dtype_name(x)}Tensor{shape_text(x.shape)}, n_fft={n_fft}, hop_length={hop_length}, "
            f"win_length={win_length}, window={_window_text(window)}, normalized={int(normalized)}, onesided={flags[0]}, "
            f"return_complex={flags[1]}, align_to_window={flags[2]}) : {what}"
        )

    if x.dtype.category < dtypes.FLOATING:
        raise error("expected a tensor of floating point or complex values")
    if not 0 < x.ndim < 3:
        raise error("expected a 1D or 2D tensor")
    single = x.ndim == 1
    if single:
        x = unsqueeze(x, 0)
    length = x.shape[1]
    if not 0 < n_fft <= length:
        x = squeeze(x, 0) if single else x
        raise error(f"expected 0 < n_fft < {length}, but got n_fft={n_fft}")
    if hop_length <= 0:
        raise error(f"expected hop_length > 0, but got hop_length={hop_length}")
    if not 0 < win_length <= n_fft:
        raise error(f"expected 0 < win_length <= n_fft, but got win_length={win_length}")
    if window is not None and tuple(window.shape) != (win_length,):
        raise error(
            f"expected a 1D window tensor of size equal to win_length={win_length}, but got window with size "
            f"{shape_text(window.shape)}"
        )
    if x.dtype.itemsize == 2:
        raise RuntimeError(f"Unsupported dtype {dtype_name(x)}")
    if onesided is None:
        onesided = not of_complex
    elif onesided and of_complex:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    if not center and align_to_window:
        x = zeros_around(x, 1, (n_fft - win_length) // 2, n_fft - win_length - (n_fft - win_length) // 2)
    frames = unfold(x, 1, n_fft, hop_length)
    if window is not None or win_length < n_fft:
        frames = frames * _to_length(window, win_length, n_fft, x)
    norm = 1 if normalized else 0
    z = fft_c2c(frames, (2,), norm, True) if frames.is_complex() else fft_r2c(frames, (2,), norm, bool(onesided))
    z = transpose(z, 1, 2)
    if single:
        z = squeeze(z, 0)
    return z if return_complex else view_as_real(z)


@composite
def istft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, length=None,
    return_complex=False,
):
    """Invert ``stft`` by least squares: (batch, frequency, window) -> (batch, time).

    Raises RuntimeError where no window covers a part of the signal.

    >>> import minigrad
    >>> window = minigrad.hann_window(8)
    >>> z = minigrad.stft(minigrad.ones(16), 8, window=window, return_complex=True)
    >>> minigrad.istft(z, 8, window=window).shape
    torch.Size([16])
    """
    _check("istft", input)
    if window is None:
        _warn_of_rectangle("istft", ".Please provide the same window used by stft to make the inversion lossless.")
    if not input.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length

    def error(what, colon=" :"):
        side = None if onesided is None else int(onesided)
        return RuntimeError(
            f"istft(CPU{dtype_name(input)}Type{shape_text(input.shape)}, n_fft={n_fft}, hop_length={hop_length}, "
            f"win_length={win_length}, window={_window_text(window)}, center={int(center)}, normalized={int(normalized)}, "
            f"onesided={side}, length={length}, return_complex={int(return_complex)}){colon} {what}"
        )

    if not input._array.size:
        raise error("input tensor cannot be empty.")
    if input.ndim < 2:
        raise dim_out_of_range(-3, input.ndim + 1)
    if input.ndim > 3:
        raise error(f"expected a tensor with 3 or 4 dimensions, but got {input.ndim + 1}")
    frequencies = input.shape[-2]
    two_sided = frequencies == n_fft if onesided is None else not onesided
    if onesided is None and frequencies != n_fft and frequencies != n_fft // 2 + 1:
        raise error(
            "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, "
            f"but got {frequencies}"
        )
    if two_sided and frequencies != n_fft:
        raise error(
            "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when onesided=False, but got "
            f"{frequencies}"
        )
    if not two_sided and frequencies != n_fft // 2 + 1:
        raise error(
            "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, "
            f"but got {frequencies}"
        )
    if not 0 < hop_length <= win_length:
        raise error("expected 0 < hop_length <= win_length")
    if not 0 < win_length <= n_fft:
        raise error("expected 0 < win_length <= n_fft")
    if window is not None and tuple(window.shape) != (win_length,):
        raise error("Invalid window shape. window has to be 1D and length of `win_length`")
    if return_complex and not two_sided:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    if window is not None and window.is_complex() and not return_complex:
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    frames = transpose(input if input.ndim == 3 else unsqueeze(input, 0), 1, 2)
    norm = 1 if normalized else 2
    if return_complex:
        frames = fft_c2c(frames, (2,), norm, False)
    else:
        frames = fft_c2r(narrow(frames, 2, 0, n_fft // 2 + 1) if two_sided else frames, (2,), norm, n_fft)
    weights = _to_length(window, win_length, n_fft, wrap(elements(input).real))
    weights = weights.to(frames.dtype) if weights.dtype.category < frames.dtype.category else weights
    batch, count = frames.shape[:2]
    total = n_fft + hop_length * (count - 1)
    y = unfold_backward((frames * weights).contiguous(), (batch, total), 1, n_fft, hop_length)
    squares = (weights * weights).expand(1, count, n_fft).contiguous()
    envelope = unfold_backward(squares, (1, total), 1, n_fft, hop_length)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - n_fft // 2 if center else total
    end_inside = min(end, total)
    y, envelope = (narrow(t, 1, start, end_inside - start) for t in (y, envelope))
    if not (np.absolute(elements(envelope)) > 1e-11).all():
        raise error("window overlap add min: 1\n[ CPUBoolType{} ]", "")
    y = y / envelope
    if end > total:
        y = zeros_around(y, 1, 0, end - total)
    return squeeze(y, 0) if input.ndim == 2 else y
