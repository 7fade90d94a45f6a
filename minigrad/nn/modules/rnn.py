"""Recurrent layers over sequences, and single cells.

A net of several layers keeps each layer's parameters under their own names (``weight_ih_l0``, with ``_reverse`` for the second direction);
what is computed is in ``torch.lstm``, ``gru``, ``rnn_tanh`` and ``rnn_relu``.
"""

import math
import numbers
import warnings
from typing import Any

from ..._api import Tensor, _autocast_dtype, _Device, _recurrent, empty, zeros
from ..._api import dtype as _dtype
from .. import init
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from .module import Module

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def _reset_parameters(module):
    bound = 1.0 / math.sqrt(module.hidden_size) if module.hidden_size > 0 else 0
    for parameter in module.parameters():
        init.uniform_(parameter, -bound, bound)


def apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    """Return ``tensor.index_select(dim, permutation)``; a deprecated name."""
    warnings.warn(
        "`apply_permutation` is deprecated, please use `tensor.index_select(dim, permutation)` instead",
        FutureWarning,
        stacklevel=2,
    )
    return tensor.index_select(dim, permutation)


class _FlatWeights(list):
    """The parameters of a recurrent net; what is put in the place of one of them is computed with from then on."""

    def __init__(self, module, weights):
        super().__init__(weights)
        self.module = module

    def __setitem__(self, place, weight):
        super().__setitem__(place, weight)
        self.module._flat_weights = list(self)


class RNNBase(Module):
    """The base class of ``RNN``, ``LSTM`` and ``GRU``: parameters, checks, and padded, packed or unbatched sequences.

    All parameters are initialised uniformly between plus and minus ``1 / sqrt(hidden_size)``. Raises TypeError or ValueError for invalid
    sizes and settings.

    >>> import minigrad
    >>> sorted(name for name, _ in minigrad.nn.RNNBase("GRU", 2, 3).named_parameters())
    ['bias_hh_l0', 'bias_ih_l0', 'weight_hh_l0', 'weight_ih_l0']
    """

    dropout: float

    __constants__: list[Any] = [
        "mode",
        "input_size",
        "hidden_size",
        "num_layers",
        "bias",
        "batch_first",
        "dropout",
        "bidirectional",
        "proj_size",
    ]
    __jit_unused_properties__: list[Any] = ["all_weights"]

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_settings(dropout)
        if mode not in _GATES:
            raise ValueError(f"Unrecognized RNN mode: {mode}")
        gates, directions = _GATES[mode] * hidden_size, 2 if bidirectional else 1
        output = proj_size if proj_size > 0 else hidden_size
        self._all_weights = []
        for layer in range(num_layers):
            width = input_size if layer == 0 else output * directions
            shapes: dict[str, tuple[int, ...]] = {"weight_ih": (gates, width), "weight_hh": (gates, output)}
            if bias:
                shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
            if proj_size > 0:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for suffix in ("", "_reverse")[:directions]:
                names = {f"{name}_l{layer}{suffix}": shape for name, shape in shapes.items()}
                for name, shape in names.items():
                    setattr(self, name, Parameter(empty(shape, device=device, dtype=dtype)))
                self._all_weights.append(list(names))
        self.reset_parameters()

    def _check_settings(self, dropout):
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater "
                f"than 1, but got dropout={dropout} and num_layers={self.num_layers}",
                stacklevel=4,
            )
        for name in ("bias", "batch_first"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise TypeError(f"{name} should be of type bool, got: {type(value).__name__}")
        for name in ("input_size", "hidden_size"):
            value = getattr(self, name)
            if not isinstance(value, int):
                raise TypeError(f"{name} should be of type int, got: {type(value).__name__}")
            if value <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    # Parameters -----------------------------------------------------------------------------------------------------------

    @property
    def _flat_weights_names(self):
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self):
        named = self._named_weights()
        given = self.__dict__.get("_given_weights")
        if given is not None and all(a is b for a, b in zip(given[1], named)):
            return given[0]
        self.__dict__.pop("_given_weights", None)
        return _FlatWeights(self, named)

    @_flat_weights.setter
    def _flat_weights(self, weights):
        # they hold until a parameter is replaced
        self.__dict__["_given_weights"] = weights, self._named_weights()

    def _named_weights(self):
        return [getattr(self, name, None) for name in self._flat_weights_names]

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        self.__dict__.pop("_given_weights", None)
        return super()._apply(fn, recurse)

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters, as one list for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Do nothing: this is for parameters on a GPU."""

    def reset_parameters(self) -> None:
        """Reinitialize all parameters."""
        _reset_parameters(self)

    def __getstate__(self) -> Any:
        # PyTorch wants to find these in a file
        state = {name: value for name, value in super().__getstate__().items() if name != "_given_weights"}
        return {
            **state,
            "_flat_weights": self._named_weights(),
            "_flat_weights_names": self._flat_weights_names,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = {
            name: value
            for name, value in state.items()
            if name not in ("_flat_weights", "_flat_weights_names")
        }
        super().__setstate__(state)
        self.__dict__.setdefault("proj_size", 0)

    # Checks ---------------------------------------------------------------------------------------------------------------

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Raise ValueError if the dtype is not the parameters', and RuntimeError for dimensions that do not fit."""
        dtype = self._flat_weights[0].dtype
        if input.dtype != dtype and _autocast_dtype() is None:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({dtype}). "
                f"Convert input: input.to({dtype}), or convert model: model.to({input.dtype})"
            )
        dims = 3 if batch_sizes is None else 2
        if input.dim() != dims:
            raise RuntimeError(f"input must have {dims} dimensions, got {input.dim()}")
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def _state_shape(self, input, batch_sizes, size):
        if batch_sizes is None:
            n = input.size(0 if self.batch_first else 1)
        else:
            n = int(batch_sizes[0])
        return self.num_layers * (2 if self.bidirectional else 1), n, size

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """Return the shape that the hidden state must have."""
        return self._state_shape(
            input, batch_sizes, self.proj_size if self.proj_size > 0 else self.hidden_size
        )

    def check_hidden_size(
        self,
        hx: Tensor,
        expected_hidden_size: tuple[int, int, int],
        msg: str = "Expected hidden size {}, got {}",
    ) -> None:
        """Raise RuntimeError if the hidden state does not have the expected shape."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Tensor | None) -> None:
        """Raise ValueError or RuntimeError for an input or hidden state that does not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Tensor, permutation: Tensor | None) -> Any:
        """Return the states with their samples permuted; None leaves them as they are."""
        return hx if permutation is None else hx.index_select(1, permutation)

    def extra_repr(self) -> str:
        shown = [str(self.input_size), str(self.hidden_size)]
        for name, usual in (
            ("proj_size", 0),
            ("num_layers", 1),
            ("bias", True),
            ("batch_first", False),
            ("dropout", 0),
            ("bidirectional", False),
        ):
            value = getattr(self, name)
            if value != usual:
                shown.append(f"{name}={value}")
        return ", ".join(shown)


