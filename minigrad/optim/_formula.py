"""What optimizers share that move each parameter by a formula of its own: gradient, state and options in, the step out.

Such an optimizer is a ``FormulaOptimizer`` that says

* ``_first(p, group)``: the state of a parameter before its first step;
* ``_buffers(group)``: the names in that state of the tensors that the formula reads and writes, None for one that the group does not use;
* ``_numbers(o, t)``: the numbers of the formula in step ``t``, from the options ``o``;
* ``_update(xp, x, g, *buffers, *numbers)``: the formula itself.  It writes to parameter ``x`` and to the buffers in place, and makes new arrays of
  everything else;
* and where the state has numbers besides the count of steps (``_scalars``), ``_advance(o, t, *before)``: what they are after step ``t``.  ``_numbers``
  gets ``(t, before, after)`` for ``t`` then.

The formula is written once: it gets arrays and ``array_ops``, or for ``differentiable=True`` recorded tensors and ``tensor_ops``.  With 100 parameters of
64x64 the whole of Adam's step takes half of PyTorch's time; buffers for what is in between would save another tenth of it.
"""

from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np

from .._api import (
    Tensor,
    _about_to_write,
    _bump,
    _capturing,
    _check_overlap,
    _dtypes,
    _wrap,
    clamp,
    enable_grad,
    get_default_dtype,
    is_complex,
    maximum,
    ones_like,
    set_grad_enabled,
    sign,
    sqrt,
    view_as_real,
    where,
    zeros_like,
)
from ._together import gathered, small
from .optimizer import Optimizer

_F32, _F64 = np.dtype("float32"), np.dtype("float64")


#: The vocabulary of formulas on arrays.
array_ops = SimpleNamespace(
    sqrt=np.sqrt,
    sign=np.sign,
    where=np.where,
    maximum=np.maximum,
    ones_like=np.ones_like,
    zeros_like=np.zeros_like,
    clip=lambda x, low, high: np.minimum(np.maximum(x, low), high),
    kept=lambda x: x,  # its argument, which is written to after what is computed from it
)
#: The vocabulary of formulas on recorded tensors.
tensor_ops = SimpleNamespace(
    sqrt=sqrt,
    sign=sign,
    where=where,
    maximum=maximum,
    ones_like=ones_like,
    zeros_like=zeros_like,
    clip=clamp,
    kept=Tensor.clone,
)


# Options -------------------------------------------------------------------------------------------------------------------


_PLAIN = frozenset({float, int, bool, type(None)})


def number(value: Any) -> Any:
    """An option as a Python number (or a tuple of them): groups may hold tensors of one element."""
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, Tensor):
        return value.item()
    return tuple(map(number, value)) if type(value) is tuple else value


class Options:
    """The options of a group as Python numbers, as they are when they are asked for."""

    __slots__ = ("group",)

    def __init__(self, group):
        self.group = group

    def __getitem__(self, name):
        return number(self.group[name])

    def get(self, name, default=None):
        """As of a dict."""
        return number(self.group.get(name, default))


def scalar(value: Any) -> Any:
    """An option for recorded formulas: a tensor of one element without axes."""
    if isinstance(value, Tensor):
        return value.squeeze() if value.dim() else value
    return tuple(map(scalar, value)) if type(value) is tuple else value


