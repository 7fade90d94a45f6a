"""New tensors, ranges, windows, random numbers, random calls: values, and the same as PyTorch, drawn numbers included."""

import numpy as np
import pytest

from tests.operators.calls import Name, Row

DTYPES = ("float32", "float64", "float16", "int64", "int32", "uint8", "bool", "complex64", "complex128")


def dtype_of(s, *dtypes):
    """A dtype, or none, as a keyword."""
    name = s.one_of(None, *(dtypes or DTYPES))
    return {} if name is None else {"dtype": Name(name)}


def numpy_of(dtype, default="float32"):
    return np.dtype(str(dtype or default))


def sizes(s):
    shape = s.shape()
    return (shape, dtype_of(s)) if s.flag() or not shape else (*shape, dtype_of(s))


def filled(make):
    def reference(*size, dtype=None):
        return make(size[0] if size and isinstance(size[0], tuple) else size, dtype=numpy_of(dtype))

    return reference


def like(s):
    return s.floats(*s.shape()), dtype_of(s)


def filled_like(make):
    return lambda x, *rest, dtype=None: make(
        x.shape, *rest, dtype=x.dtype if dtype is None else numpy_of(dtype)
    )


def full(s):
    return s.shape(), s.one_of(1, 0, 3, True), dtype_of(s)


def eye(s):
    return s.size(), s.size(), dtype_of(s)


def empties(torch, out):
    """Of memory that nobody has written to: all but its values."""
    return torch.zeros_like(out), torch.tensor(out.stride())


def empty_permuted(s):
    shape = s.shape(0, 4, low=1)
    return shape, s.order(len(shape)), dtype_of(s)


def empty_strided(s):
    return (2, s.size(1, 3)), (s.size(3, 5), 1), dtype_of(s)


def arange(s):
    start, step = s.one_of(0, 1, -2, 0.5), s.one_of(1, 2, 0.25)
    return start, start + step * s.size(0, 6), step, dtype_of(s, "float32", "float64", "float16")


def linspace(s):
    return (
        s.one_of(0, -1.5, 2),
        s.one_of(1, 0.25, 7),
        s.size(0, 6),
        dtype_of(s, "float32", "float64", "complex64"),
    )


def triangle(s):
    return s.size(), s.size(), s.size(-2, 2)


def window(s, *rest):
    return s.size(0, 7), s.flag(), *rest, dtype_of(s, "float64", "float32")


def window_of(function):
    def reference(n, periodic, *rest, dtype=None):
        if n < 2:
            return np.ones(n)
        return function(n + periodic, *rest)[:n]

    return reference


def data(s):
    wanted = ("complex64", "complex128") if s.dtype in ("complex64", "complex128") else DTYPES
    return s.floats(*s.shape()), dtype_of(s, *wanted)


def of_data(x, dtype=None):
    return x if dtype is None else x.astype(numpy_of(dtype))


ROWS = [
    Row("zeros", sizes, filled(np.zeros), order=0),
    Row("ones", sizes, filled(np.ones), order=0),
    Row("full", full, lambda shape, value, dtype=None: np.full(shape, value, dtype and numpy_of(dtype)), order=0),
    Row("zeros_like", like, filled_like(np.zeros), "fcib", order=0),
    Row("ones_like", like, filled_like(np.ones), "fcib", order=0),
    Row("full_like", lambda s: (s.floats(*s.shape()), 1, dtype_of(s)), filled_like(np.full), "fcib", order=0),
    Row("empty", sizes, order=0, observe=empties),
    Row("empty_like", like, None, "fcib", order=0, observe=lambda torch, out: torch.zeros_like(out)),
    Row("empty_permuted", empty_permuted, order=0, observe=empties),
    Row("empty_strided", empty_strided, order=0, observe=empties),
    Row("eye", eye, lambda n, m, dtype=None: np.eye(n, m, dtype=numpy_of(dtype)), order=0),
    Row("scalar_tensor", lambda s: (s.one_of(0, 1), dtype_of(s)), lambda v, dtype=None: np.array(v, numpy_of(dtype)), order=0),
    Row("tensor", data, of_data, "fcib", order=0),
    Row("as_tensor", data, of_data, "fcib", order=0),
    Row("asarray", data, of_data, "fcib", order=0),
    Row("arange", arange, lambda a, b, step, dtype=None: np.arange(a, b, step), order=0),
    Row("range", arange, lambda a, b, step, dtype=None: np.arange(a, b + step / 2, step), order=0),
    Row("linspace", linspace, lambda a, b, n, dtype=None: np.linspace(a, b, n), order=0),
    Row("logspace", linspace, lambda a, b, n, dtype=None: np.logspace(a, b, n), order=0),
    Row("tril_indices", triangle, lambda n, m, k: np.array(np.tril_indices(n, k, m)), order=0),
    Row("triu_indices", triangle, lambda n, m, k: np.array(np.triu_indices(n, k, m)), order=0),
    Row("bartlett_window", window, window_of(np.bartlett), order=0),
    Row("blackman_window", window, window_of(np.blackman), order=0),
    Row("hamming_window", window, window_of(np.hamming), order=0),
    Row("hann_window", window, window_of(np.hanning), order=0),
    Row("kaiser_window", lambda s: window(s, s.one_of(12.0, 5.0)), window_of(np.kaiser), order=0),
]  # fmt: skip

