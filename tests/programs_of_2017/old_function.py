"""A Function whose instance is called, one of static methods, and gradients of gradients: the penalty of WGAN-GP, new in 0.2."""

import torch
from torch.autograd import Function, Variable, grad


class MyReLU(Function):
    def forward(self, input):
        self.save_for_backward(input)
        return input.clamp(min=0)

    def backward(self, grad_output):
        (input,) = self.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_variables
        return g * 3 * x**2


x = Variable(torch.Tensor([-1, 2]), requires_grad=True)
y = MyReLU()(x)
y.sum().backward()
print(y)
print(x.grad.data)

x = Variable(torch.Tensor([[0, 1], [2, 0]]), requires_grad=True)
out = Cube.apply(x)
gradients = grad(
    outputs=out,
    inputs=x,
    grad_outputs=torch.ones(out.size()),
    create_graph=True,
    retain_graph=True,
    only_inputs=True,
)[0]
print(gradients)
penalty = ((gradients.norm(2, dim=1) - 1) ** 2).mean() * 10
print("penalty: %.4f" % penalty.data[0])
penalty.backward()
print(x.grad)
print(x.grad.data.max(), x.grad.data[0][1])
