"""``Fuzzer``: tensors of sizes, strides and orders in memory that are drawn at random."""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .... import _api
from ...._base.dtypes import dtype as _dtype

__all__ = ["Fuzzer", "FuzzedParameter", "ParameterAlias", "FuzzedTensor"]


class FuzzedParameter:
    """A number that is drawn from ``minval`` to ``maxval``, "uniform" or "loguniform", or a value of a dict of values with their probabilities.

    One that is ``strict`` stays while others are drawn anew because the constraints refused them.

    >>> import minigrad, numpy as np
    >>> from minigrad.utils.benchmark import FuzzedParameter
    >>> 4 <= FuzzedParameter("n", 4, 64, distribution="loguniform").sample(np.random.RandomState(0)) <= 64
    True
    """

    def __init__(
        self,
        name: str,
        minval: int | float | None = None,
        maxval: int | float | None = None,
        distribution: str | dict[Any, float] | None = None,
        strict: bool = False,
    ) -> None:
        if isinstance(distribution, dict):
            if any(p < 0 for p in distribution.values()):
                raise AssertionError("Probabilities cannot be negative")
            if abs(sum(distribution.values()) - 1) > 1e-5:
                raise AssertionError("Distribution is not normalized")
            for bound, value in (("minval", minval), ("maxval", maxval)):
                if value is not None:
                    raise AssertionError(f"When passing a custom distribution, '{bound}' must be None")
        elif distribution not in ("loguniform", "uniform"):
            raise AssertionError(f"Unknown distribution: {distribution}")
        self._name, self._minval, self._maxval = name, minval, maxval
        self._distribution = distribution
        self.strict = strict

    @property
    def name(self) -> Any:
        """The name."""
        return self._name

    def sample(self, state: Any) -> Any:
        """Return a value, from NumPy's ``RandomState``.

        >>> import minigrad, numpy as np
        >>> from minigrad.utils.benchmark import FuzzedParameter
        >>> FuzzedParameter("n", distribution={"all": 1.0}).sample(np.random.RandomState(0))
        'all'
        """
        low, high = self._minval, self._maxval
        if isinstance(self._distribution, dict):
            values = [*self._distribution]
            return values[state.choice(np.arange(len(values)), p=tuple(self._distribution.values()))]
        if self._distribution == "loguniform":
            return min(max(int(2 ** state.uniform(low=np.log2(low), high=np.log2(high))), low), high)  # type: ignore[arg-type, type-var]
        if isinstance(low, int) and isinstance(high, int):
            return int(state.randint(low=low, high=high + 1))
        return state.uniform(low=low, high=high)


class ParameterAlias:
    """Stands for the value of another parameter: two sizes are the same now and then.

    >>> import minigrad
    >>> minigrad.utils.benchmark.ParameterAlias("n")
    ParameterAlias[alias_to: n]
    """

    def __init__(self, alias_to: Any) -> None:
        self.alias_to = alias_to

    def __repr__(self) -> str:
        return f"ParameterAlias[alias_to: {self.alias_to}]"


class FuzzedTensor:
    """A tensor whose ``size`` and ``steps`` are numbers or names of parameters.

    With ``steps`` a larger tensor is made, of which each ``step``-th element is taken.  With the probability ``1 - probability_contiguous`` its axes lie in memory
    in another order.  ``dim_parameter`` names the parameter that is its number of axes.  Parameters with which it would have fewer than ``min_elements``, more than
    ``max_elements``, or take more than ``max_allocation_bytes`` are drawn anew.  ``tensor_constructor(size, dtype, **parameters)`` makes it.

    >>> import minigrad
    >>> from minigrad.utils.benchmark import FuzzedTensor
    >>> FuzzedTensor("x", (3, "n"), max_elements=10).satisfies_constraints({"n": 4})
    False
    """

    def __init__(
        self,
        name: str,
        size: tuple[str | int, ...],
        steps: tuple[str | int, ...] | None = None,
        probability_contiguous: float = 0.5,
        min_elements: int | None = None,
        max_elements: int | None = None,
        max_allocation_bytes: int | None = None,
        dim_parameter: str | None = None,
        roll_parameter: str | None = None,
        dtype: _dtype | None = None,
        cuda: bool = False,
        tensor_constructor: Callable[..., Any] | None = None,
    ) -> None:
        if cuda:
            raise RuntimeError("FuzzedTensor: minigrad computes on the CPU only, not on CUDA")
        self._name, self._size, self._steps = name, size, steps
        self._probability_contiguous = probability_contiguous
        self._min_elements, self._max_elements = min_elements, max_elements
        self._max_allocation_bytes = max_allocation_bytes
        self._dim_parameter = dim_parameter
        self._dtype = _api._dtypes.float32 if dtype is None else dtype
        self._tensor_constructor = tensor_constructor

    @property
    def name(self) -> Any:
        """The name."""
        return self._name

    @staticmethod
    def default_tensor_constructor(size: Any, dtype: Any, **kwargs: Any) -> Any:
        """Numbers of [0, 1), or integers of [1, 127).

        >>> import minigrad
        >>> minigrad.utils.benchmark.FuzzedTensor.default_tensor_constructor((2,), minigrad.float64).dtype
        torch.float64
        """
        if dtype.is_floating_point or dtype.is_complex:
            return _api.rand(size, dtype=dtype)
        return _api.randint(1, 127, size, dtype=dtype)

    def _sizes(self, params):
        """(size, steps, size before elements are left out)."""
        dim = len(self._size) if self._dim_parameter is None else params[self._dim_parameter]

        def resolved(values):
            found = [params.get(value, value) for value in values][:dim]
            return (*found, *[1] * (dim - len(found)))

        size, steps = resolved(self._size), resolved(self._steps or ())
        return size, steps, tuple(n * step for n, step in zip(size, steps))

    def _make_tensor(self, params, state):
        size, steps, allocated = self._sizes(params)
        construct = self._tensor_constructor or self.default_tensor_constructor
        tensor = construct(size=allocated, dtype=self._dtype, **params)
        identity = np.arange(len(size))
        order = identity
        if state.rand() > self._probability_contiguous:
            while len(size) > 1 and np.array_equal(order, identity):
                order = state.permutation(tensor.dim())
            tensor = tensor.permute(order.tolist()).contiguous().permute(np.argsort(order).tolist())
        tensor = tensor[tuple(slice(0, n * step, step) for n, step in zip(size, steps))]
        return tensor, {
            "numel": tensor.numel(),
            "order": order,
            "steps": steps,
            "is_contiguous": tensor.is_contiguous(),
            "dtype": str(self._dtype),
        }

    def satisfies_constraints(self, params: Any) -> bool:
        """Return whether the tensor would have an allowed size.

        >>> import minigrad
        >>> minigrad.utils.benchmark.FuzzedTensor("x", ("n",), min_elements=3).satisfies_constraints({"n": 3})
        True
        """
        size, _, allocated = self._sizes(params)
        elements = math.prod(map(int, size))
        if elements < 0:
            raise AssertionError("Computed number of elements is negative")
        nbytes = math.prod(map(int, allocated)) * self._dtype.itemsize
        most, least, most_bytes = self._max_elements, self._min_elements, self._max_allocation_bytes
        return (
            (most is None or elements <= most)
            and (least is None or elements >= least)
            and (most_bytes is None or nbytes <= most_bytes)
        )


