"""What may differ between PyTorch and minigrad in a random program (``programs.py``), and why."""


def says(words):
    """Whether an outcome is an error of these words."""
    return lambda outcome: isinstance(outcome, Exception) and words in str(outcome)


def fails(outcome):
    return isinstance(outcome, Exception)


def succeeds(outcome):
    return not fails(outcome)


def anything(outcome):
    return True


#: What may be wrong with a step.
ERRORS = (
    "Inplace update to inference tensor",
    "Inference tensors cannot be saved",
    "modified inplace",
    "modified by an inplace operation",
    "leaf Variable that requires grad is being used in an in-place",
    "leaf variable has been moved into the graph interior",
    "does not require grad",
    "appears to not have been used in the graph",
    "grad can be implicitly created only for",
    "Trying to backward through the graph a second time",
    "returned an invalid gradient",
    "has changed the size of value",
    "has changed the type of value",
    "expected Variable, but hook returned",
    "more than one element of the written-to tensor",
    "refer to a single memory location",
    "The size of tensor",
    "shape mismatch",
    "doesn't match the broadcast shape",
    "The expanded size of the tensor",
    "their dimensionality must match",
    "shapes cannot be multiplied",
    "expected src to have a size equal",
    "must have same slice shapes",
    "source tensor shape must match",
    "view size is not compatible",
    "is invalid for input of size",
    "maximum size for tensor at dimension",
    "only supports a 0-dimensional value",
    "must have the same scalar type",
    "Expected object of scalar type",
    "Expected both inputs to be Half, Float or Double",
    "Tensor must have a",
    "dtype",
    "complex",
    "can't be cast to the desired output type",
    "not implemented for",
    "out of bounds",
    "out of range",
    "'weight' must be 2-D",
    "its base or another view of its base has been modified inplace",
    "too many indices",
    "must have at least 2 dimensions",
    "mixed dtype",
    "expected input with shape",
    "should be the same",
    "expected scalar type",
    "don't support automatic differentiation",
    "is not on the expected device",
    "to be in the same device",
    "to be on the same device",
    "expected device",
    "Cannot copy out of meta tensor",
    "called on meta tensors",
    "expects a tensor with <= 2 dimensions",
    "Number of indices",
    "inconsistent tensor size",
    "channels, but got",
)


def what_is_wrong(outcome):
    """Which of ``ERRORS`` an outcome is; None if it is none."""
    return next((words for words in ERRORS if says(words)(outcome)), None)


def two_errors(theirs, ours):
    """Whether two libraries have each found another thing that is wrong with a step: each looks in an order of its own."""
    return None is not what_is_wrong(theirs) != what_is_wrong(ours) is not None


#: How operators for dense tensors refuse a sparse one, in PyTorch, and here.
SPARSE_REFUSED = (
    "'SparseCPU' backend",
    "sparse transpose: transposed dimensions must be sparse",
    "permute(sparse_coo): transpositions between sparse and dense",
    "t() expects a tensor with <= 2 sparse and 0 dense dimensions",
    "reshape is not implemented for sparse tensors",
    "expand is unsupported for Sparse tensors",
    "is_coalesced expected sparse coordinate tensor layout but got Strided",
    "unsupported memory format option",
    "memory format option is only supported by strided tensors",
    "Sparse division requires a scalar or zero-dim dense tensor divisor",
    "dense-sparse addition does not currently support broadcasting",
    "Concatenating sparse tensors, but a dense tensor was found",
    "doesn't support converting to a different layout",
)


def refuses_sparse(outcome):
    """Whether an outcome is an error for a sparse tensor."""
    return fails(outcome) and any(words in str(outcome) for words in SPARSE_REFUSED)


