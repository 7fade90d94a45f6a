"""Tensors for the tests of views and in-place operations, and snippets of code written one after the other."""

import numpy as np

import minigrad as torch


def leaf(*shape):
    """A leaf of the numbers from 1 on, which requires grad."""
    return torch.arange(1.0, np.prod(shape) + 1).reshape(shape).clone().requires_grad_()


def result(*shape):
    """A tensor with a history."""
    return leaf(*shape) * 1


def name(x):
    """The class of the node that made a tensor."""
    return None if x.grad_fn is None else x.grad_fn.name()


def snippets(text):
    """The pieces of a text that white space separates; white space in brackets does not."""
    depth, piece = 0, ""
    for letter in text + " ":
        depth += (letter in "([") - (letter in ")]")
        if letter in " \n" and not depth:
            if piece:
                yield piece
            piece = ""
        else:
            piece += letter
