"""``Graph``: a picture of what a backward pass would run through, as an object that gives it as text, drawing or page."""

import contextlib
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .._base.replacing import replacing_text
from .._core.hooks import Hooks
from .._core.node import NOWHERE, AccumulateGrad, Node, rare
from .._core.tensor import Tensor, node_and_nr
from .._core.wrapped import Wrapped
from ..autograd.graph import GradientEdge
from ..nn import Module
from ..utils._pytree import GetAttrKey, MappingKey, tree_leaves_with_path
from . import page
from .dot import dot_text
from .mermaid import mermaid_text
from .model import Root, end_of, gradients_kept, model_of
from .statistics import statistics_of
from .svg import svg_text

#: So many nodes ``str`` lists one by one.
_LISTED = 80


def recorded_graph(t: Any, params: Any, model: Any, title: Any, frame: Any) -> Any:
    """Like ``graph``, of what was recorded; ``frame`` is that of the calling function."""
    roots = roots_of(t)
    names, modules = names_of(roots, params, model, frame)
    return Graph(model_of(roots, names, modules), title)


class Graph:
    """A picture of a graph: what ``minigrad.viz.graph`` returns.

    ``nodes`` and ``edges`` are lists of ``GraphNode`` and ``GraphEdge``, in the order in which a backward pass visits them; ``modules``
    maps the paths of modules to their classes; ``roots`` has the ids of the nodes where the pass begins. The picture shows the state at
    the time it was made. It keeps the graph alive, but not what a backward has freed.

    >>> import minigrad
    >>> x = minigrad.ones(2, requires_grad=True)
    >>> picture = minigrad.viz.graph((x * x).sum())
    >>> picture
    Graph(3 nodes: 2 operations, 1 leaf)
    >>> picture.nodes[1].saved[0].name, picture.nodes[1].saved[0].shape
    ('self', (2,))
    """

    title: str

    def __init__(self, model: Any, title: str = "") -> None:
        self._model = model
        self.title = str(title)

    nodes: Any = property(lambda self: self._model.nodes, doc="The nodes, as a list of ``GraphNode``.")
    edges: Any = property(lambda self: self._model.edges, doc="The edges, as a list of ``GraphEdge``.")
    modules: Any = property(
        lambda self: self._model.modules, doc="The classes of the modules by their paths."
    )
    roots: Any = property(
        lambda self: self._model.roots, doc="The ids of the nodes where a backward pass begins."
    )

    def dot(self) -> Any:
        """Return the graph in Graphviz's language, each module a cluster.

        >>> import minigrad
        >>> x = minigrad.ones(2, requires_grad=True)
        >>> print(minigrad.viz.graph(x.exp()).dot().splitlines()[-2])
          n0 -> n1;
        """
        return dot_text(self._model, self.title)

    def mermaid(self) -> Any:
        """Return the graph as a Mermaid flowchart, each module a subgraph: a README on GitHub shows it as a drawing.

        >>> import minigrad
        >>> x = minigrad.ones(2, requires_grad=True)
        >>> print(minigrad.viz.graph(x.exp()).mermaid())
        flowchart TD
          n0["exp<br/>float32[2]"]:::root
          n1(["x<br/>float32[2]"]):::leaf
          n0 --> n1
          classDef op fill:#e4e8f0,stroke:#5b6577,color:#000
          classDef leaf fill:#d8ecd8,stroke:#5b6577,color:#000
          classDef root fill:#f6dcc0,stroke:#5b6577,color:#000
        <BLANKLINE>
        """
        return mermaid_text(self._model, self.title)

    def svg(self) -> Any:
        """Return the graph drawn by Graphviz, as SVG text; raises ImportError without the package ``pygraphviz``, which carries Graphviz itself."""
        return svg_text(self.dot())

    def html(self, limit: Any = page.MOST) -> Any:
        """Return the interactive page as text: one file that needs no network.

        Raises ValueError if the graph has more than ``limit`` nodes (None: no limit).
        """
        page.check_size(len(self.nodes), limit)
        return page.page(page.payload(self._model, self._title(), self._steps()))

    def save_html(self, path: Any, limit: Any = page.MOST) -> None:
        """Write the interactive page to a file: pan, zoom, search, fold modules, click on a node for what is known of it.

        Raises ValueError if the graph has more than ``limit`` nodes (None: no limit).

        >>> import minigrad, os, tempfile
        >>> x = minigrad.ones(2, requires_grad=True)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     minigrad.viz.graph(x.exp()).save_html(os.path.join(folder, "graph.html"))
        """
        text = self.html(limit)
        with replacing_text(path) as file:
            file.write(text)

    @contextlib.contextmanager
    def watch(self) -> Iterator[Any]:
        """Inside, every backward pass through the graph notes statistics of the gradients that arrive at each node.

        They are in ``node.gradients`` afterwards, of the last pass that came to the node, also if it raised later; a leaf's are those of its ``.grad``, or
        of what arrived if it has none.  Gradients of a batch that ``vmap`` makes are left out.

        >>> import minigrad
        >>> x = minigrad.tensor([1., 2.], requires_grad=True)
        >>> loss = (x * x).sum()
        >>> picture = minigrad.viz.graph(loss)
        >>> with picture.watch():
        ...     loss.backward()
        >>> print(picture.nodes[1].gradient)
        float32[2] [1, 1]
        >>> print(picture.nodes[2].gradient)
        float32[2] [2, 4]
        """
        seen = {}
        try:
            with contextlib.ExitStack() as stack:
                for i, node in enumerate(self._model.live):
                    stack.enter_context(
                        arriving(node, lambda grads, i=i: seen.__setitem__(i, statistics_of_all(grads)))
                    )
                yield self
        finally:
            for i, node in enumerate(self._model.live):
                shown = self.nodes[i]
                kept = gradients_kept(node, len(shown.outputs)) if isinstance(node, AccumulateGrad) else []
                shown.gradients = kept or seen.get(i, shown.gradients)

    def _title(self):
        return self.title or "Autograd graph"

    def _steps(self):
        return None

    def _repr_html_(self):
        if len(self.nodes) > page.MOST:
            return None  # notebooks show the text then
        return page.frame(self.html())

    def _counts(self):
        leaves = sum(node.kind == "leaf" for node in self.nodes)
        operations = len(self.nodes) - leaves
        return (
            f"{_counted(len(self.nodes), 'node')}: {_counted(operations, 'operation')}, "
            f"{_counted(leaves, 'leaf', 'leaves')}"
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._counts()})"

    def __str__(self) -> str:
        head = f"{self.title or 'graph'} of {self._counts()}"
        if len(self.nodes) > _LISTED:
            kinds = Counter(node.label for node in self.nodes if node.kind != "leaf")
            return "\n".join([head, *[f"  {count:6} {label}" for label, count in kinds.most_common(20)]])
        return "\n".join([head, *_listed(self._model)])


