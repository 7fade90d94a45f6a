"""``ModuleTracker``: in which modules the program is, in forward and in backward."""

import weakref
from typing import Any

from .._api import Tensor
from .._C import _current_graph_task_id
from ..autograd import Variable
from ..autograd.graph import register_multi_grad_hook
from ..nn import modules
from ._pytree import tree_leaves

__all__ = ["ModuleTracker"]


class ModuleTracker:
    """Inside of its block, ``parents`` has the names of the modules that are being executed, or whose backward is, and "Global".

    A name is that of the outermost module's class, and the path from there.

    >>> import minigrad
    >>> from minigrad.utils.module_tracker import ModuleTracker
    >>> model = minigrad.nn.Sequential(minigrad.nn.ReLU())
    >>> with ModuleTracker() as tracker:
    ...     handle = model[0].register_forward_pre_hook(lambda module, args: print(sorted(tracker.parents)))
    ...     x = model(minigrad.ones(1))
    ['Global', 'Sequential', 'Sequential.0']
    """

    parents: set[Any]

    def __init__(self) -> None:
        self.parents = {"Global"}
        self._names = weakref.WeakKeyDictionary()
        self._handles = []
        self._clears_up = False

    @property
    def is_bw(self) -> bool:
        """Whether a backward pass runs in this thread."""
        return _current_graph_task_id() != -1

    def __enter__(self) -> Any:
        self._handles += [
            modules.module.register_module_forward_pre_hook(self._before),
            modules.module.register_module_forward_hook(self._after),
        ]
        return self

    def __exit__(self, *error: Any) -> None:
        while self._handles:
            self._handles.pop().remove()

    def _name(self, module):
        if module not in self._names:
            for path, inner in module.named_modules():
                self._names[inner] = f"{type(module).__name__}.{path}".rstrip(".")
        return self._names[module]

    def _before(self, module, args):
        name = self._name(module)
        self.parents.add(name)
        self._watch(args, lambda grads: self.parents.discard(name))

    def _after(self, module, args, output):
        name = self._name(module)
        self.parents.discard(name)

        def enter(grads):
            if not self._clears_up:
                Variable._execution_engine.queue_callback(self._leave_all)
                self._clears_up = True
            self.parents.add(name)

        self._watch(output, enter)

    def _watch(self, tree, hook):
        """Call ``hook`` when the gradients of all tensors in ``tree`` have arrived."""
        tensors = [leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor) and leaf.requires_grad]
        if tensors:
            self._handles.append(register_multi_grad_hook(tensors, hook))

    def _leave_all(self):
        self.parents = {"Global"}
        self._clears_up = False
