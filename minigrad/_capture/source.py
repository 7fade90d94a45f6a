"""From a program to the source of a function that runs it: buffers for what it makes, views made once, and one line for each call.

What is given in each run (arguments, and what calls return that cannot be told where to write) is a variable; all other arrays are fixed.  Memory is used again as soon as nobody
reads it any more, that of an operand for the result of an elementwise call.
"""

import keyword
import linecache
import re
import weakref
from itertools import count

import numpy as np

from .._arrays import products
from .._arrays.memory_layout import address, flat_bytes
from .arena import Arena
from .program import TAKING_OUT, Place, leaves_of, spaced_copy
from .shorter import shorter, written_in_place

__all__ = ["Plan"]

_numbers = count(1)


class Plan:
    """How a program is run again: ``run(*arrays of the arguments)`` returns a tuple of the arrays at the places ``outputs``, each at its ``position``.

    ``inputs`` has, for the memory of each argument, which argument that is, and at which place it lies.  ``lasting`` has the numbers of memories that were there before
    the step, and will be; others that it found and writes to begin each run as they were.

    Outputs at the numbers in ``gradients``, which says what they are called, may be arrays that are the same ones in each run, until ``renew_gradients`` is called: those are in ``fixed``, and not in the tuple.
    """

    def __init__(self, program, inputs, outputs, lasting, called=None, gradients=None):
        gradients = gradients or {}
        self.called = called or {}  # region of a place -> what it is called
        self.only_names = {}  # number of a memory -> what all of it is called, None if parts of it have names of their own
        for (number, *_), name in self.called.items():
            self.only_names[number] = None if number in self.only_names else name
        self.inputs = inputs
        self.lasting = lasting
        steps, self.outputs = written_in_place(program.steps, outputs)
        for i, name in gradients.items():
            if name is not None:
                self.called.setdefault(self.outputs[i].region(), name)
        self.steps = shorter(_needed(steps, lasting | set(inputs), self.outputs), self.outputs)
        self.bytes = 0  # of the buffers
        self.bound = {
            "copyto": np.copyto,
            "fresh": spaced_copy,
        }  # name in the source -> object
        self.taken = {*self.bound, "make", "replay", "_"}  # names in the source
        self.names = {}  # key of a place -> its name
        self.arrays = {}  # address, shape, ... -> the fixed array there
        self.of_gradients = {}  # name -> place, of gradients' memory that stays
        self.memory_names = {}  # number of a memory -> what its arrays are called
        self.numbers = {}  # (number, dtype) -> the name of an array with it
        self.numbered = {}  # what arrays are called after -> how many are
        self.owners = {}  # number of a memory -> the array that owns it in runs
        self.lines = []
        self.writing = {}  # number of a line -> the names of the operands that it writes to, where that is not plain from the function
        self.states = []  # (line of what is compiled, how far the step had come there: see ``Step.state``)
        self._sort_memories()
        self._choose_fixed(gradients)
        self._allocate()
        self._write()
        self._compile()
        self._summarise()

    def _summarise(self):
        """Keep what is asked for later, and none of the arrays that were made when the step was noted."""
        steps = self.steps
        self.calls = len(steps)
        self.calls_python = any(s.kind == "python" and s.function.__name__ != "refill" for s in steps)
        self.whole = [(s.operator, s.why) for s in steps if s.why is not None]  # what runs whole, and why
        #: the arguments of which each run has a copy
        self.copied = [i for number, (i, _) in self.inputs.items() if number in self.owners]
        del self.steps, self.memories, self.owners, self.makers, self.inputs, self.outputs
        for memory in {place.memory for place in self.gradient_places.values()}:
            memory.array = memory.whole()

    # Memory ----------------------------------------------------------------------------------------------------------------------

    def _sort_memories(self):
        """What becomes of each memory: one that is ``outside`` is read and written where it is; the rest has buffers, or is a variable."""
        keys, self.memories, changed, called = {}, {}, set(), set()
        for step in self.steps:
            for place in step.places():
                number = place.memory.number
                self.memories[number] = place.memory
                keys.setdefault(number, set()).add(place.key())
            changed.update(place.memory.number for place in step.changed())
            if step.kind == "call" and not _converts(step):
                called.update(place.memory.number for place in step.changed())
        given_out = {place.memory.number for place in self.outputs}
        for place in self.outputs:
            self.memories[place.memory.number] = place.memory
            keys.setdefault(place.memory.number, set()).add(place.key())
        self.outside, self.variables, self.restarting = set(), set(), set()
        for number, memory in self.memories.items():
            place = self.inputs[number][1] if number in self.inputs else memory.whole()
            in_one_way = keys[number] == {place.key()}
            if number in self.inputs:
                if in_one_way:
                    self.variables.add(number)
            elif memory.born is None:
                if number in changed and number not in self.lasting:
                    self.restarting.add(number)
                else:
                    self.outside.add(number)
            elif in_one_way and (number in called or number in given_out):
                self.variables.add(number)
        self.changed = changed

    def _choose_fixed(self, gradients):
        """Give gradients memory of their own, which stays: what is written into memory that lies as that of new arrays does."""
        called = {
            p.memory.number
            for step in self.steps
            if step.kind == "call" and not _converts(step)
            for p in step.changed()
        }
        others = {p.memory.number for i, p in enumerate(self.outputs) if i not in gradients}
        self.gradient_owners, self.gradient_places = {}, {}  # by the memory's number; by the output's
        for i in sorted(gradients):
            place = self.outputs[i]
            memory, number = place.memory, place.memory.number
            if memory.born is None or number in others or (number in called and place.fills()):
                continue
            owner = np.empty_like(memory.array)
            if owner.strides == memory.array.strides:
                self.gradient_owners.setdefault(number, owner)
                self.gradient_places[i] = place
        self.variables -= self.gradient_owners.keys()
        self.owners.update(self.gradient_owners)
        self.bytes += sum(owner.nbytes for owner in self.gradient_owners.values())

    def renew_gradients(self):
        """Let the gradients of later runs be written elsewhere."""
        for number, owner in self.gradient_owners.items():
            self.gradient_owners[number] = np.empty_like(owner)
        for name, place in self.of_gradients.items():
            self.bound[name] = _at(self.gradient_owners[place.memory.number], place)
        self._link()

    def _link(self):
        """Make ``run`` from the objects that have names in the source, and ``fixed``."""
        self.run = self._make(*self.bound.values())
        names = {place.key(): name for name, place in self.of_gradients.items()}
        self.fixed = {
            i: self.bound[names[place.key()]]
            if place.key() in names
            else _at(self.gradient_owners[place.memory.number], place)
            for i, place in self.gradient_places.items()
        }

    def _allocate(self):
        """Give buffers to what needs one; memory that nobody reads any more is taken again."""
        arena = Arena()
        blocks = {}  # number of a memory -> its block
        for number in (
            *self.restarting,
            *[n for n in self.inputs if n in self.memories and n not in self.variables],
        ):
            blocks[number] = arena.take(self.memories[number].array.nbytes)
        last = {place.memory.number: i for i, step in enumerate(self.steps) for place in step.places()}
        for place in self.outputs:
            last[place.memory.number] = len(self.steps)
        dying = {}
        for number, i in last.items():
            dying.setdefault(i, []).append(number)
        held = {}  # as blocks, of what may be given back

        def release(numbers):
            for number in numbers:
                if number in held:
                    arena.give_back(held.pop(number))

        for i, step in enumerate(self.steps):
            release(_operands_to_reuse(step, dying.get(i, ())))
            for place in step.changed():
                number = place.memory.number
                if not (
                    number in blocks
                    or number in self.owners
                    or number in self.outside
                    or number in self.variables
                ):
                    blocks[number] = held[number] = arena.take(place.memory.array.nbytes)
            release(dying.get(i, ()))
        memory = arena.memory()
        self.bytes += arena.size
        for number, (offset, _) in blocks.items():
            array = self.memories[number].array
            self.owners[number] = _like(array, memory[offset : offset + array.nbytes])

    # Source ----------------------------------------------------------------------------------------------------------------------

    def _bind(self, value, hint):
        name = self._unused(hint)
        self.bound[name] = value
        return name

    def _unused(self, hint):
        """``hint``, or ``hint`` and a number: a name that nothing in the source has yet."""
        name = (
            hint
            if hint not in self.taken
            else next(n for i in count(2) if (n := f"{hint}_{i}") not in self.taken)
        )
        self.taken.add(name)
        return name

    def _name(self, place):
        """The name in the source for the array at a place."""
        key = place.key()
        name = self.names.get(key)
        if name is None:
            memory = place.memory
            owner = self.owners.get(memory.number)
            if owner is None and memory.number in self.outside:
                owner = memory.array
            array = _at(owner, place)
            if (
                memory.number not in self.gradient_owners
            ):  # one object for what lies in the same place: NumPy reads fewer
                array = self.arrays.setdefault(_where(array), array)
            known = self.called.get(place.region())
            name = self.names[key] = self._bind(array, known or self._memory_name(memory))
            if memory.number in self.gradient_owners:
                self.of_gradients[name] = place
        return name

    def _memory_name(self, memory):
        """What the arrays of a memory are called in the source: after the parameter, or after the operator that made them, and numbered."""
        name = self.only_names.get(memory.number) or self.memory_names.get(memory.number)
        if name is None:
            maker = "given" if memory.number in self.outside else self.makers.get(memory.number) or "made"
            base = _identifier(maker)
            self.numbered[base] = self.numbered.get(base, 0) + 1
            name = self.memory_names[memory.number] = f"{base}{self.numbered[base]}"
        return name

    def _write(self):
        self.makers = {
            place.memory.number: step.operator for step in reversed(self.steps) for place in step.changed()
        }
        self.reads = sorted(i for number, (i, _) in self.inputs.items() if number in self.memories)
        self.arguments = [f"x{i}" for i in self.reads]
        self.taken.update(self.arguments)
        back = []
        for number, (i, place) in self.inputs.items():
            if number in self.variables:
                self.names[place.key()] = f"x{i}"
            elif number in self.owners:
                self.lines.append(f"copyto({self._name(place)}, x{i})")
                if number in self.changed:
                    back.append(f"copyto(x{i}, {self._name(place)})")
        for number in sorted(self.restarting):
            memory = self.memories[number]
            self.lines.append(
                f"copyto({self._name(memory.whole())}, {self._bind(memory.pristine, f'{self._memory_name(memory)}_at_first')})"
            )
        self.parts = [""] * len(self.lines)  # of the step, that the lines belong to
        part = ""
        for step in self.steps:
            if step.state is not None:  # the function begins in line 2 of what is compiled
                self.states.append((len(self.lines) + 3, step.state))
            part = _part_of(step, part)
            self._write_step(step)
            if step.writes:
                self.writing[len(self.lines) - 1] = [self._name(place) for place in step.writes]
            self.parts += [part] * (len(self.lines) - len(self.parts))
        given = [(i, p) for i, p in enumerate(self.outputs) if i not in self.gradient_places]
        self.position = {i: k for k, (i, _) in enumerate(given)}
        #: number of an output that is made anew in each run -> the variable that it is
        self.named = {i: self._name(p) for i, p in given if p.memory.number in self.variables}
        results = [
            self._name(p) if p.memory.number in self.variables else f"fresh({self._name(p)})"
            for _, p in given
        ]
        self.lines += [*back, f"return ({', '.join(results)}{',' if len(results) == 1 else ''})"]

    def _write_step(self, step):
        if step.kind == "python":
            self.lines.append(f"{self._bind(step.function, _identifier(step.function.__name__))}()")
            return
        function = self._function(step)
        kwargs = {name: x for name, x in step.kwargs.items() if not _is_default(step.function, name, x)}
        args = [self._text(x) for x in step.args]
        options = [f"{name}={self._text(x)}" for name, x in kwargs.items()]
        if step.kind in ("write", "check"):
            self.lines.append(f"{function}({', '.join(args + options)})")
        elif step.kind == "ufunc":
            for place in step.results:
                self._begin(place)
            outs = [self._name(place) for place in step.results]
            if _takes_out_by_position(step.function):
                args = [self._operand(x, step) for x in step.args]
                call = [*args, *outs, *options]
            else:
                call = [*args, *options, f"out={outs[0]}"]
            self.lines.append(f"{function}({', '.join(call)})")
        else:
            self._write_call(step, f"{function}({', '.join(args + options)})")

    def _begin(self, place):
        """Make the array of a variable into which a ufunc writes its result."""
        memory = place.memory
        if memory.number in self.variables and place.key() not in self.names:
            name = self.names[place.key()] = self._unused(self._memory_name(memory))
            self.lines.append(f"{name} = {self._new(memory.array, name)}")

    def _new(self, array, name):
        """The call that makes an array which lies in memory as ``array`` does; ``name`` is what it will be called."""
        for order in "CF":
            if np.empty(array.shape, array.dtype, order).strides == array.strides:
                dtype = self._known(array.dtype, _identifier(array.dtype.name))
                return f"{self._known(np.empty, 'empty')}({array.shape}, {dtype}{', ' + repr(order) if order == 'F' else ''})"
        return f"{self._known(np.empty_like, 'empty_like')}({self._bind(_template(array), f'like_{name}')})"

    def _write_call(self, step, call):
        if _converts(step) and step.results[0].memory.number in self.owners:
            target, source = step.results[0], step.args[0]
            unsafe = "" if np.can_cast(source.dtype, target.dtype, "same_kind") else ', "unsafe"'
            self.lines.append(f"copyto({self._name(target)}, {self._name(source)}{unsafe})")
            return
        targets, after = [], []
        for place in step.results:
            if place is None:
                targets.append("_")
                continue
            if place.memory.number in self.variables:
                name = self.names[place.key()] = self._unused(self._memory_name(place.memory))
            elif place.memory.number in self.owners:
                name = self._unused(f"{self._memory_name(place.memory)}_made")
                after.append(f"copyto({self._name(place)}, {name})")
            else:
                name = "_"
            targets.append(name)
        self.lines.append(f"{', '.join(targets)}{',' if step.several and len(targets) == 1 else ''} = {call}")
        self.lines += after

    def _function(self, step):
        function = _INTO.get(step.function, step.function)
        if function is np.dot and step.args[0].__class__ is Place:
            function = np.ndarray.dot  # the same, looked up more quickly
        name = _identifier(getattr(function, "__name__", type(function).__name__))
        owner = getattr(function, "__self__", None)
        if isinstance(owner, np.ufunc):
            name = f"{owner.__name__}_{name}"
        for known, value in self.bound.items():
            if value is function:
                return known
        if isinstance(owner, np.ufunc):  # methods of ufuncs are made anew when they are asked for
            for known, value in self.bound.items():
                if (
                    getattr(value, "__self__", None) is owner
                    and getattr(value, "__name__", "") == function.__name__
                ):
                    return known
        return self._bind(function, name)

    def _known(self, value, hint):
        """The name in the source of an object of which there is only one."""
        for name, bound in self.bound.items():
            if bound is value:
                return name
        return self._bind(value, hint)

    def _operand(self, x, step):
        """Like ``_text``, of an operand of a ufunc: numbers are arrays without axes, which NumPy takes more quickly."""
        dtype = step.results[0].dtype
        if (
            step.function not in _OF_ONE_DTYPE
            or x.__class__ not in (int, float, dtype.type)
            or dtype.kind not in "fc"
            or not all(place.dtype == dtype for place in step.places())
        ):
            return self._text(x)
        number = repr(x.item() if isinstance(x, np.generic) else x)
        key = number, dtype
        if key not in self.numbers:
            name = re.sub(r"\W", "_", number.replace("-", "minus_", 1) if number[0] == "-" else f"_{number}")
            self.numbers[key] = self._bind(np.array(x, dtype), name)
        return self.numbers[key]

    def _text(self, x):
        if x.__class__ is Place:
            return self._name(x)
        if x.__class__ is tuple or x.__class__ is list:
            if leaves_of(x):
                inner = ", ".join(map(self._text, x))
                return f"[{inner}]" if x.__class__ is list else f"({inner}{',' if len(x) == 1 else ''})"
            return repr(x) if _is_literal(x) else self._bind(x, "c")
        if isinstance(x, np.dtype):
            return self._known(x, _identifier(x.name))
        return repr(x) if _is_literal(x) else self._bind(x, "c")

    def lines_by_part(self):
        """The lines of the source, each with the part of the step that it belongs to: forward, backward, update, or none."""
        head = f"def replay({', '.join(self.arguments)}):"
        parts = [*self.parts, *[""] * (len(self.lines) - len(self.parts))]
        return [("", head), *[(part, f"    {line}") for part, line in zip(parts, self.lines)]]

    def source(self):
        """The source of the function."""
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def replay({', '.join(self.arguments)}):\n{body}"

    def _compile(self):
        names = list(self.bound)
        inner = "".join(f"    {line}\n" for line in self.source().splitlines())
        text = f"def make({', '.join(names)}):\n{inner}    return replay\n"
        filename = f"<captured step {next(_numbers)}>"
        namespace: dict = {}
        exec(compile(text, filename, "exec"), namespace)
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
        weakref.finalize(self, linecache.cache.pop, filename, None)
        self._make = namespace["make"]
        self._link()


