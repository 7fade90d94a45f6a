"""From a graph to the text of a function: ``CodeGen``, and those that take nested inputs apart or a list of inputs."""

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..utils import _pytree as pytree
from ._writer import FunctionWriter

#: What generated code calls to mark functions that tracing leaves as they are.
_WRAP = "torch.fx._symbolic_trace.wrap"
_COUNTER = re.compile(r"# COUNTER: (\d+)")


@dataclass
class PythonCode:
    """Generated source code, and the globals that it needs."""

    src: str
    globals: dict[str, Any]
    _lineno_map: dict[int, int | None] | None = None
    _prologue_start: int = 0


class CodeGen:
    r"""Generates the source code of a graph's function; subclasses change how it takes its inputs and returns its output.

    >>> import minigrad
    >>> class ListCodeGen(minigrad.fx.CodeGen):
    ...     def gen_fn_def(self, free_vars, maybe_return_annotation):
    ...         return f"def forward(self, inputs):\n    {', '.join(free_vars)}, = inputs"
    ...     def process_inputs(self, *inputs):
    ...         return inputs[0]
    >>> traced = minigrad.fx.symbolic_trace(lambda x, y: x + y)
    >>> traced.graph.set_codegen(ListCodeGen())
    >>> _ = traced.recompile()
    >>> traced([1, 2])
    3
    """

    def __init__(self) -> None:
        self._body_transformer = None
        self._func_name = "forward"

    def gen_fn_def(
        self, free_vars: list[str], maybe_return_annotation: str, *, expanded_def: bool = False
    ) -> str:
        """The line ``def forward(...):`` for the parameters ``free_vars``, and lines that follow it; ``expanded_def`` puts each parameter on a line."""
        if not free_vars or free_vars[0] != "self":
            free_vars.insert(0, "self")
        if not expanded_def:
            return f"def {self._func_name}({', '.join(free_vars)}){maybe_return_annotation}:"
        lines = [f"    {_with_comma(variable)}\n" for variable in free_vars]
        return f"def {self._func_name}(\n{''.join(lines)}){maybe_return_annotation}:"

    def generate_output(
        self,
        output_args: Any,
        *,
        descs: Sequence[str] | None = None,
        repr_fn: Callable[[object], str] | None = None,
    ) -> str:
        """The return statement; ``descs`` are comments on the elements of a list or tuple."""
        return _return_text("", output_args, "", descs, repr_fn or repr)

    def process_inputs(self, *args: Any) -> Any:
        """The inputs of the graph, in a tuple or list, for the arguments of the function that is written."""
        return args

    def process_outputs(self, outputs: Any) -> Any:
        """The result of the function that is written, for the output of the graph."""
        return outputs

    def additional_globals(self) -> list[tuple[str, Any]]:
        """Pairs (name, value) of globals that the function needs besides."""
        return []

    def _call_with(self, method, *args, **options):
        """Call a method, of a subclass perhaps, with those of the options that it knows."""
        known = inspect.signature(method).parameters
        return method(*args, **{key: value for key, value in options.items() if key in known})

    def _gen_python_code(self, nodes, root_module, namespace, **options):
        writer = FunctionWriter(self, nodes, root_module, namespace, options)
        writer.write()
        body = writer.body or ["pass\n"]
        wrapping = "\n".join(f'{_WRAP}("{name}")' for name in writer.wrapped)
        if self._body_transformer:
            body = self._body_transformer(body)
        for name, value in self.additional_globals():
            writer.global_name(name, value)
        prologue = self._call_with(
            self.gen_fn_def, writer.free_vars, writer.return_annotation, expanded_def=writer.expanded
        )
        lines, numbers, current = [], {}, None
        before = prologue.count("\n") + 1
        for line in "".join(body).split("\n"):
            counter = _COUNTER.search(line)
            if counter is not None:
                current = int(counter.group(1))
            else:
                numbers[len(lines) + before] = current
                lines.append(line)
        code = "\n".join(f"    {line}" for line in "\n".join(lines).lstrip("\n").split("\n"))
        return PythonCode(
            f"\n{wrapping}\n\n{prologue}\n{code}",
            writer.globals,
            _lineno_map=numbers,
            _prologue_start=wrapping.count("\n") + 4,
        )


def _with_comma(variable):
    name, mark, comment = variable.partition("#")
    return f"{name.rstrip()},  # {comment.lstrip()}" if mark else f"{variable},"


