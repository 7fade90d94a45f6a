"""Properties that refuse to be set in PyTorch's words."""


class ReadOnly(property):
    """A property without a setter: AttributeError names the attribute and its owner as PyTorch does."""

    name = owner = ""

    def _refuse(self, *_):
        raise AttributeError(f"attribute '{self.name}' of '{self.owner}' objects is not writable")

    __set__ = __delete__ = _refuse


def read_only(owner, names):
    """A class decorator: make the properties ``names`` of a class refuse to be set; ``owner`` is what PyTorch calls the class (None: its name)."""

    def decorate(cls):
        for name in names.split():
            found = vars(cls)[name]
            refusing = ReadOnly(found.fget, doc=found.__doc__)
            refusing.name, refusing.owner = name, owner or cls.__name__
            setattr(cls, name, refusing)
        return cls

    return decorate
