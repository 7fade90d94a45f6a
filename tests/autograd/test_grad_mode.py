"""Grad modes as context managers and decorators."""

import asyncio
import copy
import gc
import inspect
import io
import pickle
import threading

import pytest

import minigrad as torch
from minigrad.utils._contextlib import (
    _DecoratorContextManager,
    _NoParamDecoratorContextManager,
    context_decorator,
)

IN_PLACE = "Inplace update to inference tensor outside InferenceMode is not allowed"
SAVED = "Inference tensors cannot be saved for backward"


@pytest.fixture
def x():
    return torch.ones(2, requires_grad=True)


def test_no_grad_records_nothing(x):
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
        assert not torch.is_grad_enabled()
    assert (x * 2).requires_grad


def test_modes_end_with_an_exception(x):
    with pytest.raises(ZeroDivisionError), torch.no_grad():
        1 / 0
    assert torch.is_grad_enabled()


def test_modes_decorate_functions_and_generators(x):
    @torch.no_grad()
    def double(t):
        return t * 2

    @torch.no_grad
    def triple(t):
        return t * 3

    @torch.no_grad()
    def numbers(t):
        yield t * 2
        yield t * 3

    assert not double(x).requires_grad
    assert not triple(x).requires_grad
    for y in numbers(x):
        assert not y.requires_grad
        assert torch.is_grad_enabled()


def test_set_grad_enabled_acts_at_once_and_as_a_context(x):
    torch.set_grad_enabled(False)
    assert not (x * 2).requires_grad
    torch.set_grad_enabled(True)
    with torch.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_modes_are_of_one_thread(x):
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append((x * 2).requires_grad))
        thread.start()
        thread.join()
    assert seen == [True]


def test_inference_tensors_are_marked_and_restricted(x):
    with torch.inference_mode():
        y = torch.ones(2) * 2
        z = x * 2
        assert torch.is_inference_mode_enabled()
    assert y.is_inference() and z.is_inference() and not x.is_inference()
    assert not z.requires_grad
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        y * x
    with pytest.raises(
        RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"
    ):
        y.add_(1)
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        y._version
    assert not (y + 1).is_inference()
    with torch.inference_mode():
        y.add_(1)
    assert y.tolist() == [3.0, 3.0]


def test_a_leaf_may_be_written_to_without_recording(x):
    with pytest.raises(
        RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"
    ):
        x.add_(1)
    with torch.no_grad():
        x.add_(1)
    assert x.tolist() == [2.0, 2.0]
    assert x._version == 1


# As decorators -------------------------------------------------------------------------------------------------------------


def modes():
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled()


@pytest.mark.parametrize(
    "mode, inside",
    [
        (torch.no_grad(), (False, False)),
        (torch.no_grad, (False, False)),
        (torch.enable_grad, (True, False)),
        (torch.inference_mode(), (False, True)),
        (torch.inference_mode, (False, True)),
        (torch.inference_mode(False), (True, False)),
    ],
    ids=[
        "no_grad()",
        "no_grad",
        "enable_grad",
        "inference_mode()",
        "inference_mode",
        "inference_mode(False)",
    ],
)
def test_a_decorated_function_runs_in_the_mode_and_keeps_its_names(mode, inside):
    def look(value, *, more=1):
        """Look."""
        return modes(), value, more

    decorated = mode(look)
    with torch.set_grad_enabled(inside == (False, False)):
        before = modes()
        assert decorated(3, more=4) == (inside, 3, 4)
        assert modes() == before
    assert decorated.__name__ == "look" and decorated.__doc__ == "Look." and decorated.__wrapped__ is look


def test_decorated_methods():
    class Model:
        @torch.no_grad()
        def method(self):
            return self, torch.is_grad_enabled()

        @classmethod
        @torch.no_grad()
        def of_class(cls):
            return cls, torch.is_grad_enabled()

        @staticmethod
        @torch.no_grad
        def static():
            return torch.is_grad_enabled()

        @property
        @torch.no_grad
        def prop(self):
            return torch.is_grad_enabled()

    model = Model()
    assert model.method() == (model, False)
    assert Model.of_class() == (Model, False)
    assert Model.static() is model.prop is False


def test_a_decorated_function_may_call_itself_and_raise():
    @torch.no_grad()
    def descend(n):
        assert not torch.is_grad_enabled()
        return 1 // n + descend(n - 1)

    with pytest.raises(ZeroDivisionError):
        descend(3)
    assert torch.is_grad_enabled()


def test_decorating_with_set_grad_enabled_changes_nothing_outside():
    @torch.set_grad_enabled(False)
    def look():
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled()
    assert look() is False
    with torch.no_grad():
        decorated = torch.set_grad_enabled(True)(torch.is_grad_enabled)
        assert not torch.is_grad_enabled()
        assert decorated() is True


