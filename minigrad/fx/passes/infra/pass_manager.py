"""``PassManager``: passes over a module in an order that their constraints allow."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ....nn import Module
from ...graph_module import GraphModule
from .pass_base import PassResult

__all__ = ["PassManager", "pass_result_wrapper", "this_before_that_pass_constraint"]


def _name(function):
    return function.__name__ if inspect.isfunction(function) else type(function).__name__


def pass_result_wrapper(fn: Callable[..., Any]) -> Any:
    """Wrap a function that changes or returns a module as a pass, whose result is a ``PassResult``.

    >>> import minigrad
    >>> from minigrad.fx.passes.infra.pass_manager import pass_result_wrapper
    >>> pass_result_wrapper(lambda gm: None)(minigrad.fx.symbolic_trace(lambda x: x)).modified
    True
    """
    if fn is None:
        return None

    @functools.wraps(fn)
    def wrapped(gm):
        result = fn(gm)
        if isinstance(result, PassResult):
            return result
        return PassResult(result if isinstance(result, Module) else gm, True)

    wrapped.__name__ = _name(fn)
    return wrapped


def this_before_that_pass_constraint(
    this: Callable[..., Any], that: Callable[..., Any]
) -> Callable[[Callable[..., Any], Callable[..., Any]], bool]:
    """Return a constraint for ``PassManager`` that one pass comes before another.

    >>> from minigrad.fx.passes.infra.pass_manager import this_before_that_pass_constraint
    >>> may_follow = this_before_that_pass_constraint(len, print)
    >>> may_follow(len, print), may_follow(print, len)
    (True, False)
    """
    return lambda a, b: (a, b) != (that, this)


def _in_order(passes, constraints):
    """The passes in an order that all constraints allow, otherwise as they are; raises RuntimeError if there is none."""
    before = {
        a: [b for b in passes if b is not a and not all(allowed(a, b) for allowed in constraints)]
        for a in passes
    }
    ordered = []
    while len(ordered) < len(passes):
        ready = [p for p in passes if p not in ordered and all(b in ordered for b in before[p])]
        if not ready:
            waiting = [p for p in passes if p not in ordered]
            raise RuntimeError(f"Circular dependency detected within the following passes: {waiting}")
        ordered.extend(ready)
    return ordered


class PassManager:
    """Runs passes over a module until nothing changes, ``steps`` times at most.

    A pass is a function that returns a ``PassResult``. A constraint ``constraint(a, b)`` says whether the pass ``a`` may come before ``b``; the passes are ordered so that all
    are kept. With ``run_checks_after_each_pass`` the function given to ``add_checks`` is called after each.

    >>> import minigrad
    >>> from minigrad.fx.passes.infra.pass_manager import PassManager, pass_result_wrapper
    >>> def relu_to_neg(gm):
    ...     for node in gm.graph.find_nodes(op="call_method", target="relu"):
    ...         node.target = "neg"
    >>> manager = PassManager(passes=[pass_result_wrapper(relu_to_neg)])
    >>> print(manager(minigrad.fx.symbolic_trace(lambda x: x.relu())).graph_module.code.strip())
    def forward(self, x):
        relu = x.neg();  x = None
        return relu
    """

    constraints: list[Any]
    passes: Any

    steps = 1
    _validated = False

    def __init__(
        self,
        passes: Any = None,
        constraints: list[Callable[[Callable[..., Any], Callable[..., Any]], bool]] | None = None,
        steps: int | None = None,
        run_checks_after_each_pass: bool = False,
        suppress_check_failures: bool = False,
    ) -> None:
        self.passes, self.constraints = passes or [], constraints or []
        if steps:
            self.steps = steps
        self.run_checks_after_each_pass = run_checks_after_each_pass
        self.suppress_check_failures = suppress_check_failures

    def add_pass(self, _pass: Any) -> None:
        """Add a pass."""
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint: Callable[[Callable[..., Any], Callable[..., Any]], bool]) -> None:
        """Add a constraint."""
        self.constraints.append(constraint)
        self._validated = False

    def validate_constraints(self) -> None:
        """Raise RuntimeError if the present order of the passes violates a constraint."""
        if self._validated:
            return
        for constraint in self.constraints:
            for i, a in enumerate(self.passes):
                for j, b in enumerate(self.passes[i + 1 :]):
                    if not constraint(a, b):
                        raise RuntimeError(
                            f"pass schedule constraint violated. Expected {a} before {b} but found {a} at index {i} and {b} at index {j} "
                            "in pass list."
                        )
        self._validated = True

    def solve_constraints(self) -> None:
        """Order the passes so that all constraints hold; raise RuntimeError if that is impossible."""
        self.passes = _in_order(self.passes, self.constraints) if self.constraints else self.passes
        self._validated = True

    def add_checks(self, check: Any) -> None:
        """Call ``check(module)`` before the passes, and after each if requested."""
        if len(inspect.signature(check).parameters) != 1:
            raise TypeError("PassManager check function should only take in one variable, a module")
        self.check = check  # type: ignore[method-assign]

    def check(self, module: Module) -> None:
        """Do nothing; replaced by ``add_checks``."""

    def __call__(self, module: Module) -> Any:
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        ever = False
        for _ in range(self.steps):
            modified = False
            for number, function in enumerate(self.passes):
                try:
                    result = function(module)
                    if not isinstance(result, PassResult) and not hasattr(result, "graph_module"):
                        raise TypeError(
                            f"The result of the pass {_name(function)} should be type PassResult.Please wrap it with pass_result_wrapper()"
                        )
                    module, modified = result.graph_module, modified or result.modified
                    if isinstance(module, GraphModule):
                        module.recompile()
                    if self.run_checks_after_each_pass:
                        self.check(module)
                except Exception as error:
                    before = [_name(other) for other in self.passes[:number]]
                    raise Exception(
                        f"An error occurred when running the '{_name(function)}' pass after the following passes: {before}"
                    ) from error
            ever |= modified
            if not modified:
                break
        return PassResult(module, ever)
