"""Schemas: ``ns::name.overload(Tensor(a!) x, int n=2, *, bool flag=False) -> (Tensor, Tensor)`` as objects, and as text again."""

import re
from typing import Any, NamedTuple

_TYPES = {
    "Tensor", "int", "SymInt", "float", "bool", "str", "Scalar", "ScalarType", "Device", "Layout", "MemoryFormat", "Generator", "Dimname",
    "SymBool", "Storage", "complex", "Any",
}  # fmt: skip
_CONSTANTS = {"None": None, "True": True, "False": False}
_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"[^"]*"|'[^']*')|(?P<number>[-+]?(?:inf|nan|\d[\d.]*(?:[eE][-+]?\d+)?))(?![\w.])"""
    r"""|(?P<name>[A-Za-z_][\w.]*(?:::[A-Za-z_][\w.]*)?)|(?P<arrow>->)|(?P<sign>[()\[\]{},=*?!|]))"""
)


class AliasInfo(NamedTuple):
    """That an argument is memory of which the operator returns a part, or to which it writes; the sets name that memory."""

    is_write: bool
    before_set: frozenset
    after_set: frozenset


class Argument(NamedTuple):
    """One argument, or one result: ``kind`` is ``Tensor``, ``int``, ...; ``form`` what follows it: ``?``, ``[]``, ``?[]``, ``[]?``, ``[3]``."""

    name: str
    kind: str
    form: str = ""
    default_value: Any = None
    has_default: bool = False
    kwarg_only: bool = False
    alias: str = ""

    @property
    def is_write(self):
        """Whether the operator writes to it."""
        return self.alias.endswith("!")

    @property
    def is_out(self):
        """Whether it is a tensor given by name, to which the operator writes its result."""
        return self.kwarg_only and self.is_write

    @property
    def alias_info(self):
        """What memory it shares with results, and whether the operator writes to it; None if neither."""
        if not self.alias:
            return None
        if self.is_list:  # its elements are what is shared
            return AliasInfo(self.is_write, frozenset(), frozenset())
        before, arrow, after = self.alias.rstrip("!").partition("->")
        memory = frozenset(before.split("|"))
        return AliasInfo(self.is_write, memory, frozenset([after]) if arrow else memory)

    def has_default_value(self):
        """Whether it may be left out."""
        return self.has_default

    @property
    def type(self):
        """The type as it is written, without the alias."""
        return self.kind + self.form

    @property
    def is_tensors(self):
        """Whether it is a tensor, or a list of them."""
        return self.kind == "Tensor"

    @property
    def is_list(self):
        """Whether it is a list."""
        return "[" in self.form

    @property
    def optional(self):
        """Whether it may be None."""
        return self.form.endswith("?")

    def __str__(self):
        alias = f"({self.alias.replace('->', ' -> ')})" if self.alias else ""
        said = f"{self.kind}{alias}{self.form}"
        if self.name:
            said += f" {self.name}"
        if self.has_default:
            value = self.default_value
            if (
                self.kind == "int"
                and isinstance(value, list)
                and self.form == f"[{len(value)}]"
                and len(value) > 1 == len({*value})
            ):
                value = value[0]
            said += f"={_text(value, self.kind)}"
        return said


def _text(value, kind):
    if kind in ("Device", "str") and value is not None:
        return f'"{value}"'
    if isinstance(value, float) or (kind == "float" and type(value) is int):
        value = float(value)
        return f"{int(value)}." if value.is_integer() and abs(value) < 1e16 else f"{value:.17g}"
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


class FunctionSchema(NamedTuple):
    """What an operator takes and returns."""

    name: str
    overload_name: str
    arguments: tuple
    returns: tuple

    @property
    def is_mutable(self):
        """Whether the operator writes to an argument."""
        return any(argument.is_write for argument in self.arguments)

    def __str__(self):
        full = f"{self.name}.{self.overload_name}" if self.overload_name else self.name
        said, starred = [], False
        for argument in self.arguments:
            if argument.kwarg_only and not starred:
                said.append("*")
                starred = True
            said.append(str(argument))
        returns = ", ".join(map(str, self.returns))
        if len(self.returns) != 1:
            returns = f"({returns})"
        return f"{full}({', '.join(said)}) -> {returns}"


