"""Questions about graphs, answered in words: ``autograd/graph.py`` has them for users."""
