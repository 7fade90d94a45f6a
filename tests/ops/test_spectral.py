"""Fourier transforms at their awkward points: the definition, nodes, short-time transforms, what is refused."""

import numpy as np
import pytest

import minigrad as torch

fft = torch.fft
ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
SEVERAL = [f"{name}n" for name in ONE]
OF_REAL = {"rfft", "ihfft", "rfftn", "ihfftn"}


def signal(name, shape, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return x if name in OF_REAL else x + 1j * rng.normal(size=shape)


def test_many_rows_have_the_same_bits_on_one_thread_and_on_two():
    threads, answers = torch.get_num_threads(), []
    x = torch.tensor(signal("rfft", (600, 500)), dtype=torch.float32)
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            half = fft.rfft(x)
            answers.append([half, fft.irfft(half), fft.fft2(x), fft.ifft(fft.fft(x))])
    finally:
        torch.set_num_threads(threads)
    for one, two in zip(*answers):
        assert one.stride() == two.stride() and torch.equal(one, two)
    np.testing.assert_allclose(answers[0][0].numpy(), np.fft.rfft(x.numpy()), rtol=1e-4, atol=1e-4)


def test_the_definition():
    x = signal("fft", 5)
    k = np.arange(5)
    expected = np.exp(-2j * np.pi * np.outer(k, k) / 5) @ x
    np.testing.assert_allclose(fft.fft(torch.tensor(x)).numpy(), expected, atol=1e-12)
    assert fft.fftn(torch.tensor(2.0)).equal(torch.tensor(2 + 0j))


def test_out():
    x = torch.ones(4)
    out = torch.empty(0, dtype=torch.complex64)
    assert fft.fft(x, out=out) is out and out.equal(fft.fft(x))
    out = torch.empty(0, dtype=torch.float64)
    assert fft.irfft(x, out=out) is out and out.equal(fft.irfft(x).double())
    with pytest.raises(RuntimeError, match="fft expects a complex output tensor, but got Float"):
        fft.fft(x, out=torch.empty(4))
    with pytest.raises(
        RuntimeError, match="irfft expects a floating point output tensor, but got ComplexFloat"
    ):
        fft.irfft(x, out=torch.empty(4, dtype=torch.complex64))
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        fft.fft(x.requires_grad_(), out=torch.empty(4, dtype=torch.complex64))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda x: fft.fft(x, 0), RuntimeError, "Invalid number of data points (0) specified"),
        (lambda x: fft.irfft(x[:, :1]), RuntimeError, "Invalid number of data points (0) specified"),
        (lambda x: fft.fft(x, norm="abc"), RuntimeError, 'Invalid normalization mode: "abc"'),
        (lambda x: fft.fft(x, dim=5), IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 5)"),
        (lambda x: fft.fft(x[0, 0]), IndexError, "Dimension specified as -1 but tensor has no dimensions"),
        (lambda x: fft.fft(x.half()), RuntimeError, "Unsupported dtype Half"),
        (lambda x: fft.fft(x, n=2.5), TypeError, "fft_fft(): argument 'n' (position 2) must be int, not float"),
        (lambda x: fft.fft([1.0]), TypeError, "fft_fft(): argument 'input' (position 1) must be Tensor, not list"),
        (lambda x: fft.rfft(x + 0j), RuntimeError, "rfft expects a real input tensor, but got ComplexDouble"),
        (lambda x: fft.rfftn(x + 0j), RuntimeError, "rfftn expects a real-valued input tensor, but got ComplexDouble"),
        (lambda x: fft.fftn(x, dim=(0, -2)), RuntimeError, "FFT dims must be unique"),
        (lambda x: fft.fftn(x, (3, 3), (0,)), RuntimeError, "dim and shape arguments must have the same length"),
        (lambda x: fft.fftn(x, (3, 3, 3)), RuntimeError, "Got shape with 3 values but input tensor only has 2 dimensions."),
        (lambda x: fft.rfftn(x, dim=()), RuntimeError, "rfftn must transform at least one axis"),
        (lambda x: fft.fftshift(x[0, 0]), RuntimeError, "`shifts` required"),
        (lambda x: fft.fftfreq(3, dtype=torch.int64), RuntimeError, "requires a floating point or complex dtype"),
    ],
)  # fmt: skip
def test_errors(call, kind, words):
    with pytest.raises(kind) as caught:
        call(torch.ones(3, 4, dtype=torch.float64))
    assert words in str(caught.value)


# Short-time transforms -----------------------------------------------------------------------------------------------


