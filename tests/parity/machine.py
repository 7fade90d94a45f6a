"""What random programs (``programs.py``) are run by: rules, what they draw, programs played again with fewer steps, and a word on where a process died.

A program is a number: ``Machine(7).play()`` is the same each time.  Its steps are calls of rules.  Each remembers what it drew, so that ``reduced`` can
play a program without some of its steps: what it picked of things that earlier steps made, it picks by the step that made them, or else the first of its kind.
"""

import mmap
import random
from dataclasses import dataclass, field


class Difference(AssertionError):
    """The libraries differ: ``kind`` says in a few words in what, the same for the same cause."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class Dropped(Exception):
    """A step picks one of things of which none are left: their makers were taken out of the program."""


@dataclass
class Step:
    """One call of a rule, and what was drawn for it."""

    rule: str
    number: int
    drawn: list = field(default_factory=list)


RULES = {}


def rule(weight=1, **choices):
    """A method that is a rule: called with one of the choices of each argument, ``weight`` times as often as others."""

    def mark(method):
        RULES[method.__name__] = (method, weight, {name: list(options) for name, options in choices.items()})
        return method

    return mark


class Machine:
    """Plays one program.  Subclasses define rules, and ``start``."""

    steps = 25

    def __init__(self, number, recipe=None):
        self.recipe = recipe
        self.random = random.Random(number)
        self.step = None
        self.replayed = None  # what a step that is played again has still to draw
        self.over = False  # whether the rest of the program says nothing
        self.made = {}  # of each kind of thing, by which step each was made, and as its how manyth

    def start(self):
        """The steps that every program begins with: drawn like rules."""

    def play(self):
        """Run the program: the difference that it shows, or None.  Its steps stay in ``self.recipe``."""
        try:
            if self.recipe is None:
                self.recipe = []
                for number, (name, call) in enumerate(self.new_steps()):
                    self.step = Step(name, number)
                    self.recipe.append(self.step)
                    call()
                    if self.over:
                        break
            else:
                for step in self.recipe:
                    self.step, self.replayed = step, list(step.drawn)
                    try:
                        self.start() if step.rule == "start" else self.call(step.rule)
                    except Dropped:
                        pass  # as if it had been taken out too
            self.finish()
        except Difference as difference:
            return difference
        finally:
            self.close()
        return None

    def new_steps(self):
        """Rules with their names: some of them, in programs that have more of each."""
        yield "start", self.start
        share = self.random.choice([0.3, 0.6, 1])
        names = [name for name in RULES if self.random.random() < share] or list(RULES)
        for name in self.random.choices(names, [RULES[name][1] for name in names], k=self.steps):
            yield name, lambda name=name: self.call(name)

    def call(self, name):
        method, _, choices = RULES[name]
        method(self, **{argument: self.choose(options) for argument, options in choices.items()})

    def finish(self):
        """What there is to do after the last step."""

    def close(self):
        """What there is to do after any end."""

    def choose(self, options):
        """One of the options."""
        if self.replayed is not None:
            return self.replayed.pop(0)
        chosen = self.random.choice(options)
        self.step.drawn.append(chosen)
        return chosen

    def has_made(self, kind, count=1):
        """Note that this step made things of a kind."""
        made = self.made.setdefault(kind, [])
        before = sum(step == self.step.number for step, _ in made)
        made += [(self.step.number, before + nr) for nr in range(count)]

    def pick(self, kind, backwards=None):
        """The place of one thing of a kind; ``backwards`` says how far back from the latest."""
        made = self.made.get(kind, [])
        if self.replayed is not None:
            chosen = self.replayed.pop(0)
            if not made:
                raise Dropped
            return made.index(chosen) if chosen in made else 0
        if backwards is None:
            place = self.random.randrange(len(made))
        else:
            place = len(made) - 1 - self.random.choice(backwards) % len(made)
        self.step.drawn.append(made[place])
        return place


def reduced(machine, number, recipe, kind):
    """The difference of the same kind that a program shows with as few steps as taking out single ones leads to."""
    found = None
    shorter = True
    while shorter:
        shorter = False
        for i in reversed(range(1, len(recipe))):
            candidate = recipe[:i] + recipe[i + 1 :]
            difference = machine(number, candidate).play()
            if difference is not None and difference.kind == kind:
                recipe, found, shorter = candidate, difference, True
    return found or machine(number, recipe).play()


class Progress:
    """A file that says, should this process die, which program it was running, and who did what last.

    The file is memory of the process: a note costs no call of the system.
    """

    SIZE = 1 << 16

    def __init__(self, path):
        path.write_bytes(bytes(self.SIZE))
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), self.SIZE)

    def note(self, number, library, program):
        text = f"{number} {library}\n{program}".encode()[: self.SIZE - 1] + b"\0"
        self.memory[: len(text)] = text

    @staticmethod
    def read(path):
        """The number, the library, and the program, as noted last."""
        head, _, program = path.read_bytes().partition(b"\0")[0].decode().partition("\n")
        number, library = head.split() if head else ("-1", "nobody")
        return int(number), library, program