class _Net(RNNBase):
    """How a net is called: with one state, which ``LSTM`` overrides."""

    _name: Any

    _tensor = ""  # what the message on the input's dimensions says besides

    def _check_alone(self, hx, n):
        """Raise RuntimeError unless states have as many dimensions as ``input``: 2 for one sample, 3 for a batch."""
        if hx.dim() != n:
            kind = "unbatched 2-D" if n == 2 else "batched 3-D"
            raise RuntimeError(f"For {kind} input, hx should also be {n}-D but got {hx.dim()}-D tensor")

    def _each(self, function, hx):
        """``function`` of the state."""
        return function(hx)

    def _zeros(self, input, batch_sizes):
        return zeros(
            self.get_expected_hidden_size(input, batch_sizes), dtype=input.dtype, device=input.device
        )

    def _check_packed(self, input, hx, batch_sizes):
        self.check_forward_args(input, hx, batch_sizes)

    def _run(self, *args):
        """The function that computes the output and the last states."""
        return getattr(_recurrent, self.mode.lower())(*args)

    def _settings(self):
        return (
            self._flat_weights if "_given_weights" in self.__dict__ else self._named_weights(),
            self.bias,
            self.num_layers,
            self.dropout,
            self.training,
            self.bidirectional,
        )

    def forward(self, input: Tensor, hx: Any = None) -> Any:
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        n = input.dim()
        if n not in (2, 3):
            raise ValueError(
                f"{type(self)._name}: Expected input to be 2D or 3D, got {n}D {self._tensor}instead"
            )
        batch_dim = 0 if self.batch_first else 1
        if hx is not None:
            self._check_alone(hx, n)
        if n == 2:
            input = input.unsqueeze(batch_dim)
            if hx is not None:
                hx = self._each(lambda state: state.unsqueeze(1), hx)
        if hx is None:
            hx = self._zeros(input, None)
        self.check_forward_args(input, hx, None)
        output, *states = self._run(input, hx, *self._settings(), self.batch_first)
        states = self._as_given(states)
        if n == 2:
            return output.squeeze(batch_dim), self._each(lambda state: state.squeeze(1), states)
        return output, states

    def _forward_packed(self, sequence, hx):
        data, batch_sizes, order, back = sequence
        hx = self._zeros(data, batch_sizes) if hx is None else self.permute_hidden(hx, order)
        self._check_packed(data, hx, batch_sizes)
        output, *states = self._run(data, batch_sizes, hx, *self._settings())
        packed = PackedSequence(output, batch_sizes, order, back)
        return packed, self.permute_hidden(self._as_given(states), back)

    def _as_given(self, states):
        """The last states as ``hx`` is given: a tensor."""
        return states[0]


