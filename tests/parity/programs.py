"""Random programs, run step by step in PyTorch and in minigrad, of everything that autograd is made of.

Creations, views, in-place writes, grad modes, custom Functions, hooks, flags, gradients, backward and grad calls.  After every step all tensors are
compared: values, gradients, versions, bases, names of nodes and of their next nodes, flags, what hooks saw; and where a step fails, it must
fail in both, in the same words.  ``DIFFERENCES`` lists what may differ, and why.

``test_programs.py`` runs this file, in processes of its own, because PyTorch itself crashes in one program of some thousands:

    python tests/parity/programs.py COUNT SEED PROGRESS
"""

import re
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import minigrad
from tests.messages import first_sentence

# What programs are made of: functions of (library, tensor a, tensor b, small number k) --------------------------------------


def index(lib, t, k):
    """Positions along the first dimension of ``t``, one of them twice."""
    return lib.tensor([0, k % max(1, t.size(0)), 0])


def one_place(lib, t):
    """An index tensor of as many dimensions as ``t``, of one element."""
    return lib.zeros((1,) * t.dim(), dtype=lib.int64)


def recorded(lib):
    """Whether tensors are no inference tensors: those that require grad behave oddly outside their mode."""
    return not lib.is_inference_mode_enabled()


def has_zeros(t):
    """Whether any element is zero."""
    return bool((t.detach() == 0).any())


def truth(t):
    """A mask of the shape of ``t``, without history."""
    t = t.detach()
    return (t.real if t.is_complex() else t) > 0.4


MAKE = {
    **{
        name: lambda lib, a, b, k, name=name: getattr(a, name)()
        for name in (
            "tanh",
            "exp",
            "neg",
            "sin",
            "sigmoid",
            "abs",
            "clone",
            "relu",
            "square",
            "sum",
            "mean",
            "prod",
        )
    },
    **{
        name: lambda lib, a, b, k, name=name: getattr(a, name)(b)
        for name in ("add", "sub", "mul", "div", "maximum", "expand_as", "view_as")
    },
    "sum0": lambda lib, a, b, k: a.sum(0),
    "amax": lambda lib, a, b, k: a.amax(0),
    "max": lambda lib, a, b, k: tuple(a.max(0)),
    "sort": lambda lib, a, b, k: tuple(a.contiguous().sort(0)),
    "cumsum": lambda lib, a, b, k: a.cumsum(0),
    "flip": lambda lib, a, b, k: a.flip(0),
    "add_number": lambda lib, a, b, k: a + (k + 0.5),
    "rsub_number": lambda lib, a, b, k: 2 - a,
    "mul_number": lambda lib, a, b, k: (k + 1) * a,
    "div_number": lambda lib, a, b, k: a / 2,
    "rdiv_number": lambda lib, a, b, k: 1.5 / a,
    "pow_number": lambda lib, a, b, k: a**k,
    "lerp": lambda lib, a, b, k: lib.lerp(a, b, 0.25),
    "addcmul": lambda lib, a, b, k: lib.addcmul(a, a, b, value=k),
    "clamp": lambda lib, a, b, k: a.clamp(-0.5, 0.5),
    "cat": lambda lib, a, b, k: lib.cat([a, b, a]),
    "stack": lambda lib, a, b, k: lib.stack([a, b], -1),
    "where": lambda lib, a, b, k: lib.where(truth(a), a, b),
    "matmul": lambda lib, a, b, k: a @ b if a.dim() == b.dim() == 2 else a.clone(),
    "float": lambda lib, a, b, k: a.float(),
    "double": lambda lib, a, b, k: a.double(),
    "complex": lambda lib, a, b, k: lib.complex(a, b),
    "to_complex": lambda lib, a, b, k: a.to(lib.complex128),
    "contiguous": lambda lib, a, b, k: a.contiguous(),
    "get_list": lambda lib, a, b, k: a[index(lib, a, k)],
    "get_mask": lambda lib, a, b, k: a[truth(a)],
    "get_mixed": lambda lib, a, b, k: a[None, k:, ..., index(lib, a, k)],
    "index_select": lambda lib, a, b, k: a.index_select(0, index(lib, a, k)),
    "gather": lambda lib, a, b, k: a.clone().gather(0, lib.zeros(a.shape, dtype=lib.int64)),
    "masked_fill": lambda lib, a, b, k: a.masked_fill(truth(a), k),
    "index_add": lambda lib, a, b, k: a.index_add(0, lib.tensor([k % 2]), b[:1].clone()),
    "select_scatter": lambda lib, a, b, k: a.select_scatter(b, 0, k),
    "ones_like": lambda lib, a, b, k: lib.ones_like(
        a, requires_grad=k == 1 and a.is_floating_point() and recorded(lib)
    ),
    "zeros": lambda lib, a, b, k: lib.zeros(3, 3, dtype=lib.float64, requires_grad=k == 1 and recorded(lib)),
}

