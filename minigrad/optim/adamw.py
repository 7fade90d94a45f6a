"""AdamW: Adam whose weight decay does not pass through the running means."""

from .adam import Adam, adam

__all__ = ["AdamW", "adamw"]


class AdamW(Adam):
    """``Adam`` with decoupled weight decay: each step first takes ``lr * weight_decay`` of p off.   [Loshchilov & Hutter 2019]

    >>> import minigrad
    >>> optimizer = minigrad.optim.AdamW([minigrad.ones(1, requires_grad=True)], lr=0.1)
    >>> optimizer.defaults["weight_decay"]
    0.01
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=1e-2,
        amsgrad=False,
        *,
        maximize=False,
        foreach=None,
        capturable=False,
        differentiable=False,
        fused=None,
    ):
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


def adamw(
    params,
    grads,
    exp_avgs,
    exp_avg_sqs,
    max_exp_avg_sqs,
    state_steps,
    foreach=None,
    capturable=False,
    differentiable=False,
    fused=None,
    grad_scale=None,
    found_inf=None,
    has_complex=False,
    *,
    amsgrad,
    beta1,
    beta2,
    lr,
    weight_decay,
    eps,
    maximize,
):
    """One step of ``AdamW`` over lists of parameters, gradients and states, which it writes to.

    >>> import minigrad
    >>> from minigrad.optim.adamw import adamw
    >>> p = [minigrad.tensor([1.])]
    >>> adamw(p, [minigrad.tensor([2.])], [minigrad.zeros(1)], [minigrad.zeros(1)], [], [minigrad.zeros(())], amsgrad=False, beta1=0.9, beta2=0.999, lr=0.1, weight_decay=0.5, eps=1e-8, maximize=False)
    >>> p
    [tensor([0.8500])]
    """
    adam(**locals(), decoupled_weight_decay=True)
