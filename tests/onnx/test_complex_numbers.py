"""``onnx.export`` of complex numbers, which are two values each, and of the spectra of signals, for any length."""

import pytest

import minigrad as torch
from minigrad.onnx.errors import ConversionError, OnnxExporterError
from tests.onnx.checked_exports import check
from tests.onnx.exported_cases import Call

HANN, SHORT = torch.hann_window(16), torch.hamming_window(12)
TURNS = torch.polar(torch.ones(9, 2), torch.linspace(0, 3, 18).view(9, 2))


def parts(x):
    """What is computed of one spectrum."""
    one = torch.stft(
        x, 15, 4, normalized=True, return_complex=True, onesided=False, pad_mode="constant", window=HANN[:15]
    )
    return (
        one.real,
        one.imag,
        one.angle(),
        torch.view_as_real(one.transpose(1, 2)),
        (one * one.conj()).real,
        (one * 2 + 1 - one / 3).abs(),
        (one / (one + 3)).abs(),
        torch.cat([one, -one], 1).sum(1).real,
    )


#: Functions of signals (rows, length).
SIGNALS = {
    "magnitudes": lambda x: torch.stft(x, 16, 4, 16, HANN, return_complex=True)[..., :-1].abs() ** 2,
    "a short window": lambda x: torch.stft(x, 16, 5, 12, SHORT, center=False, return_complex=False),
    "one signal": lambda x: torch.stft(x[0], 16, return_complex=True, window=HANN).abs(),
    "parts": parts,
    "there and back": lambda x: torch.istft(
        torch.stft(x, 16, 4, 12, SHORT, return_complex=True), 16, 4, 12, SHORT
    ),
    "back to a length": lambda x: torch.istft(
        torch.stft(x, 15, 5, window=HANN[:15], return_complex=True, normalized=True),
        15,
        5,
        window=HANN[:15],
        normalized=True,
        length=x.shape[-1],
    ),
    "turned": lambda x: torch.view_as_real(
        torch.view_as_complex(x[:, :36].clone().view(-1, 9, 2, 2)) * TURNS[None]
    ).flatten(2),
    "made": lambda x: (torch.complex(x, x * 2) * torch.polar(x.abs() + 1, x)).abs(),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_spectra_of_any_length(name):
    module = Call(SIGNALS[name]).eval()
    program = torch.onnx.export(
        module, (torch.randn(2, 60),), dynamic_shapes=({0: "rows", 1: torch.export.Dim("length", min=36)},)
    )
    loaded = torch.onnx.load(program.model_proto)
    for sizes in ((2, 60), (1, 83), (3, 128)):
        x = torch.randn(*sizes)
        check(program, module, x, atol=2e-5)
    signal = x.clone().requires_grad_()
    first = loaded(signal)
    (first[0] if isinstance(first, tuple) else first).square().sum().backward()
    again = x.clone().requires_grad_()
    wanted = module(again)
    (wanted[0] if isinstance(wanted, tuple) else wanted).square().sum().backward()
    torch.testing.assert_close(signal.grad, again.grad, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("dim", [1, -1])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_transforms_of_a_dimension(dim, norm):
    def function(x):
        half, whole = torch.fft.rfft(x, dim=dim, norm=norm), torch.fft.fft(x, 7, dim, norm)
        both = torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2)
        return half.abs(), torch.view_as_real(whole), both.real, torch.fft.rfft(x, 3, dim).imag

    module = Call(function).eval()
    program = torch.onnx.export(module, (torch.randn(2, 5, 6),), dynamic_shapes=({0: "rows"},))
    for rows in (2, 1, 9):
        check(program, module, torch.randn(rows, 5, 6))


#: What is refused -> what the error says.
REFUSED = {
    "returned": (lambda x: torch.complex(x, x), OnnxExporterError, "return torch.view_as_real"),
    "another function": (lambda x: torch.complex(x, x).exp().real, ConversionError, "exp of complex numbers"),
    "beside others": (
        lambda x: torch.stack([torch.complex(x, x), x]).real,
        ConversionError,
        "beside others",
    ),
    "written": (lambda x: torch.complex(x, x).mul_(2).real, ConversionError, "mul_ writes complex"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form(name):
    function, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        torch.onnx.export(Call(function).eval(), (torch.randn(2, 3),))
