"""Context managers as decorators: see ``_base/decorators.py``."""

from .._base.decorators import (
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
