"""``overrides``, ``functional`` and ``types``: for those who write functions and annotations."""

import warnings

import pytest

import minigrad
from minigrad import overrides


class Asks:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return cls.__name__, func.__name__, types, args, kwargs


class AsksBelow(Asks):
    pass


class Declines:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


class Sub(minigrad.Tensor):
    pass


def public(a, b):
    """A function that may be overridden."""
    return "plain"


def test_who_is_asked():
    x = minigrad.ones(2)
    for asked, values in ((False, (x, 3, minigrad.nn.Parameter(x))), (True, (Asks(), x.as_subclass(Sub)))):
        for value in values:
            assert overrides.has_torch_function((x, value)) is asked
    assert not overrides.has_torch_function(())
    assert (
        overrides.is_tensor_like(x) and overrides.is_tensor_like(Asks()) and not overrides.is_tensor_like(3)
    )


def test_subclasses_are_asked_before_their_bases():
    result = overrides.handle_torch_function(public, (Asks(), Declines(), AsksBelow()), 1, b=2)
    assert result == ("AsksBelow", "public", (AsksBelow, Asks, Declines), (1,), {"b": 2})
    assert overrides.handle_torch_function(public, (Declines(), Asks()))[0] == "Asks"


def test_somebody_must_answer():
    with pytest.raises(
        TypeError,
        match=r"^no implementation found for '.*test_overrides.public' on types that implement __torch_function__: \[<",
    ):
        overrides.handle_torch_function(public, (Declines(),), 1, 2)


def test_the_default_calls_the_function():
    assert overrides.handle_torch_function(public, (minigrad.ones(2).as_subclass(Sub),), 1, 2) == "plain"


def test_functions_can_be_wrapped():
    wrapped = overrides.wrap_torch_function(lambda a, b: (a, b))(public)
    assert wrapped(1, 2) == "plain" and wrapped.__doc__ == public.__doc__
    assert wrapped(1, Asks())[:2] == ("Asks", "public")


METHODS = [
    f"Tensor.{name}"
    for name in "__getitem__ __len__ __rsub__ shape.__get__ grad.__get__ grad.__set__".split()
]


@pytest.mark.torch
def test_names_are_pytorchs():
    torch = pytest.importorskip("torch")
    import torch.overrides as theirs

    for path in (
        "add",
        "zeros",
        "Tensor.add_",
        "nn.functional.gelu",
        "linalg.inv",
        "fft.fft",
        "special.i0e",
        *METHODS,
    ):
        ours, other = minigrad, torch
        for part in path.split("."):
            ours, other = getattr(ours, part), getattr(other, part)
        assert overrides.resolve_name(ours) == theirs.resolve_name(other) == f"torch.{path}"
    assert overrides.resolve_name(len) is theirs.resolve_name(len) is None


def test_methods_are_known():
    assert overrides.is_tensor_method_or_property(minigrad.Tensor.fill_)
    assert overrides.is_tensor_method_or_property(minigrad.Tensor.grad.__get__)
    assert not overrides.is_tensor_method_or_property(minigrad.zeros)


def test_functional_repeats_the_package():
    for name in minigrad.functional.__all__:
        assert getattr(minigrad.functional, name) is getattr(minigrad, name)


def test_types_can_be_used():
    assert isinstance(2, minigrad.types.Number) and isinstance("cpu", minigrad.types.Device)
    assert isinstance(minigrad.ones(1).untyped_storage(), minigrad.types.Storage)


def test_an_override_that_is_a_plain_method_is_called_with_a_warning():
    class Plain:
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return self, func.__name__

    class Static:
        @staticmethod
        def __torch_function__(func, types, args=(), kwargs=None):
            return func.__name__

    x = Plain()
    with pytest.warns(UserWarning, match="as a plain method is deprecated"):
        assert minigrad.add(x, 1) == (x, "add")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert minigrad.add(Static(), 1) == "add"
