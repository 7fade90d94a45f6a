"""Sparse tensors: those that keep their nonzero elements, and where these are.

``arrays.py`` has what stands in the place of the array, ``tensors.py`` the class of the tensors, ``on_meta.py`` that of tensors without elements, ``node.py`` how their operations are recorded;
the operations themselves are in ``construct.py``, ``convert.py``, ``pointwise.py``, ``products.py``, ``reductions.py`` and ``shapes.py``; ``creating.py`` makes tensors like others, ``resizing.py`` gives them other sizes, ``into.py`` writes what they give into ``out=``, ``served.py`` and ``table.py`` name them, ``apply.py`` finds
them for the operators of dense tensors.

None of it is imported before the first sparse tensor is made.
"""

import functools

from .._base import lazy
from .._core import late

fetch = functools.cache(lambda: lazy.load("_sparse.apply"))
late.sparse = fetch
