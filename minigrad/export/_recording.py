"""A program is run once on real tensors, and the functions of tensors that it calls are noted as a graph."""

import builtins
import math
import operator
import sys
import traceback
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _api, ops
from .._api import Tensor, _recurrent
from ..fx import Graph
from ..fx._patching import patching
from ..fx._targets import name_of, public_place, type_text
from ..fx._tracer import _module_call
from ..fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from ..fx.node import map_aggregate
from ..fx.passes.shape_prop import _extract_tensor_metadata
from ..nn import Module
from ..nn.modules import rnn, transformer
from ..overrides import TorchFunctionMode
from ..utils._pytree import tree_leaves
from ._tracked_numbers import Decisions, TrackedInt, heard_math, heard_range, ordinary

#: Methods that take values out of tensors, or compare them: what the program does with these is not in a graph.
_READING = frozenset(
    [
        "__bool__",
        "__float__",
        "__int__",
        "__index__",
        "__complex__",
        "__contains__",
        "__array__",
        "item",
        "tolist",
        "numpy",
        "is_nonzero",
        "equal",
        "allclose",
    ]
)
#: Functions that layers call and that programs mostly have not asked for: only those are heard that are known as public ones.
_BEHIND_LAYERS = [
    "gru",
    "gru_cell",
    "lstm",
    "lstm_cell",
    "rnn_relu",
    "rnn_relu_cell",
    "rnn_tanh",
    "rnn_tanh_cell",
]
#: What packs sequences and pads them again, and its operators: lengths decide how, which a graph does not read.
_PACKING = {"pack_padded": "_pack_padded_sequence", "pad_packed": "_pad_packed_sequence"}
#: What tells sizes of tensors.
_SIZES = frozenset(("size", "numel", "shape", "sym_size.int"))
#: What cuts a dimension into parts of one size, and what into so many parts.
_SPLITTING, _CHUNKING = frozenset(("split", "unsafe_split")), frozenset(("chunk", "unsafe_chunk"))
#: What is heard of properties: their reading and writing.
_OF_PROPERTIES = frozenset(("__get__", "__set__", "__delete__"))
_STATEMENTS = {"__setitem__": operator.setitem}
_EXPRESSIONS = {"__getitem__": operator.getitem}
_OWN_FILES = __file__.replace("\\", "/").rsplit("/", 2)[0] + "/"


