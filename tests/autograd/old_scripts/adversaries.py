"""Two networks against each other, with the graph kept for a second backward, as it was said in 2017."""

import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(0)

real = Variable(torch.Tensor(32, 1).normal_(3, 0.5))
one, mone = torch.FloatTensor([1]), torch.FloatTensor([-1])
net_d = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
net_g = nn.Sequential(nn.Linear(1, 1))
optimizer_d = torch.optim.SGD(net_d.parameters(), lr=0.05)
optimizer_g = torch.optim.SGD(net_g.parameters(), lr=0.05)
noise = torch.FloatTensor(32, 1)

for step in range(200):
    for p in net_d.parameters():
        p.requires_grad = True
        p.data.clamp_(-1, 1)
    net_d.zero_grad()
    net_d(real).mean(0).view(1).backward(mone)
    noise.resize_(32, 1).normal_(0, 1)
    noisev = Variable(noise, volatile=True)  # the generator is not trained here
    fake = Variable(net_g(noisev).data)
    assert net_g(noisev).volatile and not fake.volatile
    net_d(fake).mean(0).view(1).backward(one)
    optimizer_d.step()

    for p in net_d.parameters():
        p.requires_grad = False
    net_g.zero_grad()
    score = net_d(net_g(Variable(noise))).mean(0).view(1)
    score.backward(mone, retain_variables=True)
    first = [p.grad.data.clone() for p in net_g.parameters()]
    net_g.zero_grad()
    score.backward(mone)
    assert all(torch.equal(a, p.grad.data) for a, p in zip(first, net_g.parameters()))
    optimizer_g.step()

centre = net_g(Variable(torch.zeros(1, 1), volatile=True)).data[0, 0]
print("the generator's centre: %.2f" % centre)
assert 1.5 < centre < 4.5
print("done")
