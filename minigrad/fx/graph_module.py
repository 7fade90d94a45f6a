"""``GraphModule``: a module whose ``forward`` is written from a graph."""

import contextlib
import copy
import itertools
import warnings
from pathlib import Path
from typing import Any

from .. import serialization
from .._api import Tensor
from .._base.missing import getattr_of as _getattr_of
from ..nn import BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, Linear, Module, Parameter
from . import _generated
from ._generated import CallWithLines as _WrappedCall
from ._tracer import Tracer
from .graph import Graph, _BoxedCodeGen, _custom_builtins, _PyTreeCodeGen

__all__ = ["GraphModule", "reduce_graph_module"]

_USER_PRESERVED_ATTRIBUTES_KEY = "_user_preserved_attributes"
_STATE_HOOKS = (
    "_state_dict_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
    "_replace_hooks",
    "_create_node_hooks",
    "_erase_node_hooks",
    "_deepcopy_hooks",
)
#: Layers that their repr makes again.
_SAFE_REPRS = (Linear, Conv1d, Conv2d, Conv3d, BatchNorm1d, BatchNorm2d, BatchNorm3d)


def _indent(text, spaces):
    first, *rest = text.split("\n")
    return "\n".join([first, *(" " * spaces + line if line.strip() else "" for line in rest)])


# Attributes by dotted names ------------------------------------------------------------------------------------------------


def _put(module, name, value):
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        module.register_buffer(name, value)
    else:
        setattr(module, name, value)


def _copy_attr(from_module, to_module, target):
    """Let a module have what another has under a dotted name, with empty modules on the way."""
    *path, name = target.split(".")
    for part in path:
        source, there = getattr(from_module, part), getattr(to_module, part, None)
        if source is there:  # a module above it has been taken over as a whole
            return
        if there is None:
            there = Module()
            setattr(to_module, part, there)
        from_module, to_module = source, there
    _put(to_module, name, getattr(from_module, name))


def _assign_attr(from_obj, to_module, target):
    """Let a module have a value under a dotted name, with empty modules on the way."""
    *path, name = target.split(".")
    for part in path:
        there = getattr(to_module, part, None)
        if there is None:
            there = Module()
            setattr(to_module, part, there)
        to_module = there
    _put(to_module, name, from_obj)


def _get_attr(model, attr_name):
    """What a module has under a dotted name."""
    for part in attr_name.split("."):
        model = getattr(model, part)
    return model


def _del_attr(model, attr_name):
    """Delete what a module has under a dotted name."""
    path, _, name = attr_name.rpartition(".")
    delattr(_get_attr(model, path) if path else model, name)


def _has_attr(model, attr_name):
    """Whether a module has something under a dotted name."""
    try:
        _get_attr(model, attr_name)
    except AttributeError:
        return False
    return True


# Pickles -------------------------------------------------------------------------------------------------------------------


