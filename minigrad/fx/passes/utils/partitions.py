"""Whether nodes can be one step: no path leads out of them and back."""

from typing import Any


def validate_partition(partition: Any) -> bool:
    """Return whether nodes can be fused: False if a node outside uses one of them and is used, directly or indirectly, by one.

    >>> import minigrad
    >>> from minigrad.fx.passes.utils.fuser_utils import validate_partition
    >>> x, a, b, c, out = minigrad.fx.symbolic_trace(lambda x: (x + 1) * 2 - 3).graph.nodes
    >>> validate_partition([a, b]), validate_partition([a, c])
    (True, False)
    """
    inside = set(partition)
    seen = set()
    waiting = [user for node in inside for user in node.users if user not in inside]
    while waiting:
        node = waiting.pop()
        if node in inside:
            return False
        if node not in seen:
            seen.add(node)
            waiting.extend(node.users)
    return True
