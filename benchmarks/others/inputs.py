"""The numbers that programs begin with, as arrays: those of ``cases/``."""

import itertools

import numpy as np

CHAIN_X = np.array([0.1, -0.2, 0.3, -0.4], np.float32)
CHAIN_Y = np.array([0.5, 0.6, 0.7, 0.8], np.float32)
STEPS = 100
LEARNING_RATE = np.float32(0.01)


def evenly(*shape):
    """``training_steps.evenly`` as an array."""
    count = np.prod(shape, dtype=int)
    return np.sin(np.arange(count, dtype=np.float32) * np.float32(0.7)).reshape(shape)


def layers(*widths):
    """Weights and biases of the layers of a net, as ``training_steps.set_weights`` makes them."""
    found = []
    for before, after in itertools.pairwise(widths):
        found.append(evenly(after, before) / np.float32(before**0.5))
        found.append(evenly(after) / np.float32(after**0.5))
    return found


def tanh_mlp():
    """Weights, inputs and targets of the 8-8-8-1 net."""
    return layers(8, 8, 8, 1), evenly(8, 8), evenly(8, 1)


def digits_mlp():
    """Weights, inputs and classes of the 784-256-128-10 net."""
    return layers(784, 256, 128, 10), evenly(64, 784), np.arange(64) % 10


def rosenbrock_point():
    """Where the Hessian is taken."""
    return (np.sin(np.arange(30) * np.float32(0.7)) * np.float32(0.5)).astype(np.float32)
