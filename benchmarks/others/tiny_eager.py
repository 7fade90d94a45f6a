"""Programs for tinygrad, each step worked out anew."""

from benchmarks.others.tiny_programs import setups

SETUPS = setups(compiled=False)
