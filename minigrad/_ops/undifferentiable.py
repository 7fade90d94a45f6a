"""Operators without a derivative, for which PyTorch records a node all the same."""

from .._core.node import as_pair

__all__ = []


def undifferentiable(cls, called=None):
    """Give an op the node that PyTorch records for an op without derivative: backward raises RuntimeError.

    ``called`` is what the error calls it, if not ``aten::`` and its name.
    """
    name = cls.public
    called = called or f"aten::{name}"

    def refused(xp, g):
        raise RuntimeError(f"derivative for {called} is not implemented")

    def refused_forward(xp, t):
        raise NotImplementedError(f"Trying to use forward AD with {called} that does not support it.")

    body = {"forward": cls.forward, "prefix": "torch::autograd::", "public": name, "__doc__": cls.__doc__}
    body["next_functions"] = property(lambda node: tuple(as_pair(edge) for edge in node._next if edge is not None))
    operands = cls.operands.split()
    for operand in operands:
        ending = "" if len(operands) == 1 else "_" + operand
        body["vjp" + ending], body["jvp" + ending] = refused, refused_forward
    body.update(operands=cls.operands, tensors_first=cls.tensors_first, __module__=cls.__module__, __slots__=())
    return type("NotImplemented", (cls,), body)
