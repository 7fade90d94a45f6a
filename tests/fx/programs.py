"""Programs to trace: each function makes, of PyTorch or of minigrad, a module or function, and the shapes of tensors to call it with.

``PROGRAMS`` do nothing but call methods, operators and modules; ``WITH_FUNCTIONS`` call functions of tensors as well.
"""

import math
import operator

PROGRAMS = {}
WITH_FUNCTIONS = {}


def program(*shapes):
    def add(make):
        PROGRAMS[make.__name__] = make, shapes
        return make

    return add


def with_functions(*shapes):
    def add(make):
        WITH_FUNCTIONS[make.__name__] = make, shapes
        return make

    return add


def asserting(x):
    """For a test: pytest writes assertions in other words where they stand in its own files."""
    assert x.sum() > 0
    assert x.max() < 3, "too big"
    return x


# Functions -----------------------------------------------------------------------------------------------------------------


@program((2, 3), (2, 3))
def operators(torch):
    def f(x, y):
        a = x + y - 2 * x / (y * y + 1)
        b = -(a**2) + (+x) % 3 - 1 / (abs(y) + 1)
        c = (x > y) & (x != 2) | ~(x <= y) ^ (y == 1)
        return a @ b.T, c, x // 2, 2**x, 7 - y

    return f


@program((4, 3))
def indices(torch):
    def f(x):
        first, second, *_ = 1, 2, 3
        return x[0], x[1:, ::2], x[..., None], x[:, [0, 2]], x[-1][first], x[x > 0], second

    return f


@program((2, 3))
def attributes(torch):
    def f(x):
        rows = x.shape[0]
        return x.T.reshape(rows * 3).view(-1), x.size(0), x.dtype, x.size()

    return f


@program((2, 6))
def unpacked(torch):
    def f(x):
        a, b = x.chunk(2, dim=1)
        values, places = a.max(dim=1)
        return values, places, b

    return f


@program((3,))
def containers(torch):
    def f(x):
        return {"a": x + 1, "b": [x, (x * 2, None)], "c": slice(None, 2), "d": {"e": 1.5}}

    return f


@program((2, 2))
def in_place(torch):
    def f(x):
        y = x.clone()
        y += 1
        y.mul_(2).add_(x, alpha=3)
        return y

    return f


@program((3,), (3,))
def defaults(torch):
    def f(x, y=2, *, scale: float = 3.0):
        return x * y + scale

    return f


@program((3,), (3,))
def variadic(torch):
    def f(x, *rest, **options):
        return x + 1

    return f


@program((3,))
def annotated(torch):
    def f(x: torch.Tensor, n: int = 2) -> torch.Tensor:
        return x * n

    return f


@program((2,))
def names_of_builtins(torch):
    def f(input):
        max = input.sum()
        list = input.max()
        return max + list + input.abs() + input.abs().sum().sum()

    return f


@program((2,))
def mathematics(torch):
    def f(x):
        return x * math.sqrt(2.0) + math.pi

    return f


@program((2, 3))
def keyword_methods(torch):
    def f(x):
        return x.sum(dim=1, keepdim=True).to(torch.float64).clamp(min=0.0, max=float("inf")).softmax(dim=0)

    return f


@program((2,))
def dead_code(torch):
    def f(x):
        x.relu()
        y = x + 1
        z = y * 2  # noqa: F841
        return y

    return f


@program((2,))
def constant_result(torch):
    def f(x):
        return 7

    return f


@program((2,))
def identity(torch):
    def f(x):
        return x

    return f


@program((2, 3))
def explicit_operators(torch):
    def f(x):
        return operator.add(x, 1), operator.getitem(x, 0), operator.neg(x), operator.mul(x, x)

    return f


@program((2, 2))
def annotation_of_value(torch):
    def f(x):
        return x.t().contiguous().unsqueeze(0).expand(2, -1, -1)

    return f


# Modules -------------------------------------------------------------------------------------------------------------------


@program((2, 3))
def linear_with_parameter(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(3, 4)
            self.weight = torch.nn.Parameter(torch.ones(4))
            self.register_buffer("offset", torch.ones(4))
            self.scale = 2.0

        def forward(self, x):
            y = self.linear(x) * self.weight * self.scale
            return y + self.linear.weight.sum() + self.weight

    return Net()


@program((2, 3, 8, 8))
def resnet_block(torch):
    nn = torch.nn

    class Block(nn.Module):
        expansion = 1

        def __init__(self, inplanes, planes, stride=1):
            super().__init__()
            self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(planes)
            self.relu = nn.ReLU(inplace=True)
            self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(planes)
            self.downsample = nn.Sequential(
                nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes)
            )

        def forward(self, x):
            identity = x
            out = self.relu(self.bn1(self.conv1(x)))
            out = self.bn2(self.conv2(out))
            if self.downsample is not None:
                identity = self.downsample(x)
            out += identity
            return self.relu(out)

    return nn.Sequential(Block(3, 4, 2), Block(4, 4)).eval()


@program((5, 2, 8))
def encoder_pieces(torch):
    nn = torch.nn

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.self_attn = nn.MultiheadAttention(8, 2)
            self.linear1, self.linear2 = nn.Linear(8, 16), nn.Linear(16, 8)
            self.norm1, self.norm2 = nn.LayerNorm(8), nn.LayerNorm(8)
            self.dropout = nn.Dropout(0.0)
            self.activation = nn.GELU()

        def forward(self, src):
            attended, _ = self.self_attn(src, src, src, need_weights=False)
            src = self.norm1(src + self.dropout(attended))
            return self.norm2(src + self.linear2(self.activation(self.linear1(src))))

    return Encoder().eval()


