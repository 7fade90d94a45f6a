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
from ._base.device import Device as _Device
from ._api import Generator
from ._core.tensor import Tensor as Tensor

def airy_ai(x: Any, *, out: Any = None) -> Tensor:
    """The Airy function Ai(x). Needs SciPy.

    Works on each element ``x``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.airy_ai(minigrad.tensor([0., 1.]))
    tensor([0.3550, 0.1353])
    """
def bessel_j0(input: Tensor, *, out: Any = None) -> Tensor:
    """The Bessel function of the first kind of order 0, J₀(x).  Needs SciPy.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.bessel_j0(minigrad.tensor([1.]))
    tensor([0.7652])
    """
def bessel_j1(input: Tensor, *, out: Any = None) -> Tensor:
    """The Bessel function of the first kind of order 1, J₁(x).  Needs SciPy.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.bessel_j1(minigrad.tensor([1.]))
    tensor([0.4401])
    """
def bessel_y0(input: Tensor, *, out: Any = None) -> Tensor:
    """The Bessel function of the second kind of order 0, Y₀(x).  Needs SciPy.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.bessel_y0(minigrad.tensor([1.]))
    tensor([0.0883])
    """
def bessel_y1(input: Tensor, *, out: Any = None) -> Tensor:
    """The Bessel function of the second kind of order 1, Y₁(x).  Needs SciPy.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.bessel_y1(minigrad.tensor([1.]))
    tensor([-0.7812])
    """
