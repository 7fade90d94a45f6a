"""Collectives that can be differentiated."""

from .functional import *
