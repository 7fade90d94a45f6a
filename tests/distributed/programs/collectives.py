"""All collectives against NumPy, which each rank computes from the values of all ranks: by dtypes, operations, sizes, layouts and groups."""

import numpy as np
import torch
import torch.distributed as dist
from collectives_expected import DTYPES, combined, ops_of

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
SIZES = [0, 1, 7, 1000, 100_003]
checked = 0


def values(rank, size, dtype, seed=0):
    """The values of a rank: small whole numbers, so that every order of adding gives the same."""
    numbers = np.random.default_rng([seed, rank]).integers(0, 3, size)
    if dtype.is_complex:
        return torch.tensor(numbers + 1j * numbers[::-1]).to(dtype)
    return torch.tensor(numbers).to(dtype)


def same(ours, expected, what):
    global checked
    checked += 1
    assert ours.dtype == expected.dtype and ours.shape == expected.shape, (what, ours.dtype, ours.shape)
    if ours.dtype in (torch.float16, torch.bfloat16):  # a mean of three may round otherwise
        ours, expected = ours.float(), expected.float()
        assert torch.allclose(ours, expected, rtol=1e-2), what
    else:
        assert (
            torch.allclose(ours, expected)
            if ours.is_floating_point() or ours.is_complex()
            else torch.equal(ours, expected)
        ), what


def reductions(group, members):
    n, me = len(members), members.index(RANK)
    for dtype in DTYPES:
        for op in ops_of(dtype):
            for size in SIZES if dtype in (torch.float32, torch.int64) else [7, 20_000]:
                what = dtype, op, size, members
                given = [values(r, size, dtype) for r in members]
                expected = combined(op, given, dtype)
                x = given[me].clone()
                dist.all_reduce(x, getattr(dist.ReduceOp, op), group=group)
                same(x, expected, ("all_reduce", *what))
                x = given[me].clone()
                dist.reduce(x, members[-1], getattr(dist.ReduceOp, op), group=group)
                same(x, expected if me == n - 1 else given[me], ("reduce", *what))
        parts = [[values(r, 50, dtype, seed=k) for k in range(n)] for r in members]
        out = torch.empty(50, dtype=dtype)
        dist.reduce_scatter(out, [p.clone() for p in parts[me]], group=group)
        same(out, combined("SUM", [p[me] for p in parts], dtype), ("reduce_scatter", dtype))
        out = torch.empty(50, dtype=dtype)
        dist.reduce_scatter_single(out, torch.cat(parts[me]), group=group)
        same(out, combined("SUM", [p[me] for p in parts], dtype), ("reduce_scatter_single", dtype))
    x = values(RANK, 9, torch.float64)
    dist.all_reduce(x, dist._make_nccl_premul_sum(0.5), group=group)
    same(
        x, combined("SUM", [values(r, 9, torch.float64) * 0.5 for r in members], torch.float64), "PREMUL_SUM"
    )


def movements(group, members):
    n, me = len(members), members.index(RANK)
    for dtype in [torch.float32, torch.bfloat16, torch.bool, torch.complex128, torch.int16]:
        for size in SIZES if dtype == torch.float32 else [5, 3000]:
            what = dtype, size, members
            given = [values(r, size, dtype) for r in members]
            for root in {0, n - 1}:
                x = given[me].clone()
                dist.broadcast(x, members[root], group=group)
                same(x, given[root], ("broadcast", *what))
                x = given[me].clone()
                dist.broadcast(x, group_src=root, group=group)
                same(x, given[root], ("broadcast", *what))
                out = [torch.empty_like(x) for _ in members] if me == root else None
                dist.gather(given[me], out, dst=members[root], group=group)
                for a, b in zip(out or (), given):
                    same(a, b, ("gather", *what))
                x = torch.empty_like(x)
                dist.scatter(x, given if me == root else None, src=members[root], group=group)
                same(x, given[me], ("scatter", *what))
            out = [torch.empty_like(given[0]) for _ in members]
            dist.all_gather(out, given[me], group=group)
            for a, b in zip(out, given):
                same(a, b, ("all_gather", *what))
            whole = torch.empty(n * size, dtype=dtype)
            dist.all_gather_single(whole, given[me], group=group)
            same(whole, torch.cat(given), ("all_gather_single", *what))
        rows = [
            [torch.full((i + j,), 10 * i + j).to(dtype) for j in range(n)] for i in range(n)
        ]  # from i to j
        out = [torch.empty(i + me, dtype=dtype) for i in range(n)]
        dist.all_to_all(out, rows[me], group=group)
        for i in range(n):
            same(out[i], rows[i][me], ("all_to_all", dtype))
        out = torch.empty(sum(i + me for i in range(n)), dtype=dtype)
        dist.all_to_all_single(
            out, torch.cat(rows[me]), [i + me for i in range(n)], [me + j for j in range(n)], group=group
        )
        same(out, torch.cat([rows[i][me] for i in range(n)]), ("all_to_all_single", dtype))


