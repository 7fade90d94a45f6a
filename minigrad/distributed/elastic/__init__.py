"""What programs import to report the errors of a rank: ``multiprocessing.errors``; MPI's launcher takes the place of PyTorch's agents."""
