"""``summary``: the layers of a model with their shapes, parameters, operations, and the memory that training it needs."""

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from numpy import ndarray

from .._api import Generator, Tensor, get_default_dtype, rand, zeros
from .._arrays.memory_layout import address, owner_of
from .._base.dtypes import dtype as dtype_class
from ..nn import Module
from ..nn.parameter import is_lazy
from .observed import Forward, Seen, modules_in, tensors_in
from .summary_tables import COLUMNS, html_of, size_text, text_of

__all__ = ["Layer", "Summary", "summary"]

_WITH_INPUT = ("output_size", "num_params", "trainable", "mult_adds", "saved")
_WITHOUT_INPUT = ("num_params", "trainable")


def _total(name):
    def total(self):
        return sum([getattr(layer, name) for layer in self.walk()])

    return property(total, doc=f"``{name}`` of the layer and of all inside of it.")


@dataclass(eq=False)
class Layer:
    """The row of a ``Summary`` for one module, without the modules inside it; ``total_*`` include them.

    ``name`` is the dotted path, "" for the model; ``depth`` its depth in the model; ``children`` the layers inside, in the order in which
    they ran. ``input_size`` and ``output_size`` are those of the first of its ``calls``: shapes, in tuples and dictionaries as the layer
    takes and returns them. ``flops`` counts floating-point operations as the profiler does, ``mult_adds`` pairs of a multiplication and
    an addition in products and convolutions, both over all calls; ``saved_bytes`` is what the layer's part of the graph keeps for
    backward.

    >>> from minigrad import nn
    >>> from minigrad.viz import summary
    >>> layer = summary(nn.Sequential(nn.Linear(3, 4), nn.ReLU()), (2, 3)).layers[1]
    >>> layer.name, layer.type, layer.params, layer.output_size, layer.mult_adds
    ('0', 'Linear', 16, torch.Size([2, 4]), 24)
    """

    name: str
    type: str
    depth: int
    children: list[Any] = field(default_factory=list, repr=False)
    calls: int = 0
    input_size: Any = None
    output_size: Any = None
    kernel_size: Any = None
    params: int = 0
    trainable_params: int = 0
    param_bytes: int = 0
    buffer_bytes: int = 0
    flops: int = 0
    mult_adds: int = 0
    saved_bytes: int = 0
    shared: dict[Any, Any] = field(default_factory=dict)
    uninitialized: list[Any] = field(default_factory=list)

    total_params = _total("params")
    total_trainable_params = _total("trainable_params")
    total_param_bytes = _total("param_bytes")
    total_buffer_bytes = _total("buffer_bytes")
    total_flops = _total("flops")
    total_mult_adds = _total("mult_adds")
    total_saved_bytes = _total("saved_bytes")

    def walk(self) -> Iterator[Any]:
        """Return the layer and all inside it, each before what is inside it.

        >>> from minigrad import nn
        >>> from minigrad.viz import summary
        >>> [layer.name for layer in summary(nn.Sequential(nn.Linear(3, 4), nn.ReLU())).layers[0].walk()]
        ['', '0', '1']
        """
        waiting = [self]
        while waiting:
            layer = waiting.pop()
            yield layer
            waiting += layer.children[::-1]


