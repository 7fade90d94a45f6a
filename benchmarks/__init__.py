"""Measured comparison with PyTorch: the same program under both libraries, in one process, as ratios."""
