"""``%load_ext minigrad``: from then on ``import torch`` in the notebook, or the IPython session, means minigrad."""

from ._alias import install_as_torch, uninstall_as_torch

__all__ = ["load_ipython_extension", "unload_ipython_extension"]


def load_ipython_extension(ipython):
    """What ``%load_ext minigrad`` calls; raises RuntimeError if PyTorch itself has been imported before."""
    install_as_torch()


def unload_ipython_extension(ipython):
    """What ``%unload_ext minigrad`` calls: ``import torch`` is PyTorch again, if there is one."""
    uninstall_as_torch()
