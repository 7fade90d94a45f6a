"""``Function``: operations that users write, with their own forward and backward.

The context that ``forward`` and ``backward`` share is the node of the graph itself, of a class named after the function
(``MyFunctionBackward``).
"""

import functools

import numpy as np

from .._core import arrays
from .._core.errors import SECOND_BACKWARD
from .._core.families import attach
from .._core.inplace import bump, rebase
from .._core.node import AccumulateGrad, Node, Port, keep_retaining, tick
from .._core.saved import result, stale, stale_result
from .._core.storage import FRESH, own
from .._core.switch import here, set_recording
from .._core.tensor import Tensor, new, wrap
from .._core.views import View, forbidden
from .._ops.shape import ViewBackward0

__all__ = ["Function", "once_differentiable"]


class FunctionCtx:
    """What a custom function may do with its context."""

    def save_for_backward(self, *tensors):
        """Keep inputs or outputs for backward, where ``saved_tensors`` gives them back, checked for modification.

        Raises TypeError in ``apply`` if one is not a tensor (or None).
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        """Keep tensors for the ``jvp`` of forward mode."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *args):
        """Say which inputs ``forward`` modified in place; they must be among its outputs."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        """Say which outputs have no gradient."""
        self.non_differentiable = args

    def mark_shared_storage(self, *pairs):
        """Accepted for old programs; tensors that share storage are found by themselves."""

    def set_materialize_grads(self, value):
        """Whether ``backward`` receives zeros (the default) or None for an output whose gradient is undefined."""
        self.materialize_grads = value


class BackwardCFunction(Node, FunctionCtx):
    """The node, and context, of one application of a custom function."""

    __slots__ = ("kept", "inputs", "made", "outputs", "storages", "__dict__")
    takes_none = True
    lends = True
    to_save = ()
    saved_for_forward = ()
    dirty_tensors = ()
    non_differentiable = ()
    materialize_grads = True
    _forward_cls = None

    @property
    def saved_tensors(self):
        """The tensors given to ``save_for_backward``; raises RuntimeError if they were freed or modified."""
        kept = self.kept
        if kept is None:
            if self.to_save is None:
                raise RuntimeError(SECOND_BACKWARD)
            return tuple(self.to_save)
        tensors = []
        for value, version, nr in kept:
            if nr is None:
                if value is not None and value._storage.version != version:
                    raise stale(value, version)
                tensors.append(value)
            else:
                storage = self.storages[nr]
                if storage.version != version:
                    raise stale_result(self, value, version, storage, nr)
                tensors.append(result(self, value, storage, nr if self.outputs > 1 else None))
        return tuple(tensors)

    saved_variables = saved_tensors

    @property
    def storage(self):
        """The storage of the only output, as ``tensor.own`` hands it over."""
        return self.storages[0]

    @storage.setter
    def storage(self, storage):
        self.storages[0] = storage

    def backward(self, xp, g, keep):
        """Call the user's backward; check what it returns."""
        if self.kept is None and self.to_save is None:
            raise RuntimeError(SECOND_BACKWARD)
        gs = list(g) if self.outputs > 1 else [g]
        raw = xp is arrays
        arguments = []
        for h, made in zip(gs, self.made):
            if h is None:
                h = wrap(np.zeros(*made)) if made is not None and self.materialize_grads else None
            elif raw:
                h = wrap(np.asarray(h))
            arguments.append(h)
        was = set_recording(not raw)
        try:
            returned = self._call_backward(arguments)
        finally:
            set_recording(was)
        if not keep:
            self.kept = self.to_save = None
        return self._checked(returned, raw)

    def _call_backward(self, grads):
        cls = self._forward_cls
        if cls.backward is not Function.backward and cls.vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement "
                "one of them."
            )
        rule = cls.vjp if cls.vjp is not Function.vjp else cls.backward
        return rule(self, *grads)

    def _checked(self, returned, raw):
        if not isinstance(returned, tuple):
            returned = (returned,) if not isinstance(returned, list) else tuple(returned)
        name = type(self).__name__
        expected = len(self.inputs)
        if len(returned) > expected and all(r is None for r in returned[expected:]):
            returned = returned[:expected]
        if len(returned) != expected:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {expected}, got {len(returned)})"
            )
        outs = []
        for i, (r, described) in enumerate(zip(returned, self.inputs)):
            if described is None:
                if r is not None:
                    raise RuntimeError(
                        f"function {name} returned a gradient different than None at position {i + 1}, but the "
                        "corresponding forward input was not a Variable"
                    )
                continue
            if r is not None:
                if not isinstance(r, Tensor):
                    raise RuntimeError(f"expected Variable or None (got {type(r).__name__})")
                r = self._fitted(r, described, i)
                if raw:
                    r = r._array
            outs.append(r)
        return outs

    def _fitted(self, r, described, i):
        """A gradient summed to its input's shape and cast to its dtype."""
        shape, dtype = described
        if r._array.shape != shape:
            try:
                fits = np.broadcast_shapes(shape, r._array.shape) == r._array.shape
            except ValueError:
                fits = False
            if not fits:
                raise RuntimeError(
                    f"Function {type(self).__name__} returned an invalid gradient at index {i} - got "
                    f"{list(r._array.shape)} but expected shape compatible with {list(shape)}"
                )
            from .._ops import vocabulary

            r = vocabulary.sum_to(r, shape)
        if r._array.dtype != dtype:
            if r.is_complex() and dtype.kind != "c":
                raise RuntimeError(
                    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, but "
                    "got false.  (Could this error message be improved?  If so, please report an enhancement request to "
                    "PyTorch.)"
                )
            r = r.to(wrap(np.empty(0, dtype)).dtype)
        return r


