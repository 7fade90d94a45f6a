"""What is done to parameters: clipping, vectors of all of them, reparametrisation, pruning; and packed sequences.

Files are imported when first used, but for the two that are hidden behind functions of the same name, as in PyTorch.
"""

from typing import TYPE_CHECKING

from ..._api import _lazy
from .spectral_norm import remove_spectral_norm as remove_spectral_norm
from .spectral_norm import spectral_norm as spectral_norm
from .weight_norm import remove_weight_norm as remove_weight_norm
from .weight_norm import weight_norm as weight_norm

if TYPE_CHECKING:
    from . import clip_grad as clip_grad
    from . import convert_parameters as convert_parameters
    from . import fusion as fusion
    from . import init as init
    from . import memory_format as memory_format
    from . import parametrizations as parametrizations
    from . import parametrize as parametrize
    from . import prune as prune  # type: ignore[attr-defined]
    from . import rnn as rnn
    from . import stateless as stateless
    from .clip_grad import _clip_grads_with_norm_ as clip_grads_with_norm_
    from .clip_grad import _get_total_norm as get_total_norm
    from .clip_grad import clip_grad_norm as clip_grad_norm
    from .clip_grad import clip_grad_norm_ as clip_grad_norm_
    from .clip_grad import clip_grad_value_ as clip_grad_value_
    from .convert_parameters import parameters_to_vector as parameters_to_vector
    from .convert_parameters import vector_to_parameters as vector_to_parameters
    from .fusion import fuse_conv_bn_eval as fuse_conv_bn_eval
    from .fusion import fuse_conv_bn_weights as fuse_conv_bn_weights
    from .fusion import fuse_linear_bn_eval as fuse_linear_bn_eval
    from .fusion import fuse_linear_bn_weights as fuse_linear_bn_weights
    from .init import skip_init as skip_init
    from .memory_format import convert_conv2d_weight_memory_format as convert_conv2d_weight_memory_format
    from .memory_format import convert_conv3d_weight_memory_format as convert_conv3d_weight_memory_format

_later = _lazy.places(
    {
        f"nn.utils.{file}": f"{file}= {names}"
        for file, names in {
            "clip_grad": (
                "clip_grad_norm clip_grad_norm_ clip_grad_value_ clip_grads_with_norm_=_clip_grads_with_norm_ "
                "get_total_norm=_get_total_norm"
            ),
            "convert_parameters": "parameters_to_vector vector_to_parameters",
            "fusion": "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
            "init": "skip_init",
            "memory_format": "convert_conv2d_weight_memory_format convert_conv3d_weight_memory_format",
            "parametrizations": "",
            "parametrize": "",
            "prune": "",
            "rnn": "",
            "stateless": "",
        }.items()
    }
)
#: PyTorch's, which leaves ``prune`` and the files of these functions out.
__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grads_with_norm_",
    "clip_grad_value_",
    "convert_conv2d_weight_memory_format",
    "convert_conv3d_weight_memory_format",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "skip_init",
    "spectral_norm",
    "stateless",
    "vector_to_parameters",
    "weight_norm",
]
_lazy.show_all(globals())


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
