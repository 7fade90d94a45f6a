"""``Conditions``: many questions whether something is the same object as before, as one function, which asks them in a fraction of the time of a loop."""

__all__ = ["Conditions"]


class Conditions:
    """Expressions, ``terms``, over named objects and ``arguments``; all are to hold."""

    def __init__(self):
        self.terms = []
        self._objects = {}  # id -> (name, object)

    def name(self, x):
        """The name under which an expression has an object."""
        return self._objects.setdefault(id(x), (f"x{len(self._objects)}", x))[0]

    def function(self):
        """The function of ``arguments`` that says whether all terms hold."""
        lines = [f"        if not ({term}): return False" for term in self.terms]
        names = ", ".join(name for name, _ in self._objects.values())
        body = "\n".join(["    def hold(arguments):", *lines, "        return True"])
        namespace: dict = {}
        exec(f"def make({names}):\n{body}\n    return hold", namespace)
        return namespace["make"](*[x for _, x in self._objects.values()])
