"""Kernels of operators on arrays, by subject: NumPy in, NumPy out; nothing here knows of tensors."""
