"""The libraries that compute with quantised numbers: there is none."""

from ._flags import check_settings as _check_settings

__all__ = ["engine", "supported_engines"]

engine = "none"
supported_engines: list[str] = []


def _check(name):
    known = {"none": "NoQEngine", "fbgemm": "FBGEMM", "qnnpack": "QNNPACK", "onednn": "ONEDNN", "x86": "X86"}
    if name not in known:
        raise RuntimeError(f"{name} is not a valid value for quantized engine")
    raise RuntimeError(f"quantized engine {known[name]} is not supported")


_check_settings(globals(), engine=_check)
