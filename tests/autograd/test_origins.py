"""Lines of the program that recorded nodes and wrote to tensors, noted while somebody asks for it."""

import gc
import threading
import traceback
import weakref
from pathlib import Path

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.autograd.graph import origin_of, record_origins, who_modified


class Inner(nn.Module):
    def forward(self, x):
        return x.exp()  # inside Inner


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Inner(), Inner()])
        self.out = nn.Linear(2, 1)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)  # the call of a block
        return self.out(x) * 2  # the last line


def leaf():
    return torch.tensor([1.0, 2.0], requires_grad=True)


def nodes(tensor):
    """All nodes that a tensor leads to but leaves', by name."""
    found, stack = {}, [tensor.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node.next_functions:
            found.setdefault(node.name(), node)
            stack += [end for end, _ in node.next_functions]
    return found


def test_a_node_knows_the_line_that_recorded_it():
    x = leaf()
    with record_origins():
        y = x * 3  # the line
    origin = origin_of(y.grad_fn)
    assert origin.filename == __file__ and origin.text == "y = x * 3  # the line"
    assert origin.function == "test_a_node_knows_the_line_that_recorded_it"
    assert origin.line == test_a_node_knows_the_line_that_recorded_it.__code__.co_firstlineno + 3
    assert (origin.module, origin.module_type) == ("", "")
    assert str(origin).endswith(f"test_origins.py:{origin.line}: y = x * 3  # the line")


def test_nothing_is_noted_outside():
    x = leaf()
    with record_origins():
        pass
    assert origin_of((x * 3).grad_fn) is None and not (x * 3).grad_fn.metadata
    x.detach().add_(1)
    assert not hasattr(x._storage, "writes")


def test_blocks_nest_and_end_with_an_error():
    x = leaf()
    with record_origins():
        with pytest.raises(KeyError), record_origins():
            raise KeyError
        assert origin_of((x * 3).grad_fn) is not None
    assert origin_of((x * 3).grad_fn) is None


def test_another_thread_notes_nothing():
    found = []
    with record_origins():
        x = leaf()
        thread = threading.Thread(target=lambda: found.append(origin_of((x * 2).grad_fn)))
        thread.start()
        thread.join()
    assert found == [None]


def test_the_modules_that_run_are_named_from_the_outermost():
    net = Net()
    with record_origins():
        y = net(torch.ones(2, requires_grad=True))
    found = nodes(y)
    last, inner = origin_of(found["MulBackward0"]), origin_of(found["ExpBackward0"])
    assert (last.module, last.module_type) == ("", "Net") and "# the last line" in last.text
    assert (inner.module, inner.module_type) == ("blocks.1", "Inner") and "# inside Inner" in inner.text
    linear = [origin_of(node) for name, node in found.items() if origin_of(node).module_type == "Linear"]
    assert linear and all(origin.module == "out" and "# the last line" in origin.text for origin in linear)


def test_a_module_that_no_other_contains_is_its_own_outermost():
    class Holds(nn.Module):
        def __init__(self, part):
            super().__init__()
            self.parts = (part,)  # no submodule

        def forward(self, x):
            return self.parts[0](x)

    with record_origins():
        y = Holds(Inner())(leaf())
    assert origin_of(y.grad_fn)[4:] == ("", "Inner")


def test_a_module_that_was_moved_gets_its_new_name():
    net = Net()
    with record_origins():
        net(torch.ones(2))
        net.second = net.blocks[1]
        del net.blocks[1]
        net.blocks.append(net.second)
        del net.second
        net.blocks[1], net.blocks[0] = net.blocks[0], net.blocks[1]
        y = net(leaf())
    inner = nodes(y)["ExpBackward0"]
    assert origin_of(inner).module == "blocks.1"


def test_writes_in_place_are_noted_whoever_writes():
    with record_origins():
        w = leaf()
        x = torch.ones(2)
        x.add_(1)  # an operator
        x[0] = 5.0  # an assignment
        torch.mul(x, 2, out=x)  # an argument
        with torch.no_grad():
            w.sub_(1)  # the leaf
        torch.autograd.graph.increment_version(x)  # counted by hand
        nn.init.zeros_(w)  # an initialisation
    texts = [write.origin.text for write in who_modified(x).writes]
    assert [text.partition("# ")[2] for text in texts] == [
        "an operator",
        "an assignment",
        "an argument",
        "counted by hand",
    ]
    assert [write.version for write in who_modified(x).writes] == list(range(1, x._version + 1))
    assert [w.origin.text.partition("# ")[2] for w in who_modified(w).writes] == [
        "the leaf",
        "an initialisation",
    ]
    assert [write.function for write in who_modified(x).writes] == ["add_", "copy_", "mul", ""]


def test_an_optimizer_and_backward_write_too():
    w = leaf()
    w.grad = torch.zeros(2)
    with record_origins():
        w.sum().backward()  # accumulates
        torch.optim.SGD([w], lr=0.1).step()  # moves
    assert "# accumulates" in who_modified(w.grad).origin.text
    assert "# moves" in who_modified(w).origin.text


def test_the_error_for_a_modified_tensor_says_where():
    x = leaf()
    with record_origins():
        y = x.exp()
        y.add_(1)  # here
    with pytest.raises(
        RuntimeError, match="modified by an inplace operation.*\nIt was written to at .*# here"
    ):
        y.sum().backward()


def test_nothing_noted_keeps_a_tensor_or_a_node_alive():
    w = leaf()
    with record_origins():
        h = w * 2
        a, b, c = h.detach(), h.exp(), torch.zeros(2)
        c += a
        d = c.data * b
        d.sum().item()
        gone = [weakref.ref(each) for each in (h, a, b, c, d, h.grad_fn, b.grad_fn)]
        del h, a, b, c, d
        gc.collect()
        assert [ref() for ref in gone] == [None] * len(gone)


def test_notes_of_a_long_loop_do_not_grow():
    w = leaf()
    with record_origins():
        h = torch.zeros(2)
        for _ in range(300):
            h = (h * w).detach()
            h.add_(1)
    assert len(h._provenance.causes) + len(h._provenance.earlier) < 10 and len(h._provenance.ends) < 10
    assert all(not made.earlier and not made.causes for made in h._provenance.earlier)


def test_results_are_what_they_are_without():
    def run():
        torch.manual_seed(0)
        net = Net()
        x = torch.ones(2, requires_grad=True)
        y = net(x)
        z = (y.detach() + y).sum()
        z.backward()
        return [p.grad for p in net.parameters()], x.grad, torch.tensor([1.5]).item(), x.data, x.tolist()

    plain = run()
    with record_origins():
        noted = run()
    assert str(plain) == str(noted)


def test_a_double_backward_is_noted_at_the_line_of_the_first():
    x = leaf()
    with record_origins():
        (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)  # the first
    assert "# the first" in origin_of(g.grad_fn).text


def test_noting_takes_no_sequence_numbers():
    def numbers():
        x = leaf()
        nodes = [(x * 2).grad_fn, (x * 3).grad_fn, x.max().grad_fn]
        return [node._sequence_nr() - nodes[0]._sequence_nr() for node in nodes]

    plain = numbers()
    with record_origins():
        noted = numbers()
    assert plain == noted == [0, 1, 2]


def test_nodes_of_transforms_are_noted():
    found = []

    def f(a):
        y = a.exp()  # in the transform
        found.append(origin_of(y.grad_fn))
        return y

    with record_origins():
        torch.func.vmap(torch.func.grad(f))(leaf().detach())
        torch.func.grad(lambda a: f(a).sum())(leaf().detach())
    assert [origin.text for origin in found] == ["y = a.exp()  # in the transform"] * 2


def test_anomaly_mode_shares_the_tracebacks_of_one_place():
    x = leaf()
    with pytest.warns(UserWarning, match="Anomaly Detection"), torch.autograd.detect_anomaly():
        several = [x * 2 for _ in range(3)]  # one place
        other = x * 2  # another
    first, *rest = [each.grad_fn.metadata["traceback_"] for each in several]
    assert all(text is first for text in rest)
    elsewhere = other.grad_fn.metadata["traceback_"]
    assert type(elsewhere) is list and "# another" in elsewhere[-1] and "# one place" in "".join(first)
    assert elsewhere[0] is first[0]  # the lines, too
    assert not any(str(Path(torch.__file__).parent) in line for line in elsewhere)


def test_the_traceback_is_the_one_of_python():
    def deep(n):
        return deep(n - 1) if n else (leaf() * 2, traceback.format_stack())  # both

    with pytest.warns(UserWarning, match="Anomaly Detection"), torch.autograd.detect_anomaly():
        made, stack = deep(6)
    assert made.grad_fn.metadata["traceback_"] == stack


def test_another_stack_is_another_traceback():
    def outer_one():
        return leaf() * 2, inner()  # one

    def outer_two():
        return inner()

    def inner():
        return leaf() * 3  # inner

    with pytest.warns(UserWarning, match="Anomaly Detection"), torch.autograd.detect_anomaly():
        _, one = outer_one()
        two = outer_two()
    texts = ["".join(each.grad_fn.metadata["traceback_"]) for each in (one, two)]
    assert "outer_one" in texts[0] and "outer_one" not in texts[1] and "outer_two" in texts[1]


def test_a_generator_that_is_left_open_notes_until_it_is_closed():
    def inside():
        with record_origins():
            yield (leaf() * 2).grad_fn
            yield (leaf() * 2).grad_fn

    generator = inside()
    assert origin_of(next(generator)) is not None
    assert origin_of((leaf() * 2).grad_fn) is not None
    generator.close()
    assert origin_of((leaf() * 2).grad_fn) is None


def test_blocks_of_anomaly_mode_and_of_noting_may_overlap():
    noting, anomaly = record_origins(), torch.autograd.set_detect_anomaly(True)
    noting.__enter__()
    anomaly.__exit__(None, None, None)
    node = (leaf() * 2).grad_fn
    assert origin_of(node) is not None and "traceback_" not in node.metadata
    noting.__exit__(None, None, None)
    assert not (leaf() * 2).grad_fn.metadata


def test_the_profiler_sees_the_same_while_lines_are_noted():
    def run():
        x = leaf()
        with torch.autograd.profiler.profile() as profile:
            y = x * 2
            (y.exp() + y.max() + x.detach().max()).sum().backward()
        events = [(e.name, e.sequence_nr) for e in profile.function_events]
        first = min(number for _, number in events if number >= 0)
        return [(name, number - first if number >= 0 else number) for name, number in events]

    plain = run()
    with record_origins():
        noted = run()
    assert plain == noted


def test_a_thread_that_ends_in_anomaly_mode_leaves_nothing_on():
    code = torch.zeros.__code__
    seen = []

    def run():
        torch.autograd.set_detect_anomaly(True)
        seen.append(torch.zeros.__code__)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    gc.collect()
    assert seen[0] is not code and torch.zeros.__code__ is code