MARKS = pytest.mark.filterwarnings(
    "ignore:torch.range is deprecated", "ignore:To copy construct", "ignore:.*copy construct from a tensor"
)


# Random numbers -------------------------------------------------------------------------------------------------------


def seeded(torch, *args):
    torch.manual_seed(11)
    return args


def drawn(s):
    return s.shape(), dtype_of(s, "float32", "float64", "float16")


def floating_like(s):
    return s.floats(*s.shape()), dtype_of(s, "float32", "float64", "float16")


def randint(s):
    low = s.size(0, 3)
    return low, low + s.size(1, 300), s.shape(), dtype_of(s, "int64", "int32", "uint8", "float32", "float64")


def weights(s):
    return s.floats(*s.shape(0, 1, low=1), s.size(2, 4), low=0.1, high=1), s.size(1, 2), s.flag()


def logits(s):
    return s.floats(*s.shape(1, 2, 1)), s.one_of(1, 0.5), s.flag()


def means(s):
    shape = s.shape()
    return s.floats(*s.under(shape)), s.floats(*s.under(shape), low=0, high=2)


def probabilities(s):
    return s.floats(*s.shape(), low=0, high=1)


def tensor_and(*numbers):
    return lambda s: (s.floats(*s.shape()), *numbers)


def binomial(s):
    shape = s.shape()
    return s.floats(*shape, low=0, high=9), s.floats(*shape, low=0.1, high=0.9)


def fills(name, *numbers, dtypes="f"):
    return Row(f"Tensor.{name}", tensor_and(*numbers), dtypes=dtypes, prepare=seeded, order=0, ties=False)


RANDOM = [
    Row("rand", drawn, prepare=seeded),
    Row("randn", drawn, prepare=seeded, loose=20),
    Row("randint", randint, prepare=seeded),
    Row("randperm", lambda s: s.size(0, 9), prepare=seeded),
    Row("rand_like", floating_like, prepare=seeded),
    Row("randn_like", floating_like, prepare=seeded, loose=20),
    Row("randint_like", lambda s: (s.floats(*s.shape()), 9), dtypes="fi", prepare=seeded),
    Row("bernoulli", probabilities, prepare=seeded),
    Row("poisson", lambda s: s.floats(*s.shape(), low=0, high=9), prepare=seeded),
    Row("binomial", binomial, prepare=seeded),
    Row("normal", means, prepare=seeded, loose=20),
    Row("normal number", lambda s: (s.floats(*s.shape()), 0.5), prepare=seeded, loose=20),
    Row("multinomial", weights, prepare=seeded),
    Row("nn.functional.dropout", tensor_and(0.4), prepare=seeded),
    Row("dropout", tensor_and(0.4, True), prepare=seeded),
    Row("native_dropout", tensor_and(0.4, True), prepare=seeded),
    Row("nn.functional.dropout1d", lambda s: (s.floats(*s.shape(3, 3)), 0.4), prepare=seeded),
    Row("nn.functional.dropout2d", lambda s: (s.floats(*s.shape(4, 4, high=2)), 0.4), prepare=seeded),
    Row("nn.functional.dropout3d", lambda s: (s.floats(*s.shape(5, 5, high=2)), 0.4), prepare=seeded),
    Row("nn.functional.alpha_dropout", tensor_and(0.4, True), prepare=seeded),
    Row("alpha_dropout", tensor_and(0.4, True), prepare=seeded),
    Row("nn.functional.feature_alpha_dropout", lambda s: (s.floats(*s.shape(3, 3)), 0.4, True), prepare=seeded),
    Row("feature_alpha_dropout", lambda s: (s.floats(*s.shape(3, 3)), 0.4, True), prepare=seeded),
    Row("feature_dropout", lambda s: (s.floats(*s.shape(3, 3)), 0.4, True), prepare=seeded),
    Row("nn.functional.gumbel_softmax", logits, prepare=seeded),
    fills("uniform_", -1, 2),
    fills("normal_", 1, 2),
    fills("random_", 5, dtypes="fi"),
    fills("bernoulli_", 0.3, dtypes="fib"),
    fills("exponential_", 2),
    fills("geometric_", 0.3, dtypes="fi"),
    fills("cauchy_", 0, 1),
    fills("log_normal_", 0, 1),
]  # fmt: skip

EXCLUSIONS = {
    "from_dlpack": "takes what another library made; tests/ops/test_create.py",
    "from_file": "maps a file; tests/test_mapped_files.py",
    "from_numpy": "takes arrays; tests/ops/test_create.py",
    "frombuffer": "takes bytes; tests/ops/test_create.py",
    "Generator": "a class; tests/core/test_generator.py",
    "default_generator": "an object; tests/core/test_generator.py",
    "get_rng_state": "used by every test here; tests/core/test_generator.py",
    "set_rng_state": "tests/core/test_generator.py",
    "initial_seed": "tests/core/test_generator.py",
    "manual_seed": "used by every test here; tests/core/test_generator.py",
    "thread_safe_generator": "of the workers that load data; tests/core/test_generator.py",
    "seed": "draws from the system; tests/core/test_generator.py",
    "alpha_dropout_": "writes in place; tests/ops/test_activation.py",
    "dropout_": "writes in place; tests/ops/test_activation.py",
    "feature_alpha_dropout_": "writes in place; tests/ops/test_activation.py",
    "feature_dropout_": "writes in place; tests/ops/test_activation.py",
}