class _CodeOnlyModule(Module):
    """The state of a ``GraphModule`` whose graph is found by tracing its code."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__()
        self.__dict__ = body


def reduce_graph_module(body: dict[str, Any], import_block: str) -> Module:
    """Rebuild a ``GraphModule`` that was pickled as code and state, by tracing the code again.

    >>> import minigrad, pickle
    >>> traced = minigrad.fx.symbolic_trace(lambda x: x + 1)
    >>> pickle.loads(pickle.dumps(traced))(1)
    2
    """
    source = import_block + (body.get("_code") or body["code"])
    forward = _generated.compile_function("forward", source, {})
    return _deserialize_graph_module(forward, body)


def _deserialize_graph_module(forward, body, graph_module_cls=None):
    tracer_cls = body.get("_tracer_cls") or Tracer

    class KeepModules(tracer_cls):
        """What the module had as submodules was not looked into when it was traced."""

        def is_leaf_module(self, m, module_qualified_name):
            return True

    class CodeOnly(_CodeOnlyModule):
        """One class for each, because tracing takes ``forward`` from it."""

    CodeOnly.forward = forward
    module = CodeOnly(body)
    graph = KeepModules().trace(module, **body.get("_tracer_extras", {}))
    graph._tracer_cls = tracer_cls
    traces = body.pop("_graphmodule_graph_node_meta_stack_trace", None) or {}
    for node in graph.nodes:
        if traces.get(node.name) is not None:
            node.meta["stack_trace"] = traces[node.name]
    made = (graph_module_cls or GraphModule)(module, graph, body.get("_graphmodule_cls_name", "GraphModule"))
    for key, value in body.items():
        if not hasattr(made, key):
            setattr(made, key, value)
    return made


# Modules -------------------------------------------------------------------------------------------------------------------


class GraphModule(Module):
    """A module generated from a graph: its ``forward`` is Python code, which ``code`` shows.

    ``root``, a module or a dict from dotted names, supplies what the graph reads and calls. Setting ``graph`` regenerates the code; after
    changes within the graph call ``recompile()``.

    >>> import minigrad
    >>> traced = minigrad.fx.symbolic_trace(lambda x: minigrad.relu(x))
    >>> for node in traced.graph.find_nodes(op="call_function", target=minigrad.relu):
    ...     node.target = minigrad.neg
    >>> _ = traced.recompile()
    >>> print(traced.code.strip())
    def forward(self, x):
        relu = torch.neg(x);  x = None
        return relu
    """

    _wrapped_call: Any

    training: Any
    meta: dict[Any, Any]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        # Each has a class of its own, for its forward; below it is the class that the program has written.
        base: Any = next(
            kind for kind in cls.__mro__ if kind.__qualname__.split(".")[-1] != "GraphModuleImpl"
        )

        class GraphModuleImpl(base):
            pass

        return super().__new__(GraphModuleImpl)

    def __init__(self, root: Module | dict[str, Any], graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        type(self).__name__ = class_name
        targets = [node.target for node in graph.nodes if node.op in ("get_attr", "call_module")]
        if isinstance(root, Module):
            self.training = getattr(root, "training", True)
            if isinstance(root, _CodeOnlyModule):
                for named in (root.named_children(), root.named_buffers(), root.named_parameters()):
                    for name, _ in [*named]:
                        _copy_attr(root, self, name)
            for target in targets:
                _copy_attr(root, self, target)
        elif isinstance(root, dict):
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module") and node.target not in root:
                    raise RuntimeError(
                        f"Node {node} referenced target {node.target} but that target was not provided in ``root``!"
                    )
            # the upper ones first: they would replace what has been put below them
            for target in sorted(targets, key=lambda target: target.count(".")):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.graph = graph
        cls = graph._tracer_cls
        # of a class in a function there are no pickles
        self._tracer_cls = cls if cls and "<locals>" not in cls.__qualname__ else None
        self._tracer_extras = graph._tracer_extras or {}
        self.meta = {}
        self._replace_hooks, self._create_node_hooks, self._erase_node_hooks = [], [], []
        self._deepcopy_hooks = []

    # Graph and code --------------------------------------------------------------------------------------------------------

    @property
    def graph(self) -> Graph:
        """The graph; setting it regenerates the code."""
        return self._graph

    @graph.setter
    def graph(self, g: Any) -> None:
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self._graph = g
        g.owning_module = self
        self.recompile()

    @property
    def code(self) -> str:
        """The text of ``forward``."""
        if not hasattr(self, "_code"):
            raise RuntimeError("Code has not been generated: call recompile()")
        return self._code

    @property
    def _boxed_call(self):
        return isinstance(self._graph._codegen, _BoxedCodeGen)

    def recompile(self) -> Any:
        """Regenerate ``forward`` from the graph; return the ``PythonCode``."""
        codegen = self._graph._codegen
        if isinstance(codegen, _PyTreeCodeGen):
            self._in_spec, self._out_spec = codegen.pytree_info.in_spec, codegen.pytree_info.out_spec
        python_code = self._graph.python_code(root_module="self")
        self._code, self._lineno_map = python_code.src, python_code._lineno_map
        self._prologue_start = python_code._prologue_start
        cls = type(self)
        cls.forward = _generated.compile_function(
            codegen._func_name, self._code, python_code.globals, self._graph._co_fields
        )
        if "_wrapped_call" not in vars(cls):
            cls._wrapped_call = _WrappedCall(cls, vars(cls).get("__call__"))

        cls.__call__ = _call_with_lines  # type: ignore[method-assign]
        for child in self.children():
            if isinstance(child, GraphModule):
                child.recompile()
        return python_code

    def print_readable(
        self,
        print_output: bool = True,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
        *,
        expanded_def: bool = False,
        additional_meta: list[str] | None = None,
    ) -> str:
        """Print the code of this module and its submodules, with comments on the origin and the metadata of nodes; return the text.

        >>> import minigrad
        >>> module = minigrad.fx.symbolic_trace(minigrad.nn.Sequential(minigrad.nn.ReLU()))
        >>> print(module.print_readable(print_output=False).splitlines()[0])
        class Sequential(torch.nn.Module):
        """
        shown = {
            "include_stride": include_stride,
            "include_device": include_device,
            "colored": colored,
            "additional_meta": additional_meta,
        }
        text = _readable(self, self._get_name(), {**shown, "expanded_def": expanded_def}, shown)
        if print_output:
            print(text)
        return text

    def __str__(self) -> str:
        reminder = "# To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__str__(), self._code, reminder])

    # Submodules ------------------------------------------------------------------------------------------------------------

    def add_submodule(self, target: str, m: Module) -> bool:
        """Add a module under a dotted name, creating empty modules on the way; return False if something else is there.

        >>> import minigrad
        >>> traced = minigrad.fx.symbolic_trace(lambda x: x)
        >>> traced.add_submodule("block.act", minigrad.nn.ReLU()), traced.block.act
        (True, ReLU())
        """
        *path, name = target.split(".")
        module: Module = self
        for part in path:
            inner = getattr(module, part, None)
            if inner is None:
                inner = Module()
                setattr(module, part, inner)
            if not isinstance(inner, Module):
                return False
            module = inner
        module.add_module(name, m)
        return True

    def delete_submodule(self, target: str) -> bool:
        """Delete the module under a dotted name; return False if there is none."""
        path, _, name = target.rpartition(".")
        owner: Any = self
        for part in path.split(".") if path else ():
            owner = getattr(owner, part, None)
            if not isinstance(owner, Module):
                return False
        if not isinstance(getattr(owner, name, None), Module):
            return False
        delattr(owner, name)
        return True

    def delete_all_unused_submodules(self) -> None:
        """Delete the modules that the graph does not use; those below the ones it calls are kept."""
        used = set()
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                used.update(itertools.accumulate(node.target.split("."), lambda path, part: f"{path}.{part}"))
            if node.op == "call_module" and _has_attr(self, node.target):
                inside = self.get_submodule(node.target).named_modules()
                used.update(f"{node.target}.{name}" for name, _ in inside if name)
        for name in [name for name, _ in self.named_modules() if name and name not in used]:
            self.delete_submodule(name)

    def to_folder(self, folder: Any, module_name: str = "FxModule") -> None:
        """Write the module as a Python package in a folder, with its state beside it.

        Layers that their repr can recreate are written as code; others are saved as files, with a warning.
        """
        folder = Path(folder)
        folder.mkdir(exist_ok=True)
        serialization.save(self.state_dict(), folder / "state_dict.pt")
        lines, saved = [], []
        for name, module in self.named_children():
            if type(module) in _SAFE_REPRS:
                made = repr(module)
            else:
                saved.append(name)
                file = folder / f"{name}.pt"
                serialization.save(module, file)
                comment = repr(module).replace("\r", " ").replace("\n", " ")
                made = f"torch.load(r'{file}', weights_only=False)) # {comment}"
            lines.append(f"setattr(self, '{name}', {made}" + ")" * (name not in saved))
        for name, value in self._buffers.items():
            if value is not None:
                lines.append(
                    f"self.register_buffer('{name}', torch.empty({list(value.shape)}, dtype={value.dtype}))"
                )
        for name, value in self._parameters.items():
            if value is not None:
                empty = f"torch.empty({list(value.shape)}, dtype={value.dtype})"
                lines.append(f"setattr(self, '{name}', torch.nn.Parameter({empty}))")
        lines.append(f"self.load_state_dict(torch.load(r'{folder}/state_dict.pt'))")
        imports = "\n".join(builtin.import_str for builtin in _custom_builtins.values())
        body = "".join(f"        {line}\n" for line in lines)
        (folder / "module.py").write_text(
            f"{imports}\n\nfrom minigrad.nn import *\n\n\nclass {module_name}(torch.nn.Module):\n    def __init__(self):\n"
            f"        super().__init__()\n{body}{_indent(self.code, 4)}\n"
        )
        (folder / "__init__.py").write_text("from .module import *")
        if saved:
            warnings.warn(
                f"Was not able to save the following children modules as reprs -saved as pickled files instead: {saved}",
                stacklevel=2,
            )

    # Copies and pickles ----------------------------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        state = self.__dict__.copy()
        del state["_graph"]
        return reduce_graph_module, (state, _generated.import_block(self.recompile().globals))

    def _deepcopy_init(self):
        return GraphModule.__init__

    def __deepcopy__(self, memo: dict[int, Any]) -> "GraphModule":
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        state = _CodeOnlyModule(copy.deepcopy(self.__dict__, memo))
        self._deepcopy_init()(copied, state, state.__dict__["_graph"])
        for name in _STATE_HOOKS:
            if name in self.__dict__:
                setattr(copied, name, copy.deepcopy(self.__dict__[name], memo))
        copied.meta = copy.deepcopy(getattr(self, "meta", {}), memo)
        for name, value in copied.meta.get(_USER_PRESERVED_ATTRIBUTES_KEY, {}).items():
            setattr(copied, name, value)
        for hook in getattr(self, "_deepcopy_hooks", ()):
            hook(copied)
        return copied

    def __copy__(self) -> "GraphModule":
        copied = GraphModule(self, self.graph)
        copied.meta = getattr(self, "meta", {})
        return copied

    # Hooks on changes of the graph -----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _set_replace_hook(self, f):
        """In the block, ``f(old=, new=, user=)`` is called when a node is replaced by one of the name ``new`` in what ``user`` uses."""
        self._register_replace_node_hook(f)
        try:
            yield
        finally:
            self._unregister_replace_node_hook(f)

    def _register_replace_node_hook(self, f):
        self._replace_hooks.append(_checked_hook(f))

    def _unregister_replace_node_hook(self, f):
        self._replace_hooks.remove(_checked_hook(f))

    def _register_create_node_hook(self, f):
        self._create_node_hooks.append(_checked_hook(f))

    def _unregister_create_node_hook(self, f):
        self._create_node_hooks.remove(_checked_hook(f))

    def _register_erase_node_hook(self, f):
        self._erase_node_hooks.append(_checked_hook(f))

    def _unregister_erase_node_hook(self, f):
        self._erase_node_hooks.remove(_checked_hook(f))

    def _register_deepcopy_hook(self, f):
        self._deepcopy_hooks.append(_checked_hook(f))

    def _unregister_deepcopy_hook(self, f):
        self._deepcopy_hooks.remove(_checked_hook(f))


def _call_with_lines(self, *args, **kwargs):
    return self._wrapped_call(self, *args, **kwargs)


def _checked_hook(f):
    if not callable(f):
        raise AssertionError("create_node hook must be a callable.")
    return f


def _readable(module, name, options, below):
    """The code of a module and of the graph modules in it, as classes; ``below`` are the options for these."""
    source = module.graph.python_code(root_module="self", verbose=True, **options).src.lstrip("\n")
    inner = [
        _readable(child, child_name, below, below)
        for child_name, child in module.named_children()
        if isinstance(child, GraphModule)
    ]
    return _indent(f"class {name}(torch.nn.Module):\n{source}", 4) + _indent("\n".join(["", *inner]), 4)


__getattr__: Any = _getattr_of(globals())  # for what PyTorch has besides
