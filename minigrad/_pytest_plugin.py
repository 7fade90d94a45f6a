"""A plugin that pytest finds by its entry point: infinities and nans are silent in tests, too.

Pytest imports tests inside of ``warnings.catch_warnings``, which forgets the filter that ``import minigrad`` sets there.
"""


def pytest_configure(config):
    """Add the filter to those that pytest sets for each test."""
    config.addinivalue_line("filterwarnings", r"ignore::RuntimeWarning:minigrad\.")
