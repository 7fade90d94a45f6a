"""Two nets against each other: convolutions, weights_init by class names, labels filled in place, detach(), and errors from .data.mean()."""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable

torch.manual_seed(5)


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        m.weight.data.normal_(0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        m.weight.data.normal_(1.0, 0.02)
        m.bias.data.fill_(0)


netG = nn.Sequential(
    nn.ConvTranspose2d(4, 8, 4, 1, 0, bias=False),
    nn.BatchNorm2d(8),
    nn.ReLU(True),
    nn.ConvTranspose2d(8, 1, 4, 2, 1, bias=False),
    nn.Tanh(),
)
netD = nn.Sequential(
    nn.Conv2d(1, 8, 4, 2, 1, bias=False),
    nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(8, 1, 4, 1, 0, bias=False),
    nn.Sigmoid(),
)
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
input = torch.FloatTensor(6, 1, 8, 8)
noise = torch.FloatTensor(6, 4, 1, 1)
label = torch.FloatTensor(6)
real_label, fake_label = 1, 0
optimizerD = optim.Adam(netD.parameters(), lr=0.02, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=0.02, betas=(0.5, 0.999))
for i in range(8):
    netD.zero_grad()
    input.fill_(0.5).add_(torch.randn(6, 1, 8, 8).mul_(0.1))
    label.resize_(6).fill_(real_label)
    output = netD(Variable(input)).view(-1)
    errD_real = criterion(output, Variable(label))
    errD_real.backward()
    D_x = output.data.mean()
    noise.resize_(6, 4, 1, 1).normal_(0, 1)
    fake = netG(Variable(noise))
    labelv = Variable(label.fill_(fake_label))
    output = netD(fake.detach()).view(-1)
    errD_fake = criterion(output, labelv)
    errD_fake.backward()
    D_G_z1 = output.data.mean()
    errD = errD_real + errD_fake
    optimizerD.step()
    netG.zero_grad()
    labelv = Variable(label.fill_(real_label))
    output = netD(fake).view(-1)
    errG = criterion(output, labelv)
    errG.backward()
    optimizerG.step()
    if i == 0:
        print(
            "[%d] Loss_D: %.1f Loss_G: %.1f D(x): %.1f D(G(z)): %.1f"
            % (i, errD.data[0], errG.data[0], D_x, D_G_z1)
        )
print(fake.size(), fake.data.min() >= -1, type(D_x).__name__, errD.size(), D_x > D_G_z1)
print(label)
