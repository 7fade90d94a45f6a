"""Activation functions as modules.  (``MultiheadAttention``, which PyTorch counts among them, is in ``_attention.py``.)"""

import warnings
from typing import Any

from ..._api import Tensor, _Device, _getattr_of, _lazy, empty, relu, relu_, sigmoid, tanh
from ..._api import dtype as _dtype
from .. import functional as F
from .. import init as initialise
from ..parameter import Parameter
from ._attention import MultiheadAttention as MultiheadAttention
from .module import Module

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "MultiheadAttention",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SELU",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


class _Activation(Module):
    """A function with numbers as arguments: ``shown`` names those that ``repr`` mentions."""

    shown: tuple[str, ...] = ()

    def extra_repr(self) -> str:
        parts = [f"{name}={getattr(self, name)}" for name in self.shown]
        if self.__dict__.get("inplace"):
            parts.append("inplace=True")
        return ", ".join(parts)


class _InPlace(_Activation):
    """A function without arguments that may write into its operand."""

    __constants__: list[Any] = ["inplace"]

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class ReLU(_InPlace):
    """Replace negative elements by zero: ``max(input, 0)``.

    >>> import minigrad
    >>> minigrad.nn.ReLU()(minigrad.tensor([-1., 2.]))
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return relu_(input) if self.inplace else relu(input)


class SiLU(_InPlace):
    """Multiply each element by its sigmoid: ``input * sigmoid(input)``, also called Swish.

    >>> import minigrad
    >>> minigrad.nn.SiLU()(minigrad.tensor([-1., 0., 2.]))
    tensor([-0.2689,  0.0000,  1.7616])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(_InPlace):
    """Compute ``input * tanh(softplus(input))`` elementwise. [Misra 2019]

    >>> import minigrad
    >>> minigrad.nn.Mish()(minigrad.tensor([-1., 0., 2.]))
    tensor([-0.3034,  0.0000,  1.9440])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class SELU(_InPlace):
    """Compute ``scale * elu(input, alpha)`` with the two constants that keep mean 0 and variance 1 from layer to layer. [Klambauer et al. 2017]

    >>> import minigrad
    >>> minigrad.nn.SELU()(minigrad.tensor([-1., 2.]))
    tensor([-1.1113,  2.1014])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class _QuietInPlace(_InPlace):
    def extra_repr(self) -> str:
        return ""  # as PyTorch


