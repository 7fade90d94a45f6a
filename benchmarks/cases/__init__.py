"""The benchmarks, one subject per file."""

import importlib

#: In the table's order: those with a bar first.
SUBJECTS = (
    "small_graphs",
    "training_steps",
    "models",
    "optimizer_steps",
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


def load():
    """Import every case file, which registers its benchmarks."""
    for name in SUBJECTS:
        importlib.import_module(f"{__name__}.{name}")
