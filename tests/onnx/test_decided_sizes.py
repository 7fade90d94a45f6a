"""``onnx.export`` of programs that compute numbers from sizes, or decide by them, far from the sizes of the example: right there, or refused."""

import functools
import math
import re

import numpy as np
import pytest

import minigrad as torch
import minigrad.nn.functional as F
from minigrad.export import Dim
from tests.onnx.checked_exports import check
from tests.onnx.exported_cases import Call

#: Programs of a tensor with 5 rows.
COMPUTED = {
    "a multiple of 8": lambda x: F.pad(x, (0, 0, 0, -x.shape[0] % 8)),
    "a multiple of 64": lambda x: F.pad(x, (0, 0, 0, (len(x) + 63) // 64 * 64 - len(x))),
    "quotients that are 0 for the example": lambda x: x * (x.size(0) // 64 + 1) + x.size(0) // 33,
    "bits": lambda x: x * (x.size(0) & 3) + (x.size(0) >> 2),
    "the less of two": lambda x: x[: min(x.size(0), 40)] + min(40, x.size(0)),
    "the greater of two": lambda x: x.new_zeros(max(x.size(0), 40)),
    "floats": lambda x: x / math.sqrt(x.size(0)) + 1 / x.size(0) + x.size(0) / 3 + x.size(0) ** 0.5,
    "floats that are rounded": lambda x: (
        x[: int(x.size(0) * 0.7)],
        x[: math.ceil(x.size(0) / 3)],
        x[: round(x.size(0) / 4)],
    ),
    "squares": lambda x: x * x.size(0) ** 2 - x.numel(),
    "topk": lambda x: x.topk(min(20, x.size(0)), 0).values,
    "both sides are the same program": lambda x: x * 2 if x.shape[0] > 60 else x * (1 + 1),
}
#: Programs that take another way for more rows, and for how many.
DECIDED = {
    "size(0)": (lambda x: x * 2 if x.size(0) > 100 else x, 101),
    "len": (lambda x: x * 2 if len(x) >= 30 else x, 30),
    "numel": (lambda x: x * 2 if x.numel() > 100 else x, 51),
    "an equation": (lambda x: x * 2 if x.shape[0] == 37 else x, 37),
    "shapes": (lambda x: x * 2 if x.shape == (41, 2) else x, 41),
    "parts": (lambda x: x + sum([torch.ones(1) for _ in range(0, x.shape[0], 50)]), 51),
    "a computed number": (lambda x: x * 2 if x.size(0) * 3 - 1 > 200 else x, 68),
    "a quotient": (lambda x: x * 2 if x.size(0) // 32 else x, 32),
    "another tensor's size": (lambda x: x * 2 if x[::2].size(0) > 20 else x, 41),
    "split": (lambda x: sum(part.sum() for part in x.split(20)), 21),
    "a part of a split": (lambda x: x.split(split_size=20, dim=0)[-1] * 1, 21),
    "an int": (lambda x: x * 2 if int(x.shape[0]) > 50 else x, 51),
    "an int of a float": (lambda x: x * 2 if int(x.shape[0] * 0.5) >= 30 else x, 60),
    "a float": (lambda x: x * 2 if float(x.shape[0]) > 70 else x, 71),
    "text": (lambda x: x * 2 if len(str(x.shape[0])) > 2 else x, 100),
    "formatted text": (lambda x: x * 2 if len(f"{x.shape[0]:d}") > 2 else x, 100),
    "a logarithm": (lambda x: x * 2 if math.log2(x.shape[0]) > 6 else x, 65),
    "a root": (lambda x: x * 2 if math.isqrt(x.shape[0]) > 6 else x, 49),
    "NumPy": (lambda x: x * 2 if np.float32(x.shape[0]) > 70 else x, 71),
}
FACTORS = {64: 2.0, 128: 3.0}


@functools.lru_cache
def factor(rows):
    """What a program remembers by a size."""
    return 2.0 if rows == 77 else 1.0


#: Programs that look up a size, in ways that are not heard where nothing is found.
LOOKED_UP = {
    "a dict": lambda x: x * FACTORS.get(x.shape[0], 1.0),
    "a set": lambda x: x * 2 if x.shape[0] in {64, 128} else x,
    "a set of shapes": lambda x: x * 2 if x.shape in {(64, 2)} else x,
    "a hash": lambda x: x * (2 if hash(x.shape[0]) == 64 else 1),
    "a cache": lambda x: x * factor(x.shape[0]),
    "a computed number": lambda x: x * FACTORS.get(x.shape[0] * 2, 1.0),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_numbers_computed_of_sizes(name):
    module = Call(COMPUTED[name]).eval()
    program = torch.onnx.export(module, (torch.randn(5, 2),), dynamic_shapes=({0: "rows"},))
    for rows in (1, 3, 31, 32, 33, 40, 64, 65, 130):
        check(program, module, torch.randn(rows, 2))


@pytest.mark.parametrize("name", DECIDED)
def test_decisions_by_sizes(name):
    program, rows = DECIDED[name]
    module, example = Call(program).eval(), (torch.randn(5, 2),)
    with pytest.raises(RuntimeError, match=rf"size {rows} .*test_decided_sizes.py:\d+"):
        torch.onnx.export(module, example, dynamic_shapes=({0: "rows"},))
    bounded = torch.onnx.export(module, example, dynamic_shapes=({0: Dim("rows", max=rows - 1)},))
    check(bounded, module, torch.randn(rows - 1, 2))


@pytest.mark.parametrize("rows", [12, 100])
def test_sizes_that_make_fewer_chunks(rows):
    module = Call(lambda x: torch.stack([part.amax(0) for part in x.chunk(4)])).eval()
    with pytest.raises(
        RuntimeError, match=r"size 9 .*cut into 4 parts, and 9 is not, .*test_decided_sizes.py"
    ):
        torch.onnx.export(module, (torch.randn(rows, 2),), dynamic_shapes=({0: Dim("rows", min=7)},))
    program = torch.onnx.export(module, (torch.randn(rows, 2),), dynamic_shapes=({0: Dim("rows", min=10)},))
    for rows in (10, 13, 50):
        check(program, module, torch.randn(rows, 2))


@pytest.mark.parametrize("name", LOOKED_UP)
def test_sizes_that_are_looked_up(name):
    module, example = Call(LOOKED_UP[name]).eval(), (torch.randn(5, 2),)
    with pytest.raises(RuntimeError, match=r"looks up a number that depends on rows .*\.py:\d+"):
        torch.onnx.export(module, example, dynamic_shapes=({0: "rows"},))
    bounded = torch.onnx.export(module, example, dynamic_shapes=({0: Dim("rows", max=31)},))
    check(bounded, module, torch.randn(31, 2))
    with pytest.raises(RuntimeError, match="Constraints violated"):
        torch.onnx.export(module, example, dynamic_shapes=({0: Dim("rows", min=32, max=78)},))


def test_fixed_sizes_that_are_looked_up():
    module = Call(lambda x: x * {2: 3.0}[x.shape[1]]).eval()
    program = torch.onnx.export(module, (torch.randn(5, 2),), dynamic_shapes=({0: "rows"},))
    check(program, module, torch.randn(64, 2))


def test_bounds_that_a_program_asserts():
    class Bounded(torch.nn.Module):
        def forward(self, x):
            assert x.shape[0] <= 50
            return x * 2

    program = torch.onnx.export(Bounded().eval(), (torch.randn(5, 2),), dynamic_shapes=({0: "rows"},))
    check(program, Bounded(), torch.randn(50, 2))


def test_decisions_for_sizes_that_are_too_large_to_be_tried():
    module = Call(lambda x: x * 2 if x.shape[0] > 10**8 else x).eval()
    with pytest.raises(RuntimeError, match=r"too large. If such sizes do not occur, say Dim\('rows', max="):
        torch.onnx.export(module, (torch.randn(5, 2),), dynamic_shapes=({0: "rows"},))


def test_exported_programs_compute_with_sizes():
    module = Call(COMPUTED["a multiple of 64"]).eval()
    exported = torch.export.export(module, (torch.randn(5, 2),), dynamic_shapes=({0: Dim("rows")},))
    program = torch.onnx.export(exported)
    again = torch.onnx.export(module, (torch.randn(5, 2),), dynamic_shapes=({0: "rows"},)).exported_program
    for rows in (1, 65):
        x = torch.randn(rows, 2)
        check(program, module, x)
        assert again.module()(x).equal(module(x))


@pytest.mark.parametrize("length", [64, 100])
def test_sizes_that_are_the_same_for_all_near_ones(length):
    def function(x):
        pooled = F.max_pool1d(x, 32, 32)
        return pooled * pooled.shape[-1], torch.arange(pooled.shape[-1]), pooled.new_ones(pooled.shape)

    module = Call(function).eval()
    program = torch.onnx.export(
        module, (torch.randn(2, length),), dynamic_shapes=({1: Dim("length", max=1000)},)
    )
    for other in (33, 64, 130, 900):
        check(program, module, torch.randn(2, other))


def test_sizes_that_go_together():
    module = Call(lambda x, y, z: (torch.cat([x, y]) * z, x.repeat(2, 1) + 1, y[:, None] - y)).eval()
    program = torch.onnx.export(
        module,
        (torch.randn(3, 2), torch.randn(4, 2), torch.randn(7, 2)),
        dynamic_shapes={f"args_{i}": {0: name, 1: "columns"} for i, name in enumerate(("x", "y", "both"))},
    )
    for rows, more, columns in ((3, 4, 2), (1, 5, 3), (6, 2, 1)):
        check(program, module, *[torch.randn(n, columns) for n in (rows, more, rows + more)])


@pytest.mark.filterwarnings("ignore:# 'dynamic_axes'")
def test_axes_of_several_inputs_are_one_size():
    module = Call(lambda x, y, z: x @ y.mT + z).eval()
    axes = {"x": [0], "y": [0, 1], "z": [0]}
    inputs = torch.randn(2, 5, 4), torch.randn(2, 3, 4), torch.randn(2, 1, 1)
    program = torch.onnx.export(module, inputs, input_names=["x", "y", "z"], dynamic_axes=axes)
    check(program, module, torch.randn(7, 5, 4), torch.randn(7, 9, 4), torch.randn(7, 1, 1))


@pytest.mark.parametrize("hint", [Dim.AUTO, Dim.DYNAMIC])
def test_hinted_sizes_that_are_one(hint):
    module, x = Call(lambda x, y: x + y).eval(), torch.randn(3, 2)
    program = torch.export.export(module, (x, x), dynamic_shapes=(({0: hint, 1: hint},) * 2,))
    assert program.module()(torch.ones(5, 7), torch.ones(5, 7)).shape == (5, 7)


def test_derived_sizes():
    half = Dim("half", min=1, max=40)
    module, example = Call(lambda x, y: x.view(-1, 2) + y).eval(), (torch.randn(6, 1), torch.randn(3, 2))
    shapes = (({0: 2 * half}, {0: half}),)
    program = torch.onnx.export(module, example, dynamic_shapes=shapes)
    check(program, module, torch.randn(18, 1), torch.randn(9, 2))
    assert program.model_proto.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "2*half"
    exported = torch.export.export(module, example, dynamic_shapes=shapes)
    check(torch.onnx.export(exported), module, torch.randn(8, 1), torch.randn(4, 2))
    with pytest.raises(AssertionError, match=r"Guard failed: args_0.size\(\)\[0\] == 2\*half"):
        exported.module()(torch.randn(8, 1), torch.randn(5, 2))
    with pytest.raises(RuntimeError, match=r"A size of 6 is not 2\*half \+ 1"):
        torch.onnx.export(module, example, dynamic_shapes=(({0: 2 * half + 1}, {0: half}),))


def test_derived_sizes_of_none_that_is_an_input():
    patches = Dim("patches", min=1)
    module = Call(lambda x: F.avg_pool1d(x, 4)).eval()
    program = torch.onnx.export(module, (torch.randn(2, 8),), dynamic_shapes=({1: 4 * patches},))
    check(program, module, torch.randn(2, 20))


@pytest.mark.torch
@pytest.mark.parametrize(
    "expression", ["2*d", "d*2 + 1", "d - 1", "(d + 1)*3", "d * -1", "1 - d", "d * 1.5", "d + d"]
)
def test_derived_sizes_are_written_as_in_pytorch(expression):
    oracle = pytest.importorskip("torch")
    found = []
    for make in (Dim, oracle.export.Dim):
        try:
            derived = eval(expression, {"d": make("d", min=2, max=8)})
            found.append((derived.__name__, derived.min, derived.max))
        except NotImplementedError as error:
            found.append(re.sub(r"Dim\('d'.*?\)", "d", str(error)))
    assert found[0] == found[1]
