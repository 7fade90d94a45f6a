"""Programs for JAX, each step compiled as a whole beforehand."""

from benchmarks.others.jax_programs import setups

SETUPS = setups(compiled=True)