def parse_schema(text):
    """The ``FunctionSchema`` of a text; RuntimeError if it is none."""
    return _Parser(text).schema()


class _Parser:
    """Reads one text from left to right."""

    def __init__(self, text):
        self.text, self.place = text, 0
        self.next()

    def next(self):
        """Go on to the next token."""
        self.start = self.place
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            rest = self.text[self.place :].strip()
            if rest:
                self.fail("a name, a sign or a number")
            self.kind, self.token = "end", ""
            return
        self.place = found.end()
        self.kind = found.lastgroup
        self.token = found[self.kind]

    def fail(self, expected):
        """Raise RuntimeError: something else was expected here."""
        found = self.token if self.kind != "end" else "the end"
        raise RuntimeError(
            f"expected {expected} but found '{found}' here:\n{self.text}\n{' ' * self.start}~ <--- HERE"
        )

    def take(self, token):
        """Whether the next token is this one, which is then behind."""
        if self.token == token and self.kind in ("sign", "arrow"):
            self.next()
            return True
        return False

    def expect(self, token):
        """The same; RuntimeError if it is another."""
        if not self.take(token):
            self.fail(token)

    def word(self):
        """The next token, a name."""
        if self.kind != "name" and self.token not in ("nan", "inf"):
            self.fail("a name")
        word = self.token
        self.next()
        return word

    def schema(self):
        """All of it."""
        name = self.word() if self.token != "(" else ""
        space, colons, rest = name.rpartition("::")
        base, _, overload = rest.partition(".")
        self.expect("(")
        arguments, starred = [], False
        while not self.take(")"):
            if self.take("*"):
                starred = True
            else:
                arguments.append(self.argument(starred))
            if self.token != ")":
                self.expect(",")
        self.expect("->")
        returns = self.returns()
        if self.kind != "end":
            self.fail("the end")
        return FunctionSchema(space + colons + base, overload, tuple(arguments), returns)

    def type(self):
        """A type with its alias: (kind, form, alias)."""
        start = self.start
        kind = self.word()
        if kind not in _TYPES:
            raise RuntimeError(
                "unknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar:\n"
                f"{self.text}\n{' ' * start}{'~' * len(kind)} <--- HERE"
            )
        alias = form = ""
        if kind == "Tensor" and self.take("("):
            while not self.take(")"):
                alias += self.token
                self.next()
        while True:
            if self.take("?"):
                form += "?"
            elif self.take("["):
                size = ""
                if self.kind == "number":
                    size = self.token
                    self.next()
                self.expect("]")
                form += f"[{size}]"
            else:
                return kind, form, alias

    def argument(self, kwarg_only):
        """A type, a name, and perhaps a default."""
        kind, form, alias = self.type()
        name = self.word()
        if not self.take("="):
            return Argument(name, kind, form, kwarg_only=kwarg_only, alias=alias)
        value = self.value()
        if form[-1:] == "]" and form[1:-1].isdecimal() and isinstance(value, (int, float)):
            value = [value] * int(form[1:-1])
        return Argument(name, kind, form, value, True, kwarg_only, alias)

    def value(self):
        """A default: a number, a string, a constant, a list of these, or a name, as of a dtype."""
        if self.take("["):
            values = []
            while not self.take("]"):
                values.append(self.value())
                if self.token != "]":
                    self.expect(",")
            return values
        kind, token = self.kind, self.token
        if kind not in ("string", "number", "name"):
            self.fail("a value")
        self.next()
        if kind == "string":
            return token[1:-1]
        if kind == "number":
            return int(token) if re.fullmatch(r"[-+]?\d+", token) else float(token)
        return float(token) if token in ("inf", "nan") else _CONSTANTS.get(token, token)

    def returns(self):
        """One type, or several in parentheses, which may have names."""
        if not self.take("("):
            kind, form, alias = self.type()
            return (Argument("", kind, form, alias=alias),)
        found = []
        while not self.take(")"):
            if self.token == "(":  # ((Tensor)): a tuple of one
                found += self.returns()
            else:
                kind, form, alias = self.type()
                found.append(Argument(self.word() if self.kind == "name" else "", kind, form, alias=alias))
            if self.token != ")":
                self.expect(",")
        return tuple(found)
