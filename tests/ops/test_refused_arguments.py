"""Arguments that PyTorch refuses are refused, in its words, and what it takes for a number is taken."""

import re
import subprocess
import sys

import numpy as np
import pytest

import minigrad as torch

F = torch.nn.functional
x = torch.tensor([1.0, -2.0, 3.0])
bits = torch.tensor([True, False, True])

REFUSED = [
    ("x.sum(0, 1)", TypeError, "sum(): argument 'keepdim' (position 3) must be bool, not int"),
    ("x.sort(descending=1)", TypeError, "sort() received an invalid combination of arguments"),
    (
        "torch.multinomial(x.abs(), 1, 1)",
        TypeError,
        "argument 'replacement' (position 3) must be bool, not int",
    ),
    ("x.cummax(2**70)", ValueError, "Overflow when unpacking long long"),
    ("torch.linalg.matrix_power(torch.eye(2), 2**70)", ValueError, "Overflow when unpacking long long"),
    ("F.leaky_relu(x, 2**70)", OverflowError, "int too big to convert"),
    ("F.softplus(x, [1.0])", TypeError, "softplus(): argument 'beta' (position 2) must be Number, not list"),
    (
        "F.nll_loss(torch.eye(2), torch)",
        TypeError,
        "nll_loss_nd(): argument 'target' (position 2) must be Tensor, not module",
    ),
    ("F.unfold(3, 1)", TypeError, "im2col(): argument 'input' (position 1) must be Tensor, not int"),
    ("F.kl_div(x, x, log_target=3)", TypeError, "kl_div(): argument 'log_target' must be bool, not int"),
    ("F.dropout(x, 0.5, 3)", TypeError, "dropout(): argument 'train' (position 3) must be bool, not int"),
    ("torch.relu(x, out=x)", TypeError, "relu() got an unexpected keyword argument 'out'"),
    ("torch.hann_window(3, 1)", TypeError, "hann_window() received an invalid combination of arguments"),
    ("F.gelu(x, out=x.double())", RuntimeError, "Found dtype Double but expected Float"),
    (
        "F.embedding_bag(torch.tensor([[9]]), torch.eye(2))",
        RuntimeError,
        "Index 0 of input takes value 9 which is not in the valid range [0, 2)",
    ),
    (
        "torch.logspace(0, 1, 3, base='a')",
        TypeError,
        "logspace(): argument 'base' (position 4) must be float, not str",
    ),
    ("torch.flipud(torch)", TypeError, "flipud(): argument 'input' (position 1) must be Tensor, not module"),
    (
        "torch.diagonal(x, 0, 0, 'a')",
        TypeError,
        "diagonal(): argument 'dim2' (position 4) must be int, not str",
    ),
    ("torch.squeeze(3)", TypeError, "squeeze(): argument 'input' (position 1) must be Tensor, not int"),
    (
        "torch.squeeze(3, 0)",
        TypeError,
        "squeeze() received an invalid combination of arguments - got (int, int)",
    ),
    (
        "torch.rand(3, out=3)",
        TypeError,
        "rand() received an invalid combination of arguments - got (int, out=int), but expected one of",
    ),
    ("x.prod(dtype=[1])", TypeError, "prod(): argument 'dtype' must be torch.dtype, not list"),
    ("x.new_empty(2**50)", RuntimeError, "DefaultCPUAllocator: can't allocate memory"),
    (
        "x.half().masked_fill(bits, -1e9)",
        RuntimeError,
        "value cannot be converted to type c10::Half without overflow",
    ),
    ("torch.full((1,), 1e300)", RuntimeError, "value cannot be converted to type float without overflow"),
    (
        "torch.nonzero(x, out=x.clone())",
        RuntimeError,
        "nonzero: Expected out tensor to have scalar type Long",
    ),
    (
        "x.clone().resize_(3, memory_format=torch.channels_last)",
        RuntimeError,
        "required rank 4 tensor to use channels_last format",
    ),
    ("torch.maximum(x, x, x)", TypeError, "maximum() takes 2 positional arguments but 3 were given"),
    ("torch.mul(x, x, x)", TypeError, "mul() takes 2 positional arguments but 3 were given"),
    ("torch.log(x, x)", TypeError, "log() takes 1 positional argument but 2 were given"),
    ("x.lt(x, x)", TypeError, "lt() takes 2 positional arguments but 3 were given"),
    ("x * 2**70", OverflowError, "int too big to convert"),
    ("x == -(2**70)", OverflowError, "can't convert negative int to unsigned"),
    ("x.clone().bitwise_and_(1)", NotImplementedError, "\"bitwise_and_cpu\" not implemented for 'Float'"),
    ("x.clone().lcm_(x)", NotImplementedError, "\"lcm_cpu\" not implemented for 'Float'"),
    (
        "torch.dist(bits, bits)",
        RuntimeError,
        "Subtraction, the `-` operator, with two bool tensors is not supported",
    ),
    (
        "torch.empty(2**50)",
        RuntimeError,
        "DefaultCPUAllocator: can't allocate memory: you tried to allocate 4503599627370496 bytes",
    ),
    ("x[:1].expand(2**50).clone()", RuntimeError, "DefaultCPUAllocator: can't allocate memory"),
    (
        "torch.ones(2**62, 4)",
        RuntimeError,
        "Storage size calculation overflowed with sizes=[4611686018427387904, 4]",
    ),
    ("torch.zeros(1, requires_grad='yes')", TypeError, "argument 'requires_grad' must be bool, not str"),
    (
        "torch.promote_types(torch.int8, 'a')",
        TypeError,
        "promote_types(): argument 'type2' (position 2) must be torch.dtype, not str",
    ),
    (
        "torch.can_cast(1, torch.int8)",
        TypeError,
        "can_cast(): argument 'from_' (position 1) must be torch.dtype, not int",
    ),
    ("x.size('a')", TypeError, "size(): argument 'dim' (position 1) must be int, not str"),
    ("x.stride('a')", TypeError, "stride(): argument 'dim' (position 1) must be int, not str"),
    ("torch.isin(x, 'a')", TypeError, "isin() received an invalid combination of arguments"),
    (
        "torch.multinomial(x.abs(), 'a')",
        TypeError,
        "multinomial(): argument 'num_samples' (position 2) must be int, not str",
    ),
    ("torch.device('')", RuntimeError, "Device string must not be empty"),
    (
        "F.threshold(x, 'a', 0.0)",
        TypeError,
        "threshold(): argument 'threshold' (position 2) must be Number, not str",
    ),
    (
        "x.clamp(0, torch.ones(3))",
        TypeError,
        "clamp() received an invalid combination of arguments - got (Tensor, int, Tensor)",
    ),
    (
        "F.rms_norm(x, [x])",
        TypeError,
        "rms_norm(): argument 'normalized_shape' (position 2) must be tuple of ints, but found element of type Tensor at pos 0",
    ),
    (
        "F.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 0, 0))",
        RuntimeError,
        "kernel size should be greater than zero, but got kernel_height: 0 kernel_width: 0",
    ),
    (
        "F.huber_loss(torch.ones(3).int(), x)",
        RuntimeError,
        "result type Float can't be cast to the desired output type Int",
    ),
    (
        "F.binary_cross_entropy_with_logits(x, torch.ones(3).int())",
        RuntimeError,
        "result type Float can't be cast to the desired output type Int",
    ),
    ("x.cumsum(axis=None)", TypeError, "must be int, not NoneType"),
    (
        "torch.quantile(x, 0.5, axis='a')",
        TypeError,
        "quantile() received an invalid combination of arguments",
    ),
    ("torch.frobenius_norm(x, {})", TypeError, "must be tuple of ints"),
    ("torch.rsub(None, x, alpha=2.0)", TypeError, "rsub() received an invalid combination of arguments"),
    ("torch.arange(2**62)", RuntimeError, "Storage size calculation overflowed"),
    ("torch.logspace(0, 1, 2**62)", RuntimeError, "Storage size calculation overflowed"),
    ("torch.tensor_split(x, 2**31)", RuntimeError, "can't allocate memory"),
    (
        "F.l1_loss(x, torch)",
        TypeError,
        "l1_loss(): argument 'target' (position 2) must be Tensor, not module",
    ),
    (
        "torch.linspace('a', 1, 3)",
        TypeError,
        "linspace() received an invalid combination of arguments - got (str, int, int)",
    ),
]