#: (which steps, what PyTorch does, what minigrad does, whether the program can go on, why this is right).
DIFFERENCES = [
    ("", says("INTERNAL ASSERT FAILED"), anything, False, "a mistake of PyTorch's"),
    ("", says("doesn't correspond to a device"), anything, False, "a mistake of PyTorch's: it asks which device conjugate and negative views are on"),
    (
        "deepcopy", says("only works for subclass types that implement new_empty()"), succeeds, True,
        "PyTorch copies no tensor of a subclass, but for parameters, that does not define new_empty()",
    ),
    ("sparse_|csr_", says("Cannot access storage of"), anything, False, "a mistake of PyTorch's: a subclass's tensors that became sparse are looked for in memory"),
    ("csr_", says("Sparse CSR tensors do not have strides"), succeeds, False, "the same of a subclass's tensors in rows"),
    ("grad", says("tensor does not have a device"), anything, False, "a mistake of PyTorch's: a gradient that is None reached a sum"),
    (
        "backward|grad", says("Expected isFloatingType(grad.scalar_type())"), anything, False,
        "a mistake of PyTorch's: in where() of a real and a complex tensor, the real one's gradient stays complex",
    ),
    ("", says("has been detached in-place"), anything, False, "docs/differences.md: what backward needs may be detached in place"),
    (
        "", anything, says("the base of this view was given another shape in place"), False,
        "docs/differences.md: the place of a view in a base that was transposed in place is not known any more",
    ),
    (
        "backward", says("invalid gradient at index 0"), anything, False,
        "a tensor got another shape in place under no_grad: PyTorch finds that its gradient does not fit its node",
    ),
    (
        "backward|grad", says("incorrect number of values"), says("incorrect number of values"), False,
        "a node frees what it saved as it runs; in PyTorch after its hooks, of which one has failed: the next backward differs",
    ),
    (
        "register_hook|: retain", succeeds, says("modified inplace"), False,
        "PyTorch takes the second hook of a tensor whose first it refused",
    ),
    (
        "", says("Inplace update to inference tensor"), says("Inplace update to inference tensor"), False,
        "PyTorch writes, and then refuses to have written; here the tensor stays as it was",
    ),
    (
        "tril_|conj_physical_", succeeds, says("more than one element of the written-to tensor"), False,
        "PyTorch writes to an expanded tensor, to each element several times, or finds that it would write what is there",
    ),
    (
        r"o\d+\.step", says("more than one element of the written-to tensor"), succeeds, False,
        "an optimizer does not ask whether elements of a parameter share memory: all of them have the gradient of the last",
    ),
    (
        "backward|grad", says("more than one element of the written-to tensor"), succeeds, False,
        "a hook writes to a gradient that in PyTorch is expanded",
    ),
    (
        "backward|grad", says("which is output 0 of AsStrided"), says("modified by an inplace operation"), True,
        "what a write to a view saved of its result is called by the op that wrote",
    ),
    (
        r"= m\d", succeeds, says("Inference tensors cannot be saved"), False,
        "a module's node saves the operand as it is, in PyTorch a copy that was made outside of inference mode where one was needed",
    ),
    (
        r"o\d+\.step", says("Inplace update to inference tensor"), succeeds, False,
        "the state that an optimizer makes in inference mode is as any other, and so are its next steps",
    ),
    (
        "backward|grad", says("is out of bounds for dimension"), says("is out of bounds for axis"), False,
        "indices that a program wrote to behind autograd's back are refused in NumPy's words",
    ),
    ("fft", says("MKL FFT error"), succeeds, True, "a mistake of PyTorch's: a transform of tensors without elements"),
    ("index_copy_", says("setStorage: sizes"), says("is out of bounds"), False, "a mistake of PyTorch's: it looks for a row of nothing"),
    ("meta", fails, fails, True, "docs/differences.md: tensors on meta are refused as those of the CPU are, in other words"),
    ("meta", succeeds, fails, False, "docs/differences.md: tensors on meta are refused as those of the CPU are"),
    (
        "func_", says("Inference tensors cannot be saved"), succeeds, False,
        "what transforms are given they see as an alias, which is no inference tensor",
    ),
    (
        "select_scatter|embedding|binary_cross_entropy|sparse_|csr_", says("does not support automatic differentiation"), succeeds, False,
        "minigrad differentiates it for complex tensors too",
    ),
    (
        "backward|grad", says("Cannot copy out of meta tensor"), anything, False,
        "a gradient on meta is refused where it reaches a leaf of the CPU, in PyTorch where it passes the copy: hooks between see it",
    ),
    (
        "backward|grad", refuses_sparse, refuses_sparse, False,
        "a sparse gradient is refused by another operator of a formula for dense ones",
    ),
    ("backward|grad", refuses_sparse, succeeds, False, "a formula for dense gradients also does for a sparse one"),
    (
        "backward|grad", succeeds, says("asks for gradients that the compiled function has not computed before"), False,
        "docs/explanation/capture.md: the backward of a compiled function runs its forward again where it must, or refuses",
    ),
    (
        "backward|grad", says("Output 0 of Unsqueeze is a view of a view"), succeeds, False,
        "avg_pool1d saves a view of its operand in PyTorch, which needs only the shape: a view that is stale by then",
    ),
    (
        "func_vmap_grad", succeeds, says("A view was created in no_grad mode and its base"), False,
        "a stale view is refused in transforms as outside of them; PyTorch's levels hide what it is",
    ),
    (
        "func_", succeeds, says("Inference tensors cannot be saved"), False,
        "an inference tensor that a transform captures cannot be saved, as outside of transforms; PyTorch's levels hide what it is",
    ),
    (
        "backward|grad", succeeds, says("WrongShapeBackward returned an invalid gradient"), False,
        "PyTorch does not look at a gradient that leads nowhere",
    ),
]  # fmt: skip

