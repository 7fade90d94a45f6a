"""The functions of the package as older layers call them: ``torch._VF.dropout`` is ``torch.dropout``."""

from . import _api


def __getattr__(name):
    return getattr(_api, name)
