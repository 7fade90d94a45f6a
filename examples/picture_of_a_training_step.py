"""Take pictures of a training step: the graph with its modules, the gradients in it, and the backward pass node by node.

    1. The graph of a network's loss: which module and which line made each node.
    2. Where gradients vanish: statistics of each node's gradient, noted during backward.
    3. The same pass as a replay, for a network small enough to read.

The pages need no network and no server: open them in a browser.

Run it:  python examples/picture_of_a_training_step.py [--quick] [--folder out]
"""

import argparse
import math
import tempfile
import textwrap
from pathlib import Path

import minigrad as torch
from minigrad import nn, viz
from minigrad.autograd.graph import record_origins


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}")


def explain(text):
    print(textwrap.fill(" ".join(text.split()), width=100) + "\n")


def check(fact, complaint):
    """Stop unless what was just explained is so."""
    if not fact:
        raise SystemExit(complaint)


class Network(nn.Module):
    """A deep network of narrow layers with an activation between them."""

    def __init__(self, activation, depth, width):
        super().__init__()
        self.inner = nn.Sequential(
            *[nn.Sequential(nn.Linear(width, width), activation()) for _ in range(depth)]
        )
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        return self.head(self.inner(x))


def picture_of_a_step(network, x, targets, title):
    """One forward and backward, and the picture of it with the gradients that flowed."""
    with record_origins():
        loss = nn.functional.cross_entropy(network(x), targets)
    picture = viz.graph(loss, model=network, title=title)
    with picture.watch():
        loss.backward()
    return picture


def gradients(picture, kind):
    """The norms of the gradients of a network's weights, from the first layer to the last."""
    weights = [node for node in picture.nodes if node.label.endswith(f"{kind}.weight")]
    return [node.gradient.norm for node in reversed(weights)]


def bars(norms):
    """Print a bar for each norm, on a logarithmic scale."""
    for layer, norm in enumerate(norms):
        print(f"  layer {layer:2}  {norm:9.2e}  {'#' * max(0, round(3 * (12 + math.log10(norm))))}")


def graph(folder, depth, width):
    heading("1. The graph of a step")
    torch.manual_seed(0)
    x, targets = torch.randn(32, width), torch.randint(0, 2, (32,))
    vanishing = picture_of_a_step(Network(nn.Sigmoid, depth, width), x, targets, "Sigmoids")
    explain(f"""A network of {depth} layers with sigmoids leaves a graph of {len(vanishing.nodes)} nodes. Each knows the module and the line that
        made it.""")
    for node in vanishing.nodes[:4]:
        print(
            f"  {node.label:12} {node.outputs[0]!s:18} {node.module:10} {'' if node.source is None else node.source.text}"
        )
    vanishing.save_html(folder / "sigmoids.html")
    (folder / "sigmoids.dot").write_text(vanishing.dot())

    heading("2. Where gradients vanish")
    explain("""During backward, the picture noted what arrived at each node. In the page, a click on a node shows it; here are the norms of
        the gradients of the weights. A sigmoid lets through a quarter of a gradient at most:""")
    small = gradients(vanishing, "0")
    bars(small)
    flowing = picture_of_a_step(Network(nn.ReLU, depth, width), x, targets, "Rectifiers")
    print("\nWith rectifiers instead:\n")
    large = gradients(flowing, "0")
    bars(large)
    flowing.save_html(folder / "rectifiers.html")
    check(small[0] < small[-1] / 1000, "the gradients should vanish through sigmoids")
    check(large[0] / large[-1] > 100 * small[0] / small[-1], "rectifiers should let more through")


def replay(folder):
    heading("3. Backward, step by step")
    w = torch.tensor([[1.0, -2.0], [0.5, 1.0]], requires_grad=True)
    b = torch.tensor([0.5, -0.5], requires_grad=True)
    x, y = torch.tensor([[1.0, 2.0]]), torch.tensor([[0.0, 1.0]])
    with record_origins():
        h = torch.tanh(x @ w + b)
        loss = ((h - y) ** 2).mean()
    steps = viz.step(loss, title="One layer")
    print(steps)
    check(w.grad is None, "a replay leaves .grad as it was")
    loss.backward()
    of_w = next(step for step in steps.steps if steps.nodes[step.node].label == "w")
    check(of_w.incoming[0].values == w.grad.tolist(), "a replay shows what backward gives")
    steps.save_html(folder / "replay.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("out"), help="where the pages go")
    parser.add_argument("--quick", action="store_true", help="a small network, and files for the moment only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) if options.quick else options.folder
        folder.mkdir(parents=True, exist_ok=True)
        graph(folder, *((6, 8) if options.quick else (12, 16)))
        replay(folder)
        written = sorted(path.name for path in folder.iterdir() if path.suffix in (".html", ".dot"))
        print(
            f"\nWritten to {'a folder that is gone again' if options.quick else folder}: {', '.join(written)}"
        )


if __name__ == "__main__":
    main()
