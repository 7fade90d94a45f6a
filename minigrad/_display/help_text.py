"""The docstring and signature of a function that a family makes from the class of an operator.

The class has the formula and an example.  What all operators of a family have in common, shapes and dtypes, is written here once and goes between the two.
"""

from functools import cache

_EXAMPLE = ">>> import minigrad"
_NEEDS_SCIPY = "Needs SciPy."


class LazySignature:
    """An ``inspect.Signature`` that ``make(*of)`` makes when somebody asks for it: NumPy 2.0 works without importing ``inspect``, and so do we."""

    __slots__ = ("make", "of")

    def __init__(self, make, *of):
        self.make, self.of = make, of

    @property  # type: ignore[misc]
    def __class__(self):
        """``inspect.Signature``: ``inspect`` takes nothing else for a signature."""
        return type(self.made())

    def made(self):
        """The signature itself."""
        return self.make(*self.of)

    def __getattr__(self, name):
        return getattr(self.made(), name)

    def __str__(self):
        return str(self.made())

    def __repr__(self):
        return repr(self.made())

    def __eq__(self, other):
        return self.made() == other

    def __hash__(self):
        return hash(self.made())


def signature(cls, code):
    """The signature of an op's function.

    What the function's own ``code`` leaves open (``*params``) the class knows: the names of operands and parameters, and their defaults.
    """
    from inspect import CO_VARARGS, Parameter, Signature

    names = code.co_varnames[: code.co_argcount]
    has_out = "out" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names if name != "out"]
    if code.co_flags & CO_VARARGS:
        names = (*public_names(cls)[len(found) :], *cls.plan.params)
        defaults = getattr(cls.forward, "__defaults__", None) or ()
        defaults = (Parameter.empty,) * (len(names) - len(defaults)) + defaults
        found += [
            Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default)
            for name, default in zip(names, defaults)
        ]
    if has_out and cls.out_dtype != "refused":
        found.append(Parameter("out", Parameter.KEYWORD_ONLY, default=None))
    return Signature(found)


def public_names(cls):
    """What users call the operands of an op: ``input``, ``other``."""
    names = [cls.names.get(x, x) for x in cls.plan.operands]
    return tuple(["input" if name == "self" else name for name in names])


def documented(cls, call):
    """The docstring of an op's function: its class's, with shapes and dtypes before the example, if it has one."""
    doc = cls.__doc__
    if doc is None or _EXAMPLE not in doc:
        return doc
    has_out = "out" in call.__code__.co_varnames
    about = _about(public_names(cls), cls.floats, cls.truth, cls.ordered, cls.tensors_first, has_out)
    says, example, rest = doc.partition(_EXAMPLE)
    margin = says[says.rfind("\n") + 1 :]
    return f"{says}{about}\n\n{margin}{example}{rest}"


@cache
def _about(operands, floats, truth, ordered, tensors_first, has_out):
    of = [f"``{name}``" if len(name) == 1 else f"{x} of ``{name}``" for x, name in zip("xy", operands)]
    if len(operands) == 1:
        about = f"Works on each element {of[0]}, of any shape.  The result has the same shape and "
        dtype = "dtype"
    else:
        numbers = ("; one of them may be a number", "; y may be a number", "")[tensors_first]
        about = f"Works on each pair of elements, {of[0]} and {of[1]}, which broadcast{numbers}.  The result has the common shape and "
        dtype = "the promoted dtype"
    if truth:
        dtype = "is bool"
    elif floats:
        dtype += ", or the default dtype for integers"
    out = "; it is written to ``out`` if given" if has_out else ""
    return f"{about}{dtype}{out}.{'  Complex numbers are not supported.' if ordered else ''}"


def documented_in_place(cls, name):
    """The docstring of the in-place function of an op called ``name``."""
    says = f"In-place version of ``{name}``; returns the tensor."
    if cls.__doc__ is not None and _NEEDS_SCIPY in cls.__doc__:
        says += f"  {_NEEDS_SCIPY}"
    if cls.__doc__ is None or _EXAMPLE not in cls.__doc__:
        return says
    plan = cls.plan
    numbers = "[1, 2]" if plan.formulas[0] is None else "[0.25, 0.5]"
    return (
        f"{says}\n\nKeeps shape and dtype; raises RuntimeError if the result does not fit them.\n\n"
        f"{_EXAMPLE}\n>>> x = minigrad.tensor({numbers})\n>>> x.{name}_({'x' if plan.arity > 1 else ''}) is x\nTrue\n"
    )
