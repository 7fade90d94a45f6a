"""Neural networks: modules, their parameters, functions, initialisation."""

from . import functional as functional
from . import init as init
from .modules import *
from .parameter import Buffer as Buffer
from .parameter import Parameter as Parameter
