"""Programs for tinygrad, what a step runs being kept from one step to the next."""

from benchmarks.others.tiny_programs import setups

SETUPS = setups(compiled=True)
