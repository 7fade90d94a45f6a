"""``Variable``, ``volatile`` and the other names of 2017 for what tensors do today."""

import copy
import gc
import io
import os
import pickle
import subprocess
import sys
import warnings
import weakref
from pathlib import Path

import pytest

import minigrad
from minigrad import Tensor, nn
from minigrad._core.families import fast_classes
from minigrad.autograd import Function, Variable

pytestmark = pytest.mark.filterwarnings("ignore:.*API of 2017")


def volatile(*values):
    return Variable(minigrad.tensor(values), volatile=True)


def leaf(*values):
    return minigrad.tensor(values, requires_grad=True)


# Variable ----------------------------------------------------------------------------------------------------------------


def test_a_variable_is_a_tensor_over_the_same_memory():
    x = minigrad.ones(2)
    v = Variable(x)
    assert type(v) is Tensor and v is not x and v.is_leaf and not v.requires_grad
    v[0] = 5.0
    assert x.tolist() == [5.0, 1.0]
    assert (v._version, x._version, v._base) == (1, 1, None)


def test_every_tensor_is_a_variable():
    for x in (minigrad.ones(1), nn.Parameter(minigrad.ones(1)), volatile(1.0)):
        assert isinstance(x, Variable)
    assert not isinstance(1.0, Variable)
    assert not issubclass(Tensor, Variable)


def test_requires_grad_by_keyword_and_by_place():
    x = minigrad.ones(2)
    for v in (
        Variable(x, requires_grad=True),
        Variable(x, True),
        Variable(x, 1),
        Variable(data=x, requires_grad=True),
    ):
        (v * 3).sum().backward()
        assert v.grad.tolist() == [3.0, 3.0]
    assert not x.requires_grad


def test_a_variable_of_a_result_or_parameter_is_a_leaf_tensor():
    y = leaf(1.0) * 2
    assert Variable(y).is_leaf and not Variable(y).requires_grad
    parameter = nn.Parameter(minigrad.ones(1))
    assert type(Variable(parameter)) is Tensor and not Variable(parameter).requires_grad


def test_a_subclass_of_variable_makes_tensors():
    class Mine(Variable):
        pass

    assert type(Mine(minigrad.ones(1))) is Tensor
    assert isinstance(minigrad.ones(1), Mine)


def test_no_data_makes_an_empty_tensor():
    assert Variable().shape == (0,)
    assert Variable(None).shape == (0,)


@pytest.mark.parametrize(
    "arguments, named, kind, text",
    [
        ((1.0,), {}, TypeError, "Variable data has to be a tensor, but got float"),
        (([1.0],), {}, TypeError, "Variable data has to be a tensor, but got list"),
        (
            (minigrad.ones(1),),
            {"foo": 1},
            TypeError,
            "'foo' is an invalid keyword argument for this function",
        ),
        ((minigrad.ones(1), "a"), {}, TypeError, "'str' object cannot be interpreted as an integer"),
        (
            (minigrad.ones(1), 0, 0, 3),
            {},
            TypeError,
            "_grad_fn has to be a Function object or None, but got int",
        ),
        ((minigrad.ones(1),), {"name": 3}, TypeError, "argument 5 must be str or None, not int"),
        (
            (minigrad.tensor([1]), True),
            {},
            RuntimeError,
            "Only Tensors of floating point and complex dtype can require gradients",
        ),
        (
            (minigrad.ones(1),),
            {"requires_grad": True, "volatile": True},
            ValueError,
            "Variable can't be volatile and require_grad at the same time!",
        ),
    ],
)
def test_what_variable_refuses(arguments, named, kind, text):
    with pytest.raises(kind) as caught:
        Variable(*arguments, **named)
    assert str(caught.value) == text


def test_the_name_of_a_variable():
    assert Variable(minigrad.ones(1), name="input").name == "input"
    assert Variable(minigrad.ones(1)).name is None


def test_the_module_named_variable():
    assert minigrad.autograd.variable.Variable is Variable
    with pytest.raises(RuntimeError, match="use torch.tensor"):
        minigrad.autograd.variable(1.0)


def test_creator_is_grad_fn():
    x = leaf(1.0)
    y = x * 2
    assert y.creator is y.grad_fn
    assert x.creator is None


# backward -----------------------------------------------------------------------------------------------------------------


def test_retain_variables_keeps_the_graph():
    x = leaf(2.0)
    y = x * x
    y.backward(retain_variables=True)
    minigrad.autograd.backward([y], [None], retain_variables=True)
    y.backward(minigrad.ones(1), retain_variables=False)
    assert x.grad.tolist() == [12.0]
    with pytest.raises(RuntimeError, match="a second time"):
        y.backward()
    with pytest.raises(ValueError, match="only one of retain_graph and retain_variables"):
        y.backward(retain_graph=True, retain_variables=True)


