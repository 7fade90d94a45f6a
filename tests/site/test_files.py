"""The files of the documentation: all that pages link to is there, and all public names are described."""

import re
import zlib
from urllib.parse import unquote

from tests.test_public_names import FUNCTIONS


def test_links_and_pictures_lead_to_files(built):
    missing = []
    for page in built.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8")):
            local = not re.match(r"\w+:", link)
            if local and not (page.parent / unquote(link)).exists():
                missing.append((str(page.relative_to(built)), link))
    assert missing == []


def described(built):
    """The names in the inventory of the site."""
    data = (built / "objects.inv").read_bytes()
    lines = zlib.decompress(data.split(b"\n", 4)[4]).decode().splitlines()
    return {line.split()[0] for line in lines if line.split()[1].startswith("py:")}


def test_the_reference_describes_every_public_function(built):
    names = described(built)
    missing = [name for name in FUNCTIONS if name not in names and f"minigrad.{name}" not in names]
    assert missing == []
