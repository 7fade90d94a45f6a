"""What pickles of 2018 name: ``torch.nn.backends.thnn``."""
