"""A walk through the graph of a small expression, for a person who learns how autograd works.

    x = ones(2, 2), which requires grad
    y = x + 2
    z = y * y * 3
    out = mean of z

Run it:  python examples/graph_tour.py
"""

import minigrad as torch


def heading(text):
    print(f"\n{text}\n{'-' * len(text)}")


def walk(node, indent="", seen=None):
    """Print a node, what it saved, and the nodes its gradients go to."""
    seen = set() if seen is None else seen
    print(f"{indent}{node.name()}   (sequence number {node._sequence_nr()})")
    for name in ("_saved_self", "_saved_other", "_saved_result"):
        value = getattr(node, name, None)
        if isinstance(value, torch.Tensor):
            print(f"{indent}   {name} = {value.detach().tolist()}")
    if hasattr(node, "variable"):
        print(f"{indent}   a leaf: its .grad is {node.variable.grad}")
    if node in seen:
        print(f"{indent}   (seen above)")
        return
    seen.add(node)
    for number, (following, _) in enumerate(node.next_functions):
        if following is None:
            print(f"{indent}   edge {number}: nothing, this input wants no gradient")
        else:
            print(f"{indent}   edge {number} leads to")
            walk(following, indent + "      ", seen)


def main():
    heading("1. The forward pass computes, and records")
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    out = z.mean()
    for name, t in (("x", x), ("y", y), ("z", z), ("out", out)):
        print(f"{name} = {t}")
    print("\nEach result knows the operation that made it: its grad_fn. x was made by nobody: it is a leaf.")

    heading("2. The graph, from the result back to the leaf")
    print("A node is one operation. Its edges say where gradients go next. What its formula needs, it saved.\n")
    walk(out.grad_fn)

    heading("3. Running one node by hand")
    print("A node can be called: it takes the gradient of its result and gives the gradients of its inputs.")
    grad_out = torch.ones(())
    grad_z = out.grad_fn(grad_out)
    print(f"MeanBackward0({grad_out}) =\n{grad_z}")
    print("d(mean)/dz is 1/4 for each of the four elements.")

    heading("4. The backward pass")
    print("backward() does this for all nodes, the youngest first, and adds up what arrives at the leaf.")
    out.backward()
    print(f"x.grad =\n{x.grad}")
    print("\nBy hand: out = 1/4 sum of 3 (x + 2)^2, so d(out)/dx = 3/2 (x + 2) = 4.5 at x = 1.")

    heading("5. Afterwards")
    print("What the nodes saved is freed as backward goes along. A second backward says so:")
    try:
        out.backward()
    except RuntimeError as error:
        print(f"RuntimeError: {error}")

    if x.grad.tolist() != [[4.5, 4.5], [4.5, 4.5]]:
        raise SystemExit("the gradient is wrong")


if __name__ == "__main__":
    main()
