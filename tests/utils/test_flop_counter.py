"""``FlopCounterMode``: the numbers of PyTorch's for the same programs, module by module."""

import pytest

import minigrad
from minigrad.utils.flop_counter import FlopCounterMode, register_flop_formula


def counter_of(lib):
    return (
        FlopCounterMode
        if lib is minigrad
        else pytest.importorskip("torch.utils.flop_counter").FlopCounterMode
    )


def net(lib):
    nn = lib.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(6, 8), nn.Linear(8, 6)

        def forward(self, x):
            return x + self.second(self.first(x).relu())

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 6, 3, stride=2, groups=1)
            self.blocks = nn.Sequential(Block(), Block())

        def forward(self, x):
            return self.blocks(self.conv(x).flatten(2).mT.contiguous()) @ lib.ones(6, 2)

    return Net()


def leaf(lib, *size):
    return lib.ones(size, requires_grad=True)


PROGRAMS = {
    "mm": lambda lib: lib.ones(2, 3) @ lib.ones(3, 4),
    "mm and backward": lambda lib: (leaf(lib, 2, 3) @ lib.ones(3, 4)).sum().backward(),
    "both gradients": lambda lib: (leaf(lib, 2, 3) @ leaf(lib, 3, 4)).sum().backward(),
    "addmm": lambda lib: lib.addmm(lib.ones(4), leaf(lib, 2, 3), leaf(lib, 3, 4)).sum().backward(),
    "bmm": lambda lib: (leaf(lib, 5, 2, 3) @ leaf(lib, 5, 3, 4)).sum().backward(),
    "baddbmm": lambda lib: lib.baddbmm(leaf(lib, 5, 2, 4), leaf(lib, 5, 2, 3), lib.ones(5, 3, 4)).sum().backward(),
    "a linear layer of three axes": lambda lib: lib.nn.Linear(3, 7)(leaf(lib, 2, 4, 3)).sum().backward(),
    "a linear layer without bias": lambda lib: lib.nn.Linear(3, 7, bias=False)(lib.ones(4, 3)).sum().backward(),
    "a convolution": lambda lib: lib.nn.Conv2d(3, 6, 3, padding=1)(lib.ones(2, 3, 8, 9)).sum().backward(),
    "a convolution and its input": lambda lib: lib.nn.Conv1d(4, 6, 3, stride=2)(leaf(lib, 2, 4, 9)).sum().backward(),
    "a transposed convolution": lambda lib: lib.nn.ConvTranspose2d(3, 6, 3)(leaf(lib, 2, 3, 8, 8)).sum().backward(),
    "nothing": lambda lib: lib.ones(3) + 1,
    "a net": lambda lib: net(lib)(lib.ones(2, 1, 7, 7)),
    "a net and backward": lambda lib: net(lib)(lib.ones(2, 1, 7, 7)).sum().backward(),
    "no_grad": lambda lib: lib.no_grad()(net(lib))(lib.ones(2, 1, 7, 7)),
    "a module and what is outside of it": lambda lib: lib.nn.Linear(3, 3)(lib.ones(3, 3)) @ lib.ones(3, 3),
}  # fmt: skip


def counted(lib, program):
    with counter_of(lib)(display=False) as counter:
        program(lib)
    return {
        name: {str(op): n for op, n in counts.items()}
        for name, counts in counter.get_flop_counts().items()
        if counts
    }, counter


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_as_in_pytorch(name):
    torch = pytest.importorskip("torch")
    (ours, our_counter), (theirs, their_counter) = (
        counted(minigrad, PROGRAMS[name]),
        counted(torch, PROGRAMS[name]),
    )
    assert ours == theirs
    assert our_counter.get_total_flops() == their_counter.get_total_flops()


