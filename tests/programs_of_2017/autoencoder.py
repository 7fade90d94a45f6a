"""A variational autoencoder: two losses that are summed, draws made by .new().normal_(), sigmoid and exp of Variables."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable

torch.manual_seed(2)
points = torch.rand(32, 6).round()


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1, self.mu, self.logvar = nn.Linear(6, 12), nn.Linear(12, 2), nn.Linear(12, 2)
        self.fc3, self.fc4 = nn.Linear(2, 12), nn.Linear(12, 6)

    def reparametrize(self, mu, logvar):
        if not self.training:
            return mu
        std = logvar.mul(0.5).exp_()
        eps = Variable(std.data.new(std.size()).normal_())
        return eps.mul(std).add_(mu)

    def forward(self, x):
        h = F.relu(self.fc1(x.view(-1, 6)))
        mu, logvar = self.mu(h), self.logvar(h)
        return F.sigmoid(self.fc4(F.relu(self.fc3(self.reparametrize(mu, logvar))))), mu, logvar


def loss_function(recon, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon, x)
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    KLD /= x.size(0) * 6
    return BCE + KLD


zeros = Variable(torch.zeros(1, 2))
print(loss_function(Variable(torch.ones(1, 6) * 0.5), Variable(torch.ones(1, 6)), zeros, zeros))
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
history = []
for epoch in range(150):
    optimizer.zero_grad()
    recon, mu, logvar = model(Variable(points))
    loss = loss_function(recon, Variable(points), mu, logvar)
    loss.backward()
    optimizer.step()
    history.append(loss.data[0])
model.eval()
recon = model(Variable(points, volatile=True))[0]
print(recon.volatile, recon.requires_grad, history[-1] < history[0])
print((recon.data > 0.5).float().eq(points).sum() > 96)
