"""The functions of modules that are autograd functions of their own."""

from ..._api import autograd
from .. import functional as F


class CrossMapLRN2d(autograd.Function):
    """Compute ``input / scale ** beta`` with ``scale = k + alpha / size * (sum of squares over a window of channels)``, as Torch 7 does.

    It shares two peculiarities with PyTorch: the square of channel 0 stays in the sum after the window has moved past it, which the
    gradient ignores; and windows of even size are narrower in the forward than in the backward.
    """

    @staticmethod
    def forward(ctx, input, size, alpha=1e-4, beta=0.75, k=1):
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        reach = int((size - 1) / 2)
        squares = input * input
        scale = F.pad(squares, (0, 0, 0, 0, reach, reach)).unfold(1, 2 * reach + 1, 1).sum(-1)
        scale[:, reach + 1 :] += squares[:, :1]
        scale.mul_(alpha / size).add_(k)
        output = scale.pow(-beta).mul_(input)
        ctx.size, ctx.alpha, ctx.beta, ctx.scale = size, alpha, beta, scale
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, output = ctx.saved_tensors
        size, scale = ctx.size, ctx.scale
        before = int(size - (size - 1) / 2)
        ratio = F.pad(grad_output * output / scale, (0, 0, 0, 0, before, size - 1 - before))
        ratios = ratio.unfold(1, size, 1).sum(-1)
        grad = scale.pow(-ctx.beta) * grad_output - (2 * ctx.alpha * ctx.beta / size) * input * ratios
        return grad, None, None, None, None
