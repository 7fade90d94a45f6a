"""A plugin of pytest, ``-p minigrad._pytest_plugin``: infinities and nans are silent in tests, too.

Pytest imports tests inside of ``warnings.catch_warnings``, which forgets the filter that ``import minigrad`` sets there.  It has no entry point:
pytest would rewrite the whole package, as it does with distributions that have one.
"""


def pytest_configure(config):
    """Add the filter to those that pytest sets for each test."""
    config.addinivalue_line("filterwarnings", r"ignore::RuntimeWarning:minigrad\.")
