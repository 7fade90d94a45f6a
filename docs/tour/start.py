"""Define what the pages of the tour before a page define: ``python -i docs/tour/start.py 5`` knows pages 1 to 4.

With ``--print`` the program of those pages is printed, and not run.
"""

import re
import sys
from pathlib import Path

PAGES = sorted(Path(__file__).parent.glob("[0-9][0-9]_*.md"))


def blocks(page):
    """The code blocks of a page: (language, number of the line before the code, code)."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```(python|pycon)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [(block[1], text.count("\n", 0, block.start(2)), block[2]) for block in found]


def exercise(page):
    """The number of the line at which the exercise of a page begins."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return lines.index("## Exercise")


def program(page):
    """The code of a page that the pages after it build on: without sessions and the exercise."""
    end = exercise(page)
    return [(line, code) for language, line, code in blocks(page) if language == "python" and line < end]


def define(page, line, code, names):
    """Run a block of a page; tracebacks and debuggers show the line in the page itself."""
    exec(compile("\n" * line + code, page, "exec"), names)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for page in PAGES[: int(sys.argv[1]) - 1]:
        for line, code in program(page):
            if "--print" in sys.argv:
                print(f"# {page.name}, line {line + 1}\n{code}")
            else:
                define(page, line, code, globals())
