"""What random programs are made of (``programs.py``): creations, views, writes, custom Functions, hooks.

The steps of a table are functions of (library, tensor a, tensor b, small number k).
"""

import torch

import minigrad


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
    # in no order of its own, equal elements of more than 16 have one in PyTorch that nobody promises
    "sort": lambda lib, a, b, k: tuple(a.contiguous().sort(dim=0, stable=True)),
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
    "resolve_conj": lambda lib, a, b, k: a.resolve_conj(),
    "resolve_neg": lambda lib, a, b, k: a.resolve_neg(),
    "conj_physical": lambda lib, a, b, k: a.conj_physical(),
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
    "conj": lambda lib, a, b, k: a.conj(),
    "mH": lambda lib, a, b, k: a.mH,
    "imag_of_conj": lambda lib, a, b, k: a.conj().imag,
    "neg_view": lambda lib, a, b, k: lib._neg_view(a),
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
            "t_", "squeeze_", "conj_physical_",
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