VIEWS = {
    "select": lambda lib, a, b, k: a.select(k % a.dim(), k % a.size(k % a.dim())),
    "slice": lambda lib, a, b, k: a[k % 2 :],
    "step": lambda lib, a, b, k: a[..., ::2],
    "index": lambda lib, a, b, k: a[k % a.size(0)],
    "none": lambda lib, a, b, k: a[..., None],
    "transpose": lambda lib, a, b, k: a.transpose(0, k % a.dim()),
    "t": lambda lib, a, b, k: a.t(),
    "mT": lambda lib, a, b, k: a.mT,
    "permute": lambda lib, a, b, k: a.permute(*range(a.dim() - 1, -1, -1)),
    "movedim": lambda lib, a, b, k: a.movedim(0, -1),
    "view": lambda lib, a, b, k: a.view(-1),
    "view3": lambda lib, a, b, k: a.view(3, -1),
    "reshape": lambda lib, a, b, k: a.reshape(-1),
    "flatten": lambda lib, a, b, k: a.flatten(),
    "unflatten": lambda lib, a, b, k: a.unflatten(0, (1, -1)),
    "squeeze": lambda lib, a, b, k: a.squeeze(),
    "unsqueeze": lambda lib, a, b, k: a.unsqueeze(k % (a.dim() + 1)),
    "expand": lambda lib, a, b, k: a.expand(2, *a.shape),
    "narrow": lambda lib, a, b, k: a.narrow(0, 0, max(1, a.size(0) - 1)),
    "diagonal": lambda lib, a, b, k: a.diagonal(k - 1),
    "unfold": lambda lib, a, b, k: a.unfold(0, 2, 1),
    "as_strided": lambda lib, a, b, k: a.as_strided((2,), (k,)) if a.numel() else None,
    "view_as_self": lambda lib, a, b, k: a.view_as(a),
    "real": lambda lib, a, b, k: a.real,
    "imag": lambda lib, a, b, k: a.imag,
    "view_as_real": lambda lib, a, b, k: lib.view_as_real(a),
    "view_as_complex": lambda lib, a, b, k: lib.view_as_complex(a[..., :2]) if a.numel() else None,
    "detach": lambda lib, a, b, k: a.detach(),
    "data": lambda lib, a, b, k: a.data,
    "unbind": lambda lib, a, b, k: a.unbind(k % a.dim()),
    "split": lambda lib, a, b, k: a.split(1 + k % 2, 0),
    "split_sizes": lambda lib, a, b, k: a.split([1, a.size(0) - 1], 0),
    "chunk": lambda lib, a, b, k: a.chunk(2, 0),
    "tensor_split": lambda lib, a, b, k: a.tensor_split(2),
}


def set_(key):
    def step(lib, a, b, k):
        a[key(lib, a, k)] = b

    return step


def set_number(key):
    def step(lib, a, b, k):
        a[key(lib, a, k)] = k + 0.25

    return step


def set_part(name):
    def step(lib, a, b, k):
        setattr(a, name, b)

    return step


#: In-place writes with a second tensor ...
WRITE_TENSOR = {
    **{
        name: lambda lib, a, b, k, name=name: getattr(a, name)(b)
        for name in ("add_", "sub_", "mul_", "div_", "copy_", "atan2_")
    },
    # the zeroth power of a complex zero is one here, as in Python; in PyTorch nan
    "pow_": lambda lib, a, b, k: (
        a.pow_(b) if not b.is_complex() and not (a.is_complex() and has_zeros(a)) else a
    ),
    "addcmul_": lambda lib, a, b, k: a.addcmul_(b, b, value=2),
    "lerp_": lambda lib, a, b, k: a.lerp_(b, 0.5),
    "clamp_": lambda lib, a, b, k: a.clamp_(b),
    "set_index": set_(lambda lib, a, k: k % a.size(0)),
    "set_slice": set_(lambda lib, a, k: slice(k % 2, None)),
    "set_list": set_(index),
    "set_mask": set_(lambda lib, a, k: truth(a)),
    "set_column": set_(lambda lib, a, k: (..., 0)),
    "index_put_": lambda lib, a, b, k: a.index_put_(
        (index(lib, a, k),), b, accumulate=k == 1 and 0 not in a.stride()
    ),
    # no index out of range: PyTorch has written half when it finds it
    "index_add_": lambda lib, a, b, k: (
        a.index_add_(0, lib.tensor([0, min(1, a.size(0) - 1)]), b[:2].clone()) if a.size(0) else None
    ),
    "index_copy_": lambda lib, a, b, k: a.index_copy_(0, lib.tensor([1]), b[:1].clone()),
    "scatter_": lambda lib, a, b, k: (
        a.scatter_(0, one_place(lib, a), b[(slice(1),) * b.dim()]) if a.dim() == b.dim() else None
    ),
    "scatter_add_": lambda lib, a, b, k: (
        a.scatter_add_(0, one_place(lib, a), b[(slice(1),) * b.dim()]) if a.dim() == b.dim() else None
    ),
    "masked_scatter_": lambda lib, a, b, k: (
        a.masked_scatter_(truth(a), b.clone()) if b.numel() >= a.numel() else None
    ),
    "masked_fill_": lambda lib, a, b, k: a.masked_fill_(truth(a), b.to(a.dtype)),
    "data_add": lambda lib, a, b, k: a.data.add_(b),
    "detach_mul": lambda lib, a, b, k: a.detach().mul_(b),
    "out_add": lambda lib, a, b, k: lib.add(b, 1, out=a) if a.shape == b.shape else None,
    "out_mul": lambda lib, a, b, k: lib.mul(b, b, out=a) if a.shape == b.shape else None,
    "set_data": lambda lib, a, b, k: (
        set_part("data")(lib, a, b.detach().clone(), k)
        if a.shape == b.shape and a.dtype == b.dtype and not a.is_inference()
        else None
    ),
    "set_real": set_part("real"),
    "set_imag": set_part("imag"),
}

