"""What may differ between the two libraries when ``random_calls.py`` calls their functions, and why."""

import re

#: Functions whose results have elements that nothing has defined.
UNDEFINED = re.compile(r".*\.(empty\w*|new_empty\w*|resize_\w*)")
#: Functions whose results are not unique.
UNORDERED = re.compile(
    r".*\.(svd|eig|eigh|eigvals|qr|geqrf|topk|sort|argsort|msort|mode|median|nanmedian|kthvalue|unique)"
)

#: (functions, kind of difference, pattern found in what both say) -> reason.
JUSTIFIED = [
    (
        r".*",
        r"\| ImportError: minigrad\.\S+ needs the package",
        "an optional package that is not installed here",
    ),
    (
        r".*",
        r"^class: (AttributeError: (?!.* \| AttributeError)|TypeError: 'int' object is not callable)",
        "PyTorch's functions in Python fail over an attribute of what is no tensor; here TypeError says so",
    ),
    (
        r".*",
        r"INTERNAL ASSERT|report a bug|primitive descriptor|oneMKL|internal error|undefined Tensor|Could this error message be improved"
        r"|^class: (ValueError: The truth value of an array|RuntimeError: Boolean value of Tensor with more)|^accepted: ZeroDivisionError"
        r"|^class: .* \| RuntimeError: Boolean value of Tensor with more",
        "PyTorch fails where it did not mean to",
    ),
    (
        r".*",
        r"^class: RuntimeError: .* \| TypeError: .*must be str, not bytes",
        "bytes are no str: PyTorch takes them for one, and refuses what they say",
    ),
    (
        r".*",
        r"^(refused|class|accepted): .*(must be (int|float|tuple of ints), not numpy\.ndarray|got \(.*numpy\.ndarray|over a 0-d array).*np\.array\(3\)",
        "an array without dimensions, which PyTorch takes for some ints and not for others",
    ),
    (
        r".*",
        r"^refused: .* not implemented for .*\(([\d, ]*, )?0(, [\d, ]*)?\)",
        "without elements PyTorch does not ask for the dtype",
    ),
    (
        r".*\.(cummax|cummin|kthvalue|mode)",
        r"^refused: .*_cpu\" not implemented for .*, \(\), ",
        "of a number by itself PyTorch does not ask for the dtype",
    ),
    (
        r".*",
        r"^(class|accepted): NotImplementedError: Could not run 'aten::.*'(SparseCPU|SparseCsrCPU|CPU)'"
        r"|^accepted: (RuntimeError: (unsupported tensor layout: Sparse|addmm: computation on CPU is not|addmm_sparse_dense: expected)"
        r"|NotImplementedError: \"(sparse_matmul|addmm_out_sparse_csr_impl_mkl|cadd_sparse|(log_)?softmax)\" not)",
        "an operator that has no form for sparse tensors in PyTorch: here it may have one, or something else that is wrong is told of",
    ),
    (
        r".*logsumexp",
        r"^accepted: RuntimeError: output with shape \[\]",
        "no dimension at all means all of them, as in PyTorch's other reductions",
    ),
    (r".*matrix_exp", r"^result: values .*(float16)", "PyTorch's series overflows in half precision"),
    (
        r".*logit_?",
        r"^result: values",
        "an eps above a half leaves no interval: PyTorch's kernels differ from each other",
    ),
    (r".*as_strided_scatter", r"^result: values", "several elements for one place in memory"),
    (r".*\.(stride|storage_offset)", r"^result: ", "strides of a tensor without elements"),
    (
        r".*\.(kron|conv_tbc|take_along_dim|isin|matrix_exp|LBFGS)",
        r"^(accepted|class): RuntimeError: view size is not compatible",
        "PyTorch asks for a view where a copy does as well",
    ),
    (
        r".*\.ldexp_?",
        r"^accepted: NotImplementedError: \"ldexp_cpu_exp\" not implemented for 'Bool'",
        "an exponent that is true or false is 0 or 1, as PyTorch has it beside whole numbers",
    ),
    (
        r".*",
        r"^accepted: TypeError: .*(object of type 'numpy\.\w+' has no len|(must be|expected) .*numpy\.int\d+)",
        "NumPy's integers are taken wherever ints are; PyTorch fails over them in some places",
    ),
    (
        r".*ctc_loss",
        r"^refused: .*Expected targets to be classes",
        "PyTorch reads beyond the memory of the probabilities",
    ),
    (
        r".*\.(conv[123]d|convolution|pixel_unshuffle|PixelUnshuffle)",
        r"^result: shape .*[(\[]([\d, ]*, )?0[,)\]]",
        "images without channels, of which PyTorch makes no filters, or which it does not rearrange: the shape says so here",
    ),
    (
        r".*\.(max|min)",
        r"^refused: .*Expected reduction dim to be specified for input",
        "the largest of no elements, for which PyTorch writes an infinity into out, and refuses without one",
    ),
    (
        r".*\.(solve|tensorsolve|inv|tensorinv)",
        r"^accepted: _LinAlgError: .*singular",
        "a matrix without an inverse, whose pivots are zero up to rounding",
    ),
    (r".*\.(as_tensor|to)", r"^identity: .*cpu:0", "there is one CPU: cpu:0 is no other device than cpu"),
    (
        r".*\.(pinverse|pinv|cond|lstsq|matrix_rank)",
        r"^result: values",
        "a matrix without an inverse: what is left is rounding",
    ),
    (
        r".*\.Kumaraswamy",
        r"^result: values .*\.mode",
        "PyTorch takes the logarithm of a negative number, and finds no mode",
    ),
    (
        r".*\.(soft_margin_loss|SoftMarginLoss)",
        r"^result: values .*inf",
        "a loss whose exponential overflows in PyTorch, which is finite itself",
    ),
    (
        r".*\.RMSprop",
        r"^result: .*alpha=(0\.0|1e-05).*centered=True",
        "a variance of one gradient alone: what is left is rounding",
    ),
    (r".*\.cov", r"^written", "PyTorch writes into an operand whose elements share memory"),
    (
        r".*\.cov",
        r"^result: values .*(nan|inf)",
        "rounding, divided by the nothing that weights less a correction leave",
    ),
    (r".*polynomial.*", r"^result: values .*(1e\+?30|2\*\*31|nan)", "degrees beyond all use"),
    (r".*\.ldexp_?", r"^result: values .*float16", "PyTorch rounds the power of two to half precision first"),
    (
        r".*\.(bilinear|norm_except_dim)|torch\.distributions\..*",
        r"^accepted: RuntimeError: cannot reshape tensor of 0 elements",
        "PyTorch has sizes found that it knows",
    ),
    (
        r".*",
        r"^refused: .*(expected scalar type|should be the same|must have the same dtype|dtypes must be the same|scalar types: ).*[(\[]([\d, ]*, )?0(, [\d, ]*)?[)\]]",
        "without elements PyTorch does not ask whether dtypes fit",
    ),
    (
        r".*",
        r"^refused: .*(negative|overflowed).*[(\[](-?\d+, )*0(, -?\d+)*[)\]]",
        "a negative size beside one of 0: there are no elements, so that PyTorch does not look",
    ),
    (
        r".*fractional_max_pool3d",
        r"^refused: .*kernel_size must be positive",
        "windows of a negative size, in which PyTorch finds nothing",
    ),
    (
        r".*\.view",
        r"^accepted: .*self\.stride\(-1\) must be 1 .*, but got 0",
        "strides of a tensor without elements",
    ),
    (
        r".*",
        r"^accepted: RuntimeError: The function '.*' is not differentiable with respect to argument",
        "a gradient that PyTorch has not",
    ),
    (
        r"operator\..*",
        r"^(accepted|class|refused|result): .*np\.(array|ones)\(",
        "an array beside a tensor: PyTorch leaves some to NumPy, which refuses them, or says what is wrong in words of its own",
    ),
    (
        r".*\.(i?add|i?sub|subtract)_?",
        r"^result: values .*nanj.*inf",
        "infinity times an alpha of one, which is complex in PyTorch",
    ),
    (
        r".*\.(sum|max|min|prod|median|nanmedian|squeeze)_?",
        r"(^accepted: .*got \(Tensor, out=Tensor\)|^class: .*missing 1 required positional arguments: \"dim\"|^accepted: TypeError.*NoneType)",
        "dim=None means all dimensions whether it is said or not, as in PyTorch's other reductions",
    ),
    (
        r"torch\.Tensor\..*",
        r"^accepted: TypeError: .*out=None|^(accepted|inside|class): TypeError: .*(takes no keyword arguments|unexpected keyword argument 'out'|unrecognized keyword arguments: out)",
        "methods take out as functions do",
    ),
    (
        r".*embedding_bag",
        r"^(result|refused): .*T\('int\d\d', \(\d,\), \d+, '(index)?', '(expanded|transposed|strided)'",
        "PyTorch reads indices and offsets as if they lay side by side",
    ),
    (
        r".*\.(addmm|addbmm|addmv|baddbmm|addcmul|addcdiv)_?",
        r"^result: values .*(alpha|value)=(inf|1e400)",
        "an infinite factor, by which PyTorch multiplies before or after it sums, whichever is quicker",
    ),
    (
        r".*\.(gelu|triu|tril)",
        r"^result: values .*out=T\(.*'(transposed|strided)'",
        "PyTorch leaves an out as it is whose elements do not lie in their order",
    ),
    (r".*\.diff", r"^identity", "without elements PyTorch returns the operand itself"),
    (
        r".*unique_consecutive",
        r"^result: (shape|values) .*\), True",
        "PyTorch leaves out the inverse that it was asked for when it is given by position",
    ),
    (
        r".*",
        r"^accepted: RuntimeError: \w+ does not support automatic differentiation for outputs with complex dtype",
        "formulas that hold for complex numbers as well",
    ),
    (
        r".*(multilabel_margin_loss|MultiLabelMarginLoss)",
        r"^result: .*\(0, \d\)",
        "of no samples PyTorch returns what was in the memory",
    ),
    (
        r".*instance_norm",
        r"^accepted: RuntimeError: mean\(\): could not infer output dtype",
        "statistics that are integers, of no channels",
    ),
    (
        r".*native_batch_norm",
        r"^refused: .* should contain \d+ elements",
        "PyTorch reads beyond the memory of parameters that are too short",
    ),
    (
        r".*\.(conv_transpose\dd|ConvTranspose\dd)",
        r"^refused: .*Output size is too small",
        "images without elements, which only the kernel for bfloat16 makes",
    ),
    (
        r".*\.fft\.r?fftfreq",
        r"(^result: |^accepted: .*slice\(\))",
        "PyTorch takes the second half of an out of another shape along its first dimension",
    ),
    (
        r".*\.round_?",
        r"^accepted: .*round_vml_cpu",
        "whole numbers are round, whether decimals are said or not",
    ),
    (
        r".*\.(mul|multiply|add|sub|subtract|div|divide|true_divide|floor_divide|normalize)",
        r"^(refused: |class: (RuntimeError: result type|OverflowError) ?).*argument 'out' must be Tensor",
        "PyTorch takes a number for the tensor to write into, and forgets what it has written",
    ),
    (
        r".*\.(airy_ai|polygamma|zeta|psi|digamma|bessel_\w+)_?",
        r"^result: values",
        "poles, and places where a series ends: neither library is right to the last digit",
    ),
]


def reason(function, kind, theirs, ours, text):
    """Why a difference is justified, or None."""
    line = f"{kind}: {theirs} | {ours} | {text}"
    for functions, pattern, why in JUSTIFIED:
        if re.fullmatch(functions, function) and re.search(pattern, line):
            return why
    return None
