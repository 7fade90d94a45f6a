"""``LEADING``: functions that lead straight to an operator, whatever they are given, and hand back what it returns: they need no guard (``guards.py``)."""

__all__ = ["LEADING"]

_words = (
    "_ops.activation.celu _ops.activation.gelu _ops.activation.leaky_relu_ _ops.activation.selu _ops.activation.softplus "
    "_ops.activation.softshrink _ops.arithmetic.__rsub__ _ops.arithmetic.__rtruediv__ _ops.arithmetic.add _ops.arithmetic.add_ "
    "_ops.arithmetic.rsub _ops.arithmetic.sub _ops.arithmetic.sub_ _ops.convert.clone _ops.linear.linear _ops.matmul.bmm _ops.matmul.dot "
    "_ops.matmul.mm _ops.matmul.mv _ops.permute.transpose _ops.reduce.all _ops.reduce.amax _ops.reduce.amin _ops.reduce.any "
    "_ops.reduce.argmax _ops.reduce.argmin _ops.reduce.mean _ops.reduce.prod _ops.reduce.sum _ops.rounding.div _ops.rounding.div_ "
    "_ops.shape.squeeze nn.functional.celu nn.functional.elu nn.functional.hardtanh nn.functional.leaky_relu nn.functional.mish "
    "nn.functional.relu nn.functional.relu6 nn.functional.selu nn.functional.sigmoid nn.functional.silu nn.functional.tanh"
)  # fmt: skip
LEADING = frozenset(_words.split())
