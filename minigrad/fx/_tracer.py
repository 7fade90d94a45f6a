"""``Tracer``: a module or function is called with proxies, and what happens to them becomes a graph."""

import collections
import copy
import functools
import inspect
import math
import sys
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

from .. import nn
from .._api import Tensor, _assert
from .._base.publishing import own_module, publish
from ..nn import Module
from ..utils import _pytree as pytree
from ._patching import _wrapped_fns_to_patch, find_proxy, patch_automatic, patch_wrapped_functions, patching
from .graph import Graph, _PyTreeCodeGen, _PyTreeInfo
from .node import base_types
from .proxy import ParameterProxy, ProxiesHear, Scope, ScopeContextManager, TracerBase

HAS_VARSTUFF = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_NN = nn.__package__
_is_fx_tracing_flag = False
#: Classes whose construction from proxies becomes a node.
_proxyable_classes: dict[Any, Any] = {}
#: Classes of constants that become attributes of the module.
_CONSTANTS = {Tensor: "_tensor_constant", pytree.TreeSpec: "_tree_spec_constant"}
# As they are when nothing is being traced: traced code is reached through them, however many tracers are at work.
_module_call = nn.Module.__call__
_module_getattr = nn.Module.__getattr__


def is_fx_tracing():
    """Return whether a program is being traced.

    >>> from minigrad.fx._symbolic_trace import is_fx_tracing
    >>> is_fx_tracing()
    False
    """
    return _is_fx_tracing_flag


is_fx_symbolic_tracing = is_fx_tracing


class ProxyableClassMeta(type):
    """A metaclass for classes whose construction can be traced: constructing one from proxies becomes a node.

    >>> import minigrad
    >>> class Pair(metaclass=minigrad.fx.ProxyableClassMeta):
    ...     def __init__(self, left, right):
    ...         self.left, self.right = left, right
    >>> traced = minigrad.fx.symbolic_trace(lambda x, y: Pair(x, y).left)
    >>> [node.target for node in traced.graph.nodes if node.name == "pair"] == [Pair]
    True
    """

    def __init__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> None:
        _proxyable_classes.setdefault(cls)
        super().__init__(name, bases, attrs)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        proxy = find_proxy(args, kwargs) if is_fx_tracing() else None
        if proxy is not None:
            return proxy.tracer.create_proxy("call_function", cls, args, kwargs)
        return super().__call__(*args, **kwargs)


class PHBase:
    """A placeholder in ``concrete_args`` for a value that is not fixed."""

    def __repr__(self):
        return "PH"


#: The one that mostly does.
PH = PHBase()


class PHWithMeta(PHBase):
    """A placeholder whose attributes are copied to the graph's placeholder node, ``ph_key`` among them."""

    def __init__(self, ph_key=None):
        self.ph_key = ph_key


def _transfer_attrs(fr, to):
    """Give the node of a placeholder the attributes of what stood for it."""
    if fr is PH:
        return
    for name in dir(fr):
        value = getattr(fr, name)
        if not callable(value) and not name.startswith("__") and not hasattr(to, name):
            setattr(to, name, value)


def _without_stars(function, count):
    """A function with the same code whose ``count`` parameters are all ordinary ones: ``*args`` and ``**kwargs`` are passed as they are."""
    code = function.__code__
    code = code.replace(
        co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=code.co_flags & ~HAS_VARSTUFF
    )
    return FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


