"""The named tuples that functions with several results return, such as ``torch.return_types.max(values=..., indices=...)``.

A type is made when its name is first asked for: ``return_types.max``.  ``minigrad.return_types`` shows them to users.
"""

from operator import itemgetter

FIELDS = {
    "aminmax": "min max",
    "cummax": "values indices",
    "cummin": "values indices",
    "frexp": "mantissa exponent",
    "geqrf": "a tau",
    "histogram": "hist bin_edges",
    "histogramdd": "hist bin_edges",
    "kthvalue": "values indices",
    "linalg_cholesky_ex": "L info",
    "linalg_eig": "eigenvalues eigenvectors",
    "linalg_eigh": "eigenvalues eigenvectors",
    "linalg_inv_ex": "inverse info",
    "linalg_ldl_factor": "LD pivots",
    "linalg_ldl_factor_ex": "LD pivots info",
    "linalg_lstsq": "solution residuals rank singular_values",
    "linalg_lu": "P L U",
    "linalg_lu_factor": "LU pivots",
    "linalg_lu_factor_ex": "LU pivots info",
    "linalg_qr": "Q R",
    "linalg_slogdet": "sign logabsdet",
    "linalg_solve_ex": "result info",
    "linalg_svd": "U S Vh",
    "lu_unpack": "P L U",
    "max": "values indices",
    "median": "values indices",
    "min": "values indices",
    "mode": "values indices",
    "nanmedian": "values indices",
    "qr": "Q R",
    "slogdet": "sign logabsdet",
    "sort": "values indices",
    "svd": "U S V",
    "topk": "values indices",
    "triangular_solve": "solution cloned_coefficient",
}


class Results(tuple):
    """A tuple of named results; made from one sequence, as PyTorch's are."""

    __slots__ = ()
    fields = ()

    def __new__(cls, sequence=(), dict=None):
        self = tuple.__new__(cls, sequence)
        wanted = len(cls.fields)
        if len(self) != wanted:
            raise TypeError(
                f"torch.return_types.{cls.__name__}() takes a {wanted}-sequence ({len(self)}-sequence given)"
            )
        return self

    def __repr__(self):
        shown = ",\n".join(f"{name}={value!r}" for name, value in zip(self.fields, self))
        return f"torch.return_types.{type(self).__name__}(\n{shown})"

    def __reduce__(self):
        return type(self), (tuple(self),)


def __getattr__(name):
    fields = FIELDS.get(name.removesuffix("_out"))
    if fields is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    fields = tuple(fields.split())
    body = {field: property(itemgetter(i), doc=f"result {i}") for i, field in enumerate(fields)}
    body |= {
        "__slots__": (),
        "__module__": "minigrad.return_types",
        "__match_args__": fields,
        "fields": fields,
        "n_fields": len(fields),
        "n_sequence_fields": len(fields),
        "n_unnamed_fields": 0,
    }
    made = globals()[name] = type(name, (Results,), body)
    return made
