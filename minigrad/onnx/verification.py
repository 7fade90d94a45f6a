"""By how much a model differs from its program: its outputs, and the values on the way."""

import dataclasses
import math
from typing import Any

from .. import _api
from .._api import Tensor
from ..fx import Interpreter
from ..utils import _pytree as pytree
from .testing import given_or_examples

__all__ = ["VerificationInfo", "verify_onnx_program"]

_BINS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 1e6)


@dataclasses.dataclass
class VerificationInfo:
    """How far a value of a model is from what was expected: the largest differences, and histograms of them as (counts, edges).

    >>> import minigrad
    >>> from minigrad.onnx.verification import VerificationInfo
    >>> VerificationInfo.from_tensors("y", minigrad.ones(2), minigrad.tensor([1.0, 3.0])).max_abs_diff
    2.0
    """

    name: str
    max_abs_diff: float
    max_rel_diff: float
    abs_diff_hist: tuple[Tensor, Tensor]
    rel_diff_hist: tuple[Tensor, Tensor]
    expected_dtype: Any
    actual_dtype: Any

    @classmethod
    def from_tensors(cls, name: str, expected: Any, actual: Any) -> "VerificationInfo":
        """The differences of two tensors or numbers; infinite where one is empty."""
        expected, actual = (_api.as_tensor(x).detach() for x in (expected, actual))
        kinds = expected.dtype, actual.dtype
        if expected.is_complex():
            expected = _api.view_as_real(expected)
        if expected.numel() and actual.numel():
            wanted = expected.double()
            gap = (wanted - actual.double()).abs()
            relative = gap / (wanted.abs() + 1e-7)
        else:
            gap = relative = _api.tensor(math.inf)
        edges = _api.tensor(_BINS)
        first, second = (_api.histogram(x.float(), edges) for x in (gap, relative))
        return cls(
            name,
            gap.max().item(),
            relative.max().item(),
            (first[0], first[1]),
            (second[0], second[1]),
            *kinds,
        )

    def asdict(self) -> dict[str, Any]:
        """The same as a dict of texts, numbers and lists."""
        return {
            "name": self.name,
            "max_abs_diff": self.max_abs_diff,
            "max_rel_diff": self.max_rel_diff,
            "abs_diff_hist": [x.tolist() for x in self.abs_diff_hist],
            "rel_diff_hist": [x.tolist() for x in self.rel_diff_hist],
            "expected_dtype": str(self.expected_dtype),
            "actual_dtype": str(self.actual_dtype),
        }


def verify_onnx_program(
    onnx_program: Any, args: Any = None, kwargs: Any = None, compare_intermediates: bool = False
) -> list[VerificationInfo]:
    """Compare a model with its exported program: a ``VerificationInfo`` for each output, of the arguments or of the examples.

    With ``compare_intermediates`` also for each value on the way that both have, computed by ONNX's reference implementation. Raises ValueError for a program without an exported one.

    >>> import minigrad
    >>> program = minigrad.onnx.export(minigrad.nn.ReLU(), (minigrad.ones(2),))  # doctest: +SKIP
    >>> minigrad.onnx.verification.verify_onnx_program(program)[0].max_abs_diff  # doctest: +SKIP
    0.0
    """
    args, kwargs = given_or_examples(onnx_program, args, kwargs)
    if compare_intermediates:
        return _values_on_the_way(onnx_program, args, kwargs)
    expected = pytree.tree_leaves(onnx_program.exported_program.module()(*args, **kwargs))
    names = [x.name for x in onnx_program.model_proto.graph.output]
    found = onnx_program(*args, **kwargs)
    return [VerificationInfo.from_tensors(*each) for each in zip(names, expected, found)]


class _ValueInterpreter(Interpreter):
    """Runs a graph, and keeps the tensors that its nodes give, by their names."""

    def __init__(self, module):
        super().__init__(module)
        self.found = {}

    def run_node(self, n):
        result = super().run_node(n)
        if isinstance(result, Tensor) and n.op.startswith("call"):
            self.found[n.name] = result.detach().clone()
        return result


def _values_on_the_way(program, args, kwargs):
    exported = program.exported_program
    module = exported.module(check_guards=False)
    interpreter = _ValueInterpreter(module)
    interpreter.run(*pytree.tree_leaves((args, kwargs)))
    made = {}
    for node in program.model_proto.graph.node:
        scopes = [x.value for x in node.metadata_props if x.key == "pkg.torch.onnx.name_scopes"]
        if scopes and len(node.output) == 1:
            made[scopes[0].rpartition(", ")[2].strip("'\"]")] = node.output[0]  # the last node of an operator
    names = [name for name in interpreter.found if name in made]
    found = program.compute_values([made[name] for name in names], args, kwargs)
    return [
        VerificationInfo.from_tensors(made[name], interpreter.found[name], x) for name, x in zip(names, found)
    ]