class Tracer(TracerBase):
    """Traces modules and functions to graphs; subclasses decide what is traced through and how it is recorded.

    ``autowrap_modules`` are modules whose functions are recorded as calls, ``autowrap_functions`` such functions; with
    ``param_shapes_constant`` the shapes of parameters are known while tracing.

    >>> import minigrad
    >>> class Blocks(minigrad.fx.Tracer):
    ...     def is_leaf_module(self, m, module_qualified_name):
    ...         return module_qualified_name == "1" or super().is_leaf_module(m, module_qualified_name)
    >>> nn = minigrad.nn
    >>> model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU(), nn.Linear(2, 2)))
    >>> [node.name for node in Blocks().trace(model).nodes]
    ['input_1', '_0', '_1', 'output']
    >>> [node.name for node in minigrad.fx.Tracer().trace(model).nodes]
    ['input_1', '_0', '_1_0', '_1_1', 'output']
    """

    scope: Any
    module_stack: Any
    num_calls: dict[Any, Any]
    node_name_to_scope: dict[Any, Any]
    root_module_name: str
    root: Any
    graph: Any
    tensor_attrs: dict[Any, Any]
    submodule_paths: Any

    _qualname_counter: dict[Any, Any] = collections.defaultdict(int)

    def __init__(
        self,
        autowrap_modules: Any = (math,),
        autowrap_functions: tuple[Callable[..., Any], ...] = (),
        param_shapes_constant: bool = False,
    ) -> None:
        self._autowrap_search = [*autowrap_modules]
        self._autowrap_function_ids = {id(f) for f in autowrap_functions} | {
            id(value)
            for module in autowrap_modules
            for name, value in vars(module).items()
            if name[:1] != "_" and callable(value)
        }
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths = None
        self.root_module_name = ""
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.num_calls = {}
        self.node_name_to_scope = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        copied = Tracer.__new__(Tracer)
        for key, value in self.__dict__.items():
            # of modules (Python's, not nn's) there are no deep copies
            copied.__dict__[key] = (
                copy.copy(value) if key == "_autowrap_search" else copy.deepcopy(value, memo)
            )
        return copied

    # What subclasses change ------------------------------------------------------------------------------------------------

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Return whether a module's call is recorded as one node: by default that of the modules in ``nn`` except Sequential."""
        return own_module(m).startswith(_NN) and not isinstance(m, nn.Sequential)

    def path_of_module(self, mod: Module) -> str:
        """Return the dotted name of a submodule of the traced module; raise NameError if it is not one."""
        paths = self.submodule_paths or {module: name for name, module in self.root.named_modules()}
        if mod not in paths:
            raise NameError("module is not installed as a submodule")
        return paths[mod]

    def call_module(
        self, m: Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Return the result of calling a module: a proxy for leaf modules, else that of ``forward(*args, **kwargs)``, which is traced."""
        path = self.path_of_module(m)
        with ScopeContextManager(self.scope, Scope(path, type(m))) as scope:
            calls = self.num_calls.get(path, 0)
            self.num_calls[path] = calls + 1
            key = f"{scope.module_path}@{calls}" if calls else scope.module_path
            self.module_stack[key] = path, scope.module_type
            if self.is_leaf_module(m, path):
                result = self.create_proxy("call_module", path, args, kwargs)
            else:
                result = forward(*args, **kwargs)
            last, _ = self.module_stack.popitem(last=True)
            if last != key:
                raise AssertionError(f"Unexpected key {last}, expected {key}")
        return result

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: Any) -> Any:
        """Return the value of a module's attribute: a proxy for a parameter (one for each, kept in the cache), else ``attr_val``."""
        if isinstance(attr_val, nn.Parameter):
            named = self.root.named_parameters()
        elif self.proxy_buffer_attributes and isinstance(attr_val, Tensor):
            named = self.root.named_buffers()
        else:
            return attr_val
        name = next((name for name, value in named if value is attr_val), None)
        if name is None:
            return attr_val
        if name not in parameter_proxy_cache:
            options = {}
            if "proxy_factory_fn" in inspect.signature(self.create_proxy).parameters:
                options["proxy_factory_fn"] = (
                    (lambda node: ParameterProxy(self, node, name, attr_val))
                    if self.param_shapes_constant
                    else None
                )
            parameter_proxy_cache[name] = self.create_proxy("get_attr", name, (), {}, **options)  # type: ignore[arg-type]
        return parameter_proxy_cache[name]

    def get_fresh_qualname(self, prefix: str) -> str:
        """Return an unused attribute name of the traced module: ``prefix`` followed by a number."""
        if not hasattr(self.root, f"{prefix}0"):
            self._qualname_counter[prefix] = 0
            return f"{prefix}0"
        number = self._qualname_counter[prefix]
        while hasattr(self.root, f"{prefix}{number}"):
            number += 1
        self._qualname_counter[prefix] = number + 1
        return f"{prefix}{number}"

    def create_arg(self, a: Any) -> Any:
        """Convert a value to a node's argument, as ``TracerBase.create_arg`` does.

        Parameters, buffers and modules are referred to by name; other tensors become attributes of the module.
        """
        named = {}
        if isinstance(a, nn.Parameter):
            named = self.root.named_parameters()
        elif isinstance(a, Tensor):
            named = self.root.named_buffers()
        elif isinstance(a, nn.Module):
            named = self.root.named_modules()
        for name, value in named:
            if value is a:
                return self.create_node("get_attr", name, (), {})
        if isinstance(a, nn.Parameter):
            raise NameError("parameter is not a member of this module")
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            return self.create_node("call_function", type(a), tuple([self.create_arg(x) for x in a]), {})
        if isinstance(a, tuple(_CONSTANTS)):
            return self.create_node("get_attr", self._constant(a), (), {})
        if type(a) in _proxyable_classes:
            name = self.get_fresh_qualname(f"_{type(a).__name__}_constant_")
            setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)

    def _constant(self, value):
        """The name of the attribute that holds a constant."""
        name = self.tensor_attrs.get(value)
        if not name:
            prefix = next(prefix for kind, prefix in _CONSTANTS.items() if isinstance(value, kind))
            name = self.tensor_attrs[value] = self.get_fresh_qualname(prefix)
            setattr(self.root, name, value)
        return name

    # Parameters of what is traced ------------------------------------------------------------------------------------------

    def create_args_for_root(
        self,
        root_fn: Callable[..., Any],
        is_module: bool,
        concrete_args: dict[str, Any] | tuple[Any, ...] | None = None,
    ) -> tuple[Any, list[Any]]:
        """Insert the placeholders for a function's parameters; return the callable to trace, and the arguments to call it with."""
        analyzed = inspect.unwrap(root_fn)
        code = analyzed.__code__
        count = code.co_argcount + code.co_kwonlyargcount
        names = [*code.co_varnames]
        args = []
        if is_module:
            if count == 0:
                raise RuntimeError("``self`` argument cannot be part of *args expansion!")
            args.append(self.root)
        signature = inspect.signature(analyzed)
        stars = code.co_flags & HAS_VARSTUFF
        if isinstance(concrete_args, tuple) and concrete_args and stars and count == 1:
            for number, value in enumerate(concrete_args):
                proxy = self.create_proxy("placeholder", f"input_{number}", (), {})
                if isinstance(value, PHBase):
                    _transfer_attrs(fr=value, to=proxy.node)
                args.append(proxy)
            return root_fn, args
        named = names[len(args) : count]
        if isinstance(concrete_args, tuple):
            if len(named) != len(concrete_args):
                raise RuntimeError(
                    f"Tracing expected {len(named)} arguments but got {len(concrete_args)} concrete arguments"
                )
            concrete_args = dict(zip(named, concrete_args, strict=True))
        args += [self._proxy_placeholder(name, concrete_args, signature, analyzed) for name in named]
        if code.co_kwonlyargcount or stars:
            following = iter(names[count:])
            for flag, mark in ((inspect.CO_VARARGS, "*"), (inspect.CO_VARKEYWORDS, "**")):
                if code.co_flags & flag:
                    args.append(
                        self._proxy_placeholder(mark + next(following), concrete_args, signature, analyzed)
                    )
            root_fn = _without_stars(root_fn, len(args))
        leaves, spec = pytree.tree_flatten(tuple(args))
        if all(child.is_leaf() for child in spec.children()):
            return root_fn, args
        codegen = self.graph._codegen = _PyTreeCodeGen(_PyTreeInfo(names[:count], spec, None))

        def flat(*leaves):
            out, out_spec = pytree.tree_flatten(root_fn(*pytree.tree_unflatten(list(leaves), spec)))
            codegen.pytree_info = codegen.pytree_info._replace(out_spec=out_spec)
            return out

        return flat, leaves

    def _proxy_placeholder(self, name, concrete_args, sig, fn_for_analysis):
        if name[0] == "*":
            default = ()
        else:
            parameter = sig.parameters[name]
            default = () if parameter.default is parameter.empty else (parameter.default,)
        if concrete_args is None or name not in concrete_args:
            kind = fn_for_analysis.__annotations__.get(name)
            return self.create_proxy("placeholder", name, default, {}, type_expr=kind)
        count = 0

        def leaf(value):
            nonlocal count
            count += 1
            proxy = self.create_proxy("placeholder", f"{name}_{count}", default, {})
            if isinstance(value, PHBase):
                _transfer_attrs(fr=value, to=proxy.node)
                return proxy
            self._note_specialized(name, proxy, value)
            return value

        return pytree.tree_map(leaf, concrete_args[name])

    def _note_specialized(self, name, proxy, value):
        """Insert an assertion that an input has the value for which the graph was made."""
        message = f"{name} has been specialized to have value {value} but got another value"
        if value is None:
            self.create_proxy("call_function", _assert_is_none, (proxy, message), {})
        elif type(value) in base_types and not isinstance(value, Tensor):
            self.create_proxy("call_function", _assert, (proxy == value, message), {})
        else:
            warnings.warn(
                f"Was not able to add assertion to guarantee correct input {name} to specialized function. It is up to the user to make "
                "sure that your inputs match the inputs you specialized the function with.",
                stacklevel=5,
            )

    # Tracing ---------------------------------------------------------------------------------------------------------------

    def trace(self, root: Any, concrete_args: dict[str, Any] | None = None) -> Any:
        """Trace a module or function and return its ``Graph``.

        ``concrete_args`` fixes parameters, by name or as a tuple: to constant values, or to nested containers in which ``fx.PH`` stands
        for values that stay open. Afterwards ``self.root`` is the module, or one made to hold the constants of a function.
        """
        global _is_fx_tracing_flag
        before, _is_fx_tracing_flag = _is_fx_tracing_flag, True
        try:
            is_module = isinstance(root, nn.Module)
            if is_module:
                if not hasattr(type(root), self.traced_func_name):
                    raise AssertionError(
                        f"traced_func_name={self.traced_func_name} doesn't exist in {type(root).__name__}"
                    )
                self.root, function = root, getattr(type(root), self.traced_func_name)
                self.root_module_name = root._get_name()
                self.submodule_paths = {module: name for name, module in root.named_modules()}
            else:
                self.root, function = nn.Module(), root
            self.graph = Graph(tracer_cls=type(self))
            if hasattr(function, "__code__"):
                self.graph._co_fields = {
                    name: getattr(function.__code__, name)
                    for name in ("co_name", "co_filename", "co_firstlineno")
                }
            self.tensor_attrs = {
                f"{path}.{name}".lstrip("."): value
                for path, module in self.root.named_modules()
                for name, value in vars(module).items()
                if isinstance(value, tuple(_CONSTANTS))
            }
            self.tensor_attrs = {value: name for name, value in self.tensor_attrs.items()}
            if not isinstance(function, FunctionType):
                raise AssertionError(f"Expected FunctionType, got {type(function)}")
            self._run(function, is_module, concrete_args)
            self.submodule_paths = None
        finally:
            _is_fx_tracing_flag = before
        return self.graph

    def _run(self, function, is_module, concrete_args):
        module_globals = function.__globals__
        function, args = self.create_args_for_root(function, is_module, concrete_args)
        cache = {}

        @functools.wraps(_module_getattr)
        def read(module, name):
            return self.getattr(name, _module_getattr(module, name), cache)

        @functools.wraps(_module_call)
        def call(module, *args, **kwargs):
            def forward(*args, **kwargs):
                return _module_call(module, *args, **kwargs)

            forward_globals = getattr(getattr(module, "forward", module), "__globals__", {})
            patch_automatic(patcher, forward_globals, self._autowrap_function_ids)
            return self.call_module(module, forward, args, kwargs)

        with patching() as patcher:
            patcher.patch_method(nn.Module, "__getattr__", read, deduplicate=False)
            patcher.patch_method(nn.Module, "__call__", call, deduplicate=False)
            patch_wrapped_functions(patcher)
            for where in (module_globals, *map(vars, self._autowrap_search)):
                patch_automatic(patcher, where, self._autowrap_function_ids)
            kind = inspect.get_annotations(inspect.unwrap(function)).get("return")
            with ProxiesHear():
                result = function(*args)
            self.create_node("output", "output", (self.create_arg(result),), {}, type_expr=kind)


def wrap(fn_or_name: str | Callable[..., Any]) -> str | Callable[..., Any]:
    """Record calls of a function with proxies as nodes, instead of tracing through it.

    Call it at the top of a module with the function or the name of one of its globals (or of a builtin), or use it as a decorator.

    >>> import minigrad
    >>> minigrad.fx.wrap("len")
    'len'
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    frame = sys._getframe(1)
    if frame.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped_fns_to_patch[id(frame.f_globals), name] = frame.f_globals
    return fn_or_name


@wrap
def _assert_is_none(value, msg):
    if value is not None:
        raise AssertionError(msg)


publish(
    f"{__package__}._symbolic_trace",
    PHBase,
    PHWithMeta,
    ProxyableClassMeta,
    Tracer,
    _assert_is_none,
    is_fx_tracing,
    wrap,
)
