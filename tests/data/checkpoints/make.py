"""Write the checkpoints in this directory with PyTorch; run it with the directory as working directory.

They are recorded, so that ``test_serialization.py`` can read PyTorch's files where PyTorch is not installed.
"""

import collections
import sys

import torch

DTYPES = "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"


def tensors():
    """One of everything that ``weights_only`` reads."""
    base = torch.arange(12.0).reshape(3, 4)
    attribute = torch.ones(1)
    attribute.tag = "noted"
    parameter = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    parameter.tag = "noted"
    found = collections.OrderedDict(
        base=base,
        row=base[1],
        transposed=base.t(),
        every_other=base[:, ::2],
        expanded=torch.ones(1).expand(3),
        scalar=torch.tensor(3.5),
        empty=torch.empty(0, 3),
        leaf=torch.ones(2, requires_grad=True),
        conjugate=torch.tensor([1 + 2j]).conj(),
        negative=torch.tensor([1 - 2j]).conj().imag,
        parameter=torch.nn.Parameter(torch.zeros(2)),
        noted_parameter=parameter,
        noted=attribute,
        size=torch.Size([2, 3]),
        dtype=torch.bool,
        device=torch.device("cpu"),
        layout=torch.strided,
        nested=[1, (2.5, None, {"key": True}), {1, 2}, b"\x00\xff", bytearray(b"ab"), 1j, 2**70, "ü"],
        counter=collections.Counter("aab"),
        storage=torch.tensor([1, 2], dtype=torch.uint8).untyped_storage(),
    )
    for name in DTYPES.split():
        dtype = getattr(torch, name)
        found[name] = torch.tensor([0, 1, 1], dtype=torch.int64).to(dtype)
    found._metadata = {"": {"version": 1}}
    return found


class Scale(torch.nn.Module):
    """A user's module; the legacy format records this source text."""

    def __init__(self):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.full((2,), 3.0))
        self.register_buffer("calls", torch.tensor(7))

    def forward(self, x):
        return self.factor * x


def training():
    """A model and an optimizer after a step."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.125)
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
    return model, {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}


if __name__ == "__main__":
    torch.save(tensors(), "tensors.pt")
    torch.save(tensors(), "tensors_legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(tensors(), "tensors_protocol4.pt", pickle_protocol=4)
    model, state = training()
    torch.save(state, "training.pt")
    torch.save(model, "model.pt")
    Scale.__module__ = "recorded_model"
    sys.modules["recorded_model"] = sys.modules["__main__"]
    sys.modules["__main__"].__file__ = "make.py"  # the format records the path, too
    torch.save(Scale(), "module_legacy.pt", _use_new_zipfile_serialization=False)