class Hardsigmoid(_QuietInPlace):
    """Approximate the sigmoid by a straight line: ``(input + 3) / 6``, clamped to [0, 1].

    >>> import minigrad
    >>> minigrad.nn.Hardsigmoid()(minigrad.tensor([-3., 0., 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Hardswish(_QuietInPlace):
    """Compute ``input * hardsigmoid(input)`` elementwise. [Howard et al. 2019]

    >>> import minigrad
    >>> minigrad.nn.Hardswish()(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.3333,  0.0000,  3.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class Sigmoid(Module):
    """Map each element into (0, 1): ``1 / (1 + exp(-input))``.

    >>> import minigrad
    >>> minigrad.nn.Sigmoid()(minigrad.tensor([0., 2.]))
    tensor([0.5000, 0.8808])
    """

    def forward(self, input: Tensor) -> Tensor:
        return sigmoid(input)


class Tanh(Module):
    """Compute the hyperbolic tangent of each element.

    >>> import minigrad
    >>> minigrad.nn.Tanh()(minigrad.tensor([0., 1.]))
    tensor([0.0000, 0.7616])
    """

    def forward(self, input: Tensor) -> Tensor:
        return tanh(input)


class LogSigmoid(Module):
    """Compute ``log(sigmoid(input))`` elementwise, without overflow.

    >>> import minigrad
    >>> minigrad.nn.LogSigmoid()(minigrad.tensor([-100., 0.]))
    tensor([-100.0000,   -0.6931])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softsign(Module):
    """Compute ``input / (1 + |input|)`` elementwise.

    >>> import minigrad
    >>> minigrad.nn.Softsign()(minigrad.tensor([-1., 0., 3.]))
    tensor([-0.5000,  0.0000,  0.7500])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    """Compute ``input - tanh(input)`` elementwise.

    >>> import minigrad
    >>> minigrad.nn.Tanhshrink()(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.2384,  0.0000,  0.2384])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class Threshold(_Activation):
    """Keep elements greater than ``threshold``, and replace the others by ``value``.

    >>> import minigrad
    >>> minigrad.nn.Threshold(1., 9.)(minigrad.tensor([0.5, 3.]))
    tensor([9., 3.])
    """

    __constants__: list[Any] = ["threshold", "value", "inplace"]
    shown: Any = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class RReLU(_Activation):
    """Multiply negative elements by a random slope from [``lower``, ``upper``), or by the mean of the two in evaluation mode. [Xu et al. 2015]

    >>> import minigrad
    >>> minigrad.nn.RReLU().eval()(minigrad.tensor([-4.8, 2.]))
    tensor([-1.1000,  2.0000])
    """

    __constants__: list[Any] = ["lower", "upper", "inplace"]
    shown: Any = ("lower", "upper")

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(_Activation):
    """Clamp each element to [``min_val``, ``max_val``]; raise AssertionError unless ``min_val < max_val``.

    >>> import minigrad
    >>> minigrad.nn.Hardtanh()(minigrad.tensor([-3., 0.5]))
    tensor([-1.0000,  0.5000])
    """

    min_val: float
    max_val: float

    __constants__: list[Any] = ["min_val", "max_val", "inplace"]
    shown: tuple[str, ...] = ("min_val", "max_val")

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        for old, new, value in (("min_value", "min_val", min_value), ("max_value", "max_val", max_value)):
            if value is not None:
                warnings.warn(
                    f"keyword argument `{old}` is deprecated and renamed to `{new}`",
                    FutureWarning,
                    stacklevel=2,
                )
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        if self.max_val <= self.min_val:
            raise AssertionError(f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})")

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """Clamp each element to [0, 6].

    >>> import minigrad
    >>> minigrad.nn.ReLU6()(minigrad.tensor([-1., 3., 9.]))
    tensor([0., 3., 6.])
    """

    shown: Any = ()

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class LeakyReLU(_Activation):
    """Multiply negative elements by ``negative_slope``, and keep the others.

    >>> import minigrad
    >>> minigrad.nn.LeakyReLU(0.1)(minigrad.tensor([-1., 2.]))
    tensor([-0.1000,  2.0000])
    """

    __constants__: list[Any] = ["inplace", "negative_slope"]
    shown: Any = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class _WithAlpha(_Activation):
    __constants__: list[Any] = ["alpha", "inplace"]
    shown: Any = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace


class ELU(_WithAlpha):
    """Replace negative elements by ``alpha * (exp(input) - 1)``, and keep the others. [Clevert et al. 2016]

    >>> import minigrad
    >>> minigrad.nn.ELU()(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(_WithAlpha):
    """Replace negative elements by ``alpha * (exp(input / alpha) - 1)``, and keep the others. [Barron 2017]

    >>> import minigrad
    >>> minigrad.nn.CELU()(minigrad.tensor([-1., 2.]))
    tensor([-0.6321,  2.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class GELU(Module):
    """Multiply each element by the standard normal distribution function at that element.

    ``approximate="tanh"`` selects the approximation with tanh. [Hendrycks and Gimpel 2016]

    >>> import minigrad
    >>> minigrad.nn.GELU()(minigrad.tensor([-1., 0., 1.]))
    tensor([-0.1587,  0.0000,  0.8413])
    """

    __constants__: list[Any] = ["approximate"]

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class _Shrink(Module):
    __constants__: list[Any] = ["lambd"]

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        return str(self.lambd)


class Hardshrink(_Shrink):
    """Set elements within [``-lambd``, ``lambd``] to zero, and keep the others.

    >>> import minigrad
    >>> minigrad.nn.Hardshrink()(minigrad.tensor([-0.3, 2.]))
    tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    """Move each element towards zero by ``lambd``; elements closer to zero than that become zero.

    >>> import minigrad
    >>> minigrad.nn.Softshrink()(minigrad.tensor([-1., 0.2, 2.]))
    tensor([-0.5000,  0.0000,  1.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class Softplus(_Activation):
    """Compute ``log(1 + exp(beta * input)) / beta``, a smooth ReLU.

    Where ``beta * input > threshold`` the result is ``input`` itself.

    >>> import minigrad
    >>> minigrad.nn.Softplus()(minigrad.tensor([-1., 0., 30.]))
    tensor([ 0.3133,  0.6931, 30.0000])
    """

    __constants__: list[Any] = ["beta", "threshold"]
    shown: Any = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


class PReLU(_Activation):
    """Multiply negative elements by a learned ``weight``, one per channel or one for all. [He et al. 2015]

    >>> import minigrad
    >>> with minigrad.no_grad(): print(minigrad.nn.PReLU()(minigrad.tensor([-4., 2.])))
    tensor([-1.,  2.])
    """

    weight: Any

    __constants__: list[Any] = ["num_parameters"]
    shown: Any = ("num_parameters",)

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: _Device = None, dtype: _dtype | None = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set all weights to ``init``."""
        initialise.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)


class _AlongDim(_Activation):
    __constants__: list[Any] = ["dim"]
    shown: Any = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.__dict__.setdefault("dim", None)


class GLU(_AlongDim):
    """Split the input in two halves along ``dim``, and multiply the first by the sigmoid of the second. [Dauphin et al. 2017]

    >>> import minigrad
    >>> minigrad.nn.GLU()(minigrad.tensor([1., 2., 0., 0.]))
    tensor([0.5000, 1.0000])
    """

    dim: int

    def __init__(self, dim: int = -1) -> None:
        super().__init__(dim)

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class Softmax(_AlongDim):
    """Scale the exponentials of the elements so that they sum to 1 along ``dim``.

    >>> import minigrad
    >>> minigrad.nn.Softmax(dim=0)(minigrad.tensor([0., 0., 1.]))
    tensor([0.2119, 0.2119, 0.5761])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)


class Softmin(_AlongDim):
    """Compute ``softmax(-input)`` along ``dim``.

    >>> import minigrad
    >>> minigrad.nn.Softmin(dim=0)(minigrad.tensor([0., 0., 1.]))
    tensor([0.4223, 0.4223, 0.1554])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    """Compute the logarithm of ``softmax(input)`` along ``dim``, without overflow.

    >>> import minigrad
    >>> minigrad.nn.LogSoftmax(dim=0)(minigrad.tensor([0., 0., 1.]))
    tensor([-1.5514, -1.5514, -0.5514])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Apply ``softmax`` over the channels of images ``(N, C, H, W)`` or ``(C, H, W)``.

    >>> import minigrad
    >>> minigrad.nn.Softmax2d()(minigrad.zeros(4, 1, 2)).shape
    torch.Size([4, 1, 2])
    """

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
_lazy.answer_for_sources(globals())