#: What is compared of the words of two errors that begin alike, where they go on in another way: (what one of the program's steps is, the words, why).
OTHER_WORDS = [
    (
        r"fft|= m\d|o\d+\.step",
        "modified by an inplace operation",
        "what a module records by one node saves its operands as they are; how often an optimizer writes to a parameter is its own business",
    ),
    (
        "meta",
        "modified by an inplace operation",
        "errors call tensors on meta what they call those of the CPU",
    ),
    (
        "func_",
        "modified by an inplace operation",
        "docs/differences.md: what a transform is given it sees as an alias, of which no operator is known",
    ),
]

#: Nodes of derivatives of derivatives, by the step whose operator's formula has others than PyTorch's, for the same values.
OTHER_NODES = r"layer_norm|cross_entropy|normalize|pairwise|checkpoint|softmax|softplus|gelu|sqrt|_loss|cumsum|func_vmap|= m\d"

#: The node of a complex derivative's formula, which is made of the conjugate of what PyTorch's is made of.
CONJUGATED = "ConjPhysicalBackward0"

#: Steps recorded by other nodes than PyTorch's, by one, or by nodes that save less: which gradients have been accumulated when a backward fails depends
#: on them, and the order in which gradients reach a module's parameters.
OTHER_ENDS = r"pairwise|fft|func_vmap|avg_pool1d|csr_|sparse_|= m\d"

#: Writes whose value of another dtype is converted by a node of its own here.
CONVERTS = "set_mask"

#: Steps whose gradients say in PyTorch that they depend on an operand, although it does not change them: its formulas give zeros for what changes,
#: or record that all gradients of one node depend on what one does.
ZERO_TIMES = "relu|avg_pool1d|max_pool1d|conv1d|_norm|encoder|sparse_sum"

#: Steps whose nodes save less than PyTorch's: what is not saved may be written to, and is not freed; and how PyTorch refuses that.
SAVES_LESS = "conv1d|avg_pool1d|csr_|sparse_"
NOT_AS_SAVED = "Trying to backward through the graph a second time|modified by an inplace operation"

#: Steps whose gradients can be differentiated again; in PyTorch they have no history.
TWICE = "sparse_"

#: Steps that PyTorch records by custom Functions, which make zeros of a gradient that is None before they pass it on.
ZEROS_FOR_NONE = "Beta|Dirichlet"

#: Steps of which a node saves what was computed of the argument of a transform: that keeps its history here, though it leads nowhere any more, and so a
#: gradient that is computed of it under ``create_graph`` requires grad.
LEADS_NOWHERE = "func_"

#: Where an operand of these is no dense tensor in the order of its indices, PyTorch's result has the order of the first; here it may be
#: that of the indices.
OTHER_ORDER = r" = (polar|add|sub|mul|div|maximum|lerp|addcmul|where|complex|get_list|get_mixed)\("

#: Steps that write to what backward needs without its notice, and operators that have then saved something else than PyTorch's: a mask, gates.
UNNOTICED = (r"hook\(step\)|data_|detach_mul", "prelu|lstm")

#: What subclasses hear of a loader's stacking: PyTorch asks for properties that are the same for all tensors here.
ASKED_WHEN_STACKING = ("batch|shuffled|data_", "__get__")

#: What minigrad says of a view whose base was transposed in place, see above.
UNKNOWN_PLACE = [lambda text: isinstance(text, str) and "given another shape in place" in text]