class RNN(_Net):
    """Apply layers of ``h = tanh(W_ih x + b_ih + W_hh h + b_hh)`` (or ``relu``) to sequences: (T, N, input_size) -> (T, N, hidden_size) and
    the last states.

    ``RNN(input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0, bidirectional=False)``. The
    states are (layers * directions, N, hidden_size). N can be left out. A packed sequence gives a packed sequence.

    >>> import minigrad
    >>> output, h = minigrad.nn.RNN(3, 4)(minigrad.ones(5, 2, 3))
    >>> output.shape, h.shape
    (torch.Size([5, 2, 4]), torch.Size([1, 2, 4]))
    """

    _name, _tensor = "RNN", "tensor "

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if len(args) > 3:
            nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.nonlinearity = nonlinearity
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)


class LSTM(_Net):
    """Apply layers of long short-term memory to sequences: (T, N, input_size) -> (T, N, hidden_size), and the last states h and c.

    ``LSTM(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0, bidirectional=False, proj_size=0)``. The states
    are (layers * directions, N, hidden_size). With ``proj_size``, outputs and h are projected to that size. N can be left out. A packed
    sequence gives a packed sequence. [Hochreiter and Schmidhuber 1997]

    >>> import minigrad
    >>> output, (h, c) = minigrad.nn.LSTM(3, 4, num_layers=2)(minigrad.ones(5, 2, 3))
    >>> output.shape, h.shape, c.shape
    (torch.Size([5, 2, 4]), torch.Size([2, 2, 4]), torch.Size([2, 2, 4]))
    """

    _name = "LSTM"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """Return the shape that the state c must have."""
        return self._state_shape(input, batch_sizes, self.hidden_size)

    def check_forward_args(
        self, input: Tensor, hidden: tuple[Tensor, Tensor], batch_sizes: Tensor | None
    ) -> None:
        """Raise ValueError or RuntimeError for an input or states that do not fit."""
        self.check_input(input, batch_sizes)
        expected = (
            self.get_expected_hidden_size(input, batch_sizes),
            self.get_expected_cell_size(input, batch_sizes),
        )
        for i, shape in enumerate(expected):
            self.check_hidden_size(hidden[i], shape, f"Expected hidden[{i}] size {{}}, got {{}}")

    def permute_hidden(self, hx: tuple[Tensor, Tensor], permutation: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the states with their samples permuted; None leaves them as they are."""
        if permutation is None:
            return hx
        return hx[0].index_select(1, permutation), hx[1].index_select(1, permutation)

    def _check_alone(self, hx, n):
        if hx[0].dim() != n or hx[1].dim() != n:
            kind = "unbatched 2-D" if n == 2 else "batched 3-D"
            raise RuntimeError(
                f"For {kind} input, hx and cx should also be {n}-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
            )

    def _each(self, function, hx):
        return function(hx[0]), function(hx[1])

    def _zeros(self, input, batch_sizes):
        return (
            zeros(self.get_expected_hidden_size(input, batch_sizes), dtype=input.dtype, device=input.device),
            zeros(self.get_expected_cell_size(input, batch_sizes), dtype=input.dtype, device=input.device),
        )

    def _check_packed(self, input, hx, batch_sizes):
        """Nothing: PyTorch leaves it to the computation."""

    def _as_given(self, states):
        return tuple(states)


class GRU(_Net):
    """Apply layers of gated recurrent units to sequences: (T, N, input_size) -> (T, N, hidden_size), and the last states.

    ``GRU(input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0, bidirectional=False)``. The states are (layers *
    directions, N, hidden_size). N can be left out. A packed sequence gives a packed sequence. [Cho et al. 2014]

    >>> import minigrad
    >>> output, h = minigrad.nn.GRU(3, 4, bidirectional=True)(minigrad.ones(5, 2, 3))
    >>> output.shape, h.shape
    (torch.Size([5, 2, 8]), torch.Size([2, 2, 4]))
    """

    _name = "GRU"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


# Cells ---------------------------------------------------------------------------------------------------------------------


class RNNCellBase(Module):
    """The base class of the cells: parameters for one step of ``num_chunks`` gates.

    >>> import minigrad
    >>> minigrad.nn.RNNCellBase(2, 3, bias=True, num_chunks=4).weight_ih.shape
    torch.Size([12, 2])
    """

    __constants__: list[Any] = ["input_size", "hidden_size", "bias"]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size
        shapes = {"weight_ih": (gates, input_size), "weight_hh": (gates, hidden_size)}
        for name, shape in shapes.items():
            setattr(self, name, Parameter(empty(shape, device=device, dtype=dtype)))
        for name in ("bias_ih", "bias_hh"):
            if bias:
                setattr(self, name, Parameter(empty(gates, device=device, dtype=dtype)))
            else:
                self.register_parameter(name, None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reinitialize all parameters."""
        _reset_parameters(self)

    def extra_repr(self) -> str:
        shown = [str(self.input_size), str(self.hidden_size)]
        if self.bias is not True:
            shown.append(f"bias={self.bias}")
        if self.__dict__.get("nonlinearity", "tanh") != "tanh":
            shown.append(f"nonlinearity={self.nonlinearity}")
        return ", ".join(shown)

    def _check_dims(self, x, name):
        if x.dim() not in (1, 2):
            raise ValueError(f"{self._name}: Expected {name} to be 1D or 2D, got {x.dim()}D instead")

    def _step(self, cell, input, hx):
        """``cell`` of an input and a state, or two; for one sample as for a batch of it."""
        parameters = self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        if input.dim() == 2:
            return cell(input, self._zeros(input) if hx is None else hx, *parameters)
        input = input.unsqueeze(0)
        if hx is None:
            hx = self._zeros(input)
        else:
            hx = hx.unsqueeze(0) if isinstance(hx, Tensor) else [state.unsqueeze(0) for state in hx]
        result = cell(input, hx, *parameters)
        return (
            result.squeeze(0) if isinstance(result, Tensor) else tuple(state.squeeze(0) for state in result)
        )

    def _zeros(self, input):
        return zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)