@program((4, 2, 3))
def lstm_as_leaf(torch):
    nn = torch.nn

    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(3, 5, num_layers=2)
            self.out = nn.Linear(5, 2)

        def forward(self, x):
            y, (h, c) = self.lstm(x)
            return self.out(y[-1]).log_softmax(-1), h, c

    return Tagger()


@program((2, 3, 8, 8))
def many_layers(torch):
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1),
        nn.BatchNorm2d(4),
        nn.PReLU(),
        nn.MaxPool2d(2),
        nn.AvgPool2d(2),
        nn.Dropout2d(0.0),
        nn.Upsample(scale_factor=2),
        nn.Flatten(),
        nn.Linear(64, 8),
        nn.LayerNorm(8),
        nn.Softmax(dim=-1),
        nn.Unflatten(1, (2, 4)),
        nn.Hardswish(),
        nn.Identity(),
    ).eval()


@program((2, 3))
def shared_and_nested(torch):
    nn = torch.nn

    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
            self.by_name = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})

        def forward(self, x):
            for layer in self.layers:
                x = self.by_name["a"](layer(x))
            return self.by_name["b"](x)

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(self.inner(x)) + self.inner.layers[0](x)

    return Outer()


@program((6, 3))
def parameters_in_lists(torch):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weights = nn.ParameterList([nn.Parameter(torch.ones(3)) for _ in range(2)])
            self.biases = nn.ParameterDict({"a": nn.Parameter(torch.ones(3))})

        def forward(self, x):
            for w in self.weights:
                x = x * w
            return x + self.biases["a"]

    return Net()


@program((3,), (3,))
def keyword_only_module(torch):
    class Net(torch.nn.Module):
        def forward(self, x, y=None, *, flag=True):
            return x * 2 if y is None else x + y

    return Net()


@program((2, 4), (2, 4))
def two_inputs(torch):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.bilinear = nn.Bilinear(4, 4, 2)
            self.cos = nn.CosineSimilarity()

        def forward(self, a, b):
            return {"score": self.cos(a, b), "logits": self.bilinear(a, b)}

    return Net()


@program((2, 3))
def without_module_list(torch):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 3)

        def helper(self, x):
            return self.fc(x) + 1

        def forward(self, x):
            total = 0
            for i in range(3):
                total = total + self.helper(x) * i
            return total

    return Net()


# With functions ------------------------------------------------------------------------------------------------------------


@with_functions((2, 3), (2, 3))
def functions_of_tensors(torch):
    def f(x, y):
        a = torch.relu(torch.add(x, y, alpha=2))
        b = torch.cat([a, torch.neg(y)], dim=0).sum(dim=1)
        c = torch.where(x > 0, x, y)
        return torch.stack((a, c)), torch.matmul(x, y.T), torch.max(b), torch.exp(x), torch.clamp(y, min=0)

    return f


@with_functions((2, 3, 8, 8))
def functional_calls(torch):
    F = torch.nn.functional

    def f(x):
        x = F.relu(x)
        x = F.max_pool2d(x, 2)
        x = F.dropout(x, 0.0, training=False)
        x = F.interpolate(x, scale_factor=2.0)
        x = F.adaptive_avg_pool2d(x, (2, 2))
        x = F.pad(x, (1, 1))
        return F.softmax(F.gelu(x), dim=-1)

    return f


@with_functions((4, 5))
def losses(torch):
    F = torch.nn.functional

    def f(x):
        return (
            F.mse_loss(x, x * 2),
            F.cross_entropy(x, x.argmax(dim=1)),
            F.smooth_l1_loss(x, x + 1, reduction="sum"),
        )

    return f


@with_functions((2, 3))
def constant_tensors(torch):
    def f(x):
        return torch.ones(3) + x, torch.mul(torch.full((3,), 2.0), x), x + torch.zeros(3)

    return f


@with_functions((2, 3))
def buffers(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", torch.zeros(3))
            self.std = torch.ones(3)

        def forward(self, x):
            return (x - self.mean) / self.std * torch.sqrt(self.std + x * x)

    return Net()


@with_functions((2, 3), (4, 3))
def linear_functions(torch):
    F = torch.nn.functional

    def f(x, w):
        return F.linear(x, w), torch.einsum("bi,oi->bo", x, w), F.layer_norm(x, (3,)), F.normalize(x, dim=1)

    return f


@with_functions((2, 4, 6))
def attention(torch):
    nn, F = torch.nn, torch.nn.functional

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(6, 18), nn.Linear(6, 6)

        def forward(self, x):
            q, k, v = self.qkv(x).chunk(3, dim=-1)
            scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(6)
            y = torch.matmul(F.softmax(scores, dim=-1), v)
            return self.out(y) + F.scaled_dot_product_attention(q, k, v)

    return Attention()


@with_functions((3, 3))
def linear_algebra(torch):
    def f(x):
        return (
            torch.linalg.norm(x),
            torch.linalg.inv(x + 5 * torch.eye(3)),
            torch.fft.fft(x).abs(),
            torch.special.entr(x * x),
        )

    return f


@with_functions((2, 6))
def splits(torch):
    def f(x):
        a, b = torch.split(x, 3, dim=1)
        c, d = torch.chunk(x, 2, dim=1)
        return (
            torch.cat((a, d), 1) + torch.cat((b, c), 1),
            torch.unbind(x)[0],
            torch.topk(x, 2)[0],
            torch.norm(x),
        )

    return f


@with_functions((5,))
def factories(torch):
    def f(x):
        return torch.zeros_like(x) + torch.ones(x.shape[0]) + torch.arange(x.shape[0])

    return f
