"""Parts of a CUDA device: there are none."""

from .._devices.absent import CPU_ONLY

__all__ = ["GreenContext"]


class GreenContext:
    """A part of a device's processors."""

    @staticmethod
    def create(
        *,
        num_sms: int | None = None,
        workqueue_scope: str | None = None,
        workqueue_concurrency_limit: int | None = None,
        device_id: int | None = None,
    ) -> object:
        """Raises RuntimeError: there is no device to take a part of."""
        raise RuntimeError(f"PyTorch was not built with Green Context support! ({CPU_ONLY})")
