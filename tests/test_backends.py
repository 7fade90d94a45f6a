"""``backends``: libraries that are not there, and their settings."""

import pytest

from minigrad import backends, version


@pytest.mark.parametrize("name", "cudnn cusparselt mkl mkldnn mps nnpack openmp".split())
def test_none_is_available(name):
    assert getattr(backends, name).is_available() is False


def test_nothing_was_built_for_accelerators():
    assert not backends.cuda.is_built() and not backends.mps.is_built()
    assert not backends.cuda.is_flash_attention_available()
    assert version.cuda is version.hip is None and version.debug is False
    assert backends.cudnn.version() is None and not backends.cudnn.is_acceptable(None)
    assert backends.cpu.get_cpu_capability() in ("AVX512", "AVX2", "DEFAULT")


@pytest.mark.parametrize("module", [backends.cudnn, backends.mkldnn])
def test_settings_are_changed_for_a_block(module):
    before = module.enabled, module.deterministic
    with module.flags(enabled=False, deterministic=True):
        assert (module.enabled, module.deterministic) == (False, True)
    assert (module.enabled, module.deterministic) == before
    with pytest.raises(KeyError), module.flags(deterministic=True):
        raise KeyError
    assert module.deterministic == before[1]


def test_settings_can_be_assigned(monkeypatch):
    monkeypatch.setattr(backends.cudnn, "benchmark", True)
    assert backends.cudnn.benchmark
    before = backends.cudnn.set_flags(_benchmark=False)
    assert before == (True, True, None, False, True) and not backends.cudnn.benchmark
    monkeypatch.setattr(backends.cuda.matmul, "allow_tf32", True)
    assert backends.cuda.matmul.allow_tf32


@pytest.mark.parametrize("name", "flash mem_efficient math cudnn".split())
def test_kernels_of_attention_can_be_chosen(name):
    enabled, enable = (getattr(backends.cuda, f) for f in (f"{name}_sdp_enabled", f"enable_{name}_sdp"))
    assert enabled()
    enable(False)
    assert not enabled()
    enable(True)
    with backends.cuda.sdp_kernel(False, False, False, False):
        assert not enabled()
    assert enabled()


def test_the_fast_path_of_attention_can_be_switched():
    backends.mha.set_fastpath_enabled(False)
    assert not backends.mha.get_fastpath_enabled()
    backends.mha.set_fastpath_enabled(True)
    assert backends.mha.get_fastpath_enabled()


def test_a_name_that_does_not_exist():
    assert {"cudnn", "mps"} <= set(dir(backends))
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'"):
        backends.nosuch


def test_the_order_of_einsum_is_a_setting():
    settings = backends.opt_einsum
    library = settings.get_opt_einsum()
    assert settings.is_available() is settings.enabled is (library is not None)
    with settings.flags(enabled=False):
        assert not settings.enabled
        with pytest.raises(ValueError, match="opt_einsum is not (available|enabled)"):
            settings.strategy = "greedy"
    assert settings.enabled is (library is not None)
    if library is None:
        assert settings.strategy is None
        with pytest.raises(ValueError, match="opt_einsum is not available"):
            settings.enabled = True
    else:
        with settings.flags(strategy="optimal"):
            assert settings.strategy == "optimal"
        assert settings.set_flags() == (True, "auto")
        with pytest.raises(ValueError, match="must be one of the following"):
            settings.strategy = "best"