def overload(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The operator of ``ops.aten`` that a function is, as an overload; the function itself if there is none that is the same."""
    packet = getattr(ops.aten, getattr(function, "__name__", ""), None)
    if packet is None or packet.op is not function:
        return function
    names = packet.overloads()
    if "Tensor" in names:
        return packet.Tensor
    for name in ("dim_IntList", "dim"):
        if name in names and ("dim" in kwargs or (len(args) > 1 and not isinstance(args[1], Tensor))):
            return getattr(packet, name)
    if "other" in names and len(args) > 1 and isinstance(args[1], Tensor):
        return packet.other
    return getattr(packet, "default" if "default" in names else next(n for n in names if not packet._outs[n]))


def _property_name(getter):
    """The name of the property of tensors whose ``__get__`` this is."""
    return next(name for name, each in vars(Tensor).items() if each is getter.__self__)


class Recording(TorchFunctionMode):
    """A block in which the functions that are called on tensors become nodes of ``graph``.

    ``known`` leads from the id of a tensor to its node; tensors that were there before, and are no inputs, become placeholders of constants.
    """

    def __init__(self):
        self.graph = Graph()
        self.known, self.kept = {}, []  # the tensors are kept so that no id is used again
        self.constants = {}  # node -> tensor
        self.inputs = set()  # the nodes of what the program is given
        self.names_of_constants = {}  # id of a tensor of the module -> its name
        self.last_input = None
        self.modules = OrderedDict()
        self._patching = patching()
        self._deaf = False  # within what is an operator as a whole
        self.decisions = Decisions()  # what the program decides by sizes

    # Inputs ----------------------------------------------------------------------------------------------------------------

    def placeholder(self, name, value):
        """Insert a placeholder for an input."""
        with (
            self.graph.inserting_after(self.last_input) if self.last_input else self.graph.inserting_before()
        ):
            node = self.last_input = self.graph.placeholder(name)
        if isinstance(value, Tensor):
            self._know(value, node)
        return node

    def _know(self, tensor, node):
        self.kept.append(tensor)
        self.known[id(tensor)] = node
        node.meta["tensor_meta"] = _extract_tensor_metadata(tensor)
        node.meta["storage"] = self._storage(tensor)  # nodes with the same one share memory

    def _storage(self, tensor):
        """Where the memory of a tensor is; RuntimeError for those of transforms."""
        try:
            return tensor.untyped_storage().data_ptr()
        except NotImplementedError as error:
            raise RuntimeError(
                f"Could not export: the program uses vmap, grad or another transform of func{self._where()}, of which a graph has no nodes. Write it with tensors that have all dimensions"
            ) from error

    def argument(self, value):
        """A value of the program as the argument of a node."""
        return self._node_of(value) if isinstance(value, Tensor) else value

    def _node_of(self, tensor):
        node = self.known.get(id(tensor))
        if node is not None:
            return node
        place = self._storage(tensor)
        for other in reversed(self.kept):  # such as x.T, which no function has made
            if tensor.numel() and other.untyped_storage().data_ptr() == place and other.dtype is tensor.dtype:
                layout = [*tensor.shape], [*tensor.stride()], tensor.storage_offset()
                node = self.graph.call_function(ops.aten.as_strided.default, (self.known[id(other)], *layout))
                self._know(tensor, node)
                return node
        name = self.names_of_constants.get(id(tensor), f"lifted_tensor_{len(self.constants)}")
        node = self.placeholder(f"c_{name.replace('.', '_')}", tensor)
        self.constants[node] = name, tensor
        return node

    # What is called ----------------------------------------------------------------------------------------------------------

    def __enter__(self):
        for name in _BEHIND_LAYERS:
            getattr(_api, name)
        patcher = self._patching.__enter__()
        self._with_gradients = _api.is_grad_enabled()
        patcher.patch(vars(builtins), "len", _length)  # these make ordinary numbers of sizes
        patcher.patch(vars(builtins), "range", heard_range)
        for name, function in heard_math.items():
            patcher.patch(vars(math), name, function)

        def call(module, *args, **kwargs):
            path = self.paths.get(id(module), "")
            self.modules[id(module)] = path, type_text(type(module))
            try:
                return _module_call(module, *args, **kwargs)
            finally:
                self.modules.pop(id(module), None)

        patcher.patch_method(Module, "__call__", call, deduplicate=False)
        for name, operator_ in _PACKING.items():
            original = getattr(_recurrent, name)
            patcher.patch(
                vars(_recurrent), name, self._as_operator(getattr(ops.aten, operator_).default, original)
            )
        patcher.patch(vars(transformer), "_is_causal", _said_to_be_causal)
        patcher.patch_method(
            rnn.RNNBase, "_state_shape", self._unheard(rnn.RNNBase._state_shape), deduplicate=False
        )
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self._patching.__exit__(*error)
        self.decisions.open = False

    paths: dict[Any, Any] = {}

    def __torch_function__(self, func, kinds, args=(), kwargs=None):
        kwargs = kwargs or {}
        tracked, (args, kwargs) = (args, kwargs), ordinary((args, kwargs))
        if self._deaf:
            return func(*args, **kwargs)
        name = name_of(func) if hasattr(func, "__name__") else str(func)
        if name in _READING and any(
            isinstance(x, Tensor) and id(x) in self.known for x in tree_leaves((args, kwargs))
        ):
            raise GuardOnDataDependentSymNode(
                f"Could not guard on data-dependent expression: the program reads a value of a tensor ({name}), which depends on its inputs{self._where()}. A graph has no "
                "branches and no values: compute with tensors (torch.where), or read the value outside of the program."
            )
        if name in _OF_PROPERTIES:
            result = func(*args, **kwargs)
            if isinstance(result, Tensor) and id(result) not in self.known:
                owned = (self._node_of(args[0]), _property_name(func))
                node = self.graph.call_function(getattr, owned, name=owned[1])
                self._describe(node)
                self._result(result, node)
            return self._sizes(_property_name(func), result, args)
        if name in _STATEMENTS:
            self._call(self.graph.call_function, _STATEMENTS[name], map_aggregate(tracked, self.argument))
            return func(*args, **kwargs)
        node_args = map_aggregate(tracked, self.argument)
        result = self._sizes(name, self._computed(name, func, args, kwargs), (*args, *kwargs.values()))
        if name in _SPLITTING or name in _CHUNKING:
            self._note_parts(name, args, kwargs)
        if any(isinstance(x, Tensor) for x in tree_leaves(result)):
            leaves = tree_leaves((args, kwargs))
            if any(isinstance(x, np.ndarray) for x in leaves) and not any(
                isinstance(x, Tensor) for x in leaves
            ):
                return result  # made of NumPy's numbers: a constant of the graph, where it is used
            self._refuse_functions(name, leaves)
            self._refuse_autocast(name, leaves, result)
            self._note(func, args, kwargs, node_args, result)
        return result

    def _refuse_functions(self, name, leaves):
        """Raise RuntimeError for an operator that takes functions of the program, such as ``cond``."""
        if any(isinstance(x, (types.FunctionType, types.MethodType, Module)) for x in leaves):
            raise RuntimeError(
                f"Could not export: {name} takes a function of the program{self._where()}, which a graph has no place for. Compute both sides, and choose with torch.where"
            )

    def _refuse_autocast(self, name, leaves, result):
        """Raise RuntimeError for an operator that autocast has computed in its dtype, which the graph would not."""
        lower = _api._autocast_dtype()
        if lower is None or not isinstance(result, Tensor) or result.dtype is not lower:
            return
        if not any(isinstance(x, Tensor) and x.dtype is lower for x in leaves):
            raise RuntimeError(
                f"Could not export: {name} is called in a block of autocast{self._where()}, which a graph does not keep. Convert the module and its inputs (`module.bfloat16()`), or export it without the block"
            )

    def _sizes(self, name, result, args):
        """Sizes of what depends on inputs, tracked; any other result as it is."""
        if name not in _SIZES or not args or not isinstance(args[0], Tensor):
            return result
        node = self.known.get(id(args[0]))
        if node is None or (node.op == "placeholder" and node not in self.inputs):
            return result
        dim = args[1] if len(args) > 1 else None
        if dim is not None:
            return TrackedInt(result, ("axis", node, dim % args[0].dim()), self.decisions)
        sizes = _api.Size(
            [
                TrackedInt(size, ("axis", node, axis), self.decisions)
                for axis, size in enumerate(args[0].shape)
            ]
        )
        return math.prod(sizes) if name == "numel" else sizes

    def _note_parts(self, name, args, kwargs):
        """Note that a size decides how many parts there are of a dimension."""
        input = args[0] if args else kwargs.get("input", kwargs.get("tensor"))
        given = [*args[1:2], *[x for key, x in kwargs.items() if key not in ("input", "tensor", "dim")]]
        dim = args[2] if len(args) > 2 else kwargs.get("dim", 0)
        size = self._sizes("size", input.shape[dim], (input, dim))
        if isinstance(size, TrackedInt) and isinstance(given[0], int):
            self.decisions.note_parts(size, given[0], of_one_size=name in _SPLITTING)

    def _call(self, create, target, arguments, **options):
        """A new node; tracked numbers among its arguments are kept aside."""
        node = create(target, *ordinary(arguments), **options)
        if ordinary(arguments) is not arguments:
            node.meta["tracked_arguments"] = arguments
        return node

    def _unheard(self, function):
        """The function, of which nothing is noted."""

        def call(*args):
            before, self._deaf = self._deaf, True
            try:
                return function(*args)
            finally:
                self._deaf = before

        return call

    def _as_operator(self, operator_, function):
        """A function that no function of tensors stands for, as a call of an operator."""
        computed, note = self._unheard(self._computed), self._unheard(self._note)

        def call(*args):
            tracked, args = args, ordinary(args)
            if self._deaf:
                return function(*args)
            node_args = map_aggregate((tracked, {}), self.argument)
            result = computed(operator_.overloadpacket.__name__, function, args, {})
            note(operator_, args, {}, node_args, result)
            return result

        return call

    def _computed(self, name, func, args, kwargs):
        """What a function gives."""
        return func(*args, **kwargs)

    def _note(self, func, args, kwargs, node_args, result):
        name = name_of(func)
        place = public_place(func)
        target = _EXPRESSIONS.get(name) or overload(func, args, kwargs)
        if target is func and place is not None and place[0] == "torch.Tensor":
            node = self._call(self.graph.call_method, name, node_args)
        else:
            bare = self.graph._target_to_str(func)
            node = self._call(self.graph.call_function, target, node_args, name=bare)
        self._describe(node)
        if isinstance(result, Tensor):
            self._result(result, node)
        else:
            self._elements(result, node)

    def _elements(self, values, node):
        """The elements of a result that is a tuple or a list."""
        for number, value in enumerate(values):
            if isinstance(value, Tensor):
                element = self.graph.call_function(operator.getitem, (node, number))
                self._describe(element)
                self._result(value, element)
            elif isinstance(value, (tuple, list)):
                self._elements(value, self.graph.call_function(operator.getitem, (node, number)))

    def _result(self, tensor, node):
        if self._with_gradients and not _api.is_grad_enabled() and tensor.is_floating_point():
            # within a block of no_grad: no gradient is to pass in the graph either
            node = self.graph.call_function(ops.aten.detach.default, (node,))
            self._describe(node)
        self._know(tensor, node)

    def _describe(self, node):
        if self.modules:
            node.meta["nn_module_stack"] = OrderedDict(
                (path, (path, kind)) for path, kind in self.modules.values()
            )
        frames = [*traceback.extract_stack(sys._getframe(1))]
        first = next((i for i, frame in enumerate(frames) if frame.name == "forward"), len(frames))
        own = [frame for frame in frames[first:] if not frame.filename.startswith(_OWN_FILES)]
        if own:
            node.stack_trace = "".join(traceback.format_list(own)).strip()

    def _where(self):
        frames = [*traceback.extract_stack(sys._getframe(1))]
        own = [f for f in frames if not f.filename.startswith(_OWN_FILES) and f.name == "forward"]
        return f" (File {own[-1].filename}:{own[-1].lineno}, {own[-1].line})" if own else ""

    def _stays(self, node):
        """Whether a node stays in the graph that nobody uses."""
        return _has_effect(node)

    # The end -----------------------------------------------------------------------------------------------------------------

    def finish(self, leaves):
        """Insert the output, and take out what nobody uses and has no effect."""
        self.graph.output(tuple([self.argument(leaf) for leaf in leaves]))
        self.graph.eliminate_dead_code(self._stays)
        for node in [node for node in self.constants if not node.users]:
            self.graph.erase_node(node)
            del self.constants[node]
        self.graph.lint()
        return self.graph


def _said_to_be_causal(mask, is_causal, size):
    """Whether the caller says that a mask is the causal one: its values are not looked at, they are in the graph."""
    return is_causal is True


def _length(x, _len=len):
    """``len``, which tells the size of a tensor as ``x.shape`` does."""
    return x.size(0) if isinstance(x, Tensor) and x.dim() else _len(x)


def _has_effect(node):
    """Whether a node stays that nobody uses: all do but elements of results and operators that do not work in place."""
    if node.op != "call_function":
        return True
    if node.target is operator.getitem:
        return False
    return not isinstance(node.target, ops.OpOverload) or node.target.overloadpacket.__name__.endswith("_")
