"""Optimizers, one per file; schedules of learning rates; averages of models.  Each is imported when it is first used."""

from typing import TYPE_CHECKING

from .._api import _lazy

if TYPE_CHECKING:
    from . import lr_scheduler as lr_scheduler
    from . import swa_utils as swa_utils
    from ._adafactor import Adafactor as Adafactor
    from ._muon import Muon as Muon
    from ._stateless import swap_in_optimizer_params_and_state as swap_in_optimizer_params_and_state
    from .adadelta import Adadelta as Adadelta
    from .adagrad import Adagrad as Adagrad
    from .adam import Adam as Adam
    from .adamax import Adamax as Adamax
    from .adamw import AdamW as AdamW
    from .asgd import ASGD as ASGD
    from .lbfgs import LBFGS as LBFGS
    from .nadam import NAdam as NAdam
    from .optimizer import Optimizer as Optimizer
    from .radam import RAdam as RAdam
    from .rmsprop import RMSprop as RMSprop
    from .rprop import Rprop as Rprop
    from .sgd import SGD as SGD
    from .sparse_adam import SparseAdam as SparseAdam

_later = _lazy.places(
    {
        "optim.lr_scheduler": "lr_scheduler=",
        "optim.swa_utils": "swa_utils=",
        "optim._adafactor": "Adafactor",
        "optim._muon": "Muon",
        "optim._stateless": "swap_in_optimizer_params_and_state",
        "optim.adadelta": "Adadelta",
        "optim.adagrad": "Adagrad",
        "optim.adam": "Adam",
        "optim.adamax": "Adamax",
        "optim.adamw": "AdamW",
        "optim.asgd": "ASGD",
        "optim.lbfgs": "LBFGS",
        "optim.nadam": "NAdam",
        "optim.optimizer": "Optimizer",
        "optim.radam": "RAdam",
        "optim.rmsprop": "RMSprop",
        "optim.rprop": "Rprop",
        "optim.sgd": "SGD",
        "optim.sparse_adam": "SparseAdam",
    }
)
__all__ = [*_later]
_lazy.show_all(globals())


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})


_lazy.answer_for_sources(globals())
