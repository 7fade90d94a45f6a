"""What Python suggests for a misspelt name of a module."""


class NamesLike:
    """What an AttributeError about ``module`` names as its object: Python suggests one of its names, which are those of the module that are alike.

    Of a module of more than 750 names Python suggests none; nor of None, where there is nothing to suggest.
    """

    def __init__(self, name, module):
        self._name, self._module = name, module

    def __dir__(self):
        if self._module is None:
            return []
        from difflib import get_close_matches

        return get_close_matches(self._name, dir(self._module), 10)