class RNNCell(RNNCellBase):
    """Compute one step of ``h = tanh(W_ih x + b_ih + W_hh h + b_hh)`` (or ``relu``): (N, input_size), (N, hidden_size) -> (N, hidden_size).

    N can be left out. So can the state, which is then zero.

    >>> import minigrad
    >>> minigrad.nn.RNNCell(3, 4)(minigrad.ones(2, 3)).shape
    torch.Size([2, 4])
    """

    __constants__: list[Any] = ["input_size", "hidden_size", "bias", "nonlinearity"]
    _name = "RNNCell"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=1, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        self._check_dims(input, "input")
        if hx is not None:
            self._check_dims(hx, "hidden")
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        cell = _recurrent.rnn_tanh_cell if self.nonlinearity == "tanh" else _recurrent.rnn_relu_cell
        return self._step(cell, input, hx)


class LSTMCell(RNNCellBase):
    """Compute one step of long short-term memory: (N, input_size), ((N, hidden_size), (N, hidden_size)) -> the next states h and c.

    N can be left out. So can the states, which are then zero.

    >>> import minigrad
    >>> h, c = minigrad.nn.LSTMCell(3, 4)(minigrad.ones(2, 3))
    >>> h.shape, c.shape
    (torch.Size([2, 4]), torch.Size([2, 4]))
    """

    _name = "LSTMCell"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=4, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        self._check_dims(input, "input")
        if hx is not None:
            for i, state in enumerate(hx):
                self._check_dims(state, f"hx[{i}]")
        return self._step(_recurrent.lstm_cell, input, hx)

    def _zeros(self, input):
        state = super()._zeros(input)
        return state, state


class GRUCell(RNNCellBase):
    """Compute one step of a gated recurrent unit: (N, input_size), (N, hidden_size) -> (N, hidden_size).

    N can be left out. So can the state, which is then zero.

    >>> import minigrad
    >>> minigrad.nn.GRUCell(3, 4)(minigrad.ones(2, 3)).shape
    torch.Size([2, 4])
    """

    _name = "GRUCell"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: _Device = None,
        dtype: _dtype | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, num_chunks=3, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        self._check_dims(input, "input")
        if hx is not None:
            self._check_dims(hx, "hidden")
        return self._step(_recurrent.gru_cell, input, hx)
