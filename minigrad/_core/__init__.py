"""The mechanism: tensors, nodes, the families of operators, the engine.

Read in this order: ``tensor``, ``node``, ``families``, ``engine``; then ``views`` and ``inplace``; last ``interpret``, where all that is
unusual lives.
"""

import warnings

# Infinities and nans are ordinary values here, as in PyTorch: NumPy need not warn of them from our files.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")
