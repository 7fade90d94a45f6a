"""The older names of ``library``'s functions for operators of programs' own."""

from .library import custom_op, impl, impl_abstract

__all__ = ["custom_op", "impl", "impl_abstract"]