#: ... and without.
WRITE = {
    **{
        name: lambda lib, a, b, k, name=name: getattr(a, name)()
        for name in (
            "tanh_", "sin_", "neg_", "sigmoid_", "zero_", "exp_", "relu_", "abs_", "square_",
            "t_", "squeeze_",
        )
    },
    "add_number_": lambda lib, a, b, k: a.add_(k),
    "mul_number_": lambda lib, a, b, k: a.mul_(k + 0.5),
    "sqrt_": lambda lib, a, b, k: a if a.is_complex() else a.sqrt_(),  # on a branch cut, rounding decides
    "iadd": lambda lib, a, b, k: a.__iadd__(1),
    "pow_number_": lambda lib, a, b, k: a.pow_(k),
    "fill_": lambda lib, a, b, k: a.fill_(k),
    "fill_tensor_": lambda lib, a, b, k: a.fill_(lib.tensor(2.0, dtype=a.dtype, requires_grad=k == 1)),
    "clamp_number_": lambda lib, a, b, k: a.clamp_(-0.5, 0.5),
    "masked_fill_number_": lambda lib, a, b, k: a.masked_fill_(truth(a), k),
    "index_fill_": lambda lib, a, b, k: a.index_fill_(0, lib.tensor([0]), k),
    "scatter_number_": lambda lib, a, b, k: a.scatter_(0, one_place(lib, a), 0.5),
    "cumsum_": lambda lib, a, b, k: a.cumsum_(0),
    "tril_": lambda lib, a, b, k: a.tril_(),
    "set_number": set_number(lambda lib, a, k: k % a.size(0)),
    "set_number_list": set_number(index),
    "set_number_mask": set_number(lambda lib, a, k: truth(a)),
    "set_number_all": set_number(lambda lib, a, k: ...),
    "transpose_": lambda lib, a, b, k: a.transpose_(0, k % a.dim()),
    "swapaxes_": lambda lib, a, b, k: a.swapaxes_(0, -1),
    "unsqueeze_": lambda lib, a, b, k: a.unsqueeze_(k % (a.dim() + 1)),
    "data_mul": lambda lib, a, b, k: a.data.mul_(2),
    "increment_version": lambda lib, a, b, k: lib.autograd.graph.increment_version(a),
}  # fmt: skip


#: Writes that only give another shape.  Where they are not recorded, PyTorch forgets what was done to a view; and it leaves hooks, and
#: the gradient to retain, with the node from before.
LAYOUTS = ("t_", "squeeze_", "unsqueeze_", "transpose_", "swapaxes_")


