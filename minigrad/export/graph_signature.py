"""What goes into an exported graph and comes out: ``ExportGraphSignature``."""

import dataclasses
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

__all__ = [
    "ConstantArgument",
    "ExportGraphSignature",
    "InputKind",
    "InputSpec",
    "OutputKind",
    "OutputSpec",
    "TensorArgument",
]


@dataclasses.dataclass
class TensorArgument:
    """A tensor, given by the name of its node."""

    name: str


@dataclasses.dataclass
class ConstantArgument:
    """A constant value that is not a tensor, for which the graph was made."""

    name: str
    value: Any


class InputKind(Enum):
    """The kind of a placeholder."""

    USER_INPUT = auto()
    PARAMETER = auto()
    BUFFER = auto()
    CONSTANT_TENSOR = auto()


class OutputKind(Enum):
    """The kind of an element of the output."""

    USER_OUTPUT = auto()


@dataclasses.dataclass
class InputSpec:
    """A placeholder: its kind, the tensor or value, and the dotted name of a parameter, buffer or constant; buffers say whether they are persistent."""

    kind: InputKind
    arg: Any
    target: str | None
    persistent: bool | None = None

    def __str__(self) -> str:
        target = "" if self.target is None else f" target='{self.target}'"
        kept = "" if self.persistent is None else f" persistent={self.persistent}"
        return f"{self.arg.name}: {self.kind.name}{target}{kept}"


@dataclasses.dataclass
class OutputSpec:
    """An element of the output."""

    kind: OutputKind
    arg: Any
    target: str | None

    def __str__(self) -> str:
        target = "" if self.target is None else f" target='{self.target}'"
        return f"{self.arg.name}: {self.kind.name}{target}"


@dataclasses.dataclass
class ExportGraphSignature:
    """The placeholders and the output of an exported graph, in order."""

    input_specs: list[InputSpec]
    output_specs: list[OutputSpec]

    def _targets(self, kind):
        return tuple([spec.target for spec in self.input_specs if spec.kind is kind])

    def _names(self, kind):
        return {spec.arg.name: spec.target for spec in self.input_specs if spec.kind is kind}

    @property
    def parameters(self) -> Any:
        """The dotted names of the parameters."""
        return self._targets(InputKind.PARAMETER)

    @property
    def buffers(self) -> Any:
        """The dotted names of the buffers."""
        return self._targets(InputKind.BUFFER)

    @property
    def non_persistent_buffers(self) -> Any:
        """The dotted names of the buffers that are not in the state."""
        return tuple(
            [s.target for s in self.input_specs if s.kind is InputKind.BUFFER and s.persistent is False]
        )

    @property
    def lifted_tensor_constants(self) -> Any:
        """The names of the tensors that are neither parameters nor buffers."""
        return self._targets(InputKind.CONSTANT_TENSOR)

    @property
    def user_inputs(self) -> Any:
        """The names of the placeholders of inputs; the value of one that is no tensor."""
        return tuple(
            [
                spec.arg.value if isinstance(spec.arg, ConstantArgument) else spec.arg.name
                for spec in self.input_specs
                if spec.kind is InputKind.USER_INPUT
            ]
        )

    @property
    def user_outputs(self) -> Any:
        """The names of the nodes that are returned; the value of what is no tensor."""
        return tuple(
            [
                spec.arg.value if isinstance(spec.arg, ConstantArgument) else spec.arg.name
                for spec in self.output_specs
            ]
        )

    @property
    def inputs_to_parameters(self) -> Mapping[str, str]:
        """The name of a placeholder -> the dotted name of the parameter."""
        return self._names(InputKind.PARAMETER)

    @property
    def inputs_to_buffers(self) -> Mapping[str, str]:
        """The name of a placeholder -> the dotted name of the buffer."""
        return self._names(InputKind.BUFFER)

    @property
    def inputs_to_lifted_tensor_constants(self) -> Mapping[str, str]:
        """The name of a placeholder -> the name of the constant."""
        return self._names(InputKind.CONSTANT_TENSOR)

    def __str__(self) -> str:
        return "\n".join(
            ["", "# inputs", *map(str, self.input_specs), "", "# outputs", *map(str, self.output_specs), ""]
        )
