"""The site as Sphinx has built it, in the folder that MINIGRAD_SITE names or in ``docs/_build``; tests are skipped where there is none."""

import functools
import os
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browser import running

BUILT = Path(os.environ.get("MINIGRAD_SITE") or Path(__file__).parents[2] / "docs" / "_build")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        """Print nothing."""


@pytest.fixture(scope="session")
def built():
    """The folder of the site."""
    if not (BUILT / "index.html").exists():
        pytest.skip("needs the site: sphinx-build docs docs/_build")
    return BUILT


@pytest.fixture(scope="session")
def address(built):
    """Where a server on this machine offers the site: pages from files may not fetch one another."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=built))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """A running Chromium."""
    yield from running(tmp_path_factory.mktemp("chromium"))
