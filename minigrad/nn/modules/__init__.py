"""The modules of neural networks, one family per file."""

from .activation import *
from .container import *
from .distance import *
from .dropout import *
from .flatten import *
from .linear import *
from .loss import *
from .module import Module as Module
