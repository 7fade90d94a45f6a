"""Functions that are no operators here, but are in PyTorch: what makes tensors, and what consists of several operators.

They must cost nothing while nobody watches, so there is no test for that in them.  While a profiler is on, or lines are noted (``_answers/provenance.py``),
they run other code: one that tells of the call and runs the function's own.  The function objects stay the same, so it does not matter under which names programs hold them.
"""

import functools
import importlib
import sys
import threading
import types
from time import perf_counter_ns as now

from ..._core.modes import here

__all__ = ["hide", "show"]

_PACKAGE = __name__.partition(".")[0]
#: Where these functions are; ``name=other`` is what PyTorch calls ``other``.
_FUNCTIONS = {
    "_core.tensor": (
        "Tensor.__and__ Tensor.__or__ Tensor.__xor__ Tensor.detach Tensor.detach_ Tensor.item is_nonzero=Tensor.__bool__ "
        "item=Tensor.__int__ matrix_H=Tensor.H.fget mT=Tensor.mT.fget numpy_T=Tensor.T.fget"
    ),
    "_ops.activation": "selu",
    "_ops.arithmetic": "positive square square_",
    "_ops.arrange": "diag diagflat fill_diagonal_ fliplr",
    "_ops.bins": "bucketize",
    "_ops.complex": "imag real",
    "_arrays.random.distributions": "normal_=fill_normal random_=fill_random uniform_=fill_uniform",
    "_ops.attention": "scaled_dot_product_attention",
    "_ops.avg_pooling": "adaptive_avg_pool1d adaptive_avg_pool2d avg_pool1d",
    "_ops.compare": "allclose equal is_nonzero",
    "_ops.convert": "contiguous to type_as",
    "_ops.create": (
        "empty empty_like empty_strided eye full full_like new_empty new_full new_ones new_zeros ones ones_like zeros zeros_like"
    ),
    "_ops.ctc": "ctc_loss",
    "_ops.cumulative": "cumulative_trapezoid diff gradient trapezoid",
    "_ops.distance": "cosine_similarity pairwise_distance",
    "_ops.dropout": "alpha_dropout dropout feature_dropout",
    "_ops.einsum": "bilinear chain_matmul einsum inner kron tensordot",
    "_ops.embedding": "one_hot",
    "_ops.gather": "take_along_dim",
    "_ops.image": "grid_sampler grid_sampler=grid_sample",
    "_ops.join": (
        "broadcast_tensors cartesian_prod column_stack combinations concat dstack hstack meshgrid repeat_interleave tile "
        "tile=tile_method vstack"
    ),
    "_ops.linalg_functions": (
        "linalg_matrix_power=matrix_power linalg_multi_dot=multi_dot logdet matrix_exp slogdet"
    ),
    "_ops.linalg_norms": "linalg_matrix_norm=matrix_norm linalg_norm=norm",
    "_ops.linalg_old": "lu_solve svd",
    "_ops.linalg_solvers": "inverse",
    "_ops.linalg_vectors": "corrcoef cov cross vander",
    "_ops.loss_functions": "kl_div",
    "_ops.matmul": "matmul=_matmul outer",
    "_ops.max_pooling": "max_pool1d max_pool1d=choosing_max_pool1d max_pool1d_with_indices",
    "_ops.nonzero": "argwhere nonzero",
    "_ops.normalize": "instance_norm",
    "_ops.order_statistics": "nanquantile quantile",
    "_ops.padding": "pad",
    "_ops.parts": "narrow",
    "_ops.permute": "movedim swapaxes swapaxes_ swapdims swapdims_",
    "_ops.random": "empty=_unfilled multinomial normal rand rand_like randint randint_like randn randn_like randperm",
    "_ops.ranges": "arange linspace logspace tril_indices triu_indices",
    "_ops.recurrent": "gru lstm rnn_relu rnn_tanh",
    "_ops.reduce": "max min sum_to_size",
    "_ops.rounding": "true_divide",
    "_ops.shape": "broadcast_to broadcast_to=broadcast_to_method expand_as flatten ravel reshape unflatten view_as",
    "_ops.spectral": (
        "fft_fft=fft fft_fft2=fft2 fft_fftn=fftn fft_fftshift=fftshift fft_ifft=ifft fft_ifft2=ifft2 fft_ifftn=ifftn "
        "fft_ifftshift=ifftshift fft_irfft=irfft fft_rfft=rfft istft stft"
    ),
    "_ops.split": "chunk dsplit hsplit tensor_split vsplit",
    "_ops.storages": "set_",
    "_ops.strided": "resize_ resize_as_",
    "_ops.windows": "bartlett_window blackman_window hamming_window hann_window kaiser_window",
}
#: The same, of packages that not every program imports: looked at if they are imported by the time a profiler begins.
_IF_IMPORTED = {
    "nn._functional.losses": (
        "cosine_embedding_loss cross_entropy_loss=cross_entropy ctc_loss hinge_embedding_loss kl_div l1_loss margin_ranking_loss "
        "poisson_nll_loss triplet_margin_loss"
    ),
    "nn.functional": "relu6",
}
#: What makes a tensor that has no history, and what takes values out of one: profilers are told of those in ``_TOLD`` only.
_NOTED = {
    "_core.tensor": (
        "data=Tensor.data.fget requires_grad=Tensor.requires_grad.fset requires_grad_=Tensor.requires_grad_ tolist=Tensor.tolist "
        "numpy=Tensor.numpy __float__=Tensor.__float__"
    ),
    "_core.parameter": "Parameter=Parameter.__new__",
    "_ops.create": "new_empty_strided scalar_tensor",
    "_ops.from_data": "as_tensor asarray frombuffer from_numpy new_tensor tensor",
    "_ops.legacy_types": "Tensor=construct",
    "autograd.differentiate": "grad",
    "autograd.function_forward": "record",
}

