"""Modified Bessel functions of the first kind on float64 arrays.

All are made of Iₖ(x) / xᵏ, even functions whose derivatives are of the same kind: d/dx Iₖ/xᵏ = x Iₖ₊₁/xᵏ⁺¹.  They are computed times e⁻|ˣ|, for k = 0
and 1 by Chebyshev series in x up to 8 and in 16/x beyond (computed with 50 digits), for larger k by the power series or the recurrence.
"""

import math

import numpy as np

from .gamma_function import chebyshev_series

# e⁻ˣ I₀(x) and e⁻ˣ I₁(x) / x in x / 4 - 1
_NEAR = (
    (
        0.33839763720473803, -0.3046826723431984, 0.17162090152220877, -0.09490109704804764, 0.04930528423967071,
        -0.02373741480589947, 0.010546460394594998, -0.004324309995050576, 0.0016394756169413357, -0.0005763755745385824,
        0.00018850288509584165, -5.754195010082104e-05, 1.6448448070728896e-05, -4.4167383584587505e-06,
        1.1173875391201037e-06, -2.670793853940612e-07, 6.046995022541919e-08, -1.300025009986248e-08,
        2.6598237246823866e-09, -5.189795601635263e-10, 9.675809035373237e-11, -1.726826291441556e-11,
        2.95505266312964e-12, -4.856446783111929e-13, 7.676185498604936e-14, -1.1685332877993451e-14,
        1.715391285555133e-15, -2.431279846547955e-16, 3.3307945188222384e-17, -4.4153416464793395e-18,
    ),
    (
        0.12629359322181682, -0.17641651835783406, 0.1026436586898471, -0.05294598120809499, 0.024726449030626516,
        -0.010564084894626197, 0.004156422944312888, -0.0015135724506312532, 0.0005122859561685758, -0.00016176081582589674,
        4.781565107550054e-05, -1.3273163656039436e-05, 3.4702513081376785e-06, -8.568720264695455e-07,
        2.0032947535521353e-07, -4.445059128796328e-08, 9.381537386495773e-09, -1.8872497517228294e-09,
        3.625590281552117e-10, -6.663489723502027e-11, 1.1736186298890901e-11, -1.9839743977649436e-12,
        3.223793365945575e-13, -5.042185504727912e-14, 7.600684294735408e-15, -1.1055969477353862e-15,
        1.5536319577362005e-16, -2.111421214358166e-17, 2.7779141127610464e-18,
    ),
)  # fmt: skip
# √x e⁻ˣ I₀(x) and √x e⁻ˣ I₁(x) in 16 / x - 1
_FAR = (
    (
        0.4022452055070544, 0.0033691164782556943, 6.889758346916825e-05, 2.8913705208347567e-06, 2.0489185894690638e-07,
        2.266668990498178e-08, 3.3962320257083865e-09, 4.94060238822497e-10, 1.1889147107846439e-11, -3.1499165279632416e-11,
        -1.3215811840447713e-11, -1.7941785315068062e-12, 7.180124451383666e-13, 3.8527783827421426e-13,
        1.54008621752141e-14, -4.150569347287222e-14, -9.554846698828307e-15, 3.8116806693526224e-15,
        1.7725601330565263e-15, -3.425485619677219e-16, -2.827623980516583e-16, 3.4612228676974575e-17,
        4.465621420296758e-17, -4.830504485944022e-18, -7.23318048787497e-18,
    ),
    (
        0.38928811750914005, -0.009761097491361469, -0.00011058893876262371, -3.882564808877691e-06, -2.512236237870209e-07,
        -2.6314688468895196e-08, -3.835380385964237e-09, -5.589743462196584e-10, -1.8974958123505413e-11,
        3.2526035830154884e-11, 1.4125807436613782e-11, 2.0356285441470896e-12, -7.198551776245908e-13,
        -4.0835511110921974e-13, -2.1015418427726643e-14, 4.272440016711951e-14, 1.0420276984128802e-14,
        -3.8144030724370075e-15, -1.8803547755107825e-15, 3.3082023109209285e-16, 2.96262899764595e-16,
        -3.20952592199342e-17, -4.650305368489357e-17, 4.414348323071546e-18, 7.517296310842329e-18,
    ),
)  # fmt: skip


def _scaled(size, k, over):
    """e⁻ˣ Iₖ(x) for k = 0 or 1 and x >= 0; with ``over``, divided by xᵏ."""
    far = size > 8
    z = np.empty_like(size)
    inner = size[~far]
    near = chebyshev_series(_NEAR[k], inner / 4 - 1)
    z[~far] = near * inner if k and not over else near
    if far.any():
        outer = size[far]
        beyond = chebyshev_series(_FAR[k], 16 / outer - 1) / np.sqrt(outer)
        z[far] = beyond / outer**k if over else beyond
    return z


def scaled_ratio(x, k):
    """e⁻|ˣ| Iₖ(x) / xᵏ."""
    size = np.absolute(x)
    if k < 2:
        return _scaled(size, k, True)
    far = size > 8
    beyond = np.where(far, size, 8.0)
    z = np.where(np.isnan(x), x, _power_series(np.where(far, 0.0, size), k))
    if far.any():
        # the recurrence is stable as long as k is small beside x; between, the series of positive terms
        middle = far & (size < 4 * k * k)
        if middle.any():
            z = np.where(middle, _power_series(np.where(middle, size, 0.0), k), z)
        before, last = scaled_ratio(beyond, 0), scaled_ratio(beyond, 1)
        for j in range(1, k):
            before, last = last, (before - 2 * j * last) / (beyond * beyond)
        z = np.where(far & ~middle, last, z)
    return z


def _power_series(size, k):
    size = np.where(np.isnan(size), 0.0, size)
    square = size * size / 4
    term = np.exp(-size) / (2.0**k * math.factorial(k))
    z, m = term, 0
    while True:
        m += 1
        term = term * square / (m * (m + k))
        previous, z = z, z + term
        if (z == previous).all() and m > size.max(initial=0.0):
            return z


def _unscaled(x, z):
    half = np.exp(np.absolute(x) / 2)  # twice, so that it does not overflow before the product
    return half * z * half


def ratio(x, k):
    """Iₖ(x) / xᵏ."""
    return _unscaled(x, scaled_ratio(x, k))


def i0(x):
    """I₀(x); nan at the infinities."""
    return _unscaled(x, i0e(x))


def i0e(x):
    """e⁻|ˣ| I₀(x)."""
    return _scaled(np.absolute(x), 0, False)


def i1(x):
    """I₁(x); nan at the infinities."""
    return _unscaled(x, i1e(x))


def i1e(x):
    """e⁻|ˣ| I₁(x)."""
    return np.copysign(_scaled(np.absolute(x), 1, False), x)
