"""Modules below ``func`` that libraries import: the transforms, the steps of ``vmap``, functional modules, what stands beneath a tensor of a transform."""

from . import apis as apis
from . import autograd_function as autograd_function
from . import batch_norm_replacement as batch_norm_replacement
from . import eager_transforms as eager_transforms
from . import functional_call as functional_call
from . import make_functional as make_functional
from . import utils as utils
from . import vmap as vmap
