"""SciPy's special functions, for those that have no kernel here: imported when the first of them is called."""

import numpy as np

from ..._base.extras import missing_extra


def of_scipy(function, name):
    """``scipy.special.name``, for the public function of minigrad that needs it; raises ImportError if SciPy is not installed."""
    try:
        from scipy import special
    except ImportError:
        raise missing_extra(f"minigrad.{function}", "scipy", "special") from None
    return getattr(special, name)


def airy_ai(x):
    """Airy's function Ai; nan at the infinities."""
    z = of_scipy("special.airy_ai", "airy")(x)[0]
    return np.where(np.isinf(x), np.nan, z)


def igamma(a, x):
    """The regularised lower incomplete gamma function; nan outside of a >= 0, x >= 0 and where it has no limit."""
    return _limited(a, x, of_scipy("igamma", "gammainc")(a, x))


def igammac(a, x):
    """1 - ``igamma``."""
    return _limited(a, x, of_scipy("igammac", "gammaincc")(a, x))


def _limited(a, x, z):
    nowhere = (a < 0) | (x < 0) | ((a == 0) & (x == 0)) | ((a == np.inf) & (x == np.inf))
    return np.where(nowhere | np.isnan(a) | np.isnan(x), np.nan, z)
