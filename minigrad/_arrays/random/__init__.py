"""Random numbers on raw arrays: PyTorch's generator and its distributions, bit for bit.

``generator.py`` makes the words, ``distributions.py`` the numbers; ``integers.py``, ``rejection.py``, ``rejection_at_once.py`` and ``box_muller.py`` are parts of the latter.
"""