def _counted(number, one, several=None):
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _listed(model):
    """A line for each node: number, what it is called, what it made, where its inputs came from, the module."""
    behind = {node.id: [] for node in model.nodes}
    for edge in model.edges:
        behind[edge.start].append(str(edge.end))
    rows = []
    for node in model.nodes:
        label = f"{node.label} ({node.variable})" if node.variable and node.kind != "leaf" else node.label
        made = ", ".join(str(made) for made in node.outputs if made is not None)
        inputs = f"<- {', '.join(behind[node.id])}" if behind[node.id] else ""
        rows.append((str(node.id), label, made, inputs, node.module))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return [
        f"  {row[0]:>{widths[0]}}  {row[1]:{widths[1]}}  {row[2]:{widths[2]}}  {row[3]:{widths[3]}}  {row[4]}".rstrip()
        for row in rows
    ]


# What arrives ----------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def arriving(node: Any, hook: Callable[..., Any]) -> Iterator[Any]:
    """Inside, ``hook(grads)`` is called with the gradients that ``node`` gets, after all other hooks; ``grads`` is a tuple.

    The node keeps its rare state, which may be empty then: another thread's backward may be in the middle of reading it.
    """
    extra = rare(node)
    if isinstance(node, AccumulateGrad):  # its own hooks run only when it accumulates
        hooks = extra.tensor.setdefault(0, Hooks())
        handle = hooks.add(lambda g: hook((g,)))
    else:
        hooks = None
        handle = extra.pre.add(hook)
    try:
        yield
    finally:
        handle.remove()
        if hooks is not None and not hooks:
            extra.tensor.pop(0, None)


def statistics_of_all(grads: Any) -> Any:
    """Return the statistics of gradients, None for one that is none or has no elements of its own."""
    return [None if g is None or isinstance(g, Wrapped) else statistics_of(g) for g in grads]


# What is asked for -----------------------------------------------------------------------------------------------------------


def roots_of(t: Any) -> Any:
    """Return the ``Root`` of each tensor, node or gradient edge in ``t``; raises RuntimeError or TypeError if none has a graph."""
    if isinstance(t, (Tensor, GradientEdge, Node)):
        return [_root(t, "")]
    found = [
        (path, value)
        for path, value in tree_leaves_with_path(t, is_leaf=lambda x: isinstance(x, GradientEdge))
        if isinstance(value, (Tensor, GradientEdge, Node))
    ]
    if not found:
        raise TypeError(
            f"expected a tensor that requires grad, several of them, a node or a gradient edge, but got {type(t).__name__}"
        )
    roots = [
        _root(value, _dotted(path))
        for path, value in found
        if not isinstance(value, Tensor) or value.requires_grad
    ]
    if not roots:
        raise _no_graph("none of the tensors requires grad")
    return roots


