"""Products of matrices."""

from ..._api import Tensor
from ..._api import _grouped_mm as _product
from ..._api import dtype as _dtype


def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    *,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: _dtype | None = None,
) -> Tensor:
    """Multiply matrices group by group; ``offs``, of int32, has where each of the G groups ends.

    (M, K) x (G, K, N) -> (M, N): the rows of ``mat_a`` are grouped, and those beyond the last group give zeros. (G, M, K) x (K, N) -> (M, N): the
    columns of ``mat_b`` are. (M, K) x (K, N) -> (G, M, N): the dimension of the sums is. (G, M, K) x (G, K, N) -> (G, M, N), without
    ``offs``. float32, float16 and bfloat16, of any strides; raises RuntimeError for other dtypes, for sizes that do not fit, and for a ``bias``.

    >>> import minigrad
    >>> x, w = minigrad.ones(3, 2), minigrad.stack([minigrad.eye(2), 5 * minigrad.eye(2)])
    >>> minigrad.nn.functional.grouped_mm(x, w, offs=minigrad.tensor([1, 3], dtype=minigrad.int32))
    tensor([[1., 1.],
            [5., 5.],
            [5., 5.]])
    """
    return _product(mat_a, mat_b, offs, bias, out_dtype)
