"""Late bindings: what is called on a lower floor than the one that supplies it.

All other imports point downwards.  The module named beside a slot fills it while it is imported, which is before anything can need it: a tensor is
wrapped, or a level of a transform open, only after ``_transforms`` has been imported.
"""

from typing import Any

#: ``(cls, operands, params, out)``: applies an op to operands that need attention, for ``dispatch`` of the families.  From ``interpret.py``, which builds on them.
general_way: Any = None

#: ``(cls, operands, params, out)``: applies an op to operands of which one is wrapped.  From ``_transforms/apply.py``.
apply_wrapped: Any = None

#: ``()``: the module ``_meta/apply.py``, imported when the first tensor on ``meta`` is made.  From ``_meta/__init__.py``.
meta: Any = None

#: ``(blank, ufunc, method, *inputs, **kwargs)``: a ufunc of arrays without elements.  From ``_meta/numpy_of_shapes.py``.
ufunc_of_blank: Any = None

#: ``(blank, function, types, args, kwargs)``: another of NumPy's functions of arrays without elements.  From ``_meta/run.py``.
function_of_blank: Any = None

#: ``()``: the module ``_sparse/apply.py``, imported when the first sparse tensor is made.  From ``_sparse/__init__.py``.
sparse: Any = None

#: ``(function, args, kwargs)``: what to call in the place of a public function that has failed over a sparse tensor; None: nothing.  From ``_sparse/apply.py``.
sparse_form: Any = None

#: The class of tensors on ``meta``.  From ``_meta/tensors.py``.
meta_tensor: Any = None

#: As ``inplace.write``, where an operand is wrapped.  From ``_transforms/inplace.py``.
write_wrapped: Any = None

#: ``(cls, x, others)``: refuses a write to what a function being transformed has captured.  From ``_transforms/captured.py``.
check_not_captured: Any = None

#: ``(x)``: the text of a tensor inside of transforms.  From ``_transforms/repr.py``.
text_inside: Any = None

#: ``(kind, draw, parameters, ...)``: notes how numbers were drawn, for ``reinforce()``, and returns them; None but in programs of 2017.  From
#: ``autograd/_legacy/stochastic_function.py``.
remember_draw: Any = None

#: ``()``: whether inference tensors may be saved for a backward: in inference mode, and by transforms that began in it.  From ``modes.py``.
may_save_inference: Any = None

#: ``(cls)``: told of each new subclass of Tensor.  From ``overriding.py``, which asks subclasses.
subclass_made: Any = None

#: ``(tensor)``: a view of the whole tensor.  From ``_ops/__init__.py``, which imports its module when it is first called.
alias: Any = None
