"""Context managers as decorators: see ``_core/decorating.py``."""

from .._core.decorating import (
    _DecoratorContextManager,
    _NoParamDecoratorContextManager,
    _wrap_generator,
    context_decorator,
)

__all__ = [
    "_DecoratorContextManager",
    "_NoParamDecoratorContextManager",
    "_wrap_generator",
    "context_decorator",
]
