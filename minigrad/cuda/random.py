"""Random number generators of CUDA devices: there are none."""

from .._devices.absent import CUDA
from .._devices.alike import random_numbers
from .._devices.answers import answers

__all__ = answers(globals(), random_numbers(CUDA))
