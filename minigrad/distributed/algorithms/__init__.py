"""What is built on the collectives: hooks that say how ``DistributedDataParallel`` sends gradients."""
