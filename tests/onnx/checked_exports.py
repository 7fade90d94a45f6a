"""What the tests of exported models share: that a model passes ONNX's own checker and has its module's numbers."""

import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad.utils._pytree import tree_leaves, tree_map

onnx = pytest.importorskip("onnx")
try:
    import onnxruntime
except ImportError:
    onnxruntime = None

#: What the reference implementation in the package ``onnx`` does otherwise than its own specification; onnxruntime computes these.
BEYOND_THE_REFERENCE = {
    "ConvTranspose2d": "groups",
    "Detector": "gathers elements of no more than 64 places",
    "LocalResponseNorm": "counts channels by the batch",
    "RNN": "knows no Relu",
    "opset 13": "normalises by the batch before opset 14",
    "interpolate": "rounds places of nearest-exact otherwise where sizes are no multiples",
}


def tensors(result):
    return [x.detach() for x in tree_leaves(result) if isinstance(x, torch.Tensor)]


def assert_same(found, wanted, atol=1e-5):
    assert len(found) == len(wanted)
    for mine, expected in zip(found, wanted, strict=True):
        assert (mine.shape, mine.dtype) == (expected.shape, expected.dtype)
        torch.testing.assert_close(mine.double(), expected.double(), rtol=1e-4, atol=atol, equal_nan=True)


def copies(inputs):
    return tree_map(torch.clone, [*inputs])


def check(program, module, *inputs, name="", atol=1e-5):
    """The model passes ONNX's checker and has the module's numbers, in both runtimes."""
    onnx.checker.check_model(program.model_proto, full_check=True)
    wanted = tensors(module(*copies(inputs)))
    if onnxruntime is not None:
        assert_same(program(*inputs), wanted, atol)
    if name not in BEYOND_THE_REFERENCE:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", RuntimeWarning)  # of NumPy, for infinities that are meant
            assert_same(program.call_reference(*inputs), wanted, atol)
