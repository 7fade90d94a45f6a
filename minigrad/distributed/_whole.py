"""The error of what needs tensors that are spread over processes: here each process has its tensors whole."""

_INSTEAD = (
    "in minigrad each process has its tensors whole: torch.nn.parallel.DistributedDataParallel averages gradients, "
    "torch.distributed.optim.ZeroRedundancyOptimizer shares out the state of the optimizer, and torch.distributed.checkpoint saves both"
)


def not_spread(name):
    """The NotImplementedError for something that PyTorch spreads over processes."""
    return NotImplementedError(f"{name} is not there: {_INSTEAD}")
