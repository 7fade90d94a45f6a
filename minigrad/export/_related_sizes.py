"""Sizes that go together: a program that takes a cache takes masks that are as long as the cache and the new words, and raises for others.

Two sizes of which neither may be altered alone, but both at once, grow together: ``total - 7`` is ``past - 4``, and if that holds of ``words`` too, their sum.
"""

import itertools
from collections.abc import Callable
from typing import Any

from .dynamic_shapes import DerivedDim

#: By how much sizes are altered to find out.
_BY = 3


def related(dims: dict[str, Any], example: dict[str, int], takes: Callable[[Any], bool]) -> dict[str, Any]:
    """The sizes that follow from others: name -> ``DerivedDim``. ``takes`` says whether the program takes given sizes; empty if nothing is found."""

    def together(*names: str) -> bool:
        sizes = {**example, **{name: example[name] + _BY for name in names}}
        return all(dims[name].allows(sizes[name]) for name in names) and takes(sizes)

    bound = [name for name in dims if not together(name)]
    found: dict[str, Any] = {}
    for size in dict.fromkeys(example[name] for name in bound):
        first, *others = [name for name in bound if example[name] == size]
        if others and together(first, *others):
            found |= {name: _following(dims, example, name, [first]) for name in others}
    bound = [name for name in bound if name not in found]
    same = {name: [other for other, dim in found.items() if name in dim.roots] for name in bound}
    pairs = [
        {one, other}
        for one, other in itertools.combinations(bound, 2)
        if together(one, other, *same[one], *same[other])
    ]
    for name in sorted(bound, key=lambda each: -example[each]):
        others = [other for pair in pairs if name in pair for other in pair - {name}]
        if others and not any(other in found for other in others):
            found[name] = _following(dims, example, name, others)
    return {name: _resolved(dims, name, dim, found) for name, dim in found.items()}


def _following(dims, example, name, roots):
    """The size that grows as others do."""
    terms = dict.fromkeys(roots, 1)
    offset = example[name] - sum(example[root] for root in roots)
    return DerivedDim(name, {root: dims[root] for root in roots}, terms, offset, dims[name])


def _resolved(dims, name, dim, found):
    """The size, said by those that follow from no other."""
    terms, offset = {}, dim.offset
    for root in dim.roots:
        inner = found.get(root)
        offset += 0 if inner is None else inner.offset
        terms |= {root: 1} if inner is None else inner.terms
    return DerivedDim(name, {root: dims[root] for root in terms}, terms, offset, dims[name])
