"""``onnx.load``: gradients of the operators that are read, compared with differences of the results, in the node tests that the package ``onnx`` brings."""

import math
import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad.utils._pytree import tree_leaves, tree_map
from tests.test_onnx_loading import RANDOM, model, needs_onnx, value

#: Operators of which the first input alone is differentiated: the others are sizes, or places that gradients do not reach, as in PyTorch.
OF_THE_FIRST_INPUT = {
    "MaxRoiPool",
    "Resize",
    "RoiAlign",
    "Upsample",
    "CenterCropPad",
    "AffineGrid",
    "Clip",
    "OneHot",
}
#: Operators that have no derivative with regard to their inputs, as in PyTorch, though there are floats among these and the results.
WITHOUT_A_DERIVATIVE = {
    "Unique": "PyTorch has none",
    "BitCast": "it is of bits",
    "Hardmax": "it is of steps",
    "MelWeightMatrix": "it is of frequencies",
    "OneHot": "its values are scalars",
    "Range": "it is of bounds",
}
#: Operators of numbers from -1 to 1.
UP_TO_ONE = {"Acos", "Asin", "Atanh"}
FLOATS = (torch.float32, torch.float64)


def operators_of(case):
    return {node.op_type for node in case.model.graph.node}


def floats(values):
    """The tensors of floats that are not rounded to 16 bits and fewer."""
    return [x for x in tree_leaves(values) if isinstance(x, torch.Tensor) and x.dtype in FLOATS]


class Case:
    """A node test in a dtype, at a place beside the kinks that its round numbers are at."""

    def __init__(self, case, dtype):
        self.dtype = dtype
        self.loaded = torch.onnx.load(case.model)
        given = [value(x) for x in case.data_sets[0][0]]
        operators = operators_of(case)
        few, self.inside = bool(operators & OF_THE_FIRST_INPUT), bool(operators & UP_TO_ONE)
        torch.manual_seed(0)
        self.given = [tree_map(self.moved, x) if i == 0 or not few else x for i, x in enumerate(given)]
        self.leaves = [x for x in tree_leaves(self.given) if isinstance(x, torch.Tensor) and x.requires_grad]

    def moved(self, x):
        if not (isinstance(x, torch.Tensor) and x.dtype in FLOATS):
            return x
        x = x.to(self.dtype)
        if self.inside:
            x = torch.where(x.abs() < 0.99, x, x * 0.98)
        return (x + 3e-3 + 1e-3 * torch.rand_like(x)).requires_grad_()

    def results(self, step=0.0, directions=()):
        """The floats that it returns, with the inputs moved."""
        places = {id(x): (x + step * v).detach().to(self.dtype) for x, v in zip(self.leaves, directions)}
        torch.manual_seed(0)
        given = tree_map(lambda x: places.get(id(x), x), self.given)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return floats(self.loaded(*given))

    def differentiable(self):
        """Whether there is something to compare: finite results that have gradients."""
        results = self.results() if self.leaves else []
        return any(y.requires_grad for y in results) and all(y.isfinite().all() for y in results)

    def compared(self):
        """(the slope by gradients, by differences): of a random sum of the results, in a random direction."""
        torch.manual_seed(1)
        results = self.results()
        chosen = [i for i, y in enumerate(results) if y.requires_grad]
        weights = {i: torch.randn(results[i].shape, dtype=torch.float64) for i in chosen}

        def total(found):
            return sum((found[i].double() * w).sum() for i, w in weights.items())

        gradients = torch.autograd.grad(total(results), self.leaves, allow_unused=True)
        directions = [torch.randn(x.shape, dtype=torch.float64) for x in self.leaves]
        slope = 0.0
        for x, g, v in zip(self.leaves, gradients, directions):
            slope += 0.0 if g is None else float((g * v)[x.detach().isfinite()].sum())
        for step, tolerance in ((1e-6, 1e-4), (1e-4, 0.02), (2e-3, 0.02)):  # parts may compute in float32
            ahead, behind = (total(self.results(by, directions)) for by in (step, -step))
            difference = float(ahead - behind) / (2 * step)
            if math.isclose(slope, difference, rel_tol=tolerance, abs_tol=tolerance):
                break
        else:
            return slope, difference
        return None


