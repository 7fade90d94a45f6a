"""Links from the pages to the repository's other files, such as ``../../minigrad/_core/engine.py``.

Those files become pages of the site, in colour and with numbered lines (Sphinx would offer them as downloads). Documents that stand outside of the folder of
the pages, and are included in one, are found in that page.
"""

from pathlib import Path

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

SHOWN = {".py"}
#: Document outside of the folder, without its suffix -> the page that includes it.
INCLUDED = {
    "CHANGELOG": "project/changelog",
    "CONTRIBUTING": "project/contributing",
    "SECURITY": "project/security",
    "benchmarks/README": "explanation/benchmarks",
}


def page_name(app, file):
    """The name of the page that shows a file, from its path below the folder of the documents."""
    path = (Path(app.srcdir) / file).resolve()
    return f"source/{path.relative_to(Path(app.srcdir).parent).as_posix()}"


class LinksToFiles(SphinxPostTransform):
    """Links lead to the pages of the files that they name."""

    default_priority = 1  # before references are looked up

    def run(self):
        self.documents()
        if self.app.builder.format == "html":
            self.sources()

    def documents(self):
        for link in self.document.findall(addnodes.pending_xref):
            target = Path(link["reftarget"])
            if link["refdomain"] == "doc" and target.is_absolute():
                name = target.relative_to(Path(self.app.srcdir).parent).as_posix()
                link["reftarget"] = INCLUDED.get(name, link["reftarget"])

    def sources(self):
        for link in list(self.document.findall(addnodes.download_reference)):
            file, _ = self.env.relfn2path(link["reftarget"], self.env.docname)
            if Path(file).suffix in SHOWN:
                target = self.app.builder.get_relative_uri(self.env.docname, page_name(self.app, file))
                link.replace_self(nodes.reference("", "", *link.children, refuri=target, internal=True))


def pages(app):
    """The pages: (name, context, template)."""
    shown = HtmlFormatter(linenos="inline", lineanchors="line", anchorlinenos=True, wrapcode=True)
    for file in app.env.dlfiles:
        path = (Path(app.srcdir) / file).resolve()
        if path.suffix in SHOWN:
            name = page_name(app, file)
            title = name.removeprefix("source/")
            code = highlight(path.read_text(encoding="utf-8"), PythonLexer(), shown)
            body = f"<h1>{title}</h1>{code}"
            yield name, {"title": title, "body": body, "parents": []}, "page.html"


def setup(app):
    app.add_post_transform(LinksToFiles)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
