"""Every layer of the table, forward and backward, on the device ``meta``: shapes, dtypes and strides are those of the CPU."""

import pytest

import minigrad
from minigrad import nn
from tests.nn.layer_table import LAYERS


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("expression, shapes", [pytest.param(row[0], row[1], id=row[0]) for row in LAYERS])
def test_layer(expression, shapes):
    layer = eval(f"nn.{expression}", {"nn": nn, "minigrad": minigrad})
    inputs = [minigrad.rand(*shape).requires_grad_() for shape in shapes]
    on_cpu = layer(*inputs)
    layer.to("meta")
    inputs = [x.detach().to("meta").requires_grad_() for x in inputs]
    on_meta = layer(*inputs)
    assert on_meta.is_meta
    assert (on_meta.shape, on_meta.dtype, on_meta.stride()) == (on_cpu.shape, on_cpu.dtype, on_cpu.stride())
    on_meta.sum().backward()
    for x in (*inputs, *layer.parameters()):
        assert x.grad.is_meta
        assert x.grad.shape == x.shape
