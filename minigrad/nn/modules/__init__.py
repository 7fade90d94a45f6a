"""The modules of neural networks, one family per file; each file is imported when one of its names is first used."""

from typing import TYPE_CHECKING

from ..._api import _lazy

if TYPE_CHECKING:
    from .activation import *
    from .adaptive import *
    from .batchnorm import *
    from .channelshuffle import *
    from .container import *
    from .conv import *
    from .distance import *
    from .dropout import *
    from .flatten import *
    from .fold import *
    from .instancenorm import *
    from .linear import *
    from .linear_cross_entropy_options import *
    from .loss import *
    from .module import Module as Module
    from .normalization import *
    from .padding import *
    from .pixelshuffle import *
    from .pooling import *
    from .rnn import *
    from .sparse import *
    from .transformer import *
    from .upsampling import *

#: The modules of each file.
_FAMILIES = {
    "module": "Module",
    "activation": (
        "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid "
        "LogSoftmax Mish MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin "
        "Softplus Softshrink Softsign Tanh Tanhshrink Threshold"
    ),
    "adaptive": "AdaptiveLogSoftmaxWithLoss",
    "batchnorm": (
        "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d SyncBatchNorm"
    ),
    "channelshuffle": "ChannelShuffle",
    "container": "Container ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "conv": (
        "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d "
        "LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d"
    ),
    "distance": "CosineSimilarity PairwiseDistance",
    "dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "flatten": "Flatten Unflatten",
    "fold": "Fold Unfold",
    "instancenorm": (
        "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d "
        "LazyInstanceNorm3d"
    ),
    "linear": "Bilinear Identity LazyLinear Linear",
    "linear_cross_entropy_options": "LinearCrossEntropyOptions",
    "loss": (
        "BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss "
        "HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss "
        "MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss "
        "NLLLoss2d PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss "
        "TripletMarginWithDistanceLoss"
    ),
    "normalization": "CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm",
    "padding": (
        "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d "
        "ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d "
        "ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d"
    ),
    "pixelshuffle": "PixelShuffle PixelUnshuffle",
    "pooling": (
        "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d "
        "AdaptiveMaxPool2d AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d "
        "FractionalMaxPool3d LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d "
        "MaxUnpool2d MaxUnpool3d"
    ),
    "rnn": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
    "sparse": "Embedding EmbeddingBag",
    "transformer": (
        "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer"
    ),
    "upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
}
_later = _lazy.places(
    {f"{__name__.partition('.')[2]}.{family}": f"{family}= {names}" for family, names in _FAMILIES.items()},
    {f"{__name__.partition('.')[2]}.{each}": f"{each}=" for each in ("lazy", "utils")},
)
if not TYPE_CHECKING:  # type checkers see what is imported above
    __all__ = sorted(name for names in _FAMILIES.values() for name in names.split())
_lazy.show_all(globals())


if not TYPE_CHECKING:  # which sees what is imported for it above

    def __getattr__(name):
        return _lazy.fetch(name, _later, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *_later})
