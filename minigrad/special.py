"""Special functions, under SciPy's names where PyTorch has two.

Those that need SciPy (Bessel functions other than I₀ and I₁, Airy's function, the incomplete gamma functions) raise ImportError
without the extra ``special``.
"""

from typing import Any

from ._api import _lazy, _special
from ._api import digamma as digamma
from ._api import digamma as psi
from ._api import erf as erf
from ._api import erfc as erfc
from ._api import erfinv as erfinv
from ._api import exp2 as exp2
from ._api import expm1 as expm1
from ._api import i0 as i0
from ._api import igamma as gammainc
from ._api import igammac as gammaincc
from ._api import lgamma as gammaln
from ._api import log1p as log1p
from ._api import log_softmax as log_softmax
from ._api import logit as logit
from ._api import logsumexp as logsumexp
from ._api import mvlgamma as multigammaln
from ._api import polygamma as polygamma
from ._api import round as round
from ._api import sigmoid as expit
from ._api import sinc as sinc
from ._api import softmax as softmax
from ._api import xlogy as xlogy

airy_ai: Any = _special.airy_ai
bessel_j0: Any = _special.bessel_j0
bessel_j1: Any = _special.bessel_j1
bessel_y0: Any = _special.bessel_y0
bessel_y1: Any = _special.bessel_y1
chebyshev_polynomial_t: Any = _special.chebyshev_polynomial_t
chebyshev_polynomial_u: Any = _special.chebyshev_polynomial_u
chebyshev_polynomial_v: Any = _special.chebyshev_polynomial_v
chebyshev_polynomial_w: Any = _special.chebyshev_polynomial_w
entr: Any = _special.entr
erfcx: Any = _special.erfcx
hermite_polynomial_h: Any = _special.hermite_polynomial_h
hermite_polynomial_he: Any = _special.hermite_polynomial_he
i0e: Any = _special.i0e
i1: Any = _special.i1
i1e: Any = _special.i1e
laguerre_polynomial_l: Any = _special.laguerre_polynomial_l
legendre_polynomial_p: Any = _special.legendre_polynomial_p
log_ndtr: Any = _special.log_ndtr
modified_bessel_i0: Any = _special.modified_bessel_i0
modified_bessel_i1: Any = _special.modified_bessel_i1
modified_bessel_k0: Any = _special.modified_bessel_k0
modified_bessel_k1: Any = _special.modified_bessel_k1
ndtr: Any = _special.ndtr
ndtri: Any = _special.ndtri
scaled_modified_bessel_k0: Any = _special.scaled_modified_bessel_k0
scaled_modified_bessel_k1: Any = _special.scaled_modified_bessel_k1
shifted_chebyshev_polynomial_t: Any = _special.shifted_chebyshev_polynomial_t
shifted_chebyshev_polynomial_u: Any = _special.shifted_chebyshev_polynomial_u
shifted_chebyshev_polynomial_v: Any = _special.shifted_chebyshev_polynomial_v
shifted_chebyshev_polynomial_w: Any = _special.shifted_chebyshev_polynomial_w
spherical_bessel_j0: Any = _special.spherical_bessel_j0
xlog1py: Any = _special.xlog1py
zeta: Any = _special.zeta

__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "sinc",
    "softmax",
    "spherical_bessel_j0",
    "xlog1py",
    "xlogy",
    "zeta",
]
_lazy.publish_all(globals())
