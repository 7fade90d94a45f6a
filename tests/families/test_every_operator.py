"""No public operator is without a row in the tables of the families, or without a reason why it has none."""

import importlib
import pkgutil

import pytest

import minigrad
import minigrad._ops
import minigrad.masked
from tests.families import (
    test_convolution,
    test_creation,
    test_fft,
    test_indexing,
    test_joining,
    test_linalg,
    test_matmul,
    test_neural,
    test_shape,
    test_special,
)
from tests.families.tables import ROWS
from tests.families.test_completeness import ELSEWHERE, OWN_TESTS

FAMILIES = (
    test_convolution, test_creation, test_fft, test_indexing, test_joining, test_linalg, test_matmul, test_neural, test_shape,
    test_special,
)  # fmt: skip

#: Of no family.
EXCLUSIONS = {
    **dict.fromkeys(
        importlib.import_module("minigrad._ops.legacy_types").__all__,
        "a type; tests/core/test_legacy_types.py",
    ),
    **dict.fromkeys(
        importlib.import_module("minigrad._ops.storage_classes").__all__, "a class; tests/test_storage.py"
    ),
    **dict.fromkeys(
        importlib.import_module("minigrad._ops.inquire").__all__,
        "says what a tensor is; tests/ops/test_inquire.py",
    ),
    **dict.fromkeys(
        importlib.import_module("minigrad._ops.tensor_functions").__all__,
        "a method; tests/ops/test_tensor_functions.py",
    ),
    **dict.fromkeys(
        importlib.import_module("minigrad._ops.recurrent").__all__,
        "many steps of other operators; tests/nn/test_recurrent.py",
    ),
    "clone": "a copy; tests/ops/test_convert.py",
    "fill": "a copy of one number; tests/ops/test_convert.py",
    "fill_": "writes in place; tests/ops/test_convert.py",
    "zero_": "writes in place; tests/ops/test_convert.py",
    "to_dlpack": "a capsule; tests/ops/test_tensor_functions.py",
    "is_storage": "of storages; tests/ops/test_tensor_functions.py",
    "hash_tensor": "a sum of bits; tests/ops/test_embedding.py",
    "nn.functional.Tensor": "a class",
    "linalg.LinAlgError": "an exception",
}
COVERED = {row.path for family in FAMILIES for row in family.ROWS}
COVERED |= {name for row in ROWS for name in (row.op, *row.aliases)} | OWN_TESTS
EXCLUDED = {**EXCLUSIONS, **ELSEWHERE}
for family in FAMILIES:
    EXCLUDED.update(family.EXCLUSIONS)


def told(name):
    """Whether a name has a row, or one of the same operator: in place, of ``nn.functional``, or here if it is of a submodule."""
    plain = name.removesuffix("_")
    here = plain.rpartition(".")[2]
    return {name, plain, here, f"nn.functional.{plain}"} & COVERED or {name, here} & set(EXCLUDED)


@pytest.mark.parametrize("module", [m.name for m in pkgutil.iter_modules(minigrad._ops.__path__)])
def test_operators_of_the_modules(module):
    names = getattr(importlib.import_module(f"minigrad._ops.{module}"), "__all__", [])
    assert [name for name in names if not told(name)] == []


@pytest.mark.parametrize("module", ["linalg", "fft", "special", "masked", "nn.functional"])
def test_functions_of_the_public_modules(module):
    found = importlib.import_module(f"minigrad.{module}")
    names = vars(found).get("__all__") or [
        n for n in dir(found) if n[0] != "_" and callable(getattr(found, n))
    ]
    assert [name for name in names if not told(f"{module}.{name}")] == []


def test_no_exclusion_has_a_row():
    assert sorted(set(EXCLUDED) & COVERED) == []