def layouts():
    """Tensors that are not contiguous, scalars, conjugates: what is beside them in memory stays."""
    for make in (
        lambda: torch.zeros(4, 6).t(),
        lambda: torch.zeros(4, 6)[:, ::2],
        lambda: torch.zeros(5, 5).diagonal(),
        lambda: torch.zeros(()),
        lambda: torch.zeros(3, 0, 2),
        lambda: torch.zeros(2, 3, dtype=torch.complex64).real,
        lambda: torch.zeros(2, 3, 4).permute(2, 0, 1),
    ):
        x = make()
        x += RANK + 1
        expected = torch.full(x.shape, float(sum(range(1, SIZE + 1))))
        dist.all_reduce(x)
        same(x, expected, "all_reduce of a view")
        base = x._base
        if base is not None and base.numel() > x.numel() and not base.is_complex():
            assert base.sum() == x.sum()
        x = make()
        x += RANK
        dist.broadcast(x, SIZE - 1)
        same(x, torch.full(x.shape, float(SIZE - 1)), "broadcast of a view")
        out = [make() for _ in range(SIZE)]
        dist.all_gather(out, make() + RANK)
        for k, each in enumerate(out):
            same(each, torch.full(each.shape, float(k)), "all_gather of views")
    z = torch.full((3,), 1j * (RANK + 1)).conj()
    dist.all_reduce(z)
    same(z.resolve_conj(), torch.full((3,), -1j * sum(range(1, SIZE + 1))), "a conjugate")


def together():
    """Several at once."""
    tensors = [torch.full((k * 5000 + 1,), float(RANK)) for k in range(6)]
    works = [dist.all_reduce(t, async_op=True) for t in tensors]
    seen = []
    future = works[-1].get_future().then(lambda f: seen.append(f.value()[0]))
    for work in reversed(works):
        assert work.wait() and work.is_completed() and work.is_success()
    future.wait()
    assert seen[0] is tensors[-1]
    for t in tensors:
        same(t, torch.full(t.shape, float(sum(range(SIZE)))), "async")
    dist.all_reduce_coalesced(tensors[:3])
    same(tensors[2], torch.full(tensors[2].shape, float(sum(range(SIZE)) * SIZE)), "all_reduce_coalesced")
    outs = [[torch.zeros(2), torch.zeros(3)] for _ in range(SIZE)]
    dist.all_gather_coalesced(outs, [torch.full((2,), float(RANK)), torch.full((3,), -float(RANK))])
    assert [o[1][0].item() for o in outs] == [-float(k) for k in range(SIZE)]


def messages():
    right, left = (RANK + 1) % SIZE, (RANK - 1) % SIZE
    for size in (0, 3, 100_000):
        sent, got = torch.full((size,), float(RANK)), torch.empty(size)
        works = dist.batch_isend_irecv(
            [dist.P2POp(dist.isend, sent, right), dist.P2POp(dist.irecv, got, left)]
        )
        for work in works:
            work.wait()
        same(got, torch.full((size,), float(left)), "batch_isend_irecv")
    if RANK == 0:
        got = torch.zeros(3, 2).t()
        senders = {dist.recv(got, tag=3) for _ in range(SIZE - 1)}
        assert senders == set(range(1, SIZE)), senders
        dist.send_object_list([{"a": torch.ones(2)}, 5], dst=1)
    else:
        dist.send(torch.full((2, 3), float(RANK)), 0, tag=3)
        if RANK == 1:
            objects = [None, None]
            assert dist.recv_object_list(objects, src=0) == 0
            assert objects[1] == 5 and objects[0]["a"].sum() == 2


