"""``func.grad``, ``grad_and_value`` and ``vjp``: values against closed forms, options, errors."""

import pytest

import minigrad as torch
from minigrad.func import grad, grad_and_value, vjp


def vector(*numbers, **kwargs):
    return torch.tensor(numbers, dtype=torch.float64, **kwargs)


def close(a, b):
    torch.testing.assert_close(a, b)


def test_gradient_of_a_polynomial():
    x = vector(1.0, -2.0)
    close(grad(lambda x: (x**3).sum())(x), 3 * x**2)


def test_gradients_nest():
    x = torch.tensor(0.3, dtype=torch.float64)
    close(grad(grad(torch.sin))(x), -x.sin())
    close(grad(grad(grad(torch.sin)))(x), -x.cos())


def test_perturbations_are_not_confused():
    # d/dx (x · d/dy (x + y)) = 1, not 2
    x = torch.tensor(5.0)
    assert grad(lambda x: x * grad(lambda y: x + y)(torch.tensor(1.0)))(x) == 1


@pytest.mark.parametrize(
    ("argnums", "count"), [(0, None), (1, None), (-1, None), ((0,), 1), ((1, 0), 2), ((0, 1), 2)]
)
def test_argnums(argnums, count):
    x, y = vector(1.0, 2.0), vector(3.0, 4.0)
    found = grad(lambda x, y: (x * x * y).sum(), argnums)(x, y)
    expected = (2 * x * y, x * x)
    if count is None:
        close(found, expected[argnums])
    else:
        assert len(found) == count
        for n, g in zip(argnums, found):
            close(g, expected[n])


def test_structures_of_arguments():
    params = {"weight": vector(1.0, 2.0), "more": [vector(3.0, 4.0)]}
    found = grad(lambda p, scale: (p["weight"] * p["more"][0]).sum() * scale)(params, scale=2)
    assert list(found) == ["weight", "more"]
    close(found["weight"], 2 * params["more"][0])
    close(found["more"][0], 2 * params["weight"])


def test_value_and_aux():
    x = vector(1.0, 2.0)
    found, (value, aux) = grad_and_value(lambda x: ((x * x).sum(), {"twice": 2 * x}), has_aux=True)(x)
    close(found, 2 * x)
    close(value, torch.tensor(5.0, dtype=torch.float64))
    close(aux["twice"], 2 * x)
    assert not any(t.requires_grad for t in (found, value, aux["twice"]))
    found, aux = grad(lambda x: (x.sum(), x), has_aux=True)(x)
    close(aux, x)


def test_what_does_not_matter_has_zeros():
    x, y = vector(1.0, 2.0), vector(3.0, 4.0)
    close(grad(lambda x, y: x.sum(), 1)(x, y), torch.zeros_like(y))
    close(grad(lambda x: torch.tensor(1.0))(x), torch.zeros_like(x))


def test_tensors_around_keep_their_gradients():
    x, w = vector(1.0, 2.0), vector(3.0, 4.0, requires_grad=True)
    g = grad(lambda x: (x * x * w).sum())(x)
    close(torch.autograd.grad(g.sum(), w)[0], 2 * x)
    assert w.grad is None


def test_only_what_leads_outside_is_tracked():
    x, w = vector(1.0, 2.0), vector(3.0, 4.0, requires_grad=True)
    (out, same), pull = vjp(lambda x: (x * w, x), x)
    assert out.requires_grad
    assert not same.requires_grad
    _, pull = vjp(lambda x, y: x * y, x, w)
    for_x, for_w = pull(torch.ones_like(x))
    assert for_x.requires_grad  # it is w
    assert not for_w.requires_grad


def test_no_grad_outside_does_not_matter_inside():
    x = vector(1.0, 2.0, requires_grad=True)
    with torch.no_grad():
        g = grad(lambda x: (x * x).sum())(x)
    close(g, 2 * x.detach())
    assert not g.requires_grad


def test_no_grad_inside():
    x = vector(1.0, 2.0)

    def f(x):
        with torch.no_grad():
            c = x * x
        return (c * x).sum()

    close(grad(f)(x), x * x)


