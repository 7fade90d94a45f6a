"""Execution traces: a file with every operator, its inputs and outputs, and what ran within what, which replay tools and simulators read.

The form is the JSON of PyTorch's ``ExecutionTraceObserver`` (a Chakra trace): a list of nodes, each with the number of the node around it.
"""

import itertools
import json
import numbers
import os
import tempfile
import time
import warnings
import weakref
from abc import ABC, abstractmethod
from functools import partial
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .._base.replacing import replacing_text
from .._core.tensor import Tensor
from ..autograd._profiler.build_events import events_of
from ..autograd._profiler.event_list import EventList
from ..autograd._profiler.input_shapes import describe
from ..autograd._profiler.memory_categories import owner_of
from ..autograd._profiler.recorder import Recorder, arguments_of

__all__ = ["ExecutionTraceObserver"]

_SCHEMA = "1.1.1-chakra.0.0.4"
_NOTHING: dict[Any, Any] = {"values": [], "shapes": [], "types": [], "strides": []}


class _ITraceObserver(ABC):
    """What a profiler starts and stops together with itself."""

    @abstractmethod
    def start(self) -> None:
        """The trace begins."""

    @abstractmethod
    def stop(self) -> None:
        """The trace ends."""

    @abstractmethod
    def cleanup(self) -> None:
        """There will be no more."""


class _Tracer(Recorder):
    """A recorder that notes inputs and outputs as an execution trace shows them."""

    def __init__(self, numbers: Any, free: Any) -> None:
        super().__init__()
        self.details, self.numbers, self.free = True, numbers, free

    def detail(self, cls: Any, operands: Any, params: Any, writes: bool = False, result: Any = None) -> Any:
        results = result if isinstance(result, (tuple, list)) else () if result is None else (result,)
        arguments = operands if cls is None else arguments_of(cls, operands, params)
        return (), "", (self._shown(arguments), self._shown(results))

    def _shown(self, values):
        shown = [self._value(x) for x in values]
        return {key: [value[i] for value in shown] for i, key in enumerate(_NOTHING)}

    def _value(self, x):
        """(value, shape, type, strides) of one input or output."""
        if isinstance(x, (Tensor, np.ndarray, np.generic)):
            array = np.asarray(x._array if isinstance(x, Tensor) else x)
            owner = owner_of(array)
            shape, strides, kind, _ = describe(array)
            offset = (byte_bounds(array)[0] - byte_bounds(owner)[0]) // (array.itemsize or 1)
            place = [self._number(x), self._number(owner), offset, array.size, array.itemsize, "cpu"]
            return place, shape, f"Tensor({kind})", strides
        if isinstance(x, (list, tuple)):
            parts = [self._value(item) for item in x]
            kinds = ",".join(part[2] for part in parts)
            return (
                [p[0] for p in parts],
                [p[1] for p in parts],
                f"GenericList[{kinds}]",
                [p[3] for p in parts],
            )
        if x is None:
            return "<None>", [], "None", []
        if isinstance(x, bool):
            return x, [], "Bool", []
        if isinstance(x, numbers.Integral):
            return int(x), [], "Int", []
        if isinstance(x, numbers.Real):
            return float(x), [], "Double", []
        return str(x), [], "String", []

    def _number(self, x):
        if isinstance(x, np.generic):
            return next(self.free)
        if id(x) not in self.numbers:
            forget = partial(_forget, self.numbers, id(x))
            self.numbers[id(x)] = next(self.free), weakref.ref(x, forget)
        return self.numbers[id(x)][0]


def _forget(numbers, key, _):
    """The tensor or array is gone: another may get its ``id``."""
    numbers.pop(key, None)


