"""Parts of a CUDA device: there are none."""

from .._devices.absent import CPU_ONLY

__all__ = ["GreenContext"]


class GreenContext:
    """A part of a device's processors."""

    @staticmethod
    def create(*, num_sms=None, workqueue_scope=None, workqueue_concurrency_limit=None, device_id=None):
        """Raises RuntimeError: there is no device to take a part of."""
        raise RuntimeError(f"PyTorch was not built with Green Context support! ({CPU_ONLY})")
