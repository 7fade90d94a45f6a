"""A walk through the graph of a small expression, for a person who learns how autograd works.

    x = ones(2, 2), which requires grad
    y = x + 2
    z = y * y * 3
    out = mean of z

Run it:  python examples/graph_tour.py
"""

import textwrap

import minigrad as torch


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}")


def explain(text):
    print(textwrap.fill(" ".join(text.split()), width=88))


def show(name, value):
    """Print ``name = value``, the lines of a matrix below each other."""
    print(f"{name} = " + textwrap.indent(repr(value), " " * (len(name) + 3)).lstrip())


def title(node):
    """A node's name, and its age; the node of a leaf has none, as it was not made by an operation."""
    name = node.name().removeprefix("torch::autograd::")
    return name if hasattr(node, "variable") else f"{name}, number {node._sequence_nr()}"


def walk(node, indent="", seen=None):
    """Print a node, what it saved, and the nodes that its gradients go to; returns all nodes."""
    seen = [] if seen is None else seen
    if node in seen:
        print(f"{indent}{title(node)}: the same node as above")
        return seen
    seen.append(node)
    print(f"{indent}{title(node)}")
    for name in ("_saved_self", "_saved_other", "_saved_result"):
        value = getattr(node, name, None)
        if isinstance(value, torch.Tensor):
            print(f"{indent} | {name} = {value.tolist()}")
    if hasattr(node, "variable"):
        print(f"{indent} | adds what arrives to x.grad, which is {node.variable.grad} until now")
    for number, (following, _) in enumerate(node.next_functions):
        if following is None:
            print(f"{indent} +- edge {number} leads nowhere: this input is a number")
        else:
            print(f"{indent} +- edge {number} leads to")
            walk(following, indent + " |   ", seen)
    return seen


def main():
    heading("1. The forward pass computes, and records")
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    out = z.mean()
    for name, tensor in (("x", x), ("y", y), ("z", z), ("out", out)):
        show(name, tensor)
    print()
    explain("Each result knows the operation that made it: its grad_fn. No operation made x: it is a leaf.")

    heading("2. The graph, from the result back to the leaf")
    explain("""A node is one operation, numbered in the order in which they were recorded. Its edges, one for each
        input, say where gradients go next. What the formula of its derivative needs, the node has saved.""")
    print()
    nodes = walk(out.grad_fn)

    heading("3. One node, run by hand")
    explain(
        "A node can be called: it takes the gradient of its result, and gives the gradients of its inputs."
    )
    print()
    show("out.grad_fn(torch.tensor(1.))", out.grad_fn(torch.tensor(1.0)))
    print()
    explain("The mean of four elements grows by 1/4 of what any of them grows by.")

    heading("4. The backward pass")
    explain("""backward() runs the nodes, the youngest first, so that all gradients of a result have arrived (and
        are summed) when its node runs. A hook on each node shows what arrives:""")
    print()
    hooks = [
        node.register_prehook(lambda gradients, node=node: print(f"{title(node):24} {gradients[0].tolist()}"))
        for node in nodes
    ]
    out.backward()
    for hook in hooks:
        hook.remove()
    print()
    show("x.grad", x.grad)
    print()
    explain("By hand: out = 1/4 sum of 3 (x + 2)^2, so d(out)/dx = 3/2 (x + 2), which is 4.5 at x = 1.")

    heading("5. Afterwards")
    explain("What the nodes saved is freed as the backward pass goes along. A second one says so:")
    print()
    try:
        out.backward()
    except RuntimeError as error:
        explain(f"RuntimeError: {error}")

    if x.grad.tolist() != [[4.5, 4.5], [4.5, 4.5]]:
        raise SystemExit("the gradient is wrong")


if __name__ == "__main__":
    main()
