"""``FlopCounterMode``: how many floating-point operations products, convolutions and attention take, for each module, forwards and backwards."""

import functools
from collections import defaultdict
from math import prod
from typing import Any

from .. import nn, ops
from .._api import Tensor, _lazy
from ..nn import Module
from ._python_dispatch import TorchDispatchMode
from ._pytree import tree_map

__all__ = ["FlopCounterMode", "register_flop_formula"]
_aten = ops.aten
#: OpOverloadPacket -> formula.
flop_registry: dict[Any, Any] = {}


def _shape_of(value):
    return value.shape if isinstance(value, Tensor) else value


def _of_shapes(formula):
    """A formula of shapes as one of tensors."""

    @functools.wraps(formula)
    def of_tensors(*args, out_val=None, **kwargs):
        args, kwargs, out_shape = tree_map(_shape_of, (args, kwargs, out_val))
        return formula(*args, out_shape=out_shape, **kwargs)

    return of_tensors


def register_flop_formula(targets: Any, get_raw: bool = False) -> Any:
    """Register a function that counts the operations of one or several operators of ``ops`` (a decorator).

    It gets the operator's arguments with shapes instead of tensors, and ``out_shape``; with ``get_raw`` the tensors themselves, and
    ``out_val``. Raises ValueError if the target is not an operator.

    >>> import minigrad
    >>> from minigrad.utils.flop_counter import FlopCounterMode, register_flop_formula
    >>> @register_flop_formula(minigrad.ops.aten.sinh)
    ... def sinh_flop(shape, *args, out_shape=None, **kwargs):
    ...     return 10 * shape.numel()
    >>> with FlopCounterMode(display=False) as counter:
    ...     _ = minigrad.ones(3).sinh()
    >>> counter.get_total_flops()
    30
    """

    def register(formula):
        found = formula if get_raw else _of_shapes(formula)
        found._get_raw = get_raw
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            if not isinstance(target, ops.OpOverloadPacket):
                raise ValueError(
                    f"register_flop_formula(targets): expected each target to be OpOverloadPacket (i.e. torch.ops.mylib.foo), got {target} "
                    f"which is of type {type(target)}"
                )
            if target in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[target] = found
        return formula

    return register


@register_flop_formula(_aten.mm)
def _mm_flop(a, b, *args, out_shape=None, **kwargs):
    return 2 * prod(a) * b[-1]


@register_flop_formula(_aten.addmm)
def _addmm_flop(bias, a, b, *args, out_shape=None, **kwargs):
    return _mm_flop(a, b)


@register_flop_formula(_aten.bmm)
def _bmm_flop(a, b, *args, out_shape=None, **kwargs):
    return 2 * prod(a) * b[-1]


@register_flop_formula(_aten.baddbmm)
def _baddbmm_flop(added, a, b, *args, out_shape=None, **kwargs):
    return _bmm_flop(a, b)


@register_flop_formula(_aten.convolution)
def _convolution_flop(x, w, bias, stride, padding, dilation, transposed, *args, out_shape=None, **kwargs):
    places = (x if transposed else out_shape)[2:]  # where the kernel is applied
    return 2 * x[0] * prod(places) * prod(w)


def _attention_flop(query, key, value, *args, out_shape=None, **kwargs):
    lead = prod(query[:-1]) * key[-2]
    return 2 * lead * query[-1] + 2 * lead * value[-1]


def _attention_backward_flop(query, key, value):
    """The scores are computed once more; then there are four products."""
    lead = prod(query[:-1]) * key[-2]
    return 2 * lead * (3 * query[-1] + 2 * value[-1])


_ATTENTION = "scaled_dot_product_attention"
#: Operator -> (what its derivatives are counted as, the places of the operands that each have one, a product of the same size).
_BACKWARD = {
    _aten.mm: (_aten.mm, (0, 1)),
    _aten.addmm: (_aten.mm, (1, 2)),
    _aten.bmm: (_aten.bmm, (0, 1)),
    _aten.baddbmm: (_aten.bmm, (1, 2)),
    _aten.convolution: ("aten.convolution_backward", (0, 1)),
}


