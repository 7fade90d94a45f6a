"""A picture's texture taken over by a small net: features with names, frozen weights, and files of what was learnt."""

import tempfile
from collections import namedtuple

import torch
from torch import nn
from torch.autograd import Variable

torch.manual_seed(11)
Features = namedtuple("Features", "fine coarse")


class Eye(nn.Module):
    def __init__(self):
        super(Eye, self).__init__()
        self.near, self.far = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1)
        for p in self.parameters():
            p.requires_grad = False

    def forward(self, x):
        fine = self.near(x)
        return Features(fine, self.far(nn.functional.max_pool2d(fine, 2)))


class Painter(nn.Module):
    def __init__(self):
        super(Painter, self).__init__()
        self.layers = nn.Sequential(
            nn.ReflectionPad2d(1),
            nn.Conv2d(3, 8, 3, stride=2),
            nn.BatchNorm2d(8),
            nn.InstanceNorm2d(8, affine=True),
            nn.ReLU(inplace=True),
            nn.UpsamplingNearest2d(scale_factor=2),
            nn.Conv2d(8, 12, 3, padding=1),
        )
        self.shuffle = nn.PixelShuffle(2)
        nn.init.orthogonal(self.layers[1].weight, nn.init.calculate_gain("relu"))
        nn.init.constant(self.layers[6].bias, 0.5)

    def forward(self, x):
        return nn.functional.avg_pool2d(self.shuffle(self.layers(x)), 2)


def gram(x):
    n, c, h, w = x.size()
    x = x.view(n, c, h * w)
    return x.bmm(x.transpose(1, 2)) / (c * h * w)


def balanced(x):
    mean = x.data.new(x.data.size())
    for channel, value in enumerate((0.5, 0.4, 0.3)):
        mean[:, channel, :, :] = value
    x = torch.div(x, 2.0)
    x -= Variable(mean)
    return x


eye, painter = Eye(), Painter()
wanted = [gram(x) for x in eye(balanced(Variable(torch.rand(1, 3, 8, 8).repeat(4, 1, 1, 1))))]
optimizer = torch.optim.Adam(painter.parameters(), 0.02)
losses = []
for epoch in range(6):
    picture = Variable(torch.rand(4, 3, 8, 8))
    painted = eye(balanced(painter(picture)))
    content = nn.MSELoss()(painted.coarse, eye(balanced(picture)).coarse)
    texture = 0.0
    for found, aim in zip(painted, wanted):
        texture += 100 * nn.functional.mse_loss(gram(found), aim[:4, :, :])
    texture *= 2
    optimizer.zero_grad()
    (content + texture).backward()
    optimizer.step()
    losses.append(content.data[0] + texture.data[0])
print(losses[-1] < losses[0], painted.fine.requires_grad, wanted[0].requires_grad, eye.near.weight.grad)

other = Painter()
with tempfile.TemporaryFile() as file:
    torch.save([painter.state_dict(), picture], file)
    file.seek(0)
    state, again = torch.load(file, map_location=lambda storage, location: storage)
print(
    any(type(x) == Variable for x in state.values()),  # noqa: E721
    type(again) == Variable,  # noqa: E721
    (again.data == picture.data).all(),
)
other.load_state_dict(state)
painter.eval()
other.eval()
image = Variable(torch.rand(1, 3, 8, 8), volatile=True)
shown = other(image).data[0].clone().mul(255).clamp(0, 255).numpy().transpose(1, 2, 0).astype("uint8")
print(shown.shape, shown.dtype, (other(image).data - painter(image).data).abs().max())
