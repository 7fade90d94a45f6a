"""How long collectives wait for others if nothing is said: names that libraries import from here."""

from ._groups import default_pg_timeout as default_pg_timeout

__all__ = ["default_pg_nccl_timeout", "default_pg_timeout"]

default_pg_nccl_timeout = None  # there is no NCCL
