"""CUDA green contexts: they cannot be created without a device."""

from .._devices.absent import CPU_ONLY

__all__ = ["GreenContext"]


class GreenContext:
    """A context that uses part of the multiprocessors of a device."""

    @staticmethod
    def create(
        *,
        num_sms: int | None = None,
        workqueue_scope: str | None = None,
        workqueue_concurrency_limit: int | None = None,
        device_id: int | None = None,
    ) -> object:
        """Raise RuntimeError, because there is no device."""
        raise RuntimeError(f"PyTorch was not built with Green Context support! ({CPU_ONLY})")
