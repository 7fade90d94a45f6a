"""NumPy code on tensors: differentiated where a gradient is wanted, else as PyTorch has it."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch
from tests.numeric import check_gradients

#: Away from kinks, and positive.
X = np.array([[0.3, 1.7, 0.9], [2.2, 0.6, 1.1]])
V = np.array([0.4, 1.3, 0.8])
SQUARE = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.1]])
SMALL = X / 3
MASK = np.array([[True, False, True], [False, True, True]])


def symmetric(a):
    return a + np.transpose(a)


#: What is written in NumPy, of one array.
UNARY = (
    "exp exp2 expm1 log log2 log10 log1p sqrt square reciprocal sin cos tan sinh cosh tanh arctan arcsinh cbrt deg2rad rad2deg degrees "
    "radians negative positive absolute fabs conjugate sign floor ceil trunc rint"
).split()
CASES = {
    **{name: (getattr(np, name), X) for name in UNARY},
    **{name: (getattr(np, name), SMALL) for name in ("arcsin", "arccos", "arctanh")},
    "arccosh": (np.arccosh, X + 1),
    "add": (lambda a: np.add(a, V), X),
    "subtract from an array": (lambda a: np.subtract(V, a), X),
    "multiply by a list": (lambda a: np.multiply(a, [1.0, 2.0, 3.0]), X),
    "divide": (lambda a: np.divide(1, a), X),
    "power": (lambda a: np.power(a, V), X),
    "power of an array": (lambda a: np.power(V, a), X),
    "float_power": (lambda a: np.float_power(a, 2), X),
    "remainder": (lambda a: np.remainder(a, 0.7), X),
    "fmod": (lambda a: np.fmod(a, 0.7), X),
    "divmod": (lambda a: np.divmod(a, 0.7)[1], X),
    "modf": (lambda a: np.modf(a)[0], X),
    "maximum": (lambda a: np.maximum(a, 1.0), X),
    "minimum": (lambda a: np.minimum(V, a), X),
    "fmax": (lambda a: np.fmax(a, V), X),
    "arctan2": (lambda a: np.arctan2(a, V), X),
    "hypot": (lambda a: np.hypot(3, a), X),
    "logaddexp": (lambda a: np.logaddexp(a, 0.0), X),
    "logaddexp2": (lambda a: np.logaddexp2(a, V), X),
    "copysign": (lambda a: np.copysign(a, -V), X),
    "ldexp": (lambda a: np.ldexp(a, 2), X),
    "matmul": (lambda a: np.matmul(a, SQUARE), X),
    "array @ tensor": (lambda a: SQUARE @ a[0] + X[0] @ SQUARE * a[1], X),
    "vecdot": (lambda a: np.vecdot(a, V), X),
    "operators with arrays on the left": (lambda a: V * a + V / a - V**a + V % (a + 3) + (V - a), X),
    "operators with arrays on the right": (lambda a: a * V + a / V - a**V + a % V + (a - V), X),
    "numbers of NumPy's": (lambda a: np.float64(2) * a + a * np.float64(3) + np.int64(2) - a, X),
    "dtype=": (lambda a: np.sin(a, dtype=np.float64), X),
    "outer of a ufunc": (lambda a: np.multiply.outer(a, V), X),
    "add.reduce": (lambda a: np.add.reduce(a), X),
    "multiply.reduce": (lambda a: np.multiply.reduce(a, axis=1, keepdims=True), X),
    "maximum.reduce": (lambda a: np.maximum.reduce(a, axis=None), X),
    "logaddexp.reduce": (lambda a: np.logaddexp.reduce(a, axis=1), X),
    "add.accumulate": (lambda a: np.add.accumulate(a), X),
    "multiply.accumulate": (lambda a: np.multiply.accumulate(a, axis=1), X),
    "minimum.accumulate": (lambda a: np.minimum.accumulate(a, axis=1), X),
    # reductions
    "sum": (np.sum, X),
    "sum over an axis": (lambda a: np.sum(a, axis=1, keepdims=True), X),
    "sum over axes": (lambda a: np.sum(a, axis=(0, -1)), X),
    "sum where": (lambda a: np.sum(a, axis=0, where=MASK, initial=1.5), X),
    "prod": (lambda a: np.prod(a, axis=(0, 1), keepdims=True), X),
    "mean": (lambda a: np.mean(a, 0), X),
    "mean where": (lambda a: np.mean(a, axis=1, where=MASK), X),
    "var": (lambda a: np.var(a, axis=1), X),
    "std": (lambda a: np.std(a, ddof=1), X),
    "max": (lambda a: np.max(a, axis=1), X),
    "min": (lambda a: np.min(a), X),
    "ptp": (lambda a: np.ptp(a, axis=0), X),
    "median of an even number": (lambda a: np.median(a), X),
    "median over an axis": (lambda a: np.median(a, axis=1, keepdims=True), X),
    "quantile": (lambda a: np.quantile(a, [0.2, 0.7], axis=1), X),
    "percentile": (lambda a: np.percentile(a, 30, axis=(0, 1), keepdims=True), X),
    "average": (lambda a: np.average(a, axis=1, weights=V), X),
    "average with weights that require grad": (lambda a: np.average(X, weights=a), X),
    "nansum": (lambda a: np.nansum(np.where(MASK, a, np.nan), axis=0), X),
    "nanmean": (lambda a: np.nanmean(np.where(MASK, a, np.nan), axis=1), X),
    "nanmax": (lambda a: np.nanmax(np.where(MASK, a, np.nan), axis=1), X),
    "nanprod": (lambda a: np.nanprod(np.where(MASK, a, np.nan), axis=1), X),
    "nanmedian": (lambda a: np.nanmedian(np.where(MASK, a, np.nan)), X),
    "linalg.norm": (np.linalg.norm, X),
    "linalg.norm of rows": (lambda a: np.linalg.norm(a, 3, axis=1, keepdims=True), X),
    # along an axis
    "cumsum": (np.cumsum, X),
    "cumprod": (lambda a: np.cumprod(a, axis=1), X),
    "diff": (lambda a: np.diff(a, n=2), X),
    "trapezoid": (lambda a: np.trapezoid(a, dx=0.5), X),
    "trapezoid at places": (lambda a: np.trapezoid(a, V, axis=-1), X),
    "gradient": (lambda a: np.gradient(a, 0.5, axis=1), X),
    "sort": (lambda a: np.sort(a, axis=0), X),
    "interp": (lambda a: np.interp(a, [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 4.0, 9.0]), X),
    "interp of values": (lambda a: np.interp([0.5, 1.5, 9.0], [0.0, 1.0, 2.0], a), V),
    # shapes
    "reshape": (lambda a: np.reshape(a, (3, -1)), X),
    "reshape in Fortran's order": (lambda a: np.reshape(a, (3, 2), order="F"), X),
    "ravel": (np.ravel, X),
    "ravel in Fortran's order": (lambda a: np.ravel(a, order="F"), X),
    "transpose": (np.transpose, X),
    "transpose with axes": (lambda a: np.transpose(a, (1, 0)), X),
    "matrix_transpose": (np.matrix_transpose, X),
    "moveaxis": (lambda a: np.moveaxis(a, 0, -1), X),
    "rollaxis": (lambda a: np.rollaxis(a, 1), X),
    "rollaxis to a place": (lambda a: np.rollaxis(np.reshape(a, (1, 2, 3)), 0, 2), X),
    "swapaxes": (lambda a: np.swapaxes(a, 0, 1), X),
    "expand_dims": (lambda a: np.expand_dims(a, (0, 2)), X),
    "squeeze": (lambda a: np.squeeze(np.expand_dims(a, 1)), X),
    "squeeze of an axis": (lambda a: np.squeeze(np.expand_dims(a, 1), axis=1), X),
    "broadcast_to": (lambda a: np.broadcast_to(a, (2, 2, 3)), X),
    "broadcast_arrays": (lambda a: np.broadcast_arrays(a, X)[0], V),
    "atleast_2d": (np.atleast_2d, V),
    "atleast_3d": (np.atleast_3d, X),
    "flip": (np.flip, X),
    "flip of an axis": (lambda a: np.flip(a, 1), X),
    "fliplr": (np.fliplr, X),
    "flipud": (np.flipud, X),
    "roll": (lambda a: np.roll(a, 2), X),
    "roll of axes": (lambda a: np.roll(a, 1, axis=(0, 1)), X),
    "rot90": (np.rot90, X),
    "tile": (lambda a: np.tile(a, (2, 1, 2)), X),
    "repeat": (lambda a: np.repeat(a, 2), X),
    "repeat along an axis": (lambda a: np.repeat(a, [1, 0, 2], axis=1), X),
    "concatenate": (lambda a: np.concatenate([a, X, a], axis=1), X),
    "concatenate flat": (lambda a: np.concatenate((a, V), axis=None), X),
    "stack": (lambda a: np.stack([a[0], V], axis=1), X),
    "vstack": (lambda a: np.vstack([a, V]), X),
    "hstack": (lambda a: np.hstack([V, a[0]]), X),
    "dstack": (lambda a: np.dstack([a, X]), X),
    "column_stack": (lambda a: np.column_stack([a[0], V]), X),
    "append": (lambda a: np.append(a, V), X),
    "block": (lambda a: np.block([[a, X], [V, V * 2]]), X),
    "split": (lambda a: np.split(a, 3, axis=1)[1], X),
    "array_split": (lambda a: np.array_split(a, 2, axis=1)[0], X),
    "hsplit": (lambda a: np.hsplit(a, [1])[1], X),
    "vsplit": (lambda a: np.vsplit(a, 2)[1], X),
    "meshgrid": (lambda a: np.meshgrid(a, [1.0, 2.0])[0], V),
    "meshgrid of three": (lambda a: np.meshgrid([1.0, 2.0], a, [5.0, 6.0, 7.0, 8.0])[1], V),
    "meshgrid by matrix index": (lambda a: np.meshgrid([1.0, 2.0], a, indexing="ij")[1], V),
    "pad": (lambda a: np.pad(a, ((1, 0), (0, 2)), constant_values=7), X),
    "pad by reflection": (lambda a: np.pad(a, 1, mode="reflect"), X),
    "pad with the edge": (lambda a: np.pad(a, ((0, 0), (2, 1)), "edge"), X),
    # parts
    "diag": (np.diag, V),
    "diagonal": (lambda a: np.diagonal(a, 1), X),
    "diagflat": (np.diagflat, V),
    "trace": (np.trace, X),
    "tril": (np.tril, X),
    "triu": (lambda a: np.triu(a, 1), X),
    "take": (lambda a: np.take(a, [[0, -1]], axis=1), X),
    "take from all": (lambda a: np.take(a, 4), X),
    "take_along_axis": (lambda a: np.take_along_axis(a, np.array([[0, -1], [1, 2]]), 1), X),
    "compress": (lambda a: np.compress([True, False, True], a, axis=1), X),
    "extract": (lambda a: np.extract(MASK, a), X),
    "where": (lambda a: np.where(a > 1, a**2, 0), X),
    "where with a mask of numbers": (lambda a: np.where([1.0, 0.0, 2.0], a, V), X),
    "select": (lambda a: np.select([a > 2, a > 1], [a**3, a**2], 5.0), X),
    "clip": (lambda a: np.clip(a, 0.5, 1.5), X),
    "clip by arrays": (lambda a: np.clip(a, None, V), X),
    "nan_to_num": (lambda a: np.nan_to_num(np.where(MASK, a, np.nan)), X),
    "copy": (np.copy, X),
    "round": (lambda a: np.round(a, 1) * a, X),
    "sinc": (np.sinc, X),
    "i0": (np.i0, X),
    "real": (lambda a: np.real(a) + np.imag(a), X),
    "polyval": (lambda a: np.polyval([3.0, 2.0, 1.0], a), X),
    "polyval of coefficients": (lambda a: np.polyval(a, X), V),
    "vander": (lambda a: np.vander(a, 4), V),
    "linspace": (lambda a: np.linspace(a, 5.0, 4, axis=1), V),
    "full_like": (lambda a: np.full_like(a, a[0, 1]), X),
    # products
    "dot of vectors": (lambda a: np.dot(a, V), V),
    "dot": (lambda a: np.dot(a, SQUARE), X),
    "dot of stacks": (lambda a: np.dot(a, np.stack([SQUARE, SQUARE * 2])), X),
    "dot with a number": (lambda a: np.dot(a, 2.0), X),
    "vdot": (lambda a: np.vdot(a, X), X),
    "inner": (lambda a: np.inner(a, V), X),
    "outer": (lambda a: np.outer(a, V), X),
    "tensordot": (lambda a: np.tensordot(a, SQUARE, 1), X),
    "tensordot over axes": (lambda a: np.tensordot(a, X, axes=([0, 1], [0, 1])), X),
    "einsum": (lambda a: np.einsum("ij,jk,ik->k", a, SQUARE, X), X),
    "einsum with lists": (lambda a: np.einsum(a, [0, 1], V, [1], [0]), X),
    "kron": (lambda a: np.kron(a, V), X),
    "cross": (lambda a: np.cross(a, V), X),
    "convolve": (lambda a: np.convolve(a, [1.0, 2.0]), V),
    "convolve to the same length": (lambda a: np.convolve(a, [1.0, 2.0, 4.0, 8.0], "same"), V),
    "correlate": (lambda a: np.correlate(a, [1.0, 2.0]), V),
    "correlate with more": (lambda a: np.correlate(a, [1.0, 2.0, 4.0, 8.0, 3.0], "full"), V),
    "cov": (np.cov, X),
    "corrcoef": (np.corrcoef, np.array([[0.3, 1.7, 0.9], [2.2, 0.6, 1.9]])),
    # linear algebra
    "linalg.inv": (np.linalg.inv, SQUARE),
    "linalg.pinv": (np.linalg.pinv, X),
    "linalg.det": (np.linalg.det, SQUARE),
    "linalg.slogdet": (lambda a: np.linalg.slogdet(a)[1], SQUARE),
    "linalg.solve": (lambda a: np.linalg.solve(a, V), SQUARE),
    "linalg.solve of matrices": (lambda a: np.linalg.solve(SQUARE, np.transpose(a)), X),
    "linalg.cholesky": (lambda a: np.linalg.cholesky(symmetric(a)), SQUARE),
    "linalg.qr": (lambda a: np.linalg.qr(a).R, SQUARE),
    "linalg.svd": (lambda a: np.linalg.svd(a, compute_uv=False), X),
    "linalg.eigvalsh": (lambda a: np.linalg.eigvalsh(symmetric(a)), SQUARE),
    "linalg.eigh": (lambda a: np.linalg.eigh(symmetric(a))[0], SQUARE),
    "linalg.matrix_power": (lambda a: np.linalg.matrix_power(a, 3), SQUARE),
    "linalg.multi_dot": (lambda a: np.linalg.multi_dot([a, SQUARE, V]), X),
    "linalg.cond": (np.linalg.cond, SQUARE),
    # Fourier transforms
    "fft": (lambda a: np.abs(np.fft.fft(a)), X),
    "rfft and back": (lambda a: np.fft.irfft(np.fft.rfft(a) ** 2, 3), X),
    "fftn": (lambda a: np.real(np.fft.fftn(a) * np.exp(1j * X)), X),
    "fftshift": (np.fft.fftshift, X),
}
every_case = pytest.mark.parametrize("name", CASES)


@every_case
def test_values_and_gradients_of_numpy_code(name):
    function, x = CASES[name]
    tensor = torch.tensor(x, requires_grad=True)
    value = function(tensor)
    assert isinstance(value, torch.Tensor)
    expected = function(x)
    assert value.shape == np.shape(expected)
    np.testing.assert_allclose(value.detach().numpy(), expected, rtol=1e-12, atol=1e-14)
    if value.requires_grad:
        check_gradients(function, x)


@every_case
def test_numpy_code_inside_of_transforms(name):
    function, x = CASES[name]
    x = torch.tensor(x)

    def number(x):
        return (function(x) * torch.tensor(3.0)).sum()

    plain = torch.tensor(x.numpy(), requires_grad=True)
    number(plain).backward()
    np.testing.assert_allclose(torch.func.grad(number)(x), plain.grad, rtol=1e-10, atol=1e-12)
    _, slope = torch.func.jvp(number, (x,), (torch.ones_like(x),))
    np.testing.assert_allclose(slope, plain.grad.sum(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "sin", "add", "operators with arrays on the left", "sum", "mean", "max", "std", "reshape", "transpose", "concatenate", "stack", "where",
        "dot", "einsum", "cumsum", "linalg.inv", "linalg.norm", "take", "pad", "clip", "fft",
    ],
)  # fmt: skip
def test_numpy_code_under_vmap_of_grad(name):
    function, x = CASES[name]
    batch = torch.tensor(np.stack([x, x * 1.1, x * 0.9]))
    each = torch.func.grad(lambda x: function(x).sum())
    np.testing.assert_allclose(
        torch.vmap(each)(batch), torch.stack([each(x) for x in batch]), rtol=1e-9, atol=1e-12
    )


def test_a_program_written_for_numpy():
    def softmax_regression(w, x, y):
        scores = np.dot(x, w)
        scores = scores - np.max(scores, axis=1, keepdims=True)
        chances = np.exp(scores) / np.sum(np.exp(scores), axis=1, keepdims=True)
        return -np.mean(np.log(np.sum(chances * y, axis=1)))

    rng = np.random.default_rng(0)
    w, x, y = rng.normal(size=(3, 4)), rng.normal(size=(5, 3)), np.eye(4)[[0, 1, 2, 3, 0]]
    found = torch.tensor(w, requires_grad=True)
    loss = softmax_regression(found, x, y)
    loss.backward()
    scores = torch.tensor(x) @ (other := torch.tensor(w, requires_grad=True))
    expected = torch.nn.functional.cross_entropy(scores, torch.tensor(y))
    expected.backward()
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(found.grad, other.grad)


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "c", "2.0", "0.5"]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["np.sin", "np.tanh", "np.arctan", "np.negative", "np.square"]), inner).map(
            lambda e: f"{e[0]}({e[1]})"
        ),
        st.tuples(
            st.sampled_from(["np.add", "np.multiply", "np.subtract", "np.hypot", "np.logaddexp"]),
            inner,
            inner,
        ).map(lambda e: f"{e[0]}({e[1]}, {e[2]})"),
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda e: f"({e[0]} {e[1]} {e[2]})"),
        st.tuples(inner, st.sampled_from(["None", "0"])).map(
            lambda e: f"np.sum(np.atleast_1d({e[0]}), axis={e[1]})"
        ),
    ),
    max_leaves=6,
)


@given(EXPRESSIONS)
def test_random_expressions_of_tensors_and_arrays(text):
    """``a`` is the tensor; ``b`` and ``c`` are arrays beside it, and numbers."""
    arrays = {"np": np, "b": V + 1, "c": np.array(0.7)}

    def run(a):
        return eval(text, {**arrays, "a": a})

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = run(X)
        found = run(torch.tensor(X, requires_grad=True))
    if not isinstance(found, torch.Tensor):  # the tensor does not occur
        found = torch.tensor(found)
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-10, atol=1e-300)
    assert found.requires_grad == bool(re.search(r"\ba\b", text))
    if found.requires_grad and np.all(np.isfinite(expected)) and np.max(np.abs(expected)) < 1e3:
        check_gradients(run, X, order=1, rtol=1e-3, atol=1e-4)


# Without a gradient ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, kind",
    [
        ("np.sin(t)", torch.Tensor),
        ("np.add(t, 1)", torch.Tensor),
        ("np.add.reduce(t)", torch.Tensor),
        ("np.add.accumulate(t)", torch.Tensor),
        ("np.multiply.outer(t, t)", np.ndarray),
        ("np.cumsum(t)", torch.Tensor),
        ("np.clip(t, 1, 2)", torch.Tensor),
        ("np.reshape(t, (3, 1))", torch.Tensor),
        ("np.ravel(t)", np.ndarray),
        ("np.dot(t, t)", np.float32),
        ("np.where(t > 1, t, 0)", np.ndarray),
        ("np.concatenate([t, t])", np.ndarray),
        ("np.stack([t, t])", np.ndarray),
        ("np.linalg.norm(t)", np.float32),
        ("np.einsum('i,i->', t, t)", np.float32),
        ("np.zeros_like(t)", np.ndarray),
        ("np.sort(t)", np.ndarray),
        ("np.argsort(t)", torch.Tensor),
        ("np.allclose(t, t)", bool),
        ("np.split(t, 3)", list),
        ("np.unique(t)", np.ndarray),
        ("np.fft.fft(t)", np.ndarray),
        ("np.median(t)", np.float32),
    ],
)
def test_types_of_results_without_a_gradient_are_those_of_pytorch(text, kind):
    t = torch.tensor([1.0, 2.0, 3.0])
    value = eval(text, {"np": np, "t": t})
    assert type(value) is kind
    if kind in (torch.Tensor, np.ndarray, np.float32):
        np.testing.assert_array_equal(np.asarray(value), eval(text, {"np": np, "t": t.numpy()}))


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:__array_wrap__ must accept")
def test_types_and_dtypes_beside_pytorch():
    other = pytest.importorskip("torch")
    texts = [
        "np.sin(t)", "np.sin(i)", "np.isnan(t)", "np.greater(t, 1)", "np.add(np.ones(3), t)", "np.float64(2) * t", "t * np.float64(2)",
        "np.float64(2) / i", "np.int64(2) * i", "t * np.ones(3)", "t + np.ones(3, dtype=np.float32)", "t * np.array(2.)", "np.exp(t, dtype=np.float64)",
        "np.modf(t)[0]", "np.frexp(t)[1]", "np.sin(t[0])", "np.multiply(t[0], t[1])", "np.ones(3) == t", "t == np.ones(3)", "t @ np.ones(3)",
        "np.linalg.inv(m)", "np.trace(m)", "np.matmul(m, m)", "np.transpose(m)", "np.nonzero(t)", "np.take(t, [0])", "np.argmax(t)",
        "np.cumprod(t)", "np.shape(t)", "np.ndim(t)", "np.outer(t, t)", "np.diff(t)", "np.pad(t, 1)",
    ]  # fmt: skip
    for text in texts:
        found, expected = (
            eval(
                text,
                {
                    "np": np,
                    "t": t.tensor([1.0, 2.0, 3.0]),
                    "i": t.tensor([1, 2, 3]),
                    "m": t.tensor([[0.0, 1.0], [2.0, 4.0]]),
                },
            )
            for t in (torch, other)
        )
        assert type(found).__name__ == type(expected).__name__, text
        assert str(getattr(found, "dtype", "")) == str(getattr(expected, "dtype", "")), text
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-6, err_msg=text)


def test_a_subclass_says_how_results_are_wrapped():
    class Marked(torch.Tensor):
        def __array_wrap__(self, array, context=None, return_scalar=False):
            return "wrapped", array.sum()

    assert np.positive(torch.ones(3).as_subclass(Marked)) == ("wrapped", 3.0)


def test_functions_that_call_a_method_of_the_same_name():
    x = torch.tensor([[1.0, 5.0], [2.0, 4.0]])
    assert np.max(x, axis=1).tolist() == [5.0, 4.0]
    assert np.std(x).item() == pytest.approx(np.std(x.numpy()))
    assert np.mean(torch.tensor([1, 2])).item() == 1.5
    assert np.any(x > 4).item() is True and np.all(x > 4, axis=1).tolist() == [False, False]
    assert np.size(x) == 4 and np.size(x, 1) == 2


def test_results_are_written_into_tensors():
    t, out = torch.tensor([1.0, 2.0]), torch.zeros(2)
    version = out._version
    assert np.multiply(t, 3, out=out) is out
    assert out.tolist() == [3.0, 6.0] and out._version == version + 1
    np.add(t, 1, out=out, where=np.array([True, False]))
    assert out.tolist() == [2.0, 6.0]


def test_results_are_written_into_arrays():
    array = kept = np.ones(2)
    array += torch.tensor([1.0, 2.0])
    assert array is kept and kept.tolist() == [2.0, 3.0]


def test_an_array_added_in_place_makes_a_new_tensor():
    t = kept = torch.ones(2)
    t += np.array([1.0, 2.0])
    assert t.dtype is torch.float64 and t.tolist() == [2.0, 3.0] and kept.tolist() == [1.0, 1.0]
    for name in ("__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__", "__ipow__"):
        assert getattr(t, name)(np.ones(2)) is NotImplemented
        assert getattr(t, name)("a") is NotImplemented
        assert getattr(t.clone(), name)(2.0).dtype is torch.float64


def test_another_class_that_knows_ufuncs_comes_first():
    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return "other"

        def __array_function__(self, function, types, args, kwargs):
            return "other"

    assert np.add(torch.ones(2, requires_grad=True), Other()) == "other"
    assert np.concatenate([torch.ones(2, requires_grad=True), Other()]) == "other"


# With a gradient ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, name",
    [
        ("np.unique(t)", "np.unique has"),
        ("np.spacing(t)", "np.spacing has"),
        ("np.add.at(t, [0], 1)", "np.add.at has"),
        ("np.add.reduceat(t, [0])", "np.add.reduceat has"),
        ("np.histogram(t)", "np.histogram has"),
        ("np.linalg.lstsq(np.ones((3, 1)), t)", "np.linalg.lstsq has"),
        ("np.sin(t, where=np.array([True, False, True]))", r"np.sin\(where=...\) has"),
        ("np.max(t, initial=0)", r"np.max\(initial=...\) has"),
        ("np.sin(t, out=np.zeros(3))", r"np.sin\(out=...\) cannot write"),
        ("np.concatenate([t, t], out=np.zeros(6))", r"np.concatenate\(out=...\) cannot write"),
        ("np.copyto(np.zeros(3), t)", "np.copyto has"),
    ],
)
def test_what_has_no_rule_is_refused_by_name(text, name):
    with pytest.raises(TypeError, match=rf"^{name}.*a gradient is wanted.*t\.detach\(\)\.numpy\(\)"):
        eval(text, {"np": np, "t": torch.ones(3, requires_grad=True)})


def test_an_array_keeps_no_history():
    array = np.zeros(2)
    with pytest.raises(TypeError, match=r"np\.add\(out=\.\.\.\) cannot write"):
        array += torch.ones(2, requires_grad=True)
    assert array.tolist() == [0.0, 0.0]
    with pytest.raises(RuntimeError, match="out=... arguments don't support automatic differentiation"):
        np.sin(torch.ones(2, requires_grad=True), out=torch.zeros(2))
    with pytest.raises(RuntimeError, match="Can't call numpy"):
        np.asarray(torch.ones(2, requires_grad=True))


def test_without_recording_results_have_no_history():
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        value = np.sin(x) * np.ones(2)
        kept = torch.zeros(2)
        np.sin(x, out=kept)
    assert not value.requires_grad and kept.tolist() == torch.sin(torch.ones(2)).tolist()


def test_truth_values_shapes_and_places_have_no_gradient():
    x = torch.tensor([[3.0, 1.0], [2.0, 4.0]], requires_grad=True)
    assert np.shape(x) == (2, 2) and np.ndim(x) == 2 and np.size(x) == 4
    assert np.greater(x, 2).tolist() == [[True, False], [False, True]]
    assert np.isfinite(x).all() and np.isclose(x, x.detach().numpy()).all()
    assert np.allclose(x, x) and np.array_equal(x, x)
    assert np.argmax(x, axis=1).tolist() == [0, 1] and np.argsort(x).tolist() == [[1, 0], [0, 1]]
    assert [i.tolist() for i in np.nonzero(np.where(x > 2, x, 0))] == [[0, 1], [0, 1]]
    assert np.count_nonzero(x > 1) == 3
    assert np.searchsorted([1.0, 2.0, 3.0], x[0]).tolist() == [2, 0]
    assert not np.zeros_like(x).requires_grad and not np.ones_like(x).requires_grad
    assert np.isrealobj(x) and not np.iscomplexobj(x)


def test_arguments_by_place_and_numbers_of_numpys():
    x = torch.tensor(X, requires_grad=True)
    assert np.sum(x, 0, None, None).shape == (3,)
    assert np.sum(x, 0, np.float32, None, True).shape == (1, 3)
    assert np.max(x, 1, None, True).shape == (2, 1)
    assert np.mean(x, axis=np.int64(1)).shape == (2,)
    assert np.concatenate((x, x), np.int64(1)).shape == (2, 6)
    with pytest.raises(TypeError, match=r"np\.sum\(out=...\) cannot write"):
        np.sum(x, 0, None, np.zeros(3))


def test_dtypes_are_promoted_as_numpy_does():
    x = torch.ones(2, requires_grad=True)
    assert np.add(x, np.ones(2)).dtype is torch.float64
    assert np.concatenate([x, np.ones(2)]).dtype is torch.float64
    assert np.dot(x, np.ones(2)).dtype is torch.float64
    assert np.where(x > 0, x, np.ones(2)).dtype is torch.float64
    assert np.add(x, 1.0).dtype is torch.float32 and np.maximum(x, 1).dtype is torch.float32
    assert (x * np.array([1, 2])).dtype is torch.float64
    assert np.linspace(x, 2.0, 3).dtype is torch.float32 and np.meshgrid(x, [1.0])[0].dtype is torch.float32
    assert np.einsum(x, [0], np.ones(2), [0]).dtype is torch.float64
    np.dot(x, np.ones(2)).backward()
    assert x.grad.dtype is torch.float32
