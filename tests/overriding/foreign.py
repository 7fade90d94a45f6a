"""Calls with objects that are no tensors but have a ``__torch_function__``, for every function that may be overridden."""

import contextlib
import inspect
import warnings

import minigrad
import minigrad.fft
import minigrad.linalg
import minigrad.nn.functional
import minigrad.nn.init
import minigrad.special
from minigrad import _api
from minigrad._base import guards
from minigrad._core import overriding

FILE = "_base/leading.py"
SPACES = (
    minigrad,
    _api,
    minigrad.nn.functional,
    minigrad.linalg,
    minigrad.fft,
    minigrad.special,
    minigrad.nn.init,
)
#: What parameters are called that take tensors.
_words = (
    "A B L LU Q X a abs anchor angle array b batch1 batch2 bias bins boundaries c condition data elements end exponent gradient grid hx imag "
    "index indices input input1 input2 key log_probs mask mat mat1 mat2 max mean min negative offsets other out p per_sample_weights pivots "
    "positive q query real running_mean running_var self sorted_sequence source src std target targets tau tensor tensor1 tensor2 tensors "
    "test_elements value values var vec vec2 weight x x1 x2 y"
)  # fmt: skip
TENSORS = frozenset(_words.split())


class Foreign:
    """No tensor, but it has a ``__torch_function__``, which returns what it was told of."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return Told(func, args, kwargs)


class Told:
    """What one call of ``__torch_function__`` was given."""

    def __init__(self, function, args, kwargs):
        self.function, self.args, self.kwargs = function, args, kwargs


@contextlib.contextmanager
def unmet():
    """A block in which functions behave as if they had met no class that overrides, again and again."""
    was, overriding._met = overriding._met, False
    overriding._update()
    overriding._met = True
    try:
        yield
    finally:
        overriding._met = was
        overriding._update()


def functions():
    """All functions that may be overridden."""
    for space in SPACES:
        for name in dir(space):
            getattr(space, name, None)
    for name in dir(minigrad.Tensor):
        getattr(minigrad.Tensor, name, None)
    return guards.overridable()


def trials(function):
    """Argument lists for a function, each with one that is no tensor in the place of one."""
    foreign, tensor = Foreign(), minigrad.ones(3, 3)
    parameters = list(inspect.signature(function).parameters.values())
    required = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    first = is_method(function)
    for place, parameter in enumerate(required):
        if parameter.name in TENSORS and place >= first:
            args = [
                [tensor, tensor] if p.name == "tensors" else tensor if p.name in TENSORS else 1
                for p in required
            ]
            args[place] = [tensor, foreign] if parameter.name == "tensors" else foreign
            yield args
    several = [p for p in parameters if p.kind is p.VAR_POSITIONAL]
    if not required and several and several[0].name in ("tensors", "operands"):
        yield [tensor, foreign]


def is_method(function):
    """Whether a function is only a method of tensors."""
    return not any(getattr(space, function.__name__, None) is function for space in SPACES)


def hears(function, args):
    """Whether an operand of a call hears of it, with what it was called with, and its answer is the result."""
    try:
        told = function(*args)
    except Exception:
        return False
    return (
        told.__class__ is Told
        and told.function is function
        and len(told.args) == len(args)
        and all(x is y for x, y in zip(told.args, args))
        and not told.kwargs
    )


def leading():
    """The places of the functions that need no guard."""
    found = []
    with warnings.catch_warnings(), unmet():
        warnings.simplefilter("ignore")
        for function in functions():
            if guards.asks_itself(function) or not (calls := list(trials(function))):
                continue
            guarded = guards.is_guarded(function)
            if guarded:
                guards.unguard(function)
            if all(hears(function, args) for args in calls):
                found.append(guards.place_of(function))
    return sorted(set(found))


def files():
    """The file, relative to the package, and its text."""
    lines, line = [], "   "
    for place in leading():
        if len(line) + len(place) > 115:
            lines.append(line)
            line = "   "
        line += f" {place}"
    text = "\n".join([*lines, line])
    yield (
        FILE,
        f'"""Functions that lead straight to an operator, and hand back what it returns: see ``guards.py``."""\n\n__all__ = ["LEADING"]\n\n'
        f'LEADING = frozenset(\n    """\n{text}\n    """.split()\n)\n',
    )
