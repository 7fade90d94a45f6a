"""NumPy in, NumPy out: kernels, random streams, the vocabulary of formulas on arrays.  Nothing here has heard of a Tensor."""
