"""Subclasses that override: what they hear of by way of ``super().__torch_function__``, and that tensors stay what they are."""

import inspect

import pytest

import minigrad
from minigrad import overrides


def listening(torch):
    """A subclass of ``torch.Tensor`` that notes the name of each function."""

    class Listening(torch.Tensor):
        heard = []

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.heard.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    return Listening


PROGRAMS = {
    "operators": lambda t, x: (x * 2 + 1).sum(),
    "lists": lambda t, x: t.stack([x, x * 2]),
    "networks": lambda t, x: t.nn.functional.softmax(x, 0),
    "several results": lambda t, x: x.unbind(0)[0],
    "named results": lambda t, x: t.max(x, 0).values,
    "in place": lambda t, x: x.detach().add_(1).mul_(2),
    "items": lambda t, x: x.detach().__setitem__(0, 5.0),
    "properties": lambda t, x: (x.shape, x.dtype, x.requires_grad, x.is_leaf, x.ndim),
    "views": lambda t, x: x[0].view(2, 1),
    "reads": lambda t, x: (x.numel(), x.dim(), x.size(), len(x), x.sum().item()),
    "backward": lambda t, x: (x * 2).sum().backward(),
    "backward of several": lambda t, x: t.autograd.backward(
        (x * 2, x.sum()), (t.ones_like(x), None), create_graph=True, inputs=[x.detach().requires_grad_(), x]
    ),
    "grad": lambda t, x: t.autograd.grad((x * 2).sum(), x)[0],
}  # fmt: skip


def outcome(torch, program):
    cls = listening(torch)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).as_subclass(cls).requires_grad_()
    x.T
    cls.heard.clear()
    result = PROGRAMS[program](torch, x)
    values = (
        result.tolist() if isinstance(result, torch.Tensor) else repr(result).replace("minigrad", "torch")
    )
    heard = [name for name in cls.heard if name != "tolist"]
    return heard, type(result).__name__.lower(), values


@pytest.mark.torch
@pytest.mark.parametrize("program", PROGRAMS)
def test_as_pytorch(program):
    """The same functions are heard of, and results are of the same class and value."""
    torch = pytest.importorskip("torch")
    assert outcome(minigrad, program) == outcome(torch, program)


def test_the_very_tensor_keeps_what_is_noted_about_it():
    """Hooks, retained gradients and histories are those of the object, not of a copy."""
    cls = listening(minigrad)
    x = minigrad.ones(2).as_subclass(cls).requires_grad_()
    y = x * 2
    y.retain_grad()
    seen = []
    y.register_hook(lambda g: seen.append(type(g).__name__))
    y.sum().backward()
    assert y.grad.tolist() == [1, 1] and x.grad.tolist() == [2, 2] and len(seen) == 1
    x.data = minigrad.zeros(2)
    assert x.tolist() == [0, 0]
    z = x * 1
    with minigrad.DisableTorchFunctionSubclass():
        z.mul_(2)
    assert type(z.grad_fn).__name__ == "AsStridedBackward0"
    assert repr(x.detach()) == "Listening([0., 0.])"


def test_classes_made_before_any_operator():
    """They are asked as well."""
    from tests.test_import import run

    program = (
        "import minigrad\n"
        "class S(minigrad.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, func, types, args=(), kwargs=None):\n"
        "        print(func.__name__)\n"
        "        return super().__torch_function__(func, types, args, kwargs or {})\n"
        "minigrad.flatten(minigrad.ones(2).as_subclass(S))"
    )
    assert "flatten" in run(program)


def test_what_can_be_overridden():
    """Every function has a stand-in with its parameters, and every class may answer for all of them."""
    testing = overrides.get_testing_overrides()
    functions = overrides.get_overridable_functions()
    assert len(testing) > 900
    assert minigrad.add in functions[minigrad] and minigrad.Tensor.add_ in functions[minigrad.Tensor]
    assert minigrad.is_tensor in overrides.get_ignored_functions()
    assert not overrides.get_ignored_functions() & set(testing)
    assert list(inspect.signature(testing[minigrad.stack]).parameters) == ["tensors", "dim", "out"]
    assert testing[minigrad.stack]([1, 2]) == -1
    assert testing[minigrad.Tensor.shape.__get__](None) == -1


