"""``keep_quiet``: NumPy does not warn of infinities and nans that come from this package, where they are ordinary values, as in PyTorch.

One filter does that, as long as it stands before all others.  ``simplefilter("always")`` would put another before it, and whoever imports the
package inside ``catch_warnings``, as pytest does with tests, would lose it at the end of the block.  Python calls ``warnings._filters_mutated``
whenever its filters have changed; so the filter is put back there.  It costs nothing when operators run.
"""

import warnings

__all__ = ["keep_quiet"]

_PACKAGE = __name__.partition(".")[0]


def keep_quiet():
    """Ignore NumPy's RuntimeWarnings from this package from now on, whatever filters come and go (from Python 3.14 on: until they do)."""
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=rf"{_PACKAGE}\.")
    ours = warnings.filters[0]
    changed = getattr(warnings, "_filters_mutated", None)
    if changed is None:
        return

    def _filters_mutated():
        filters = warnings.filters
        if not filters or filters[0] != ours:
            if ours in filters:
                filters.remove(ours)
            filters.insert(0, ours)
        changed()

    vars(warnings)["_filters_mutated"] = _filters_mutated