NOTHING = object()


def compared(case):
    """How slopes differ in a case, None if they do not; NOTHING without a derivative. In float32 where a graph converts to it."""
    for dtype in (torch.float64, torch.float32):
        made = Case(case, dtype)
        try:
            return made.compared() if made.differentiable() else NOTHING
        except RuntimeError:  # two dtypes in a product
            if dtype is torch.float32:
                raise
    return None


@needs_onnx
@pytest.mark.slow  # most of it is the package's own reference
@pytest.mark.filterwarnings("ignore")  # of the package
def test_gradients_in_the_node_tests_of_onnx():
    from onnx.backend.test.loader import load_model_tests

    cases = load_model_tests(kind="node")
    if cases[0].model is None:
        pytest.skip("this version of onnx keeps its cases in files")
    right, wrong = set(), []
    for case in cases:
        operators = operators_of(case)
        if len(case.model.graph.node) > 1 or operators & (RANDOM | {*WITHOUT_A_DERIVATIVE}):
            continue  # the longer ones are what operators are made of
        try:
            found = compared(case)
        except NotImplementedError:  # the operator is refused
            continue
        if found is NOTHING:
            continue
        if found is None:
            right |= operators
        else:
            wrong.append((case.name, found))
    assert not wrong
    assert len(right) > 100


#: Operators of which the node tests have no floats: nodes from ``x`` to ``y``, and the constants that they take.
OTHERS = {
    "Cast": ([("Cast", "x", "y", {"to": 11})], {}),
    "CastLike": ([("CastLike", "x like", "y", {})], {"like": np.zeros(1)}),
    "Trilu": ([("Trilu", "x", "y", {"upper": 0})], {}),
    "GlobalLpPool": ([("GlobalLpPool", "x", "y", {"p": 3})], {}),
    "Dropout": ([("Dropout", "x", "y", {})], {}),
    "MaxRoiPool": (
        [("MaxRoiPool", "x rois", "y", {"pooled_shape": [2, 2]})],
        {"rois": np.array([[0, 0, 0, 2, 3], [1, 1, 0, 2, 2]], np.float64)},
    ),
    "sequences": (
        [
            ("SequenceEmpty", "", "none", {"dtype": 11}),
            ("Mul", "x x", "square", {}),
            ("SequenceConstruct", "x square", "two", {}),
            ("SequenceInsert", "two x first", "three", {}),
            ("SequenceErase", "three one", "rest", {}),
            ("SequenceAt", "three second", "last", {}),
            ("SequenceInsert", "none last", "single", {}),
            ("ConcatFromSequence", "single", "a", {"axis": 0}),
            ("ConcatFromSequence", "rest", "b", {"axis": 0}),
            ("Concat", "a b", "y", {"axis": 0}),
        ],
        {"first": np.array(0), "one": np.array(1), "second": np.array(2)},
    ),
}


@needs_onnx
@pytest.mark.parametrize("name", OTHERS)
def test_gradients_of_other_operators(name):
    nodes, constants = OTHERS[name]
    loaded = torch.onnx.load(model(nodes, ["x"], ["y"], constants))
    x = torch.randn(2, 2, 4, 5, dtype=torch.float64).requires_grad_()
    assert loaded(x).requires_grad
    assert torch.autograd.gradcheck(loaded, (x,))


@needs_onnx
def test_gradients_of_branches():
    import onnx

    branches = {
        f"{way}_branch": onnx.helper.make_graph(
            [onnx.helper.make_node(kind, ["x", "x"], [way])],
            way,
            [],
            [onnx.helper.make_tensor_value_info(way, onnx.TensorProto.FLOAT, None)],
        )
        for way, kind in (("then", "Mul"), ("else", "Add"))
    }
    nodes = [("If", "condition", "y", branches)]
    loaded = torch.onnx.load(model(nodes, ["x", ("condition", onnx.TensorProto.BOOL)], ["y"]))
    x = torch.randn(3, dtype=torch.float64).requires_grad_()
    for condition in (True, False):
        assert torch.autograd.gradcheck(lambda x, c=torch.tensor(condition): loaded(x, c), (x,))