def _part_of(step, before):
    """Which part of a training step a call belongs to, ``before`` being that of the call before it."""
    if before == "update" or (step.kind == "python" and step.function.__name__ == "refill"):
        return "update"
    return "backward" if (step.operator or "").startswith("d_") else "forward"


def _operands_to_reuse(step, dying):
    """Of the memories that die in a step, those that its result may take: it is elementwise, and they are seen as the result is."""
    if (
        step.kind != "ufunc"
        or not isinstance(step.function, np.ufunc)
        or step.function.signature is not None
        or len(step.results) != 1
    ):
        return ()
    (z,) = step.results
    reads = step.reads()
    if any(place.memory.number == z.memory.number for place in reads):
        return ()
    found = []
    for number in dying:
        places = [place for place in reads if place.memory.number == number]
        if (
            places
            and all(
                p.fills() and (p.shape, p.strides, p.dtype) == (z.shape, z.strides, z.dtype) for p in places
            )
            and z.fills()
        ):
            found.append(number)
    return found[:1]


def _needed(steps, stays, outputs):
    """The steps on which something depends that stays, or is given out, in their order."""
    wanted = stays | {place.memory.number for place in outputs}
    found = []
    for step in reversed(steps):
        changed = step.changed()
        if (
            step.kind in ("python", "check")
            or step.draws
            or any(place.memory.number in wanted for place in changed)
        ):
            found.append(step)
            wanted.update(place.memory.number for place in step.places())
    found.reverse()
    return found