_TOLD = {
    "__float__": "aten::item",
    "as_tensor": "aten::lift_fresh",
    "from_numpy": "aten::lift_fresh",
    "new_tensor": "aten::lift_fresh",
    "tensor": "aten::lift_fresh",
}
_ATEN = "aten::"  # how the names begin that profilers are told

#: Those that PyTorch does not call where there is nothing to do.
_IF_NEW = {"aten::contiguous"}

_lock = threading.RLock()  # a thread's end may be noticed while it is held
_watching = 0
_shown: list = []  # (function, its own code, the code that notes calls)
_looked_at: set = set()


def show():
    """Let these functions note their calls, until ``hide`` has been called as often."""
    global _watching
    with _lock:
        _watching += 1
        _look_for_functions()
        if _watching == 1:
            for function, _, noting in _shown:
                function.__code__ = noting


def hide():
    """Undo one ``show``."""
    global _watching
    with _lock:
        _watching -= 1
        if not _watching:
            for function, own, _ in _shown:
                function.__code__ = own


def _look_for_functions():
    for table, always, prefix in (
        (_FUNCTIONS, True, _ATEN),
        (_IF_IMPORTED, False, _ATEN),
        (_NOTED, True, ""),
    ):
        for module, names in table.items():
            path = f"{_PACKAGE}.{module}"
            package = path.partition("._")[0]  # what is private to a package is imported when first used
            if (module, prefix) in _looked_at or not (always or package in sys.modules):
                continue
            _looked_at.add((module, prefix))
            found = importlib.import_module(path)
            for name in names.split():
                shown, _, place = name.partition("=")
                function = functools.reduce(getattr, (place or shown).split("."), found)
                _shown.append(_prepared(function, prefix + shown.rpartition(".")[2]))
                if _watching > 1:
                    function.__code__ = _shown[-1][2]


def _prepared(function, name):
    own = function.__code__
    copy = types.FunctionType(
        own, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    consts = tuple([_noting(copy, name) if c == "the call" else c for c in _template.__code__.co_consts])
    noting = _template.__code__.replace(
        co_consts=consts, co_name=own.co_name, co_freevars=own.co_freevars
    )  # the function's cells stay its own
    return function, own, noting


def _template(*args, **kwargs):
    call = "the call"  # a constant, in whose place each function's code has what is to be called
    return call(*args, **kwargs)


def _noting(function, name):
    """A function that runs ``function`` and notes it as ``name``."""

    def call(*args, **kwargs):
        noting = here.origins
        if noting is not None and here.watching:
            return noted(noting, args, kwargs)
        return timed(args, kwargs)

    def timed(args, kwargs):
        profiler = here.profiler
        if profiler is None or shown is None or not here.watching:
            return function(*args, **kwargs)
        start = now()
        result = None
        try:
            result = function(*args, **kwargs)
            return result
        finally:
            if not (shown in _IF_NEW and args and result is args[0]):
                profiler.called(shown, start, result, args)

    def noted(noting, args, kwargs):
        plain, given = name.removeprefix(_ATEN), (*args, *kwargs.values())
        before = noting.calling(plain, given)
        result = timed(args, kwargs)
        noting.called(plain, result, given, before)
        return result

    shown = name if name.startswith(_ATEN) else _TOLD.get(name)
    return call
