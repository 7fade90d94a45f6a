"""``ExportableModule``: a module that knows with which arguments and names it is exported."""

import abc
import importlib
from collections.abc import Sequence
from typing import Any

from ..nn import Module


class ExportableModule(Module, abc.ABC):
    """A module that says how it is exported; a class of this kind defines ``forward`` and ``example_arguments``.

    ``onnx.export(module)`` asks its methods for what it is not given.

    >>> import minigrad
    >>> class Doubled(minigrad.onnx.ExportableModule):
    ...     def forward(self, x):
    ...         return x * 2
    ...     def example_arguments(self):
    ...         return (minigrad.ones(2, 3),), None
    ...     def dynamic_shapes(self):
    ...         return ({0: "batch"},)
    >>> Doubled().to_onnx()  # doctest: +SKIP
    ONNXProgram((x) -> (mul), 2 nodes of Constant, Mul, 0 initializers)
    """

    __module__ = "minigrad.onnx"

    @abc.abstractmethod
    def example_arguments(self) -> tuple[tuple[Any, ...], dict[str, Any] | None]:
        """Arguments that ``forward`` can be called with: a tuple, and a dict of those by name, or None."""
        raise NotImplementedError

    def dynamic_shapes(self) -> Any:
        """Which sizes may differ, as ``export`` takes it; None if none."""
        return None

    def input_names(self) -> Sequence[str] | None:
        """The names of the model's inputs; None for those of the parameters of ``forward``."""
        return None

    def output_names(self) -> Sequence[str] | None:
        """The names of the model's outputs; None for those that the graph gives them."""
        return None

    def to_onnx(self, **kwargs: Any) -> Any:
        """The module as an ``ONNXProgram``; the arguments are those of ``export``."""
        return importlib.import_module(__package__).export(self, **kwargs)
