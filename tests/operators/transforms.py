"""Batches and tangents: under ``vmap`` an operator does what a loop over the samples does, and a tangent is what the gradient says."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

import minigrad
from minigrad.func import grad, jvp, vjp, vmap
from tests.numeric import random_like
from tests.operators import draws

SAMPLES = 3


@dataclass
class Call:
    """An operator with its parameters as a function of tensors alone, which gives a list, and operands for it."""

    function: Any
    operands: list
    single: tuple = ()  # what there is no batch of: places of operands, or letters for their kinds
    placed: bool = False  # whether samples have to be contiguous

    def __call__(self, *tensors):
        """The results that are tensors, as vmap wants them."""
        return tuple(out for out in self.function(*tensors) if isinstance(out, minigrad.Tensor))

    def sample(self, number):
        """Tensors of the operands' shapes, other ones for each number."""
        return [
            sample_of(replace(o, layout="contiguous") if self.placed else o, number) for o in self.operands
        ]

    @property
    def batched(self):
        """The places of the operands that may have a batch."""
        kinds = [np.dtype(draws.numpy_dtype(o.dtype)).kind for o in self.operands]
        return [i for i, kind in enumerate(kinds) if i not in self.single and kind not in self.single]

    @property
    def smooth(self):
        """Where the operands are that have gradients."""
        return tuple(i for i, o in enumerate(self.operands) if o.dtype in ("float64", "complex128"))


def sample_of(operand, number):
    """A tensor like the operand's: other numbers of its domain; indices and conditions in another order."""
    if isinstance(operand, draws.Operand):
        return replace(operand, seed=operand.seed + 7 * number).tensor()
    array = operand.array
    if array.dtype.kind in "fc":
        array = array * (1 - number / 32)
    elif array.ndim > 1 or (
        array.ndim and (np.diff(array.astype(int)) < 0).any()
    ):  # not offsets, which are sorted
        array = np.roll(array, number, -1)
    return replace(operand, array=array).tensor()


def batch(data, call):
    """A call's operands, some with a batch at any dim: the tensors, the dims, and the samples one by one."""
    count = len(call.operands)
    batched = data.draw(st.sets(st.sampled_from(call.batched), min_size=1))
    samples = [call.sample(number) for number in range(SAMPLES)]
    for sample in samples[1:]:
        for i in set(range(count)) - batched:
            sample[i] = samples[0][i]
    args, dims = list(samples[0]), [None] * count
    for i in sorted(batched):
        dims[i] = 0 if call.placed else data.draw(st.integers(0, args[i].dim()))
        args[i] = minigrad.stack([sample[i] for sample in samples], dims[i])
    return args, tuple(dims), samples


def stacked(results):
    """Results of samples, each a tuple or a tuple of tuples, as those of a batch."""
    if isinstance(results[0], tuple):
        return tuple(stacked(column) for column in zip(*results, strict=True))
    return minigrad.stack(list(results))


def same(found, expected, rtol):
    """Assert that tensors, or tuples of them, agree, in dtypes too."""
    if isinstance(expected, tuple):
        for x, y in zip(found, expected, strict=True):
            same(x, y, rtol)
        return
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    draws.close(draws.exactly(found), draws.exactly(expected), rtol)


def number_of(call):
    """A number that depends on all that a call gives."""

    def number(*tensors):
        parts = [part for out in call(*tensors) for part in real_parts(out)]
        return sum(part.sin().sum() for part in parts)

    return number


def real_parts(out):
    """What of a result is differentiated: a floating tensor, or the parts of a complex one."""
    if out.dtype.is_complex:
        return [out.real, out.imag]
    return [out] if out.dtype.is_floating_point else []


def has_gradient(call):
    """Whether a result depends on an operand smoothly."""
    if not call.smooth:
        return False
    tensors = call.sample(0)
    for i in call.smooth:
        tensors[i].requires_grad_()
    return any(out.requires_grad for out in call(*tensors))


def check_batches(data, call, rtol=1e-8):
    """``vmap`` gives what the loop over the samples gives."""
    if not call.batched:
        return
    args, dims, samples = batch(data, call)
    same(vmap(call, dims)(*args), stacked([call(*sample) for sample in samples]), rtol)


def check_gradients_of_batches(data, call, order, rtol=1e-7):
    """Gradients of each sample, of both orders, and of a batch as a whole."""
    if not call.batched or not has_gradient(call):
        return
    args, dims, samples = batch(data, call)
    first = grad(number_of(call), argnums=call.smooth)
    same(vmap(first, dims)(*args), stacked([first(*sample) for sample in samples]), rtol)
    whole = lambda *tensors: sum(
        part.sin().sum() for out in vmap(call, dims)(*tensors) for part in real_parts(out)
    )
    expected = [first(*sample) for sample in samples]
    found = grad(whole, argnums=call.smooth)(*args)
    for place, i in enumerate(call.smooth):
        each = [slopes[place] for slopes in expected]
        same(found[place], sum(each[1:], each[0]) if dims[i] is None else minigrad.stack(each, dims[i]), rtol)
    if order > 1:
        second = grad(
            lambda *tensors: sum((g * g.conj()).real.sum() for g in first(*tensors)), argnums=call.smooth
        )
        same(vmap(second, dims)(*args), stacked([second(*sample) for sample in samples]), 10 * rtol)


def check_tangents(data, call, rtol=1e-7):
    """A tangent is what the gradient says, and that of a batch is that of each sample."""
    if not call.batched or not has_gradient(call):
        return
    args, dims, samples = batch(data, call)
    directions = check_tangent(call, samples[0], rtol)

    def of_one(*tensors):
        function, at = smooth_part(call, tensors)
        return jvp(function, at, directions)

    same(vmap(of_one, dims)(*args), stacked([of_one(*sample) for sample in samples]), rtol)


def check_tangent(call, sample, rtol=1e-7):
    """The tangent at one sample is what the gradient says; returns the directions that it was taken along."""
    rng = np.random.default_rng(0)
    like = lambda x: minigrad.tensor(random_like(rng, x))
    function, at = smooth_part(call, sample)
    directions = tuple(like(x) for x in at)
    values, tangents = jvp(function, at, directions)
    again, pull = vjp(function, *at)
    same(values, again, rtol)
    weights = tuple(like(value) for value in values)
    pushed = sum(inner(w, t) for w, t in zip(weights, tangents))
    pulled = sum(inner(g, d) for g, d in zip(pull(weights), directions))
    if not any(value.isnan().any() for value in values):  # as those of the mean of nothing, and its tangents
        assert math.isclose(pushed, pulled, rel_tol=rtol, abs_tol=rtol), (pushed, pulled)
    return directions


def smooth_part(call, tensors):
    """The call as a function of the operands that have gradients alone, and these."""

    def function(*moved):
        every = list(tensors)
        for i, x in zip(call.smooth, moved):
            every[i] = x
        return tuple(out for out in call(*every) if real_parts(out))

    return function, tuple(tensors[i] for i in call.smooth)


def inner(x, y):
    """The real inner product of two tensors, as a number."""
    return float(np.vdot(draws.exactly(x), draws.exactly(y)).real)