def frames_of(x, n, hop, window, center):
    if center:
        x = np.pad(x, n // 2, mode="reflect")
    starts = range(0, len(x) - n + 1, hop)
    return np.stack([np.fft.rfft(x[start : start + n] * window) for start in starts], 1)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("hop", [2, 3])
def test_stft_is_the_transform_of_windows(hop, center):
    x, w = np.random.default_rng(0).normal(size=30), torch.hann_window(8, dtype=torch.float64)
    got = torch.stft(torch.tensor(x), 8, hop, window=w, center=center, return_complex=True)
    expected = frames_of(x, 8, hop, w.numpy(), center)
    np.testing.assert_allclose(got.numpy(), expected, atol=1e-12)
    both = torch.stft(torch.tensor(x), 8, hop, window=w, center=center, onesided=False, return_complex=True)
    assert both.shape == (8, expected.shape[1])
    np.testing.assert_allclose(both.numpy()[:5], expected, atol=1e-12)
    pairs = torch.stft(torch.tensor(x), 8, hop, window=w, center=center, return_complex=False)
    assert pairs.equal(torch.view_as_real(got))
    normalized = torch.stft(
        torch.tensor(x), 8, hop, window=w, center=center, normalized=True, return_complex=True
    )
    np.testing.assert_allclose(normalized.numpy() * np.sqrt(8), expected, atol=1e-12)


def test_short_time_transforms_without_a_window_warn():
    with pytest.warns(UserWarning, match="which is known to cause spectral leakage"):
        z = torch.stft(torch.ones(16), 8, return_complex=True)
    with pytest.warns(UserWarning, match="provide the same window used by stft"):
        assert torch.allclose(torch.istft(z, 8), torch.ones(16))


@pytest.mark.parametrize("win_length", [None, 6, 5])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("onesided", [True, False])
def test_istft_inverts_stft(win_length, normalized, onesided):
    x = torch.tensor(np.random.default_rng(0).normal(size=(2, 32)))
    w = torch.hamming_window(win_length or 8, dtype=torch.float64)
    options = {
        "hop_length": 2, "win_length": win_length, "window": w, "normalized": normalized, "onesided": onesided,
    }  # fmt: skip
    z = torch.stft(x, 8, return_complex=True, **options)
    np.testing.assert_allclose(torch.istft(z, 8, **options).numpy(), x.numpy(), atol=1e-12)
    np.testing.assert_allclose(torch.istft(z, 8, length=20, **options).numpy(), x.numpy()[:, :20], atol=1e-12)
    if win_length is None:  # else the windows leave out what is behind the last of them
        longer = z[0].istft(8, length=40, **options)
        assert longer.shape == (40,)
        np.testing.assert_allclose(longer.numpy()[:32], x.numpy()[0], atol=1e-12)


@pytest.mark.filterwarnings("ignore:A window was not provided")
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x, z: torch.stft(x, 8), "stft requires the return_complex parameter be given for real inputs"),
        (lambda x, z: torch.stft(x, 0, return_complex=True), "expected 0 < n_fft < 20, but got n_fft=0"),
        (lambda x, z: torch.stft(x, 8, 0, return_complex=True), "expected hop_length > 0, but got hop_length=0"),
        (lambda x, z: torch.stft(x, 8, 2, 9, return_complex=True), "expected 0 < win_length <= n_fft, but got win_length=9"),
        (lambda x, z: torch.stft(x, 50, return_complex=True), "Padding size should be less than the corresponding input dimension"),
        (lambda x, z: torch.stft(x + 0j, 8, onesided=True), "Cannot have onesided output if window or input is complex"),
        (lambda x, z: torch.istft(x, 8), "istft requires a complex-valued input tensor"),
        (lambda x, z: torch.istft(z, 10), "to match n_fft / 2 + 1 when onesided=True, but got 5"),
        (lambda x, z: torch.istft(z, 8, 9), "expected 0 < hop_length <= win_length"),
        (lambda x, z: torch.istft(z, 8, window=torch.zeros(8)), "window overlap add min: 1"),
    ],
)  # fmt: skip
def test_errors_of_short_time_transforms(call, words):
    x = torch.ones(2, 20)
    with pytest.raises(RuntimeError) as caught:
        call(x, torch.stft(x, 8, return_complex=True))
    assert words in str(caught.value)


@pytest.mark.torch
def test_torch_agrees_on_nodes_and_gradients():
    theirs = pytest.importorskip("torch")
    for name in ONE + SEVERAL:
        grads = []
        for library in (torch, theirs):
            x = library.tensor(signal(name, (3, 4)).tolist(), requires_grad=True)
            z = getattr(library.fft, name)(x, norm="ortho")
            (g,) = library.autograd.grad(z.abs().sum(), x)
            grads.append((type(z.grad_fn).__name__, g.resolve_conj().numpy()))
        (node, got), (their_node, expected) = grads
        assert node == their_node
        np.testing.assert_allclose(got, expected, rtol=2e-4, atol=1e-5)