class _Modules:
    """The names of the modules whose ``forward`` is under way."""

    def __init__(self) -> None:
        self.open = ["Global"]
        self.names = {}

    def __enter__(self) -> None:
        self.hooks = [
            nn.modules.module.register_module_forward_pre_hook(self.enter),
            nn.modules.module.register_module_forward_hook(self.leave, always_call=True),
        ]

    def __exit__(self, *error: Any) -> None:
        for hook in self.hooks:
            hook.remove()
        self.open, self.names = ["Global"], {}

    def enter(self, module: Module, args: Any) -> None:
        """A module begins: children are called as attributes of the module in which they were first seen."""
        name = self.names.setdefault(module, type(module).__name__)
        self.name_children(module, name)
        self.open.append(name)

    def name_children(self, module: Module, name: str) -> None:
        """Name what is below a module."""
        for child, below in module.named_children():
            if below not in self.names:
                self.names[below] = f"{name}.{child}"
                self.name_children(below, self.names[below])

    def leave(self, module: Module, args: Any, output: Any) -> None:
        """A module is over."""
        self.open.pop()


class FlopCounterMode:
    """A context manager that counts the floating-point operations of products, convolutions and attention, in forward and backward.

    Prints a table of modules down to ``depth`` at its end, unless ``display`` is False. ``custom_mapping`` has formulas for further
    operators (see ``register_flop_formula``). A multiplication and an addition count as two operations.

    >>> import minigrad
    >>> from minigrad.utils.flop_counter import FlopCounterMode
    >>> model = minigrad.nn.Sequential(minigrad.nn.Linear(8, 4), minigrad.nn.Linear(4, 2))
    >>> with FlopCounterMode() as counter:
    ...     model(minigrad.ones(10, 8)).sum().backward()
    Module            FLOP    % Total
    --------------  ------  ---------
    Sequential        1760    100.00%
     - aten.addmm      800     45.45%
     - aten.mm         960     54.55%
     Sequential.0     1280     72.73%
      - aten.addmm     640     36.36%
      - aten.mm        640     36.36%
     Sequential.1      480     27.27%
      - aten.addmm     160      9.09%
      - aten.mm        320     18.18%
    """

    depth: int
    display: bool
    flop_registry: dict[Any, Any]

    def __init__(
        self,
        mods: Module | list[Module] | None = None,
        depth: int = 2,
        display: bool = True,
        custom_mapping: dict[Any, Any] | None = None,
    ) -> None:
        self.depth, self.display = depth, display
        self.flop_counts: dict[Any, Any] = defaultdict(lambda: defaultdict(int))
        self.flop_registry = dict(flop_registry)
        for target, formula in (custom_mapping or {}).items():
            self.flop_registry[target] = (
                formula if getattr(formula, "_get_raw", False) else _of_shapes(formula)
            )
        self._modules = _Modules()
        self._mode: Any = None

    def get_total_flops(self) -> int:
        """Return the total number of operations.

        >>> import minigrad
        >>> with minigrad.utils.flop_counter.FlopCounterMode(display=False) as counter:
        ...     _ = minigrad.ones(2, 3) @ minigrad.ones(3, 4)
        >>> counter.get_total_flops()
        48
        """
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """Return a nested dict: module -> operator -> number of operations, with the total under "Global".

        >>> import minigrad
        >>> with minigrad.utils.flop_counter.FlopCounterMode(display=False) as counter:
        ...     _ = minigrad.ones(2, 3) @ minigrad.ones(3, 4)
        >>> counter.get_flop_counts()
        {'Global': {<OpOverloadPacket(op='aten.mm')>: 48}}
        """
        return {module: dict(counts) for module, counts in self.flop_counts.items()}

    def get_table(self, depth: Any = None) -> Any:
        """Return a table of the counts by module, down to ``depth``, with their percentages.

        >>> import minigrad
        >>> print(minigrad.utils.flop_counter.FlopCounterMode(display=False).get_table())
        Module      FLOP    % Total
        --------  ------  ---------
        Global         0         0%
        """
        depth = self.depth if depth is None else depth
        total = self.get_total_flops()
        rows, whole = [], False
        for name in sorted(self.flop_counts):
            level = name.count(".") + 1
            if name != "Global" and (depth is None or level <= depth):
                rows += self._rows(name, level - 1, total)
                whole |= sum(self.flop_counts[name].values()) >= total
        if self.flop_counts.get("Global") and not whole:
            rows = self._rows("Global", 0, total) + [(f" {name}", *rest) for name, *rest in rows]
        return _table(("Module", "FLOP", "% Total"), rows or [("Global", "0", "0%")])

    def _rows(self, name, level, total):
        counts = self.flop_counts[name]
        padding = " " * level
        said = [(f"{padding}{name}", sum(counts.values()))]
        said += [(f"{padding} - {operator}", number) for operator, number in counts.items()]
        return [
            (text, _scaled(number, total), f"{number / total:.2%}" if total else "0%")
            for text, number in said
        ]

    def __enter__(self) -> Any:
        self.flop_counts.clear()
        self._modules.__enter__()
        self._mode = _Mode(self)
        self._mode.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._mode.__exit__(*error)
        self._mode = None
        self._modules.__exit__(*error)
        if self.display:
            print(self.get_table())

    def _add(self, modules, operator, flops):
        for module in modules:
            self.flop_counts[module][operator] += flops

    def _count(self, packet, out, args, kwargs):
        """Count an application of an operator, and let its node count the backward."""
        modules = dict.fromkeys(self._modules.open)
        if packet.__name__ == _ATTENTION:
            shapes = [x.shape for x in args[:3]]
            self._add(modules, packet, _attention_flop(*shapes))
            node = _node_of(out)
            if node is not None:
                name = "aten._scaled_dot_product_flash_attention_backward"
                node.register_prehook(
                    lambda grads: self._backward(modules, name, _attention_backward_flop(*shapes))
                )
            return
        formula = self.flop_registry.get(packet)
        if formula is None:
            return
        flops = formula(*args, **kwargs, out_val=out)
        self._add(modules, packet, flops)
        key, operands = _BACKWARD.get(packet, (None, ()))
        node = _node_of(out)
        if key is not None and node is not None:
            needed = sum(args[place].requires_grad for place in operands)
            node.register_prehook(lambda grads: self._backward(modules, key, needed * flops))

    def _backward(self, modules, key, flops):
        if self._mode is not None and flops:
            self._add(modules, key, flops)


class _Mode(TorchDispatchMode):
    """What sees the operators for a counter."""

    def __init__(self, counter: Any) -> None:
        self.counter = counter

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        self.counter._count(func._overloadpacket, out, args, kwargs or {})
        return out


def _node_of(out):
    first = out[0] if isinstance(out, (tuple, list)) else out
    return first.grad_fn if isinstance(first, Tensor) else None


_SUFFIXES = ("", "K", "M", "B", "T")


def _scaled(number, total):
    """A number in the unit in which the total has two to four digits before the point."""
    index = max(0, min(len(_SUFFIXES) - 1, (len(str(total)) - 2) // 3))
    return f"{number / 1000**index:.3f}{_SUFFIXES[index]}" if index else f"{number:g}"


def _table(header, rows):
    """Columns under a line, the first to the left, the others to the right."""
    widths = [max(len(title) + 2, *map(len, column)) for title, column in zip(header, zip(*rows))]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(line, widths))
        )
        for line in lines
    )


_lazy.publish_all(globals())
