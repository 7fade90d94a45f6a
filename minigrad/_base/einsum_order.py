"""The order in which ``einsum`` multiplies three operands and more: found by the package ``opt_einsum`` where it is installed.

``backends.opt_einsum`` shows this to programs.
"""

import functools

STRATEGIES = "auto", "greedy", "optimal"

_enabled: bool | None = None  # what a program has chosen; without that, whether the package is there
strategy = "auto"


@functools.cache
def library():
    """The package, or None."""
    try:
        import opt_einsum
    except ImportError:
        return None
    return opt_einsum


def enabled():
    """Whether ``einsum`` asks the package."""
    return library() is not None if _enabled is None else _enabled


def enable(value):
    """Let ``einsum`` ask the package, or not; raises ValueError if it is to, and the package is not installed."""
    global _enabled
    if value and library() is None:
        raise ValueError(
            f"opt_einsum is not available, so setting `enabled` to {value} would change nothing: install opt_einsum"
        )
    _enabled = bool(value)


def _has_strategy(value):
    """Whether the package has a strategy of that name, beside those that PyTorch tells of."""
    try:
        return callable(library().paths.get_path_fn(value))
    except KeyError:
        return False


def choose(value):
    """Choose how the package looks for an order; raises ValueError for what it does not know, or if it is not asked."""
    global strategy
    for missing, state in ((library() is None, "available"), (not enabled(), "enabled")):
        if missing:
            raise ValueError(
                f"opt_einsum is not {state}, so setting a `strategy` to {value} would change nothing"
            )
    if value not in STRATEGIES and not _has_strategy(value):
        raise ValueError(f"`strategy` must be one of the following: [{', '.join(STRATEGIES)}] but is {value}")
    strategy = value
