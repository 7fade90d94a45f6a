"""What programs ask of ``torch.cpu``, the module of the one device that there is."""

__all__ = ["current_device", "device_count", "is_available", "is_initialized", "set_device", "synchronize"]


def is_available():
    """Whether there is a CPU: True.

    >>> import minigrad
    >>> minigrad.cpu.is_available()
    True
    """
    return True


def is_initialized():
    """Whether the CPU is in use: True.

    >>> import minigrad
    >>> minigrad.cpu.is_initialized()
    True
    """
    return True


def device_count():
    """The number of CPUs, as devices: 1.

    >>> import minigrad
    >>> minigrad.cpu.device_count()
    1
    """
    return 1


def current_device():
    """The name of the current device: ``"cpu"``.

    >>> import minigrad
    >>> minigrad.cpu.current_device()
    'cpu'
    """
    return "cpu"


def set_device(device):
    """Choose the CPU: there is nothing to choose.

    >>> import minigrad
    >>> minigrad.cpu.set_device("cpu")
    """


def synchronize(device=None):
    """Wait for the operators that were started: each has ended when it returns.

    >>> import minigrad
    >>> minigrad.cpu.synchronize()
    """
