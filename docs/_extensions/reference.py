"""The reference: a page for each subject or module, written from signatures and docstrings into ``docs/reference/`` before the pages are read."""

import importlib
import inspect
import shutil
from collections import defaultdict
from pathlib import Path

import docstrings
import public_names
import reference_plan

import minigrad

TENSOR = "minigrad.Tensor"
WITHIN = [".. py:currentmodule:: minigrad", ""]


class Writer:
    """Writes each public name once, in full; where it is met again, as another name for it."""

    def __init__(self):
        self.modules = {name: importlib.import_module(name) for name in public_names.modules()}
        self.named = {name: public_names.names(module) for name, module in self.modules.items()}
        self.first = {}
        for module, found in self.named.items():
            for name, value in found.items():
                if inspect.isroutine(value) or inspect.isclass(value):
                    self.first.setdefault(id(value), f"{module}.{name}")
        self.described = {
            f"{TENSOR}.{name}": f"{TENSOR}.{name}" for name in dir(minigrad.Tensor) if name[0] != "_"
        }
        for module, found in self.named.items():
            for name, value in found.items():
                if id(value) in self.first:
                    self.described[f"{module}.{name}"] = self.first[id(value)]

    def pages(self):
        """Name of a page -> its lines."""
        subjects = defaultdict(dict)
        for name, value in self.named["minigrad"].items():
            if value is not minigrad.Tensor:
                subjects[public_names.subject(value)][name] = value
        for page, (title, _) in reference_plan.SUBJECTS.items():
            yield page, [*heading(title, "="), *WITHIN, *self.entries("minigrad", subjects[page])]
        yield "tensor", [*heading("torch.Tensor", "="), *WITHIN, *self.tensor()]
        by_page = defaultdict(list)
        for module in self.modules:
            if module != "minigrad":
                by_page[public_names.page(module)].append(module)
        for _, group in reference_plan.MODULES:
            for page, (title, _) in group.items():
                yield (
                    page,
                    [
                        *heading(title, "="),
                        *(line for module in by_page[page] for line in self.module(module)),
                    ],
                )

    def module(self, module):
        """The section of a module; modules that have nothing but what others have shown have none."""
        found = self.named[module]
        shown = {
            name: value
            for name, value in found.items()
            if self.first.get(id(value)) in (None, f"{module}.{name}")
        }
        if not shown:
            return []
        if len(shown) > len(found) / 2:
            shown = found
        about = inspect.getdoc(self.modules[module]) or ""
        return [
            *heading(module, "-"),
            f".. py:{'currentmodule' if module in self.described else 'module'}:: {module}",  # some are called like a function beside them
            "",
            *docstrings.as_rst(about, lambda text: self.link(text, module)),
            "",
            *self.entries(module, shown),
        ]

    def entries(self, module, found):
        """The descriptions of what a module has, below links to them."""
        lines = [" · ".join(f":py:obj:`~{module}.{name}`" for name in found), ""]
        for name, value in found.items():
            if inspect.isclass(value):
                lines += self.class_entry(module, name, value)
            elif inspect.isroutine(value):
                lines += self.entry("function", name + signature(value), value, f"{module}.{name}", module)
            else:
                lines += [f".. py:data:: {name}", "", *indented([constant(value)]), ""]
        return lines

    def entry(self, kind, head, value, full, module, options=()):
        """The description of a function, a method or a property, or where it is."""
        first = self.first.get(id(value), full)
        if first != full:
            body = [f"Another name for :py:obj:`{first}`."]
        else:
            parameters = parameter_names(value)
            body = docstrings.as_rst(
                inspect.getdoc(value) or "",
                lambda text: None if text in parameters else self.link(text, module),
            )
        return [f".. py:{kind}:: {head}", *(f"   :{option}:" for option in options), "", *indented(body), ""]

    def class_entry(self, module, name, cls):
        full = f"{module}.{name}"
        lines = self.entry("class", name + signature(cls), cls, full, module)
        if self.first[id(cls)] == full:
            for inner, part in sorted(members(cls, self.first).items()):
                lines += indented(self.member(full, inner, part, module))
        return lines

    def member(self, cls, name, part, module):
        full = f"{cls}.{name}"
        if isinstance(part, property) or not callable(getattr(part, "__func__", part)):
            return self.entry("property", name, part, full, module)
        kinds = [
            kind
            for kind, of in (("classmethod", classmethod), ("staticmethod", staticmethod))
            if isinstance(part, of)
        ]
        function = getattr(part, "__func__", part)
        return self.entry(
            "method",
            name + signature(function, bound="staticmethod" not in kinds),
            function,
            full,
            module,
            kinds,
        )

    def tensor(self):
        """Tensor's attributes and methods; a method that is a function of ``minigrad`` too is described there."""
        cls = minigrad.Tensor
        names = sorted(
            (name for name in dir(cls) if name[0] != "_"), key=lambda name: (name.rstrip("_"), name)
        )
        lines = [
            " · ".join(f":py:obj:`~{TENSOR}.{name}`" for name in names),
            "",
            *self.entry("class", "Tensor", cls, TENSOR, "minigrad"),
        ]
        for name in names:
            part = inspect.getattr_static(cls, name)
            function = getattr(minigrad, name, None)
            if (
                inspect.isroutine(function)
                and self.described.get(f"minigrad.{name}") == f"minigrad.{name}"
                and inspect.getdoc(function) == inspect.getdoc(part)
            ):
                lines += indented(
                    [
                        f".. py:method:: {name}{signature(function, bound=True)}",
                        "",
                        f"   See :py:obj:`minigrad.{name}`.",
                        "",
                    ]
                )
            else:
                lines += indented(self.member(TENSOR, name, part, "minigrad"))
        return lines

    def link(self, text, module):
        """The full name of what a piece of code in a docstring names."""
        if not all(part.isidentifier() for part in text.split(".")) or len(text) == 1:
            return None
        text = text.removeprefix("torch.").removeprefix("minigrad.")
        candidates = (f"{module}.{text}", f"minigrad.{text}", f"minigrad.nn.functional.{text}")
        return next((self.described[name] for name in candidates if name in self.described), None)