def test_a_decorated_generator_sends_throws_closes_and_returns():
    log = []

    @torch.no_grad()
    def numbers():
        try:
            got = yield torch.is_grad_enabled()
            try:
                yield got, torch.is_grad_enabled()
            except ValueError as error:
                yield str(error), torch.is_grad_enabled()
            return "end"
        finally:
            log.append(torch.is_grad_enabled())

    generator = numbers()
    assert inspect.isgeneratorfunction(numbers)
    assert next(generator) is False
    assert generator.send(5) == (5, False)
    assert generator.throw(ValueError("thrown")) == ("thrown", False)
    assert torch.is_grad_enabled()
    with pytest.raises(StopIteration) as stopped:
        next(generator)
    assert stopped.value.value == "end" and log == [False]
    generator = numbers()
    next(generator)
    generator.close()
    assert log == [False, False] and torch.is_grad_enabled()


def test_a_decorated_generator_may_raise_and_may_refuse_to_close():
    @torch.no_grad()
    def fails():
        yield 1
        raise KeyError("k")

    @torch.no_grad()
    def stays():
        try:
            yield 1
        except GeneratorExit:
            yield 2

    with pytest.raises(KeyError):
        list(fails())
    generator = stays()
    next(generator)
    with pytest.raises(RuntimeError, match="generator ignored GeneratorExit"):
        generator.close()
    assert torch.is_grad_enabled()


def test_a_mode_inside_a_decorated_generator_ends_at_each_yield():
    @torch.no_grad()
    def numbers():
        with torch.enable_grad():
            yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    for inside in numbers():
        assert torch.is_grad_enabled()
    assert inside is False


def test_a_decorated_coroutine_function_makes_its_coroutine_in_the_mode():
    @torch.no_grad()
    async def look():
        return torch.is_grad_enabled()

    assert asyncio.run(look()) is True  # as in PyTorch: the mode has ended when the coroutine runs


def test_decorating_a_class_warns_and_gives_a_function():
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):

        @torch.no_grad()
        class Model:
            def __init__(self, size):
                self.made = size, torch.is_grad_enabled()

    assert inspect.isfunction(Model)
    assert Model(3).made == (3, False)


def test_own_context_managers_as_decorators():
    log = []

    class Logged(_DecoratorContextManager):
        def __enter__(self):
            log.append("in")

        def __exit__(self, exc_type, exc_value, traceback):
            log.append("out")

    class Bare(Logged, _NoParamDecoratorContextManager):
        pass

    @Logged()
    def one():
        log.append("one")

    @Bare
    def two():
        log.append("two")

    one()
    two()
    assert log == ["in", "one", "out", "in", "two", "out"]
    with pytest.raises(NotImplementedError):
        _DecoratorContextManager().__enter__()
    with pytest.raises(RuntimeError, match="Cannot decorate classes"):
        context_decorator(lambda: Logged(), Bare)
    with pytest.raises(AssertionError, match="both callable and also a valid context manager"):
        context_decorator(Logged(), one)


# As objects ----------------------------------------------------------------------------------------------------------------


def test_a_mode_remembers_what_was_before():
    mode = torch.no_grad()
    assert mode.prev is False
    with mode:
        assert mode.prev is True
    with torch.set_grad_enabled(False) as entered:
        assert entered is None
    mode = torch.set_grad_enabled(False)
    assert (mode.prev, mode.mode, torch.is_grad_enabled()) == (True, False, False)
    assert str(mode) == repr(mode) == "torch.autograd.grad_mode.set_grad_enabled(mode=False)"
    torch.set_grad_enabled(True)
    assert torch.inference_mode(False).clone().mode is False


@pytest.mark.parametrize("value, name", [(1, "int"), (None, "NoneType"), ("on", "str")])
def test_set_grad_enabled_takes_a_bool(value, name):
    with pytest.raises(TypeError, match=rf"argument 'enabled' \(position 1\) must be bool, not {name}"):
        torch.set_grad_enabled(value)
    assert torch.is_grad_enabled()


def test_nested_inference_modes():
    with torch.inference_mode():
        with torch.inference_mode(False):
            assert modes() == (True, False)
        assert modes() == (False, True)
        with torch.enable_grad():
            assert modes() == (True, True)
            assert not (torch.ones(1, requires_grad=True) * 2).requires_grad
    with torch.no_grad():
        with torch.inference_mode(False):
            assert modes() == (True, False)
        assert modes() == (False, False)


# Inference tensors ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def inferred():
    with torch.inference_mode():
        return torch.ones(2, 3)


