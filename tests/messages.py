"""What is compared of an error's or a warning's text: PyTorch's first sentence, which programs match; the advice after it is our own."""

import re


def first_sentence(text):
    """The text up to its first full stop or end of line.

    >>> from tests.messages import first_sentence
    >>> first_sentence("Only leaves are copied. Copy x.detach() instead.")
    'Only leaves are copied.'
    """
    # PyTorch leaves out the space in "is not allowed.You can make a clone" and "in multiprocessing.let num_workers > 0".
    return re.split(r"(?<=[.!?])(?:\s|(?=You |let ))|\n", text.strip(), maxsplit=1)[0]
