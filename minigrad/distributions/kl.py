"""Kullback-Leibler divergences: of a family's own distributions (``_kl_families.py``), between families (``_kl_between.py``), and users' own."""

from . import _kl_between as _kl_between
from ._kl_registry import kl_divergence, register_kl

__all__ = ["kl_divergence", "register_kl"]