class ExecutionTraceObserver(_ITraceObserver):
    """Records what runs between ``start`` and ``stop``, and writes it to the file named by ``register_callback`` when
    ``unregister_callback`` is called.

    >>> import json, os, tempfile, minigrad
    >>> path = os.path.join(tempfile.mkdtemp(), "trace.json")
    >>> observer = minigrad.profiler.ExecutionTraceObserver().register_callback(path)
    >>> observer.start()
    >>> y = minigrad.ones(2) + 1
    >>> observer.stop()
    >>> observer.unregister_callback()
    >>> with open(path) as file:
    ...     [node["name"] for node in json.load(file)["nodes"] if node["name"].startswith("aten")]
    ['aten::ones', 'aten::add']
    """

    extra_resources_collection: bool
    resources_dir: str
    output_file_path: str
    output_file_path_observer: str

    def __init__(self) -> None:
        self._registered = False
        self._execution_trace_running = False
        self.extra_resources_collection = False
        self.resources_dir = self.output_file_path = self.output_file_path_observer = ""
        self._tracers = []

    def __del__(self) -> None:
        self.unregister_callback()

    @staticmethod
    def build_execution_trace_obs_from_env() -> Any:
        """Return an observer with a file of its own if the environment variable ``ENABLE_PYTORCH_EXECUTION_TRACE`` is 1, else None."""
        if os.environ.get("ENABLE_PYTORCH_EXECUTION_TRACE", "0") != "1":
            return None
        handle, path = tempfile.mkstemp(suffix=".et.json")
        os.close(handle)
        observer = ExecutionTraceObserver().register_callback(path)
        observer.set_extra_resource_collection(
            os.environ.get("ENABLE_PYTORCH_EXECUTION_TRACE_EXTRAS", "0") == "1"
        )
        return observer

    def set_extra_resource_collection(self, val: Any) -> None:
        """Create a folder beside the file for resources of the trace."""
        self.extra_resources_collection = val
        if val:
            self.get_resources_dir(can_create=True)

    def get_resources_dir(self, can_create: bool = False) -> str | None:
        """Return that folder, or None if it was not requested or does not exist."""
        if self.extra_resources_collection and not self.resources_dir:
            found = self.get_resources_dir_for_et_path(self.output_file_path, create_dir=can_create)
            self.resources_dir = found or ""
        return self.resources_dir or None if self.extra_resources_collection else None

    @staticmethod
    def get_resources_dir_for_et_path(trace_path: Any, create_dir: bool = False) -> str | None:
        """Return the folder that belongs to the trace at a path, or None if it does not exist."""
        folder = f"{os.path.splitext(trace_path)[0]}_resources"
        if create_dir and not os.path.exists(folder):
            try:
                os.mkdir(folder)
            except OSError:
                warnings.warn(f"Execution trace exception when creating {folder}", stacklevel=2)
        return folder if os.path.exists(folder) else None

    def register_callback(self, output_file_path: str) -> Any:
        """Set the file (gzipped if the name ends in ``.gz``); return the observer."""
        if not self._registered:
            with open(output_file_path, "w"):
                self.output_file_path = self.output_file_path_observer = output_file_path
            self._registered = True
            self._numbers, self._free = {}, itertools.count(1)
            self._began = time.time()
        return self

    def unregister_callback(self) -> None:
        """Write the file."""
        if self._registered:
            self.stop()
            self._registered = False
            gzipped = self.output_file_path.endswith(".gz")
            with replacing_text(self.output_file_path, gzipped) as file:
                *lines, nodes = self._trace().items()
                file.write("{\n" + "".join([f'"{key}": {json.dumps(value)},\n' for key, value in lines]))
                file.write('"nodes": [\n' + ",\n".join(map(json.dumps, nodes[1])) + "\n]}\n")
            self._tracers.clear()

    @property
    def is_registered(self) -> Any:
        """Whether a file is set."""
        return self._registered

    def is_running(self) -> Any:
        """Return whether the observer is recording."""
        return self._execution_trace_running

    def start(self) -> None:
        """Start recording what this thread runs, if a file is set."""
        if self._registered and not self._execution_trace_running:
            self._tracers.append(_Tracer(self._numbers, self._free))
            self._tracers[-1].start()
            self._execution_trace_running = True

    def stop(self) -> None:
        """Stop recording."""
        if self._execution_trace_running:
            self._tracers[-1].stop()
            self._execution_trace_running = False

    def cleanup(self) -> None:
        """Write the file; the same as ``unregister_callback``."""
        self.unregister_callback()

    def get_output_file_path(self) -> str | None:
        """Return the file's name, or None."""
        return self.output_file_path or None

    def _trace(self):
        nodes, process, thread = [], 1, 2
        free = itertools.count(3)
        for tracer in self._tracers:
            events = EventList(events_of(tracer))
            events._populate_cpu_children()
            number = {event: next(free) for event in events}
            for event in sorted(events, key=lambda e: (e.time_range.end, -e.time_range.start, -number[e])):
                parent = thread if event.cpu_parent is None else number[event.cpu_parent]
                nodes.append(_node(number[event], event.trace_name, parent, event))
        nodes.insert(0, _node(thread, "[pytorch|profiler|execution_trace|thread]", process))
        nodes.append(_node(process, "[pytorch|profiler|execution_trace|process]", process))
        return {
            "schema": _SCHEMA,
            "pid": os.getpid(),
            "time": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self._began)),
            "start_ts": int(self._began * 1000),
            "finish_ts": int(time.time() * 1000),
            "nodes": nodes,
        }


def _node(number, name, parent, event=None):
    inputs, outputs = (
        (getattr(event, "_values", None) or (_NOTHING, _NOTHING)) if event else (_NOTHING, _NOTHING)
    )
    attributes = (
        ("rf_id", "uint64", event.id if event else 0),
        ("fw_parent", "uint64", 0),
        ("seq_id", "int64", event.sequence_nr if event else -1),
        ("scope", "uint64", event.scope if event else 7),
        ("tid", "uint64", event.thread if event else 1),
        ("fw_tid", "uint64", (event.fwd_thread or 0) if event else 0),
        ("op_schema", "string", ""),
        ("kernel_backend", "string", ""),
        ("kernel_file", "string", ""),
        ("tensor_range", "string", ""),
    )
    attrs = [{"name": key, "type": kind, "value": value} for key, kind, value in attributes]
    return {
        "id": number,
        "name": name,
        "ctrl_deps": parent,
        "inputs": inputs,
        "outputs": outputs,
        "attrs": attrs,
    }
