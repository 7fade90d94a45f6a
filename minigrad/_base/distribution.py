"""The distribution ``torch`` as ``importlib.metadata`` has it while ``torch`` means minigrad: libraries ask for its version before they import it."""

from importlib import metadata
from pathlib import Path

from ..version import pytorch

_PACKAGE = Path(__file__).parents[1]
_TEXTS = {
    "METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {pytorch}+{_PACKAGE.name}\nSummary: minigrad under the name of torch\n",
    "top_level.txt": "torch\n",
}


class Torch(metadata.Distribution):
    """Not installed, but served: it has a name and a version, and no files."""

    def read_text(self, filename):
        """What stands in a file of the distribution's folder; None for a file that is not there."""
        return _TEXTS.get(filename)

    def locate_file(self, path):
        """Where a file of the distribution would be: beside the package."""
        return _PACKAGE.parent / path
