"""Views: tensors that share another's memory, and how gradients find their way when any of them is written to.

A view's ``_node`` is a ``View``: it knows the base (the root of all views) and the chain of view ops that leads from
the base to the view.  The same chain, run again on any array of the base's shape, gives the window that corresponds to
the view: that is all that ``AsStridedBackward0`` and ``CopySlices`` need.  Nothing keeps track of a base's views; a view
notices by the version that somebody wrote, and derives its node again when it is next asked.  ``inplace.py`` does the
writing.
"""

from typing import Any

from numpy.lib.stride_tricks import as_strided

from .._arrays.memory_layout import address
from .._arrays.view_chain import Template, dense, look, steps_of
from .._base.errors import SECOND_BACKWARD
from .modes import set_recording, thread_state
from .node import NOWHERE, AccumulateGrad, Node, Port, keep_retaining, tick
from .storage import FRESH


class View:
    """What a view's ``_node`` holds.

    ``chain`` is a linked tuple (chain before, op class, parameters), so that a view of a view costs the same at any depth.
    ``meta`` is None, or why the view may not be written to: "no_grad", "multi", "function", ...
    """

    base: Any
    meta: Any

    __slots__ = ("base", "chain", "node", "seen", "meta", "storage")

    def current(self):
        """The view's node; derived again from the base if the memory was written to since."""
        version = self.base._storage.version
        if self.seen != version:
            base_node = self.base._node
            node = self.node
            if base_node is not None or (node is not None and node.__class__ is not AccumulateGrad):
                self._derive(base_node, version)
        if self.node is None and self.base._node is not None:
            return NOWHERE  # made without grad of a tensor that requires it: requires grad itself, but leads nowhere
        return self.node

    def _derive(self, base_node, version):
        if self.meta is not None:
            raise RuntimeError(forbidden(self, indirect=True))
        self.find_place()
        self.seen = version
        node = (
            self._replayed() if thread_state.view_replay else derived(self.chain, base_node, self.base._array)
        )
        keep_retaining(self.node, node)
        self.node = node

    def _replayed(self):
        """The node of a view made of the base by the same ops again."""
        was = set_recording(True)
        try:
            return look_at_tensor(self.base, self.chain)._edge
        finally:
            set_recording(was)

    def find_place(self):
        """Begin the chain at the base as it is now, if it got another shape or order in place after this view was made.

        Raises RuntimeError where that cannot be said in terms of the base.
        """
        base = self.base
        if self.seen >= base._laid_out:
            return
        now = base._array
        then = next(array for version, array in base._layouts if version > self.seen)
        if now.shape == then.shape and now.strides == then.strides and address(now) == address(then):
            return
        strides = [s // now.itemsize for s in then.strides]
        last = sum((n - 1) * s for n, s in zip(then.shape, strides))
        if address(now) != address(then) or last >= now.size or not dense(now):
            raise RuntimeError(
                "the base of this view was given another shape in place (as_strided_, resize_, ...) after the view was made, and its "
                "elements do not fill the memory that the view looks at; make the view again"
            )
        chain = (None, Relaid, (then.shape, tuple(strides)))
        for cls, params in steps_of(self.chain):
            chain = (chain, cls, params)
        self.chain = chain
        self.seen = base._laid_out


class Relaid:
    """A step of a chain: the memory of a dense base in the shape and order that the base had when the view was made."""

    __slots__ = ()
    repeats = retypes = False

    @staticmethod
    def forward(x, size, strides):
        """The array in that shape; strides in elements."""
        return as_strided(x, size, tuple([s * x.itemsize for s in strides]))

    @staticmethod
    def call(x, size, strides):
        """The same, recorded."""
        return x.as_strided(size, strides)


def derived(chain, node, array):
    """The node of a view again; ``node`` and ``array`` are those of the base."""
    link = chain
    while link is not None:
        link, cls, _ = link
        if cls.retypes:
            return _derived_in_parts(chain, node, array)
    return _strided(chain, node, array)


def _derived_in_parts(chain, node, array):
    """As ``derived``: one node for all steps of the chain, but for those that change the dtype, which have their own."""
    run = None  # steps that become one node: those before the dtype first changed; each later one has its own
    retyped = False
    for cls, params in steps_of(chain):
        if not cls.retypes:
            run = (run, cls, params)
            if not retyped:
                continue
        if run is not None:
            node, array, run = _strided(run, node, array), look(array, run), None
        if not cls.retypes:
            continue
        retyped = True
        node = _recorded_node(cls(), node)
        if cls.plan.params:
            node.params = params
        if cls.plan.needs_shapes:
            node.shapes = array.shape
        array = cls.forward(array, *params)
    return node if run is None else _strided(run, node, array)


def _strided(chain, before, array):
    node = _recorded_node(AsStridedBackward0(), before)
    node.chain = chain
    node.template = Template(array)
    return node


def _recorded_node(node, before):
    node._next = (before,)
    node._seq = tick()
    node._extra = None
    node._storage = FRESH
    return node


def forbidden(view, indirect=False):
    """Why this view may not be modified in place, in PyTorch's words."""
    done = (
        "its base or another view of its base has been modified inplace"
        if indirect
        else "is being modified inplace"
    )
    mode, when = {
        "no_grad": ("no_grad mode", "with grad mode enabled"),
        "inference": ("inference mode", "in normal mode"),
    }.get(view.meta, (None, ""))
    if view.node is None or view.node.__class__ is AccumulateGrad:
        text = (
            f"A view was created in {mode or 'no_grad mode'} and {done} {when or 'with grad mode enabled'}."
        )
    elif mode is not None:
        text = f"Output {output_nr(view.node)} of {short_name(view.node)} is a view of a view which was created in {mode} and {done} {when}."
    else:
        text = f"Output {output_nr(view.node)} of {short_name(view.node)} is a view and {done}."
    return text + _FORBIDDEN[view.meta]


def output_nr(edge):
    """Which output of its node this is."""
    return edge.nr if edge.__class__ is Port else 0


def short_name(edge):
    """The op's name as PyTorch's messages give it: ``Mul`` for ``MulBackward0``."""
    if edge is None or edge is NOWHERE:
        return "None"
    name = (edge.node if edge.__class__ is Port else edge).name()
    head, found, number = name.rpartition("Backward")
    return head + number.removeprefix("0") if found and (number == "" or number.isdecimal()) else name


_AMBIGUOUS = (
    " It is unclear whether the change should be recorded: make the view and change it both inside the {0} block (not "
    "recorded) or both outside (recorded)."
)
_FORBIDDEN = {
    "no_grad": _AMBIGUOUS.format("no_grad"),
    "inference": _AMBIGUOUS.format("inference_mode"),
    "multi": " This view is the output of a function that returns multiple views. Such functions do not allow the "
    "output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
    "function": " This view was created inside a custom Function (or because an input was returned as-is): to modify it "
    "inplace would bypass the Function's backward and give wrong gradients. Clone the Function's output first.",
}


def look_at_tensor(tensor, chain):
    """Like ``look``, by recorded view ops on a Tensor."""
    for cls, params in steps_of(chain):
        tensor = cls.call(tensor, *params)
    return tensor


class AsStridedBackward0(Node):
    """The node of a view that was derived again: the gradient goes to the view's place in zeros of the base's shape."""

    __slots__ = ("chain", "template")

    def backward(self, xp, g, keep):
        """The gradient of the base."""
        return (xp.place(g, self.chain, self.template),)


class CopySlices(Node):
    """The node of a base one of whose views was written to by ``inner``: the view's part of the gradient goes through
    ``inner``, the rest passes by.
    """

    __slots__ = ("inner", "chain", "template")
    prefix = "torch::autograd::"

    def places_of_next(self):
        """Of the inputs, the base before the write, then the other inputs of the op that wrote."""
        return [0, *self.inner.places_of_next()[1:]]

    def backward(self, xp, g, keep):
        """Gradients of the base before the write, and of the other inputs of the write."""
        if self.template is None:
            raise RuntimeError(SECOND_BACKWARD)
        outs = xp.through(g, self, keep, xp)
        if not keep:
            self.template = None
        return outs

    def saved(self, name):
        """The saved values are those of the op that wrote."""
        return self.inner.saved(name)

    def __getattr__(self, name):
        if name.startswith("_saved_"):
            return self.saved(name[len("_saved_") :])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def saved_values(self):
        """The saved values are those of the op that wrote; none after backward."""
        return [] if self.template is None else self.inner.saved_values()