class Summary:
    """What ``summary`` found out: ``str()`` is a table, notebooks show it as one, and programs read the fields.

    ``layers`` has a ``Layer`` for each module, the model first, and ``summary["encoder.0"]`` is the one at a path.  ``total_params``,
    ``trainable_params`` and ``non_trainable_params`` count elements, each parameter once; ``shared`` says which name stands for which earlier
    one.  After a forward pass (``ran``) ``total_flops``, ``total_mult_adds``, ``input_size`` and ``output_size`` are known, and in bytes
    ``input_bytes``, ``saved_bytes`` (kept for backward besides inputs, parameters and buffers); ``total_bytes`` is all of it together with
    ``param_bytes`` and ``buffer_bytes``.

    >>> from minigrad import nn
    >>> from minigrad.viz import summary
    >>> found = summary(nn.Sequential(nn.Linear(3, 4), nn.ReLU()), (2, 3))
    >>> found.total_params, found["0"].total_mult_adds, found.output_size
    (16, 24, torch.Size([2, 4]))
    """

    columns: Any
    depth: Any
    input_size: Any
    output_size: Any
    total_params: Any
    trainable_params: Any
    non_trainable_params: Any
    total_flops: Any
    total_mult_adds: Any
    saved_bytes: Any
    param_bytes: Any
    buffer_bytes: Any
    total_bytes: Any
    shared: dict[Any, Any]
    uninitialized: list[Any]

    def __init__(self, layers: Any, ran: Any, input_bytes: Any, columns: Any, depth: Any) -> None:
        self.layers = layers
        self.ran = ran
        self.columns, self.depth = columns, depth
        model = layers[0]
        self.input_size, self.output_size = model.input_size, model.output_size
        self.total_params = model.total_params
        self.trainable_params = model.total_trainable_params
        self.non_trainable_params = self.total_params - self.trainable_params
        self.total_flops = model.total_flops
        self.total_mult_adds = model.total_mult_adds
        self.input_bytes = input_bytes
        self.saved_bytes = model.total_saved_bytes
        self.param_bytes = model.total_param_bytes
        self.buffer_bytes = model.total_buffer_bytes
        self.total_bytes = input_bytes + self.saved_bytes + self.param_bytes + self.buffer_bytes
        self.shared = {name: first for layer in layers for name, first in layer.shared.items()}
        self.uninitialized = [name for layer in layers for name in layer.uninitialized]

    def __getitem__(self, name: str) -> Any:
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise KeyError(name)

    def text(
        self, columns: Any = None, depth: Any = None, ascii_only: bool = False, totals: bool = True
    ) -> Any:
        """Return the table with other columns, or down to another depth, without another forward pass.

        ``ascii_only``: the tree in plain characters; ``totals``: whether to say what it adds up to.

        >>> from minigrad import nn
        >>> from minigrad.viz import summary
        >>> print(summary(nn.Linear(3, 4), (2, 3)).text(columns=["input_size", "flops"]).splitlines()[2])
        Linear      [2, 3]     48
        """
        columns = self.columns if columns is None else _columns(columns, self.ran)
        depth = self.depth if depth is None else _depth(depth)
        return text_of(self, columns, depth, ascii_only, totals)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self):
        return html_of(self, self.columns, self.depth)


def summary(
    model: Any, input_size: int | None = None, *, input_data: Any = None, dtypes: Any = None, batch_dim: Any = None, depth: int = 3, columns: Any = None, mode: str | None = None, **kwargs: Any
) -> Any:  # fmt: skip
    """Summarise a module: its layers with output sizes, parameters and multiply-adds, and the memory they keep for backward; return a ``Summary``.

    ``input_size`` is the shape of the input, a list of shapes for several, or a dictionary of shapes by the names of ``forward``'s
    arguments. Inputs are random, or zeros if ``dtypes`` (one, or one for each) are integers or bool; by default they have the dtype of
    the model's first parameter. ``batch_dim`` says where to insert a dimension of size 1. ``input_data`` is the input itself instead of
    sizes: a tensor, a list of arguments, or a dictionary. ``kwargs`` are further arguments of ``forward``. With neither, there is no
    forward pass, and only parameters are reported.

    ``depth`` limits the depth of the table; ``columns`` chooses among
    ``input_size output_size num_params params_percent trainable kernel_size mult_adds flops saved params_size buffers_size calls``. The
    row of a layer whose inner layers are shown counts only its own share, so that columns add up to the totals.

    The forward pass runs in the model's own mode, or in ``mode``, "train" or "eval". Afterwards everything is restored: modes, buffers,
    gradients, attributes of the modules, and random number generators. Lazy modules are initialized for it, and are lazy again
    afterwards.

    Raises RuntimeError with the name of the layer if ``forward`` raises, TypeError or ValueError for invalid arguments.

    >>> from minigrad import nn
    >>> from minigrad.viz import summary
    >>> model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    >>> print(summary(model, (32, 8)))
    Layer         Output size  Params  Trainable  Mult-adds  Kept for backward
    --------------------------------------------------------------------------
    Sequential        [32, 4]      --         --         --                 --
    ├─ 0: Linear     [32, 16]     144        yes      4,096                 --
    ├─ 1: ReLU       [32, 16]      --         --         --            2.00 KB
    └─ 2: Linear      [32, 4]      68        yes      2,048                 --
    --------------------------------------------------------------------------
    Total params: 212
    Trainable params: 212
    Non-trainable params: 0
    Total mult-adds: 6,144
    Total FLOPs: 12,288
    --------------------------------------------------------------------------
    Input size: 1.00 KB
    Forward/backward pass size: 2.00 KB
    Params size: 848 B
    Buffers size: 0 B
    Estimated total size: 3.83 KB
    --------------------------------------------------------------------------
    """
    if not isinstance(model, Module):
        raise TypeError(f"summary(): model must be a Module, not {type(model).__name__}")
    if mode not in (None, "train", "eval"):
        raise ValueError(f"summary(): mode must be 'train', 'eval' or None, not {mode!r}")
    if input_size is not None and input_data is not None:
        raise ValueError("summary(): give either input_size or input_data, not both")
    if dtypes is not None and input_size is None:
        raise ValueError("summary(): dtypes can only be given together with input_size")
    depth = _depth(depth)
    ran = input_size is not None or input_data is not None or bool(kwargs)
    columns = _columns((_WITH_INPUT if ran else _WITHOUT_INPUT) if columns is None else columns, ran)
    types = {name: type(module).__name__ for name, module in modules_in(model)}
    args, named = _arguments(model, input_size, input_data, dtypes, batch_dim)
    named.update(kwargs)
    layers = _run(model, types, args, named, mode) if ran else _layers(model, types, {})
    return Summary(layers, ran, _bytes_of(tensors_in([args, named]), set()), columns, depth)