def functions(lib):
    """Custom functions, of one library."""

    class Square(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    class Two(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.sin()
            ctx.save_for_backward(y)
            return y, x * 2

        @staticmethod
        def backward(ctx, g, h):
            return g * ctx.saved_tensors[0] + h * 2

    class OneOfTwo(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y, z = x * 3, x * 2
            ctx.mark_non_differentiable(z)
            ctx.set_materialize_grads(False)
            return y, z

        @staticmethod
        def backward(ctx, g, h):
            return None if g is None else g * 3

    class Unmaterialized(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 3, x * 2

        @staticmethod
        def backward(ctx, g, h):
            return h if g is None else g * 3

    class Triple_(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(3)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 3

    class DirtyAndMore_(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(3)
            ctx.mark_dirty(x)
            return x, x * 2

        @staticmethod
        def backward(ctx, g, h):
            return g * 3 + h * 6

    class Same(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 5

    class Flat(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.shape = x.shape
            return x.reshape(-1)

        @staticmethod
        def backward(ctx, g):
            return g.reshape(ctx.shape) * 7

    class SetUp(lib.autograd.Function):
        @staticmethod
        def forward(x):
            return x.exp()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    class Refuses(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise ValueError("refused")

    class WrongShape(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return lib.ones(7, dtype=g.dtype)

    class Nothing(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return None

    return (
        Square, Two, OneOfTwo, Unmaterialized, Triple_, DirtyAndMore_, Same, Flat, SetUp, Refuses, WrongShape, Nothing,
    )  # fmt: skip


FUNCTIONS = {a.__name__: (a, b) for a, b in zip(functions(torch), functions(minigrad))}


def write(g):
    """What a hook should not do: write to the gradient that it is shown."""
    g.mul_(2)


#: Hooks of tensors, from the library, the list of what hooks saw, and the handles of this one.
TENSOR_HOOKS = {
    "look": lambda lib, g: None,
    "double": lambda lib, g: g * 2,
    "itself": lambda lib, g: g,
    "zeros": lambda lib, g: lib.zeros_like(g),
    "wrong_shape": lambda lib, g: lib.ones(7, dtype=g.dtype),
    "wrong_type": lambda lib, g: 3,
    "raises": lambda lib, g: {}["hook"],
    "write": lambda lib, g: write(g),
}
ACCUMULATE_HOOKS = {
    "look": lambda lib, t: None,
    "forget": lambda lib, t: set_part("grad")(lib, t, None, 0),
    "scale": lambda lib, t: t.grad.mul_(2),
    "step": lambda lib, t: t.data.sub_(t.grad),
}
NODE_HOOKS = {
    "look": lambda g: None,
    "double": lambda gs: tuple(None if g is None else g * 2 for g in gs),
    "fewer": lambda gs: gs[1:] or (gs * 2),
    "nothing": lambda gs: tuple(None for g in gs),
}


# What may differ ----------------------------------------------------------------------------------------------------------


def says(words):
    """Whether an outcome is an error of these words."""
    return lambda outcome: isinstance(outcome, Exception) and words in str(outcome)


def fails(outcome):
    return isinstance(outcome, Exception)


def succeeds(outcome):
    return not fails(outcome)


def anything(outcome):
    return True


#: What may be wrong with a step.
ERRORS = (
    "Inplace update to inference tensor",
    "Inference tensors cannot be saved",
    "modified inplace",
    "modified by an inplace operation",
    "leaf Variable that requires grad is being used in an in-place",
    "leaf variable has been moved into the graph interior",
    "does not require grad",
    "grad can be implicitly created only for",
    "Trying to backward through the graph a second time",
    "returned an invalid gradient",
    "has changed the size of value",
    "has changed the type of value",
    "expected Variable, but hook returned",
    "more than one element of the written-to tensor",
    "refer to a single memory location",
    "The size of tensor",
    "shape mismatch",
    "doesn't match the broadcast shape",
    "The expanded size of the tensor",
    "their dimensionality must match",
    "shapes cannot be multiplied",
    "expected src to have a size equal",
    "source tensor shape must match",
    "view size is not compatible",
    "is invalid for input of size",
    "maximum size for tensor at dimension",
    "only supports a 0-dimensional value",
    "must have the same scalar type",
    "Expected object of scalar type",
    "Expected both inputs to be Half, Float or Double",
    "Tensor must have a",
    "dtype",
    "complex",
    "can't be cast to the desired output type",
    "not implemented for",
    "out of bounds",
    "out of range",
    "too many indices",
    "must have at least 2 dimensions",
    "expects a tensor with <= 2 dimensions",
)


def what_is_wrong(outcome):
    """Which of ``ERRORS`` an outcome is; None if it is none."""
    return next((words for words in ERRORS if says(words)(outcome)), None)


def two_errors(theirs, ours):
    """Whether two libraries have each found another thing that is wrong with a step: each looks in an order of its own."""
    return None is not what_is_wrong(theirs) != what_is_wrong(ours) is not None


#: (which steps, what PyTorch does, what minigrad does, whether the program can go on, why this is right).
DIFFERENCES = [
    ("", says("INTERNAL ASSERT FAILED"), anything, False, "a mistake of PyTorch's"),
    ("grad", says("tensor does not have a device"), anything, False, "a mistake of PyTorch's: a gradient that is None reached a sum"),
    (
        "backward|grad", says("Expected isFloatingType(grad.scalar_type())"), anything, False,
        "a mistake of PyTorch's: in where() of a real and a complex tensor, the real one's gradient stays complex",
    ),
    ("", says("has been detached in-place"), anything, False, "docs/differences.md: what backward needs may be detached in place"),
    (
        "", anything, says("the base of this view was given another shape in place"), False,
        "docs/differences.md: the place of a view in a base that was transposed in place is not known any more",
    ),
    (
        "backward", says("invalid gradient at index 0"), anything, False,
        "a tensor got another shape in place under no_grad: PyTorch finds that its gradient does not fit its node",
    ),
    (
        "backward|grad", says("Trying to backward through the graph a second time"), succeeds, False,
        "a node that no gradient reaches is not asked for what it saved",
    ),
    (
        "backward|grad", says("modified by an inplace operation"), succeeds, False,
        "a node that no gradient reaches is not asked for what it saved",
    ),
    (
        "backward|grad", says("incorrect number of values"), says("incorrect number of values"), False,
        "a node frees what it saved as it runs; in PyTorch after its hooks, of which one has failed: the next backward differs",
    ),
    (
        "register_hook|: retain", succeeds, says("modified inplace"), False,
        "PyTorch takes the second hook of a tensor whose first it refused",
    ),
    (
        "", says("Inplace update to inference tensor"), says("Inplace update to inference tensor"), False,
        "PyTorch writes, and then refuses to have written; here the tensor stays as it was",
    ),
    (
        "tril_|cumsum_|masked_fill_number_|set_|backward|grad", succeeds, says("more than one element of the written-to tensor"), False,
        "PyTorch writes to an expanded tensor, to each element several times, or finds that it would write what is there",
    ),
    (
        "backward|grad", says("more than one element of the written-to tensor"), succeeds, False,
        "a hook writes to a gradient that in PyTorch is expanded",
    ),
    (
        "backward|grad", says("which is output 0 of AsStrided"), says("modified by an inplace operation"), True,
        "what a write to a view saved of its result is called by the op that wrote",
    ),
    (
        "select_scatter", says("does not support automatic differentiation"), succeeds, False,
        "minigrad differentiates it for complex tensors too",
    ),
    (
        "backward|grad", succeeds, says("WrongShapeBackward returned an invalid gradient"), False,
        "PyTorch does not look at a gradient that leads nowhere",
    ),
]  # fmt: skip

#: Where an operand of these is no dense tensor in the order of its indices, PyTorch's result has the order of the first; here it may be
#: that of the indices.
OTHER_ORDER = r" = (add|sub|mul|div|maximum|lerp|addcmul|where|complex|get_list|get_mixed)\("

#: What minigrad says of a view whose base was transposed in place, see above.
UNKNOWN_PLACE = [lambda text: isinstance(text, str) and "given another shape in place" in text]


# Running --------------------------------------------------------------------------------------------------------------------


def nothing(_):
    """No new tensor comes of a step."""
    return ()


def value(t):
    return np.array(
        t.detach().resolve_conj().resolve_neg().numpy() if isinstance(t, torch.Tensor) else t.detach().numpy()
    )


def describe(t, ts):
    """What is compared of one tensor."""
    out = {
        "shape": tuple(t.shape),
        "dtype": str(t.dtype),
        "requires_grad": t.requires_grad,
        "version": answer(lambda: t._version),
        "is_inference": t.is_inference(),
        "is_view": t._is_view(),
        "base": [k for k, other in enumerate(ts) if t._base is other],
        "retains_grad": t.retains_grad
        and answer(lambda: not t.is_leaf),  # PyTorch's is still set after detach_()
    }
    out["grad_fn"] = answer(lambda: None if t.grad_fn is None else t.grad_fn.name())
    out["output_nr"] = answer(lambda: t.output_nr)
    out["is_leaf"] = answer(lambda: t.is_leaf)
    out["next"] = answer(
        lambda: t.grad_fn and [(None if n is None else n.name(), nr) for n, nr in t.grad_fn.next_functions]
    )
    return out


def aliases_inference_tensor(lib, name, t):
    """Whether a step makes, outside inference mode, an alias without history of an inference tensor.

    PyTorch lets one write to it, which the docs of inference mode say cannot be; here it is an inference tensor like any other.
    """
    return (
        name in ("data", "detach", "data_add", "data_mul", "detach_mul")
        and t.is_inference()
        and not lib.is_inference_mode_enabled()
    )


def answer(question):
    """The answer, or the error in its place."""
    try:
        return question()
    except RuntimeError as error:
        return first_sentence(str(error))


def words(error):
    """An error's type and the first sentence of its text, without addresses and library names."""
    text = re.sub(r"0x[0-9a-f]+", "0x", str(error)).replace("minigrad", "torch")
    text = re.sub(r"CPU(\w+)Type\b", r"torch.\1Tensor", text)  # PyTorch's name of a type in inference mode
    return type(error).__name__, first_sentence(text)


def overlapping(a, b):
    """Whether two tensors share some memory but are not the same window: PyTorch's result depends on its loop order."""
    a, b = a.detach().resolve_neg().numpy(), b.detach().resolve_neg().numpy()
    same = a.__array_interface__["data"][0] == b.__array_interface__["data"][0] and a.strides == b.strides
    return np.shares_memory(a, b) and not (same and a.shape == b.shape)


def repeats(t):
    """Whether some elements of a tensor share memory, so that the result of a write depends on its order, but PyTorch lets one write."""
    if 0 in t.stride():
        return False
    places = [sum(i * s for i, s in zip(index, t.stride())) for index in np.ndindex(*t.shape)]
    return len(set(places)) < len(places)


MODES = st.sampled_from([""] * 8 + ["no_grad", "inference_mode", "enable_grad"])


class Progress:
    """A file that says, should this process die, how many programs were begun, whether one has shown a difference, and who did what last."""

    def __init__(self, path):
        self.path = path
        self.begun = 0
        self.different = False

    def note(self, library, program):
        self.path.write_text(
            f"{self.begun} {'different' if self.different else 'alike'} {library}\n{program}"
        )


class Programs(RuleBasedStateMachine):
    """One program, in two libraries."""

    progress = None

    def __init__(self):
        super().__init__()
        if self.progress is not None:
            self.progress.begun += 1
        self.pairs = []
        self.extra = []  # of each pair, how many versions PyTorch's tensor had more when it came
        self.calls = ([], [])  # what hooks were called with
        self.handles = []  # pairs of handles of hooks
        self.log = []
        self.single = False  # whether numbers of single precision are about
        self.over = False  # the libraries differ from here on, as DIFFERENCES says

    def teardown(self):
        for lib in (torch, minigrad):
            lib.set_grad_enabled(True)

    # -- running a step in both

    def both(self, text, step, mode=""):
        """Run ``step(library, tensors, calls)`` in both; compare what it gives; keep new tensors."""
        if self.over:
            return
        try:
            self.run_in_both(text, step, mode)
        except Exception:
            if self.progress is not None:
                self.progress.different = True
                self.progress.note("minigrad", "\n".join(self.log))
            raise

    def run_in_both(self, text, step, mode):
        self.log.append(text + f"   # {mode}" * bool(mode))
        trace = "\n".join(self.log)
        outcomes = []
        for i, lib in enumerate((torch, minigrad)):
            ts = [pair[i] for pair in self.pairs]
            if self.progress is not None:
                self.progress.note(lib.__name__, trace)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if mode:
                        with getattr(lib, mode)():
                            outcome = step(lib, ts, self.calls[i])
                    else:
                        outcome = step(lib, ts, self.calls[i])
                outcomes.append(outcome if isinstance(outcome, tuple) else (outcome,))
            except (
                RuntimeError,
                TypeError,
                ValueError,
                IndexError,
                KeyError,
                AttributeError,
                ZeroDivisionError,
            ) as error:
                outcomes.append(error)
        theirs, ours = outcomes
        if isinstance(theirs, Exception) or isinstance(ours, Exception):
            for steps, of_theirs, of_ours, goes_on, _ in DIFFERENCES:
                if re.search(steps, text) and of_theirs(theirs) and of_ours(ours):
                    self.over = not goes_on
                    return
            if two_errors(theirs, ours):
                return
            if isinstance(theirs, Exception) != isinstance(ours, Exception) or words(theirs) != words(ours):
                raise AssertionError(f"{trace}\ntorch: {theirs!r}\nminigrad: {ours!r}") from (
                    ours if isinstance(ours, Exception) else None
                )
            theirs = ours = ()
        news = []
        for i, outcome in enumerate((theirs, ours)):
            kind = (torch, minigrad)[i].Tensor
            news.append(
                [z for z in outcome if isinstance(z, kind) and not any(z is pair[i] for pair in self.pairs)]
            )
        assert len(news[0]) == len(news[1]), f"{trace}\nnew tensors: torch {news[0]}\nminigrad {news[1]}"
        self.pairs += zip(*news)
        if re.search(OTHER_ORDER, text) and any(a.stride() != b.stride() for a, b in zip(*news)):
            self.over = True  # as OTHER_ORDER says
            return
        self.single |= any(a.dtype in (torch.float32, torch.complex64) for a, _ in self.pairs)
        for a, b in self.pairs[len(self.extra) :]:
            # PyTorch's kernels count writes to their results where an operand is an inference tensor, as do copies of gradients
            self.extra.append(0 if a.is_inference() or b.is_inference() else a._version - b._version)
        self.compare(trace)

    def compare(self, trace):
        theirs, ours = zip(*self.pairs)
        for k, (a, b) in enumerate(self.pairs):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                da, db = describe(a, theirs), describe(b, ours)
                if isinstance(db["version"], int):
                    db["version"] += self.extra[k]
                if "INTERNAL ASSERT FAILED" in str(da["grad_fn"]):
                    self.over = True  # as in DIFFERENCES
                    return
                if any(
                    says_it(db[key]) for key in ("grad_fn", "is_leaf", "next") for says_it in UNKNOWN_PLACE
                ):
                    self.over = True
                    return
                if da["next"] != db["next"] and "ViewBackward0" in str(db["next"]) and "prod(" in trace:
                    self.over = True  # the gradient of prod() is computed of one row, where PyTorch divides
                    return
                if "ConjBackward0" in str(db["next"]) or "ConjBackward0" == db["grad_fn"]:
                    self.over = True  # docs/differences.md: conjugation is done at once
                    return
                different = "".join(
                    f"\n{key}: torch {da[key]}, minigrad {db[key]}" for key in da if da[key] != db[key]
                )
                assert not different, f"{trace}\ntensor {k}: {different}"
                self.alike(value(a), value(b), f"{trace}\nvalue of {k}")
                ga, gb = a.grad, b.grad
            assert (ga is None) == (gb is None), f"{trace}\ngrad of {k}: torch {ga}, minigrad {gb}"
            if ga is not None:
                self.alike(value(ga), value(gb), f"{trace}\ngrad of {k}")
                if ga.requires_grad and not gb.requires_grad and "relu" in trace:
                    self.over = (
                        True  # PyTorch records that the gradient of relu depends on its result, by zero
                    )
                    return
                assert ga.requires_grad == gb.requires_grad, (
                    f"{trace}\ngrad of {k}: torch {ga}, minigrad {gb}"
                )
        assert len(self.calls[0]) == len(self.calls[1]), f"{trace}\nhook calls: {self.calls}"
        for a, b in zip(*self.calls):
            assert a[0] == b[0], f"{trace}\nhook calls: {self.calls}"
            for x, y in zip(a[1:], b[1:]):
                self.alike(x, y, f"{trace}\nhook calls: {self.calls}")

    def alike(self, theirs, ours, trace):
        assert theirs.shape == ours.shape and theirs.dtype == ours.dtype, f"{trace}: {theirs}, {ours}"
        if self.single and theirs.size and np.nanmax(np.abs(theirs)) > 50:
            self.over = True  # single precision: what follows may amplify errors of rounding
            return
        tolerance = 1e-3 if self.single else 1e-8
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=trace)

    def pick(self, data):
        """One of the tensors; the latest more often."""
        back = data.draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3, 4, 5, 7, 9]))
        return len(self.pairs) - 1 - back % len(self.pairs)

    def call(self, table, data, name, k, mode, two):
        i = self.pick(data)
        j = self.pick(data) if two else i
        if name in LAYOUTS and not self.lays_out(self.pairs[i][0], mode):
            return
        if table in (WRITE, WRITE_TENSOR) and repeats(self.pairs[i][0]):
            return
        if table in (WRITE, WRITE_TENSOR) and self.takes_retained(self.pairs[i][0]):
            return
        if table is WRITE_TENSOR and (i == j or overlapping(self.pairs[i][0], self.pairs[j][0])):
            return
        operands = f"t{i}, t{j}" if two else f"t{i}"
        self.both(
            f"{'' if table in (WRITE, WRITE_TENSOR) else f't{len(self.pairs)} = '}{name}({operands}, {k})",
            lambda lib, ts, calls: (
                self.plain(table, table[name](lib, ts[i], ts[j], k))
                if ts[i].dim() and not aliases_inference_tensor(lib, name, ts[i])
                else ()
            ),
            mode,
        )

    def takes_retained(self, t):
        """Whether a write to ``t`` would take the gradient that is retained of its node's first output: a mistake of PyTorch's."""
        nr = answer(lambda: t.output_nr)
        return isinstance(nr, int) and nr > 0 and any(a.retains_grad for a, _ in self.pairs)

    def lays_out(self, t, mode):
        """Whether a tensor may get another shape in place: see ``LAYOUTS``."""
        return (
            mode in ("", "enable_grad")
            and torch.is_grad_enabled()
            and not t.retains_grad
            and not self.handles
        )

    def plain(self, table, result):
        return () if table in (WRITE, WRITE_TENSOR) else result

    # -- steps

    @initialize(
        seed=st.integers(0, 5),
        kinds=st.lists(
            st.sampled_from(["double", "double", "double", "float", "complex"]), min_size=2, max_size=2
        ),
        second=st.booleans(),
    )
    def start(self, seed, kinds, second):
        numbers = np.random.RandomState(seed).uniform(0.1, 0.9, (2, 2, 3, 3))
        for i, (kind, wanted) in enumerate(zip(kinds, (True, second))):
            array = numbers[i, 0] + 1j * numbers[i, 1] if kind == "complex" else numbers[i, 0]
            array = array.astype(np.float32) if kind == "float" else array
            self.both(
                f"t{i} = leaf({kind}, requires_grad={wanted})",
                lambda lib, ts, calls: lib.tensor(array, requires_grad=wanted),
            )
        self.both("t2 = t0 * 1", lambda lib, ts, calls: ts[0] * 1)

    @rule(data=st.data(), name=st.sampled_from(sorted(MAKE)), k=st.integers(0, 2), mode=MODES)
    def make(self, data, name, k, mode):
        self.call(MAKE, data, name, k, mode, True)

    @rule(data=st.data(), name=st.sampled_from(sorted(VIEWS)), k=st.integers(0, 2), mode=MODES)
    def view(self, data, name, k, mode):
        self.call(VIEWS, data, name, k, mode, False)

    @rule(data=st.data(), name=st.sampled_from(sorted(VIEWS)), k=st.integers(0, 2))
    def another_view(self, data, name, k):
        self.call(VIEWS, data, name, k, "", False)

    @rule(data=st.data(), name=st.sampled_from(sorted(WRITE)), k=st.integers(0, 2), mode=MODES)
    def write(self, data, name, k, mode):
        self.call(WRITE, data, name, k, mode, False)

    @rule(data=st.data(), name=st.sampled_from(sorted(WRITE_TENSOR)), k=st.integers(0, 2), mode=MODES)
    def write_tensor(self, data, name, k, mode):
        self.call(WRITE_TENSOR, data, name, k, "" if name == "set_data" else mode, True)

    @rule(data=st.data(), name=st.sampled_from(sorted(FUNCTIONS)), mode=MODES)
    def function(self, data, name, mode):
        i = self.pick(data)
        if name.endswith("_") and (repeats(self.pairs[i][0]) or self.takes_retained(self.pairs[i][0])):
            return
        self.both(
            f"t{len(self.pairs)} = {name}.apply(t{i})",
            lambda lib, ts, calls: FUNCTIONS[name][lib is minigrad].apply(ts[i]),
            mode,
        )

    @rule(flag=st.sampled_from([True, True, False]))
    def switch(self, flag):
        self.both(f"set_grad_enabled({flag})", lambda lib, ts, calls: nothing(lib.set_grad_enabled(flag)))

    @rule(
        data=st.data(),
        name=st.sampled_from(
            ["requires", "requires", "no_longer", "detach_", "retain", "forget", "given", "taken", "zero"]
        ),
        mode=MODES,
    )
    def flag(self, data, name, mode):
        i = self.pick(data)
        steps = {
            # PyTorch remembers a flag for the time when a view without history of its own gets one; and it records nothing of
            # inference tensors that require grad
            "requires": lambda lib, t: (
                None
                if (t._is_view() and t.requires_grad and t.is_leaf) or t.is_inference()
                else t.requires_grad_()
            ),
            "no_longer": lambda lib, t: t.requires_grad_(False),
            "detach_": lambda lib, t: t.detach_(),
            "retain": lambda lib, t: t.retain_grad(),
            "forget": lambda lib, t: set_part("grad")(lib, t, None, 0),
            "given": lambda lib, t: set_part("grad")(lib, t, lib.ones_like(t), 0),
            "zero": lambda lib, t: None if t.grad is None else t.grad.zero_(),
            "taken": lambda lib, t: t.grad,
        }
        self.both(
            f"t{i}: {name}",
            lambda lib, ts, calls: (
                steps[name](lib, ts[i]) if name == "taken" else nothing(steps[name](lib, ts[i]))
            ),
            mode,
        )

    # -- hooks

    def handle(self, text, register):
        """Register a hook in both; keep the handles."""
        made = []
        self.both(text, lambda lib, ts, calls: nothing(made.append(register(lib, ts, calls))))
        if len(made) == 2:
            self.handles.append(made)

    @rule(data=st.data(), name=st.sampled_from(sorted(TENSOR_HOOKS)), once=st.booleans())
    def tensor_hook(self, data, name, once):
        i = self.pick(data)

        def register(lib, ts, calls):
            def hook(g):
                calls.append((f"tensor {i}", np.zeros(0) if g is None else value(g)))
                if once:
                    handle.remove()
                return None if g is None else TENSOR_HOOKS[name](lib, g)

            handle = ts[i].register_hook(hook)
            return handle

        self.handle(f"t{i}.register_hook({name}{', once' * once})", register)

    @rule(data=st.data(), name=st.sampled_from(sorted(ACCUMULATE_HOOKS)))
    def accumulate_hook(self, data, name):
        i = self.pick(data)

        def register(lib, ts, calls):
            def hook(t):
                calls.append((f"accumulated {i}", np.zeros(0) if t.grad is None else value(t.grad)))
                ACCUMULATE_HOOKS[name](lib, t)

            return ts[i].register_post_accumulate_grad_hook(hook)

        self.handle(f"t{i}.register_post_accumulate_grad_hook({name})", register)

    @rule(data=st.data(), kind=st.sampled_from(["pre", "post"]), name=st.sampled_from(sorted(NODE_HOOKS)))
    def node_hook(self, data, kind, name):
        i = self.pick(data)
        if kind == "pre" and name == "nothing":
            return  # PyTorch runs the node all the same, and looks at what it saved

        def register(lib, ts, calls):
            def saw(gs):
                calls.append((f"{kind} {i}", *(np.zeros(0) if g is None else value(g) for g in gs)))
                return NODE_HOOKS[name](gs)

            if kind == "pre":
                return ts[i].grad_fn.register_prehook(saw)
            return ts[i].grad_fn.register_hook(lambda gs, given: saw(gs))

        self.handle(f"t{i}.grad_fn.register {kind} hook({name})", register)

    @rule(data=st.data())
    def remove_hook(self, data):
        if self.handles:
            k = data.draw(st.integers(0, len(self.handles) - 1))
            self.both(
                f"remove hook {k}",
                lambda lib, ts, calls: nothing(self.handles[k][lib is minigrad].remove()),
            )

    # -- backward

    @rule(data=st.data(), retain=st.booleans(), create=st.sampled_from([False, False, True]), mode=MODES)
    def backward(self, data, retain, create, mode):
        i = self.pick(data)
        self.both(
            f"t{i}.backward(ones, retain_graph={retain}, create_graph={create})",
            lambda lib, ts, calls: ts[i].backward(
                lib.ones_like(ts[i].detach()), retain_graph=retain or None, create_graph=create
            ),
            mode,
        )

    @rule(data=st.data(), create=st.booleans())
    def backward_to_inputs(self, data, create):
        i, j, k = self.pick(data), self.pick(data), self.pick(data)
        self.both(
            f"t{i}.backward(ones, inputs=[t{j}, t{k}], create_graph={create})",
            lambda lib, ts, calls: lib.autograd.backward(
                ts[i],
                lib.ones_like(ts[i].detach()),
                inputs=[ts[j], ts[k]],
                retain_graph=True,
                create_graph=create,
            ),
        )

    @rule(data=st.data(), implicit=st.booleans())
    def backward_of_two(self, data, implicit):
        i, j = self.pick(data), self.pick(data)

        def step(lib, ts, calls):
            grads = None if implicit else [lib.ones_like(t.detach()) for t in (ts[i], ts[j])]
            lib.autograd.backward([ts[i], ts[j]], grads, retain_graph=True)

        self.both(f"backward([t{i}, t{j}]{', ones' * (not implicit)})", step)

    @rule(
        data=st.data(),
        create=st.booleans(),
        retain=st.booleans(),
        unused=st.sampled_from(["allow_unused", "materialize_grads", ""]),
    )
    def grad(self, data, create, retain, unused):
        i, j, k = self.pick(data), self.pick(data), self.pick(data)

        def step(lib, ts, calls):
            gs = lib.autograd.grad(
                ts[i], [ts[j], ts[k]], lib.ones_like(ts[i].detach()),
                create_graph=create, retain_graph=retain or None, **({unused: True} if unused else {}),
            )  # fmt: skip
            # PyTorch's may share memory with one another, or be a view
            return tuple(g.clone() for g in gs if g is not None)

        self.both(
            f"t{len(self.pairs)}, ... = grad(t{i}, [t{j}, t{k}], create={create}, retain={retain}, {unused})",
            step,
        )


def main(count, number, progress):
    """Run ``count`` programs, those of seed ``number``; ``progress`` is the file in which to say what is going on."""
    Programs.progress = Progress(progress)
    run_state_machine_as_test(
        seed(number)(Programs),
        settings=settings(
            max_examples=count,
            database=None,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