def objects():
    out = [None] * SIZE
    dist.all_gather_object(out, {"rank": RANK, "text": "x" * RANK * 100})
    assert [o["rank"] for o in out] == list(range(SIZE)) and out[-1]["text"] == "x" * (SIZE - 1) * 100
    out = [None] * SIZE if RANK == 1 else None
    dist.gather_object(RANK, out, dst=1)
    assert out is None or out == list(range(SIZE))
    given = [1, "two", {3: [4]}] if RANK == 0 else [None] * 3
    dist.broadcast_object_list(given)
    assert given == [1, "two", {3: [4]}]
    out = [None]
    dist.scatter_object_list(out, [f"for {k}" for k in range(SIZE)] if RANK == 1 else None, src=1)
    assert out == [f"for {RANK}"]


def groups():
    for members in ([0], [SIZE - 1, 0], list(range(1, SIZE))):
        members = sorted(set(members))
        group = dist.new_group(members)
        if RANK in members:
            assert dist.get_process_group_ranks(group) == members and dist.get_rank(group) == members.index(
                RANK
            )
            reductions(group, members)
            movements(group, members)
            dist.barrier(group)
            dist.destroy_process_group(group)
        else:
            assert group == dist.GroupMember.NON_GROUP_MEMBER and dist.get_rank(group) == -1
    if SIZE == 4:
        own, all_of_them = dist.new_subgroups(2)
        assert own.ranks == (RANK // 2 * 2, RANK // 2 * 2 + 1) and len(all_of_them) == 2
        part = dist.split_group(split_ranks=[[0, 3], [1, 2]])
        x = torch.tensor(float(RANK))
        dist.all_reduce(x, group=part)
        assert x == 3
        local = dist.new_group([0, 2] if RANK % 2 == 0 else [1, 3], use_local_synchronization=True)
        dist.all_reduce(x := torch.tensor(RANK), group=local)
        assert x == (2 if RANK % 2 == 0 else 4)
        mesh()


def mesh():
    """Four ranks as a table of two rows and two columns."""
    row, column = divmod(RANK, 2)
    table = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    assert table.get_coordinate() == (row, column)
    for name, place, members in (("dp", row, [column, column + 2]), ("tp", column, [2 * row, 2 * row + 1])):
        part = table[name]
        assert part.mesh.tolist() == dist.get_process_group_ranks(table.get_group(name)) == members
        assert part.get_group() is table.get_group(name) and table.get_local_rank(name) == place
        dist.all_reduce(x := torch.tensor(RANK), group=table.get_group(name))
        assert x == sum(members)
    flat = table._flatten("all")
    dist.all_reduce(x := torch.tensor(RANK), group=flat.get_group())
    assert x == 6 and table["all"].mesh.tolist() == [0, 1, 2, 3]
    cube = dist.init_device_mesh("cpu", (2, 1, 2), mesh_dim_names=("a", "b", "c"))
    part = cube["a", "c"]
    assert part.mesh.tolist() == [[0, 1], [2, 3]] and part["c"].mesh.tolist() == [2 * row, 2 * row + 1]
    assert part["a"].get_local_rank() == row and cube["b", "c"].mesh.tolist() == [[2 * row, 2 * row + 1]]
    dist.all_reduce(x := torch.tensor(RANK), group=cube["b", "c"]._flatten().get_group())
    assert x == 4 * row + 1
    line = dist.DeviceMesh("cpu", [3, 1], mesh_dim_names=("few",))
    assert (line.get_coordinate() is None) == (RANK not in (1, 3))
    if RANK in (1, 3):
        assert line.get_local_rank() == RANK // 2
        dist.all_reduce(x := torch.tensor(RANK), group=line.get_group())
        assert x == 4
    else:
        for asked in (line.get_group, line.get_local_rank):
            try:
                asked()
            except RuntimeError as error:
                assert f"rank {RANK} is not part of" in str(error)
            else:
                raise AssertionError("a group of all for a rank that is in none")


everyone = list(range(SIZE))
reductions(None, everyone)
movements(None, everyone)
layouts()
together()
messages()
objects()
groups()
dist.barrier()
dist.monitored_barrier()
if RANK == 0:
    print(f"checked {checked}")
dist.destroy_process_group()
dist.init_process_group("mpi")
dist.all_reduce(x := torch.ones(1))
assert x == SIZE and dist.get_backend() == "mpi"
