"""The parts of ``utils.benchmark``, each in the module where PyTorch has it."""
