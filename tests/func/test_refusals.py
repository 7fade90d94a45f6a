"""What cannot be done inside of transforms is refused, in PyTorch's types and words."""

import copy
import functools
import pickle

import numpy as np
import pytest

import minigrad
import minigrad.autograd.forward_ad as fwAD
from minigrad.func import grad, hessian, jacfwd, jvp, vjp, vmap
from tests.messages import first_sentence

ITEM = "vmap: It looks like you're calling .item() on a Tensor"
POINTER = "Cannot access data pointer of Tensor that doesn't have storage"
DYNAMIC = (
    "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::"
)

#: What a program does with a sample, a number: a function of (torch, s).
ELEMENTS = {
    "item": lambda torch, s: s.item(),
    "float": lambda torch, s: float(s),
    "int": lambda torch, s: int(s),
    "complex": lambda torch, s: complex(s),
    "index": lambda torch, s: [1, 2, 3][s.long()],
    "range": lambda torch, s: range(s.long()),
    "in": lambda torch, s: s in torch.ones(2),
    "number in": lambda torch, s: 1.0 in s,
    "format": lambda torch, s: f"{s}",
    "format with digits": lambda torch, s: f"{s:.2f}",
    "slice": lambda torch, s: torch.ones(4)[: s.long()],
    "arange": lambda torch, s: torch.arange(s),
    "alpha": lambda torch, s: torch.add(torch.ones(2), torch.ones(2), alpha=s),
    "scalar_tensor": lambda torch, s: torch.scalar_tensor(s),
    "bool": lambda torch, s: bool(s),
    "if": lambda torch, s: 1 if s > 0 else 2,
    "not": lambda torch, s: not s,
    "max": lambda torch, s: max(s, s + 1),
    "sorted": lambda torch, s: sorted([s + 1, s]),
    "is_nonzero": lambda torch, s: torch.is_nonzero(s),
    "numpy": lambda torch, s: s.numpy(),
    "asarray": lambda torch, s: np.asarray(s),
    "tolist": lambda torch, s: s.tolist(),
    "data_ptr": lambda torch, s: s.data_ptr(),
    "dlpack": lambda torch, s: s.__dlpack__(),
    "apply_": lambda torch, s: s.apply_(lambda v: v + 1),
    "map_": lambda torch, s: s.map_(s, lambda v, w: v + w),
    "untyped_storage": lambda torch, s: s.untyped_storage(),
    "is_shared": lambda torch, s: s.is_shared(),
    "deepcopy": lambda torch, s: copy.deepcopy(s),
    "copy": lambda torch, s: copy.copy(s),
    "pickle": lambda torch, s: pickle.dumps(s),
    "data": lambda torch, s: s.data,
    "assign data": lambda torch, s: setattr(s, "data", torch.ones(())),
    "len": lambda torch, s: len(s),
    "list": lambda torch, s: list(s),
    "nonzero": lambda torch, s: s.nonzero(),
    "nonzero as a tuple": lambda torch, s: s.nonzero(as_tuple=True),
    "where": lambda torch, s: torch.where(s > 1),
    "unique": lambda torch, s: s.unique(),
    "unique of slices": lambda torch, s: torch.unique(s.reshape(1, 1).expand(2, 2), dim=0),
    "unique_consecutive": lambda torch, s: torch.unique_consecutive(s),
    "masked_select": lambda torch, s: torch.masked_select(s, s > 1),
    "mask": lambda torch, s: torch.ones(3)[(torch.ones(3) * s) > 1],
    "mask of a sample": lambda torch, s: (torch.ones(3) * s)[(torch.ones(3) * s) > 1],
    "write by a mask": lambda torch, s: (torch.ones(3) * s).__setitem__((torch.ones(3) * s) > 1, 0.0),
    "equal": lambda torch, s: torch.equal(s, s),
    "allclose": lambda torch, s: torch.allclose(s, s),
    "is_set_to": lambda torch, s: s.is_set_to(s),
    "one_hot without a number": lambda torch, s: torch.nn.functional.one_hot(s.long()),
    "out": lambda torch, s: torch.add(s, s, out=torch.empty(())),
    "out of outer tensors": lambda torch, s: torch.sin(torch.ones(()), out=s.clone()),
    "requires_grad_": lambda torch, s: s.requires_grad_(),
    "requires_grad_ of an outer tensor": lambda torch, s: torch.ones(()).requires_grad_(),
    "backward": lambda torch, s: s.backward(),
    "backward of an outer tensor": lambda torch, s: (torch.ones((), requires_grad=True) * 2).backward(),
}

