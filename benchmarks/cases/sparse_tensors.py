"""Sparse tensors: a large product forward and backward, and a training step of a large table of which few rows are taken."""

import functools

from benchmarks.registry import Subject

sparse = Subject("Sparse tensors")


def product(torch):
    """A matrix of 10^5 x 10^5 with 10^6 elements, times 64 columns, and the gradient of these."""
    n = 10**5
    torch.manual_seed(0)
    matrix = torch.sparse_coo_tensor(torch.randint(0, n, (2, 10**6)), torch.randn(10**6), (n, n)).coalesce()
    columns, gradient = torch.randn(n, 64, requires_grad=True), torch.randn(n, 64)

    def run():
        columns.grad = None
        torch.sparse.mm(matrix, columns).backward(gradient)
        return columns.grad

    return run


def table(torch, optimizer):
    """A table of 10^6 x 64, of which a step takes 1,024 rows."""
    torch.manual_seed(0)
    rows = torch.nn.Embedding(10**6, 64, sparse=True)
    taken = torch.randint(0, 10**6, (1024,))
    moving = getattr(torch.optim, optimizer)(rows.parameters(), lr=1e-3)

    def run():
        moving.zero_grad()
        rows(taken).sum().backward()
        moving.step()
        return rows.weight[taken[0]]

    return run


sparse.timed("sparse.mm, forward and backward", bar=1.5)(product)
for name in ("SGD", "SparseAdam"):
    sparse.timed(f"Step of a table with {name}", bar=1.0)(functools.partial(table, optimizer=name))
