"""What two runs of a program print, compared: all words are the same, and numbers are near one another."""

import math
import re

_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.\d*|\.\d+|\d+)(?:e[+-]?\d+)?(?![\w])")


def assert_prints_alike(ours, theirs, rtol=1e-3, atol=1e-3):
    """Assert that two texts have the same lines, up to the spaces in them; whole numbers are compared exactly, those with a point to the tolerances."""
    ours, theirs = ours.splitlines(), theirs.splitlines()
    for number, (line, expected) in enumerate(zip(ours, theirs), 1):
        assert _lines_agree(line, expected, rtol, atol), f"line {number}: {line!r}, expected {expected!r}"
    assert len(ours) == len(theirs), f"{len(ours)} lines, expected {len(theirs)}"


def _lines_agree(line, expected, rtol, atol):
    words, numbers = _parts(line)
    expected_words, expected_numbers = _parts(expected)
    return (
        words == expected_words
        and len(numbers) == len(expected_numbers)
        and all(_numbers_agree(a, b, rtol, atol) for a, b in zip(numbers, expected_numbers))
    )


def _parts(line):
    """The words of a line, with a sign for each number, and the numbers.  Spaces do not count: columns of numbers are as wide as the widest."""
    return "".join(_NUMBER.sub("#", line).split()), _NUMBER.findall(line)


def _numbers_agree(a, b, rtol, atol):
    if a == b:
        return True
    return ("." in a or "." in b) and math.isclose(float(a), float(b), rel_tol=rtol, abs_tol=atol)
