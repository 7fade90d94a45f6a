"""``seal`` and ``final``: classes of which programs can make no objects, or no subclasses, as of PyTorch's that are written in C++."""

__all__ = ["final", "seal"]


def final(cls):
    """Refuse subclasses of a class from now on, by TypeError."""

    def refuse(cls, **named):
        raise TypeError(f"type '{name}' is not an acceptable base type")

    name = _public_name(cls)
    cls.__init_subclass__ = classmethod(refuse)
    return cls


def seal(cls):
    """Refuse subclasses and further objects of a class, all of whose objects have been made, by TypeError."""

    def refuse(cls, *args, **named):
        raise TypeError(f"cannot create '{name}' instances")

    name = _public_name(cls)
    cls.__new__ = refuse
    return final(cls)


def _public_name(cls):
    return f"torch.{cls.__name__}"
