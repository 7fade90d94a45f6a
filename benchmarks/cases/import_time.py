"""The time of ``import minigrad``, which includes NumPy's own, against that of ``import numpy``."""

from benchmarks.registry import Subject, compare
from benchmarks.subprocesses import python

imports = Subject("Import, in fresh processes")

PROGRAM = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def import_seconds(module):
    return float(python("-c", PROGRAM.format(module)))


@imports.measured("import, against import numpy", bar=1.5, unit="s")
def import_time(session):
    pair = session.target.__name__, "numpy"
    for module in pair:
        import_seconds(module)
    times = [], []
    for _ in range(5 if session.quick else 30):
        samples = {module: [] for module in pair}
        for module in (*pair, *reversed(pair)):
            samples[module].append(import_seconds(module))
        for column, module in zip(times, pair, strict=True):
            column.append(min(samples[module]))
    return compare(times)
