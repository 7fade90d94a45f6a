"""``TorchVersion``: a string that is compared as versions are."""

import operator

import pytest

from minigrad.torch_version import TorchVersion

OPERATORS = "lt le eq ne gt ge".split()
#: Versions in their order.
ORDER = (
    "0.4.1 1.9 1.10.0 2.13.0.dev20260101 2.13.0a0 2.13.0a0+git1 2.13.0b2 2.13.0rc1.dev3 2.13.0rc1 2.13.0 2.13.0+cpu "
    "2.13.0+cu118.3 2.13.0+cu118.11 2.13.0+minigrad 2.13.0.post1 2.13.1 10.0 1!1.0"
).split()
EQUAL = ["2.13", "2.13.0", "v2.13.0.0", (2, 13), [2, 13, 0]]


@pytest.mark.parametrize("place", range(len(ORDER)), ids=ORDER)
def test_versions_are_ordered(place):
    version = TorchVersion(ORDER[place])
    for other, text in enumerate(ORDER):
        for name in ("lt", "le", "gt", "ge", "eq"):
            assert getattr(operator, name)(version, text) is getattr(operator, name)(place, other), (
                name,
                text,
            )


def test_forms_of_one_version_are_equal():
    for text in EQUAL[:3]:
        for other in EQUAL:
            assert TorchVersion(text) == other and not TorchVersion(text) < other
    assert TorchVersion("2.13.0+minigrad") > (2, 13) and TorchVersion("2.13.0+minigrad") < (3,)


def test_it_is_a_string():
    version = TorchVersion("2.13.0+minigrad")
    assert (
        version.split("+")[0] == "2.13.0"
        and f"{version}" == "2.13.0+minigrad"
        and hash(version) == hash("2.13.0+minigrad")
    )
    assert (version == 2) is False and (version == "no version") is False and version < "no version"
    with pytest.raises(TypeError):
        version < 3


@pytest.mark.torch
def test_pytorch_compares_alike():
    theirs = pytest.importorskip("torch.torch_version").TorchVersion
    for text in [*ORDER, *EQUAL[:3]]:
        for other in [*ORDER, *EQUAL, "no version"]:
            for name in OPERATORS:
                ours, expected = (getattr(operator, name)(cls(text), other) for cls in (TorchVersion, theirs))
                assert ours is expected, (text, name, other)
