"""Modules and functions that have a form in ONNX: name -> (module, inputs). The tests export each, and docs/howto/onnx.md lists them."""

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn

IMAGE = (2, 4, 6, 6)


class Call(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def numbers(*shape):
    return torch.randn(*shape)


def positive(*shape):
    return torch.rand(*shape) + 0.5


def ints(*shape, high=5):
    return torch.randint(0, high, shape)


def _modules():
    """Layers, each as (name, module, inputs)."""
    image, row, series = numbers(*IMAGE), numbers(3, 4), numbers(2, 4, 9)
    volume = numbers(1, 2, 4, 4, 4)
    yield "Linear", nn.Linear(4, 5), (row,)
    yield "Linear", nn.Linear(4, 5, bias=False), (numbers(2, 3, 4),)
    yield "Bilinear", nn.Bilinear(4, 3, 2), (row, numbers(3, 3))
    yield "Identity", nn.Identity(), (row,)
    yield "Flatten", nn.Flatten(), (image,)
    yield "Unflatten", nn.Unflatten(1, (2, 2)), (row,)
    for kind in "ReLU ReLU6 Hardtanh Sigmoid Tanh GELU SiLU Mish ELU CELU SELU LeakyReLU RReLU Softplus Softsign Tanhshrink Hardshrink Softshrink Hardsigmoid Hardswish LogSigmoid".split():
        yield kind, getattr(nn, kind)(), (row * 3,)
    yield "GELU", nn.GELU("tanh"), (row,)
    yield "Softplus", nn.Softplus(2.0), (row,)
    yield "Threshold", nn.Threshold(0.1, 2.0), (row,)
    yield "PReLU", nn.PReLU(4), (image,)
    yield "PReLU", nn.PReLU(), (row,)
    yield "GLU", nn.GLU(), (row,)
    yield "Softmax", nn.Softmax(1), (image,)
    yield "LogSoftmax", nn.LogSoftmax(-1), (row,)
    yield "Softmin", nn.Softmin(0), (row,)
    yield "Softmax2d", nn.Softmax2d(), (image,)
    for kind in "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout".split():
        yield kind, getattr(nn, kind)(), ({"Dropout3d": volume, "Dropout2d": image}.get(kind, series),)
    yield "Conv1d", nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2), (series,)
    yield "Conv2d", nn.Conv2d(4, 6, (3, 2), padding=(1, 0), dilation=2), (image,)
    yield "Conv2d", nn.Conv2d(4, 6, 4, padding="same", bias=False), (image,)
    yield "Conv2d", nn.Conv2d(4, 6, 3, padding=1, padding_mode="reflect"), (image,)
    yield "Conv2d", nn.Conv2d(4, 6, 3, padding=1, padding_mode="circular"), (image,)
    yield "Conv2d", nn.Conv2d(4, 6, 3), (image[0],)
    yield "Conv3d", nn.Conv3d(2, 3, 2), (volume,)
    yield "ConvTranspose1d", nn.ConvTranspose1d(4, 6, 3, stride=2), (series,)
    yield "ConvTranspose2d", nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2), (image,)
    yield "ConvTranspose3d", nn.ConvTranspose3d(2, 3, 2), (volume,)
    yield "MaxPool1d", nn.MaxPool1d(2), (series,)
    yield "MaxPool2d", nn.MaxPool2d(3, 2, 1, ceil_mode=True), (image,)
    yield "MaxPool2d", nn.MaxPool2d(2, return_indices=True), (image,)
    yield "MaxPool3d", nn.MaxPool3d(2), (volume,)
    yield "AvgPool1d", nn.AvgPool1d(2), (series,)
    yield "AvgPool2d", nn.AvgPool2d(3, 2, 1, count_include_pad=False), (image,)
    yield "AvgPool2d", nn.AvgPool2d(2, divisor_override=3), (image,)
    yield "AvgPool3d", nn.AvgPool3d(2), (volume,)
    yield "LPPool1d", nn.LPPool1d(2, 3), (positive(2, 4, 9),)
    yield "LPPool2d", nn.LPPool2d(2, 3), (positive(*IMAGE),)
    yield "AdaptiveAvgPool1d", nn.AdaptiveAvgPool1d(4), (series,)
    yield "AdaptiveAvgPool2d", nn.AdaptiveAvgPool2d(1), (image,)
    yield "AdaptiveAvgPool2d", nn.AdaptiveAvgPool2d((3, None)), (image,)
    yield "AdaptiveAvgPool3d", nn.AdaptiveAvgPool3d(2), (volume,)
    yield "AdaptiveMaxPool1d", nn.AdaptiveMaxPool1d(4), (series,)
    yield "AdaptiveMaxPool2d", nn.AdaptiveMaxPool2d(2), (image,)
    yield "AdaptiveMaxPool3d", nn.AdaptiveMaxPool3d(1), (volume,)
    places = F.max_pool2d(image, 2, return_indices=True)[1]
    yield "MaxUnpool2d", nn.MaxUnpool2d(2), (numbers(2, 4, 3, 3), places)
    yield "MaxUnpool1d", nn.MaxUnpool1d(2), (numbers(1, 2, 2), torch.tensor([[[0, 3], [1, 2]]]))
    yield "MaxUnpool3d", nn.MaxUnpool3d(2), (numbers(1, 1, 1, 1, 1), torch.tensor([[[[[5]]]]]))
    yield "Fold", nn.Fold((4, 5), 2), (numbers(1, 8, 12),)
    yield "Unfold", nn.Unfold((3, 2), padding=1, stride=2, dilation=1), (image,)
    yield "LPPool3d", nn.LPPool3d(2, 2), (positive(1, 2, 4, 4, 4),)
    yield "PixelShuffle", nn.PixelShuffle(2), (image,)
    yield "PixelUnshuffle", nn.PixelUnshuffle(2), (image,)
    yield "ChannelShuffle", nn.ChannelShuffle(2), (image,)
    for kind, example in (("1d", series), ("2d", image), ("3d", volume)):
        norm = getattr(nn, f"BatchNorm{kind}")(example.shape[1])
        norm.running_mean.uniform_(-1, 1)
        norm.running_var.uniform_(0.5, 2)
        yield f"BatchNorm{kind}", norm, (example,)
        yield (
            f"InstanceNorm{kind}",
            getattr(nn, f"InstanceNorm{kind}")(example.shape[1], affine=True),
            (example,),
        )
        yield f"ZeroPad{kind}", getattr(nn, f"ZeroPad{kind}")(1), (example,)
        yield f"ConstantPad{kind}", getattr(nn, f"ConstantPad{kind}")(1, 0.5), (example,)
        yield f"ReflectionPad{kind}", getattr(nn, f"ReflectionPad{kind}")(1), (example,)
        yield f"ReplicationPad{kind}", getattr(nn, f"ReplicationPad{kind}")(1), (example,)
        yield f"CircularPad{kind}", getattr(nn, f"CircularPad{kind}")(1), (example,)
    yield "BatchNorm2d", nn.BatchNorm2d(4, affine=False), (image,)
    yield "GroupNorm", nn.GroupNorm(2, 4), (image,)
    yield "LayerNorm", nn.LayerNorm(4), (row,)
    yield "LayerNorm", nn.LayerNorm((6, 6), elementwise_affine=False), (image,)
    yield "RMSNorm", nn.RMSNorm(4), (row,)
    yield "LocalResponseNorm", nn.LocalResponseNorm(3), (positive(*IMAGE),)
    yield "Embedding", nn.Embedding(5, 3, padding_idx=1), (ints(2, 3),)
    yield "EmbeddingBag", nn.EmbeddingBag(5, 3, mode="sum"), (ints(2, 3),)
    bags = torch.tensor([0, 2, 2, 5]), torch.tensor([1, 4, 2, 0, 1, 3, 3])
    for mode in ("sum", "mean", "max"):
        yield "EmbeddingBag", nn.EmbeddingBag(5, 3, mode=mode, padding_idx=3), (bags[1], bags[0])
        yield "EmbeddingBag", nn.EmbeddingBag(5, 3, mode=mode, padding_idx=-2), (ints(2, 3),)
    last = torch.tensor([0, 2, 2, 6])
    yield (
        "EmbeddingBag",
        nn.EmbeddingBag(5, 3, mode="sum", include_last_offset=True),
        (bags[1], last, positive(7)),
    )
    for kind in ("RNN", "LSTM", "GRU"):
        layer = getattr(nn, kind)
        yield kind, layer(4, 3), (numbers(5, 2, 4),)
        yield kind, layer(4, 3, 2, batch_first=True, bidirectional=True, bias=False), (numbers(2, 5, 4),)
        yield f"{kind}Cell", getattr(nn, f"{kind}Cell")(4, 3), (row,)
    states = numbers(2, 2, 2), numbers(2, 2, 3)
    yield "LSTM", nn.LSTM(4, 3, proj_size=2, bidirectional=True), (numbers(5, 2, 4), states)
    yield "LSTM", nn.LSTM(4, 3, 2, proj_size=2, batch_first=True, bias=False), (numbers(2, 5, 4),)
    yield "RNN", nn.RNN(4, 3, nonlinearity="relu"), (numbers(5, 2, 4), numbers(1, 2, 3))
    yield "LSTM", nn.LSTM(4, 3), (numbers(5, 2, 4), (numbers(1, 2, 3), numbers(1, 2, 3)))
    yield (
        "MultiheadAttention",
        nn.MultiheadAttention(8, 2),
        (numbers(3, 2, 8), numbers(5, 2, 8), numbers(5, 2, 8)),
    )
    yield (
        "MultiheadAttention",
        nn.MultiheadAttention(8, 2, batch_first=True, kdim=4, vdim=6),
        (
            numbers(2, 3, 8),
            numbers(2, 5, 4),
            numbers(2, 5, 6),
        ),
    )
    mask = torch.tensor([[False, False, True], [False, False, False]])
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    yield (
        "MultiheadAttention",
        Call(lambda x, mask: attention(x, x, x, key_padding_mask=mask)),
        (numbers(2, 3, 8), mask),
    )
    yield (
        "TransformerEncoderLayer",
        nn.TransformerEncoderLayer(8, 2, 16, norm_first=True),
        (numbers(3, 2, 8),),
    )
    yield (
        "TransformerDecoderLayer",
        nn.TransformerDecoderLayer(8, 2, 16),
        (numbers(3, 2, 8), numbers(4, 2, 8)),
    )
    yield (
        "Transformer",
        nn.Transformer(8, 2, 1, 1, 16, batch_first=True),
        (numbers(2, 3, 8), numbers(2, 4, 8)),
    )
    yield "Upsample", nn.Upsample(scale_factor=2), (image,)
    yield "UpsamplingNearest2d", nn.UpsamplingNearest2d(scale_factor=2), (image,)
    yield "UpsamplingBilinear2d", nn.UpsamplingBilinear2d(size=(5, 9)), (image,)
    yield "CosineSimilarity", nn.CosineSimilarity(), (row, numbers(3, 4))
    yield "PairwiseDistance", nn.PairwiseDistance(), (row, numbers(3, 4))
    yield "Sequential", nn.Sequential(nn.Linear(4, 3), nn.ReLU(inplace=True), nn.Linear(3, 2)), (row,)
    classes = ints(3, high=4)
    for kind in "MSELoss L1Loss SmoothL1Loss HuberLoss".split():
        yield kind, getattr(nn, kind)(), (row, numbers(3, 4))
    yield "BCELoss", nn.BCELoss(), (torch.rand(3, 4), torch.rand(3, 4))
    yield "BCEWithLogitsLoss", nn.BCEWithLogitsLoss(pos_weight=positive(4)), (row, torch.rand(3, 4))
    yield "NLLLoss", nn.NLLLoss(), (row.log_softmax(1), classes)
    yield "CrossEntropyLoss", nn.CrossEntropyLoss(weight=positive(4)), (row, classes)
    yield (
        "CrossEntropyLoss",
        nn.CrossEntropyLoss(reduction="none", ignore_index=1),
        (image, ints(2, 6, 6, high=4)),
    )
    yield (
        "CrossEntropyLoss",
        nn.CrossEntropyLoss(positive(4), ignore_index=1, label_smoothing=0.1),
        (row, classes),
    )
    for reduction in ("none", "sum", "mean"):
        smoothed = nn.CrossEntropyLoss(label_smoothing=0.2, reduction=reduction, ignore_index=2)
        yield "CrossEntropyLoss", smoothed, (image, ints(2, 6, 6, high=4))
    yield "CrossEntropyLoss", nn.CrossEntropyLoss(positive(4), label_smoothing=0.1), (image, image.softmax(1))
    yield "CrossEntropyLoss", nn.CrossEntropyLoss(label_smoothing=0.1), (row[0], classes[0])
    yield "KLDivLoss", nn.KLDivLoss(reduction="batchmean"), (row.log_softmax(1), row.softmax(1))
    yield "PoissonNLLLoss", nn.PoissonNLLLoss(), (row, positive(3, 4))
    yield "PoissonNLLLoss", nn.PoissonNLLLoss(full=True), (row, positive(3, 4) * 3)
    yield "GaussianNLLLoss", nn.GaussianNLLLoss(), (row, numbers(3, 4), positive(3, 4))
    sign = torch.tensor([1.0, -1.0, 1.0])
    yield "HingeEmbeddingLoss", nn.HingeEmbeddingLoss(), (row, sign[:, None].expand(3, 4).clone())
    yield "MarginRankingLoss", nn.MarginRankingLoss(0.3), (row[:, 0], row[:, 1], sign)
    yield "SoftMarginLoss", nn.SoftMarginLoss(), (row[:, 0], sign)
    yield "TripletMarginLoss", nn.TripletMarginLoss(), (row, numbers(3, 4), numbers(3, 4))
    yield "MultiLabelSoftMarginLoss", nn.MultiLabelSoftMarginLoss(), (row, ints(3, 4, high=2).float())
    yield "MultiMarginLoss", nn.MultiMarginLoss(2, weight=positive(4)), (row, classes)
    yield "CosineEmbeddingLoss", nn.CosineEmbeddingLoss(), (row, numbers(3, 4), sign)


