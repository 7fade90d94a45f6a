"""Steps that are noted call by call of NumPy, and run again as one flat function: ``minigrad.capture``.  Read ``captured.py`` first."""