class Fuzzer:
    """Draws parameters that satisfy ``constraints``, functions of their dict, and makes tensors of them; the same for the same ``seed``, also as PyTorch's.

    ValueError if a parameter and a tensor have the same name.

    >>> import minigrad
    >>> from minigrad.utils.benchmark import FuzzedParameter, FuzzedTensor, Fuzzer
    >>> fuzzer = Fuzzer([FuzzedParameter("n", 2, 9, "uniform")], [FuzzedTensor("x", ("n", 3))], seed=0)
    >>> [(tensors["x"].shape[1], params["n"] == len(tensors["x"])) for tensors, properties, params in fuzzer.take(2)]
    [(3, True), (3, True)]
    """

    def __init__(
        self,
        parameters: Any,
        tensors: Any,
        constraints: list[Callable[..., Any]] | None = None,
        seed: int | None = None,
    ) -> None:
        if seed is None:
            seed = int(np.random.RandomState().randint(0, 2**32 - 1, dtype=np.int64))
        self._seed = seed
        self._parameters = _unpacked(parameters, FuzzedParameter)
        self._tensors = _unpacked(tensors, FuzzedTensor)
        self._constraints = constraints or ()
        common = {p.name for p in self._parameters} & {t.name for t in self._tensors}
        if common:
            raise ValueError(f"Duplicate names in parameters and tensors: {common}")
        self._rejections = self._total_generated = 0

    def take(self, n: Any) -> Iterator[Any]:
        """Draw ``n`` times: yield (tensors, descriptions of the tensors, parameters), as dicts by name. Seeds minigrad's generator.

        >>> import minigrad
        >>> from minigrad.utils.benchmark import FuzzedTensor, Fuzzer
        >>> [tensors for tensors, *_ in Fuzzer([], [FuzzedTensor("x", (1, 1))], seed=1).take(1)][0]["x"].shape
        torch.Size([1, 1])
        """
        state = np.random.RandomState(self._seed)
        _api.manual_seed(int(state.randint(low=0, high=2**63, dtype=np.int64)))
        for _ in range(n):
            params = self._generate(state)
            made = {tensor.name: tensor._make_tensor(params, state) for tensor in self._tensors}
            yield (
                {name: tensor for name, (tensor, _) in made.items()},
                {name: properties for name, (_, properties) in made.items()},
                params,
            )

    @property
    def rejection_rate(self) -> Any:
        """The share of what was drawn that the constraints refused."""
        return self._rejections / self._total_generated if self._total_generated else 0.0

    def _generate(self, state):
        fixed: dict[Any, Any] = {}
        for _ in range(1000):
            drawn = {}
            for parameter in self._parameters:
                if parameter.strict and parameter.name in fixed:
                    drawn[parameter.name] = fixed[parameter.name]
                    continue
                drawn[parameter.name] = parameter.sample(state)
                if parameter.strict:
                    fixed[parameter.name] = drawn[parameter.name]
            drawn = {name: _resolve(drawn, name) for name in drawn}
            self._total_generated += 1
            if all(allowed(drawn) for allowed in self._constraints) and all(
                tensor.satisfies_constraints(drawn) for tensor in self._tensors
            ):
                return drawn
            self._rejections += 1
        raise ValueError("Failed to generate a set of valid parameters.")


def _unpacked(values, cls):
    return tuple(
        itertools.chain.from_iterable([value] if isinstance(value, cls) else value for value in values)
    )


def _resolve(drawn, name):
    """The value of a parameter, by way of aliases."""
    seen = {name}
    while isinstance(drawn[name], ParameterAlias):
        name = drawn[name].alias_to
        if name in seen:
            raise ValueError(f"ParameterAlias cycle detected\n{drawn}")
        seen.add(name)
    return drawn[name]


_api._lazy.publish_all(globals())
