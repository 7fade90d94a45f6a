"""A function that pickles of modules of 2018 name, and nothing else uses."""


def _get_thnn_function_backend():
    """None: modules of 2018 kept what it gave as ``_backend``."""
