"""Watch a deep network's graph while it works: hooks, anomaly mode, what is saved for backward, and checkpoints.

    1. Gradients on their way: hooks on tensors, on nodes and on parameters, in the order in which they are called.
    2. A nan: anomaly mode finds the operation that made it, and the line that called it.
    3. A write that backward would suffer from: versions.
    4. What the graph keeps: bytes saved for backward, counted and halved by hooks on saved tensors.
    5. Memory against time: checkpoints, also selective ones.

Run it:  python examples/watching_the_graph.py [--quick]
"""

import argparse
import functools
import textwrap
import time
import tracemalloc
import warnings

import minigrad as torch
from minigrad import nn
from minigrad.autograd.graph import allow_mutation_on_saved_tensors, saved_tensors_hooks
from minigrad.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}")


def explain(text):
    print(textwrap.fill(" ".join(text.split()), width=100) + "\n")


def check(fact, complaint):
    """Stop unless what was just explained is so."""
    if not fact:
        raise SystemExit(complaint)


def hooks():
    heading("1. Gradients on their way")
    explain("""Backward goes from the loss to the leaf w. A hook on a tensor sees its gradient, and may replace it; hooks on a
        node see what goes into it and what comes out; the last hook of a leaf sees the gradient where it was added.""")
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    y = w * 3
    loss = (y**2).sum()
    called = []

    def say(what, gradient):
        called.append(what)
        print(f"  {what:30} {gradient.tolist()}")

    def clip(gradient):
        say("hook on y", gradient)
        return gradient.clamp(max=8)

    y.register_hook(clip)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda above: say("prehook of y's node", above[0]))
    y.grad_fn.register_hook(lambda below, above: say("hook of y's node: comes out", below[0]))
    w.register_hook(lambda gradient: say("hook on w", gradient))
    w.register_post_accumulate_grad_hook(lambda leaf: say("after w.grad was added to", leaf.grad))
    loss.backward()
    print()
    explain(
        f"The hook on y has clipped 12 to 8, so w.grad is {w.grad.tolist()}; y.grad, retained, is {y.grad.tolist()}."
    )
    check(w.grad.tolist() == [18, 24] and len(called) == 5, "the hooks were not called as they should be")


def normalised(x):
    """Rows of length 1; the derivative of the length has no value at a row of zeros."""
    return x / (x**2).sum(1, keepdim=True).sqrt().clamp(min=1e-6)


def anomaly():
    heading("2. A nan, and where it comes from")
    x = torch.tensor([[3.0, 4.0], [0.0, 0.0]], requires_grad=True)
    normalised(x).sum().backward()
    explain(f"""The second row of x is zero. The forward pass guards against the division, but the gradient is
        {x.grad.tolist()}. Inside detect_anomaly() the nan is found where it arises:""")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            with torch.autograd.detect_anomaly():
                normalised(x).sum().backward()
        except RuntimeError as error:
            print(f"  RuntimeError: {error}")
    *_, lines = (str(warning.message) for warning in said)
    print(textwrap.indent("\n".join(["...", *lines.splitlines()[-2:]]), "  ") + "\n")
    explain("So it is the square root: it has to be guarded inside, (...).clamp(min=1e-12).sqrt().")
    check("sqrt()" in lines, "anomaly mode names another line")


def versions():
    heading("3. A write that backward would suffer from")
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.zero_()
    explain(
        "The derivative of exp(x) is its result, which the node has saved. It was overwritten; backward notices:"
    )
    try:
        z.backward()
    except RuntimeError as error:
        explain(f"RuntimeError: {error}")
    explain(
        "Where such writes are meant, allow_mutation_on_saved_tensors() saves a copy just before each of them."
    )
    with allow_mutation_on_saved_tensors():
        y = x.exp()
        z = y.sum()
        y.zero_()
        z.backward()
    check(torch.allclose(x.grad, x.exp()), "the gradient is wrong")


