"""Functions that are written for one plan: what a loop would do for many objects, line by line, in a fraction of its time."""

__all__ = ["Conditions", "Lines"]


class Lines(list):
    """The lines of a function over named objects, and its ``parameters``."""

    def __init__(self, parameters="arguments"):
        super().__init__()
        self.parameters = parameters
        self._objects = {}  # id -> (name, object)

    def name(self, x):
        """The name under which a line has an object."""
        return self._objects.setdefault(id(x), (f"x{len(self._objects)}", x))[0]

    def function(self):
        """The function with these lines."""
        names = ", ".join(name for name, _ in self._objects.values())
        body = "".join(f"        {line}\n" for line in self)
        namespace: dict = {}
        exec(
            f"def make({names}):\n    def function({self.parameters}):\n{body}    return function",
            namespace,
        )
        return namespace["make"](*[x for _, x in self._objects.values()])


class Conditions(Lines):
    """Many questions, such as whether something is the same object as before: expressions, ``terms``, all of which are to hold."""

    def __init__(self, errors):
        super().__init__()
        self.terms = []
        self.errors = errors

    def function(self):
        """The function of ``arguments`` that says whether all terms hold; one that raises one of the ``errors`` does not."""
        terms = [f"    if not ({term}): return False" for term in dict.fromkeys(self.terms)]
        self[:] = ["try:", *terms, "    return True", f"except {self.name(self.errors)}:", "    return False"]
        return super().function()
