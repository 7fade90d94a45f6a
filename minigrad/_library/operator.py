"""One operator of a program: its kernels, and what is called when it is applied.

A call goes down from one layer to the next: subclasses of Tensor that override it, dispatch modes, autocast, the derivative (``derivatives.py``, where
transforms are too), the kernel.
"""

from .. import _api, amp
from .._api import Tensor
from .._core.modes import set_watching, thread_state
from ..overrides import handle_torch_function, has_torch_function
from .arguments import accepting, bind
from .derivatives import apply

#: The names of kernels, as PyTorch's dispatcher knows them, that hold on the CPU, in the order in which they are looked for.
_BELOW = ("CPU", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
_IMPLICIT = "CompositeImplicitAutograd"
_ABOVE = ("AutogradCPU", "Autograd")
KEYS = {*_BELOW, _IMPLICIT, *_ABOVE, "CUDA", "Meta", "AutogradCUDA", "MPS", "XPU", "HPU", "MTIA", "PrivateUse1", "AutocastCPU", "AutocastCUDA", "FuncTorchBatched", "BackendSelect", "ADInplaceOrView"}  # fmt: skip


class Operator:
    """What ``ns::name.overload`` is; ``overload`` is set when ``minigrad.ops`` is asked for it."""

    def __init__(self, schema):
        self.schema = schema
        self.kernels = {}
        self.fake = self.derivative = self.vmap = self.autocast = None
        self.torch_dispatch = {}  # mode -> rule
        self.strict = False  # of custom_op: the derivative is what was registered, or an error
        self.disabled = set()  # device types for which the kernel of custom_op is used
        self.first = None  # that kernel

    @property
    def name(self):
        """``ns::name``, or ``ns::name.overload``."""
        rest = self.schema.overload_name
        return f"{self.schema.name}.{rest}" if rest else self.schema.name

    def call(self, overload, args, kwargs):
        """Apply the operator, from the top."""
        given = [*args, *kwargs.values()]
        if has_torch_function(given):
            return handle_torch_function(overload, given, *args, **kwargs)
        args, kwargs = bind(self.schema, args, kwargs)
        if thread_state.watchers and thread_state.watching:
            return self.under_modes(overload, args, kwargs)
        return self.computed(args, kwargs)

    def under_modes(self, overload, args, kwargs):
        """Let the dispatch modes of this thread apply the operator, the innermost first."""
        modes = [watcher.__self__ for watcher in thread_state.watchers if hasattr(watcher, "__self__")]
        modes = [mode for mode in modes if hasattr(mode, "__torch_dispatch__")]
        proceed = lambda *args, **kwargs: self.computed(*bind(self.schema, args, kwargs))
        for mode in modes:
            proceed = self.under(mode, overload, proceed)
        was = set_watching(False)
        try:
            return proceed(*args, **kwargs)
        finally:
            set_watching(was)

    def under(self, mode, overload, proceed):
        """A call that goes to ``mode``, for which ``overload`` means ``proceed`` while it is its turn."""
        rule = next(
            (self.torch_dispatch[cls] for cls in type(mode).__mro__ if cls in self.torch_dispatch), None
        )

        def call(*args, **kwargs):
            outer = overload.proceeding.now
            overload.proceeding.now = proceed
            try:
                if rule is not None:
                    return rule(mode, overload, (), args, kwargs)
                return mode.__torch_dispatch__(overload, (), args, kwargs)
            finally:
                overload.proceeding.now = outer

        return call

    def computed(self, args, kwargs):
        """The result, below modes."""
        if self.autocast is not None and amp.autocast_mode.is_autocast_enabled("cpu"):
            with amp.autocast("cpu", enabled=False):
                return self.differentiated(
                    [self.cast(x) for x in args], {name: self.cast(x) for name, x in kwargs.items()}
                )
        return self.differentiated(args, kwargs)

    def cast(self, value):
        """An argument in the dtype that ``register_autocast`` named."""
        if isinstance(value, list):
            return [self.cast(x) for x in value]
        floating = (
            isinstance(value, Tensor)
            and value.is_floating_point()
            and value.dtype is not _api._dtypes.float64
        )
        return value.to(self.autocast) if floating else value

    def differentiated(self, args, kwargs):
        """The result, with its derivative if it has one."""
        recording = _api.is_grad_enabled() and any(x.requires_grad for x in tensors_of(args))
        for key in _ABOVE:
            if recording and key in self.kernels:
                return self.kernels[key](*args, **kwargs)
        implicit = self.kernels.get(_IMPLICIT)
        if implicit is not None and not any(key in self.kernels for key in _BELOW):
            return implicit(*args, **kwargs)
        traced = recording and not self.schema.is_mutable and (self.strict or self.derivative is not None)
        if traced or (
            thread_state.levels and (self.strict or self.derivative is not None or self.vmap is not None)
        ):
            return apply(self, args, kwargs)
        return self.run(args, kwargs)

    def run(self, args, kwargs):
        """Call the kernel; writes are counted, and what comes out has to be what the schema says."""
        on_meta = any(x.is_meta for x in [*tensors_of(args), *tensors_of(kwargs.values())])
        kernel = self.kernel_of_meta() if on_meta else self.kernel()
        result = accepting(kernel, self.schema)(*args, **kwargs)
        for argument, value in zip(self.schema.arguments, [*args, *kwargs.values()]):
            if argument.is_write:
                for tensor in tensors_of([value]):
                    _api.autograd.graph.increment_version(tensor)
        return self.checked(result)

    def kernel(self):
        """The kernel for the CPU; NotImplementedError if there is none."""
        if self.first is not None and "cpu" in self.disabled:
            return self.first
        for key in _BELOW:
            if key in self.kernels:
                return self.kernels[key]
        known = sorted(self.kernels) or "nothing"
        raise NotImplementedError(
            f"Could not run '{self.name}' with arguments from the 'CPU' backend. There are kernels for {known}: register one for the CPU"
        )

    def kernel_of_meta(self):
        """What describes the results where arguments have no elements; RuntimeError, of ``custom_op``, or NotImplementedError if nothing does."""
        kernel = self.kernels.get("Meta", self.fake)
        if kernel is None and self.strict and not self.schema.returns:
            return lambda *args, **kwargs: None
        if kernel is None and self.strict:
            name = self.schema.name.rpartition("::")[2]
            raise RuntimeError(
                f"There was no fake impl registered for <CustomOpDef({self.schema.name})>. Tensors on meta need one: register it with "
                f"`{name}.register_fake`."
            )
        for key in _BELOW[1:]:
            kernel = self.kernels.get(key) if kernel is None else kernel
        if kernel is None:
            raise NotImplementedError(
                f"{self.name}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered. "
                "Register one with torch.library.register_fake"
            )
        return kernel

    def checked(self, result):
        """The result of a kernel as the schema has it."""
        returns = self.schema.returns
        if not returns:
            if result is not None:
                raise RuntimeError(
                    f"Expected {self.name} to return None but it returned something else instead: {type(result).__name__}"
                )
            return None
        if len(returns) == 1:
            if isinstance(result, (tuple, list)) and len(result) == 1 and not returns[0].is_list:
                result = result[0]
            return _fitting(returns[0], result)
        if not isinstance(result, (tuple, list)) or len(result) != len(returns):
            raise TypeError(
                f"{self.name}: expected a tuple of {len(returns)} results, got {_describe(result)}"
            )
        return tuple(map(_fitting, returns, result))


def _describe(result):
    return f"{len(result)}" if isinstance(result, (tuple, list)) else type(result).__name__


def _fitting(returned, value):
    if returned.is_tensors:
        values = value if returned.is_list else [value]
        if not isinstance(values, (list, tuple)) or not all(isinstance(x, Tensor) for x in values):
            raise RuntimeError(
                f"Unable to cast {value!r} to {'List[Tensor]' if returned.is_list else 'Tensor'}"
            )
        return list(value) if returned.is_list else value
    return value


def tensors_of(values):
    """The tensors among arguments, and in lists among them."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from (x for x in value if isinstance(x, Tensor))
