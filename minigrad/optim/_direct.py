"""An optimizer's step under the names of PyTorch's implementations: for one tensor after another, for many at once, and fused.

Libraries import them (``torch.optim.adam._single_tensor_adam``) to skip the choice among them; here they are one.
"""

import functools
from typing import Any


def direct(function: Any) -> Any:
    """``function``, an optimizer over lists, called as an implementation is: after the lists come ``grad_scale`` and ``found_inf``, if it has them."""
    code = function.__code__
    count = code.co_argcount - len(function.__defaults__ or ())

    @functools.wraps(function)
    def implementation(*lists, **options):
        names = code.co_varnames[:count]
        given = dict(zip((*names, "grad_scale", "found_inf"), lists))
        if len(given) < len(lists) or given.keys() & options.keys():
            raise TypeError(
                f"{function.__name__}() takes {', '.join(names)}, grad_scale and found_inf by position, got {len(lists)} arguments"
            )
        return function(**given, **options)

    return implementation
