"""What works of each operator, found by calling it with what the table draws: ``found(row)`` says for each column of the page whether it does."""

import math
import warnings
from dataclasses import replace

import hypothesis
import numpy as np
from hypothesis import strategies as st

import minigrad
from minigrad._transforms import batching
from minigrad.func import vmap
from tests.operators import calls, draws, rows, transforms

#: The dtypes of each column of dtypes.
DTYPES = {
    "bool": draws.BOOL,
    "integer": draws.INTEGERS,
    "half": ["float16", "bfloat16"],
    "float": ["float32", "float64"],
    "complex": draws.COMPLEX,
}
COLUMNS = ["forward", *DTYPES, "backward", "double backward", "forward mode", "vmap", "in place", "out="]
#: What is said of a column: it works; for some dtypes or samples; by a loop over the samples; it does not; there is nothing that could.
YES, PART, LOOP, NO, NONE = "yes", "part", "loop", "no", "none"

#: How many samples that are not empty are looked at.
LOOKED_AT = 3
#: The same samples in each run, most of which are not empty.
steady = hypothesis.settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[hypothesis.Phase.generate],
    suppress_health_check=list(hypothesis.HealthCheck),
)
REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, AttributeError)


def found(row):
    """{column: what is true of it} of one row; the columns are ``COLUMNS``."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return {**values(row), **dtypes_that_work(row), **derivatives(row), **forms(row)}


def together(states):
    """What is true of an operator that several rows are about."""
    states = set(states)
    if len(states) > 1:
        states.discard(NONE)
    return states.pop() if len(states) == 1 else LOOP if states == {LOOP, YES} else PART


# Samples --------------------------------------------------------------------------------------------------------------


def drawn(draw_one, runs=12):
    """What ``draw_one(data)`` gives for the data of several runs."""
    results = []

    @hypothesis.settings(steady, max_examples=runs)
    @hypothesis.given(data=st.data())
    def run(data):
        results.append(draw_one(data))

    run()
    return results


def calls_in(row, dtypes, data):
    """{dtype: a call of the operator with operands of that dtype}: a function of tensors that gives a list, and the operands."""
    if isinstance(row, calls.Row):
        arguments = {dtype: data.draw(calls.calls(row, [dtype])) for dtype in dtypes}
        return {
            dtype: (
                lambda *tensors, given=given: calls.evaluate(minigrad, row, given, tensors),
                calls.operands_in(given),
            )
            for dtype, given in arguments.items()
        }
    case = data.draw(row.cases())
    call = row.call(case)
    return {
        dtype: (lambda *tensors: draws.as_list(call(*tensors)), case.with_dtype(dtype).operands)
        for dtype in dtypes
    }


def has_elements(operands):
    return bool(operands) and all(math.prod(operand.shape) for operand in operands)


# Columns --------------------------------------------------------------------------------------------------------------


def values(row):
    """Whether the values are those of the reference."""
    return {
        "forward": of_form(
            True, row.check_values if row.has_reference else lambda data: row.example(data).sample(0)
        )
    }


def dtypes_that_work(row):
    """Of each kind of dtypes, whether the operator computes something of operands of it."""
    every = [dtype for group in DTYPES.values() for dtype in group]
    samples = drawn(lambda data: calls_in(row, every, data))
    if not any(operands for sample in samples for _, operands in sample.values()):
        return dict.fromkeys(DTYPES, NONE)
    unseen = [dtype for dtype in every if not any(has_elements(sample[dtype][1]) for sample in samples)]
    accepted = accepted_of(every, samples)
    # Where all were empty, and where draws may have decided that one dtype of a kind works and another does not.
    partly = [group for group in DTYPES.values() if 0 < len(accepted & set(group)) < len(group)]
    unclear = {*unseen, *(dtype for group in partly for dtype in group if dtype not in accepted)}
    if unclear:
        more = drawn(lambda data: calls_in(row, sorted(unclear), data), 40)
        accepted |= accepted_of(unclear, more)
    return {
        kind: YES if accepted >= set(group) else PART if accepted & set(group) else NO
        for kind, group in DTYPES.items()
    }


def accepted_of(dtypes, samples):
    """The dtypes for which a sample with elements gives a result."""
    return {
        dtype
        for dtype in dtypes
        if any(has_elements(sample[dtype][1]) and accepts(*sample[dtype]) for sample in samples)
    }


def accepts(function, operands):
    """Whether a call gives a result."""
    try:
        function(*[operand.tensor() for operand in operands])
    except REFUSALS:
        return False
    return True


def derivatives(row):
    """Whether derivatives agree with differences, tangents with gradients, and batches with loops."""
    examples = with_elements(drawn(row.example)) or with_elements(drawn(row.example, 60))
    if not getattr(row, "ties", True):
        examples = [
            replace(call, operands=[rows.apart(operand) for operand in call.operands]) for call in examples
        ]
    examples.sort(key=lambda call: -sum(math.prod(operand.shape) for operand in call.operands))
    floating = [call for call in examples if call.smooth and gives_doubles(call)]
    smooth = [call for call in floating if gradient_of(call)][:LOOKED_AT]
    states = {}
    for order, column in ((1, "backward"), (2, "double backward")):
        states[column] = all_hold(lambda call: agrees_with_differences(call, order), smooth)
    states["forward mode"] = all_hold(tangent_agrees, smooth)
    if floating and not smooth:
        states = dict.fromkeys(states, NO)
    batching._warned.clear()  # each op warns once, whichever row is looked at first
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        states["vmap"] = all_hold(batch_agrees, [call for call in examples if call.batched][:LOOKED_AT])
    if states["vmap"] == YES and any("performance drop" in str(each.message) for each in noticed):
        states["vmap"] = LOOP
    return states


def with_elements(examples):
    """The calls whose operands are not all empty."""
    return [call for call in examples if has_elements(call.operands)]


def gives_doubles(call):
    """Whether a result is one that can be compared with differences."""
    return any(out.dtype in (minigrad.float64, minigrad.complex128) for out in call(*call.sample(0)))


def all_hold(check, examples):
    """YES if ``check`` passes for all the examples, PART if for some, or for one operand of theirs alone, NONE if there are none."""
    if not examples:
        return NONE
    passed = [passes(check, call) for call in examples]
    if all(passed):
        return YES
    alone = (of_operand(call, i) for call in examples if len(call.smooth) > 1 for i in call.smooth)
    return PART if any(passed) or any(passes(check, call) for call in alone) else NO


def of_operand(call, i):
    """The call as a function of one of its operands."""
    tensors = call.sample(0)
    return transforms.Call(
        lambda x: call(*tensors[:i], x, *tensors[i + 1 :]), [call.operands[i]], call.single, call.placed
    )


def passes(check, *arguments):
    """Whether a check neither fails nor is refused."""
    try:
        check(*arguments)
    except (AssertionError, *REFUSALS):
        return False
    return True


def gradient_of(call):
    """Whether a result depends on an operand smoothly, as far as the graph tells."""
    try:
        return transforms.has_gradient(call)
    except REFUSALS:
        return False


def agrees_with_differences(call, order):
    draws.gradients_agree(
        lambda *tensors: list(call(*tensors)), *call.operands, order=order, rtol=1e-4, atol=1e-5
    )


def tangent_agrees(call):
    transforms.check_tangent(call, call.sample(0))


def batch_agrees(call):
    samples = [call.sample(number) for number in range(2)]
    dims = tuple(0 if i in call.batched else None for i in range(len(call.operands)))
    for i, dim in enumerate(dims):
        if dim is None:
            samples[1][i] = samples[0][i]
    args = [x if dim is None else minigrad.stack([x, y]) for x, y, dim in zip(*samples, dims)]
    found = vmap(call, dims)(*args)
    transforms.same(found, transforms.stacked([call(*sample) for sample in samples]), 1e-8)


def forms(row):
    """Whether there is a form in place and one with ``out=``, and they do what they should."""
    return {
        "in place": of_form(row.in_place, row.check_in_place),
        "out=": of_form(row.takes_out, row.check_out),
    }


def of_form(exists, check):
    if not exists:
        return NONE
    results = drawn(lambda data: passes(check, data), LOOKED_AT)
    return YES if all(results) else PART if any(results) else NO
