"""What ``serialization.py`` is built on: the archive format, the names in pickles, and the pickle machine that runs no code."""
