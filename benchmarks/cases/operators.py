"""Operators of networks and of numerical programs, each by itself, forward, and forward and backward; small and large shapes."""

import functools

from benchmarks.cases.training_steps import evenly
from benchmarks.registry import Subject

forward = Subject("Operators, forward, nothing recorded")
training = Subject("Operators, forward and backward")


def only_forward(torch, function, shapes):
    """``function(torch, *operands)`` of constant operands."""
    operands = [evenly(torch, *shape) for shape in shapes]
    return lambda: function(torch, *operands)


def with_backward(torch, function, shapes):
    """The same with the gradients of all operands, for an uneven gradient of the result; returns the first operand's."""
    operands = [evenly(torch, *shape).requires_grad_() for shape in shapes]
    slope = evenly(torch, *function(torch, *operands).shape).square() + 0.5

    def run():
        for x in operands:
            x.grad = None
        function(torch, *operands).backward(slope)
        return operands[0].grad

    return run


def operator(name, *shapes, differentiable=True, **bars):
    """Register a function of ``torch`` and operands of these shapes; the ``bars`` are for forward and backward."""

    def register(function):
        forward.timed(name)(functools.partial(only_forward, function=function, shapes=shapes))
        if differentiable:
            training.timed(name, **bars)(functools.partial(with_backward, function=function, shapes=shapes))
        return function

    return register


# Convolutions ------------------------------------------------------------------------------------------------------------

#: Batch, channels, height and width; filters, size of the kernel, stride, padding, groups.
CONVOLUTIONS = (
    ((2, 3, 8, 8), 4, 3, 1, 1, 1),
    ((64, 1, 28, 28), 6, 5, 1, 2, 1),
    ((64, 6, 14, 14), 16, 5, 1, 0, 1),
    ((64, 16, 14, 14), 32, 5, 1, 2, 1),
    ((16, 32, 32, 32), 32, 3, 1, 1, 1),
    ((16, 64, 16, 16), 64, 3, 1, 1, 1),
    ((16, 128, 8, 8), 128, 3, 1, 1, 1),
    ((16, 32, 32, 32), 64, 3, 2, 1, 1),
    ((16, 64, 32, 32), 64, 1, 1, 0, 1),
    ((16, 32, 32, 32), 32, 3, 1, 1, 32),
    ((16, 32, 32, 32), 32, 3, 2, 1, 32),
)
#: By shape, stride and groups.
BARS = {((16, 32, 32, 32), 1, 32): {"bar_all": 2.0, "bar_fast": 0.4}}


def convolution(torch, x, w, b, stride, padding, groups):
    return torch.nn.functional.conv2d(x, w, b, stride, padding, 1, groups)