def test_gradients_are_asked_for():
    """``autograd.grad`` asks its outputs and inputs."""

    class Foreign:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func

    assert minigrad.autograd.grad(Foreign(), minigrad.ones(2)) is minigrad.autograd.grad


def test_states():
    """What is switched off can be asked for."""
    _C = minigrad._C
    assert _C._is_torch_function_enabled() and not _C._is_torch_function_mode_enabled()
    with minigrad.DisableTorchFunctionSubclass():
        assert not _C._is_torch_function_enabled() and not _C._is_torch_function_all_disabled()
    with overrides.BaseTorchFunctionMode() as mode:
        assert _C._is_torch_function_mode_enabled() and _C._len_torch_function_stack() == 1
        assert _C._get_function_stack_at(0) is mode and overrides._get_current_function_mode_stack() == [mode]
        assert _C._has_torch_function_unary(3)
        with minigrad.DisableTorchFunction():
            assert _C._is_torch_function_all_disabled() and not _C._has_torch_function_variadic(3, 4)


def histories(torch):
    """What is known of results of operators on a subclass."""

    class Own(torch.Tensor):
        pass

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.ones(2, 3, requires_grad=True).as_subclass(Own)
    found = []
    for z in (
        x * 2,
        x[0],
        x.sum(),
        (x * 2).mul_(3),
        *x.max(0),
        x.detach(),
        x.data,
        x.reshape(2, 3),
        Same.apply(x),
    ):
        node = z.grad_fn
        found.append([type(z).__name__, z._is_view(), z._base is x._base, node and node.name()])
        found[-1] += [] if node is None else [n and n.name() for n, _ in node.next_functions]
    with torch.no_grad():
        z = Same.apply(x)
        found.append([type(z).__name__, z._is_view(), z.requires_grad, (x * 2)[0].requires_grad])
    for refused in (x[0], x * 2):
        try:
            refused.detach_()
        except RuntimeError as error:
            found.append(str(error)[:26])
    return found


@pytest.mark.torch
def test_results_are_views_of_the_class():
    torch = pytest.importorskip("torch")
    assert histories(minigrad) == histories(torch)


def test_results_are_views_of_what_the_operator_gave():
    """Their node is that of the view, whose next is the operator's."""

    class Own(minigrad.Tensor):
        pass

    z = minigrad.ones(2, requires_grad=True).as_subclass(Own) * 2
    assert type(z) is Own and z._is_view() and type(z._base) is minigrad.Tensor
    assert z.grad_fn.name() == "AliasBackward0" and z.grad_fn.next_functions[0][0].name() == "MulBackward0"


TRANSFORMED = {
    "vmap": lambda f, x: f.vmap(lambda row: (row * 2).sum())(x),
    "vmap_along_another": lambda f, x: f.vmap(lambda row: (row * 2).sum(), in_dims=1)(x),
    "grad": lambda f, x: f.grad(lambda x: x.square().sum())(x),
    "jvp": lambda f, x: f.jvp(lambda x: x.square(), (x,), (x,))[1],
    "jacrev": lambda f, x: f.jacrev(lambda x: x.square())(x),
    "jacfwd": lambda f, x: f.jacfwd(lambda x: x.square())(x),
    "hessian": lambda f, x: f.hessian(lambda x: x.square().sum())(x),
}


@pytest.mark.parametrize("transform", TRANSFORMED.values(), ids=TRANSFORMED)
def test_transforms_see_arguments_of_a_subclass_as_tensors(transform):
    x = minigrad.arange(6.0).reshape(2, 3)
    for cls in (listening(minigrad), type("Own", (minigrad.Tensor,), {})):
        z = transform(minigrad.func, x.as_subclass(cls))
        assert type(z) is minigrad.Tensor and minigrad.equal(z, transform(minigrad.func, x))
