"""What PyTorch tells a class that is no tensor of, driven by the signatures of all that can be overridden there."""

import inspect
import warnings

import pytest

import minigrad

#: Parameters that are no tensors.
NUMBERS = frozenset(
    (
        "N M axis axis0 axis1 bins chunks diagonal dilation dim dim0 dim1 dims dtype equation fill_value groups idx indices_or_sections k kernel_size lambd "
        "length mode n name negative_slope normalized_shape num_classes num_groups num_samples offset output_size p padding repeats sections shape shifts "
        "size sizes split_size start step stride train unfold_size upscale_factor downscale_factor value source destination"
    ).split()
)
#: They have two names for one object, or another function that does their work.
OTHER_NAME = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2",
    "arctanh": "atanh", "clip": "clamp", "divide": "div", "expit": "sigmoid", "fix": "trunc", "gammainc": "igamma", "gammaincc": "igammac",
    "gammaln": "lgamma", "ger": "outer", "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "multigammaln": "mvlgamma",
    "multiply": "mul", "negative": "neg", "not_equal": "ne", "psi": "digamma", "subtract": "sub", "_threshold": "threshold", "col2im": "fold",
    "im2col": "unfold", "mm": "spmm", "split_with_sizes": "split", "_sym_sqrt": "sym_sqrt",
}  # fmt: skip


class Foreign:
    """No tensor; says what it was told of."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return "told", func.__name__


def told(function, torch, names, place):
    """The name of the function that an object in this place of a call is told of; None if it is not."""
    foreign = Foreign()
    args = [1 if name in NUMBERS else torch.ones(2) for name in names]
    args[place] = [torch.ones(2), foreign] if names[place] == "tensors" else foreign
    try:
        answer = function(*args)
    except Exception:
        return None
    if isinstance(answer, tuple) and answer and answer[0] == "told":
        name = answer[1].removeprefix("linalg_").removeprefix("special_").removeprefix("fft_")
        return OTHER_NAME.get(name, name)
    return None


@pytest.mark.torch
@pytest.mark.parametrize("space", ["", "nn.functional", "linalg", "fft", "special"])
def test_every_function_tells_of_itself(space):
    """Wherever PyTorch asks an object that stands for a tensor, so do we, with the same function."""
    torch = pytest.importorskip("torch")
    overrides = pytest.importorskip("torch.overrides").get_testing_overrides()
    theirs, ours = torch, minigrad
    for part in filter(None, space.split(".")):
        theirs, ours = getattr(theirs, part), getattr(ours, part)
    tried, different = 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in dir(theirs):
            function, twin = getattr(theirs, name), getattr(ours, name, None)
            stand_in = overrides.get(function) if inspect.isroutine(function) else None
            if name[0] == "_" or stand_in is None or twin is None:
                continue
            parameters = inspect.signature(stand_in).parameters.values()
            names = [p.name for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
            for place in range(len(names)):
                if names[place] in NUMBERS:
                    continue
                expected = told(function, torch, names, place)
                if expected is not None:
                    tried += 1
                    found = told(twin, minigrad, names, place)
                    if found != expected and OTHER_NAME.get(expected, expected) != OTHER_NAME.get(
                        found, found
                    ):
                        different.append((name, names[place], expected, found))
    assert not different
    assert tried > {"": 400, "nn.functional": 100, "linalg": 40, "fft": 18, "special": 40}[space]
