"""The device ``meta``: tensors that have a shape, a dtype and strides, and no elements.

``blank.py`` has what stands in the place of the array, ``numpy_of_shapes.py`` what NumPy's functions do with it, ``run.py`` runs the operators' own kernels on it; ``apply.py``
applies operators, and ``tensors.py`` has the class of the tensors.
"""

import functools

from .._base import lazy
from .._core import late

fetch = functools.cache(lambda: lazy.load("_meta.apply"))
late.meta = fetch
