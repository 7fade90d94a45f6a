"""Programs for JAX, operator by operator."""

from benchmarks.others.jax_programs import setups

SETUPS = setups(compiled=False)
