"""``utils.deterministic``: memory that nobody has written is filled while deterministic algorithms are asked for."""

import numpy as np
import pytest

import minigrad
from minigrad._base import settings
from minigrad.utils import deterministic

MAKERS = """
empty(2, dtype=lib.bool)
empty(2, dtype=lib.uint8)
empty(2, dtype=lib.int64)
empty(2, dtype=lib.uint64)
empty(2, dtype=lib.bfloat16)
empty(2, dtype=lib.complex64)
empty((), dtype=lib.int32)
empty(2, out=lib.ones(0))
empty(2, out=lib.ones(2))
empty_like(lib.ones(2, 2).t())
empty_permuted((2, 3), (1, 0))
empty_strided((2, 2), (3, 1))
ones(1).resize_(3)
ones(2).new(2)
ones(2).new_empty(2)
ones(2).new_empty_strided((2,), (1,))
ones(2).resize_as_(lib.ones(3))
FloatTensor(2)
Tensor(2)
nn.Linear(1, 1).to_empty(device="cpu").weight
zeros(2)
ones(2)
""".strip().splitlines()


@pytest.fixture(autouse=True)
def restored():
    yield
    minigrad.use_deterministic_algorithms(False)
    deterministic.fill_uninitialized_memory = True


@pytest.mark.torch
@pytest.mark.parametrize("maker", MAKERS)
def test_memory_is_filled_as_in_pytorch(maker):
    import torch

    found = []
    for library in (torch, minigrad):
        library.use_deterministic_algorithms(True)
        try:
            found.append(repr(eval(f"lib.{maker}", {"lib": library})))
        finally:
            library.use_deterministic_algorithms(False)
    assert found[0] == found[1]


def test_filling_can_be_switched():
    assert deterministic.fill_uninitialized_memory is True
    minigrad.use_deterministic_algorithms(True)
    assert minigrad.empty(1000).isnan().all()
    deterministic.fill_uninitialized_memory = False
    assert deterministic.fill_uninitialized_memory is False
    assert settings.uninitialized is np.empty
    deterministic.fill_uninitialized_memory = True
    assert minigrad.empty(1000).isnan().all()
    minigrad.use_deterministic_algorithms(False)
    with pytest.raises(RuntimeError, match="^expected a bool, but got int$"):
        deterministic.fill_uninitialized_memory = 1
