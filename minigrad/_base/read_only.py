"""Properties that refuse to be set in PyTorch's words."""


class ReadOnly(property):
    """A property without a setter: AttributeError names the attribute and its owner as PyTorch does."""

    name = owner = ""

    def _refuse(self, instance, *_):
        owner = self.owner or type(instance).__name__
        raise AttributeError(f"attribute '{self.name}' of '{owner}' objects is not writable")

    __set__ = __delete__ = _refuse


def refusing(name, owner):
    """Like ``ReadOnly``, of a property that is read too often for a class of its own: Python reads plain ones faster."""

    def decorate(fget):
        def refuse(self, *_):
            raise AttributeError(f"attribute '{name}' of '{owner}' objects is not writable")

        refuse.refuses = True
        return property(fget, refuse, refuse, fget.__doc__)

    return decorate


def read_only(owner, names):
    """A class decorator: make the properties ``names`` of a class refuse to be set; ``owner`` is what PyTorch calls the class (None: its name; empty: that of the object's own)."""

    def decorate(cls):
        for name in names.split():
            found = vars(cls)[name]
            refusing = ReadOnly(found.fget, doc=found.__doc__)
            refusing.name, refusing.owner = name, cls.__name__ if owner is None else owner
            setattr(cls, name, refusing)
        return cls

    return decorate
