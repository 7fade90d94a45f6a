"""Neural networks: modules, their parameters, functions, initialisation."""

from . import functional, init
from .modules import *
from .parameter import Buffer, Parameter
