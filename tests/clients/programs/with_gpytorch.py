"""Exact Gaussian-process regression, its predictions, and a variational classifier."""

import math
import warnings

import gpytorch
import torch

warnings.filterwarnings("ignore")
torch.manual_seed(0)
x = torch.linspace(0, 1, 40)
y = torch.sin(x * 2 * math.pi) + 0.1 * torch.randn(40)


class Regression(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood):
        super().__init__(x, y, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


likelihood = gpytorch.likelihoods.GaussianLikelihood()
model = Regression(x, y, likelihood)
model.train()
likelihood.train()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
for step in range(15):
    optimizer.zero_grad()
    loss = -objective(model(x), y)
    loss.backward()
    optimizer.step()
    if step % 5 == 4:
        print(
            step,
            f"{loss.item():.3f} {model.covar_module.base_kernel.lengthscale.item():.3f} {likelihood.noise.item():.3f}",
        )
model.eval()
likelihood.eval()
with torch.no_grad(), gpytorch.settings.fast_pred_var():
    seen = likelihood(model(torch.linspace(0, 1, 7)))
    low, high = seen.confidence_region()
    print([f"{v:.2f}" for v in seen.mean.tolist()], [f"{v:.2f}" for v in (high - low).tolist()])


class Classification(gpytorch.models.ApproximateGP):
    def __init__(self, inducing):
        strategy = gpytorch.variational.VariationalStrategy(
            self,
            inducing,
            gpytorch.variational.CholeskyVariationalDistribution(len(inducing)),
            learn_inducing_locations=True,
        )
        super().__init__(strategy)
        self.mean_module = gpytorch.means.ZeroMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=2.5))

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


labels = (y > 0).float()
model, likelihood = Classification(x[::4, None].clone()), gpytorch.likelihoods.BernoulliLikelihood()
objective = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=len(x))
optimizer = torch.optim.Adam([*model.parameters(), *likelihood.parameters()], lr=0.1)
for step in range(10):
    optimizer.zero_grad()
    loss = -objective(model(x[:, None]), labels)
    loss.backward()
    optimizer.step()
    if step % 3 == 0:
        print(step, f"{loss.item():.4f}")