class FunctionMeta(type):
    """Makes, with each Function, the class of its nodes."""

    def __init__(cls, name, bases, namespace):
        super().__init__(name, bases, namespace)
        inherited = getattr(cls, "_backward_cls", None)
        parent = BackwardCFunction if inherited is None else inherited
        cls._backward_cls = type(name + "Backward", (parent,), {"_forward_cls": cls, "__slots__": ()})
        cls._backward_cls.__module__ = cls.__module__


class Function(FunctionCtx, metaclass=FunctionMeta):
    """An operation with its own derivative: subclass it, with static methods ``forward`` and ``backward``, and call ``apply``.

    ``forward(ctx, *args)`` computes on tensors without recording; ``backward(ctx, *grads)`` gives a gradient (or None) per argument.
    Instead, ``forward(*args)`` may stand beside ``setup_context(ctx, inputs, output)``.

    >>> import minigrad
    >>> class Square(minigrad.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> x = minigrad.tensor(3., requires_grad=True)
    >>> Square.apply(x).backward()
    >>> x.grad
    tensor(6.)
    """

    generate_vmap_rule = False

    @staticmethod
    def forward(*args, **kwargs):
        """Compute the outputs; to be overridden."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Prepare the context, where ``forward`` takes none; to be overridden."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The gradients of the inputs; to be overridden."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """The tangents of the outputs, for forward mode; to be overridden."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info, in_dims, *args):
        """The rule for a batch of inputs; to be overridden."""
        raise NotImplementedError(
            "You must implement the vmap function for custom autograd.Function to use it with vmap."
        )

    @classmethod
    def apply(cls, *args, **kwargs):
        """Run the function on ``args`` and record it."""
        ctx = cls._backward_cls()
        ctx.extra = None
        ctx.shapes = None
        ctx.kept = None
        ctx.outputs = 1
        ctx.storages = [FRESH]
        ctx.made = ()
        ctx.next = ()
        recording = here.recording and not here.inference
        edges, described, needs = [], [], []
        for x in args:
            if isinstance(x, Tensor):
                edge = x._edge if recording else None
                edges.append(edge)
                described.append((x._array.shape, x._array.dtype))
                needs.append(x.requires_grad)
            else:
                described.append(None)
                needs.append(False)
        ctx.next = tuple(edges)
        ctx.seq = tick()  # after the edges: deriving a view's node takes a number
        ctx.inputs = tuple(described)
        ctx.needs_input_grad = tuple(needs)
        split = cls.setup_context is not Function.setup_context
        was = set_recording(False)
        try:
            if split:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args, **kwargs)
        finally:
            set_recording(was)
        return _record(cls, ctx, args, output, any(edge is not None for edge in edges))


def _record(cls, ctx, args, output, tracked):
    """Give the outputs their history; keep what was to be saved."""
    is_tuple = isinstance(output, tuple)
    outputs = output if is_tuple else (output,)
    for dirty in ctx.dirty_tensors:
        if not any(dirty is z for z in outputs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
                "are modified inplace must all be outputs of the Function."
            )
    ctx.outputs = max(len(outputs), 1)  # what is not a tensor counts: backward receives None for it
    ctx.made = tuple((z._array.shape, z._array.dtype) if isinstance(z, Tensor) else None for z in outputs)
    ctx.storages = [FRESH] * ctx.outputs
    inputs = [x for x in args if isinstance(x, Tensor)]
    wrapped = [
        _output(ctx, z, nr, inputs, tracked) if isinstance(z, Tensor) else z for nr, z in enumerate(outputs)
    ]
    if tracked:
        _keep(ctx, wrapped, outputs)
    return tuple(wrapped) if is_tuple else wrapped[0]