#: Functions of one tensor, of numbers of both signs.
UNARY = "exp sin cos tan atan sinh cosh asinh erf erfc neg abs sign ceil floor trunc frac round square expm1 exp2 sigmoid tanh relu isnan isinf isfinite isposinf isneginf logical_not sinc deg2rad rad2deg positive nan_to_num t sum mean prod amax amin max min argmax argmin all any var std var_mean std_mean norm median clone contiguous flatten".split()
BINARY = "add sub mul div floor_divide remainder fmod maximum minimum atan2 hypot logaddexp eq ne lt le gt ge isclose fmax fmin logaddexp2 ldexp dist".split()


def _functions():
    """Functions, each as (name, function, inputs)."""
    x, y = numbers(3, 4), numbers(3, 4)
    image = numbers(*IMAGE)
    for name in ("T", "mT"):
        yield name, lambda x, name=name: getattr(x, name), (x,)
    for name in UNARY:
        yield name, getattr(torch, name, None) or getattr(torch.Tensor, name), (x * 2,)
    for name in "log sqrt rsqrt log2 log10 log1p reciprocal".split():
        yield name, lambda x, name=name: getattr(torch, name)(x), (positive(3, 4),)
    for name in "asin acos atanh".split():
        yield name, lambda x, name=name: getattr(torch, name)(x), (torch.rand(3, 4) - 0.5,)
    yield "acosh", torch.acosh, (positive(3, 4) + 1,)
    yield "logit", lambda x: torch.logit(x, 1e-6), (torch.rand(3, 4),)
    for name in BINARY:
        yield name, lambda x, y, name=name: getattr(torch, name)(x, y), (x * 3, y)
    yield "add", lambda x, n: x + n, (x, ints(4))
    yield "add", lambda x: 2 - x + x * 3 + 1 / (x.abs() + 1) + 2**x, (x,)
    yield "add", lambda x, y: torch.add(x, y, alpha=2) + torch.sub(x, y, alpha=0.5), (x, y)
    yield (
        "div",
        lambda x, y: torch.div(x, y, rounding_mode="trunc") + torch.div(x, y, rounding_mode="floor"),
        (x * 5, y),
    )
    yield "div", lambda a, b: (a / b, a // b, a % b), (ints(3, 4, high=20) - 10, ints(3, 4) + 1)
    yield "pow", lambda x: (x**2, x**3.0, torch.pow(x, x)), (positive(3, 4),)
    yield "round", lambda x: torch.round(x, decimals=2), (x,)
    yield "clamp", lambda x: (x.clamp(-0.5, 0.5), x.clamp(min=0), torch.clamp_max(x, 0.1)), (x,)
    yield "clamp", lambda x, low: torch.clamp(x, low, low + 1), (x, numbers(4))
    yield "lerp", lambda x, y: torch.lerp(x, y, 0.3), (x, y)
    yield "addcmul", lambda x, y: torch.addcmul(x, y, y, value=0.5), (x, y)
    yield "addcdiv", lambda x, y: torch.addcdiv(x, x, y), (x, positive(3, 4))
    yield "xlogy", torch.xlogy, (torch.tensor([0.0, 1.0, 2.0]), torch.tensor([0.0, 2.0, 3.0]))
    yield "heaviside", torch.heaviside, (torch.tensor([-1.0, 0.0, 2.0]), torch.tensor([0.5, 0.5, 0.5]))
    bits = ints(3, 4, high=16), ints(3, 4, high=16)
    yield "bitwise_and", lambda a, b: (a & b, a | b, a ^ b, ~a), bits
    yield "bitwise_left_shift", lambda a, b: (a << b, a >> b), (bits[0], ints(3, 4, high=3))
    truths = ints(3, 4, high=2).bool(), ints(3, 4, high=2).bool()
    yield (
        "logical_and",
        lambda a, b: (a & b, a | b, a ^ b, ~a, torch.logical_xor(a, b), a.sum(), a.any(1), a.all()),
        truths,
    )
    # conditions and indices
    yield "where", lambda x, y: (torch.where(x > 0, x, y), torch.where(x > y, 1.0, 0.0)), (x, y)
    yield "masked_fill", lambda x: x.masked_fill(x > 0, -1.5), (x,)
    yield "masked_select", lambda x: torch.masked_select(x, x > 0), (x,)
    yield "nonzero", lambda x: (torch.nonzero(x > 0), *torch.nonzero(x > 0, as_tuple=True)), (x,)
    yield "getitem", lambda x: (x[0], x[:, 1:3], x[..., None, 0], x[-1, ::2], x[1:, -2:], x[:, None]), (x,)
    yield "getitem", lambda x, i: (x[i], x[:, i], x[i, 1:]), (x, ints(2, high=3))
    yield (
        "getitem",
        lambda x, i, j: (x[i, j], x[:, i, j], x[i, :, j], x[..., i]),
        (numbers(3, 3, 3), ints(2, high=3), ints(4, 2, high=3)),
    )
    yield "getitem", lambda x: (x[x > 0], x[[0, 2]]), (x,)

    def written(x):
        x = x.clone()
        x[0] = 5
        x[:, 1:3] += 2
        x[x < 0] = 0
        x[[1, 2], [0, 1]] = torch.tensor([7.0, 8.0])
        row = x[1]
        row.mul_(2)
        left, right = x.chunk(2, dim=1)
        left.add_(right)
        turned = x.T
        turned[0] = -1
        return x, row, right

    yield "setitem", written, (x,)
    yield "gather", lambda x, i: torch.gather(x, 1, i), (x, ints(3, 2, high=4))
    yield "take_along_dim", lambda x, i: torch.take_along_dim(x, i, 1), (x, ints(3, 2, high=4))
    yield "take", torch.take, (x, ints(2, 2, high=12))
    yield "index_select", lambda x, i: torch.index_select(x, 1, i), (x, ints(3, high=4))
    yield (
        "scatter",
        lambda x, i, y: (x.scatter(1, i, y), x.scatter(1, i, 2.5)),
        (x, torch.tensor([[0, 1], [2, 3], [1, 0]]), y),
    )
    yield "scatter_add", lambda x, i, y: x.scatter_add(1, i, y), (x, ints(3, 2, high=4), y)
    yield "scatter_reduce", lambda x, i, y: x.scatter_reduce(1, i, y, "amax"), (x, ints(3, 2, high=4), y)
    yield "index_add", lambda x, i, y: x.index_add(0, i, y), (x, torch.tensor([0, 2]), numbers(2, 4))
    yield "index_copy", lambda x, i, y: x.index_copy(0, i, y), (x, torch.tensor([2, 0]), numbers(2, 4))
    yield "index_fill", lambda x, i: x.index_fill(1, i, 3.0), (x, torch.tensor([2, 0]))
    yield (
        "index_put",
        lambda x, i, y: x.index_put((i,), y, accumulate=True),
        (x, torch.tensor([0, 0]), numbers(2, 4)),
    )
    # shapes
    yield "view", lambda x: (x.view(2, 6), x.reshape(-1), x.view(-1, 2), x.flatten()), (x,)
    yield (
        "squeeze",
        lambda x: (x.squeeze(), x.squeeze(1), x.unsqueeze(0), x.unsqueeze(-1)),
        (numbers(3, 1, 4),),
    )
    yield (
        "permute",
        lambda x: (x.permute(2, 0, 1), x.transpose(0, 2), x.movedim(0, -1), x.swapaxes(0, 1), x.mT),
        (numbers(2, 3, 4),),
    )
    yield (
        "expand",
        lambda x: (x.expand(3, 4), x.expand(2, -1, 4), x.repeat(2, 3), x.tile((2,)), x.broadcast_to(2, 3, 4)),
        (numbers(3, 1),),
    )
    yield "repeat_interleave", lambda x: (x.repeat_interleave(2, 1), x.repeat_interleave(3)), (x,)
    yield "flip", lambda x: (x.flip(0), x.flip([0, 1]), x.fliplr()), (x,)
    yield "roll", lambda x: (x.roll(1), x.roll(-1, 0), x.roll((1, 2), (0, 1))), (x,)
    yield (
        "cat",
        lambda x, y: (
            torch.cat([x, y], 1),
            torch.stack([x, y], -1),
            torch.hstack([x, y]),
            torch.vstack([x, y]),
        ),
        (x, y),
    )
    yield (
        "split",
        lambda x: (*x.split(2, 1), *x.split([1, 3], 1), *x.chunk(3, 1), *x.unbind(0), *x.tensor_split(3, 1)),
        (x,),
    )
    yield "unfold", lambda x: x.unfold(1, 2, 1), (x,)
    yield "diagonal", lambda x: (x.diagonal(1), torch.diag(x[0]), torch.diag_embed(x)), (x,)
    yield (
        "stft",
        lambda x: torch.stft(x, 4, window=torch.ones(4), return_complex=True).abs(),
        (numbers(2, 9),),
    )
    spectrum = torch.stft(numbers(2, 9), 4, window=torch.ones(4), return_complex=False)
    yield (
        "istft",
        lambda x: torch.istft(torch.view_as_complex(x), 4, window=torch.ones(4)),
        (spectrum.contiguous(),),
    )
    yield (
        "view_as_complex",
        lambda x: (torch.view_as_complex(x).angle(), torch.view_as_complex(x).conj().imag),
        (numbers(3, 2),),
    )
    yield "fft_fft", lambda x: torch.fft.fft(x, dim=0).abs(), (x,)
    yield "fft_rfft", lambda x: torch.view_as_real(torch.fft.rfft(x)), (x,)
    yield "polar", lambda x: torch.view_as_real(torch.polar(x.abs(), x) * 2), (x,)
    yield "pad", lambda x: (F.pad(x, (1, 2)), F.pad(x, (1, 0, 0, 1), value=2.0), F.pad(x, (-1, 1))), (x,)
    yield (
        "tril",
        lambda x: (
            x.tril(),
            x.triu(1),
            torch.diagonal(x, 1),
            torch.diag(x),
            torch.diag(x[0]),
            torch.diag_embed(x, 1),
        ),
        (x,),
    )
    yield "meshgrid", lambda a, b: torch.meshgrid(a, b, indexing="xy"), (numbers(3), numbers(4))
    yield "broadcast_tensors", lambda a, b: torch.broadcast_tensors(a, b), (numbers(3, 1), numbers(4))
    yield (
        "to",
        lambda x: (x.double(), x.long(), x.bool(), x.half().float(), x.to(torch.int32), x.type_as(x.int())),
        (x,),
    )
    yield "rot90", lambda x: (x.rot90(), x.rot90(2), x.rot90(-1), x.diff(), x.diff(2, 0)), (x,)
    yield (
        "slice_scatter",
        lambda x, y: (x.slice_scatter(y[:, :2], 1, 1, 3), x.select_scatter(y[0], 0, 1)),
        (x, y),
    )
    yield "where", lambda x: torch.where(x > 0), (x,)
    yield "masked_scatter", lambda x, y: x.masked_scatter(x > 0, y), (x, y)
    yield "nansum", lambda x: (torch.nansum(x / x.relu()), torch.nanmean(x / x.relu(), 1)), (x + 0.1,)
    yield "aminmax", lambda x: (*torch.aminmax(x), *torch.aminmax(x, dim=1)), (x,)
    yield (
        "view_as",
        lambda x, y: (x.view_as(y), x.expand_as(y[None]), torch.column_stack([x, y]), torch.atleast_2d(x[0])),
        (x, y),
    )
    yield "addbmm", lambda x: torch.addbmm(x[0, :, :3], x, x.mT), (numbers(2, 3, 4),)
    yield (
        "addr",
        lambda x: (
            torch.addr(x, x[:, 0], x[0]),
            torch.addmv(x[:, 0], x, x[0]),
        ),
        (x,),
    )
    yield (
        "new_full",
        lambda x: (
            x.new_full((2,), 3),
            torch.full_like(x, 2),
            x.new_tensor([1, 2]),
            torch.zeros_like(x, dtype=torch.int64),
        ),
        (x,),
    )
    yield "tril_indices", lambda x: x[tuple(torch.tril_indices(3, 3))], (x,)
    # reductions
    yield (
        "sum",
        lambda x: (
            x.sum(1),
            x.sum((0, 1), keepdim=True),
            x.mean(-1),
            x.prod(0),
            x.logsumexp(1),
            x.amax((0, 1)),
        ),
        (x,),
    )
    yield "max", lambda x: (*x.max(1), *x.min(0, keepdim=True), x.argmax(1), x.argmin(0)), (x,)
    yield (
        "var",
        lambda x: (x.var(1), x.std(0, unbiased=False), torch.var(x, correction=2), *torch.var_mean(x, 1)),
        (x,),
    )
    yield (
        "norm",
        lambda x: (
            x.norm(),
            x.norm(1, 1),
            torch.linalg.norm(x),
            torch.linalg.vector_norm(x, 3, 1),
            x.norm(float("inf")),
        ),
        (x,),
    )
    ties = torch.tensor(
        [[1.0, 3.0, 3.0, float("nan")], [2.0, float("nan"), 5.0, 1.0], [-float("inf"), 0.0, 0.0, 1.0]]
    )
    yield "cumprod", lambda x: (x.cumprod(1), torch.cumprod(x.int(), 0), x.cumprod(0)), (x * 2,)
    yield "logcumsumexp", lambda x: (x.logcumsumexp(1), x.logcumsumexp(0)), (ties[[0, 2]],)
    yield "cummax", lambda x: (*x.cummax(1), *x.cummax(0), *x.long().cummax(1)), (ties,)
    yield "cummin", lambda x: (*x.cummin(1), *x.cummin(0)), (ties,)
    yield "cumsum", lambda x: (x.cumsum(1), torch.cumsum(x, 0)), (x,)
    yield "count_nonzero", torch.count_nonzero, (ints(3, 4, high=2),)
    yield "topk", lambda x: (*x.topk(2), *x.topk(2, 0, largest=False)), (x,)
    yield (
        "sort",
        lambda x: (*x.sort(), *torch.sort(x, 0, descending=True), x.argsort(), *x.kthvalue(2), *x.median(1)),
        (x,),
    )
    yield "unique", torch.unique, (ints(6),)
    yield (
        "searchsorted",
        lambda edges, x: (torch.searchsorted(edges, x), torch.bucketize(x, edges, right=True)),
        (torch.tensor([0.0, 1.0, 2.0]), x),
    )
    signs = torch.tensor([0.0, -0.0, 2.0, -3.0, float("inf"), -float("inf"), float("nan")])
    yield (
        "copysign",
        lambda x: (torch.copysign(torch.arange(6.0), x), x.signbit(), x.angle()),
        (signs[:6],),
    )
    yield "xlog1py", lambda x: (torch.special.xlog1py(x, x.abs()), torch.special.entr(x)), (signs,)
    yield "isin", lambda x, y: (torch.isin(x, y), torch.isin(x, 2, invert=True)), (ints(3, 4), ints(3))
    yield (
        "dstack",
        lambda x, y: (
            torch.dstack([x, y]),
            torch.atleast_3d(x),
            torch.dstack([x[0], y[0]]),
            *torch.hsplit(x, 2),
            *torch.vsplit(x, [1]),
        ),
        (x, y),
    )
    yield "cartesian_prod", torch.cartesian_prod, (numbers(3), numbers(4))
    yield "block_diag", torch.block_diag, (numbers(2, 3), numbers(2), numbers(1, 4))
    yield (
        "scatter_reduce",
        lambda x, i, y: (
            *(
                x.scatter_reduce(1, i, y, kind, include_self=False)
                for kind in ("sum", "prod", "amin", "mean")
            ),
            x.scatter_reduce(1, i, y, "mean"),
            x.long().scatter_reduce(0, i, (y * 5).long(), "mean"),
        ),
        (x * 4, ints(3, 2, high=3), y),
    )
    # products
    yield (
        "cross",
        lambda x, y: (torch.linalg.cross(x, y), torch.cross(x.T, y.T, dim=0)),
        (numbers(4, 3), numbers(4, 3)),
    )
    yield "vecdot", lambda x, y: (torch.linalg.vecdot(x, y), torch.linalg.vecdot(x, y, dim=0)), (x, y)
    yield (
        "slogdet",
        lambda x: (*torch.linalg.slogdet(x), torch.logdet(x @ x.T), torch.linalg.matrix_power(x, 5)),
        (numbers(3, 3),),
    )
    yield "matmul", lambda x, y: (x @ y.T, torch.mm(x.T, y), x[0] @ y[0], x @ y[0]), (x, y)
    yield "bmm", lambda x: torch.bmm(x, x.mT), (numbers(2, 3, 4),)
    yield "addmm", lambda x, y: torch.addmm(x[:, :3], x, y.T, beta=0.5, alpha=2), (x, y)
    yield "baddbmm", lambda x: torch.baddbmm(x[:, :, :3], x, x.mT), (numbers(2, 3, 4),)
    yield (
        "outer",
        lambda x: (torch.outer(x[0], x[1]), torch.inner(x, x), torch.dot(x[0], x[1]), torch.kron(x, x)),
        (x,),
    )
    yield "einsum", lambda x, y: (torch.einsum("ij,kj->ik", x, y), torch.einsum("bi, bi -> b", x, y)), (x, y)
    yield "tensordot", lambda x, y: torch.tensordot(x, y, dims=([1], [1])), (x, y)
    yield "cdist", lambda x, y: torch.cdist(x, y), (x, y)
    yield "trace", torch.trace, (x,)
    yield "multi_dot", lambda x: torch.linalg.multi_dot([x, x.T, x]), (x,)
    yield "det", torch.linalg.det, (numbers(3, 3),)
    yield "cosine_similarity", lambda x, y: F.cosine_similarity(x, y), (x, y)
    yield "normalize", lambda x: (F.normalize(x), F.normalize(x, 1, 0)), (x,)
    # creation
    yield (
        "zeros",
        lambda x: (
            torch.zeros(2, 3),
            x.new_ones(2),
            torch.full((2,), 3.0),
            torch.ones_like(x),
            torch.arange(5),
            torch.eye(3),
            torch.linspace(0, 1, 5),
        ),
        (x,),
    )
    yield "one_hot", lambda i: F.one_hot(i, 5), (ints(2, 3),)
    # attention
    heads = numbers(2, 2, 3, 4)
    yield (
        "scaled_dot_product_attention",
        lambda q, k: F.scaled_dot_product_attention(q, k, k),
        (heads, numbers(2, 2, 5, 4)),
    )
    yield (
        "scaled_dot_product_attention",
        lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True),
        (heads,),
    )
    yield (
        "scaled_dot_product_attention",
        lambda q, m: F.scaled_dot_product_attention(q, q, q, attn_mask=m),
        (heads, torch.tensor([[True, False, True], [False, False, False], [True, True, True]])),
    )
    yield (
        "scaled_dot_product_attention",
        lambda q, k: F.scaled_dot_product_attention(q, k, k, enable_gqa=True),
        (heads, numbers(2, 1, 3, 4)),
    )
    # images
    for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area"):
        yield (
            "interpolate",
            lambda x, mode=mode: (
                F.interpolate(x, size=(5, 9), mode=mode),
                F.interpolate(x, scale_factor=1.7, mode=mode),
            ),
            (image,),
        )
    for mode in ("bilinear", "bicubic"):
        yield (
            "interpolate_antialias",
            lambda x, mode=mode: (
                F.interpolate(x, scale_factor=0.4, mode=mode, antialias=True),
                F.interpolate(x, size=(4, 9), mode=mode, antialias=True),
            ),
            (image,),
        )
    yield (
        "interpolate",
        lambda x: F.interpolate(x, size=(5, 9), mode="bilinear", align_corners=True),
        (image,),
    )
    yield (
        "grid_sample",
        lambda x, grid: F.grid_sample(x, grid, align_corners=False),
        (image, torch.rand(2, 3, 3, 2) * 2 - 1),
    )
    yield (
        "affine_grid",
        lambda theta: F.affine_grid(theta, (2, 3, 4, 5), align_corners=False),
        (numbers(2, 2, 3),),
    )


def cases():
    """(kind, name, module in evaluation mode, inputs): of the same numbers each time."""
    torch.manual_seed(0)
    for name, module, inputs in _modules():
        yield "layer", name, module.eval(), inputs
    for name, function, inputs in _functions():
        yield "function", name, Call(function).eval(), inputs