def _return_text(before, value, after, comments, text_of):
    """A return statement; with comments, each element of a list or tuple on a line."""
    if comments is None or not isinstance(value, (list, tuple)):
        return f"return {before}{text_of(value)}{after}"
    lines = "".join(f"    {text_of(x)},  # {comment}\n" for x, comment in zip(value, comments, strict=False))
    brackets = "()" if isinstance(value, tuple) else "[]"
    return f"return {before}{brackets[0]}\n{lines}{brackets[1]}{after}"


class _BoxedCodeGen(CodeGen):
    """The function takes its inputs in one list, which it empties, so that nobody else keeps them."""

    def gen_fn_def(self, free_vars: Any, maybe_return_annotation: Any, *, expanded_def: bool = False) -> str:
        """``def forward(self, args_list):``, and the lines that empty the list."""
        names = [re.split("[:=]", variable)[0].strip() for variable in free_vars if variable != "self"]
        lines = [f"def {self._func_name}(self, args_list){maybe_return_annotation}:"]
        if names:
            lines += ["args_iter = iter(args_list)", *(f"{name} = next(args_iter)" for name in names)]
            lines.append("args_list.clear()")
        return "\n    ".join(lines)


class _PyTreeInfo(NamedTuple):
    """How the inputs and the output of a function are nested, and what its parameters are called."""

    orig_args: list[str]
    in_spec: Any
    out_spec: Any


class _PyTreeCodeGen(CodeGen):
    """The function takes nested inputs, whose leaves are the placeholders, and returns a nested output."""

    def __init__(self, pytree_info: Any) -> None:
        super().__init__()
        self.pytree_info = pytree_info

    def process_inputs(self, *inputs: Any) -> Any:
        """The leaves of the inputs."""
        return [leaf for tree in inputs for leaf in pytree.tree_leaves(tree)]

    def process_outputs(self, out: Any) -> Any:
        """The nested output, of its leaves."""
        if self.pytree_info is None or self.pytree_info.out_spec is None:
            return out
        return pytree.tree_unflatten(
            out if isinstance(out, (list, tuple)) else [out], self.pytree_info.out_spec
        )

    def gen_fn_def(self, free_vars: Any, maybe_return_annotation: Any, *, expanded_def: bool = False) -> Any:
        """``def forward(...):`` with the parameters of the original function, and the line that takes them apart."""
        if self.pytree_info is None:
            return super().gen_fn_def(free_vars, maybe_return_annotation, expanded_def=expanded_def)
        names = self.pytree_info.orig_args
        if names and names[0] == "self":
            free_vars.insert(0, "self")
        text = super().gen_fn_def(names[:], maybe_return_annotation, expanded_def=expanded_def)
        return text + self.gen_var_bindings(names, free_vars, expanded_def) if free_vars else text

    def gen_var_bindings(self, fn_args: Any, free_vars: Any, expanded_def: Any) -> str:
        """The lines that bind the placeholders."""
        annotated = [variable for variable in free_vars if ":" in variable]
        text = ""
        if annotated:
            lines = "\n    ".join(annotated) if expanded_def else "".join(f"{v}; " for v in annotated) + "\n"
            text = f"\n    {lines}"
        names = ", ".join(re.split("[:#]", variable)[0] for variable in free_vars)
        return f"{text}\n    {names}, = fx_pytree.tree_flatten_spec({self._nested(fn_args)}, self._in_spec)"

    def _nested(self, names):
        """The expression for what is taken apart: a list of arguments, with a dict if keywords were traced."""
        spec = self.pytree_info.in_spec
        if not (
            spec.type is tuple
            and spec.num_children == 2
            and [c.type for c in spec.children()] == [tuple, dict]
        ):
            return f"[{', '.join(names)}]"
        count = spec.child(0).num_children
        names = self.pytree_info.orig_args
        keywords = ", ".join(
            f"'{key}':{name}" for key, name in zip(spec.child(1).context, names[count:], strict=False)
        )
        return f"([{', '.join(names[:count])}], {{{keywords}}})"

    def generate_output(self, output_args: Any, *, descs: Any = None, repr_fn: Any = None) -> Any:
        """The return statement, which nests the output again."""
        if not (self.pytree_info and self.pytree_info.out_spec):
            return super().generate_output(output_args, descs=descs, repr_fn=repr_fn)
        return _return_text(
            "pytree.tree_unflatten(", output_args, ", self._out_spec)", descs, repr_fn or repr
        )