def test_grad_variables_are_grad_tensors():
    x = leaf(2.0, 3.0)
    with pytest.warns(FutureWarning, match="grad_variables"):
        minigrad.autograd.backward([x * x], grad_variables=[minigrad.ones(2)])
    assert x.grad.tolist() == [4.0, 6.0]


def test_the_engine_under_its_name_of_2017():
    engine = Variable._execution_engine
    x = leaf(2.0)
    engine.run_backward((x * x,), (minigrad.ones(1),), True)
    assert x.grad.tolist() == [4.0]
    assert engine.run_backward((x * x,), (minigrad.ones(1),), False, False, (x,))[0].tolist() == [4.0]
    assert x.grad.tolist() == [4.0]
    engine.run_backward((x * x,), (minigrad.ones(1),), False, False, (x,), accumulate_grad=True)
    assert x.grad.tolist() == [8.0]
    with pytest.raises(RuntimeError, match="^tensors argument is expected to be a tuple, but got list$"):
        engine.run_backward([x * x], (None,), False)
    with pytest.raises(RuntimeError, match="^element 0 of gradients tuple is None"):
        engine.run_backward((x * x,), (None,), False)


def test_callbacks_at_the_end_of_a_backward():
    engine = Variable._execution_engine
    x, seen = leaf(2.0), []
    x.register_hook(lambda grad: engine.queue_callback(lambda: seen.append(x.grad.item())))
    (x * x).backward()
    assert seen == [4.0]
    with pytest.raises(RuntimeError, match="^Final callbacks can only be installed during backward pass.$"):
        engine.queue_callback(print)


