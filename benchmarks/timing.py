"""Time functions against each other so that the machine's moods fall on all of them alike.

Standard library only: the benchmarks' subprocesses use it before anything else is imported.
"""

import itertools
import math
import statistics
import time


def seconds(run, repeats):
    """Seconds that ``repeats`` calls of ``run`` take."""
    loop = itertools.repeat(None, repeats)
    start = time.perf_counter()
    for _ in loop:
        run()
    return time.perf_counter() - start


def repeats_for(run, sample_seconds):
    """How many calls of ``run`` make a sample of about ``sample_seconds``; it warms ``run`` up meanwhile."""
    if seconds(run, 1) >= 1:  # what is done once only, such as imports, is in the first run
        return 1
    repeats = 1
    # The quickest of three, since the next calls may be slow, too: a captured step is noted in them.
    while (elapsed := min(seconds(run, repeats) for _ in range(3))) < sample_seconds / 2:
        repeats *= 2
    return max(1, math.ceil(repeats * sample_seconds / elapsed))


#: Seconds before each sample in which the idle threads of another library stop spinning.
REST = 0.05


def alternate(runners, rounds, sample_seconds, rest=0.0):
    """Seconds per call, as a list of rounds for each of ``runners``.

    A round takes the runners in order and then in reverse (A B B A), so that a slow drift cancels, and keeps the
    quicker of each one's two samples.  ``rest`` seconds before each sample let another library's idle threads
    stop spinning.
    """
    repeats = [runner.ask("repeats", sample_seconds) for runner in runners]
    order = [*range(len(runners)), *reversed(range(len(runners)))]
    times = [[] for _ in runners]
    for _ in range(rounds):
        samples = [[] for _ in runners]
        for index in order:
            time.sleep(rest)
            samples[index].append(runners[index].ask("sample", repeats[index]))
        for column, pair in zip(times, samples, strict=True):
            column.append(min(pair))
    return times


def quartiles(values):
    """The lower quartile, the median and the upper quartile."""
    if len(values) == 1:
        return (values[0],) * 3
    return tuple(statistics.quantiles(values, n=4, method="inclusive"))
