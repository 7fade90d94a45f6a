"""What does not belong to one subject: ``utils.serialization``."""

from . import serialization as serialization
