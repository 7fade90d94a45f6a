"""``rearrange``: what patterns mean, and which make no sense."""

import pytest

import minigrad
from minigrad.func import grad, rearrange, vmap

X = minigrad.arange(24).view(2, 3, 4)

PATTERNS = [
    ("a b c -> c a b", {}),
    ("a b c -> a (b c)", {}),
    ("a b (c d) -> (a c) (d b)", {"c": 2}),
    ("a b (c d) -> a c b d", {"c": 4, "d": 1}),
    ("... c -> c ...", {}),
    ("a ... -> (a ...)", {}),
    ("a b c ... -> ... c b a", {}),
    ("a b c -> a 1 b () c", {}),
    ("(a 1) b c->a b (1 c)", {}),
    ("a 1 c -> a c", {}),
    ("a b -> b a", {}),
    ("a -> b -> c", {}),
    ("a b c d ... -> a b c d ...", {}),
    ("a b c -> a b", {}),
    ("a b c -> a b c c", {}),
    ("a b 2 -> a b 2", {}),
    ("a b 0 -> a b 0", {}),
    ("a b (c d) -> a b c d", {}),
    ("a b (c d) -> a b c d", {"c": 3}),
    ("a b (c d) -> a b c d", {"c": 2, "d": 3}),
    ("a b c -> a b c", {"a": 3}),
    ("a b c -> a b c", {"q": 3}),
    ("a b c -> a b c", {"b": 3.5}),
    ("a b . -> a b .", {}),
    ("a ... ... -> a ...", {}),
    ("(a ...) b -> a b ...", {}),
    ("a b c -> a b c ...", {}),
    ("((a b) c) d -> a b c d", {}),
    ("(a b c -> a b c", {}),
    ("a b c) -> a b c", {}),
    ("a b, c -> a b c", {}),
    ("a b c_ -> a b c_", {}),
    ("a b 1c -> a b 1c", {}),
]


def answer(torch, pattern, lengths):
    """The rearranged tensor as a list, or the error."""
    try:
        return torch.func.rearrange(torch.arange(24).view(2, 3, 4), pattern, **lengths).tolist()
    except Exception as error:
        return type(error).__name__, str(error)


def test_dimensions_are_moved_split_and_merged():
    assert rearrange(X, "a b c -> c a b").tolist() == X.permute(2, 0, 1).tolist()
    found = rearrange(X, "a b (c d) -> (a c) (d b)", d=2)
    assert found.tolist() == X.view(2, 3, 2, 2).permute(0, 2, 3, 1).reshape(4, 6).tolist()
    assert rearrange([X, X], "s a ... -> a s ...").tolist() == minigrad.stack([X, X], 1).tolist()
    assert rearrange(X, "a b c -> a 1 b c").shape == (2, 1, 3, 4)


def test_errors_name_what_does_not_fit():
    assert answer(minigrad, "a b -> b a", {}) == (
        "ValueError",
        "Number of dimensions in pattern (2) must be equal to the number of dimensions in the tensor (3)",
    )
    assert answer(minigrad, "a b (c d) -> a b c d", {"c": 3}) == (
        "DimensionBindError",
        "inferred dimension does not evenly fit into larger dimension: 4 vs (3, '?')",
    )


def test_inside_of_transforms():
    x = minigrad.arange(6.0).view(2, 3)
    assert vmap(lambda x: rearrange(x, "a -> a 1"))(x).shape == (2, 3, 1)
    weights = minigrad.arange(6.0).view(3, 2)
    assert grad(lambda x: (rearrange(x, "a b -> b a") * weights).sum())(x).tolist() == weights.T.tolist()


@pytest.mark.torch
@pytest.mark.parametrize("pattern, lengths", PATTERNS)
def test_answers_are_pytorchs(pattern, lengths):
    torch = pytest.importorskip("torch")
    assert answer(minigrad, pattern, lengths) == answer(torch, pattern, lengths)
