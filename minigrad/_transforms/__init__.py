"""Transforms: how every operation is done on wrapped tensors, one level at a time.

``vmap`` and forward mode wrap tensors (``_core/wrapped.py``): a wrapped tensor has, in the place of an array, a layer that holds a tensor further in (a batch
of samples; a value beside its tangent).  The quick ways of ops take plain tensors only, so that nothing here costs anything while it is not used.  Read
``apply.py`` first, then the rules: ``tangents.py``, ``batching.py``; ``inplace.py`` is about ops in place.
"""

from . import captured as captured
from . import repr as text
from .apply import level_of
from .inplace import become_wrapped, belongs

__all__ = ["become_wrapped", "belongs", "level_of"]
