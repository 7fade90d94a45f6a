"""What cannot be done with tensors inside of transforms, in PyTorch's words."""

NO_POINTER = "Cannot access data pointer of Tensor that doesn't have storage"


def no_pointer():
    """The error where an address or an array is asked for."""
    return RuntimeError(NO_POINTER)


def no_fallback(name):
    """The message where an op cannot be done sample by sample."""
    return f"Batching rule not implemented for aten::{name}. We could not generate a fallback."


def no_shape(name):
    """The message where the shape of a result depends on the elements, and may be another for each sample."""
    return (
        f"vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::{name}. Please file an "
        "issue at https://github.com/pytorch/pytorch/issues if you need this feature."
    )


def escaped():
    """The error for a tensor of a batch that is used after its transform."""
    return RuntimeError(
        "Either your tensor may have escaped from inside a function being vmapped and this is a user error (see "
        "https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal functorch error in `gen_vmap_plumbing` Please "
        "file an issue if it looks like the latter"
    )
