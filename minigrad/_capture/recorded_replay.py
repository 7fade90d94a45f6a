"""``RecordedReplay``: runs the plan of a function's forward, and records one node for it, whose backward runs the plans of ``History``."""

from typing import NamedTuple

from .._arrays.random.generator import default_generator
from .._core import hooks
from .._core.node import Port, tick
from .._core.storage import FRESH
from .around import around
from .compiled_backward import CompiledFunctionBackward, Recording
from .conditions import Lines
from .explanation import Explanation
from .kept_gradients import KeptGradients
from .replay import Replay
from .source import Plan

__all__ = ["RecordedReplay"]


class Part(NamedTuple):
    """Some of a program's steps, as a program."""

    steps: list


class RecordedReplay(Replay):
    """Calls of a function for which ``outcome`` and ``history`` are those of a noted one.

    ``function`` and ``rebuild``, which makes its args and kwargs of a call's tensors, serve for gradients that were not noted; ``state`` knows whether modules have hooks.
    """

    def __init__(self, outcome, history, state, function, rebuild):
        self.history, self.state = history, state
        required_grad = [*outcome.capturing.required_grad]
        self.recording = Recording(function, rebuild, history.numbers, history.ends, required_grad)
        super().__init__(outcome)

    def _prepare(self, outcome, names, touched):
        """Make the plans of the forward and of all ways back, and ``run``."""
        history, program, recording = self.history, outcome.program, self.recording
        inputs = outcome.capturing.inputs
        steps = program.steps
        # what the ways back may read, each under a number of its own: arguments, and what the forward has made
        given = {number: (i, place) for i, (number, (_, place)) in enumerate(inputs.items())}
        for start, end in (way.steps for way in history.ways.values()):
            places = [place for step in steps[start:end] for place in step.places()]
            for memory in [place.memory for place in (*places, *history.places)]:
                if memory.born is not None and memory.born < history.cut and memory.number not in given:
                    given[memory.number] = len(given), memory.whole()
        self.backward = {
            look: _way_back(way, given, Part(steps[slice(*way.steps)]), outcome.lasting, names)
            for look, way in history.ways.items()
        }
        numbers = [*given]
        saved = [
            numbers[i]
            for i in sorted({i for plan, _ in self.backward.values() for i in plan.reads if i < len(given)})
        ]
        made = [number for number in saved if number not in inputs]
        #: what is saved: the number of an argument, or that of an output of the forward's plan
        self.saved = [
            inputs[number][0] if number in inputs else len(outcome.made) + made.index(number)
            for number in saved
        ]
        self.saves_argument = [number in inputs for number in saved]
        outputs = [*outcome.outputs[: len(outcome.made)], *[program_memory(program, n).whole() for n in made]]
        self.plan = Plan(Part(steps[: history.cut]), inputs, outputs, outcome.lasting, names)
        for look, (plan, pattern) in self.backward.items():
            recording.ways[_of_one(look)] = _runner(
                plan, pattern, [numbers.index(n) for n in saved], len(given)
            )
        recording.lends = any(_is_lent(way, given) for way in history.ways.values())
        self._follow(outcome, touched)
        self.kept = KeptGradients(self.plan, [], ())
        self.run = around(self.plan, self.kept, outcome, touched, self)

    def may_have_hooks(self):
        """Whether none is one of a module: those of tensors are called as ever."""
        if self.state.module_that_changed() is not None:
            return False
        self.hooks[0] = hooks.changes
        return True

    def explained(self):
        """See ``Captured.explain``: the source of the forward, and that of each way back."""
        found = super().explained()
        lines = [*found.lines]
        for look, (plan, _) in self.backward.items():
            layouts = ["none" if of_one is None else str(of_one[0]) for of_one in look]
            lines += [("", ""), ("backward", f"# for gradients with strides {', '.join(layouts)}")]
            lines += [("backward", line) for _, line in plan.lines_by_part()]
        return Explanation(found.heading, lines, self.plan)

    def _follow(self, outcome, touched):
        """Say what must be as it was when backward begins."""
        history, program, recording = self.history, outcome.program, self.recording
        capturing = outcome.capturing
        copies = {i: number for number, (i, _) in capturing.inputs.items()}
        changed = {p.memory.number for step in program.steps[: history.cut] for p in step.changed()}
        for i in range(len(capturing.arguments)):
            recording.followed.append((i, copies.get(i) in history.saved))
        for t in touched:
            number = program.memory(t.array).number
            if number in changed:
                recording.overwritten.append(t.tensor)
            if number not in changed or number in history.saved:
                recording.followed.append((t.tensor, number in history.saved))
        outputs = [what for kind, what in (outcome.recipes[i] for i in history.numbers)]
        self.positions = outputs
        recording.results = [
            (k, outcome.outputs[number])
            for k, number in enumerate(outputs)
            if outcome.outputs[number].memory.number in history.saved
        ]
        if any(step.draws for step in program.steps[: history.cut]):
            sources = [default_generator()]
            sources += [source for step in program.steps if step.undo for source, _ in step.undo.args[0]]
            recording.generators = [*{id(source): source for source in sources}.values()]
        recording.seal()

    # Lines of the function around the plan: see ``around.py``

    def begin(self, name):
        """Lines before the plan runs."""
        recording = self.recording
        if recording.overwritten or recording.generators:
            yield f"before = {name(recording)}.before()"
        else:
            yield f"before = {name(_NOTHING)}"

    def record(self, name, output):
        """Lines that make the node, behind the plan's; ``output`` says which variable has an output of the plan."""
        ends = [
            f"arguments[{end}]._edge" if end.__class__ is int else name(end) for end in self.recording.ends
        ]
        saved = [
            f"arguments[{i}]._array" if is_argument else output(i)
            for i, is_argument in zip(self.saved, self.saves_argument)
        ]
        count = len(self.positions)
        storage = name(FRESH) if count == 1 else f"[{', '.join([name(FRESH)] * count)}]"
        yield f"node = {name(CompiledFunctionBackward)}()"
        yield f"node._next = ({', '.join(ends)},)"
        yield f"node._seq = {name(tick)}(); node._extra = None; node._outputs = {count}; node.lends = {self.recording.lends}; node._storage = {storage}"
        yield f"node.recording = {name(self.recording)}; node.before = before; node.arguments = arguments"
        # held, so that no other array has the id of one of them
        yield f"node.arrays = [{', '.join([f'arguments[{i}]._array' for i, _ in self.recording.followed if i.__class__ is int])}]"
        yield f"node.saved = ({', '.join(saved)}{',' if saved else ''})"

    def history_of(self, number, name):
        """The expression for the node of an output; None if it has none."""
        if number not in self.positions:
            return None
        return "node" if len(self.positions) == 1 else f"{name(Port)}(node, {self.positions.index(number)})"

    def end(self, name):
        """Lines behind those that make the results."""
        yield f"node.versions = {name(self.recording.versions)}(arguments, node._storage)"


