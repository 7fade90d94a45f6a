"""Memory held between forward and backward."""

import gc
import tracemalloc

import numpy as np

from benchmarks.cases.training_steps import digits_mlp
from benchmarks.registry import Measurement, Subject

memory = Subject("Memory held between forward and backward")


def held_arrays(torch):
    """Bytes of array data, and of all else, that a forward pass leaves behind while only the loss is kept.

    NumPy reports its arrays' data to tracemalloc in a domain of its own; the rest is Python objects: nodes,
    tensors.  Parameters and inputs are older than the first count and so are not in it.
    """
    model, x, target = digits_mlp(torch)
    criterion = torch.nn.CrossEntropyLoss()
    criterion(model(x), target).backward()
    model.zero_grad()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.take_snapshot()
        loss = criterion(model(x), target)
        gc.collect()
        after = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    loss.backward()
    arrays = tracemalloc.DomainFilter(inclusive=True, domain=np.lib.tracemalloc_domain)
    data = growth(before.filter_traces([arrays]), after.filter_traces([arrays]))
    return data, growth(before, after) - data


def growth(before, after):
    """By how many bytes the later snapshot is larger."""
    return sum(difference.size_diff for difference in after.compare_to(before, "filename"))


def held_storages(torch):
    """Bytes of the distinct storages that PyTorch's graph has saved, and of the loss.

    The parameters' and the inputs' storages are left out.
    """
    model, x, target = digits_mlp(torch)
    outside = {tensor.untyped_storage().data_ptr() for tensor in (*model.parameters(), x, target)}
    held = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in outside:
            held[storage.data_ptr()] = storage
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = torch.nn.CrossEntropyLoss()(model(x), target)
    held[loss.untyped_storage().data_ptr()] = loss.untyped_storage()
    return sum(storage.nbytes() for storage in held.values())


@memory.measured("784-256-128-10 ReLU MLP, batch 64, cross entropy", bar=1.0, unit="bytes")
def digits_memory(session):
    reference = None if session.reference is None else held_storages(session.reference)
    if session.target is session.reference:
        return Measurement.single(reference, reference)
    data, objects = held_arrays(session.target)
    return Measurement.single(data, reference, note=f"and {objects:,} bytes of Python objects")
