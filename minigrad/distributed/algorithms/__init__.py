"""What is built on the collectives: hooks that say how ``DistributedDataParallel`` sends gradients, averages of models, and ``Join`` for uneven inputs."""

from .join import Join as Join
from .join import Joinable as Joinable
from .join import JoinHook as JoinHook
