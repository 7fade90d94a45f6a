"""The mechanism: tensors, nodes, the families of operators, the engine.

Read in this order: ``tensor``, ``node``, ``families``, ``engine``; then ``views`` and ``inplace``; last ``interpret``, where all that is
unusual lives.
"""

from .._base.numpy_warnings import keep_quiet

keep_quiet()
