"""The module that a model of ONNX becomes."""

from typing import Any

from .. import _api as mg
from ..nn import Module


class ONNXModule(Module):
    """A model of ONNX as a module: made by ``minigrad.onnx.load``.

    The float initializers are its parameters, the others its buffers.  It is called with the inputs of the graph, by position or by name,
    and gives the one output or a tuple of them.

    Attributes
    ----------
    input_names, output_names : tuple of str
        What the graph calls them; an input that an initializer gives a value need not be given.
    initializer_paths : dict
        Name in the graph -> name in ``state_dict``.
    """

    input_names: tuple[str, ...]
    output_names: tuple[str, ...]
    initializer_paths: dict[str, str]

    def __init__(self, graph: Any, needed: tuple[str, ...]) -> None:
        super().__init__()
        self._graph = graph
        self.input_names, self.output_names = graph.inputs, graph.outputs
        self.initializer_paths = {}
        self._needed = needed
        self._places: dict[str, tuple[Any, str]] = {}

    def _put(self, name: str, path: str, value: Any, learned: bool) -> None:
        """Make an initializer a parameter or a buffer."""
        from ..nn import Parameter

        *parents, leaf = path.split(".")
        holder: Module = self
        for part in parents:
            if part not in holder._modules:
                holder.add_module(part, Module())
            holder = holder._modules[part]  # type: ignore[assignment]
        if learned:
            holder.register_parameter(leaf, Parameter(value))
        else:
            holder.register_buffer(leaf, value)
        self.initializer_paths[name] = path
        self._places[name] = holder, leaf

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the graph; the values of inputs are tensors, or what ``as_tensor`` makes tensors of.

        Raises TypeError for too many inputs, for one that is missing, given twice or not known.
        """
        if len(args) > len(self._needed):
            raise TypeError(
                f"the model takes {len(self._needed)} inputs by position ({', '.join(self._needed)}), got {len(args)}"
            )
        values = {name: getattr(holder, leaf) for name, (holder, leaf) in self._places.items()}
        given = dict(zip(self._needed, args))
        for name, value in kwargs.items():
            if name not in self.input_names:
                raise TypeError(
                    f"the model has no input {name!r}: its inputs are {', '.join(self.input_names) or 'none'}"
                )
            if name in given:
                raise TypeError(f"the model got several values for its input {name!r}")
            given[name] = value
        missing = [name for name in self._needed if name not in given]
        if missing:
            raise TypeError(f"the model needs the inputs {', '.join(missing)}, too")
        values.update((name, _tensors(value)) for name, value in given.items())
        results = self._graph.run(values)
        return results[0] if len(results) == 1 else results

    def extra_repr(self) -> str:
        """The names of inputs and outputs, and how many nodes there are."""
        return f"inputs=({', '.join(self.input_names)}), outputs=({', '.join(self.output_names)}), nodes={len(self._graph.nodes)}"


def _tensors(value):
    """A value of an input: a tensor, a list of them for a sequence, or None."""
    if isinstance(value, list) and all(isinstance(each, (mg.Tensor, list)) for each in value):
        return [_tensors(each) for each in value]
    if value is None or isinstance(value, mg.Tensor):
        return value
    return mg.as_tensor(value)