def network(depth, width):
    """Blocks of a matrix product, two activations and dropout."""
    torch.manual_seed(0)
    block = lambda: nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Dropout(0.1), nn.Tanh())
    return nn.Sequential(*[block() for _ in range(depth)])


def gradient_of_first(model, x, way):
    """The gradient of the network's first matrix; what is dropped is the same each time."""
    torch.manual_seed(1)
    model.zero_grad()
    way(model, x).sum().backward()
    return next(model.parameters()).grad


def bytes_saved(model, x):
    """How much nodes save for backward, but for the parameters; what several of them save is counted once."""
    known = {p.untyped_storage().data_ptr() for p in model.parameters()}
    total = 0

    def pack(tensor):
        nonlocal total
        memory = tensor.untyped_storage()
        if memory.data_ptr() not in known:
            known.add(memory.data_ptr())
            total += memory.nbytes()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        kept = model(x)  # while the graph lives, no address is used twice
    del kept
    return total


def as_it_is(model, x):
    """All blocks one after the other."""
    return model(x)


def halved(model, x):
    """The same; activations that are saved for backward are kept in half precision."""
    pack = lambda tensor: tensor if tensor.is_leaf else tensor.half()
    with saved_tensors_hooks(pack, lambda kept: kept.float()):
        return model(x)


def checkpointed(model, x, **how):
    """The same; each block keeps its input only, and runs again in backward."""
    for block in model:
        x = checkpoint(block, x, use_reentrant=False, **how)
    return x


def saved_tensors(model, x):
    heading("4. What the graph keeps")
    explain(f"""{len(model)} blocks save {bytes_saved(model, x) / 1e6:.2f} MB for backward: the inputs of the products, the inputs or
        results of the activations, the masks of the dropout (the parameters are not counted). A pack hook may keep them in another form: on
        disk, compressed, in half precision.""")
    exact, rough = (gradient_of_first(model, x, way) for way in (as_it_is, halved))
    error = ((rough - exact).norm() / exact.norm()).item()
    explain(f"In half precision the gradient of the first matrix is off by {error:.1e} of its length.")
    check(0 < error < 0.01, "half precision should change the gradient a little")


def checkpoints(model, x):
    heading("5. Memory against time")
    explain("""A checkpoint keeps the input of a function only, and runs it again in backward. A selective one also keeps
        the results of chosen operations: here of the matrix products, which take the most time.""")
    products = functools.partial(create_selective_checkpoint_contexts, [torch.ops.aten.addmm.default])
    ways = {
        "as it is": as_it_is,
        "checkpoints, products kept": functools.partial(checkpointed, context_fn=products),
        "checkpoints": checkpointed,
    }
    exact = gradient_of_first(model, x, as_it_is)
    kept = []
    for name, way in ways.items():
        tracemalloc.start()
        loss = way(model, x).sum()
        kept.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        del loss
        start = time.perf_counter()
        gradient = gradient_of_first(model, x, way)
        seconds = time.perf_counter() - start
        print(f"  {name:27} {kept[-1] / 1e6:8.2f} MB until backward {seconds * 1e3:9.1f} ms for both passes")
        check(torch.equal(gradient, exact), f"{name}: another gradient")
    print()
    explain("""The gradients are the same to the last bit: when a block runs again, the random numbers of its dropout are
        those of the first time.""")
    check(kept[0] > kept[1] > kept[2], "checkpoints should save memory")


def main():
    parser = argparse.ArgumentParser(description="Watch a network's graph while it works.")
    parser.add_argument(
        "--quick", action="store_true", help="a small network, that only shows that everything works"
    )
    quick = parser.parse_args().quick
    hooks()
    anomaly()
    versions()
    depth, width, rows = (4, 32, 256) if quick else (16, 256, 2048)
    model, x = network(depth, width), torch.rand(rows, width)
    saved_tensors(model, x)
    checkpoints(model, x)


if __name__ == "__main__":
    main()