@pytest.mark.torch
@pytest.mark.parametrize("depth", [None, 1, 2, 3])
@pytest.mark.parametrize(
    "name", ["nothing", "a net", "a net and backward", "a module and what is outside of it", "mm"]
)
def test_tables_as_in_pytorch(name, depth):
    torch = pytest.importorskip("torch")
    pytest.importorskip("tabulate")
    ours, theirs = (counted(lib, PROGRAMS[name])[1].get_table(depth) for lib in (minigrad, torch))
    # Newer releases of tabulate drop the indentation that PyTorch writes.
    assert [line.split() for line in ours.splitlines() if "---" not in line] == [
        line.split() for line in theirs.splitlines() if "---" not in line
    ]


def test_rows_are_indented_below_their_module():
    counter = counted(minigrad, PROGRAMS["a net"])[1]
    assert [line.split("  ")[0] for line in counter.get_table().splitlines()[2:5]] == [
        "Net",
        " - aten.convolution",
        " - aten.addmm",
    ]
    assert " Net.conv" in counter.get_table().splitlines()[-2]


def test_attention_is_counted_both_ways():
    q, k = leaf(minigrad, 2, 3, 4, 8), leaf(minigrad, 2, 3, 5, 8)
    found, _ = counted(
        minigrad, lambda lib: lib.nn.functional.scaled_dot_product_attention(q, k, k).sum().backward()
    )
    product = 2 * 2 * 3 * 4 * 5 * 8
    assert sorted(found["Global"].values()) == [2 * product, 5 * product]


def test_derivatives_of_derivatives_and_other_backwards():
    x = leaf(minigrad, 2, 3)
    with FlopCounterMode(display=False) as counter:
        y = x @ minigrad.ones(3, 4)
        y.sum().backward(retain_graph=True)
        y.sum().backward()
    assert counter.get_total_flops() == 3 * 48
    loss = y.detach().requires_grad_() @ minigrad.ones(4, 4)
    with FlopCounterMode(display=False) as counter:
        loss.sum().backward()
    assert counter.get_total_flops() == 0  # recorded outside


def test_groups_and_modules_that_are_called_twice():
    conv = minigrad.nn.Conv1d(4, 6, 3, groups=2)
    found, _ = counted(minigrad, lambda lib: conv(leaf(lib, 2, 4, 9)).sum().backward())
    assert found["Conv1d"] == {
        "aten.convolution": 2 * 2 * 7 * 6 * 2 * 3,
        "aten.convolution_backward": 4 * 2 * 7 * 6 * 2 * 3,
    }
    layer = minigrad.nn.Linear(3, 3)
    found, _ = counted(minigrad, lambda lib: layer(layer(leaf(lib, 2, 3))).sum().backward())
    assert found["Linear"] == {"aten.addmm": 72, "aten.mm": 144}


def test_a_failing_module_leaves_no_trace():
    layer = minigrad.nn.Linear(3, 3)
    with FlopCounterMode(display=False) as counter:
        with pytest.raises(RuntimeError):
            layer(minigrad.ones(2, 2))
        minigrad.ones(2, 2) @ minigrad.ones(2, 2)
    assert {*counter.get_flop_counts()} == {"Global"}


def test_formulas_of_other_operators():
    def formula(shape, *args, out_shape=None, **kwargs):
        return shape.numel() * 3

    with FlopCounterMode(display=False, custom_mapping={minigrad.ops.aten.cosh: formula}) as counter:
        minigrad.ones(5).cosh()
    assert counter.get_total_flops() == 15
    with pytest.raises(ValueError, match="expected each target to be OpOverloadPacket"):
        register_flop_formula(minigrad.cosh)(formula)
    with pytest.raises(RuntimeError, match="duplicate registrations"):
        register_flop_formula(minigrad.ops.aten.mm)(formula)


def test_the_table_is_printed_at_the_end(capsys):
    with FlopCounterMode():
        minigrad.ones(2, 3) @ minigrad.ones(3, 4)
    assert capsys.readouterr().out.splitlines()[2].split() == ["Global", "48", "100.00%"]