_NOTHING: tuple = (), ()


def program_memory(program, number):
    """The memory of this number."""
    return next(memory for memory in program.memories.values() if memory.number == number)


def _of_one(look):
    """The key of a way: of a single result its look itself."""
    return look[0] if len(look) == 1 else look


def _way_back(way, given, part, lasting, names):
    """The plan of a way back, and for each edge the number of the plan's output, None if nothing goes along it."""
    inputs = dict(given)
    for k, place in enumerate(way.given):
        if place is not None:
            inputs[place.memory.number] = len(given) + k, place
    outputs = [place for place in way.found if place is not None]
    plan = Plan(part, inputs, outputs, lasting, names)
    numbers = iter(range(len(outputs)))
    return plan, [None if place is None else next(numbers) for place in way.found]


def _runner(plan, pattern, saved, count):
    """A function of the saved values and of the gradients: the gradients along the edges."""
    lines = Lines("saved, gs")
    values = [f"gs[{i - count}]" if i >= count else f"saved[{saved.index(i)}]" for i in plan.reads]
    outs = [f"y{i}" for i in pattern if i is not None]
    lines.append(
        f"{''.join(f'{y}, ' for y in outs)}{'= ' if outs else ''}{lines.name(plan)}.run({', '.join(values)})"
    )
    lines.append(f"return ({''.join('None, ' if i is None else f'y{i}, ' for i in pattern)})")
    return lines.function()


def _is_lent(way, given):
    """Whether one of the gradients may be an array that something else holds."""
    numbers = [place.memory.number for place in way.found if place is not None]
    theirs = {*given, *[place.memory.number for place in way.given if place is not None]}
    return len(set(numbers)) < len(numbers) or not theirs.isdisjoint(numbers)