def test_a_checkpoint_is_valid_where_all_gradients_are_computed():
    engine, seen = Variable._execution_engine, []

    class Ask(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            seen.append(engine.is_checkpoint_valid())
            return grad * 2

    x = leaf(2.0)
    Ask.apply(x).backward()
    minigrad.autograd.grad(Ask.apply(x), x)
    assert seen == [True, False] and engine.is_checkpoint_valid()


# loss.data[0] ---------------------------------------------------------------------------------------------------------------


def test_the_first_element_of_the_data_of_a_loss_is_a_number():
    loss = (leaf(1.0, 2.0) * 2).sum()
    assert loss.data[0] == 6.0
    assert type(loss.data[0]) is float
    assert loss.data.cpu()[0] == 6.0


@pytest.mark.parametrize("key", [0, 1, -1])
def test_a_0_dim_tensor_cannot_be_indexed_otherwise(key):
    with pytest.raises(IndexError):
        minigrad.tensor(1.0)[key]
    if key:
        with pytest.raises(IndexError, match=f"^index {key} is out of bounds for dimension 0 with size 0$"):
            minigrad.tensor(1.0).data[key]


def test_the_data_of_a_0_dim_tensor_is_an_ordinary_tensor():
    data = (leaf(1.0) * 2).sum().data
    assert type(data) is Tensor and data.shape == () and not data.requires_grad
    with pytest.raises(IndexError):
        (data * 1)[0]
    for twin in (copy.deepcopy(data), pickle.loads(pickle.dumps(data)), data.clone(), data.detach()):
        with pytest.raises(IndexError):
            twin[0]
    assert data[...].item() == data[None][0].item() == 2.0


# volatile -------------------------------------------------------------------------------------------------------------------


def test_one_volatile_operand_is_enough():
    w = leaf(2.0, 3.0)
    v = volatile(1.0, 1.0)
    for y in (
        w + v,
        v + w,
        2 * v,
        w[0] * v[0],
        minigrad.cat([w, v]),
        (w * w).dot(v),
        minigrad.where(w > 2, w, v),
        -v,
        v.exp(),
    ):
        assert y.volatile and not y.requires_grad and y.grad_fn is None and y.is_leaf
    assert (w + v).tolist() == [3.0, 4.0]
    assert not (w + w).volatile and (w + w).requires_grad


def test_volatile_goes_through_several_results_and_views():
    v = Variable(minigrad.tensor([[3.0, 1.0], [2.0, 4.0]]), volatile=True)
    values, indices = v.max(1)
    assert values.volatile and indices.volatile
    assert all(part.volatile for part in (*v.split(1), *v.unbind(), v.t(), v[0], v.view(4), v[:, None]))
    assert v[0]._base is v
    v[0].zero_()
    assert v.tolist() == [[0.0, 0.0], [2.0, 4.0]]


def test_volatile_indices_make_what_they_pick_volatile():
    w = leaf(1.0, 2.0, 3.0)
    i = Variable(minigrad.tensor([0, 2]), volatile=True)
    for y in (w[i], w.index_select(0, i), w.gather(0, i), w[None][:, i]):
        assert y.volatile and not y.requires_grad


def test_modules_on_volatile_inputs_record_nothing():
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    assert model(Variable(minigrad.ones(4, 2))).requires_grad
    y = model(Variable(minigrad.ones(4, 2), volatile=True))
    assert y.volatile and not y.requires_grad and y.creator is None
    assert minigrad.equal(y.data, model(minigrad.ones(4, 2)))


def test_custom_functions_on_volatile_inputs_record_nothing():
    class Double(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x)
            return minigrad.from_numpy(x.detach().numpy() * 2), y + 1

        @staticmethod
        def backward(ctx, a, b):
            return 2 * a, b

    a, b = Double.apply(leaf(1.0), volatile(2.0))
    assert a.volatile and b.volatile and not a.requires_grad and a.grad_fn is None
    assert (a.tolist(), b.tolist()) == ([2.0], [3.0])


def test_what_a_volatile_result_used_is_freed():
    w = leaf(1.0)
    hidden = w * 2
    gone = weakref.ref(hidden)
    y = hidden * volatile(1.0)
    gc.disable()
    try:
        del hidden
        assert gone() is None
    finally:
        gc.enable()
    assert y.volatile


@pytest.mark.parametrize(
    "write",
    [
        lambda x, v: x.add_(v),
        lambda x, v: x.mul_(v[0]),
        lambda x, v: x.copy_(v),
        lambda x, v: x.addcmul_(x.detach(), v),
        lambda x, v: x.masked_scatter_(minigrad.tensor([True, False]), v),
        lambda x, v: x.__setitem__(0, v[0]),
        lambda x, v: x.__setitem__(slice(None), v),
        lambda x, v: x.index_add_(0, minigrad.tensor([0, 1]), v),
        lambda x, v: minigrad.add(x.detach(), v, out=x.detach_()),
    ],
)
def test_writing_from_a_volatile_operand_makes_the_target_volatile(write):
    x = leaf(1.0, 2.0) * 1
    write(x, volatile(5.0, 6.0))
    assert x.volatile and not x.requires_grad and x.grad_fn is None


def test_writing_into_a_volatile_tensor_leaves_it_volatile():
    v = volatile(1.0, 2.0)
    v += leaf(1.0, 1.0)
    v[0] = leaf(7.0)[0]
    v.mul_(2)
    assert v.volatile and not v.requires_grad and v.tolist() == [14.0, 6.0]


def test_a_leaf_that_requires_grad_may_not_be_written_to_from_a_volatile_operand_either():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        x.add_(volatile(1.0))
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        x[0] = volatile(1.0)[0]
    assert not x.volatile and x.requires_grad and x.tolist() == [1.0]


def test_detach_keeps_volatile_and_data_does_not():
    v = volatile(1.0)
    assert v.detach().volatile and v.detach_().volatile
    assert not v.data.volatile and type(v.data) is Tensor
    v.detach()[0] = 3.0
    assert v.tolist() == [3.0]


def test_volatile_can_be_set_on_leaves():
    x = minigrad.ones(1)
    assert x.volatile is False
    x.volatile = True
    y = x * leaf(2.0)
    assert y.volatile
    y.volatile = False  # a volatile result is a leaf
    x.volatile = False
    assert type(x) is type(y) is Tensor and not (x * y).volatile
    with pytest.raises(RuntimeError, match="^volatile can only be set on leaf variables$"):
        (leaf(1.0) * 2).volatile = True
    with pytest.raises(RuntimeError, match="^volatile must be a bool$"):
        x.volatile = 1


def test_a_volatile_leaf_requires_no_grad_until_it_is_volatile_no_more():
    p = nn.Parameter(minigrad.ones(2))
    (p * 2).sum().backward()
    p.volatile = True
    assert isinstance(p, nn.Parameter) and type(p).__name__ == "Parameter"
    assert not p.requires_grad and not (p * 2).requires_grad and p.grad.tolist() == [2.0, 2.0]
    with pytest.raises(ValueError, match="can't be volatile and require_grad at the same time"):
        p.requires_grad = True
    p.volatile = False
    assert type(p) is nn.Parameter and p.requires_grad
    (p * 2).sum().backward()
    assert p.grad.tolist() == [4.0, 4.0]


def test_backward_and_hooks_of_volatile_tensors_are_refused():
    v = volatile(1.0)
    with pytest.raises(RuntimeError, match="^calling backward on a volatile variable$"):
        v.backward()
    with pytest.raises(RuntimeError, match="^element 0 of variables tuple is volatile$"):
        minigrad.autograd.backward([v], [minigrad.ones(1)])
    with pytest.raises(RuntimeError, match="^cannot register a hook on a volatile variable$"):
        v.register_hook(print)


def test_volatile_tensors_print_copy_and_pickle_as_others():
    v = volatile(1.0, 2.0)
    assert repr(v) == str(v) == f"{v}" == "tensor([1., 2.])"
    assert f"{v.sum():.2f}" == "3.00"
    assert type(v).__name__ == "Tensor" and isinstance(v, Tensor) and minigrad.is_tensor(v)
    for twin in (copy.deepcopy(v), pickle.loads(pickle.dumps(v)), v.clone()):
        assert twin.volatile and twin.tolist() == [1.0, 2.0]
    parameter = nn.Parameter(minigrad.ones(1))
    parameter.volatile = True
    assert repr(parameter) == "Parameter containing:\ntensor([1.])"
    assert v.numpy().tolist() == [1.0, 2.0]


def test_files_know_nothing_of_volatile():
    parameter = nn.Parameter(minigrad.ones(1))
    parameter.volatile = True
    file = io.BytesIO()
    minigrad.save([volatile(1.0, 2.0), parameter, leaf(2.0).sum().data], file)
    file.seek(0)
    x, y, z = minigrad.load(file)
    assert type(x) is type(z) is Tensor and type(y) is nn.Parameter
    assert (x.tolist(), y.tolist(), z.item()) == ([1.0, 2.0], [1.0], 2.0)
    with pytest.raises(IndexError):
        z[0]


def test_subclasses_can_be_volatile():
    class Metres(Tensor):
        pass

    x = minigrad.ones(2).as_subclass(Metres)
    x.volatile = True
    y = x * leaf(1.0, 2.0)
    assert isinstance(y, Metres) and y.volatile
    y.volatile = False
    assert type(y) is Metres


def test_ordinary_ops_know_nothing_of_volatile():
    x = volatile(1.0)
    assert type(x) not in fast_classes
    assert type(leaf(1.0) * 2) in fast_classes and "_volatile" not in (leaf(1.0) * 2).__dict__


def run(code):
    """What the code prints in a new process."""
    environment = {**os.environ, "PYTHONPATH": str(Path(minigrad.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_program_of_today_imports_nothing_of_2017_and_its_draws_are_not_remembered():
    program = """if True:
        import sys, minigrad
        {}
        weights = minigrad.ones(2, requires_grad=True) * 1
        minigrad.normal(weights, 1.0).sum().backward()
        print(minigrad.multinomial(weights, 1)._draw is None, weights.bernoulli().grad_fn.__class__.__module__)
        print(*[name for name in ("variable", "_legacy", "_legacy.stochastic_function") if "minigrad.autograd." + name in sys.modules])
        """
    assert run(program.format("import minigrad.nn, minigrad.optim")) == [
        "True",
        "minigrad._ops.random",
    ]
    printed = run(program.format("from minigrad.autograd import Variable"))
    assert printed == [
        "False",
        "minigrad.autograd._legacy.stochastic_function",
        *("variable", "_legacy", "_legacy.stochastic_function"),
    ]


# Warnings -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "use, category, text",
    [
        (lambda: Variable(minigrad.ones(1), volatile=True), UserWarning, "no_grad"),
        (lambda: minigrad.ones(1).volatile, UserWarning, "no_grad"),
        (lambda: leaf(1.0).creator, FutureWarning, "grad_fn"),
        (lambda: leaf(1.0).sum().data[0], FutureWarning, r"loss\.item\(\)"),
        (lambda: (leaf(1.0) * 2).backward(retain_variables=True), FutureWarning, "retain_graph"),
        (lambda: minigrad.ones(2).multinomial(), FutureWarning, r"multinomial\(1\)"),
        (lambda: minigrad.ones(2).normal(1.0), FutureWarning, r"torch\.normal"),
    ],
)
def test_an_old_form_warns_once_and_says_what_to_write(use, category, text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        use()
        use()
    assert len(caught) == 1
    assert caught[0].category is category and caught[0].filename == __file__
    assert "2017" in str(caught[0].message)
    with pytest.warns(category, match=text):
        use()


def test_what_is_not_contradicted_today_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = Variable(minigrad.ones(2), requires_grad=True)
        loss = (x * 2).sum()
        loss.backward()
        assert loss.data.item() == 4.0
