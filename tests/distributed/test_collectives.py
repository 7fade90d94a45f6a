"""Collectives in 2, 3 and 4 processes."""

import re

import pytest


@pytest.mark.parametrize("ranks, level", [(2, "OFF"), (4, "OFF"), (3, "DETAIL")])
def test_collectives_agree_with_numpy(launch, ranks, level):
    done = launch(ranks, "collectives.py", environment={"TORCH_DISTRIBUTED_DEBUG": level})
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(re.fullmatch(r"checked (\d+)\n", done.stdout)[1]) > 500


def test_ten_million_elements_of_each_dtype(launch):
    done = launch(2, "large_arrays.py")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == "checked 18, operations 8\n"


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 4])
def test_ten_million_elements_of_each_dtype_with_each_operation(launch, ranks):
    done = launch(ranks, "large_arrays.py", "all", timeout=400)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.endswith("operations 8\n")
