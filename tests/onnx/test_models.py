"""``onnx.export`` of networks as programs have them, with sizes that may differ: right at other sizes, and trained after they are loaded back."""

import math

import pytest

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.export import Dim
from minigrad.utils._pytree import tree_leaves
from tests.onnx.checked_exports import assert_same, check, tensors

MODELS: dict = {}


def model(dynamic_shapes, *sizes):
    """Mark a class of modules: with its sizes that may differ, and those that are tried; the first are those of the example."""

    def mark(kind):
        MODELS[kind.__name__] = kind, dynamic_shapes, sizes
        return kind

    return mark


def images(batch, height, width):
    return (torch.randn(batch, 3, height, width),)


IMAGES = ({0: "batch", 2: "height", 3: "width"},)


@model(IMAGES, (1, 16, 20), (2, 17, 23), (1, 33, 8))
class Segmentation(nn.Module):
    """Down and up again: what was cut off of odd sizes is padded; layers that work in place."""

    inputs = staticmethod(images)

    def __init__(self):
        super().__init__()
        self.down, self.deep = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 8, 3, padding=1)
        self.up = nn.ConvTranspose2d(8, 4, 2, 2)
        self.norm, self.act = nn.GroupNorm(2, 4), nn.SiLU(inplace=True)
        self.last = nn.Conv2d(8, 2, 1)

    def forward(self, x):
        fine = self.act(self.norm(self.down(x)))
        deep = F.leaky_relu(self.deep(F.max_pool2d(fine, 2)), 0.1, inplace=True)
        up = self.up(deep)
        down, right = fine.size(2) - up.size(2), fine.size(3) - up.size(3)
        up = F.pad(up, [right // 2, right - right // 2, down // 2, down - down // 2])
        scores = self.last(torch.cat([fine, up], 1))
        return F.interpolate(scores, size=x.shape[-2:], mode="bilinear"), scores.argmax(1)


@model(
    ({0: "batch", 2: Dim("height", min=8), 3: Dim("width", min=8)},),
    *((2, 20, 24), (1, 31, 18), (1, 16, 40)),
)
class Windows(nn.Module):
    """Attention within windows of 4 x 4, which are moved; what is padded is masked."""

    inputs = staticmethod(images)

    def __init__(self):
        super().__init__()
        self.patches, self.all, self.last = nn.Conv2d(3, 8, 2, 2), nn.Linear(8, 24), nn.Linear(8, 8)

    @staticmethod
    def cut(x):
        batch, height, width, channels = x.shape
        parts = x.view(batch, height // 4, 4, width // 4, 4, channels).permute(0, 1, 3, 2, 4, 5)
        return parts.reshape(-1, 16, channels)

    def forward(self, x):
        x = self.patches(x).permute(0, 2, 3, 1)
        batch, height, width, channels = x.shape
        padded = F.pad(x, (0, 0, 0, -width % 4, 0, -height % 4))
        _, high, wide, _ = padded.shape
        regions = torch.zeros(1, high, wide, 1)
        bounds = slice(0, -4), slice(-4, -2), slice(-2, None)
        for number, (rows, columns) in enumerate((a, b) for a in bounds for b in bounds):
            regions[:, rows, columns] = number
        regions = self.cut(regions).squeeze(-1)
        mask = (regions[:, None] - regions[:, :, None]).ne(0) * -100.0
        windows = self.cut(padded.roll((-2, -2), (1, 2)))
        q, k, v = self.all(windows).chunk(3, -1)
        scores = (q @ k.mT / math.sqrt(channels)).view(batch, -1, 16, 16) + mask
        found = self.last(scores.view(-1, 16, 16).softmax(-1) @ v)
        found = found.view(batch, high // 4, wide // 4, 4, 4, channels).permute(0, 1, 3, 2, 4, 5)
        found = found.reshape(batch, high, wide, channels).roll((2, 2), (1, 2))
        return x + found[:, :height, :width]


@model(IMAGES, (1, 16, 24), (2, 32, 20), (1, 19, 13))
class Detector(nn.Module):
    """Boxes at each place of two maps, of which the ten best stay."""

    inputs = staticmethod(images)

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 8, 3, 2, 1)
        self.scores, self.moves = nn.Conv2d(8, 3, 1), nn.Conv2d(8, 4, 1)

    def forward(self, x):
        fine = self.first(x).relu()
        coarse = self.second(fine)
        fine = fine + F.interpolate(coarse, size=fine.shape[2:])
        boxes, scores = [], []
        for found, stride in ((fine, 2), (coarse, 4)):
            batch, _, height, width = found.shape
            rows, columns = torch.linspace(0.5, height - 0.5, height), torch.arange(width) + 0.5
            places = torch.stack([*torch.meshgrid(columns, rows, indexing="xy")], -1).view(-1, 2) * stride
            moves = self.moves(found).permute(0, 2, 3, 1).reshape(batch, -1, 4)
            corner = places + moves[..., :2] * stride
            boxes.append(torch.cat((corner, corner + moves[..., 2:].exp() * stride), -1))
            scores.append(self.scores(found).flatten(2).transpose(1, 2).sigmoid())
        limit = torch.tensor([*x.shape[:1:-1]] * 2)
        boxes = torch.minimum(torch.cat(boxes, 1), limit).clamp(min=0)
        best, label = torch.cat(scores, 1).max(-1)
        top, place = best.topk(min(10, best.shape[1]), 1)
        return boxes.gather(1, place[..., None].expand(-1, -1, 4)), top, label.gather(1, place)


@model(IMAGES, (2, 20, 24), (1, 31, 18), (1, 9, 40))
class Pyramid(nn.Module):
    """Maps of several fixed sizes, made larger again."""

    inputs = staticmethod(images)

    def __init__(self):
        super().__init__()
        self.levels = nn.ModuleList(
            [nn.Sequential(nn.AdaptiveAvgPool2d(n), nn.Conv2d(3, 2, 1), nn.Hardswish()) for n in (1, 2, 3, 6)]
        )

    def forward(self, x):
        sizes = x.shape[2:]
        return torch.cat([x, *[F.interpolate(f(x), sizes, mode="bilinear") for f in self.levels]], 1)


@model(({0: "batch", 1: "source"}, {0: "batch", 1: "target"}), (2, 5, 4), (1, 9, 3), (3, 4, 8))
class Translator(nn.Module):
    """An encoder and a decoder, with all their masks."""

    @staticmethod
    def inputs(batch, source, target):
        return torch.randint(1, 30, (batch, source)), torch.randint(1, 30, (batch, target))

    def __init__(self):
        super().__init__()
        self.words, self.last = nn.Embedding(30, 8), nn.Linear(8, 30)
        self.both = nn.Transformer(8, 2, 1, 1, 16, batch_first=True)
        self.register_buffer("places", torch.randn(40, 8))

    def forward(self, source, target):
        a, b = (self.words(x) * math.sqrt(8) + self.places[: x.size(1)] for x in (source, target))
        future, padding = nn.Transformer.generate_square_subsequent_mask(target.size(1)), source == 0
        options = {"tgt_mask": future, "src_key_padding_mask": padding, "memory_key_padding_mask": padding}
        return self.last(self.both(a, b, **options))


@model(
    {
        "words": {0: "batch", 1: "length"},
        "present": {0: "batch", 1: "total"},
        "cache": [({0: "batch", 2: "past"}, {0: "batch", 2: "past"})] * 2,
    },
    *((2, 3, 4), (1, 1, 7), (3, 5, 1)),
)
class Decoder(nn.Module):
    """A language model that keeps keys and values; what is present is as long as the cache and the new words."""

    @staticmethod
    def inputs(batch, length, past):
        cache = [(torch.randn(batch, 1, past, 4), torch.randn(batch, 1, past, 4)) for _ in range(2)]
        present = torch.ones(batch, past + length, dtype=torch.int64).index_fill(1, torch.tensor([0]), 0)
        return torch.randint(0, 20, (batch, length)), present, cache

    def __init__(self):
        super().__init__()
        self.words, self.last = nn.Embedding(20, 8), nn.Linear(8, 20, bias=False)
        self.layers = nn.ModuleList([nn.Linear(8, 16, bias=False) for _ in range(2)])
        self.norms = nn.ModuleList([nn.RMSNorm(8) for _ in range(2)])
        self.register_buffer("speeds", 1 / 100 ** (torch.arange(2) / 2), persistent=False)

    def turned(self, x, angles):
        one, other = x.chunk(2, -1)
        return x * angles.cos() + torch.cat((-other, one), -1) * angles.sin()

    def forward(self, words, present, cache):
        batch, length = words.shape
        past, x, kept = cache[0][0].shape[2], self.words(words), []
        places = (present.cumsum(-1) - 1).clamp(min=0)[:, -length:]
        angles = (places[..., None] * self.speeds).repeat(1, 1, 2)[:, None]
        mask = torch.full((length, past + length), float("-inf")).triu(past + 1)
        mask = mask.expand(batch, 1, -1, -1).masked_fill(present[:, None, None].eq(0), -1e9)
        for layer, norm, (keys, values) in zip(self.layers, self.norms, cache):
            q, k, v = layer(norm(x)).view(batch, length, 4, 4).transpose(1, 2).split([2, 1, 1], 1)
            k = torch.cat((keys, self.turned(k, angles)), 2)
            v = torch.cat((values, v), 2)
            found = F.scaled_dot_product_attention(self.turned(q, angles), k, v, mask, enable_gqa=True)
            x = x + found.transpose(1, 2).reshape(batch, length, 8)
            kept.append((k, v))
        return self.last(x), kept


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_models_of_any_size(name):
    kind, dynamic_shapes, sizes = MODELS[name]
    torch.manual_seed(0)
    module = kind().eval()
    program = torch.onnx.export(module, kind.inputs(*sizes[0]), dynamic_shapes=dynamic_shapes)
    loaded = torch.onnx.load(program.model_proto)
    for each in sizes:
        inputs = kind.inputs(*each)
        check(program, module, *inputs, name=name)
        assert_same(tensors(loaded(*tree_leaves(inputs))), tensors(module(*inputs)))
    leaves = tree_leaves(inputs)
    before = loss(loaded(*leaves))
    before.backward()
    torch.optim.SGD(loaded.parameters(), 0.001).step()
    assert loss(loaded(*leaves)) < before


def loss(result):
    return sum(x.square().mean() for x in tree_leaves(result) if x.requires_grad)
