"""Modules as functions of their parameters: see ``func``."""

from ..func.modules import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state"]