for shape, filters, size, stride, padding, groups in CONVOLUTIONS:
    details = f"{filters} of {size} x {size}, stride {stride}" + (", by channel" if groups > 1 else "")
    operator(
        f"conv2d, {' x '.join(map(str, shape))}, {details}",
        shape,
        (filters, shape[1] // groups, size, size),
        (filters,),
        **BARS.get((shape, stride, groups), {}),
    )(functools.partial(convolution, stride=stride, padding=padding, groups=groups))


# Functions of one image or matrix, by shape ------------------------------------------------------------------------------


def positive(function):
    """The same function, of positive operands."""
    return lambda torch, x: function(torch, x.abs() + 0.5)


FUNCTIONS = (
    ("max_pool2d of 2", lambda torch, x: torch.nn.functional.max_pool2d(x, 2), ((4, 4, 8, 8), (64, 6, 28, 28))),
    ("max_pool2d of 3, stride 2", lambda torch, x: torch.nn.functional.max_pool2d(x, 3, 2, 1), ((16, 32, 32, 32),)),
    ("avg_pool2d of 2", lambda torch, x: torch.nn.functional.avg_pool2d(x, 2), ((4, 4, 8, 8), (64, 6, 28, 28))),
    ("mean over the space", lambda torch, x: torch.nn.functional.adaptive_avg_pool2d(x, 1), ((16, 64, 16, 16),)),
    ("relu", lambda torch, x: torch.relu(x), ((4, 64), (16, 32, 32, 32))),
    ("gelu", lambda torch, x: torch.nn.functional.gelu(x), ((4, 64), (1024, 512))),
    ("gelu by tanh", lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh"), ((1024, 512),)),
    ("softmax", lambda torch, x: x.softmax(-1), ((4, 64), (64, 4, 64, 64), (1024, 128))),
    ("softmax over columns", lambda torch, x: x.softmax(0), ((1024, 128),)),
    ("log_softmax", lambda torch, x: x.log_softmax(-1), ((4, 64), (1024, 128))),
    ("cumsum along rows", lambda torch, x: x.cumsum(1), ((8, 64), (1024, 512))),
    ("cumsum along columns", lambda torch, x: x.cumsum(0), ((1024, 512),)),
    ("half and back", lambda torch, x: x.half().float(), ((1024, 512),)),
    ("transposed copy", lambda torch, x: x.t().contiguous(), ((1024, 512),)),
)  # fmt: skip

for name, function, shapes in FUNCTIONS:
    for shape in shapes:
        operator(f"{name}, {' x '.join(map(str, shape))}", shape)(function)


# Norms -------------------------------------------------------------------------------------------------------------------


def layer_norm(torch, x, w, b):
    return torch.nn.functional.layer_norm(x, w.shape, w, b)


def group_norm(torch, x, w, b):
    return torch.nn.functional.group_norm(x, 4, w, b)


def batch_norm(torch, x, w, b):
    mean, variance = torch.zeros(w.shape), torch.ones(w.shape)
    return torch.nn.functional.batch_norm(x, mean, variance, w, b, training=True)


def batch_norm_in_use(torch, x, w, b):
    mean, variance = torch.zeros(w.shape), torch.ones(w.shape)
    return torch.nn.functional.batch_norm(x, mean, variance, w, b, training=False)


for shape in ((8, 32), (1024, 128), (4096, 768)):
    operator(f"layer_norm, {' x '.join(map(str, shape))}", shape, shape[-1:], shape[-1:])(layer_norm)
for shape in ((4, 8, 4, 4), (16, 32, 32, 32)):
    operator(f"group_norm, {' x '.join(map(str, shape))}", shape, shape[1:2], shape[1:2])(group_norm)
for shape in ((8, 32), (4, 8, 4, 4), (256, 128), (16, 32, 32, 32), (16, 64, 16, 16)):
    operator(f"batch_norm, {' x '.join(map(str, shape))}", shape, shape[1:2], shape[1:2])(batch_norm)
operator("batch_norm in use, 16 x 32 x 32 x 32", (16, 32, 32, 32), (32,), (32,))(batch_norm_in_use)


# Losses, attention, tables, images ---------------------------------------------------------------------------------------


def cross_entropy(torch, x):
    return torch.nn.functional.cross_entropy(x, torch.arange(x.shape[0]) % x.shape[1])


def attention(torch, q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def attention_step_by_step(torch, q, k, v):
    later = torch.ones(q.shape[-2], q.shape[-2]).triu(1) > 0
    scores = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).masked_fill(later, float("-inf"))
    return scores.softmax(-1) @ v


def embedding(torch, w):
    indices = torch.arange(1024).reshape(16, 64) * 7 % w.shape[0]
    return torch.nn.functional.embedding(indices, w)


def linear(torch, x, w, b):
    return torch.nn.functional.linear(x, w, b)


def split_into_heads(torch, x):
    return torch.cat([part.reshape(16, 64, 4, -1).transpose(1, 2) for part in x.split(128, -1)])


def grid_sample(torch, x, grid):
    return torch.nn.functional.grid_sample(x, grid, align_corners=False)


def interpolate(torch, x):
    return torch.nn.functional.interpolate(x, scale_factor=2, mode="bilinear")


for shape in ((8, 10), (64, 10), (1024, 128), (1024, 1000)):
    operator(f"cross_entropy, {shape[0]} x {shape[1]}", shape)(cross_entropy)
for shape in ((2, 2, 8, 8), (16, 4, 64, 32), (4, 8, 256, 64)):
    operator(f"attention, {' x '.join(map(str, shape))}", shape, shape, shape)(attention)
operator("attention step by step, 16 x 4 x 64 x 32", *[(16, 4, 64, 32)] * 3)(attention_step_by_step)
for shape in ((16, 32), (1000, 128)):
    operator(f"embedding, 16 x 64 of {shape[0]} x {shape[1]}", shape)(embedding)
operator("linear, 16 x 64 x 128, 512", (16, 64, 128), (512, 128), (512,))(linear)
operator("linear, 16 x 64 x 512, 128", (16, 64, 512), (128, 512), (128,))(linear)
operator("split and heads, 16 x 64 x 384", (16, 64, 384))(split_into_heads)
operator("grid_sample, 8 x 16 x 32 x 32", (8, 16, 32, 32), (8, 32, 32, 2))(grid_sample)
operator("interpolate, 8 x 16 x 32 x 32", (8, 16, 32, 32))(interpolate)


# Linear algebra and integers ---------------------------------------------------------------------------------------------


def well_conditioned(x):
    return x + 4 * x.shape[-1] ** 0.5 * (x.detach() * 0 + 1).diagonal(dim1=-2, dim2=-1).diag_embed()


for shape in ((64, 8, 8), (128, 128), (512, 512)):
    name = " x ".join(map(str, shape))
    operator(f"lu_factor, {name}", shape)(lambda torch, x: torch.linalg.lu_factor(well_conditioned(x))[0])
    operator(f"solve, {name}", shape)(lambda torch, x: torch.linalg.solve(well_conditioned(x), x))


@operator("integer division, 1024 x 512", (1024, 512), differentiable=False)
def integer_division(torch, x):
    return (x * 1000).long() // 7


@operator("dropout, 1024 x 512", (1024, 512), differentiable=False)
def dropout(torch, x):
    return torch.nn.functional.dropout(x * 0, 0.5)
