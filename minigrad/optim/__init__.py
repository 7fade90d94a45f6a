"""Optimizers, one per file."""

from .adam import Adam as Adam
from .adamw import AdamW as AdamW
from .optimizer import Optimizer as Optimizer
from .sgd import SGD as SGD
