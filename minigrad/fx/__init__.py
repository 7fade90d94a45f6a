"""Programs as graphs: traced, looked at, changed, and written as Python again.

``symbolic_trace`` runs a module or function with ``Proxy`` objects in place of tensors and notes what happens to them in a ``Graph``, a list of ``Node``
objects. A ``GraphModule`` runs it: a module whose ``forward`` is Python code written from the graph.

>>> import minigrad
>>> class Scale(minigrad.nn.Module):
...     def __init__(self):
...         super().__init__()
...         self.weight = minigrad.nn.Parameter(minigrad.tensor([2., 3.]))
...     def forward(self, x):
...         return (x * self.weight).clamp(max=5.0)
>>> traced = minigrad.fx.symbolic_trace(Scale())
>>> print(traced.graph)
graph():
    %x : [num_users=1] = placeholder[target=x]
    %weight : [num_users=1] = get_attr[target=weight]
    %mul : [num_users=1] = call_function[target=operator.mul](args = (%x, %weight), kwargs = {})
    %clamp : [num_users=1] = call_method[target=clamp](args = (%mul,), kwargs = {max: 5.0})
    return clamp
>>> print(traced.code.strip())
def forward(self, x):
    weight = self.weight
    mul = x * weight;  x = weight = None
    clamp = mul.clamp(max = 5.0);  mul = None
    return clamp
>>> traced(minigrad.tensor([1., 2.]))
tensor([2., 5.], grad_fn=<ClampBackward1>)
"""

from . import immutable_collections as immutable_collections
from ._symbolic_trace import PH as PH
from ._symbolic_trace import ProxyableClassMeta as ProxyableClassMeta
from ._symbolic_trace import Tracer, symbolic_trace, wrap
from .graph import CodeGen as CodeGen
from .graph import Graph
from .graph_module import GraphModule
from .interpreter import Interpreter, Transformer
from .node import Node, has_side_effect, map_arg
from .proxy import Proxy
from .subgraph_rewriter import replace_pattern

__all__ = [
    "Graph",
    "GraphModule",
    "Interpreter",
    "Node",
    "Proxy",
    "Tracer",
    "Transformer",
    "has_side_effect",
    "map_arg",
    "replace_pattern",
    "symbolic_trace",
    "wrap",
]
