"""L-BFGS: steps by an inverse Hessian that the last steps and gradients stand for."""

from collections.abc import Callable, Iterable
from typing import Any

from .._api import Tensor, cat, enable_grad, is_complex, no_grad, view_as_real
from ._formula import check_rate, scalar
from ._line_search import Point, cubic_minimum, strong_wolfe
from .optimizer import Optimizer

__all__ = ["LBFGS"]


def _cubic_interpolate(x1, f1, g1, x2, f2, g2, bounds=None):
    """Where the cubic through (x1, f1) and (x2, f2) with the slopes g1 and g2 is least, within ``bounds``."""
    return cubic_minimum(Point(x1, f1, None, g1), Point(x2, f2, None, g2), bounds)


def _strong_wolfe(obj_func, x, t, d, f, g, gtd, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25):
    """``(loss, gradient, step size, evaluations)`` of a step from ``x`` along ``d``, where ``obj_func(x, t, d)`` gives loss and gradient after ``t`` of it.

    ``f``, ``g`` and ``gtd`` are the loss, the gradient and its slope along ``d`` before the step: see ``strong_wolfe``.
    """
    return strong_wolfe(lambda t: obj_func(x, t, d), t, d, f, g, gtd, max_ls, c1, c2, tolerance_change)


class LBFGS(Optimizer):
    """The limited-memory BFGS optimizer; ``step`` takes a closure that computes the loss and its gradients, and calls it several times.

    A step makes up to ``max_iter`` iterations with up to ``max_eval`` evaluations (1.25 times as many if None), of step size ``lr`` or as
    a line search finds it (``line_search_fn="strong_wolfe"``). It ends early when no element of the gradient exceeds ``tolerance_grad``,
    or neither the parameters nor the loss change by more than ``tolerance_change``. [Nocedal & Wright 2006, algorithms 7.4 and 7.5]

    >>> import minigrad
    >>> p = minigrad.ones(1, requires_grad=True)
    >>> optimizer = minigrad.optim.LBFGS([p])
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((p - 3) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure).item(), p.item()
    (4.0, 3.0)
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]],
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_rate(lr)
        super().__init__(
            params,
            {
                "lr": lr,
                "max_iter": max_iter,
                "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad,
                "tolerance_change": tolerance_change,
                "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    @property
    def _params(self):
        return self.param_groups[0]["params"]

    def _flat_gradient(self):
        """All gradients in one vector, complex numbers as pairs."""
        flat = []
        for p in self._params:
            g = p.new_zeros(p.numel()) if p.grad is None else p.grad.reshape(-1)
            flat.append(view_as_real(g).reshape(-1) if is_complex(g) else g)
        return cat(flat)

    def _move(self, size, direction):
        """Add ``size * direction``, a vector, to the parameters."""
        start = 0
        for p in self._params:
            p = view_as_real(p) if is_complex(p) else p
            p.add_(direction[start : start + p.numel()].view_as(p), alpha=size)
            start += p.numel()

    def _at(self, closure, size, direction):
        """Loss and gradient after a trial step, which is taken back."""
        before = [p.clone() for p in self._params]
        self._move(size, direction)
        loss, gradient = float(closure()), self._flat_gradient()
        for p, old in zip(self._params, before):
            p.copy_(old)
        return loss, gradient

    @no_grad()
    def step(self, closure: Callable[[], Any]) -> Any:
        """Minimise the loss that ``closure`` computes (with its gradients) and returns; return its first value."""
        if len(self.param_groups) != 1:
            raise AssertionError(f"Expected exactly one param_group, but got {len(self.param_groups)}")
        group = self.param_groups[0]
        lr, tolerance_change = scalar(group["lr"]), group["tolerance_change"]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        closure = enable_grad()(closure)

        first_loss = closure()
        loss, evaluations = float(first_loss), 1
        state["func_evals"] += 1
        gradient = self._flat_gradient()
        if gradient.abs().max() <= group["tolerance_grad"]:
            return first_loss

        memory = _Memory(state, group["history_size"])
        iterations = 0
        while iterations < group["max_iter"]:
            iterations += 1
            state["n_iter"] += 1
            d = memory.direction(gradient)
            if state["n_iter"] == 1:
                t = min(1.0, 1.0 / gradient.abs().sum()) * lr
            else:
                t = lr
            memory.remember(d, t, gradient, loss)
            last_loss, slope = loss, gradient.dot(d)
            if slope > -tolerance_change:
                break

            tried = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                loss, gradient, t, tried = strong_wolfe(
                    lambda t, d=d: self._at(closure, t, d),
                    t,
                    d,
                    loss,
                    gradient,
                    slope,
                    group["max_eval"] - evaluations,
                )
                self._move(t, d)
                memory.size = t
            else:
                self._move(t, d)
                if iterations != group["max_iter"]:  # the loss after the last one is not needed
                    loss, tried = float(closure()), 1
                    gradient = self._flat_gradient()
            evaluations += tried
            state["func_evals"] += tried

            if (
                iterations == group["max_iter"]
                or evaluations >= group["max_eval"]
                or gradient.abs().max() <= group["tolerance_grad"]
                or d.mul(t).abs().max() <= tolerance_change
                or abs(loss - last_loss) < tolerance_change
            ):
                break
        memory.save(state)
        return first_loss


class _Memory:
    """The last changes of gradient and of parameters, and what they say of the Hessian."""

    def __init__(self, state: Any, size: Any) -> None:
        self.capacity, self.state = size, state
        self.d, self.size = state.get("d"), state.get("t")
        self.changes, self.steps = state.get("old_dirs") or [], state.get("old_stps") or []
        self.rho, self.scale = state.get("ro") or [], state.get("H_diag", 1)
        self.gradient, self.loss = state.get("prev_flat_grad"), state.get("prev_loss")

    def direction(self, gradient: Any) -> Any:
        """Minus the inverse Hessian times the gradient: the two loops over the memory."""
        if self.state["n_iter"] == 1:
            return gradient.neg()
        self._learn(gradient)
        weights = self.state.setdefault("al", [None] * self.capacity)
        q = gradient.neg()
        for i in reversed(range(len(self.changes))):
            weights[i] = self.steps[i].dot(q) * self.rho[i]
            q.add_(self.changes[i], alpha=-weights[i])
        r = q * self.scale
        for i in range(len(self.changes)):
            back = self.changes[i].dot(r) * self.rho[i]
            r.add_(self.steps[i], alpha=weights[i] - back)
        return r

    def _learn(self, gradient):
        """Take in the last step, unless the curvature along it is not positive."""
        y, s = gradient - self.gradient, self.d * self.size
        curvature = y.dot(s)
        if curvature > 1e-10:
            if len(self.changes) == self.capacity:
                for old in (self.changes, self.steps, self.rho):
                    old.pop(0)
            self.changes.append(y)
            self.steps.append(s)
            self.rho.append(1.0 / curvature)
            self.scale = curvature / y.dot(y)

    def remember(self, d: Any, size: Any, gradient: Any, loss: Any) -> None:
        """The step that is about to be taken, and where from."""
        self.d, self.size, self.loss = d, size, loss
        self.gradient = gradient.clone()

    def save(self, state: Any) -> None:
        """Write all of it to the optimizer's state, under PyTorch's names."""
        state["d"], state["t"] = self.d, self.size
        state["old_dirs"], state["old_stps"], state["ro"] = self.changes, self.steps, self.rho
        state["H_diag"], state["prev_flat_grad"], state["prev_loss"] = self.scale, self.gradient, self.loss
