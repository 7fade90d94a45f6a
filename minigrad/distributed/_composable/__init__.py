"""Where libraries look for ``fully_shard``."""
