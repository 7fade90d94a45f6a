"""Of PyTorch's ``fx.experimental``: what programs ask about sizes that are not known (``symbolic_shapes``)."""
