"""How Sphinx builds the documentation: ``sphinx-build -W -j auto docs docs/_build``.

Inventories of other projects come from the network, and are left out if the environment variable ``MINIGRAD_DOCS_OFFLINE`` is set.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_extensions")]

import minigrad  # noqa: E402

project = "minigrad"
author = "The minigrad authors"
copyright = author
version = release = minigrad.version.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "reference",
    "source_pages",
]
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext"}
# MyST-NB writes executed notebooks beside the folder of the build.
exclude_patterns = ["_build", "jupyter_execute"]
nitpicky = True
toc_object_entries = (
    False  # each page would carry all names; the reference's pages begin with links to theirs
)

myst_heading_anchors = 4
nb_execution_mode = "auto"  # the pages in notebooks/ are executed; the others have no cells
nb_execution_raise_on_error = True

offline = bool(os.environ.get("MINIGRAD_DOCS_OFFLINE"))
intersphinx_mapping = (
    {}
    if offline
    else {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
    }
)

copybutton_exclude = ".linenos, .gp, .go"  # a copied session has its input alone, without prompts
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"minigrad {version}"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_scorer = str(HERE / "search_scores.js")
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"

linkcheck_ignore = [r"https?://localhost"]


def setup(app):
    """Mermaid's drawings are shown as the text that they are."""
    from pygments.lexers.special import TextLexer

    app.add_lexer("mermaid", TextLexer)
