"""A Wasserstein GAN with a penalty on the critic's gradient, which is differentiated itself."""

import torch
from torch import autograd, nn

torch.set_default_dtype(
    torch.float64
)  # in single precision the last bits of a processor's BLAS decide where it goes
torch.manual_seed(0)
LATENT = 4
generator = nn.Sequential(nn.Linear(LATENT, 24), nn.LeakyReLU(0.2), nn.Linear(24, 2))
critic = nn.Sequential(
    nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1)
)


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.kaiming_normal_(m.weight, a=0.2)
        nn.init.zeros_(m.bias)


generator.apply(init)
critic.apply(init)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=5e-3, betas=(0.5, 0.9))
c_optimizer = torch.optim.Adam(critic.parameters(), lr=5e-3, betas=(0.5, 0.9))


def real(n):
    return torch.randn(n, 2) * torch.tensor([0.5, 0.1]) + torch.tensor([2.0, -1.0])


def penalty(a, b):
    mix = torch.rand(len(a), 1)
    between = (mix * a + (1 - mix) * b).requires_grad_(True)
    (g,) = autograd.grad(
        critic(between).sum(), between, create_graph=True, retain_graph=True, only_inputs=True
    )
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


for step in range(20):
    for p in critic.parameters():
        p.requires_grad = True
    for _ in range(3):
        x = real(64)
        with torch.no_grad():
            fake = generator(torch.randn(64, LATENT))
        gp = penalty(x, fake)
        c_loss = critic(fake).mean() - critic(x).mean() + 10 * gp
        c_optimizer.zero_grad()
        c_loss.backward()
        c_optimizer.step()
    for p in critic.parameters():
        p.requires_grad = False
    g_loss = -critic(generator(torch.randn(64, LATENT))).mean()
    g_optimizer.zero_grad()
    g_loss.backward()
    g_optimizer.step()
    if step % 5 == 4:
        print(step, f"{c_loss.item():.3f} {g_loss.item():.3f} {gp.item():.3f}")
with torch.no_grad():
    sample = generator(torch.randn(500, LATENT))
print(sample.mean(0), critic[0].weight.grad is not None, generator)