def _root(value, name):
    if isinstance(value, Node):
        return Root(*end_of(value), None, name)
    if isinstance(value, GradientEdge):
        return Root(*end_of(value.node, value.output_nr), None, name)
    if isinstance(value, Wrapped):
        raise RuntimeError(
            "this tensor belongs to a function that is being transformed (by vmap, grad, jvp, ...): it stands for a whole batch, or for a value and its tangent.  "
            "Draw the graph of what the transformed function returns, or of the function applied to plain tensors"
        )
    if not value.requires_grad:
        raise _no_graph("the tensor does not require grad")
    node, nr = node_and_nr(value)
    if node is NOWHERE:
        raise _no_graph("the tensor is a view that was made without grad")
    return Root(*end_of(node, nr), value, name)


def _no_graph(why):
    return RuntimeError(
        f"{why}, so no graph was recorded: use tensors with requires_grad=True, outside of no_grad() and not after detach()"
    )


def _dotted(path):
    """``scores.0`` for a key path; empty if there are only positions, which say nothing."""
    if not any(isinstance(key, (MappingKey, GetAttrKey)) for key in path):
        return ""
    return ".".join(str(getattr(key, "key", getattr(key, "name", getattr(key, "idx", "")))) for key in path)


#: The references to a dictionary that only a frame has: the frame's, the variable's, that of the argument of ``getrefcount``.
_FRAME_ALONE = 3


def variables_of(frame: Any) -> Any:
    """Return the variables of a function that runs, by name.

    Before Python 3.13, ``f_locals`` is a dictionary that a function's frame keeps, with all values, until it returns: it is emptied if nobody else has
    it, lest tensors live on that the function deletes.
    """
    kept = frame.f_locals
    variables = dict(kept)
    of_function = frame.f_code.co_flags & inspect.CO_OPTIMIZED and isinstance(kept, dict)
    if of_function and sys.getrefcount(kept) <= _FRAME_ALONE:
        kept.clear()
    return variables


def names_of(roots: Any, params: Any, model: Any, frame: Any) -> Any:
    """Return what tensors are called, as {(node, output number): name}, and the classes of the modules of ``model`` by path.

    If neither ``params`` nor ``model`` is given, the names are those of the variables in ``frame``.
    """
    if isinstance(params, Module):
        if model is not None and model is not params:
            raise TypeError(
                "params: expected a dictionary of tensors in addition to the model, but got a second module"
            )
        params, model = None, params
    if model is not None and not isinstance(model, Module):
        raise TypeError(f"model: expected an nn.Module, but got {type(model).__name__}")
    if params is not None and not isinstance(params, Iterable):
        raise TypeError(
            f"params: expected a dictionary of tensors, or a module, but got {type(params).__name__}"
        )
    if params is not None and not isinstance(params, Mapping):
        params = dict(params)  # pairs, as named_parameters() gives them
    names: dict[Any, Any] = {}
    tensors: dict[Any, Any] = {}
    if params is None and model is None:
        kept = {name: value for name, value in variables_of(frame).items() if not name.startswith("_")}
        modules = outermost({name: value for name, value in kept.items() if isinstance(value, Module)})
        if len({id(value) for value in modules.values()}) == 1:
            model = next(iter(modules.values()))
        else:
            for name, module in modules.items():
                _name_all({f"{name}.{p}": t for p, t in module.named_parameters()}, names)
        tensors = {name: value for name, value in kept.items() if isinstance(value, Tensor)}
    if params is not None:
        for name, value in params.items():
            if not isinstance(value, Tensor):
                raise TypeError(f"params: expected tensors, but {name!r} is of type {type(value).__name__}")
        _name_all(params, names)
    classes = {}
    if model is not None:
        _name_all(dict(model.named_parameters()), names)
        classes = {path: type(module).__name__ for path, module in model.named_modules()}
    _name_all(tensors, names)  # after the modules: a parameter may still be in the variable of a loop
    return names, classes


def outermost(modules: Any) -> Any:
    """Those of ``modules``, a dictionary, that have parameters and are in none of the others."""
    inside = {id(part) for module in modules.values() for part in module.modules() if part is not module}
    return {
        name: module
        for name, module in modules.items()
        if id(module) not in inside and next(module.parameters(), None) is not None
    }


def _name_all(tensors, names):
    """Note the names of those tensors that have a graph; the first of several names counts."""
    for name, tensor in tensors.items():
        if isinstance(tensor, Tensor) and not isinstance(tensor, Wrapped) and tensor.requires_grad:
            try:
                end = node_and_nr(tensor)
            except RuntimeError:  # a view that may not be used any more: nothing leads to it
                continue
            names.setdefault(end, str(name))
