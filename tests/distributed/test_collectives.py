"""Collectives in 2, 3 and 4 processes."""

import re

import pytest


@pytest.mark.parametrize("ranks, level", [(2, "OFF"), (4, "OFF"), (3, "DETAIL")])
def test_collectives_agree_with_numpy(launch, ranks, level):
    done = launch(ranks, "collectives.py", environment={"TORCH_DISTRIBUTED_DEBUG": level})
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(re.fullmatch(r"checked (\d+)\n", done.stdout)[1]) > 500


@pytest.mark.slow
def test_large_arrays(launch):
    done = launch(2, "collectives.py", "large")
    assert done.returncode == 0, done.stderr[-3000:]
