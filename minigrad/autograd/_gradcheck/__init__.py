"""How gradients are checked.

``check.py`` says what is checked, in which order; ``selection.py`` which tensors.  ``numerical.py`` and ``analytical.py`` compute Jacobians,
``compare.py`` compares them, in full (slow mode) or along random directions (fast mode); ``linear.py`` and ``batched.py`` ask the rest.
"""
