"""TunableOp, which selects the fastest CUDA kernels: there are none."""

from .._devices.absent import CUDA
from .._devices.answers import answers


def _missing(name):
    CUDA.missing(f"_cuda_{name}")


__all__ = answers(
    globals(),
    {
        "enable": lambda val=True: _missing("tunableop_enable"),
        "get_filename": lambda: _missing("tunableop_get_filename"),
        "get_max_tuning_duration": lambda: _missing("tunableop_get_max_tuning_duration"),
        "get_max_tuning_iterations": lambda: _missing("tunableop_get_max_tuning_iterations"),
        "get_results": lambda: _missing("tunableop_get_results"),
        "get_rotating_buffer_size": lambda: _missing("tunableop_get_rotating_buffer_size"),
        "get_validators": lambda: _missing("tunableop_get_validators"),
        "is_enabled": lambda: _missing("tunableop_is_enabled"),
        "read_file": lambda filename=None: _missing(
            "tunableop_get_filename" if filename is None else "tunableop_read_file"
        ),
        "record_untuned_enable": lambda val=True: _missing("record_untuned_enable"),
        "record_untuned_is_enabled": lambda: _missing("record_untuned_is_enabled"),
        "set_filename": lambda filename, insert_device_ordinal=False: _missing("tunableop_set_filename"),
        "set_max_tuning_duration": lambda duration: _missing("tunableop_set_max_tuning_duration"),
        "set_max_tuning_iterations": lambda iterations: _missing("tunableop_set_max_tuning_iterations"),
        "set_rotating_buffer_size": lambda buffer_size: _missing("tunableop_set_rotating_buffer_size"),
        "tuning_enable": lambda val=True: _missing("tunableop_tuning_enable"),
        "tuning_is_enabled": lambda: _missing("tunableop_tuning_is_enabled"),
    },
)
