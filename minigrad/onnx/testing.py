"""``assert_onnx_program``: a model computes what its program computes."""

from typing import Any

from .. import _api, testing
from ..utils import _pytree as pytree

__all__ = ["assert_onnx_program"]


def assert_onnx_program(
    program: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    args: tuple[Any, ...] | None = None,
    kwargs: dict[str, Any] | None = None,
    strategy: str | None = "TorchExportNonStrictStrategy",
    backend: str = "onnxruntime",
) -> None:
    """Raise AssertionError unless an ``ONNXProgram`` has the results of the exported program that it was made of.

    They are computed of ``args`` and ``kwargs``, of the examples if neither is given, by ``backend``: "onnxruntime" or "reference". ``strategy`` is the name of the way in which the program
    was recorded, None for any. Raises ValueError for another strategy or backend, and for a program without an exported one.

    >>> import minigrad
    >>> program = minigrad.onnx.export(minigrad.nn.ReLU(), (minigrad.ones(2),))  # doctest: +SKIP
    >>> minigrad.onnx.testing.assert_onnx_program(program, backend="reference")  # doctest: +SKIP
    """
    if strategy is not None and program._capture_strategy != strategy:
        raise ValueError(
            f"Expected strategy '{strategy}' is used to capture the exported program, but got '{program._capture_strategy}'."
        )
    if backend not in ("onnxruntime", "reference"):
        raise ValueError(
            f"Unsupported backend '{backend}'. Supported backends are 'onnxruntime' and 'reference'."
        )
    args, kwargs = given_or_examples(program, args, kwargs)
    expected = [
        x if isinstance(x, _api.Tensor) else _api.tensor(x)
        for x in pytree.tree_leaves(program.exported_program.module()(*args, **kwargs))
        if x is not None
    ]
    found = (program if backend == "onnxruntime" else program.call_reference)(*args, **kwargs)
    testing.assert_close(
        tuple(found), tuple(x.detach() for x in expected), rtol=rtol, atol=atol, equal_nan=True
    )


def given_or_examples(program: Any, args: Any, kwargs: Any) -> Any:
    """The arguments, or the examples of the exported program if there are none; ValueError without such a program."""
    exported = program.exported_program
    if exported is None:
        raise ValueError(
            "The ONNXProgram does not contain an ExportedProgram: set its attribute exported_program to compare with one"
        )
    if args is None and kwargs is None:
        args, kwargs = exported.example_inputs
    return args or (), kwargs or {}
