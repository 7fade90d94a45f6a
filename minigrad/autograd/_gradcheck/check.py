"""All that ``gradcheck`` checks, in PyTorch's order; the function whose check is ``gradgradcheck``."""

import math
from dataclasses import dataclass

from ..._base.dtypes import float64
from ..._ops.complex import view_as_real
from ..differentiate import grad
from .batched import check_forward, check_reverse
from .compare import fast, slow
from .linear import check_undefined_gradients, check_undefined_tangents, check_zero_gradients
from .selection import as_tuple, check_inputs, differentiable, is_tensor, is_wanted


@dataclass(slots=True)
class Check:
    """The options of ``gradcheck``."""

    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_undefined_grad: bool
    check_grad_dtypes: bool
    check_batched_grad: bool
    check_batched_forward_grad: bool
    check_forward_ad: bool
    check_backward_ad: bool
    fast_mode: bool
    masked: "bool | None"

    def run(self, func, inputs):
        """Check ``func`` at ``inputs``: returns True, or raises."""
        inputs = as_tuple(inputs)
        check_inputs(inputs)
        func_out = func(*inputs)
        outputs = differentiable(func_out)
        if self.check_backward_ad:
            self._reverse(func, func_out, inputs, outputs)
        if self.check_forward_ad:
            self._forward(func, func_out, inputs, outputs)
        if self.check_batched_forward_grad:
            check_forward(func, inputs)
        if not self.check_backward_ad:
            return True
        if self.check_batched_grad:
            for i, out in enumerate(outputs):
                check_reverse(inputs, out, i)
        check_zero_gradients(outputs, inputs, self.masked)
        if self.check_undefined_grad:
            check_undefined_gradients(func, outputs, inputs)
        return True

    def _compare(self, func, func_out, inputs, outputs, **how):
        compare = fast if self.fast_mode else slow
        tolerances = self.eps, self.rtol, self.atol, self.check_grad_dtypes, self.nondet_tol
        compare(func, func_out, inputs, outputs, *tolerances, masked=self.masked, **how)

    def _reverse(self, func, func_out, inputs, outputs):
        """Compare what backward gives; of complex results first the imaginary parts, then the real parts."""
        if not any(out.is_complex() for out in as_tuple(func_out)):
            self._compare(func, func_out, inputs, outputs)
            return
        indices = [i for i, out in enumerate(outputs) if out.is_complex()]
        for part in ("imag", "real"):
            of_part = _part_of_results(func, part)
            func_out = of_part(*inputs)
            how = {"complex_indices": indices, "test_imag": part == "imag"}
            self._compare(of_part, func_out, inputs, differentiable(func_out), **how)

    def _forward(self, func, func_out, inputs, outputs):
        """Compare what forward mode gives; for complex inputs first for their imaginary parts, then for their real parts."""
        indices = [i for i, x in enumerate(inputs) if is_tensor(x) and x.is_complex()]
        if not indices:
            cases = [(func, func_out, inputs, outputs, {})]
        else:
            cases = []
            for part in ("imag", "real"):
                of_part = _function_of_part(func, part, indices, inputs)
                parts = [getattr(x, part) if i in indices else x for i, x in enumerate(inputs)]
                func_out = of_part(*parts)
                how = {"complex_indices": indices, "test_imag": part == "imag"}
                cases.append((of_part, func_out, parts, differentiable(func_out), how))
        for *case, how in cases:
            self._compare(*case, use_forward_ad=True, **how)
        if self.check_undefined_grad:
            for of_part, _, parts, part_outputs, _ in cases:
                check_undefined_tangents(of_part, part_outputs, parts)


def _part_of_results(func, part):
    """``func`` with this part of its complex results."""

    def of_part(*inputs):
        return tuple([getattr(out, part) if out.is_complex() else out for out in as_tuple(func(*inputs))])

    return of_part


def _function_of_part(func, part, indices, inputs):
    """``func`` as a function of this part of its complex inputs, whose other part stays as it is in ``inputs``."""

    def of_part(*parts):
        operands = list(parts)
        for i in indices:
            if part == "real":
                operands[i] = operands[i] + inputs[i].imag * 1j
            else:
                operands[i] = inputs[i].real + operands[i] * 1j
        return as_tuple(func(*operands))

    return of_part


def gradient_function(func, inputs, grad_outputs, noncontiguous):
    """The gradients of ``func`` as a function of its inputs and of the gradients of its results, and these, which may be drawn here."""
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        grad_outputs = [_random_like(out, noncontiguous) for out in differentiable(func(*inputs))]
    grad_outputs = as_tuple(grad_outputs)
    count = len(grad_outputs)
    # remembered here, because forward mode is checked on detached tensors
    inputs_wanted = {i for i, x in enumerate(inputs) if is_wanted(x)}
    gradients_wanted = {i for i, g in enumerate(grad_outputs) if g.requires_grad}

    def gradients(*args):
        operands = [x.requires_grad_() if i in inputs_wanted else x for i, x in enumerate(args[:-count])]
        outputs = differentiable(func(*operands))
        gs = [g.requires_grad_() if i in gradients_wanted else g for i, g in enumerate(args[-count:])]
        wanted = [operands[i] for i in sorted(inputs_wanted)]
        grads = grad(outputs, wanted, gs, create_graph=True, allow_unused=True)
        return tuple([gx for gx in grads if gx is not None])

    return gradients, inputs + grad_outputs


def _random_like(out, noncontiguous):
    """A gradient for ``out``: from -1 to 1, of double precision if ``out`` is not of floating point; it requires grad."""
    shape = tuple(out.shape)
    noncontiguous = noncontiguous and math.prod(shape) > 1
    if noncontiguous:
        shape = (*shape[:-1], 2 * shape[-1])
    dtype = out.dtype if out.is_floating_point() or out.is_complex() else float64
    drawn = out.new_empty(shape, dtype=dtype)
    (view_as_real(drawn) if drawn.is_complex() else drawn).uniform_(-1, 1)
    return (drawn[..., ::2] if noncontiguous else drawn).requires_grad_()