#: What writes a batch into a tensor z that has room for one sample: functions of (torch, s, z).
WRITES = {
    "add_": lambda torch, s, z: z.add_(s),
    "sub_": lambda torch, s, z: z.sub_(s),
    "mul_": lambda torch, s, z: z.mul_(s),
    "div_": lambda torch, s, z: z.div_(s),
    "pow_": lambda torch, s, z: z.pow_(s),
    "copy_": lambda torch, s, z: z.copy_(s),
    "fill_": lambda torch, s, z: z.fill_(s),
    "item": lambda torch, s, z: z.__setitem__(0, s),
    "slice": lambda torch, s, z: z.__setitem__(slice(None), s),
    "index": lambda torch, s, z: z.__setitem__(torch.tensor([0]), s),
    "addcmul_": lambda torch, s, z: z.addcmul_(s, s),
    "lerp_": lambda torch, s, z: z.lerp_(s, 0.5),
    "clamp_min_": lambda torch, s, z: z.clamp_min_(s),
    "atan2_": lambda torch, s, z: z.atan2_(s),
    "eq_": lambda torch, s, z: z.eq_(s),
    "logical_and_": lambda torch, s, z: z.logical_and_(s),
    "masked_fill_": lambda torch, s, z: z.masked_fill_(torch.tensor([True, False]), s),
    "masked_fill_ by a batch": lambda torch, s, z: z.masked_fill_((z * s) > 1, 1.0),
    "scatter_": lambda torch, s, z: z.scatter_(0, torch.tensor([0]), s.reshape(1)),
    "scatter_add_": lambda torch, s, z: z.scatter_add_(0, torch.tensor([0]), s.reshape(1)),
    "index_add_": lambda torch, s, z: z.index_add_(0, torch.tensor([0]), s.reshape(1)),
    "index_copy_": lambda torch, s, z: z.index_copy_(0, torch.tensor([0]), s.reshape(1)),
    "index_put_": lambda torch, s, z: z.index_put_((torch.tensor([0]),), s.reshape(1)),
    "addmv_": lambda torch, s, z: z.addmv_(torch.ones(2, 2) * s, torch.ones(2)),
}


@pytest.mark.parametrize(
    "name, message",
    [
        ("item", ITEM), ("float", ITEM), ("index", ITEM), ("in", ITEM), ("format", ITEM), ("arange", ITEM), ("alpha", ITEM),
        ("bool", "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow"),
        ("numpy", POINTER), ("tolist", POINTER), ("data_ptr", POINTER), ("dlpack", POINTER),
        ("data", "accessing `data` under vmap transform is not allowed"),
        ("nonzero", DYNAMIC + "nonzero"), ("where", DYNAMIC + "where"), ("unique", DYNAMIC + "_unique2"),
        ("masked_select", "Attempted to vmap over `mask` in torch.masked_select"),
        ("mask", "Attempting to batch over indexing with a boolean mask"),
        ("equal", "Batching rule not implemented for aten::equal"),
        ("out", "Batching rule not implemented for aten::add.out"),
        ("requires_grad_", "You are attempting to call Tensor.requires_grad_()"),
        ("backward", "backward() called inside a functorch transform"),
    ],
)  # fmt: skip
def test_samples_are_no_numbers(name, message):
    with pytest.raises(RuntimeError) as caught:
        vmap(lambda s: (ELEMENTS[name](minigrad, s), s)[1])(minigrad.arange(3.0))
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["untyped_storage", "is_shared", "deepcopy", "copy", "pickle"])
def test_samples_have_no_storage(name):
    with pytest.raises(NotImplementedError, match="Cannot access storage of BatchedTensorImpl"):
        vmap(lambda s: (ELEMENTS[name](minigrad, s), s)[1])(minigrad.arange(3.0))


@pytest.mark.parametrize("transform", ["grad", "jvp", "vmap of grad"])
@pytest.mark.parametrize(
    "name",
    ["requires_grad_", "requires_grad_ of an outer tensor", "backward", "backward of an outer tensor"],
)
def test_every_transform_refuses(name, transform):
    with pytest.raises(RuntimeError, match="functorch transform"):
        transforms(minigrad)[transform](lambda s: (ELEMENTS[name](minigrad, s), s)[1])


def test_retain_grad_is_refused():
    with pytest.raises(RuntimeError, match="You are attempting to call Tensor.retain_grad()"):
        grad(lambda s: (s.retain_grad(), s)[1])(minigrad.tensor(2.0))


