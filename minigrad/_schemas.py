"""What operators of ``ops`` say of their arguments: ``ops.aten.mul.Tensor._schema``.

It is read from the signature of the function that is called: names, defaults, what the operator writes to.  Types are not told.
"""

import inspect


class AliasInfo:
    """That an argument, or a result, is memory of which the operator returns a part, or to which it writes."""

    def __init__(self, is_write):
        self.is_write = is_write
        self.before_set = self.after_set = {"a"}


class Argument:
    """One argument of an operator, or one of its results."""

    def __init__(self, name, default=inspect.Parameter.empty, kwarg_only=False, alias_info=None):
        self.name, self.kwarg_only, self.alias_info = name, kwarg_only, alias_info
        self.is_out = kwarg_only and alias_info is not None
        self._default = default

    def has_default_value(self):
        """Whether the argument may be left out."""
        return self._default is not inspect.Parameter.empty

    @property
    def default_value(self):
        """What the argument is if it is left out; None if it may not be."""
        return self._default if self.has_default_value() else None

    def __str__(self):
        return f"{self.name}={self._default!r}" if self.has_default_value() else self.name


class FunctionSchema:
    """Name, overload, arguments and results of one overload of an operator.

    >>> import minigrad
    >>> schema = minigrad.ops.aten.lerp_.Scalar._schema
    >>> schema.name, schema.overload_name, schema.is_mutable
    ('aten::lerp_', 'Scalar', True)
    >>> str(schema)
    'aten::lerp_.Scalar(self, end, weight)'
    """

    def __init__(self, name, overload_name, arguments, returns):
        self.name, self.overload_name, self.arguments, self.returns = name, overload_name, arguments, returns

    @property
    def is_mutable(self):
        """Whether the operator writes to one of its arguments."""
        return any(each.alias_info is not None and each.alias_info.is_write for each in self.arguments)

    def __str__(self):
        texts, named = [], False
        for each in self.arguments:
            if each.kwarg_only and not named:
                texts.append("*")
                named = True
            texts.append(str(each))
        name = f"{self.name}.{self.overload_name}" if self.overload_name else self.name
        return f"{name}({', '.join(texts)})"

    __repr__ = __str__


def schema_of(overload):
    """The schema of an ``OpOverload``."""
    alias = AliasInfo(True) if overload._opname[-1] == "_" and overload._opname[-2:] != "__" else None
    arguments = []
    for each in inspect.signature(overload.op).parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) or each.name == "out":
            continue
        first = not arguments
        name = "self" if first and each.name == "input" else each.name
        arguments.append(
            Argument(name, each.default, each.kind is each.KEYWORD_ONLY, alias if first else None)
        )
    for name in overload._outs:
        arguments.append(Argument(name, kwarg_only=True, alias_info=AliasInfo(True)))
    overload_name = "" if overload._overloadname == "default" else overload._overloadname
    return FunctionSchema(
        overload._overloadpacket._qualified_op_name,
        overload_name,
        arguments,
        [Argument("", alias_info=alias)],
    )
