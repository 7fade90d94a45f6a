"""Operators with the derivatives and the rules for batches that programs register: each call is one of a custom Function.

A Function is given tensors, not lists of them: so a call's arguments are flattened, and a ``_Call`` goes with them that knows how they were.
"""

from typing import Any, NamedTuple

from .. import _api
from .._api import autograd

Function = autograd.Function


class Derivative(NamedTuple):
    """What ``register_autograd`` was given."""

    backward: Any
    setup_context: Any


class _Call:
    """One application of an operator: how its arguments and results are nested."""

    def __init__(self, operator, args, kwargs):
        self.operator, self.kwargs = operator, kwargs
        self.lengths = [len(x) if isinstance(x, list) else None for x in args]
        self.out_lengths: Any = None

    def flat(self, values, lengths):
        """Values without the lists among them."""
        return [x for value, n in zip(values, lengths) for x in ([value] if n is None else value)]

    def nested(self, flat, lengths):
        """The same values with the lists."""
        flat = iter(flat)
        return [next(flat) if n is None else [next(flat) for _ in range(n)] for n in lengths]

    def args(self, flat):
        """Arguments, or what there is one of for each argument, as the operator has them."""
        return tuple(self.nested(flat, self.lengths))

    def flatten_output(self, output):
        """What a kernel returned as a tuple."""
        many = len(self.operator.schema.returns) != 1
        outputs = output if many else [output]
        self.out_lengths = [len(x) if isinstance(x, list) else None for x in outputs]
        return tuple(self.flat(outputs, self.out_lengths))

    def output(self, flat):
        """The results, or what there is one of for each, as the operator has them."""
        nested = self.nested(flat if isinstance(flat, (tuple, list)) else [flat], self.out_lengths)
        return tuple(nested) if len(self.operator.schema.returns) != 1 else nested[0]


class _Context:
    """The context of a Function as the program sees it: ``needs_input_grad`` is nested as the arguments are."""

    def __init__(self, ctx, call):
        object.__setattr__(self, "_ctx", ctx)
        object.__setattr__(self, "_call", call)

    def __getattr__(self, name):
        found = getattr(self._ctx, name)
        return self._call.args(found[:-1]) if name == "needs_input_grad" else found

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)


class _Derived(Function):
    """What the Functions of all operators have in common; the last argument is the ``_Call``."""

    @staticmethod
    def forward(*flat):
        call = flat[-1]
        return call.flatten_output(call.operator.run(list(call.args(flat[:-1])), call.kwargs))

    @staticmethod
    def setup_context(ctx, inputs, output):
        call = ctx._library_call = inputs[-1]
        derivative = call.operator.derivative
        if derivative is None or derivative.setup_context is None:
            return
        given = {"ctx": _Context(ctx, call), "inputs": call.args(inputs[:-1]), "output": call.output(output)}
        if call.kwargs:
            given["keyword_only_inputs"] = call.kwargs
        derivative.setup_context(**given)

    @staticmethod
    def backward(ctx, *grads):
        call = ctx._library_call
        derivative = call.operator.derivative
        if derivative is None:
            name = _dotted(call.operator)
            raise RuntimeError(
                f"Trying to backward through {name} but no autograd formula was registered. Please use register_autograd to add one."
            )
        found = call.output(grads)
        found = derivative.backward(_Context(ctx, call), *(found if isinstance(found, tuple) else (found,)))
        found = found if isinstance(found, tuple) else (found,)
        found += (None,) * (len(call.lengths) - len(found))  # arguments with defaults may be left out
        if all(n is None for n in call.lengths):
            return (*found, None)
        nested = [isinstance(x, (list, tuple)) and len(x) for x in found]
        if nested != [False if n is None else n for n in call.lengths]:
            raise RuntimeError(
                "Expected the return from backward to be of the same structure as the inputs. "
                f"Got {len(found)} values, whose lists have the lengths {[n for n in nested if n is not False]}, for {len(call.lengths)} inputs "
                f"of {[n for n in call.lengths if n is not None]}"
            )
        return (*call.flat(found, call.lengths), None)

    @staticmethod
    def vmap(info, in_dims, *flat):
        call = flat[-1]
        operator, args, dims = call.operator, call.args(flat[:-1]), call.args(in_dims[:-1])
        if operator.vmap is not None:
            output, out_dims = operator.vmap(info, dims, *args, **call.kwargs)
            flat_output = call.flatten_output(output)
            if isinstance(out_dims, (tuple, list)) and len(operator.schema.returns) != 1:
                return flat_output, tuple(call.flat(out_dims, call.out_lengths))
            one = out_dims if isinstance(out_dims, (tuple, list)) else (out_dims,) * len(flat_output)
            return flat_output, tuple(one)
        samples = []
        for i in range(info.batch_size):
            flat_args = [x if d is None else x.select(d, i) for x, d in zip(flat[:-1], in_dims)]
            samples.append(
                call.flatten_output(operator.differentiated(list(call.args(flat_args)), call.kwargs))
            )
        stacked = [
            _api.stack(values) if isinstance(values[0], _api.Tensor) else values[0]
            for values in zip(*samples)
        ]
        return tuple(stacked), tuple(0 if isinstance(x, _api.Tensor) else None for x in stacked)


def _dotted(operator):
    schema = operator.schema
    return f"{schema.name.replace('::', '.')}.{schema.overload_name or 'default'}"


def apply(operator, args, kwargs):
    """Apply an operator as a Function, which bears its name."""
    function = operator.__dict__.get("function")
    if function is None:
        name = f"GeneratedBackwardFor_{_dotted(operator).replace('.', '_')}"
        function = operator.function = type(name, (_Derived,), {})
    call = _Call(operator, args, kwargs)
    flat = function.apply(*call.flat(args, call.lengths), call)
    return call.output(flat)
