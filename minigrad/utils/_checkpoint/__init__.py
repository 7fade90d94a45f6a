"""The parts of ``utils.checkpoint``, which gathers their public names: the two forms, what ``debug`` shows, selective checkpoints."""