def check_rate(lr: Any, message: str = "Invalid learning rate") -> None:
    """Refuse learning rates that are negative, or tensors of several elements."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not lr >= 0.0:
        raise ValueError(f"{message}: {lr}")


def check_not_negative(**options: Any) -> None:
    """Refuse options that are negative."""
    for name, value in options.items():
        if not value >= 0.0:
            raise ValueError(f"Invalid {name} value: {value}")


def check_betas(betas: Any) -> None:
    """Refuse decay rates outside of [0, 1)."""
    for i, beta in enumerate(betas[:2]):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


def counter(value: float = 0.0, dtype: Any = None) -> Any:
    """A number of a state as PyTorch keeps it: a tensor without axes of float32, or of float64 where that is the default."""
    default = _F64 if get_default_dtype().np == _F64 else _F32
    return _wrap(np.array(value, dtype or default))


def real_parts(array):
    """An array as one of real numbers that has an axis, in the same memory."""
    if _dtypes.is_complex_type(array.dtype):
        return array[..., None].view(f"f{array.itemsize // 2}")
    return array if array.ndim else array.reshape(1)


def constants(compute: Callable[[], Any], dtype: Any, group: Any) -> list[Any]:
    """The numbers that ``compute()`` makes of the options of a group, as arrays without axes: as Python numbers each would cost its ufunc 0.3 us.

    In a step that is being captured they are computed anew in each run in which the options have changed.
    """
    capturing = _capturing()
    if capturing is not None:
        return capturing.refilled(compute, dtype, group)
    return [np.array(value, dtype) for value in compute()]


def refuse_to_be_noted() -> None:
    """Keep a function of lists out of steps that are captured: where its numbers come from cannot be seen."""
    capturing = _capturing()
    if capturing is not None:
        capturing.program.leak("an optimizer over lists was called with numbers")


# Steps ---------------------------------------------------------------------------------------------------------------------


def advanced(cls, o, t, scalars):
    """``(t, before, after)`` for the numbers in the state, which are written anew (and rounded to what the state keeps)."""
    # As NumPy's numbers: what is computed from them is rounded as they are.
    before = tuple(s._array[()] for s in scalars)
    for s, value in zip(scalars, cls._advance(o, t, *before)):
        s._array[...] = number(value)
    return t, tuple(map(float, before)), tuple(s.item() for s in scalars)


def on_rows(cls, p, grad, group, count, buffers):
    """The step of ``cls`` for a sparse gradient: the formula runs on the rows that the gradient keeps, of the parameter and of the buffers; the others stay."""
    if not cls._takes_rows:
        refuse_sparse(cls)
    o = {name: number(value) for name, value in group.items() if name != "params"}
    if o.get("weight_decay"):
        raise RuntimeError("weight_decay option is not compatible with sparse gradients")
    count._array += 1
    numbers = [np.array(value, p._array.dtype) for value in cls._numbers(o, count.item())]
    move_rows(cls._update, p, grad, [b._array for b in buffers], numbers, o.get("maximize"))
    return buffers


def refuse_sparse(cls):
    """Raise RuntimeError for an optimizer whose formula moves all elements."""
    if cls.__name__ in ("Adam", "AdamW"):
        raise RuntimeError("Adam does not support sparse gradients, please consider SparseAdam instead")
    raise RuntimeError(f"{cls.__name__} does not support sparse gradients")


def move_rows(update, p, grad, buffers, numbers, maximize=False):
    """Write the step of the formula ``update`` to the rows of ``p`` and of the buffers that a sparse gradient keeps."""
    capturing = _capturing()
    if capturing is not None:
        capturing.program.leak("a step with sparse gradients")
    array = grad.coalesce()._array
    places = array.places()
    whole = p._array, *buffers
    rows = [each[places] for each in whole]
    # complex ones as they are, as in PyTorch: a dense gradient moves real and imaginary parts by themselves
    update(array_ops, rows[0], -array.values if maximize else array.values, *rows[1:], *numbers)
    for each, row in zip(whole, rows):
        each[places] = row
    _bump(p)


def on_arrays(cls, group):
    """``move(p, grad, count, buffers, scalars)`` for a group: writes the step of ``cls`` to arrays.

    ``count`` is the state's number of steps, None if it has none; ``more`` are those of other parameters that move with this one.
    """
    o = {name: number(value) for name, value in group.items() if name != "params"}
    maximize, decay = o.get("maximize"), o.get("weight_decay", 0) if cls._decays else 0
    decoupled, update = o.get("decoupled_weight_decay", False), cls._update
    known = {}

    def constants(t, dtype):
        """The numbers as 0-dim arrays: as Python numbers each would cost its ufunc 0.3 us."""
        found = known.get((t, dtype))
        if found is None:
            numbers = (1 - o["lr"] * decay) if decoupled else decay, *cls._numbers(o, t)
            found = known[t, dtype] = [
                np.array(value, dtype) if isinstance(value, (int, float)) else value for value in numbers
            ]
        return found

    t = dtype = shrink = numbers = parts = None  # of the parameter before: mostly the same

    def move(p, grad, count, buffers, scalars=(), more=()):
        nonlocal t, dtype, shrink, numbers, parts
        if grad._is_sparse:
            return on_rows(cls, p, grad, group, count, buffers)
        x, g = p._array, grad._array
        arrays = [None if b is None else b._array for b in buffers]
        now = None
        if count is not None:
            c = count._array
            now = c.item() + 1.0
            c.fill(now)
            for each in more:
                each._array.fill(now)
            if scalars:
                now = advanced(cls, o, now, scalars)
        if now != t or x.dtype is not dtype:
            if x.dtype is not dtype:
                refuse_integers(cls.__name__, x.dtype, bool(decay) and not decoupled)
            t, dtype, parts = now, x.dtype, _dtypes.is_complex_type(x.dtype)
            shrink, *numbers = constants(t, np.dtype(f"f{x.itemsize // 2}") if parts else dtype)
        if parts and p.is_conj():
            view_as_real(p)  # raises: a conjugate has no parts in memory
        if parts or not x.ndim:
            x, g, *arrays = (None if a is None else real_parts(a) for a in (x, g, *arrays))
        whole = x, g, *arrays
        each = parts_of(cls, whole) if x.__class__ is np.ndarray else (whole,)
        for x, g, *rest in each:
            if maximize:
                g = -g
            if decay:
                if decoupled:
                    x *= shrink
                else:
                    g = g + x * shrink
            update(array_ops, x, g, *rest, *numbers)
        _bump(p)
        return buffers

    return move


def on_traced(cls, group, capturing):
    """Like ``on_arrays``, in a step that is being captured: the counts and the numbers of the formula are computed anew in each run."""
    known = {}  # (step, dtype) -> (the counts that are at this step, the numbers)
    constant_options = capturing.constant_options  # and not what notes, which keeps the functions below
    options, constant = Options(group), constant_options(group)

    def all_numbers(t):
        nonlocal constant
        if constant is None or group != constant:
            constant = constant_options(group)
        o = options if constant is None else constant
        decay = o.get("weight_decay", 0) if cls._decays else 0
        return (1 - o["lr"] * decay) if o.get("decoupled_weight_decay") else decay, *cls._numbers(o, t)

    def numbers_of(count, dtype, scalars):
        counts = [count]

        def compute():
            t = None if count is None else count._array.item() + 1.0
            for each in counts:
                if each is not None:
                    each._array.fill(t)
            if scalars:
                t = advanced(cls, options, t, scalars)
            return all_numbers(t)

        if not scalars:
            # where some steps lack a number, what is noted serves for steps that lack the same
            lacks = lambda t: [value is None for value in all_numbers(t)]
            pattern = lacks(None if count is None else count._array.item() + 1.0)
            if True in pattern:
                capturing.guards.append(lambda: lacks(count._array.item() + 1.0) == pattern)
        return counts, capturing.refilled(compute, dtype)

    def move(p, grad, count, buffers, scalars=(), more=()):
        if grad._is_sparse:
            return on_rows(cls, p, grad, group, count, buffers)
        capturing.touch(p, grad, *[b for b in buffers if b is not None])
        x, g = p._array, grad._array
        arrays = [None if b is None else b._array for b in buffers]
        parts = _dtypes.is_complex_type(x.dtype)
        dtype = np.dtype(f"f{x.itemsize // 2}") if parts else x.dtype
        t = None if count is None else count._array.item()
        if scalars:
            _, (shrink, *numbers) = numbers_of(count, dtype, scalars)
        elif (t, dtype) in known:
            counts, (shrink, *numbers) = known[t, dtype]
            counts.append(count)
            if count is not None:
                count._array.fill(t + 1.0)
        else:
            known[t, dtype] = counts, (shrink, *numbers) = numbers_of(count, dtype, ())
        for each in more:
            known[t, dtype][0].append(each)
            each._array.fill(t + 1.0)
        if parts or not x.ndim:
            x, g, *arrays = (None if a is None else real_parts(a) for a in (x, g, *arrays))
        each = parts_of(cls, (x, g, *arrays))
        for x, g, *rest in each:
            if group.get("maximize"):
                g = -g
            if cls._decays and number(group.get("weight_decay", 0)):
                if group.get("decoupled_weight_decay"):
                    x *= shrink
                else:
                    g = g + x * shrink
            cls._update(array_ops, x, g, *rest, *numbers)
        _bump(p)
        return buffers

    return move


#: So many numbers of each array are moved at once: what a formula makes in between then stays in the cache (four million take 5.5 ms
#: with Adam, and 8.1 ms whole).
_PIECE = 32768


def parts_of(cls, arrays):
    """The arrays of a parameter, the first of which is its own, as ``cls`` moves them one after the other: whole, or in pieces."""
    return pieces(arrays) if cls._elementwise and arrays[0].size > _PIECE else (arrays,)


def pieces(arrays):
    """Views that take one part after the other of all arrays (some may be None), or the arrays whole where their memory is not in one piece."""
    if not all(a is None or a.flags.c_contiguous for a in arrays):
        return (arrays,)
    size = arrays[0].size
    flat = [a if a is None else a.reshape(size) for a in arrays]
    return [[a if a is None else a[i : i + _PIECE] for a in flat] for i in range(0, size, _PIECE)]


def step_on_tensors(cls, group):
    """Like ``on_arrays``, of recorded ops; the new buffers are returned."""
    o = {name: scalar(value) for name, value in group.items() if name != "params"}
    decay = o.get("weight_decay", 0) if cls._decays else 0

    def move(p, grad, count, buffers, scalars=()):
        if grad._is_sparse:
            raise RuntimeError(f"{cls.__name__} with differentiable=True does not support sparse gradients")
        if count is not None:
            if count.requires_grad:
                raise RuntimeError("`requires_grad` is not supported for `step` in differentiable mode")
            count._array += 1
        x, g = p, -grad if o["maximize"] else grad
        # Clones, because the graph of earlier steps needs the old values.
        buffers = [None if b is None else b.clone() for b in buffers]
        if number(decay):
            if o.get("decoupled_weight_decay"):
                x -= x.clone() * (o["lr"] * decay)
            else:
                g = g + x.clone() * decay
        parts = [None if a is None else view_as_real(a) if is_complex(a) else a for a in (x, g, *buffers)]
        t = None if count is None else count.item()
        if scalars:
            t = advanced(cls, o, t, scalars)
        cls._update(tensor_ops, *parts, *cls._numbers(o, t))
        return buffers

    return move


_CAPTURABLE_DEVICES = ["cuda", "xpu", "hpu", "privateuseone", "xla"]
_FUSED_DEVICES = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def mover(cls, group):
    """``on_arrays`` or ``step_on_tensors``, as the options of a group say; raises for those that PyTorch refuses on a CPU."""
    if group.get("capturable") and not group.get("fused"):
        raise AssertionError(
            f"If capturable=True, {cls._capturable} must be on supported devices: "
            f"{_CAPTURABLE_DEVICES if cls._capturable_xla else _CAPTURABLE_DEVICES[:-1]}."
        )
    if not group.get("differentiable"):
        capturing = _capturing()
        return on_arrays(cls, group) if capturing is None else on_traced(cls, group, capturing)
    if group.get("foreach"):
        raise AssertionError("_foreach ops don't support autograd")
    if group.get("fused"):
        raise RuntimeError(f"{cls.__name__} with fused=True does not support differentiable=True")
    return step_on_tensors(cls, group)


def check_fused(p: Any) -> None:
    """Refuse parameters that PyTorch's fused kernels do not know."""
    if not p.is_floating_point():
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of "
            f"supported devices: {_FUSED_DEVICES} but {p.dtype} and {p.device.type}"
        )


