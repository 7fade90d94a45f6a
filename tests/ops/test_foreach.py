"""``_foreach_*``: an operator for each tensor of a list."""

import re

import numpy as np
import pytest

import minigrad
from minigrad._ops import foreach

NAMES = sorted(name for name in vars(foreach) if re.fullmatch(r"_foreach_[a-z0-9]+_?", name))


def lists(library):
    x = [library.tensor([0.25, 0.5]), library.tensor([[0.75], [0.125]])]
    y = [library.tensor([2.0, 3.0]), library.tensor([[0.5], [4.0]])]
    return x, y


def arguments(name, y, library):
    """Arguments after the first list, several ways."""
    base = name.removeprefix("_foreach_").rstrip("_")
    if base in ("add", "sub", "mul", "div"):
        ways = [(y,), (2.0,), ([2.0, 3],), (library.tensor(4.0),)]
        return ways if base in ("add", "mul", "div") else ways[:3]
    if base in ("pow", "clamp_max", "clamp_min", "maximum", "minimum"):
        return [(y,), (2.0,), ([2.0, 0.375],)]
    if base in ("addcmul", "addcdiv"):
        return [(y, y), (y, y, 0.5), (y, y, [0.5, 2]), (y, y, library.tensor([0.5, 2.0]))]
    return {"lerp": [(y, 0.5), (y, y), (y, [0.5, 0.25])], "copy": [(y,)], "norm": [(), (1,)], "powsum": [(2,)],
            "mm": [([library.ones(2, 2), library.ones(1, 3)],)]}.get(base, [()])  # fmt: skip


@pytest.mark.torch
@pytest.mark.parametrize("name", NAMES)
def test_as_pytorch(name):
    torch = pytest.importorskip("torch")
    found = []
    for library in (minigrad, torch):
        outcomes = []
        for way in range(len(arguments(name, [], library))):
            x, y = lists(library)
            if name == "_foreach_mm":
                x = [library.ones(3, 2), library.ones(2, 1)]
            result = getattr(library, name)(x, *arguments(name, y, library)[way])
            if name[-1] == "_":
                assert type(result) is list and all(a is b for a, b in zip(result, x))
            else:
                assert type(result) is tuple
            outcomes.extend(z.numpy() for z in result)
        found.append(outcomes)
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_every_name_is_there():
    assert len(NAMES) > 80
    assert not hasattr(minigrad, "_foreach_nosuch")
    for name in NAMES:
        assert getattr(minigrad, name).__name__ == name


def test_alpha_and_powers_of_a_number():
    x, y = lists(minigrad)
    assert minigrad._foreach_sub(x, y, alpha=2)[0].tolist() == [-3.75, -5.5]
    assert minigrad._foreach_pow(4.0, [minigrad.tensor([0.5, 2.0])])[0].tolist() == [2.0, 16.0]
    with pytest.raises(TypeError, match="alpha"):
        minigrad._foreach_add(x, 1, alpha=2)


@pytest.mark.parametrize(
    "call, kind, text",
    [
        (lambda x: minigrad._foreach_add(x, [1]), RuntimeError, "must have same number of elements as scalar list"),
        (lambda x: minigrad._foreach_add(x, x[:1]), RuntimeError, "same number of tensors, got 2 and 1"),
        (lambda x: minigrad._foreach_sqrt([]), RuntimeError, "must have at least one tensor"),
        (lambda x: minigrad._foreach_sqrt([1]), TypeError, "expected Tensor as element 0 in argument 0, but got int"),
        (lambda x: minigrad._foreach_add(x, minigrad.ones(2)), RuntimeError, "scalar tensor expected to be 0 dim"),
    ],
)  # fmt: skip
def test_lists_that_do_not_fit(call, kind, text):
    with pytest.raises(kind, match=text):
        call(lists(minigrad)[0])


def test_gradients_come_through():
    x = [minigrad.ones(2, requires_grad=True), minigrad.ones(3, requires_grad=True)]
    sum(z.sum() for z in minigrad._foreach_mul(x, 3.0)).backward()
    assert [t.grad.tolist() for t in x] == [[3.0] * 2, [3.0] * 3]
