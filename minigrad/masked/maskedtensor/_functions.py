"""What functions make of masked tensors: each name of a function or method has a rule, which sees data and masks as plain tensors.

A rule gets the function, its arguments and its keywords; what it returns of ``Seen`` becomes a masked tensor.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ... import _api
from ..._api import Tensor
from .. import _ops as reductions

__all__ = ["Seen", "rule_of"]

_ELEMENTS = (
    "__invert__ abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_not ceil clamp clip conj_physical "
    "cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 fix floor frac i0 isnan lgamma log log10 log1p log2 logit nan_to_num neg negative "
    "positive pow rad2deg reciprocal round rsqrt sigmoid sign sgn signbit sin sinc sinh sqrt square tan tanh trunc"
)
_PAIRS = (
    "add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor div divide eq floor_divide fmax fmin fmod ge "
    "greater greater_equal gt le less less_equal logaddexp logaddexp2 lt maximum minimum mul multiply ne nextafter not_equal remainder "
    "__and__ __floordiv__ __or__ __rdiv__ __rfloordiv__ __rsub__ __rtruediv__ __xor__ rsub sub subtract true_divide"
)
_REDUCTIONS = "amax amin argmax argmin mean prod std sum var"
_VIEWS = (
    "__getitem__ alias broadcast_to cat chunk clone concat concatenate contiguous detach expand expand_as flatten hstack narrow ravel reshape select "
    "split squeeze stack swapaxes swapdims t tensor_split to_dense transpose unbind unfold unsqueeze view view_as vstack permute movedim moveaxis"
)
_CASTS = "_to_floating _to_integer bfloat16 bool byte char cpu double float half int long short to"
#: What is the same of data with a mask as of data alone.
_QUESTIONS = (
    "__hash__ __len__ data_ptr dim element_size get_device is_complex is_contiguous is_floating_point is_signed is_tensor ndimension nelement numel "
    "register_hook remove_hook retain_grad requires_grad_ size stride type untyped_storage storage_offset backward"
)
_PROPERTIES = "device dtype grad_fn is_leaf itemsize layout nbytes ndim output_nr requires_grad shape"
_VIEW_PROPERTIES = "T mT data"
_NUMBERS = "item __bool__ __float__ __int__ __index__ __complex__"


class Seen(NamedTuple):
    """A masked tensor to be: data and mask."""

    data: Any
    mask: Any


def rule_of(func: Callable[..., Any]) -> Callable[..., Any] | None:
    """The rule for a function, a method or the access to a property; None if there is none."""
    prop = getattr(func, "__self__", None)
    if isinstance(prop, property):
        return _of_properties().get((prop, func.__name__))
    name = func.__name__
    return _RULES.get(name[:-1] if name[-1] == "_" and name not in _RULES else name)


def _of_properties():
    questions = {(getattr(Tensor, name), "__get__"): _question for name in _PROPERTIES.split()}
    questions[Tensor.requires_grad, "__set__"] = _question  # type: ignore[index]
    return questions | {(getattr(Tensor, name), "__get__"): _view for name in _VIEW_PROPERTIES.split()}


def _is_masked(x):
    return hasattr(x, "get_mask")


def _data(x):
    """Arguments with the data of masked tensors among them, and in tuples and lists."""
    if type(x) in (tuple, list):
        return type(x)(map(_data, x))
    return x.get_data() if _is_masked(x) else x


def _mask(x):
    """Arguments with the masks of masked tensors among them."""
    if type(x) in (tuple, list):
        return type(x)(map(_mask, x))
    return x.get_mask() if _is_masked(x) else x


def _question(func, args, kwargs):
    return func(*args, **kwargs)


def _elementwise(func, args, kwargs):
    if any(isinstance(x, Tensor) for x in (*args[1:], *kwargs.values())) or not _is_masked(args[0]):
        raise TypeError("MaskedTensor unary ops do not support additional Tensor arguments")
    return Seen(func(args[0].get_data(), *args[1:], **kwargs), args[0].get_mask())


def _pairwise(func, args, kwargs):
    if kwargs:
        raise ValueError("len(kwargs) must equal 0")
    masks = [x.get_mask() for x in args if _is_masked(x)]
    if len(masks) == 2 and not _api.equal(*masks):
        raise ValueError(
            "Input masks must match. If you need support for this, please open an issue on Github."
        )
    data = func(*_data(args))
    return Seen(data, masks[0] if data.shape == masks[0].shape else masks[0].expand(data.shape))


def _reduced(func, args, kwargs):
    x, *dims = args
    names = ["dim", "unbiased", "keepdim"] if func.__name__ in ("std", "var") else ["dim", "keepdim"]
    given = {**dict(zip(names, dims)), **kwargs}
    mask, data = x.get_mask(), x.get_data()
    found = getattr(reductions, func.__name__)(data, mask=mask, **given)
    return Seen(found, _left(mask, given))


def _left(mask, given):
    """The mask of a reduction: whether there was an element."""
    dim, keepdim = given.get("dim"), bool(given.get("keepdim"))
    dims = tuple(range(mask.ndim)) if dim is None or dim == () else dim
    return _api.any(mask, dims, keepdim) if mask.ndim else mask


def _all(func, args, kwargs):
    x, *rest = args
    given = {**dict(zip(("dim", "keepdim"), rest)), **kwargs}
    return Seen(func(x.to_tensor(True), *rest, **kwargs), _left(x.get_mask(), given))


def _softmax(func, args, kwargs):
    x, *rest = args
    given = {**dict(zip(("dim", "dtype"), rest)), **kwargs}
    return Seen(reductions.softmax(x.get_data(), mask=x.get_mask(), **given), x.get_mask())


def _view(func, args, kwargs):
    return _paired(func(*_data(args), **kwargs), func(*_mask(args), **kwargs))


def _paired(data, mask):
    if isinstance(data, tuple | list):
        return tuple(map(_paired, data, mask))
    return Seen(data, mask)


def _cast(func, args, kwargs):
    return Seen(func(*_data(args), **kwargs), args[0].get_mask())


def _where(func, args, kwargs):
    condition, x, y = args
    if not (_is_masked(x) and _is_masked(y)) or kwargs:
        raise TypeError("where(): input and other must both be MaskedTensors")
    return _view(func, (_data(condition), x, y), {})


def _number(func, args, kwargs):
    (x,) = args
    if x.numel() == 1 and not x.get_mask().all():
        raise ValueError(f"{func.__name__}(): the element is masked")
    return func(x.get_data())


def _plain_only(func, args, kwargs):
    raise RuntimeError(
        f".{func.__name__}() is not supported for tensor subclasses, got MaskedTensor. Use get_data() or to_tensor(value)"
    )


_RULES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(_ELEMENTS.split(), _elementwise),
    **dict.fromkeys(_PAIRS.split(), _pairwise),
    **dict.fromkeys(_REDUCTIONS.split(), _reduced),
    **dict.fromkeys(_VIEWS.split(), _view),
    **dict.fromkeys([*_CASTS.split(), "ones_like"], _cast),
    **dict.fromkeys(_QUESTIONS.split(), _question),
    **dict.fromkeys(_NUMBERS.split(), _number),
    **dict.fromkeys(("numpy", "tolist"), _plain_only),
    "all": _all,
    "softmax": _softmax,
    "where": _where,
}
