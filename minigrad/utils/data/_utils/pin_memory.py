"""Pinned memory is memory that an accelerator reads directly: without one, batches stay as they are."""

import queue
from collections.abc import Mapping, Sequence

from .... import _api
from .. import _utils
from .collate import like_mapping, like_sequence


def pin_memory(data, device=None):
    """Call ``pin_memory`` on everything in ``data`` that has such a method, in whatever containers.

    The CPU's tensors raise an error: loaders use it only if there is an accelerator.

    >>> from minigrad.utils.data._utils.pin_memory import pin_memory
    >>> class Batch:
    ...     def pin_memory(self):
    ...         return "pinned"
    >>> pin_memory([Batch(), {"x": Batch()}, "text"])
    ['pinned', {'x': 'pinned'}, 'text']
    """
    if isinstance(data, _api.Tensor) or hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return like_mapping(data, {key: pin_memory(value, device) for key, value in data.items()})
    if isinstance(data, tuple):
        parts = [pin_memory(part, device) for part in data]
        return type(data)(*parts) if hasattr(data, "_fields") else type(data)(parts)
    if isinstance(data, Sequence):
        return like_sequence(data, [pin_memory(part, device) for part in data])
    return data


def _pin_memory_loop(in_queue, out_queue, device_id, done_event, device):
    """What a thread does that pins batches: from one queue of (index, batch) into another, until ``done_event`` is set."""
    while not done_event.is_set():
        try:
            index, data = in_queue.get(timeout=_utils.MP_STATUS_CHECK_INTERVAL)
        except queue.Empty:
            continue
        if not isinstance(data, _utils.ExceptionWrapper):
            try:
                data = pin_memory(data, device)
            except Exception:
                data = _utils.ExceptionWrapper(where=f"in pin memory thread for device {device_id}")
        while not done_event.is_set():
            try:
                out_queue.put((index, data), timeout=_utils.MP_STATUS_CHECK_INTERVAL)
            except queue.Full:
                continue
            break
        del data  # which may be large, while the next one is waited for