def members(cls, public):
    """Name -> method or property, that a class has of its own or of bases that are not public themselves."""
    found = {}
    for base in reversed(cls.__mro__):
        if (base is cls or id(base) not in public) and base.__module__.startswith("minigrad"):
            found.update(vars(base))
    return {
        name: part
        for name, part in found.items()
        if name[0] != "_"
        and (isinstance(part, (property, classmethod, staticmethod)) or inspect.isfunction(part))
    }


def signature(value, bound=False):
    """The parameters and their defaults, without types."""
    try:
        found = inspect.signature(value)
    except (ValueError, TypeError):
        return "(...)"
    parameters = [
        each.replace(annotation=each.empty, default=default(each)) for each in found.parameters.values()
    ]
    return str(
        inspect.Signature(parameters[bound:], __validate_parameters__=False)
    )  # some have been built around the rules of Python


class Named:
    """A default that has a name in place of an address."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


def default(parameter):
    value = parameter.default
    if (
        value is parameter.empty
        or value is None
        or isinstance(value, (bool, int, float, complex, str, tuple))
    ):
        return value
    text = getattr(value, "__name__", None) or repr(value)
    return Named(
        text if " at 0x" not in text and "\n" not in text and "<" not in text else type(value).__name__
    )


def parameter_names(value):
    try:
        return {*inspect.signature(value).parameters}
    except (ValueError, TypeError):
        return set()


def constant(value):
    text = repr(value)
    return (
        f"``{text}``"
        if len(text) < 80 and not any(part in text for part in (" at 0x", "`", "\n"))
        else f"Of the type ``{type(value).__name__}``."
    )


def heading(title, line):
    return [title, line * len(title), ""]


def indented(lines):
    return [f"   {line}" if line else "" for line in lines]


def index():
    """The page that leads to the others."""
    groups = [
        ("Tensors", ["tensor", *reference_plan.SUBJECTS]),
        *((caption, list(pages)) for caption, pages in reference_plan.MODULES),
    ]
    lines = [
        *heading("Reference", "="),
        "Every public name, under the name that PyTorch gives it. In a program ``torch`` is ``minigrad``: ``import minigrad as torch``.",
        "",
    ]
    for caption, pages in groups:
        lines += [
            ".. toctree::",
            f"   :caption: {caption}",
            "   :maxdepth: 1",
            "",
            *(f"   {page}" for page in pages),
            "",
        ]
    return lines


def write(app):
    """Write the pages, those anew whose text has changed."""
    folder = Path(app.srcdir) / "reference"
    pages = {"index": index(), **dict(Writer().pages())}
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.stem not in pages:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, lines in pages.items():
        path, text = folder / f"{name}.rst", "\n".join(lines) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app):
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
