# Written by `python -m tests.generate`: do not edit.
"""In which module each operator is: its functions, and what Tensor has of it, as ``_base/lazy.py`` describes such tables."""

FUNCTIONS = {
    "_ops.activation": "celu celu_ hardshrink prelu relu relu_ rrelu rrelu_ selu selu_ threshold threshold_",
    "_ops.addmm": "addbmm addmm addmv addmv_ addr baddbmm",
    "_ops.arithmetic": (
        "add mul multiply neg neg_ negative negative_ positive reciprocal reciprocal_ rsub sub subtract"
    ),
    "_ops.arrange": "diag diag_embed diagflat flip fliplr flipud roll rot90 trace tril triu",
    "_ops.avg_pooling": "adaptive_avg_pool1d avg_pool1d",
    "_ops.bins": "bincount bucketize histc histogram histogramdd isin searchsorted",
    "_ops.choose": (
        "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum nan_to_num "
        "nan_to_num_ where"
    ),
    "_ops.compare": (
        "eq ne not_equal lt less le less_equal gt greater ge greater_equal logical_and logical_or logical_xor "
        "logical_not bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift gcd gcd_ lcm "
        "lcm_ isnan isinf isfinite isposinf isneginf isreal signbit isclose allclose equal is_nonzero"
    ),
    "_ops.complex": (
        "_conj _conj_physical _neg_view angle complex conj conj_physical conj_physical_ imag is_conj is_neg polar real "
        "resolve_conj resolve_neg view_as_complex view_as_real"
    ),
    "_ops.convert": "clone fill fill_ zero_",
    "_ops.convolution": (
        "conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution"
    ),
    "_ops.create": (
        "empty empty_like empty_permuted empty_strided eye full full_like ones ones_like scalar_tensor zeros zeros_like"
    ),
    "_ops.ctc": "ctc_loss",
    "_ops.cumulative": (
        "cummax cummin cumprod cumsum cumulative_trapezoid diff gradient logcumsumexp trapezoid trapz"
    ),
    "_ops.distance": "cdist cosine_similarity dist pairwise_distance pdist",
    "_ops.dlpack": "to_dlpack",
    "_ops.dropout": (
        "alpha_dropout alpha_dropout_ dropout dropout_ feature_alpha_dropout feature_alpha_dropout_ feature_dropout "
        "feature_dropout_ native_dropout"
    ),
    "_ops.einsum": "bilinear chain_matmul einsum inner kron tensordot",
    "_ops.embedding": "embedding embedding_bag embedding_renorm_",
    "_ops.error_function": "erf erf_ erfc erfc_",
    "_ops.fake_quantize": "dequantize fake_quantize_per_channel_affine fake_quantize_per_tensor_affine",
    "_ops.float_parts": "copysign frexp ldexp ldexp_ nextafter",
    "_ops.from_data": "as_tensor asarray from_dlpack from_numpy frombuffer tensor",
    "_ops.gather": "gather take_along_dim",
    "_ops.grouped_products": "_grouped_mm",
    "_ops.hashing": "hash_tensor",
    "_ops.image": (
        "affine_grid_generator channel_shuffle grid_sampler grid_sampler_2d grid_sampler_3d native_channel_shuffle "
        "pixel_shuffle pixel_unshuffle"
    ),
    "_ops.index": "index_put index_put_",
    "_ops.index_slices": "index_add index_copy index_fill index_select",
    "_ops.inquire": (
        "_assert _is_all_true _is_any_true is_complex is_floating_point is_inference is_same_size is_signed is_tensor "
        "numel result_type"
    ),
    "_ops.join": (
        "atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cat column_stack "
        "combinations concat concatenate dstack hstack meshgrid repeat_interleave row_stack stack tile vstack"
    ),
    "_ops.legacy_types": (
        "BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor "
        "ShortTensor set_default_tensor_type typename"
    ),
    "_ops.linalg_factors": "cholesky_inverse cholesky_solve lu_unpack",
    "_ops.linalg_functions": "logdet matrix_exp",
    "_ops.linalg_old": (
        "cholesky det eig frobenius_norm lstsq lu lu_solve matrix_power matrix_rank nuclear_norm qr slogdet solve svd "
        "symeig"
    ),
    "_ops.linalg_orthogonal": "geqrf orgqr ormqr",
    "_ops.linalg_solvers": "inverse triangular_solve",
    "_ops.linalg_spectral": "pca_lowrank pinverse svd_lowrank",
    "_ops.linalg_vectors": "corrcoef cov cross vander",
    "_ops.loss": "poisson_nll_loss",
    "_ops.loss_functions": "binary_cross_entropy_with_logits kl_div",
    "_ops.mapped_files": "from_file",
    "_ops.margin_loss": "cosine_embedding_loss hinge_embedding_loss margin_ranking_loss triplet_margin_loss",
    "_ops.masks": "masked_fill masked_scatter masked_select",
    "_ops.matmul": "mm bmm mv dot vdot outer ger matmul spmm",
    "_ops.max_pooling": "adaptive_max_pool1d max_pool1d max_pool1d_with_indices max_pool2d max_pool3d",
    "_ops.moments": "norm norm_except_dim renorm std std_mean var var_mean",
    "_ops.nonzero": "argwhere nonzero nonzero_static unravel_index",
    "_ops.normalize": (
        "batch_norm group_norm instance_norm layer_norm native_batch_norm native_group_norm native_layer_norm rms_norm"
    ),
    "_ops.order_statistics": "kthvalue median mode nanmedian nanquantile quantile",
    "_ops.padding": "constant_pad_nd",
    "_ops.part_scatter": "as_strided_scatter diagonal_scatter select_scatter slice_scatter",
    "_ops.parts": "diagonal narrow select",
    "_ops.permute": "adjoint moveaxis movedim permute swapaxes swapdims t transpose",
    "_ops.powers": "float_power hypot pow rsqrt rsqrt_ sqrt sqrt_ square square_",
    "_ops.random": (
        "Generator bernoulli binomial default_generator get_rng_state initial_seed manual_seed multinomial normal "
        "poisson rand rand_like randint randint_like randn randn_like randperm seed set_rng_state thread_safe_generator"
    ),
    "_ops.random_gamma": "_dirichlet_grad _sample_dirichlet _standard_gamma _standard_gamma_grad",
    "_ops.ranges": "arange linspace logspace range tril_indices triu_indices",
    "_ops.recurrent": "gru gru_cell lstm lstm_cell rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell",
    "_ops.reduce": (
        "all amax amin aminmax any argmax argmin count_nonzero logsumexp max mean min nanmean nansum prod sum"
    ),
    "_ops.rounding": (
        "abs abs_ absolute ceil ceil_ div divide fix fix_ floor floor_ floor_divide fmod frac frac_ heaviside remainder "
        "round round_ sgn sign true_divide trunc trunc_"
    ),
    "_ops.scatter": "index_reduce scatter scatter_add scatter_reduce",
    "_ops.segments": "_segment_reduce segment_reduce",
    "_ops.shape": "broadcast_to flatten ravel reshape squeeze unflatten unsqueeze",
    "_ops.sobol": (
        "_sobol_engine_draw _sobol_engine_ff_ _sobol_engine_initialize_state_ _sobol_engine_scramble_"
    ),
    "_ops.softmax": "log_softmax softmax",
    "_ops.sorting": "argsort msort sort topk unique unique_consecutive",
    "_ops.special": "digamma erfinv i0 i0_ igamma igammac lgamma mvlgamma polygamma",
    "_ops.spectral": "istft stft",
    "_ops.split": "chunk dsplit hsplit split split_with_sizes tensor_split unbind vsplit",
    "_ops.storage_classes": (
        "BFloat16Storage BoolStorage ByteStorage CharStorage ComplexDoubleStorage ComplexFloatStorage DoubleStorage "
        "FloatStorage HalfStorage IntStorage LongStorage ShortStorage TypedStorage UntypedStorage"
    ),
    "_ops.storages": "is_storage",
    "_ops.strided": "as_strided resize_as_",
    "_ops.take": "put take",
    "_ops.tensor_functions": (
        "as_strided_ detach detach_ get_device is_distributed q_per_channel_axis q_per_channel_scales "
        "q_per_channel_zero_points q_scale q_zero_point"
    ),
    "_ops.ternary": "addcdiv addcmul lerp",
    "_ops.transcendental": (
        "acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan_ "
        "arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan_ atanh atanh_ cos cos_ cosh cosh_ deg2rad deg2rad_ "
        "exp exp2 exp2_ exp_ expm1 expm1_ log log10 log10_ log1p log1p_ log2 log2_ log_ logaddexp logaddexp2 logit "
        "logit_ rad2deg rad2deg_ sigmoid sigmoid_ sin sin_ sinc sinc_ sinh sinh_ tan tan_ tanh tanh_ xlogy xlogy_"
    ),
    "_ops.view_copies": (
        "alias_copy as_strided_copy detach_copy diagonal_copy expand_copy narrow_copy permute_copy select_copy "
        "slice_copy split_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy "
        "unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze_copy view_as_complex_copy view_as_real_copy "
        "view_copy"
    ),
    "_ops.windows": "bartlett_window blackman_window hamming_window hann_window kaiser_window",
}

