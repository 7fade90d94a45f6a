"""Random number generators of Intel GPUs: there are none."""

from .._devices.absent import XPU
from .._devices.alike import random_numbers
from .._devices.answers import answers

__all__ = answers(globals(), random_numbers(XPU))
