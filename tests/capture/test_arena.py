"""The memory that the buffers of a plan share."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch
from minigrad._capture.arena import Arena

SIZES = st.sampled_from([1, 40, 64, 100, 4096, 5000, 9000, 20000])


@given(st.lists(st.tuples(st.booleans(), SIZES, st.integers(0, 100)), max_size=40))
def test_blocks_do_not_overlap(steps):
    """However they are taken and given back; large ones begin at cache lines."""
    arena, held = Arena(), []
    for takes, size, which in steps:
        if takes or not held:
            offset, room = arena.take(size)
            assert room >= size and offset % (64 if size >= 64 else 16) == 0 and offset + room <= arena.size
            assert all(offset + room <= a or a + b <= offset for a, b in held)
            held.append((offset, room))
        else:
            arena.give_back(held.pop(which % len(held)))
        free = [(offset, size) for size, offset in arena.free] + held
        ends = sorted((offset, offset + size) for offset, size in free)
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ends))


def test_blocks_side_by_side_become_one():
    """Two free blocks serve one that is as large as both, and the last one of all may grow."""
    arena = Arena()
    blocks = [arena.take(4096) for _ in range(4)]
    arena.give_back(blocks[0])
    arena.give_back(blocks[1])
    assert arena.take(8192) == (0, 8192) and arena.size == 4 * 4096
    arena.give_back(blocks[3])
    assert arena.take(40960) == (3 * 4096, 40960)


def test_large_layers_take_no_copies():
    """Of a large layer's gradient there is one array, which the product writes into."""
    layer = torch.nn.Linear(784, 256)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)

    @torch.capture
    def step(x):
        optimizer.zero_grad()
        loss = layer(x).relu().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    x = torch.randn(64, 784)
    for _ in range(3):
        step(x)
    source = step.explain(x)
    assert "dot_into(" in source and ", d_weight)" in source and "fresh" not in source
    assert step._plans.popitem()[1].replay.plan.bytes < 1.6 * layer.weight.nbytes
