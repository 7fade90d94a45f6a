"""``python -m minigrad --api 2017 script.py``: what PyTorch 0.2 and 0.3 meant where today's PyTorch means something else.

Everything is one mode that hears of each call which the program makes (``semantics.py``), and the texts of tensors (``texts.py``).  Without the option
nothing of this is imported.
"""

from .semantics import start

__all__ = ["start"]