METHODS = {
    "_ops.activation": "hardshrink prelu relu relu_",
    "_ops.addmm": "addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_",
    "_ops.arithmetic": (
        "add add_ mul mul_ multiply multiply_ neg neg_ negative negative_ positive reciprocal reciprocal_ sub sub_ "
        "subtract subtract_ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ "
        "__iadd__ __imul__ __isub__ __itruediv__ __idiv__ __neg__=neg __pos__=positive __rdiv__=__rtruediv__"
    ),
    "_ops.arrange": (
        "diag diag_embed diagflat fill_diagonal_ flip=flip_method fliplr flipud roll rot90 trace tril tril_ triu triu_"
    ),
    "_ops.bins": "bincount histc histogram",
    "_ops.choose": (
        "clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ fmax fmin maximum minimum nan_to_num "
        "nan_to_num_ where=where_method"
    ),
    "_ops.compare": (
        "allclose bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or "
        "bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ eq eq_ equal gcd gcd_ ge ge_ "
        "greater greater_ greater_equal greater_equal_ gt gt_ is_nonzero isclose isfinite isinf isnan isneginf isposinf "
        "isreal lcm lcm_ le le_ less less_ less_equal less_equal_ logical_and logical_and_ logical_not logical_not_ "
        "logical_or logical_or_ logical_xor logical_xor_ lt lt_ ne ne_ not_equal not_equal_ signbit __and__ __rand__ "
        "__or__ __ror__ __xor__ __rxor__ __lshift__ __rlshift__ __rshift__ __rrshift__ __invert__ __eq__ __ne__ __lt__ "
        "__le__ __gt__ __ge__ __iand__=bitwise_and_ __ilshift__=bitwise_left_shift_ __ior__=bitwise_or_ "
        "__irshift__=bitwise_right_shift_ __ixor__=bitwise_xor_"
    ),
    "_ops.complex": (
        "angle _conj conj _conj_physical conj_physical conj_physical_ imag=imaginary_part is_conj is_neg real=real_part "
        "resolve_conj resolve_neg _neg_view"
    ),
    "_ops.convert": (
        "bfloat16 bool=bool_ byte cdouble cfloat chalf char clone contiguous copy_ cpu cuda double fill_ float half int "
        "ipu long mtia short to to_dense type=type_ type_as xpu zero_"
    ),
    "_ops.copying": "module_load",
    "_ops.create": "new_empty new_empty_strided new_full new_ones new_zeros",
    "_ops.cumulative": "cummax cummin cumprod cumprod_ cumsum cumsum_ diff logcumsumexp",
    "_ops.distance": "dist",
    "_ops.dlpack": "__dlpack__=dlpack __dlpack_device__=dlpack_device",
    "_ops.einsum": "inner kron",
    "_ops.error_function": "erf erf_ erfc erfc_",
    "_ops.fake_quantize": "dequantize",
    "_ops.float_parts": "copysign copysign_ frexp ldexp ldexp_ nextafter nextafter_",
    "_ops.from_data": "new_tensor",
    "_ops.gather": "gather take_along_dim",
    "_ops.hashing": "hash_tensor",
    "_ops.index": "index_put index_put_ __getitem__ __setitem__",
    "_ops.index_slices": "index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_select",
    "_ops.inquire": "is_same_size _is_all_true _is_any_true",
    "_ops.join": "repeat repeat_interleave=repeat_interleave_method tile=tile_method",
    "_ops.layout": (
        "const_data_ptr=data_ptr data_ptr dim_order element_size get_device is_complex is_contiguous is_distributed "
        "is_floating_point is_pinned is_signed storage_offset stride _is_zerotensor"
    ),
    "_ops.legacy_types": "new",
    "_ops.linalg_factors": "cholesky_inverse cholesky_solve",
    "_ops.linalg_functions": "logdet matrix_exp",
    "_ops.linalg_old": (
        "cholesky det eig lstsq lu=lu_method lu_solve matrix_power qr slogdet solve svd symeig"
    ),
    "_ops.linalg_orthogonal": "geqrf orgqr ormqr",
    "_ops.linalg_solvers": "inverse triangular_solve",
    "_ops.linalg_spectral": "pinverse",
    "_ops.linalg_vectors": "corrcoef cov cross",
    "_ops.masks": "masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select",
    "_ops.matmul": "bmm dot ger matmul mm mv outer vdot __matmul__ __rmatmul__",
    "_ops.moments": "norm=norm_method renorm renorm_ std var",
    "_ops.nonzero": "argwhere nonzero nonzero_static",
    "_ops.numpy_protocol": "__array_function__=array_function __array_ufunc__=array_ufunc",
    "_ops.order_statistics": "kthvalue median mode nanmedian nanquantile quantile",
    "_ops.part_scatter": "as_strided_scatter diagonal_scatter select_scatter slice_scatter",
    "_ops.parts": "diagonal narrow select unfold",
    "_ops.permute": (
        "H T adjoint mH mT moveaxis movedim permute=permute_method swapaxes swapaxes_ swapdims swapdims_ t t_ transpose "
        "transpose_"
    ),
    "_ops.powers": (
        "float_power float_power_ hypot hypot_ pow pow_ rsqrt rsqrt_ sqrt sqrt_ square square_ __pow__ __rpow__ "
        "__ipow__"
    ),
    "_ops.random": (
        "bernoulli bernoulli_ cauchy_ exponential_ geometric_ log_normal_ multinomial=multinomial_method "
        "normal=normal_method normal_ random_ uniform_"
    ),
    "_ops.reduce": (
        "all amax amin aminmax any argmax argmin count_nonzero logsumexp max mean min nanmean nansum prod sum "
        "sum_to_size"
    ),
    "_ops.rounding": (
        "abs abs_ absolute absolute_ ceil ceil_ div div_ divide divide_ fix fix_ floor floor_ floor_divide "
        "floor_divide_ fmod fmod_ frac frac_ heaviside heaviside_ remainder remainder_ round round_ sgn sgn_ sign sign_ "
        "true_divide true_divide_ trunc trunc_ __floordiv__ __rfloordiv__ __mod__ __rmod__ __abs__=abs __ifloordiv__ "
        "__imod__"
    ),
    "_ops.scatter": (
        "index_reduce index_reduce_ scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_"
    ),
    "_ops.shape": (
        "as_subclass broadcast_to=broadcast_to_method expand expand_as flatten ravel reshape=reshape_method reshape_as "
        "squeeze squeeze_ unflatten unsqueeze unsqueeze_ view view_as"
    ),
    "_ops.softmax": "log_softmax softmax",
    "_ops.sorting": "argsort msort sort topk unique unique_consecutive",
    "_ops.special": (
        "digamma digamma_ erfinv erfinv_ i0 i0_ igamma igamma_ igammac igammac_ lgamma lgamma_ mvlgamma mvlgamma_ "
        "polygamma=polygamma_method polygamma_"
    ),
    "_ops.spectral": "istft stft",
    "_ops.split": "chunk dsplit hsplit split=split_method split_with_sizes tensor_split unbind vsplit",
    "_ops.storages": (
        "apply_ is_set_to is_shared map_ map2_ set_ share_memory_ storage storage_type untyped_storage "
        "_typed_storage=typed_storage"
    ),
    "_ops.strided": "as_strided as_strided_ resize_ resize_as_",
    "_ops.take": "put put_ take",
    "_ops.tensor_functions": (
        "pin_memory q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point"
    ),
    "_ops.ternary": "addcdiv addcdiv_ addcmul addcmul_ lerp lerp_",
    "_ops.text": "__repr__ _repr_html_=html_of",
    "_ops.to_python": (
        "item tolist numpy __array__ __array_wrap__ __len__ __iter__ __bool__ __nonzero__=__bool__ __float__ __int__ "
        "__long__=__int__ __complex__ __index__ __delitem__ __reversed__ __contains__ __format__"
    ),
    "_ops.transcendental": (
        "acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 "
        "arctan2_ arctan_ arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ cos cos_ cosh "
        "cosh_ deg2rad deg2rad_ exp exp2 exp2_ exp_ expm1 expm1_ log log10 log10_ log1p log1p_ log2 log2_ log_ "
        "logaddexp logaddexp2 logit logit_ rad2deg rad2deg_ sigmoid sigmoid_ sin sin_ sinc sinc_ sinh sinh_ tan tan_ "
        "tanh tanh_ xlogy xlogy_"
    ),
    "_ops.view_copies": "narrow_copy unsafe_chunk unsafe_split unsafe_split_with_sizes",
}
