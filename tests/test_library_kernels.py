"""``library.get_kernel``: the kernels of operators, called by hand."""

import pytest

import minigrad

KEYS = minigrad._C.DispatchKeySet(minigrad._C.DispatchKey.CPU)


def test_the_kernel_of_the_cpu_records_nothing():
    x = minigrad.tensor([-1.0, 2.0], requires_grad=True)
    kernel = minigrad.library.get_kernel("aten::add.Tensor", "CPU")
    z = kernel.call_boxed(KEYS, x, x, alpha=2)
    assert z.tolist() == [-3.0, 6.0] and not z.requires_grad
    recorded = minigrad.library.get_kernel("aten::add.Tensor", "AutogradCPU").call_boxed(KEYS, x, x)
    assert recorded.requires_grad


def test_operators_are_found_by_name_and_as_such():
    by_object = minigrad.library.get_kernel(minigrad.ops.aten.sin.default, minigrad._C.DispatchKey.CPU)
    assert by_object.call_boxed(KEYS, minigrad.zeros(1)).tolist() == [0.0]
    minigrad.library.define("test_kernels::twice", "(Tensor x) -> Tensor")
    minigrad.library.impl("test_kernels::twice", "cpu", lambda x: x + x)
    kernel = minigrad.library.get_kernel("test_kernels::twice", "CPU")
    assert kernel.call_boxed(KEYS, minigrad.ones(1)).tolist() == [2.0]


@pytest.mark.parametrize(
    "op, key, error, words",
    [
        ("aten::nothing", "CPU", RuntimeError, "operator aten::nothing does not exist"),
        ("aten::add", "CPU", RuntimeError, "operator aten::add does not exist"),
        ("sin", "CPU", RuntimeError, "operator sin does not exist"),
        ("aten::sin", "Nonsense", ValueError, "Invalid dispatch key: Nonsense"),
        ("aten::sin", "Autograd", RuntimeError, "Alias keys do not have runtime kernel registrations."),
        ("aten::sin", 3, TypeError, "str or a DispatchKey"),
        ("aten::sin", "CUDA", NotImplementedError, "the CPU only"),
        (3, "CPU", ValueError, "got unexpected type for op: <class 'int'>"),
    ],
)
def test_what_is_refused(op, key, error, words):
    with pytest.raises(error, match=words):
        minigrad.library.get_kernel(op, key)


def test_the_keys_come_first():
    with pytest.raises(TypeError, match="incompatible function arguments"):
        minigrad.library.get_kernel("aten::sin", "CPU").call_boxed(minigrad.ones(2))
