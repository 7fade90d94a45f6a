"""``backends``: libraries that are not there, and their settings."""

import subprocess
import sys

import pytest

import minigrad
from minigrad import backends, version


@pytest.mark.parametrize("name", "cudnn cusparselt mkl mps nnpack openmp".split())
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
    assert before == (True, True, None, False, True, "none", "auto") and not backends.cudnn.benchmark
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


QUESTIONS = """
fp32_precision
flags_frozen()
cudnn.enabled, cudnn.benchmark, cudnn.benchmark_limit, cudnn.deterministic, cudnn.allow_tf32, cudnn.fp32_precision, cudnn.depthwise_kernel
cudnn.conv.fp32_precision, cudnn.rnn.fp32_precision
cudnn.version(), cudnn.is_available(), len(cudnn.CUDNN_TENSOR_DTYPES)
cudnn.set_flags()
setattr(cudnn, "enabled", 3)
setattr(cudnn, "benchmark", "yes")
setattr(cudnn, "fp32_precision", "x")
setattr(cudnn.conv, "fp32_precision", "x")
cusparselt.is_available(), cusparselt.version(), cusparselt.get_max_alg_id()
cuda.is_built(), cuda.is_flash_attention_available(), cuda.is_ck_sdpa_available()
cuda.fp16_bf16_reduction_math_sdp_allowed()
cuda.matmul.allow_tf32, cuda.matmul.allow_fp16_reduced_precision_reduction, cuda.matmul.allow_bf16_reduced_precision_reduction
cuda.matmul.allow_fp16_accumulation, cuda.matmul.fp32_precision
setattr(cuda.matmul, "allow_tf32", 3)
setattr(cuda.matmul, "nosuch", 3)
setattr(cuda.matmul, "fp32_precision", "x")
cuda.matmul.nosuch
cuda.preferred_linalg_library()
cuda.preferred_linalg_library("default").name
cuda.preferred_linalg_library("nosuch")
cuda.preferred_linalg_library(3)
cuda.preferred_blas_library().name
cuda.preferred_blas_library("nosuch")
cuda.preferred_rocm_fa_library().name
cuda.cublas_workspace_size()
cuda.cufft_plan_cache.size
cuda.cufft_plan_cache.max_size
cuda.cufft_plan_cache.clear()
cuda.cufft_plan_cache[0]
cuda.cufft_plan_cache["cpu"]
cuda.can_use_flash_attention(cuda.SDPAParams(x, x, x, None, 0.0, False, False))
cuda.can_use_efficient_attention(cuda.SDPAParams(x, x, x, None, 0.0, False, False))
kleidiai.is_available()
mha.get_fastpath_enabled()
miopen.immediate
miopen.set_flags(False)
setattr(miopen, "immediate", 3)
mkl.VERBOSE_ON, mkl.verbose(0).__enter__()
mkldnn.enabled, mkldnn.deterministic, mkldnn.allow_tf32, mkldnn.fp32_precision, mkldnn.matmul.fp32_precision, mkldnn.conv.fp32_precision
mkldnn.VERBOSE_ON_CREATION, mkldnn.is_acl_available()
setattr(mkldnn, "enabled", 0)
mps.is_available(), mps.is_built()
mps.get_name()
mps.get_core_count()
mps.is_macos13_or_newer()
mps.is_macos_or_newer(13, 0)
nnpack.set_flags(True)
setattr(quantized, "engine", "nosuch")
setattr(quantized, "engine", "none")
xnnpack.enabled
""".strip().splitlines()


def answer(question, library):
    names = {
        name: getattr(library.backends, name, None)
        for name in (*dir(library.backends), "flags_frozen", "fp32_precision", "xnnpack")
    }
    try:
        text = repr(eval(question, names | {"x": library.ones(1, 1, 1, 1)}))
    except Exception as error:
        text = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return text.rstrip(".")


@pytest.mark.torch
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_pytorchs(question):
    import torch
    import torch.backends.xnnpack

    theirs, ours = answer(question, torch), answer(question, minigrad)
    assert ours.startswith(theirs) if "Error" in theirs else ours == theirs


def test_settings_can_be_frozen_but_for_blocks():
    code = """
import minigrad
from minigrad import backends
backends.fp32_precision = "ieee"
backends.disable_global_flags()
assert backends.flags_frozen()
for module, name in ((backends, "fp32_precision"), (backends.cudnn, "enabled"), (backends.mkldnn, "deterministic")):
    try:
        setattr(module, name, getattr(module, name))
    except RuntimeError as error:
        print(error)
with backends.cudnn.flags(benchmark=True):
    assert backends.cudnn.benchmark
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"not allowed to set {name} flags after disable_global_flags; please use flags() context manager instead"
        for name in ("torch.backends", "torch.backends.cudnn", "torch.backends.mkldnn")
    ]


def test_a_block_can_ask_for_the_libraries_talk():
    for library in (backends.mkl, backends.mkldnn):
        with library.verbose(library.VERBOSE_ON) as talk:
            assert isinstance(talk, library.verbose)
