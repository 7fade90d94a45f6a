"""Types for values while a program is traced: ``annotate``."""

from typing import Any

from .proxy import Proxy

__all__ = ["annotate"]


def annotate(val: Any, type: type) -> Any:
    """Give the node of a proxy a type, which appears in generated code; return ``val``. Raises RuntimeError if it has one.

    >>> import minigrad
    >>> from minigrad.fx.annotate import annotate
    >>> print(minigrad.fx.symbolic_trace(lambda x: annotate(x + 1, int)).code.strip())
    def forward(self, x):
        add : int = x + 1;  x = None
        return add
    """
    if isinstance(val, Proxy):
        if val.node.type:
            raise RuntimeError(
                "Tried to annotate a value that already had a type on it! "
                f"Existing type is {val.node.type} and new type is {type}. This could happen if you tried to annotate a function parameter value "
                "(in which case you should use the type slot on the function signature) or you called annotate on the same value twice"
            )
        val.node.type = type
    return val
