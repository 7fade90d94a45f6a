"""Dtypes that can be named, but that no tensor can have."""

import copy
import pickle

import pytest

import minigrad
from minigrad._base.dtypes import WITHOUT_TENSORS

ASKED = ("itemsize", "is_floating_point", "is_complex", "is_signed")


def test_each_is_public_and_unique():
    for name, dtype in WITHOUT_TENSORS.items():
        assert getattr(minigrad, name) is dtype and repr(dtype) == f"torch.{name}"
        assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype
    assert minigrad.bit is minigrad.uint1


@pytest.mark.parametrize("name", sorted(WITHOUT_TENSORS))
def test_tensors_are_refused(name):
    dtype = getattr(minigrad, name)
    for make in (
        lambda: minigrad.ones(2, dtype=dtype),
        lambda: minigrad.tensor([1], dtype=dtype),
        lambda: minigrad.ones(2).to(dtype),
    ):
        with pytest.raises(TypeError, match=f"there are no tensors of torch.{name}"):
            make()
    with pytest.raises(RuntimeError, match="Promotion for .* is not supported"):
        minigrad.promote_types(dtype, minigrad.float32)


@pytest.mark.torch
@pytest.mark.parametrize("name", sorted(WITHOUT_TENSORS))
def test_answers_are_pytorchs(name):
    torch = pytest.importorskip("torch")

    def answers(library):
        dtype = getattr(library, name)
        for question in (*(lambda d, n=n: getattr(d, n) for n in ASKED), type(dtype).to_complex):
            try:
                yield str(question(dtype))
            except RuntimeError as error:
                yield str(error)
        yield str(dtype.to_real())
        for limits in (library.finfo, library.iinfo):
            if name == "float4_e2m1fn_x2":  # whose limits PyTorch refuses to tell one by one
                continue
            try:
                yield str(limits(dtype)).replace("minigrad", "torch")
            except (TypeError, NotImplementedError) as error:
                yield str(error)

    assert list(answers(minigrad)) == list(answers(torch))