def test_the_graph_of_autograd_inside():
    x = vector(1.0, 2.0)

    def f(x):
        (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        return g.sum()

    close(grad(f)(x), 6 * x)


def test_writes_into_copies():
    x = vector(1.0, 2.0, 3.0)

    def f(x):
        y = x.clone()
        y[0].mul_(5)
        y[1:].mul_(x[:2])
        return y.sum()

    close(grad(f)(x), vector(5.0 + 2.0, 1.0 + 3.0, 2.0))
    close(grad(lambda x: grad(f)(x * x).sum())(x), vector(2.0, 8.0, 6.0))


def test_vjp_is_linear_and_may_be_called_again():
    x, y = vector(1.0, 2.0), vector(3.0, 4.0)
    (product, _), pull = vjp(lambda x, y: (x * y, x.sum()), x, y)
    close(product, x * y)
    one = torch.tensor(1.0, dtype=torch.float64)
    for scale in (1, 2):
        for_x, for_y = pull((scale * torch.ones_like(x), scale * one))
        close(for_x, scale * (y + 1))
        close(for_y, scale * x)


def test_vjp_with_aux_and_nested():
    x = vector(1.0, 2.0)
    output, _, aux = vjp(lambda x: (x**3, x + 1), x, has_aux=True)
    close(aux, x + 1)
    close(output, x**3)
    _, second = vjp(lambda x: vjp(lambda x: x**3, x)[1](torch.ones_like(x))[0], x)
    close(second(torch.ones_like(x))[0], 6 * x)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: grad(lambda x: x)(x), "Expected f(*args) to return a scalar Tensor, got tensor with 1 dims."),
        (lambda x: grad(lambda x: 3)(x), "Expected f(*args) to return a Tensor, got <class 'int'>"),
        (lambda x: grad(torch.sum, has_aux=True)(x), "output of function f should be a tuple: (output, aux)"),
        (lambda x: grad(torch.sum, 2)(x), "Got argnum=2, but only 1 positional inputs"),
        (lambda x: grad(torch.sum, "a")(x), "argnums must be int or Tuple[int, ...]"),
        (lambda x: grad(torch.sum, (0, 0))(x), "argnums elements must be unique, got (0, 0)"),
        (lambda x: grad(torch.sum, ())(x), "argnums must be non-empty"),
        (lambda x: vjp(lambda x: x > 0, x), "All outputs of f must be floating-point or complex Tensors"),
        (lambda x: vjp(lambda x: 3, x), "expected f(*primals) to return only tensors, got unsupported type"),
        (lambda x: vjp(lambda x: (), x), "Expected f to be a function that has non-empty output"),
        (lambda x: vjp(lambda x: x, x)[1]((x,)), "Expected pytree structure of cotangents to be the same as"),
        (lambda x: grad(torch.sum)(x.long()), "only Tensors of floating point dtype can require gradients"),
    ],
)  # fmt: skip
def test_errors(call, message):
    with pytest.raises(RuntimeError) as error:
        call(vector(1.0, 2.0))
    assert message in str(error.value)


def test_cotangents_have_the_shape_of_the_output():
    with pytest.raises(
        RuntimeError, match=r"Mismatch in shape: grad_output\[0\] has a shape of torch.Size\(\[3\]\)"
    ):
        vjp(torch.sum, torch.ones(3))[1](torch.ones(3))


def test_a_complex_result_has_no_gradient():
    with pytest.raises(RuntimeError, match="only for real scalar outputs but got torch.complex64"):
        grad(lambda x: x.cfloat().sum())(torch.ones(3))


def test_a_view_made_without_grad_leads_nowhere():
    def f(x):
        with torch.no_grad():
            return x.reshape(-1)

    _, pull = vjp(f, torch.ones(2, 2))
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad"):
        pull(torch.ones(4))


def nested(f, w):
    """Transforms in each other, of functions that use ``w`` from around them."""
    return {
        "vmap(grad)": f.vmap(f.grad(lambda x: (x * w).square().sum())),
        "jacrev": f.jacrev(lambda x: x * w),
        "hessian": f.hessian(lambda x: (x * w).square().sum()),
        "vmap(vjp)": f.vmap(lambda x: f.vjp(lambda y: y * w, x)[1](w)[0]),
        "jvp(grad)": lambda x: f.jvp(f.grad(lambda y: (y * w).square().sum()), (x,), (x,))[1],
        "vmap(grad of another)": lambda x: f.vmap(lambda y: f.grad(lambda v: (v * y * x).sum())(w))(x),
    }


@pytest.mark.parametrize("name", nested(torch.func, None))
def test_modes_outside_decide_whether_results_have_a_history(name):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    w = torch.tensor([5.0, 6.0], requires_grad=True)
    transformed = nested(torch.func, w)[name]
    expected = transformed(x)
    assert expected.requires_grad
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            result = transformed(x)
            assert not result.requires_grad and torch.equal(result, expected), mode


def test_inference_tensors_inside_of_transforms():
    f = torch.func
    with torch.inference_mode():
        y = torch.tensor([1.0, 2.0])
        assert torch.equal(f.grad(lambda v: (v * y).sum())(y), y)
        assert torch.equal(f.hessian(lambda v: (v * v * y).sum())(y), (2 * y).diag())
        assert torch.equal(f.jacrev(lambda v: v * v)(y), (2 * y).diag())
    assert torch.equal(f.grad(lambda v: (v * v).sum())(y), 2 * y)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        f.grad(lambda v: (v * y).sum())(torch.ones(2))


def test_of_a_view_made_without_grad_of_a_tensor_that_requires_it():
    """It requires grad, as its base does, and so do derivatives with respect to it."""
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        view, copy = x.view_as(x), x.clone()
        assert view.requires_grad and not torch.func.jacrev(torch.square)(view).requires_grad
    for of in (grad(lambda v: v.square().sum()), torch.func.jacrev(torch.square)):
        assert of(view).requires_grad and not of(copy).requires_grad


def test_cotangents_on_another_device():
    pull = vjp(torch.sin, torch.ones(2))[1]
    with pytest.raises(RuntimeError, match="invalid gradient at index 0 - expected device cpu but got meta"):
        pull(torch.ones(2, device="meta"))


def test_what_is_pulled_back_may_be_modified():
    """Of the point there is no derivative outside of vjp, so nothing is saved for it."""
    leaf = vector(1.0, 1.0, requires_grad=True)
    g, x = leaf * 1, vector(0.5, 2.0)
    z = vjp(lambda x: x.sin() * x, x)[1](g)[0]
    g.add_(2)
    z.sum().backward()
    close(leaf.grad, x.sin() + x * x.cos())
