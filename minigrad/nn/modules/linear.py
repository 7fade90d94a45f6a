"""Linear and bilinear maps."""

import math
from typing import Any

from ..._api import Tensor, _Device, _linear, bilinear, empty, no_grad
from ..._api import dtype as _dtype
from .. import init
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear"]


def draw_by_fan_in(weight: Tensor, bias: Tensor | None) -> None:
    """Fill ``weight`` and ``bias`` (which may be None) uniformly between plus and minus ``1 / sqrt(fan_in)``."""
    init.kaiming_uniform_(weight, a=math.sqrt(5))
    if bias is not None:
        fan_in = init._calculate_fan_in_and_fan_out(weight)[0]
        bound = 1 / math.sqrt(fan_in) if fan_in else 0
        init.uniform_(bias, -bound, bound)


class Identity(Module):
    """Return the input unchanged; the constructor ignores its arguments.

    >>> import minigrad
    >>> minigrad.nn.Identity(54, unused=True)(minigrad.ones(2))
    tensor([1., 1.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    """Apply a learned affine map: ``input @ weight.T + bias``, ``(..., in_features) -> (..., out_features)``.

    Weight and bias are initialised uniformly between plus and minus ``1 / sqrt(in_features)``.

    >>> import minigrad
    >>> minigrad.nn.Linear(3, 2)(minigrad.ones(5, 3)).shape
    torch.Size([5, 2])
    """

    weight: Any
    bias: Any

    __constants__: list[Any] = ["in_features", "out_features"]

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty((out_features, in_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reinitialize weight and bias."""
        draw_by_fan_in(self.weight, self.bias)

    def forward(self, input: Tensor) -> Tensor:
        parameters = self._parameters
        try:  # 0.1 us where self.weight and self.bias would take 0.8
            weight, bias = parameters["weight"], parameters["bias"]
        except KeyError:  # a reparametrised module keeps them elsewhere
            weight, bias = self.weight, self.bias
        return _linear(input, weight, bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """A ``Linear`` under the name that PyTorch's attention checkpoints use."""


class Bilinear(Module):
    """Compute ``input1 @ weight[k] @ input2 + bias[k]`` for each k: ``(..., in1_features), (..., in2_features) -> (..., out_features)``.

    >>> import minigrad
    >>> minigrad.nn.Bilinear(2, 3, 4)(minigrad.ones(5, 2), minigrad.ones(5, 3)).shape
    torch.Size([5, 4])
    """

    weight: Any
    bias: Any

    __constants__: list[Any] = ["in1_features", "in2_features", "out_features"]

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(empty((out_features, in1_features, in2_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reinitialize weight and bias."""
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class LazyLinear(LazyModuleMixin, Linear):
    """A ``Linear`` that takes ``in_features`` from its first input.

    >>> import minigrad
    >>> linear = minigrad.nn.LazyLinear(2)
    >>> linear(minigrad.ones(4, 3)).shape, linear.in_features
    (torch.Size([4, 2]), 3)
    """

    weight: Any
    bias: Any
    in_features: Any

    cls_to_become: type | None = Linear

    def __init__(
        self, out_features: int, bias: bool = True, device: _Device = None, dtype: _dtype | None = None
    ) -> None:
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Reinitialize weight and bias, once they are materialized."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Materialize weight and bias with the shapes that the input requires."""
        features = input.shape[-1]
        if self.has_uninitialized_params():
            self.in_features = features
            with no_grad():
                for parameter, more in ((self.weight, (features,)), (self.bias, ())):
                    if parameter is not None:
                        parameter.materialize((self.out_features, *more))
                self.reset_parameters()
        if self.in_features == 0:  # a state dict has been loaded, whose weight has a shape
            known = self.weight.shape[-1]
            if features != known:
                raise AssertionError(
                    f"The in_features inferred from input: {features} is not equal to in_features from self.weight: {known}"
                )
            self.in_features = features
