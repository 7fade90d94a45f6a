"""Models as files of ONNX: the networks of the other examples, exported, run by another runtime, and read back.

The MLP, the convolutional network and the ResNet take any number of images, the LSTM and the GPT any number of texts of any length.

    python examples/export_to_onnx.py

takes a few seconds, and prints for each model what is in its file and how far onnxruntime's numbers, and those of the model that is read back, are from
the network's own.  It needs the packages of the extra ``onnx``.
"""

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

if any(importlib.util.find_spec(name) is None for name in ("onnx", "onnxruntime")):
    print("This example needs onnx and onnxruntime: pip install 'minigrad-numpy[onnx]'")
    sys.exit(0)

from character_gpt import GPT
from digits import network
from digits_cnn import CNN
from finetune_resnet import ResNet
from lstm_text import Reader

import minigrad as torch
from minigrad.export import Dim


def models(quick):
    """Each as (name, model, inputs, what of their sizes may differ, inputs of other sizes)."""
    batch = {0: "batch"}
    yield "MLP", network(), (torch.randn(2, 64),), (batch,), (torch.randn(5, 64),)
    yield "CNN", CNN(), (torch.randn(2, 1, 8, 8),), (batch,), (torch.randn(5, 1, 8, 8),)
    yield "ResNet", ResNet(10), (torch.randn(2, 1, 8, 8),), (batch,), (torch.randn(5, 1, 8, 8),)
    letters, width, depth = 60, 32 if quick else 128, 2 if quick else 4

    def text(*shape):
        return torch.randint(0, letters, shape)

    length = {0: "length", 1: "batch"}
    yield "LSTM", Reader(letters, width, 2), (text(6, 2),), {"x": length}, (text(11, 3),)
    context = Dim("length", max=64)
    yield (
        "GPT",
        GPT(letters, 64, depth, width, 4),
        (text(2, 16),),
        ({0: "batch", 1: context},),
        (text(3, 64),),
    )


def largest_gap(mine, wanted):
    """How far two results are apart, at most."""
    return max((a - b).abs().max().item() for a, b in zip(mine, wanted, strict=True))


def results(value):
    """The tensors of a result, in order."""
    if isinstance(value, torch.Tensor):
        return [value.detach()]
    return [each for part in value for each in results(part)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small LSTM and GPT")
    quick = parser.parse_args().quick
    torch.manual_seed(0)
    print(
        f"{'':8}{'nodes':>6}{'weights':>9}{'KB':>7}   largest differences: onnxruntime, read back; other sizes"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, model, inputs, sizes, others in models(quick):
            model.eval()
            path = Path(folder) / f"{name}.onnx"
            program = torch.onnx.export(model, inputs, path, dynamic_shapes=sizes, external_data=False)
            graph = program.model_proto.graph
            gaps = [largest_gap(program(*x), results(model(*x))) for x in (inputs, others)]
            back = largest_gap(results(torch.onnx.load(path)(*others)), results(model(*others)))
            print(
                f"{name:8}{len(graph.node):6}{len(graph.initializer):9}{path.stat().st_size / 1000:7.0f}"
                f"   {gaps[0]:.1e}, {back:.1e}; {gaps[1]:.1e}"
            )
            assert max(*gaps, back) < 1e-4
        kinds = sorted({node.op_type for node in graph.node})
        print(f"\nThe GPT consists of {', '.join(kinds)}.")
        for value in (*graph.input, *graph.output):
            dims = [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]
            print(f"  {value.name}: {dims}")


if __name__ == "__main__":
    main()