def refuse_integers(name: str, dtype: Any, decays: bool = False) -> None:
    """Raise for parameters of integers, in the words of what PyTorch's step fails over first."""
    if dtype.kind in "fcV":
        return
    kind = _dtypes.scalar_type_name(_dtypes.from_numpy_dtype(dtype))
    if decays or name == "SGD":
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if name in ("Adam", "Adamax", "NAdam", "RAdam"):
        raise NotImplementedError(f"\"lerp_kernel_scalar\" not implemented for '{kind}'")
    raise RuntimeError(f"result type Float can't be cast to the desired output type {kind}")


def evaluated(optimizer: Optimizer, closure: Callable[[], Any] | None) -> Any:
    """What ``closure`` returns, computed with grad mode on (None without a closure); the parameters are written to next."""
    loss = None
    if closure is not None:
        with enable_grad():
            loss = closure()
    for group in optimizer.param_groups:
        _about_to_write(group["params"])
    return loss


class FormulaOptimizer(Optimizer):
    """The base class of optimizers that move each parameter by a formula (see the head of this file)."""

    #: Options that old state dicts lack.
    _later_options: dict[str, object] = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }
    #: The names in the state of numbers besides ``step``.
    _scalars: tuple[str, ...] = ()
    #: Whether a parameter's state may lack buffers.
    _optional_buffers = False
    #: Whether ``weight_decay`` is added to the gradient, or taken off the parameter, before the formula is asked.
    _decays = True
    #: Whether the formula may move some rows alone: those that a sparse gradient keeps.
    _takes_rows = False
    #: Whether the formula moves each number by itself, so that a parameter may be moved part by part.
    _elementwise = True
    _capturable, _capturable_xla = "params and state_steps", True

    def _check_fused(self):
        """Refuse what cannot be asked for together."""
        options = self.defaults
        if options["fused"]:
            if options["differentiable"]:
                raise RuntimeError("`fused` does not support `differentiable`")
            if options["foreach"]:
                raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self._later_options.items():
                group.setdefault(name, value)
            for p in group["params"]:
                own = self.state.get(p) or {}
                for name in ("step", *self._scalars):
                    if name in own and not isinstance(own[name], Tensor):
                        own[name] = counter(own[name])

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Perform one optimization step; ``closure`` recomputes the loss, which is returned."""
        loss = evaluated(self, closure)
        with np.errstate(all="ignore"):
            if any(group.get("differentiable") for group in self.param_groups):
                with set_grad_enabled(self.defaults.get("differentiable", False)):
                    self._move_all()
            else:
                self._move_all()
        return loss

    def _move_all(self):
        states, fetch = self.state, dict.get if self._optional_buffers else dict.__getitem__
        scalars = ()
        capturing = _capturing()
        for index, group in enumerate(self.param_groups):
            if capturing is not None:
                capturing.follow_options(self, group)
                capturing.follow_state(
                    self, [name for name in (*self._buffers(group), *self._scalars) if name]
                )
            names, move = self._buffers(group), None
            keep, fused = group.get("differentiable"), group.get("fused")
            params = group["params"]
            if group.get("foreach") and self._elementwise and not (self._scalars or keep):
                params = self._move_together(index, group, names)
            for p in params:
                grad = p.grad
                if grad is None:
                    continue
                state = states[p]
                if fused:
                    check_fused(p)
                    if grad._is_sparse and self._takes_rows:
                        raise RuntimeError("`fused` does not support sparse grad or complex param")
                if not state:
                    if grad._is_sparse and not self._takes_rows:
                        refuse_sparse(type(self))
                    _check_overlap(p)
                    state.update(self._first(p, group))
                if move is None:
                    move = mover(type(self), group)
                buffers = [fetch(state, name) if name else None for name in names]
                if self._scalars:
                    scalars = [state[name] for name in self._scalars]
                moved = move(p, grad, state.get("step"), buffers, scalars)
                if keep:
                    state.update((name, b) for name, b in zip(names, moved) if name)

    def _move_together(self, index, group, names):
        """Move the small parameters of a group as one, if they can be; returns those that remain."""
        params = group["params"]
        chosen, rest = small(self, index, params)
        states, capturing = [self.state[p] for p in chosen], _capturing()
        with nullcontext() if capturing is None else capturing.paused():
            for p, state in zip(chosen, states):
                if not state:
                    _check_overlap(p)
                    state.update(self._first(p, group))
        counts = [state["step"] for state in states if "step" in state]
        used = [name for name in names if name]
        if (
            not chosen
            or len(counts) not in (0, len(chosen))
            or len({count._array.item() for count in counts}) > 1
            or not all(name in state for state in states for name in used)
        ):
            return params
        found = gathered(self, index, chosen, {name: [state[name] for state in states] for name in used})
        if found is None:
            return params
        p, grad, buffers = found
        wholes = dict(zip(used, buffers))
        move = mover(type(self), group)
        move(p, grad, counts[0] if counts else None, [wholes.get(name) for name in names], (), counts[1:])
        for p in chosen:
            _bump(p)
        return rest


def functional(
    cls: Any, params: Any, grads: Any, buffers: Any, steps: Any, options: Any, scalars: Any = ()
) -> None:
    """One step of ``cls`` over lists, as PyTorch's functional optimizers take them; ``buffers`` holds a list, empty if unused, for each buffer."""
    if options.get("grad_scale") is not None or options.get("found_inf") is not None:
        raise AssertionError("Expected grad_scale and found_inf to be None")
    if not all(isinstance(step, Tensor) for step in steps):
        raise RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors")
    if not params:
        return
    refuse_to_be_noted()
    _about_to_write(params)
    move = mover(cls, options)
    with np.errstate(all="ignore"):
        for i, (p, grad, count) in enumerate(zip(params, grads, steps)):
            now = [each[i] if each else None for each in buffers]
            moved = move(p, grad, count, now, [each[i] for each in scalars])
            if options.get("differentiable"):
                for each, b in zip(buffers, moved):
                    if each:
                        each[i] = b