def _output(ctx, z, nr, inputs, tracked):
    """One output of forward as the result of ``apply``."""
    is_input = any(z is x for x in inputs)
    is_dirty = any(z is x for x in ctx.dirty_tensors)
    differentiable = tracked and z.dtype.category >= 2 and not any(z is x for x in ctx.non_differentiable)
    edge = (ctx if ctx.outputs == 1 else Port(ctx, nr)) if differentiable else None
    if is_dirty and is_input:
        bump(z)
        storage = z._storage
        ctx.storages[nr] = storage
        if edge is not None:
            if z._node.__class__ is AccumulateGrad:
                raise RuntimeError(
                    "a leaf Variable that requires grad has been used in an in-place operation."
                )
            if z._node.__class__ is View:
                if z._node.meta is not None:
                    raise RuntimeError(forbidden(z._node))
                if ctx.outputs > 1:
                    raise RuntimeError(_ONE_OUTPUT)
                if z._node.base._node.__class__ is AccumulateGrad:
                    raise RuntimeError(
                        "a view of a leaf Variable that requires grad is being used in an in-place operation."
                    )
                rebase(z, edge)
            else:
                keep_retaining(z._node, edge)
                z._grad = None  # that of the value before
                z._node = edge
        return z
    if is_input and edge is None and tracked:
        return z.detach()
    if is_input:
        return _alias(z, edge)
    if z._node.__class__ is View:
        z._node.meta = "function"
    if edge is not None:
        if z._node.__class__ is View:
            z._node.node = edge
        else:
            ctx.storages[nr] = z._storage
            z._node = edge
    elif not differentiable and z._node is not None and z._node.__class__ is not View and tracked:
        z._node = None
    return z


_ONE_OUTPUT = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than one "
    "Tensor. This is not supported by the current autograd engine. You should either make sure the input is not a view (using "
    ".clone() for example) or make your Function only return one Tensor (potentially splitting it into two Functions: one doing "
    "the inplace that returns a single Tensor and a second one that does the other operations). You can ask on the forum "
    "https://discuss.pytorch.org/ if you need help to do this change."
)


def _alias(x, edge):
    """An input that is returned as it is: a view of it with the function's history."""
    out = new(Tensor)
    out._array = x._array
    attach(out, x, ViewBackward0, (x._array.shape,), edge, "function")
    return out


def _keep(ctx, wrapped, originals):
    """Turn what ``save_for_backward`` was given into checked saved values."""
    kept = []
    for x in ctx.to_save:
        if x is None:
            kept.append((None, 0, None))
            continue
        if not isinstance(x, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {len(kept)} is of type {type(x).__name__}"
            )
        for nr, (z, original) in enumerate(zip(wrapped, originals)):
            if (
                (x is z or x is original)
                and isinstance(z, Tensor)
                and z._node is not None
                and (z._node is ctx or getattr(z._node, "node", None) is ctx)
            ):
                kept.append((z._array, z._storage.version, nr))
                break
        else:
            kept.append((x, x._storage.version, None))
    ctx.kept = tuple(kept)
    ctx.to_save = ()


def once_differentiable(backward):
    """Decorate a ``backward`` that itself cannot be differentiated: differentiating its result raises RuntimeError."""

    @functools.wraps(backward)
    def wrapper(ctx, *grads):
        recording = here.recording
        was = set_recording(False)
        try:
            outputs = backward(ctx, *grads)
        finally:
            set_recording(was)
        if not recording:
            return outputs
        if not any(isinstance(g, Tensor) and g.requires_grad for g in grads):
            return outputs
        is_tuple = isinstance(outputs, tuple)
        made = [None if z is None else _refusing(z) for z in (outputs if is_tuple else (outputs,))]
        return tuple(made) if is_tuple else made[0]

    return wrapper


class _Error(Node):
    """A node whose backward raises: what lies below cannot be differentiated."""

    __slots__ = ()
    takes_none = True

    def backward(self, xp, g, keep):
        """Refuse."""
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )

    def name(self):
        """As PyTorch calls it."""
        return "torch::autograd::Error"


def _refusing(z):
    node = _Error()
    node.next = ()
    node.seq = tick()
    node.extra = None
    node.shapes = None
    node.storage = FRESH
    out = new(Tensor)
    out._array = z._array
    out._storage = own(z)
    out._node = node
    return out
