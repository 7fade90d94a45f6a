"""Docstrings as reStructuredText: what is code stays code, names of minigrad's become links, and nothing else is markup."""

import re

from sphinx.ext.napoleon import Config, NumpyDocstring

#: A session, up to the next empty line.
_SESSION = re.compile(r"^[ \t]*>>> .*?(?=\n[ \t]*\n|\Z)", re.MULTILINE | re.DOTALL)
_LITERAL = re.compile(r"(``[^`]+``)")
_SECTION = re.compile(
    r"^(Parameters|Returns|Yields|Raises|Notes|Examples?|Attributes|See Also|References)\n-+$", re.MULTILINE
)
_NAPOLEON = Config(napoleon_use_param=False, napoleon_use_rtype=False)


def as_rst(docstring, link):
    """The lines of a docstring as reStructuredText; ``link`` gives the full name of what a piece of code names, or None."""
    parts, end = [], 0
    for session in _SESSION.finditer(docstring):
        parts += [_prose(docstring[end : session.start()], link), "\n", session[0], "\n"]
        end = session.end()
    text = "".join([*parts, _prose(docstring[end:], link)])
    if _SECTION.search(text):
        text = str(NumpyDocstring(text, _NAPOLEON))
    return text.splitlines()


def _prose(text, link):
    pieces = _LITERAL.split(text)
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = _code(
                piece, link(re.sub(r"\(\)$", "", piece[2:-2])), pieces[i - 1][-1:], pieces[i + 1][:1]
            )
        else:
            pieces[i] = re.sub(r"([\\*|`]|_(?!\w)|(?<!\w)_)", r"\\\1", piece)
    return "".join(pieces)


def _code(literal, target, before, after):
    """A piece of code, with what keeps it apart from letters beside it."""
    shown = f":py:obj:`{literal[2:-2]} <{target}>`" if target else literal
    return (
        ("\\ " if before.isalnum() else "")
        + shown
        + ("\\ " if after.isalnum() or (after in "([{" and after) else "")
    )
