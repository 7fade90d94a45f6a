"""What the parameters of the tensor API take: by name, and where a function differs, by function.

The functions themselves say no more than what a parameter is called: most are made by families.
"""

#: What is taken by the parameters of these names.
KINDS = {
    "_Device": ("device"),
    "Generator | None": ("generator"),
    "Sequence[Tensor]": ("tensors"),
    "Sequence[builtins.int]": ("normalized_shape pad physical_layout size sizes split_sizes"),
    "Tensor": (
        "A LU_data LU_pivots abs anchor angle batch1 batch2 boundaries condition count elements grid hx imag index indices input input1 input2 input3 "
        "log_probs mask mat mat1 mat2 negative offsets positive prob real sorted_sequence source src target targets tensor tensor1 tensor2 "
        "tensor_indices_or_sections test_elements the_template theta v values vec vec1 vec2 w_hh w_ih weight x x1 x2 y"
    ),
    "Tensor | None": (
        "append aweights b_hh b_ih bias fweights out per_sample_weights pos_weight prepend running_mean running_var sorter weights window"
    ),
    "Tensor | Sequence[builtins.int]": ("input_lengths target_lengths"),
    "Tensor | builtins.complex": ("exponent other"),
    "Tensor | builtins.complex | None": ("max min"),
    "Tensor | builtins.float": ("q"),
    "Tensor | builtins.int": ("repeats"),
    "builtins.bool": (
        "accumulate align_corners assume_unique ceil_mode center compute_uv count_include_pad cudnn_enable cudnn_enabled density descending equal_nan "
        "force full implicit include_last_offset include_self increasing invert keepdim largest left log_input log_target non_blocking normalized "
        "out_int32 periodic replacement return_complex right scale_grad_by_freq some sorted sparse sparse_grad stable swap train training transpose "
        "transposed unbiased unitriangular unpack_data unpack_pivots upper use_input_stats with_replacement wrap zero_infinity"
    ),
    "builtins.bool | None": ("copy masked_grad onesided pin_memory requires_grad shared"),
    "builtins.complex": (
        "alpha beta dx element end fill_value lambd lower maxnorm s scalar scalar1 scalar2 start test_element threshold value"
    ),
    "builtins.complex | None": ("correction"),
    "_dtype": ("from_ to type1 type2"),
    "_dtype | None": ("dtype"),
    "builtins.float": ("atol base eps margin max_norm mean median momentum norm_type p rcond rtol sigma std"),
    "builtins.float | None": ("nan neginf posinf"),
    "builtins.int": (
        "C HxW N axis0 axis1 bins blank chunks col decimals diagonal dim dim0 dim1 dim2 dimension downscale_factor edge_order end_dim group groups "
        "high interpolation_mode k length low m minlength mode n n_fft num_groups num_samples offset padding_idx padding_mode pow r reduction row "
        "sections split_size start_dim step upscale_factor window_length"
    ),
    "builtins.int | None": ("hop_length steps storage_offset win_length"),
    "builtins.int | Sequence[builtins.int]": (
        "destination dilation dims kernel_size output_padding output_size padding shape shifts stride"
    ),
    "_layout | None": ("layout"),
    "_memory_format | None": ("memory_format"),
    "builtins.str": ("filename interpolation reduce"),
    "builtins.str | None": ("rounding_mode side"),
}
#: What some functions take instead: ``function.parameter``.
EXCEPTIONS = {
    "Tensor | builtins.complex | None": "scatter.src scatter_.src",
    "Any": (
        "_about_to_write.tensors bernoulli.p bernoulli_.p atleast_1d.tensors atleast_2d.tensors atleast_3d.tensors block_diag.tensors broadcast_tensors.tensors cartesian_prod.tensors cdist.p "
        "cdist.x1 cdist.x2 compile.mode eig.v einsum.args expand.sizes expand_copy.sizes from_dlpack.copy gru.args is_storage.obj is_tensor.obj "
        "lobpcg.A lobpcg.k lobpcg.largest lstm.args lstsq.A lu.A map_.tensor matrix_exp.A meshgrid.tensors norm.dim norm.p pca_lowrank.A "
        "pca_lowrank.center pca_lowrank.q random_.args resize_.sizes result_type.tensor1 result_type.tensor2 rnn_relu.args rnn_tanh.args save.obj "
        "set_.source set_printoptions.threshold solve.A split.tensor stft.center stft.hop_length stft.n_fft stft.normalized stft.onesided "
        "stft.return_complex stft.win_length stft.window svd_lowrank.A svd_lowrank.q sym_sum.args tensordot.dims to.args to_dlpack.tensor "
        "typename.obj unique.dim unique.sorted unique_consecutive.dim unravel_index.indices unravel_index.shape use_deterministic_algorithms.mode "
        "view.shape view_copy.shape"
    ),
    "Sequence[Tensor]": ("lstm_cell.hx"),
    "Sequence[Tensor] | None": (
        "index_put.indices index_put_.indices split_copy.out split_with_sizes_copy.out unbind_copy.out"
    ),
    "Sequence[Tensor] | builtins.int | Sequence[builtins.int]": ("histogramdd.bins"),
    "Sequence[builtins.int]": (
        "as_strided.stride as_strided_.stride as_strided_copy.stride as_strided_scatter.stride convolution.dilation convolution.output_padding "
        "convolution.padding convolution.stride empty_strided.stride new_empty_strided.stride permute_copy.dims rot90.dims set_.stride "
        "tensor_split.indices"
    ),
    "Tensor": (
        "allclose.other arctan2.other arctan2_.other atan2.other atan2_.other conv_tbc.bias copy_.other cross.other dist.other equal.other "
        "expand_as.other fmax.other fmin.other gcd.other gcd_.other hypot.other hypot_.other igamma.other igamma_.other igammac.other igammac_.other "
        "inner.other is_same_size.other isclose.other kron.other lcm.other lcm_.other ldexp.other ldexp_.other lerp.end lerp_.end logaddexp.other "
        "logaddexp2.other logical_and.other logical_and_.other logical_or.other logical_or_.other logical_xor.other logical_xor_.other matmul.other "
        "max.other maximum.other min.other minimum.other nextafter.other nextafter_.other reshape_as.other type_as.other vdot.other view_as.other"
    ),
    "Tensor | None": (
        "batch_norm.weight binary_cross_entropy_with_logits.weight group_norm.weight histogram.weight histogramdd.weight instance_norm.weight "
        "layer_norm.weight native_batch_norm.weight native_group_norm.weight native_layer_norm.weight rms_norm.weight"
    ),
    "Tensor | Sequence[Tensor] | None": (
        "aminmax.out cummax.out cummin.out frexp.out geqrf.out histogram.out kthvalue.out lu_unpack.out max.out median.out min.out mode.out "
        "nanmedian.out native_batch_norm.out qr.out slogdet.out sort.out svd.out topk.out triangular_solve.out"
    ),
    "Tensor | builtins.complex": (
        "add.input clamp_max.max clamp_max_.max clamp_min.min clamp_min_.min div.input fill.value fill_.value floor_divide.input index_fill.value "
        "index_fill_.value lerp.weight lerp_.weight linspace.end linspace.start logspace.end logspace.start masked_fill.value masked_fill_.value "
        "mul.input sub.input true_divide.input"
    ),
    "Tensor | builtins.float": ("normal.mean normal.std"),
    "Tensor | builtins.int": ("histogram.bins narrow.start randint_like.high"),
    "builtins.bool": (
        "frombuffer.requires_grad new_tensor.pin_memory new_tensor.requires_grad range.pin_memory range.requires_grad set_flush_denormal.mode "
        "tensor.pin_memory tensor.requires_grad"
    ),
    "builtins.bool | None": ("sort.stable"),
    "builtins.complex": (
        "arange.step dist.p histc.max histc.min range.step renorm.p renorm_.p rrelu.upper rrelu_.upper"
    ),
    "builtins.complex | None": ("add.alpha add_.alpha sub.alpha sub_.alpha"),
    "_dtype": ("frombuffer.dtype view.dtype view_copy.dtype"),
    "builtins.float": (
        "exponential_.lambd hamming_window.alpha hamming_window.beta kaiser_window.beta trapz.dx uniform_.from_ uniform_.to"
    ),
    "builtins.float | None": ("logit.eps logit_.eps rms_norm.eps"),
    "builtins.int": (
        "conv_tbc.pad cov.correction frombuffer.count mvlgamma.p mvlgamma_.p narrow_copy.start nonzero_static.fill_value nonzero_static.size "
        "select.index select_copy.index select_scatter.index set_.storage_offset unfold.size unfold_copy.size"
    ),
    "builtins.int | None": (
        "aminmax.dim argmax.dim argmin.dim cross.dim embedding_bag.padding_idx from_file.size istft.length nanquantile.dim quantile.dim "
        "repeat_interleave.dim repeat_interleave.output_size size.dim slice_copy.end slice_copy.start slice_scatter.end slice_scatter.start "
        "stride.dim take_along_dim.dim vander.N"
    ),
    "builtins.int | Sequence[builtins.int]": (
        "amax.dim amin.dim broadcast_to.size dsplit.indices empty.size expand.size frobenius_norm.dim hash_tensor.dim hsplit.indices logsumexp.dim "
        "moveaxis.source movedim.source new_empty.size new_ones.size new_zeros.size nuclear_norm.dim ones.size rand.size randn.size repeat.repeats "
        "resize_.size squeeze.dim squeeze_.dim squeeze_copy.dim sum_to_size.size view.size vsplit.indices zeros.size"
    ),
    "builtins.int | Sequence[builtins.int] | None": (
        "all.dim any.dim count_nonzero.dim gradient.dim mean.dim nanmean.dim nansum.dim std.dim std_mean.dim sum.dim var.dim var_mean.dim"
    ),
    "_memory_format": (
        "contiguous.memory_format cpu.memory_format cuda.memory_format is_contiguous.memory_format xpu.memory_format"
    ),
    "_Device": ("cuda.device xpu.device"),
    "builtins.str | _dtype | None": ("type.dtype"),
    "builtins.str | builtins.int | Sequence[builtins.int]": ("conv1d.padding conv2d.padding conv3d.padding"),
}
#: What ``*size`` and its kin take.
STARRED = {
    "builtins.int | Sequence[builtins.int]": "size sizes dims repeats",
    "Tensor | Sequence[Tensor]": "tensors",
}
#: Names that mean the same outside of the tensor API too.
EVERYWHERE = (
    "A bias ceil_mode count_include_pad device dilation dtype generator groups input keepdim kernel_size layout padding pin_memory "
    "requires_grad stride weight"
).split()

_KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
_EXCEPTION = {name: kind for kind, names in EXCEPTIONS.items() for name in names.split()}
_STARRED = {name: kind for kind, names in STARRED.items() for name in names.split()}


def kind_of(function, parameter, starred=False, everywhere=False):
    """What a parameter takes, as text; ``everywhere``: the function is not one of the tensor API."""
    if starred:
        return _STARRED.get(parameter, "Any")
    if function[:2] == "__" and function != "__array__":  # Python calls it with anything
        return "Any"
    if everywhere and parameter not in EVERYWHERE:
        return "Any"
    return _EXCEPTION.get(f"{function}.{parameter}") or _KIND_OF.get(parameter, "Any")