def _columns(names, ran):
    """The names of columns, without those that need a forward pass if there was none; raises ValueError for what is none."""
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in COLUMNS:
            raise ValueError(f"summary(): unknown column {name!r}; the columns are {', '.join(COLUMNS)}")
    return tuple([name for name in names if ran or not COLUMNS[name][2]])


def _depth(depth):
    if not isinstance(depth, (int, float)):
        raise TypeError(f"summary(): depth must be a number, not {type(depth).__name__}")
    return depth


# The inputs ---------------------------------------------------------------------------------------------------------------


def _arguments(model, input_size, input_data, dtypes, batch_dim):
    """What ``forward`` is called with: a list of arguments, and a dictionary of those by name."""
    if input_size is not None:
        data = _of_sizes(input_size, dtypes, _dtype_of(model), batch_dim)
    else:
        data = _with_batch(input_data, batch_dim)
    if isinstance(data, dict):
        return [], dict(data)
    if isinstance(data, (list, tuple)):
        return list(data), {}
    return ([] if data is None else [data]), {}


def _of_sizes(sizes, dtypes, default, batch_dim):
    generator = Generator().manual_seed(0)

    def made(size, dtype):
        shape = [operator.index(n) for n in size]
        if batch_dim is not None:
            shape.insert(_place(batch_dim, len(shape) + 1), 1)
        if dtype is None:
            dtype = default
        elif not isinstance(dtype, dtype_class):
            raise TypeError(f"summary(): dtypes must be a dtype or one for each input, not {dtype!r}")
        if dtype.is_floating_point or dtype.is_complex:
            return rand(shape, generator=generator, dtype=dtype)
        return zeros(shape, dtype=dtype)  # an index that any table has

    if isinstance(sizes, dict):
        of_each = dtypes if isinstance(dtypes, dict) else dict(zip(sizes, _for_each(dtypes, len(sizes))))
        if not of_each.keys() <= sizes.keys():
            raise ValueError(f"summary(): dtypes are for {list(of_each)}, input_size for {list(sizes)}")
        return {name: made(size, of_each.get(name)) for name, size in sizes.items()}
    if not isinstance(sizes, (list, tuple)):
        raise TypeError(
            f"summary(): input_size must be a shape, a list of shapes or a dictionary of shapes, not {type(sizes).__name__}"
        )
    if all(hasattr(n, "__index__") for n in sizes) and sizes != []:  # a list of no shapes
        return [made(sizes, _for_each(dtypes, 1)[0])]
    if not all(isinstance(size, (list, tuple)) for size in sizes):
        raise TypeError(
            f"summary(): input_size must be a shape, a list of shapes or a dictionary of shapes, not {sizes!r}"
        )
    return [made(size, dtype) for size, dtype in zip(sizes, _for_each(dtypes, len(sizes)))]


