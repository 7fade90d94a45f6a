"""No public operator is without a row in the table, or without a reason why it has none."""

import importlib
import pathlib
import pkgutil

import pytest

import minigrad
import minigrad._ops
import minigrad.masked
from tests.operators import table
from tests.operators.table.creation import RANDOM

#: Of no subject of the table.
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
    **dict.fromkeys(
        importlib.import_module("minigrad._ops.random_gamma").__all__,
        "draws, and how they move; tests/ops/test_random_gamma.py",
    ),
    **dict.fromkeys(
        importlib.import_module("minigrad._ops.sobol").__all__,
        "of Sobol sequences; tests/test_quasirandom.py",
    ),
    **dict.fromkeys(
        ["_conj", "_conj_physical", "_neg_view"], "views and copies; tests/ops/test_conjugate_views_torch.py"
    ),
    "frexp": "two results of different kinds; tests/ops/test_arithmetic.py",
    "norm_except_dim": "of weights that are normalised; tests/ops/test_tensor_functions.py",
    "clone": "a copy; tests/ops/test_convert.py",
    "fill": "a copy of one number; tests/ops/test_convert.py",
    "fill_": "writes in place; tests/ops/test_convert.py",
    "zero_": "writes in place; tests/ops/test_convert.py",
    "to_dlpack": "a capsule; tests/ops/test_tensor_functions.py",
    "is_storage": "of storages; tests/ops/test_tensor_functions.py",
    "hash_tensor": "a sum of bits; tests/ops/test_embedding.py",
    "_grouped_mm": "products of slices, in half and single precision alone; tests/ops/test_segments.py",
    "grouped_mm": "see _grouped_mm",
    "_segment_reduce": "another name of segment_reduce",
    "nn.functional.Tensor": "a class",
    **dict.fromkeys(
        importlib.import_module("minigrad.masked.maskedtensor").__all__,
        "of masked tensors; tests/test_masked_tensors.py",
    ),
    "maskedtensor": "a module; tests/test_masked_tensors.py",
    **dict.fromkeys(
        [
            "nn.functional.handle_torch_function",
            "nn.functional.has_torch_function",
            "nn.functional.has_torch_function_unary",
            "nn.functional.has_torch_function_variadic",
        ],
        "of overrides; tests/test_overrides.py",
    ),
    "nn.functional.boolean_dispatch": "chooses among functions; tests/jit",
    "nn.functional.assert_int_or_pair": "of arguments; tests/test_asked_names.py",
    "linalg.LinAlgError": "an exception",
}
#: In the files beside the table, but not as a row.
OWN_TESTS = {
    "allclose", "bincount", "bucketize", "equal", "histc", "histogram", "histogramdd", "is_conj", "is_neg", "is_nonzero", "isin",
    "searchsorted", "unique", "unique_consecutive",
}  # fmt: skip
COVERED = {name for row, _ in table.ROWS for name in row.names} | {row.path for row in RANDOM} | OWN_TESTS
EXCLUDED = {**EXCLUSIONS, **table.EXCLUSIONS}


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


def test_what_has_tests_of_its_own_is_in_a_file_beside_the_table():
    files = sorted(pathlib.Path(__file__).parent.glob("test_*.py"))
    sources = "".join(
        path.read_text(encoding="utf-8") for path in files if path.name != "test_every_operator.py"
    )
    assert [name for name in sorted(OWN_TESTS) if name not in sources] == []
    assert not OWN_TESTS & {name for row, _ in table.ROWS for name in row.names}


def test_every_in_place_form_is_tested():
    denied = [
        str(row)
        for row, _ in table.ROWS
        if hasattr(row, "op") and hasattr(minigrad.Tensor, row.op + "_") and not row.in_place
    ]
    assert not denied, f"rows that deny their in-place form: {denied}"
