"""What ``checkpoint(debug=True)`` shows: the operators of both runs, and from where they were called."""

import sys
import weakref
from typing import Any

from ... import ops
from ..._api import Tensor
from ..._ops.aten import aten_arguments
from .._python_dispatch import TorchDispatchMode


class Log(TorchDispatchMode):
    """While entered, notes each operator of this thread, and from where it was called."""

    def __init__(self, label: Any) -> None:
        self.label = label
        self.lines, self.traces = [], []
        self.numbers = {}

    def __enter__(self) -> Any:
        self.lines, self.traces, self.numbers = [], [], {}
        return super().__enter__()

    def __exit__(self, *exc: Any) -> None:
        super().__exit__(*exc)
        self.numbers = {}

    def watcher(self, cls: Any, operands: Any, params: Any, proceed: Any, writes: Any) -> Any:
        """Note an operator after it has run."""

        def look():
            given = ", ".join(self.shown(x) for x in aten_arguments(cls, operands, params))
            result = proceed()
            results = result if isinstance(result, (tuple, list)) else (result,)
            made = ", ".join(f"{self.shown(z)}: {_short_type(z)}" for z in results)
            op = ops.overload_of(cls, operands, params, writes)
            self.lines.append(f"{made} = torch._ops.{op}({given})")
            self.traces.append(_trace())
            return result

        return look

    def shown(self, x: Any) -> str:
        """An argument: a tensor by a number of its own."""
        if not isinstance(x, Tensor):
            return repr(x)
        number, ref = self.numbers.get(id(x), (None, None))
        if ref is None or ref() is not x:
            number = 1 + max((n for n, _ in self.numbers.values()), default=-1)
            self.numbers[id(x)] = number, weakref.ref(x)
        return f"${number}"

    def with_traces(self) -> Any:
        """All lines, each followed by the lines of code that led to it, the innermost first."""
        text = ""
        for i, (line, trace) in enumerate(zip(self.lines, self.traces)):
            text += f"{line}   ({i + 1} of {len(self.lines)} in {self.label})\n\n"
            text += f"{trace}\n\n"
        return text


_INNER = tuple(
    f"{__name__.partition('.')[0]}.{part}"
    for part in ("_core", "_ops", "utils.checkpoint", "utils._checkpoint")
)


def _trace():
    """The lines of code that have led here, the innermost first, but for those of the machinery."""
    text = ""
    frame = sys._getframe()
    while frame is not None:
        if not getattr(frame.f_globals.get("__spec__"), "name", "").startswith(_INNER):
            text += f"{frame.f_code.co_filename}:{frame.f_lineno}:{frame.f_code.co_name}\n"
        frame = frame.f_back
    return text


def _short_type(x):
    """A tensor's dtype and shape: ``f32[2, 3]``."""
    kind = str(x.dtype).rpartition(".")[2]
    short = {"bool": "b8", "bfloat16": "bf16"}.get(kind) or kind[0] + "".join(c for c in kind if c.isdigit())
    return f"{short}[{', '.join(map(str, x.shape))}]"


def report(first, again):
    """The text of an error: the operators of the first run and of the recomputation, two ``Log``."""
    rule = "+" + "-" * 78 + "+"
    return f"""\
An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.

{rule}
|        1. Stack traces of the operators that ran in the original forward     |
{rule}

{first.with_traces()}
{rule}
|        2. Stack traces of the operators that ran during recomputation        |
{rule}

{again.with_traces()}
{rule}
|       3. Log of operators in the original forward and recomputation          |
{rule}

Operations executed during the original forward:

{chr(10).join(first.lines)}

Operations executed during recomputation:

{chr(10).join(again.lines)}

{rule}
 ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 the tensors saved during the original forward differ from those saved during
 recomputation: the function ran other operators, or on other values, than
 before.  Compare the two lists above; the stack traces before them say where
 each operator was called.
"""
