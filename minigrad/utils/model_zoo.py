"""The older name of what ``hub`` does with weights at URLs: ``load_url`` is ``hub.load_state_dict_from_url``."""

from typing import TYPE_CHECKING

from .. import hub as _hub
from ..hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]


if not TYPE_CHECKING:  # a name that is not there is an error

    def __getattr__(name):
        if name == "tqdm":
            return _hub.tqdm
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
