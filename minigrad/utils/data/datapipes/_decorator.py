"""How a class of pipes becomes a method of all others."""

from typing import Any

from .datapipe import IterDataPipe, MapDataPipe


class functional_datapipe:
    """Register a class of pipes that takes another pipe under ``name``, so that ``pipe.name(...)`` makes one (a decorator).

    Raises TypeError if the class is not a pipe's, Exception if the name is taken.

    >>> from minigrad.utils.data import IterDataPipe, functional_datapipe
    >>> class Numbers(IterDataPipe):
    ...     def __iter__(self):
    ...         yield from range(3)
    >>> @functional_datapipe("doubled")
    ... class Doubled(IterDataPipe):
    ...     def __init__(self, source):
    ...         self.source = source
    ...     def __iter__(self):
    ...         for number in self.source:
    ...             yield 2 * number
    >>> [*Numbers().doubled()]
    [0, 2, 4]
    >>> del IterDataPipe.functions["doubled"]
    """

    def __init__(self, name: str, enable_df_api_tracing: bool = False) -> None:
        self.name = name
        self.enable_df_api_tracing = enable_df_api_tracing

    def __call__(self, cls: Any) -> Any:
        for kind in (IterDataPipe, MapDataPipe):
            if issubclass(cls, kind):
                kind.register_datapipe_as_function(self.name, cls)
                return cls
        raise TypeError("`functional_datapipe` can only decorate IterDataPipe")
