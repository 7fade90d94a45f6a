"""Datasets that are made of each other in a pipeline: the classes to write such datasets with."""

from ._decorator import functional_datapipe
from .datapipe import DataChunk, DFIterDataPipe, IterDataPipe, MapDataPipe

__all__ = ["DFIterDataPipe", "DataChunk", "IterDataPipe", "MapDataPipe", "functional_datapipe"]