@pytest.mark.parametrize(
    "write",
    [
        lambda t: t.add_(1), lambda t: t.zero_(), lambda t: t.copy_(t), lambda t: t.fill_(2), lambda t: t[0].mul_(2),
        lambda t: t.masked_fill_(t > 0, 1), lambda t: t.uniform_(), lambda t: t.transpose_(0, 1), lambda t: t.resize_(6),
        lambda t: t.index_put_((torch.tensor([0]),), torch.tensor(1.0)), lambda t: torch.add(t, 1, out=t), lambda t: t.clamp_(0),
        lambda t: t.__setitem__(0, 1.0),
    ],
)  # fmt: skip
def test_inference_tensors_are_written_to_in_inference_mode_only(inferred, write):
    with pytest.raises(RuntimeError, match=IN_PLACE):
        write(inferred)
    with torch.no_grad(), pytest.raises(RuntimeError, match=IN_PLACE):
        write(inferred)
    with torch.inference_mode():
        write(inferred)


def test_inference_tensors_and_requires_grad(inferred):
    with pytest.raises(
        RuntimeError, match="Setting requires_grad=True on inference tensor outside InferenceMode"
    ):
        inferred.requires_grad_()
    with torch.inference_mode():
        leaf = torch.ones(2).requires_grad_()
        assert leaf.requires_grad and leaf.is_leaf and not (leaf * 2).requires_grad
        with pytest.raises(RuntimeError, match="does not require grad"):
            leaf.sum().backward()


def test_what_is_made_of_an_inference_tensor_outside(inferred):
    for view in (
        inferred.view(-1),
        inferred[0],
        inferred.detach(),
        inferred.T,
        inferred.unbind(0)[0],
        inferred.split(1)[0],
    ):
        assert view.is_inference() and not view._is_view()
    for other in (
        inferred + 1,
        inferred.clone(),
        inferred.sum(),
        torch.cat([inferred, inferred]),
        torch.ones_like(inferred),
    ):
        assert not other.is_inference()
    x = inferred.clone().requires_grad_()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [[2.0] * 3] * 2


def test_inference_tensors_in_recorded_ops(inferred):
    x = torch.ones(2, 3, requires_grad=True)
    for op in (
        lambda: x * inferred,
        lambda: x / inferred,
        lambda: x @ inferred.T,
        lambda: (x * 1).mul_(inferred),
    ):
        with pytest.raises(RuntimeError, match=SAVED):
            op()
    (x + inferred).sum().backward()
    assert x.grad.tolist() == [[1.0] * 3] * 2


def test_normal_tensors_in_inference_mode():
    x = torch.ones(4)
    leaf = torch.ones(2, requires_grad=True)
    y = leaf * 1
    with torch.inference_mode():
        view = x.view(2, 2)
        view.mul_(2)
        assert (x._version, view._version, view._base is x, view.is_inference()) == (1, 1, True, False)
        leaf.add_(1)  # nothing is recorded, nothing is refused
        y.add_(1)
        of_leaf = leaf.view(-1)
    assert leaf._version == 1 and y._version == 1 and y.grad_fn is not None
    view.add_(1)  # nobody requires grad
    assert x.tolist() == [3.0] * 4
    assert of_leaf.requires_grad and of_leaf.grad_fn is None
    with pytest.raises(
        RuntimeError, match="A view was created in inference mode and is being modified inplace"
    ):
        of_leaf.add_(1)


def test_writes_in_inference_mode_are_noticed_by_saved_tensors():
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    with torch.inference_mode():
        y.mul_(2)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        z.sum().backward()


def test_a_backward_in_inference_mode_leaves_an_inference_gradient():
    x = torch.ones(2, requires_grad=True)
    y = (x * 3).sum()
    with torch.inference_mode():
        y.backward(retain_graph=True)
        y.backward(retain_graph=True)
        assert x.grad.is_inference()
    assert x.grad.tolist() == [6.0, 6.0]
    with pytest.raises(RuntimeError, match=IN_PLACE):
        y.backward()


def test_detaching_in_place_does_nothing_in_inference_mode():
    y = torch.ones(2, requires_grad=True) * 2
    with torch.inference_mode():
        assert y.detach_() is y
        y.view(-1).detach_()
    assert y.grad_fn is not None


def test_copies_of_inference_tensors(inferred):
    assert not copy.deepcopy(inferred).is_inference()
    assert not pickle.loads(pickle.dumps(inferred)).is_inference()
    with torch.inference_mode():
        assert copy.deepcopy(inferred).is_inference()
        assert copy.deepcopy(torch.ones(1, requires_grad=True)).requires_grad
    file = io.BytesIO()
    torch.save(inferred, file)
    file.seek(0)
    assert not torch.load(file).is_inference()


def test_functions_in_inference_mode():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        y = Double.apply(x)
        assert y.is_inference() and y.grad_fn is None
        same = Same.apply(x)
        assert same is not x and not same.requires_grad and not same._is_view()
        assert torch.is_inference(Same.apply(y))