@pytest.mark.parametrize("expression, error, words", REFUSED, ids=[row[0] for row in REFUSED])
def test_is_refused(expression, error, words):
    with pytest.raises(error, match=re.escape(words)) as raised:
        eval(expression)
    assert raised.type is error


def test_nothing_is_overwritten_by_an_argument_too_many():
    third = torch.zeros(3)
    for function in (torch.maximum, torch.mul, torch.eq, torch.special.xlogy):
        with pytest.raises(TypeError):
            function(x, x, third)
    assert not third.any()


def test_limits_may_be_a_number_and_a_tensor_without_dimensions():
    limited = x.clamp(0, torch.tensor(2.0))
    assert torch.equal(limited, torch.tensor([1.0, 0.0, 2.0]))
    assert torch.equal(x.clamp(torch.tensor(0), 2), limited)
    assert torch.equal(x.clone().clamp_(0, torch.tensor(2.0)), limited)


def test_a_truth_value_of_numpy_can_be_subtracted():
    assert torch.equal(x - np.bool_(True), x - 1)


@pytest.mark.filterwarnings("ignore:size_average and reduce args")
@pytest.mark.parametrize("loss", [F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.soft_margin_loss])
def test_any_false_value_means_that_a_loss_is_not_reduced(loss):
    assert loss(x, x, reduce=0).shape == (3,)
    assert loss(x, x, size_average=0).shape == ()