#: What takes the result's array, for functions that do not.
_INTO = {products.dot: products.dot_into, products.dot_plus: products.dot_plus_into}
#: Ufuncs whose operands and result have one dtype, whether a number is a Python number or an array without axes.
_OF_ONE_DTYPE = frozenset({np.add, np.subtract, np.multiply, np.divide})


def _takes_out_by_position(function):
    """Whether a function takes its result's array by position, which is quicker: NumPy means to have done with that for two ufuncs."""
    return function in TAKING_OUT or (
        isinstance(function, np.ufunc) and function not in (np.maximum, np.minimum)
    )


def _is_default(function, name, value):
    """Whether an argument of a reduction is what it is without being given."""
    return isinstance(getattr(function, "__self__", None), np.ufunc) and (name, value) in (
        ("dtype", None),
        ("keepdims", False),
    )


def _converts(step):
    """Whether a call makes a copy of its first operand, maybe of another dtype, which ``copyto`` can write anywhere."""
    return step.kind == "call" and step.function in (np.ndarray.astype, np.ndarray.copy)


def _template(array):
    """An array of the same shape, dtype and order that takes (next to) no memory, for ``empty_like``."""
    return np.empty_like(array)


def _like(owner, block):
    """An array over ``block`` that lies in memory as ``owner`` does."""
    low = owner.__array_interface__["data"][0] - np.lib.array_utils.byte_bounds(owner)[0] if owner.size else 0
    return np.ndarray(owner.shape, owner.dtype, block, low, owner.strides)


def _at(owner, place):
    """The array at ``place`` in the memory of ``owner``."""
    if place.fills():
        return owner
    if 0 in place.shape or not owner.size:
        return np.empty(place.shape, place.dtype)
    return np.ndarray(place.shape, place.dtype, flat_bytes(owner), place.offset, place.strides)


def _where(array):
    """What tells fixed arrays apart."""
    return address(array), array.shape, array.strides, array.dtype


def _is_literal(x):
    if x.__class__ is tuple:
        return all(map(_is_literal, x))
    if x.__class__ is slice:
        return False
    return (
        x is None
        or x is Ellipsis
        or x.__class__ in (int, bool, str)
        or (x.__class__ is float and x == x and abs(x) != float("inf"))
    )


def _identifier(name):
    name = re.sub(r"\W+", "_", name).strip("_") or "f"
    return name + "_" if keyword.iskeyword(name) or name[0].isdigit() else name
