"""``onnx.InputObserver``: what a module is called with tells with which arguments and dynamic sizes it is exported."""

import pytest

import minigrad as torch
from minigrad import nn

DYNAMIC = torch.export.Dim.DYNAMIC


class Scaled(nn.Module):
    def forward(self, x, y=None, flag=True, scale=1.0):
        return x * scale if y is None else x + y


class Nested(nn.Module):
    def forward(self, parts, rows, mode="a"):
        return parts["k"] + rows[0]


def observed(module, *calls):
    observer = torch.onnx.InputObserver()
    with observer(module):
        for args, kwargs in calls:
            module(*args, **kwargs)
    return observer


def shapes(values):
    return [tuple(x.shape) for x in values]


def test_arguments_by_position():
    module = Scaled()
    observer = observed(module, *(((torch.ones(n, 3), torch.ones(n, 1)), {}) for n in (2, 5, 7, 8)))
    assert observer.num_obs() == 3  # the first ones
    assert "forward" not in vars(module)
    assert observer.infer_dynamic_shapes() == ({0: DYNAMIC}, {0: DYNAMIC})
    assert shapes(observer.infer_arguments()) == [(2, 3), (2, 1)]
    assert shapes(observer.infer_arguments(1, flat=True)) == [(5, 3), (5, 1)]


def test_arguments_by_name_that_are_missing():
    x, y = torch.ones(2, 3), torch.ones(4, 3)
    observer = observed(Scaled(), ((), {"x": x}), ((), {"x": x, "y": x}), ((y,), {"y": y, "flag": True}))
    assert observer.infer_dynamic_shapes() == {"x": {0: DYNAMIC}, "y": {0: DYNAMIC}}
    assert shapes(observer.infer_arguments(0).values()) == [(2, 3), (0, 3)]
    args, kwargs = observer.infer_arguments(as_args_kwargs=True)
    assert args == ()
    assert [*kwargs] == ["x", "y"]
    alone = observed(Scaled(), ((), {"x": x}), ((), {"x": x, "y": x}))
    with pytest.raises(RuntimeError, match="value_if_missing"):
        alone.infer_arguments(0)


def test_nested_arguments_and_batches():
    calls = [(({"k": torch.ones(n, 3)}, [torch.ones(1, 3)]), {"mode": "b"}) for n in (2, 3)]
    observer = observed(Nested(), *calls)
    assert observer.infer_dynamic_shapes() == {"parts": {"k": {0: DYNAMIC}}, "rows": [{}], "mode": None}
    assert observer.infer_dynamic_shapes({"rows"})["rows"] == [{0: DYNAMIC}]
    assert observer.infer_arguments()["mode"] == "b"


def test_what_cannot_be_inferred():
    with pytest.raises(RuntimeError, match="No inputs were captured"):
        torch.onnx.InputObserver().infer_arguments()
    with (
        pytest.raises(ValueError, match="does not have a method 'generate'"),
        torch.onnx.InputObserver()(nn.ReLU(), method_name="generate"),
    ):
        pass
    observer = observed(nn.ReLU(), ((torch.ones(2),), {}), ((torch.ones(2, 2),), {}))
    with pytest.raises(RuntimeError, match="number of dimensions"):
        observer.infer_dynamic_shapes()


def test_models_compared_with_what_was_observed():
    pytest.importorskip("onnxruntime")
    model = nn.Linear(3, 2).eval()
    observer = observed(model, *(((torch.randn(n, 3),), {}) for n in (2, 5)))
    program = torch.onnx.export(
        model, observer.infer_arguments(), dynamic_shapes=observer.infer_dynamic_shapes()
    )
    rows = observer.check_discrepancies(program)
    assert [row["SUCCESS"] for row in rows] == [True, True]
    assert max(row["abs"] for row in rows) < 1e-5
    other = torch.onnx.export(nn.Linear(3, 2).eval(), (torch.ones(2, 3),))
    assert [row["SUCCESS"] for row in observer.check_discrepancies(other)] == [False, False]
