"""Guards of what an optimizer reads in a step: its groups' options, and its state.

Each answers whether all is as it was noted, and gives expressions that ask the same more quickly (see ``conditions.py``).
"""

from .._core.tensor import Tensor

__all__ = ["OptionsGuard", "StateGuard", "constant_options"]

_PLAIN = frozenset({int, float, bool, str, type(None)})


def constant_options(group):
    """A copy of a group's options: as long as the group equals it, so does whatever is computed of them.

    None if there cannot be one: tensors among them may change, and a learning rate of zero has a sign.
    """
    for name, value in group.items():
        if value.__class__ is tuple:
            if not all(x.__class__ in _PLAIN for x in value):
                return None
        elif value.__class__ not in _PLAIN and name != "params":
            return None
    return dict(group) if group.get("lr") else None


class OptionsGuard:
    """What is noted of a group: its parameters, what is no number, and which numbers are zero."""

    def __init__(self, group):
        self.group = group
        self.params = tuple(group["params"])
        self.shape = _shape_of(group)
        self.latest = constant_options(group)

    def __call__(self):
        now = self.group["params"]
        if len(now) != len(self.params) or any(x is not y for x, y in zip(now, self.params)):
            return False
        if self.latest is not None and self.group == self.latest:
            return True
        self.latest = constant_options(self.group)
        return _shape_of(self.group) == self.shape

    def term(self, conditions):
        """An expression for the same, which is quick as long as no option changes."""
        name = conditions.name
        if self.latest is None:
            return f"{name(self)}()"
        params = self.group["params"]
        # the list first: where it is another one, tensors would be compared by their elements
        conditions.terms.append(f"{name(self.group)}[{name('params')}] is {name(params)}")
        conditions.terms.append(f"len({name(params)}) == {len(params)}")
        conditions.terms += [f"{name(params)}[{i}] is {name(p)}" for i, p in enumerate(params)]
        return f"({name(self.group)} == {name(self)}.latest or {name(self)}())"


class StateGuard:
    """Which tensors an optimizer's state has: the counts of steps, and the buffers ``names``."""

    def __init__(self, optimizer, names):
        self.optimizer = optimizer
        self.states = states = optimizer.state
        self.kept = [
            (state, name, state[name])
            for state in map(states.get, states)
            for name in ("step", *names)
            if name in (state or ())
        ]
        self.count, self.groups = len(states), len(optimizer.param_groups)

    def __call__(self):
        optimizer, states = self.optimizer, self.states
        return (
            optimizer.state is states
            and len(states) == self.count
            and len(optimizer.param_groups) == self.groups
            and all(state.get(name) is value for state, name, value in self.kept)
        )

    def term(self, conditions):
        """An expression for the same."""
        name = conditions.name
        optimizer, states = name(self.optimizer), name(self.states)
        return " and ".join(
            [
                f"{optimizer}.state is {states}",
                f"len({states}) == {self.count}",
                f"len({optimizer}.param_groups) == {self.groups}",
                *[f"{name(state)}[{key!r}] is {name(value)}" for state, key, value in self.kept],
            ]
        )


def _shape_of(options):
    """What is noted of the options of a group: what is no number, and which numbers are zero."""
    found = []
    for name, value in options.items():
        if value.__class__ in (int, float) or isinstance(value, Tensor):
            found.append((name, bool(value)))
        elif name != "params":
            found.append((name, len(value) if value.__class__ is tuple else value))
    return found