# The other modes -----------------------------------------------------------------------------------------------------------


def test_versions_can_be_preserved():
    preserve = torch.autograd._unsafe_preserve_version_counter
    x, y = torch.ones(2), torch.ones(2).mul_(2)
    with preserve((x, y)):
        x.add_(1)
        y.add_(1)
        assert (x._version, y._version) == (1, 2)
    assert (x._version, y._version) == (0, 1)
    leaf = torch.ones(2, requires_grad=True)
    z = (leaf * x).sum()
    with pytest.raises(KeyError), preserve(x):
        x.fill_(5)
        raise KeyError
    z.backward()
    assert leaf.grad.tolist() == [5.0, 5.0]
    with pytest.raises(AssertionError, match="Expected tensors to be a tuple"):
        preserve([x])


def test_views_can_be_derived_by_their_own_ops():
    def names():
        y = torch.ones(4, requires_grad=True) * 1
        view = y.view(2, 2)[0]
        y.mul_(2)
        node = view.grad_fn
        view.sum().backward()
        return node.name(), node.next_functions[0][0].name()

    replay = torch.autograd._force_original_view_tracking
    with replay(True):
        assert torch.autograd.is_view_replay_enabled()
        assert names() == ("SelectBackward0", "ViewBackward0")
        with replay(False):
            assert names() == ("AsStridedBackward0", "MulBackward0")
    assert names() == ("AsStridedBackward0", "MulBackward0")
    assert replay(True)(names)() == ("SelectBackward0", "ViewBackward0")
    assert names() == ("AsStridedBackward0", "MulBackward0")


def test_gradients_may_keep_their_own_layout():
    def strides():
        x = torch.ones(3, 2).T.requires_grad_()
        (x * torch.ones(2, 3)).sum().backward()
        return x.grad.stride()

    policy = torch.autograd.enforce_grad_layout_policy
    assert strides() == (1, 2)
    with policy(False):
        assert strides() == (3, 1)
    assert policy(False)(strides)() == (3, 1)
    assert strides() == (1, 2)


def test_multithreading_is_a_flag():
    mode = torch.autograd.set_multithreading_enabled(False)
    assert (mode.prev, mode.mode) == (True, False)
    assert not torch.autograd.is_multithreading_enabled()
    with mode:
        (torch.ones(1, requires_grad=True) * 2).backward()
    assert torch.autograd.is_multithreading_enabled()


def test_modes_are_of_one_thread_each():
    seen = []
    with torch.no_grad(), torch.autograd._force_original_view_tracking(True), torch.inference_mode():
        thread = threading.Thread(
            target=lambda: seen.append((modes(), torch.autograd.set_multithreading_enabled(True).prev))
        )
        thread.start()
        thread.join()
    off, seen_off = threading.Event(), threading.Event()

    def switch_off():
        torch.set_grad_enabled(False)
        off.set()
        seen_off.wait(10)
        torch.set_grad_enabled(True)

    thread = threading.Thread(target=switch_off)
    thread.start()
    assert off.wait(10)
    assert torch.is_grad_enabled()
    seen_off.set()
    thread.join()
    assert seen == [((True, False), True)] and modes() == (True, False)


@pytest.mark.parametrize(
    "mode", [lambda: torch.set_grad_enabled(False), lambda: torch.inference_mode().__enter__()]
)
def test_a_thread_that_ends_in_a_mode_leaves_nothing_behind(mode):
    from minigrad._core import modes

    before = modes._count, modes._loud
    thread = threading.Thread(target=mode)
    thread.start()
    thread.join()
    del thread
    gc.collect()
    assert (modes._count, modes._loud) == before


@pytest.mark.parametrize("other", [torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("own", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_modes_of_other_threads_change_nothing_here(own, other):
    open_, done = threading.Event(), threading.Event()

    def elsewhere():
        with other():
            open_.set()
            done.wait(10)

    x, w = torch.ones(2), torch.ones(2, requires_grad=True)
    thread = threading.Thread(target=elsewhere)
    thread.start()
    assert open_.wait(10)
    with own():
        results = [x * w, (w[:1]).exp(), w * w[0], x.exp(), x < w]
    done.set()
    thread.join()
    recorded, inferred = own is torch.enable_grad, own is torch.inference_mode
    assert [z.requires_grad for z in results] == [recorded] * 3 + [False] * 2
    assert [z.is_inference() for z in results] == [inferred] * 5


def test_detaching_an_inference_tensor_in_place_leaves_it_as_it_is():
    with torch.inference_mode():
        x = torch.ones(2, requires_grad=True)
    assert x.detach_() is x and x.requires_grad
