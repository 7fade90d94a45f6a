"""The functions of ``nn.functional`` that are more than their operators, by subject."""