def _place(dim, ndim):
    """Which of ``ndim`` dimensions ``dim`` is; raises IndexError if none."""
    if not -ndim <= operator.index(dim) < ndim:
        raise IndexError(
            f"summary(): batch_dim is out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})"
        )
    return dim % ndim


def _for_each(dtypes, count):
    """As many dtypes as there are inputs, of one or of a sequence; None is what the model has."""
    if not isinstance(dtypes, (list, tuple)):
        return [dtypes] * count
    if len(dtypes) != count:
        raise ValueError(f"summary(): {count} inputs, but {len(dtypes)} dtypes")
    return list(dtypes)


def _dtype_of(model):
    """The dtype of the first parameter that is floating."""
    for parameter in model.parameters():
        if parameter.is_floating_point() or parameter.is_complex():
            return parameter.dtype
    return get_default_dtype()


def _with_batch(data, batch_dim):
    if batch_dim is None:
        return data
    if isinstance(data, Tensor):
        return data.unsqueeze(batch_dim)
    if isinstance(data, dict):
        return {name: _with_batch(value, batch_dim) for name, value in data.items()}
    return [_with_batch(value, batch_dim) for value in data] if isinstance(data, (list, tuple)) else data


# What is found ------------------------------------------------------------------------------------------------------------


def _run(model, types, args, kwargs, mode):
    """The layers after a forward pass; raises RuntimeError if it raises."""
    forward = Forward(model)
    try:
        return forward.run(args, kwargs, mode, lambda: _layers(model, types, forward.seen))
    except Exception as error:
        if forward.finished:
            raise
        path, inputs = forward.blamed(error) or ("", None)
        layer = types[path]
        where = f"layer '{path}' ({layer})" if path else layer
        got = "" if inputs is None else f", which got {size_text(inputs)}"
        raise RuntimeError(
            f"summary(): the forward pass failed in {where}{got}: {type(error).__name__}: {error}"
        ) from error


def _layers(model, types, seen):
    """A ``Layer`` for each module, in the order of their first calls, each before those inside it; what did not run comes last."""
    by_path, modules = {}, {}
    for path, module in modules_in(model):
        kind = types.get(path, type(module).__name__)  # a forward pass may make modules
        layer = by_path[path] = Layer(path, kind, path.count(".") + 1 if path else 0)
        modules[path] = module
        if path:
            by_path[path.rpartition(".")[0]].children.append(layer)
        found = seen.get(path, Seen(None))
        for name in ("calls", "input_size", "output_size", "flops", "mult_adds", "saved_bytes"):
            setattr(layer, name, getattr(found, name))
        layer.kernel_size = vars(module).get("kernel_size")
    order = {}
    for path in reversed(by_path):  # the innermost first: a container runs when something inside of it does
        inside = by_path[path].children
        inside.sort(key=lambda child: order[child.name])
        own = seen[path].order if path in seen else len(seen)
        order[path] = min([own, *[order[child.name] for child in inside]])
    layers = list(by_path[""].walk())
    counted, places = {}, set()
    for layer in layers:
        _count(layer, modules[layer.name], counted, places)
    return layers


def _count(layer, module, counted, places):
    """Note the layer's own parameters and buffers; ``counted`` has the names of parameters that were counted before, ``places`` the memory."""
    for name, tensor in (*module._parameters.items(), *module._buffers.items()):
        full = f"{layer.name}.{name}" if layer.name else name
        if tensor is None:
            continue
        if is_lazy(tensor):  # no input has come by
            layer.uninitialized.append(full)
        elif name in module._buffers:
            layer.buffer_bytes += _bytes_of([tensor], places)
        elif tensor in counted:
            layer.shared[full] = counted[tensor]
        else:
            counted[tensor] = full
            layer.params += tensor.numel()
            layer.trainable_params += tensor.numel() if tensor.requires_grad else 0
            layer.param_bytes += _bytes_of([tensor], places)


def _bytes_of(tensors, places):
    """The memory of tensors, what is at the same place only once: not at ``places``, to which theirs are added."""
    count = 0
    for tensor in tensors:
        array = tensor._array
        size = min(array.nbytes, owner_of(array).nbytes)  # an expanded array takes less than it shows
        place = (address(array), size) if isinstance(array, ndarray) else id(array)
        if place not in places:
            places.add(place)
            count += size
    return count
