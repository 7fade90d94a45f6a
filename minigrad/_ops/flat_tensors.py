"""What libraries do to many tensors by ``torch._utils``: one vector of them all and back, groups of one type, pairs of real numbers for complex ones."""

from collections import defaultdict

from .._base import dtypes
from .._base.errors import type_name
from .._core.tensor import Tensor
from .complex import view_as_real
from .join import cat
from .shape import ravel

__all__: list[str] = []  # _utils is their place


def flatten_dense_tensors(tensors):
    """Concatenate the elements of all tensors into one vector; a view if there is only one tensor.

    >>> from minigrad._utils import _flatten_dense_tensors
    >>> import minigrad
    >>> _flatten_dense_tensors([minigrad.ones(2), minigrad.zeros(1, 2)])
    tensor([1., 1., 0., 0.])
    """
    vectors = [ravel(tensor) for tensor in tensors]
    return vectors[0] if len(vectors) == 1 else cat(vectors)


def unflatten_dense_tensors(flat, tensors):
    """Return consecutive parts of ``flat`` as views in the shapes of the tensors: the inverse of ``_flatten_dense_tensors``.

    Raises RuntimeError if there are too few elements.

    >>> from minigrad._utils import _unflatten_dense_tensors
    >>> import minigrad
    >>> _unflatten_dense_tensors(minigrad.arange(3), [minigrad.ones(2), minigrad.ones(1, 1)])
    (tensor([0, 1]), tensor([[2]]))
    """
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(
            f"unflatten_dense_tensors(): argument 'tensors' (position 2) must be tuple of Tensors, not {type_name(tensors)}"
        )
    found, start = [], 0
    for tensor in tensors:
        n = tensor.numel()
        found.append(flat.narrow(0, start, n).view(tensor.shape))
        start += n
    return tuple(found)


def take_tensors(tensors, size_limit):
    """Yield lists of tensors of one type, each of at most ``size_limit`` bytes unless a single tensor has more.

    >>> from minigrad._utils import _take_tensors
    >>> import minigrad
    >>> [len(group) for group in _take_tensors([minigrad.ones(2), minigrad.ones(1, dtype=minigrad.int64), minigrad.ones(2)], 16)]
    [2, 1]
    """
    groups, sizes = defaultdict(list), defaultdict(int)
    for tensor in tensors:
        kind = tensor.type()
        if sizes[kind] and sizes[kind] + tensor.nbytes > size_limit:
            yield groups[kind]
            groups[kind], sizes[kind] = [], 0
        groups[kind].append(tensor)
        sizes[kind] += tensor.nbytes
    yield from groups.values()


def reorder_tensors_as(tensors, ordered_tensors):
    """The tensors in the order in which tensors of their types stand in ``ordered_tensors``."""
    waiting = defaultdict(list)
    for tensor in tensors:
        waiting[tensor.type()].append(tensor)
    queues = {kind: iter(found) for kind, found in waiting.items()}
    return tuple([next(queues[tensor.type()]) for tensor in ordered_tensors])


def group_by_device_and_dtype(tensorlistlist, with_indices=False):
    """The lists, which run parallel to each other, in parts: (device, dtype) of the first one's tensors -> (the lists' parts, the places).

    Places are noted ``with_indices``.  Lists but the first may hold None, or be empty.  Raises RuntimeError for no list, lists of different
    lengths, or None in the first.
    """
    if not tensorlistlist:
        raise RuntimeError("Expected at least one list of tensors, but got none.")
    first, *others = tensorlistlist
    if any(len(each) not in (0, len(first)) for each in others):
        lengths = [len(each) for each in tensorlistlist]
        raise RuntimeError(f"Expected lists of tensors that are empty or as long as the first, but their lengths are {lengths}.")
    groups = {}
    for i, tensor in enumerate(first):
        if not isinstance(tensor, Tensor):
            raise RuntimeError(
                f"Tensors of the first list of nested Tensor lists are supposed to be defined but the {i}-th Tensor is not."
            )
        lists, places = groups.setdefault((tensor.device, tensor.dtype), ([[] for _ in tensorlistlist], []))
        for part, whole in zip(lists, tensorlistlist):
            if whole:
                part.append(whole[i])
        if with_indices:
            places.append(i)
    return groups


def element_size(dtype):
    """Bytes per element; raises RuntimeError if the argument is not a dtype."""
    if not isinstance(dtype, dtypes.dtype):
        raise RuntimeError(f"expected torch.dtype, but got {type(dtype)}")
    return dtype.itemsize


def handle_complex(tensor):
    """A complex tensor as one of pairs of real numbers, which shares its memory; another one, or one without a shape yet, is itself."""
    without_shape = hasattr(tensor, "materialize")
    return view_as_real(tensor) if not without_shape and tensor.is_complex() else tensor