def test_huber_loss_has_the_dtype_of_its_input():
    assert F.huber_loss(x, x.double()).dtype is torch.float32
    assert F.huber_loss(x.double(), x).dtype is torch.float64


def test_channel_dropout_takes_all_but_five_dimensions_for_an_input_without_a_batch():
    torch.manual_seed(0)
    with pytest.warns(UserWarning, match="2-D input to dropout3d"):
        dropped = F.dropout3d(torch.ones(40, 4))
    assert torch.equal(dropped[:, :1].expand(40, 4), dropped)
    assert 0 < (dropped == 0).sum() < 160


def test_functions_that_are_first_imported_under_a_profiler_refuse_too():
    program = """if True:
        import minigrad as torch
        x = torch.ones(3)
        with torch.autograd.profiler.profile() as profile:
            torch.multinomial(x, 1)
        assert "aten::multinomial" in [event.name for event in profile.function_events]
        try:
            torch.multinomial(x, 1, 1)
        except TypeError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "argument 'replacement' (position 3) must be bool, not int" in done.stdout


def test_resized_images_lie_as_their_format_says():
    image = torch.ones(2, 3, 4, 5)
    assert image.resize_(1, 3, 4, 5, memory_format=torch.channels_last).stride() == (60, 1, 15, 3)
    assert torch.ones(2).resize_as_(image, memory_format=torch.preserve_format).stride() == (60, 1, 15, 3)
    assert torch.ones(2).resize_(1, 2, 3, 4, 5, memory_format=torch.channels_last_3d).stride() == (
        120,
        1,
        40,
        10,
        2,
    )
    z = torch.arange(6.0).resize_(1, 2, 3, 1, memory_format=torch.channels_last)
    assert z.flatten().tolist() == [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]


@pytest.mark.parametrize("name", ["arange", "linspace", "logspace"])
def test_an_out_of_as_many_elements_keeps_its_shape(name):
    arguments = (4,) if name == "arange" else (0, 3, 4)
    out = torch.ones(2, 2)
    getattr(torch, name)(*arguments, out=out)
    assert out.shape == (2, 2) and out.flatten().tolist() == getattr(torch, name)(*arguments).tolist()
