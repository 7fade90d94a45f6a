"""``PassBase``: a pass over a module as an object, with what it requires and ensures; ``PassResult``: what it returns."""

import abc
from collections import namedtuple
from typing import Any

from ...graph_module import GraphModule

__all__ = ["PassBase", "PassResult"]


class PassResult(namedtuple("PassResult", "graph_module modified")):
    """The module after a pass, and whether the pass has changed it."""

    __slots__ = ()


class PassBase(abc.ABC):
    """The base class of passes: subclasses define ``call(graph_module)``, which returns a ``PassResult`` or None.

    >>> import minigrad
    >>> from minigrad.fx.passes.infra.pass_base import PassBase, PassResult
    >>> class WithoutDeadCode(PassBase):
    ...     def call(self, graph_module):
    ...         return PassResult(graph_module, graph_module.graph.eliminate_dead_code())
    >>> WithoutDeadCode()(minigrad.fx.symbolic_trace(lambda x: (x, x + 1)[0])).modified
    True
    """

    def __call__(self, graph_module: GraphModule) -> Any:
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module: GraphModule) -> None:
        """Run the pass."""

    def requires(self, graph_module: GraphModule) -> None:  # noqa: B027
        """Check the module before the pass; override it to raise an error."""

    def ensures(self, graph_module: GraphModule) -> None:  # noqa: B027
        """Check the module after the pass; override it to raise an error."""