def test_arguments_of_a_transform_are_leaves():
    seen = []
    grad(lambda s: (seen.append((s.is_leaf, s.grad_fn, s.requires_grad)), s * s)[1])(minigrad.tensor(2.0))
    assert seen == [(True, None, True)]
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
        grad(lambda s: s.mul_(2))(minigrad.tensor(2.0))


def test_an_escaped_sample_is_refused():
    seen = []
    vmap(lambda s: (seen.append(s), s)[1])(minigrad.arange(3.0))
    for use in (lambda s: s + 1, minigrad.sin, minigrad.zeros_like, lambda s: minigrad.ones(()).add_(s)):
        with pytest.raises(RuntimeError, match="may have escaped from inside a function being vmapped"):
            use(seen[0])


def test_an_escaped_dual_is_its_value():
    seen = []
    jvp(lambda x: (seen.append(x), x)[1], (minigrad.ones(2),), (minigrad.ones(2),))
    assert minigrad.equal(seen[0] + 1, minigrad.full((2,), 2.0))


# Printing ------------------------------------------------------------------------------------------------------------------


def shown(torch):
    """The texts of tensors inside of transforms."""
    func, texts = torch.func, []

    def note(x):
        texts.append(repr(x))
        texts.append(str(x))
        return x.sum()

    x = torch.arange(6.0).reshape(3, 2)
    func.vmap(note)(x)
    func.vmap(func.vmap(note))(x.reshape(3, 2, 1))
    func.grad(note)(x)
    func.grad(lambda x: note(x * 2))(x)
    func.vmap(func.grad(note))(x)
    func.grad(lambda x: func.vmap(note)(x).sum())(x)
    func.grad(lambda x: func.grad(note)(x).sum())(x)
    func.jvp(note, (x,), (x,))
    func.vmap(lambda x: note(torch.zeros_like(x)))(x)
    func.vmap(lambda x: (texts.append(repr(torch.ones(2))), x)[1])(x)
    with torch.autograd.forward_ad.dual_level():
        d = torch.autograd.forward_ad.make_dual(x, x)
        texts.append(repr(d))
        texts.append(f"{torch.autograd.forward_ad.make_dual(x[0, 1], x[0, 1])!r}")
    return texts


