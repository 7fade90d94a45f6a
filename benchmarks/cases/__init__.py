"""The benchmarks, one subject per file."""

import importlib

from benchmarks import registry

#: In the table's order: those with a bar first.
SUBJECTS = (
    "small_graphs",
    "training_steps",
    "models",
    "captured_steps",
    "optimizer_steps",
    "sparse_tensors",
    "deep_graphs",
    "data_loading",
    "import_time",
    "saved_memory",
    "step_memory",
    "processes",
    "transforms",
    "profiler",
    "single_ops",
    "large_arrays",
    "operators",
)

for name in SUBJECTS:
    importlib.import_module(f"{__name__}.{name}")  # which registers its benchmarks


def subjects():
    """All subjects, in the table's order."""
    return registry.subjects
