"""A program under the profiler, beginning and end included: what is noted, but not what is made of it afterwards."""

from benchmarks.registry import Subject

profiled = Subject("Under the profiler")

STEPS = 100


def chain(torch, **options):
    """Forward and backward of 300 operators on 4 x 4 matrices, in a profile of their own."""
    x = torch.ones(4, 4, requires_grad=True)
    w = torch.ones(4, 4)
    profile = torch.autograd.profiler.profile

    def run():
        with profile(**options):
            y = x
            for _ in range(STEPS):
                y = (y * w + w).tanh()
            loss = y.sum()
            loss.backward()
        return loss

    return run


@profiled.timed("300 operators and their backward", bar=1.0)
def plain(torch):
    return chain(torch)


@profiled.timed("the same, with shapes", bar=1.0)
def shapes(torch):
    return chain(torch, record_shapes=True)


@profiled.timed("the same, with memory", bar=1.0)
def memory(torch):
    return chain(torch, profile_memory=True)


@profiled.timed("the table of 300 operators and their backward", bar=1.0)
def table(torch):
    x = torch.ones(4, 4, requires_grad=True)
    w = torch.ones(4, 4)

    def run():
        with torch.autograd.profiler.profile() as prof:
            y = x
            for _ in range(STEPS):
                y = (y * w + w).tanh()
            loss = y.sum()
            loss.backward()
        prof.key_averages().table(sort_by="self_cpu_time_total")
        return loss

    return run