def chebyshev_polynomial_t(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The Chebyshev polynomial of the first kind of degree n at x, such as 2x² - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.chebyshev_polynomial_t(minigrad.tensor([2.]), 2)
    tensor([7.])
    """
def chebyshev_polynomial_u(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The Chebyshev polynomial of the second kind of degree n at x, such as 4x² - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.chebyshev_polynomial_u(minigrad.tensor([2.]), 2)
    tensor([15.])
    """
def chebyshev_polynomial_v(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The Chebyshev polynomial of the third kind of degree n at x, such as 4x² - 2x - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.chebyshev_polynomial_v(minigrad.tensor([2.]), 2)
    tensor([11.])
    """
def chebyshev_polynomial_w(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The Chebyshev polynomial of the fourth kind of degree n at x, such as 4x² + 2x - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.chebyshev_polynomial_w(minigrad.tensor([2.]), 2)
    tensor([19.])
    """
def digamma(input: Tensor, *, out: Any = None) -> Tensor:
    """The digamma function of each element: z = d/dx log |Γ(x)|;   dz/dx = polygamma(1, x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.digamma(minigrad.tensor([1., 2.]))
    tensor([-0.5772,  0.4228])
    """
def entr(input: Tensor, *, out: Any = None) -> Tensor:
    """The entropy of each element: z = -x log x, 0 at 0, -inf for negative x;   dz/dx = -1 - log x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.entr(minigrad.tensor([-1., 0., 0.5]))
    tensor([  -inf, 0.0000, 0.3466])
    """
def erf(input: Tensor, *, out: Any = None) -> Tensor:
    """The error function of each element: z = 2/√π times the integral of exp(-t²) from 0 to x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.erf(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.8427,  0.0000,  1.0000])
    """
def erfc(input: Tensor, *, out: Any = None) -> Tensor:
    """The complementary error function of each element: z = 1 - erf x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.erfc(minigrad.tensor([-1., 0., 5.]))
    tensor([1.8427e+00, 1.0000e+00, 1.5375e-12])
    """
def erfcx(input: Tensor, *, out: Any = None) -> Tensor:
    """The scaled complementary error function of each element: z = exp(x²) erfc(x);   dz/dx = 2 x z - 2/√π.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.erfcx(minigrad.tensor([0., 10.]))
    tensor([1.0000, 0.0561])
    """
def erfinv(input: Tensor, *, out: Any = None) -> Tensor:
    """The inverse error function of each element: z = the number whose erf is x;   dz/dx = √π/2 exp(z²).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.erfinv(minigrad.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.4769,    inf])
    """
def exp2(input: Tensor, *, out: Any = None) -> Tensor:
    """Two to the power of each element: z = 2ˣ;   dz/dx = z log 2.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.exp2(minigrad.tensor([0., 3., -1.]))
    tensor([1.0000, 8.0000, 0.5000])
    """
def expit(input: Tensor, *, out: Any = None) -> Tensor:
    """The logistic sigmoid of each element: z = 1 / (1 + e⁻ˣ);   dz/dx = z (1 - z).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sigmoid(minigrad.tensor([-2., 0., 2.]))
    tensor([0.1192, 0.5000, 0.8808])
    """
def expm1(input: Tensor, *, out: Any = None) -> Tensor:
    """The exponential of each element minus one: z = eˣ - 1, exact near 0;   dz/dx = z + 1.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.expm1(minigrad.tensor([0., 1e-10]))
    tensor([0.0000e+00, 1.0000e-10])
    """
def gammainc(input: Tensor, other: Any, *, out: Any = None) -> Tensor:
    """The regularised lower incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from 0 to y;   dz/dy = yˣ⁻¹ e⁻ʸ / Γ(x).

    Needs SciPy.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.igamma(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([0.8647])
    """
def gammaincc(input: Tensor, other: Any, *, out: Any = None) -> Tensor:
    """The regularised upper incomplete gamma function: z = 1/Γ(x) times the integral of tˣ⁻¹ e⁻ᵗ from y on;   dz/dy = -yˣ⁻¹ e⁻ʸ / Γ(x).

    Needs SciPy.

    Works on each pair of elements, x of ``input`` and y of ``other``, which broadcast.  The result has the common shape and the promoted dtype; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.igammac(minigrad.tensor([1.]), minigrad.tensor([2.]))
    tensor([0.1353])
    """
def gammaln(input: Tensor, *, out: Any = None) -> Tensor:
    """The logarithm of the gamma function of each element: z = log |Γ(x)|;   dz/dx = digamma x.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.lgamma(minigrad.tensor([1., 5., 0.]))
    tensor([0.0000, 3.1781,    inf])
    """
def hermite_polynomial_h(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The physicists' Hermite polynomial of degree n at x, such as 4x² - 2 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.hermite_polynomial_h(minigrad.tensor([2.]), 2)
    tensor([14.])
    """
def hermite_polynomial_he(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The probabilists' Hermite polynomial of degree n at x, such as x² - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.hermite_polynomial_he(minigrad.tensor([2.]), 2)
    tensor([3.])
    """
def i0(input: Tensor, *, out: Any = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0: z = I₀(x);   dz/dx = I₁(x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.i0(minigrad.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
def i0e(input: Tensor, *, out: Any = None) -> Tensor:
    """The exponentially scaled modified Bessel function of the first kind of order 0: z = e⁻|ˣ| I₀(x);   dz/dx = e⁻|ˣ| I₁(x) - sign(x) z.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.i0e(minigrad.tensor([0., 100.]))
    tensor([1.0000, 0.0399])
    """
def i1(input: Tensor, *, out: Any = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1: z = I₁(x);   dz/dx = I₁(x)/x + I₂(x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.i1(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.5652])
    """
def i1e(input: Tensor, *, out: Any = None) -> Tensor:
    """The exponentially scaled modified Bessel function of the first kind of order 1: z = e⁻|ˣ| I₁(x);   dz/dx = e⁻|ˣ| (I₁(x)/x + I₂(x)) - sign(x) z.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.i1e(minigrad.tensor([0., 100.]))
    tensor([0.0000, 0.0397])
    """
def laguerre_polynomial_l(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The Laguerre polynomial of degree n at x, such as x²/2 - 2x + 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.laguerre_polynomial_l(minigrad.tensor([2.]), 2)
    tensor([-1.])
    """
def legendre_polynomial_p(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The Legendre polynomial of degree n at x, such as (3x² - 1) / 2 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.legendre_polynomial_p(minigrad.tensor([2.]), 2)
    tensor([5.5000])
    """
def log1p(input: Tensor, *, out: Any = None) -> Tensor:
    """The logarithm of one plus each element: z = log(1 + x), exact near 0;   dz/dx = 1 / (1 + x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.log1p(minigrad.tensor([0., 1e-10]))
    tensor([0.0000e+00, 1.0000e-10])
    """
def log_ndtr(input: Tensor, *, out: Any = None) -> Tensor:
    """The logarithm of the normal distribution function of each element: z = the logarithm of the normal distribution's probability up to x;   dz/dx = √(2/π) / erfcx(-x/√2).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.log_ndtr(minigrad.tensor([-100., 0.]))
    tensor([-5.0055e+03, -6.9315e-01])
    """
def log_softmax(input: Tensor, dim: Any = None, dtype: _dtype | None = None, *, out: Any = None, **names: Any) -> Tensor:
    """Return the logarithm of ``softmax``, accurate even where that underflows; ``dtype`` converts first.

    >>> import minigrad
    >>> minigrad.log_softmax(minigrad.tensor([0., 0.]), 0)
    tensor([-0.6931, -0.6931])
    """
def logit(input: Tensor, eps: Any = None, *, out: Any = None) -> Tensor:
    """Return the inverse of the sigmoid: ``log(input / (1 - input))``; ``eps`` clamps the input to [eps, 1 - eps].

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.logit(minigrad.tensor([0.5, 1.]), eps=0.1)
    tensor([0.0000, 2.1972])
    """
def logsumexp(input: Tensor, dim: Any = None, keepdim: builtins.bool = False, *, out: Any = None, **names: Any) -> Tensor:
    """Compute ``log(exp(input).sum(dim))`` without overflow. Integers are converted to the default dtype.

    >>> import minigrad
    >>> minigrad.logsumexp(minigrad.tensor([1000., 1000.]), 0)
    tensor(1000.6932)
    """
def modified_bessel_i0(input: Tensor, *, out: Any = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0, I₀(x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.modified_bessel_i0(minigrad.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
def modified_bessel_i1(input: Tensor, *, out: Any = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1, I₁(x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.modified_bessel_i1(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.5652])
    """
def modified_bessel_k0(input: Tensor, *, out: Any = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0, K₀(x).  Needs SciPy.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.modified_bessel_k0(minigrad.tensor([1.]))
    tensor([0.4210])
    """
def modified_bessel_k1(input: Tensor, *, out: Any = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1, K₁(x).  Needs SciPy.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.modified_bessel_k1(minigrad.tensor([1.]))
    tensor([0.6019])
    """
def multigammaln(input: Tensor, p: Any, *, out: Any = None) -> Tensor:
    """Return the logarithm of the multivariate gamma function of dimension ``p``; raise RuntimeError for p < 1.

    >>> import minigrad
    >>> minigrad.mvlgamma(minigrad.tensor([2., 3.]), 2)
    tensor([0.4516, 1.5502])
    """
def ndtr(input: Tensor, *, out: Any = None) -> Tensor:
    """Return the standard normal distribution function at ``input``.

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.special.ndtr(minigrad.tensor([0., 1.]))
    tensor([0.5000, 0.8413])
    """
def ndtri(input: Tensor, *, out: Any = None) -> Tensor:
    """The quantile of the standard normal distribution: z = the x at which the normal distribution's probability is x;   dz/dx = √(2π) exp(z²/2).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.ndtri(minigrad.tensor([0., 0.5, 0.975]))
    tensor([  -inf, 0.0000, 1.9600])
    """
def polygamma(n: Any, input: Tensor, *, out: Any = None) -> Tensor:
    """Return the derivative of order ``n`` of ``digamma``; raise RuntimeError for a negative order.

    Keeps the shape; integers become the default dtype.

    >>> import minigrad
    >>> minigrad.polygamma(1, minigrad.tensor([1., 0.5]))
    tensor([1.6449, 4.9348])
    """
def psi(input: Tensor, *, out: Any = None) -> Tensor:
    """The digamma function of each element: z = d/dx log |Γ(x)|;   dz/dx = polygamma(1, x).

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.digamma(minigrad.tensor([1., 2.]))
    tensor([-0.5772,  0.4228])
    """
def round(input: Tensor, *, decimals: Any = 0, out: Any = None) -> Tensor:
    """Round to the nearest integer, or to ``decimals`` places; halves go to the even neighbour.

    >>> import minigrad
    >>> minigrad.round(minigrad.tensor([0.5, 1.5, -2.7]))
    tensor([ 0.,  2., -3.])
    """
def scaled_modified_bessel_k0(x: Any, *, out: Any = None) -> Tensor:
    """The exponentially scaled modified Bessel function of the second kind of order 0, eˣ K₀(x).  Needs SciPy.

    Works on each element ``x``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.scaled_modified_bessel_k0(minigrad.tensor([1.]))
    tensor([1.1445])
    """
def scaled_modified_bessel_k1(x: Any, *, out: Any = None) -> Tensor:
    """The exponentially scaled modified Bessel function of the second kind of order 1, eˣ K₁(x).  Needs SciPy.

    Works on each element ``x``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.scaled_modified_bessel_k1(minigrad.tensor([1.]))
    tensor([1.6362])
    """
def shifted_chebyshev_polynomial_t(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The shifted Chebyshev polynomial of the first kind of degree n at x, such as 2(2x - 1)² - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.shifted_chebyshev_polynomial_t(minigrad.tensor([2.]), 2)
    tensor([17.])
    """
def shifted_chebyshev_polynomial_u(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The shifted Chebyshev polynomial of the second kind of degree n at x, such as 4(2x - 1)² - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.shifted_chebyshev_polynomial_u(minigrad.tensor([2.]), 2)
    tensor([35.])
    """
def shifted_chebyshev_polynomial_v(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The shifted Chebyshev polynomial of the third kind of degree n at x, such as 4(2x - 1)² - 2(2x - 1) - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.shifted_chebyshev_polynomial_v(minigrad.tensor([2.]), 2)
    tensor([29.])
    """
def shifted_chebyshev_polynomial_w(x: Any, n: Any, *, out: Any = None) -> Tensor:
    """The shifted Chebyshev polynomial of the fourth kind of degree n at x, such as 4(2x - 1)² + 2(2x - 1) - 1 for degree 2.  Not differentiable.

    Works on each pair of elements, ``x`` and ``n``, which broadcast; one of them may be a number.  The result has the common shape and the promoted dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.shifted_chebyshev_polynomial_w(minigrad.tensor([2.]), 2)
    tensor([41.])
    """
def sinc(input: Tensor, *, out: Any = None) -> Tensor:
    """The normalised sinc function of each element: z = sin(πx) / πx, 1 at 0;   dz/dx = (cos(πx) - z) / x, 0 at 0.

    Works on each element x of ``input``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.sinc(minigrad.tensor([0., 0.5, 1.5]))
    tensor([ 1.0000,  0.6366, -0.2122])
    """
def softmax(input: Tensor, dim: Any = None, dtype: _dtype | None = None, *, out: Any = None, **names: Any) -> Tensor:
    """Scale the exponentials of the elements to sum to 1: ``exp(input) / exp(input).sum(dim)``; ``dtype`` converts first.

    Raises NotImplementedError for integers, IndexError for a dimension out of range.

    >>> import minigrad
    >>> minigrad.softmax(minigrad.tensor([0., 0.]), 0)
    tensor([0.5000, 0.5000])
    """
def spherical_bessel_j0(x: Any, *, out: Any = None) -> Tensor:
    """The spherical Bessel function of the first kind of order 0, sin x / x, and 1 at 0.

    Works on each element ``x``, of any shape.  The result has the same shape and dtype, or the default dtype for integers; it is written to ``out`` if given.

    >>> import minigrad
    >>> minigrad.special.spherical_bessel_j0(minigrad.tensor([0., 1.]))
    tensor([1.0000, 0.8415])
    """
def xlog1py(input: Tensor, other: Any, *, out: Any = None) -> Tensor:
    """Compute ``input * log1p(other)``, with 0 where ``input`` is 0 and ``other`` is not nan; either may be a number.

    >>> import minigrad
    >>> minigrad.special.xlog1py(minigrad.tensor([0., 2.]), minigrad.tensor([-1., 1.]))
    tensor([0.0000, 1.3863])
    """
def xlogy(input: Tensor, other: Any, *, out: Any = None) -> Tensor:
    """Compute ``input * log(other)``, with 0 where ``input`` is 0 and ``other`` is not nan; either may be a number.

    >>> import minigrad
    >>> minigrad.xlogy(minigrad.tensor([0., 2.]), minigrad.tensor([0., 1.]))
    tensor([0., 0.])
    """
def zeta(input: Tensor, other: Any, *, out: Any = None) -> Tensor:
    """Return the Hurwitz zeta function: the sum of ``(other + k) ** -input`` over k = 0, 1, ...; either may be a number.

    >>> import minigrad
    >>> minigrad.special.zeta(minigrad.tensor([2., 4.]), 1)
    tensor([1.6449, 1.0823])
    """