def test_text_of_a_batch():
    seen = []
    vmap(lambda x: (seen.append(repr(x)), x)[1])(minigrad.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert seen == ["BatchedTensor(lvl=1, bdim=0, value=\n    tensor([[1., 2.],\n            [3., 4.]])\n)"]


def test_text_of_an_argument_of_grad():
    seen = []
    grad(lambda x: (seen.append(repr(x)), x)[1])(minigrad.tensor(2.0))
    assert seen == ["GradTrackingTensor(lvl=1, value=\n    tensor(2.)\n)"]


# Duals ---------------------------------------------------------------------------------------------------------------------


def test_a_dual_of_forward_ad_is_its_value_for_numpy_and_python():
    with fwAD.dual_level():
        d = fwAD.make_dual(minigrad.tensor([1.0, 2.0]), minigrad.ones(2))
        assert d.numpy().tolist() == d.tolist() == np.asarray(d).tolist() == [1.0, 2.0]
        assert d[0].item() == float(d[0]) == 1 and d[0] > 0 and f"{d[1]:.1f}" == "2.0"
        assert 2.0 in d and 3.0 not in d
        assert d.data_ptr() == d.untyped_storage().data_ptr() == d.numpy().__array_interface__["data"][0]
        assert minigrad.equal(d, minigrad.tensor([1.0, 2.0]))
        assert pickle.loads(pickle.dumps(d)).tolist() == [1.0, 2.0]
        assert fwAD.unpack_dual(copy.deepcopy(d)).tangent is None
        assert d.nonzero().tolist() == [[0], [1]]
        with pytest.raises(RuntimeError, match="cannot resize variables that has a forward grad"):
            d.resize_(3)
        with pytest.raises(NotImplementedError, match="Trying to use forward AD with set_"):
            d.set_(minigrad.ones(2))


def test_a_dual_of_jvp_has_no_array():
    with pytest.raises(RuntimeError, match=POINTER):
        jvp(lambda x: (x.numpy(), x)[1], (minigrad.ones(2),), (minigrad.ones(2),))


# New tensors like a batch ----------------------------------------------------------------------------------------------------

LIKE = {
    "zeros_like": lambda torch, s: torch.zeros_like(s),
    "ones_like": lambda torch, s: torch.ones_like(s),
    "empty_like": lambda torch, s: torch.empty_like(s).fill_(1),
    "full_like": lambda torch, s: torch.full_like(s, 2.0),
    "zeros_like in another dtype": lambda torch, s: torch.zeros_like(s, dtype=torch.float64),
    "new_zeros": lambda torch, s: s.new_zeros(2),
    "new_ones": lambda torch, s: s.new_ones(2),
    "new_empty": lambda torch, s: s.new_empty(2).fill_(1),
    "new_full": lambda torch, s: s.new_full((2,), 3.0),
    "new_empty_strided": lambda torch, s: s.new_empty_strided((2,), (1,)).fill_(0),
}
UNLIKE = {
    "zeros": lambda torch, s: torch.zeros(2),
    "new_tensor": lambda torch, s: s.new_tensor([1.0, 2.0]),
    "like an outer tensor": lambda torch, s: torch.zeros_like(torch.ones(2)),
    "eye": lambda torch, s: torch.eye(2)[0],
}


@pytest.mark.parametrize("name", LIKE)
def test_a_new_tensor_like_a_batch_is_a_batch(name):
    x = minigrad.arange(6.0).reshape(3, 2)
    z = vmap(lambda s: LIKE[name](minigrad, s).add_(s))(x)
    assert minigrad.equal(z - x, (z - x)[:1].expand(3, 2))
    y = vmap(vmap(lambda s: LIKE[name](minigrad, s).add_(s)))(x.expand(2, 3, 2))
    assert minigrad.equal(y[1], z)


@pytest.mark.parametrize("name", UNLIKE)
def test_other_new_tensors_have_room_for_one_sample(name):
    with pytest.raises(RuntimeError, match="output with shape"):
        vmap(lambda s: UNLIKE[name](minigrad, s).add_(s))(minigrad.ones(3, 2))


# Tensors from outside --------------------------------------------------------------------------------------------------------

CAPTURED = "that would mutate a captured Tensor"
GLOBAL = minigrad.ones(2)
NAMED = {"tensor": minigrad.ones(2)}


class Counter(minigrad.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", minigrad.zeros(2))
        self.kept = minigrad.ones(2)

    def add(self, x):
        self.total.add_(x)
        return self.total.sum()

    def forward(self, x):
        self.kept.mul_(x)
        return self.kept.sum()


def holders():
    """Functions that write to a tensor from outside, by where they have it from."""
    c = minigrad.ones(2)
    counter = Counter()

    def augmented(x, c=c):
        c *= x
        return c.sum()

    return {
        "closure": lambda x: c.mul_(x).sum(),
        "inner function": lambda x: (lambda: c.mul_(x))().sum(),
        "view": lambda x: c[0].add_(x),
        "detached": lambda x: c.detach().mul_(x).sum(),
        "item": lambda x: (c.__setitem__(0, x), c.sum())[1],
        "global": lambda x: GLOBAL.mul_(x).sum(),
        "container": lambda x: NAMED["tensor"].mul_(x).sum(),
        "helper": lambda x: into_global(x),
        "default": augmented,
        "partial": functools.partial(lambda t, x: t.mul_(x).sum(), c),
        "module": counter,
        "method": counter.add,
        "module in a closure": lambda x: counter.add(x),
    }


def into_global(x):
    return GLOBAL.add_(x).sum()


TRANSFORMS = {
    "grad": lambda f, x: grad(f)(x),
    "vjp": lambda f, x: vjp(f, x)[0],
    "jvp": lambda f, x: jvp(f, (x,), (x,)),
    "jacfwd": lambda f, x: jacfwd(f)(x),
    "hessian": lambda f, x: hessian(f)(x),
    "grad of grad": lambda f, x: grad(grad(f))(x),
    "vmap of grad": lambda f, x: vmap(grad(f))(x.reshape(1)),
    "jvp of grad": lambda f, x: jvp(grad(f), (x,), (x,)),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("holder", holders())
def test_writing_to_a_captured_tensor_is_refused(holder, transform):
    with pytest.raises(RuntimeError, match=CAPTURED):
        TRANSFORMS[transform](holders()[holder], minigrad.tensor(3.0))
    assert minigrad.equal(GLOBAL, minigrad.ones(2)) and minigrad.equal(NAMED["tensor"], minigrad.ones(2))


@pytest.mark.parametrize(
    "transform", ["grad", "vjp", "jvp", "jacfwd", "hessian", "grad of grad", "jvp of grad"]
)
def test_tensors_made_inside_may_be_written_to(transform):
    c, kept = minigrad.ones(2), []

    def f(x):
        kept.append(x * 1)
        made = minigrad.ones(2).mul_(x) + (c * 2).mul_(x) + c.clone().mul_(x)
        return made.sum() + kept.pop().mul_(x)

    def without(x):
        return 8 * x + x * x

    found = TRANSFORMS[transform](f, minigrad.tensor(3.0))
    expected = TRANSFORMS[transform](without, minigrad.tensor(3.0))
    for z, wanted in zip(*[x if isinstance(x, tuple) else (x,) for x in (found, expected)]):
        assert minigrad.equal(z, wanted)


# Beside PyTorch --------------------------------------------------------------------------------------------------------------


def transforms(torch):
    """Transforms applied to a function of a number, by name."""
    func, s = torch.func, torch.tensor(2.0)

    def dual(f):
        with torch.autograd.forward_ad.dual_level():
            f(torch.autograd.forward_ad.make_dual(s, torch.tensor(1.0)))

    return {
        "vmap": lambda f: func.vmap(f)(torch.arange(3.0)),
        "vmap of vmap": lambda f: func.vmap(func.vmap(f))(torch.arange(6.0).reshape(3, 2)),
        "grad": lambda f: func.grad(f)(s),
        "jvp": lambda f: func.jvp(f, (s,), (s,)),
        "vmap of grad": lambda f: func.vmap(func.grad(f))(torch.arange(3.0)),
        "dual": dual,
    }


def outcome(program):
    """The error that a program ends in; None if it does not."""
    try:
        program()
    except Exception as error:
        return type(error).__name__, first_sentence(str(error))
    return None


def pytest_filters(test):
    for text in (
        "ignore:.*torch.jit.script. is:DeprecationWarning",
        "ignore:There is a performance drop:UserWarning",
        "ignore:TypedStorage is deprecated:UserWarning",
    ):
        test = pytest.mark.filterwarnings(text)(test)
    return pytest.mark.torch(test)


#: Refused by PyTorch alone, since all its tensors inside of these transforms are wrapped: here there are arrays.
ALLOWED_HERE = {
    ("grad", name)
    for name in ("data_ptr", "untyped_storage", "is_shared", "deepcopy", "copy", "pickle", "assign data")
} | {
    (how, name)
    for how in ("jvp", "dual")
    for name in ("unique", "unique of slices", "unique_consecutive")
} | {("grad", "arange")}  # fmt: skip


@pytest_filters
@pytest.mark.parametrize("name", ELEMENTS)
def test_errors_are_those_of_pytorch(name):
    torch = pytest.importorskip("torch")
    for how in ("vmap", "vmap of vmap", "grad", "jvp", "dual"):
        if (how, name) in ALLOWED_HERE:
            continue
        found, expected = [
            outcome(lambda: transforms(lib)[how](lambda s: (ELEMENTS[name](lib, s), s * s)[1]))
            for lib in (minigrad, torch)
        ]
        assert found == expected, how


@pytest_filters
@pytest.mark.parametrize("name", WRITES)
def test_writes_of_a_batch_are_refused_as_in_pytorch(name):
    torch = pytest.importorskip("torch")

    def write(lib):
        def f(s):
            z = lib.ones(2)
            WRITES[name](lib, s, z)
            return z

        return outcome(lambda: lib.func.vmap(f)(lib.arange(1.0, 4.0)))

    expected = write(torch)
    assert expected is not None
    assert write(minigrad) == expected


@pytest_filters
def test_texts_are_those_of_pytorch():
    torch = pytest.importorskip("torch")
    assert shown(minigrad) == shown(torch)


@pytest_filters
@pytest.mark.parametrize("name", {**LIKE, **UNLIKE})
def test_new_tensors_are_those_of_pytorch(name):
    torch = pytest.importorskip("torch")

    def made(lib):
        new = {**LIKE, **UNLIKE}[name]
        try:
            z = lib.func.vmap(lambda s: new(lib, s).add_(s))(lib.arange(6.0).reshape(3, 2))
        except RuntimeError as error:
            return str(error)
        return z.tolist(), str(z.dtype)

    assert made(minigrad) == made(torch)


@pytest.mark.parametrize(
    ("cotangent", "words"),
    [
        (
            minigrad.ones(2, dtype=minigrad.complex64),
            "both grad_output and output are required to have the same dtype",
        ),
        (None, "grad can be implicitly created only for scalar outputs"),
        (minigrad.ones(3), "Mismatch in shape"),
    ],
)
def test_cotangents_that_do_not_fit(cotangent, words):
    with pytest.raises(RuntimeError, match=words):
        vjp(minigrad.sin, minigrad.ones(2))[1](cotangent)
