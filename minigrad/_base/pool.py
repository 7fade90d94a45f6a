"""Threads for the work within one operation: ``share`` does the parts of a large kernel on all cores, ``beside`` does parts while the caller does something else.

The helpers sleep while nobody shares, so that a busy machine loses nothing to them; waking one takes some 40 us.  The caller works too and never
waits for a helper that has not begun: where no core is free, it does all the parts by itself.  Parts work on arrays alone (no Tensors, hooks or
generators) and on different ones, or on different places of one; which parts there are depends on shapes only, so results have the same
bits on any number of threads.
"""

import contextvars
import os
import threading

from .forking import held_while_forking

_jobs = None  # the queue that helpers wait at, from the first job on
_helpers = 0  # threads that wait for jobs
_starting = held_while_forking(threading.RLock())
#: How many threads share, the caller's among them; 0 until somebody asks.
_count = 0


def count():
    """How many threads share the work of an operation."""
    global _count
    if not _count:
        _count = _cores()
    return _count


def set_count(n):
    """Let ``n`` threads share the work of an operation."""
    global _count
    _count = n


def _cores():
    """The cores that this process may use, or what ``OMP_NUM_THREADS`` says."""
    said = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if said.isdecimal() and int(said):
        return int(said)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Job:
    """Parts to be done by whoever has time."""

    __slots__ = ("function", "parts", "inside", "left", "error", "context")

    def __init__(self, function, parts):
        self.function = function
        self.parts = parts  # the next one last; taking one is atomic
        self.inside = []  # helpers that may be at a part
        self.left = type(_jobs)()  # something for each helper that has gone
        self.error = None
        self.context = contextvars.copy_context()  # what NumPy does about floating-point errors

    def work(self):
        """Do parts until there are none."""
        function, parts = self.function, self.parts
        while parts:
            try:
                part = parts.pop()
            except IndexError:
                return
            function(part)

    def help(self):
        """``work``, by a helper, which enters before it takes a part: the caller then knows that it is there."""
        self.inside.append(None)
        try:
            self.context.copy().run(self.work)
        except BaseException as error:  # for the caller, who raises it
            self.error = error
            self.parts.clear()
        self.inside.pop()
        self.left.put(None)


def share(function, parts):
    """Call ``function(part)`` for each of ``parts``, in no order, on as many threads as there are; returns when all are done.

    An error of one part ends all at their next part, and is raised here; so is KeyboardInterrupt, once no helper is at work any more.
    Parts that share again, and threads that share while the helpers are busy, work alone.
    """
    parts = list(parts)
    job = _offered(function, parts, len(parts) - 1)
    if job is None:
        for part in parts:
            function(part)
    else:
        _finish(job)


class beside:
    """``with beside(function, parts): ...``: helpers do the parts while the body runs, and the caller what is left of them after it.

    The body may not need what the parts make.  Errors and interrupts are as in ``share``; after one of the body no further part is begun.
    """

    __slots__ = ("function", "parts", "job")

    def __init__(self, function, parts):
        self.function, self.parts = function, list(parts)

    def __enter__(self):
        self.job = _offered(self.function, self.parts, len(self.parts))

    def __exit__(self, kind, error, trace):
        if self.job is not None:
            _finish(self.job, error)
        elif error is None:
            for part in self.parts:
                self.function(part)


class one_by_one(beside):
    """Like ``beside``, without helpers: for parts that are not worth waking one."""

    __slots__ = ()

    def __enter__(self):
        self.job = None


def _offered(function, parts, helpers):
    """A job that so many helpers have been called to, or fewer where there are not so many threads; None if none can be."""
    wanted = min(count() - 1, helpers)
    busy = _jobs is not None and not _jobs.empty()
    if wanted <= 0 or busy or (_helpers < wanted and not _start(wanted)):
        return None
    job = _Job(function, parts[::-1])
    try:
        for _ in range(wanted):
            _jobs.put(job)
    except BaseException as error:  # an interrupt
        _finish(job, error)
        raise
    return job


def _finish(job, given=None):
    """Do what is left of a job, unless the caller was ``given`` an error; wait for those who are at it; raise the first error of the job."""
    error = given
    try:
        if error is None:
            job.work()
    except BaseException as found:
        error = found
    while True:
        try:
            if error is not None:
                job.parts.clear()
            while job.inside:  # a helper is at a part, or about to look for one
                job.left.get()
            break
        except BaseException as found:  # an interrupt, while helpers still write into arrays
            error = error or found
    error = error or job.error
    job.function = job.error = None  # a helper may come yet, and would keep arrays alive
    try:
        if error is not given:
            raise error
    finally:
        del error, given, job  # whose traceback holds this frame


def _start(wanted):
    """Have so many helpers, if the system lets there be any: not when Python is ending, for one; returns whether there are."""
    global _jobs, _helpers
    from queue import SimpleQueue

    with _starting:
        if _jobs is None:
            _jobs = SimpleQueue()
        while _helpers < wanted:
            try:
                threading.Thread(target=_help, args=(_jobs,), name="minigrad-helper", daemon=True).start()
            except RuntimeError:
                break
            _helpers += 1
        return _helpers > 0


def _help(jobs):
    while True:
        jobs.get().help()


def _forget():
    """A forked child has no helpers, and what waits for them is the parent's."""
    global _jobs, _helpers
    _jobs, _helpers = None, 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
