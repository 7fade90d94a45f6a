"""Optimizers that were classes of their own when functions of many tensors were new: today's with ``foreach=True``."""

import functools

from ... import optim


def partialclass(cls, *args, **kwargs):
    """A class like ``cls`` that is made with these arguments before all others."""
    initialize = functools.partialmethod(cls.__init__, *args, **kwargs)
    return type("NewCls", (cls,), {"__init__": initialize, "__module__": __name__})


Adadelta = partialclass(optim.Adadelta, foreach=True)
Adagrad = partialclass(optim.Adagrad, foreach=True)
Adam = partialclass(optim.Adam, foreach=True)
AdamW = partialclass(optim.AdamW, foreach=True)
Adamax = partialclass(optim.Adamax, foreach=True)
ASGD = partialclass(optim.ASGD, foreach=True)
NAdam = partialclass(optim.NAdam, foreach=True)
RAdam = partialclass(optim.RAdam, foreach=True)
RMSprop = partialclass(optim.RMSprop, foreach=True)
Rprop = partialclass(optim.Rprop, foreach=True)
SGD = partialclass(optim.SGD, foreach=True)
