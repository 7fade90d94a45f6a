"""Builds the functions of a device module from a table: each gets its name, and a docstring that shows its result."""

from typing import Any

from .._base.publishing import publish
from .sentences import CALLS, SENTENCES


def answers(module_globals: Any, table: Any) -> Any:
    """Define the functions of ``table`` (name -> function) in the module with these globals; returns their names."""
    home = module_globals["__spec__"].name
    for name, function in table.items():
        function.__name__ = function.__qualname__ = name
        function.__code__ = function.__code__.replace(co_name=name)
        function.__doc__ = function.__doc__ or _doc(f"{home}.{name}", name, function)
        publish(home, function)
    module_globals.update(table)
    return [*table]


def _doc(path, name, function):
    """A sentence, and an example with its output: the function is called once."""
    text, given = CALLS.get(name, ("", ()))
    shown = [">>> import minigrad", f">>> {path}({text})"]
    try:
        value = function(*given)
    except Exception as error:
        sort = type(error).__name__
        outcome = f"raises {sort}, because there is no such device."
        shown += ["Traceback (most recent call last):", "    ...", f"{sort}: {error}"]
    else:
        nothing = "None" if SENTENCES[name].startswith("The ") else "does nothing"
        outcome = f"{nothing}, because there is no such device." if value is None else f"{value!r}."
        shown += [] if value is None else [repr(value)]
    return f"{SENTENCES[name]}: {outcome}\n\n" + "".join(f"    {line}\n" for line in shown)
