"""Random calls of a function, as Python expressions that both libraries evaluate: for ``random_calls.py``.

Most arguments fit each other, so that most calls succeed; some are of the wrong kind, out of range, too many, too few or too large.  In an expression
``torch`` is the library, and ``T(dtype, shape, seed, values, layout, grad)`` makes a tensor of it.
"""

import random
import re

FLOATS = ("float32", "float32", "float32", "float64", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int64", "int32", "uint8", "int8", "int16")
DTYPES = (*FLOATS, *FLOATS, *INTEGERS, "bool", "bool", "complex64", "complex128")
LAYOUTS = ("",) * 8 + ("transposed", "strided", "expanded", "offset")
SPARSE = ("coo", "coo", "csr")
#: Of parameters that hold indices.
INDICES = {"index", "indices", "offsets", "repeats", "input_lengths", "target_lengths", "boundaries"}
#: Shapes that fit each other: a letter is a size, drawn once per call, ``*`` some dimensions more, ``?`` a dimension that may be missing.  ``:`` before
#: what values are: ``class``, integers that count from 0; ``unit``, from 0 to 1; ``sign``, 1 and -1; ``positive``; ``bool``.
SHAPES = """
mm: self nk, mat2 km, sparse nk, dense km, out nm
spsolve: self spd:nn, input spd:nn, other n
sampled_addmm: self nm, mat1 nk, mat2 km
spdiags: diagonals kn, offsets class:k
clip_grad_norm_: parameters *n
pack_padded_sequence: input sn3, lengths class:n
unpad_sequence: padded_sequences sn3, lengths class:n
pack_sequence: sequences s3
fuse_linear_bn_weights: linear_w ck, linear_b c, bn_rm c, bn_rv positive:c, bn_w c, bn_b c
fuse_conv_bn_weights: conv_w ckzz, conv_b c, bn_rm c, bn_rv positive:c, bn_w c, bn_b c
matmul: self *nk, other *km
bmm: self bnk, mat2 bkm
baddbmm: self bnm, batch1 bnk, batch2 bkm
addbmm: self nm, batch1 bnk, batch2 bkm
addmm: self nm, mat1 nk, mat2 km
addmv: self n, mat nk, vec k
addr: self nm, vec1 n, vec2 m
mv: self nk, vec k
dot: self n, tensor n, other n
vdot: self n, other n
inner: self *n, other n
outer: self n, vec2 m
ger: self n, vec2 m
chain_matmul: matrices nn
multi_dot: tensors nn
tensordot: a nm, b nm, self nm, other nm
kron: self nm, other km
cross: self *3, other *3
conv1d: input ?cs, weight ocz, bias o
conv2d: input ?css, weight oczz, bias o
conv3d: input ?csss, weight oczzz, bias o
conv_transpose1d: input ?cs, weight coz, bias o
conv_transpose2d: input ?css, weight cozz, bias o
conv_transpose3d: input ?csss, weight cozzz, bias o
convolution: input ncss, weight oczz, bias o
conv_tbc: self snc, weight zco, bias o
linear: input *k, weight nk, bias n
bilinear: input1 *k, input2 *m, weight nkm, bias n
batch_norm: input nc*, running_mean c, running_var positive:c, weight c, bias c
native_batch_norm: input nc*, running_mean c, running_var positive:c, weight c, bias c
instance_norm: input ncs, running_mean c, running_var positive:c, weight c, bias c
group_norm: input nc*, weight c, bias c
layer_norm: input *k, weight k, bias k
native_layer_norm: input *k, weight k, bias k
rms_norm: input *k, weight k
local_response_norm: input ncs
normalize: input *n
embedding: weight nk, indices class:*, input class:*
embedding_bag: weight nk, indices class:b, input class:bs, offsets class:b
one_hot: self class:*
cross_entropy: input nc, target class:n, weight c
linear_cross_entropy: input nk, linear_weight ck, linear_bias c, target class:n, weight c
nll_loss: input nc, target class:n, weight c
nll_loss2d: self ncss, target class:nss, weight c
multi_margin_loss: input nc, self nc, target class:n, weight c
multilabel_margin_loss: input nc, self nc, target class:nc
multilabel_soft_margin_loss: input nc, target bool:nc, weight c
gaussian_nll_loss: input *n, target *n, var positive:*n
binary_cross_entropy: input unit:*n, target unit:*n, weight *n
binary_cross_entropy_with_logits: input *n, target unit:*n, weight *n, pos_weight n
cosine_embedding_loss: input1 nk, input2 nk, target sign:n
margin_ranking_loss: input1 *n, input2 *n, target sign:*n
hinge_embedding_loss: input *n, target sign:*n
triplet_margin_loss: anchor nk, positive nk, negative nk
ctc_loss: log_probs snc, targets class:ns, input_lengths class:n, target_lengths class:n
kl_div: input *n, target unit:*n
pairwise_distance: x1 nk, x2 nk
cosine_similarity: x1 nk, x2 nk
cdist: x1 *nk, x2 *mk
pdist: self nk, input nk
avg_pool1d: self ?cp
avg_pool2d: self ?cpp
avg_pool3d: self ?cppp
max_pool1d: self ?cp
max_pool2d: self ?cpp
max_pool3d: self ?cppp
max_pool1d_with_indices: self ?cp
lp_pool1d: input ?cp
lp_pool2d: input ?cpp
lp_pool3d: input ?cppp
adaptive_avg_pool1d: self ?cp, input ?cp
adaptive_avg_pool2d: self ?cpp, input ?cpp
adaptive_avg_pool3d: self ?cppp, input ?cppp
adaptive_max_pool1d: self ?cp, input ?cp
adaptive_max_pool2d: self ?cpp, input ?cpp
adaptive_max_pool3d: self ?cppp, input ?cppp
fractional_max_pool2d: self ?cpp, random_samples unit:nc2
fractional_max_pool3d: self ?cppp, random_samples unit:nc3
max_unpool1d: input ?cs, indices class:?cs
max_unpool2d: input ?css, self ?css, indices class:?css
max_unpool3d: input ?csss, self ?csss, indices class:?csss
fold: input n4s
unfold: input ncpp, self *p
im2col: self ncpp
pixel_shuffle: self *4ss
pixel_unshuffle: self *c44
channel_shuffle: self n4*
native_channel_shuffle: self n4ss
grid_sample: input ncss, grid nss2
grid_sampler: input ncss, grid nss2
grid_sampler_2d: input ncss, grid nss2
grid_sampler_3d: input ncsss, grid nsss3
affine_grid: theta n23
affine_grid_generator: theta n23
interpolate: input ncp
upsample: input ncp
upsample_nearest: input ncpp
upsample_bilinear: input ncpp
glu: input *4, self *4
prelu: self nc*, weight c
dropout2d: input ncss
dropout3d: input ncsss
feature_dropout: input ncss
feature_alpha_dropout: input ncss
scaled_dot_product_attention: query bnsk, key bnmk, value bnmk, attn_mask sm
bernoulli: self unit:*n
bernoulli_: p unit:*n
multinomial: self unit:*4
poisson: self unit:*n
binomial: count positive:*n, prob unit:*n
dirichlet: self positive:*n
bincount: self class:n, weights n
histogram: self *n
histc: self *n
searchsorted: sorted_sequence n, self *n, sorter class:n
bucketize: boundaries n
gather: self nm, index class:nm
scatter: self nm, index class:nm, src nm
scatter_: self nm, index class:nm, src nm
scatter_add: self nm, index class:nm, src nm
scatter_add_: self nm, index class:nm, src nm
scatter_reduce: self nm, index class:nm, src nm
scatter_reduce_: self nm, index class:nm, src nm
index_select: self nm, index class:k
index_add: self nn, index class:n, source nn
index_add_: self nn, index class:n, source nn
index_copy: self nn, index class:n, source nn
index_copy_: self nn, index class:n, source nn
index_reduce: self nn, index class:n, source nn
index_reduce_: self nn, index class:n, source nn
index_fill: self nm, index class:n, value .
index_fill_: self nm, index class:n, value .
take: self nm, index class:*
take_along_dim: self nm, indices class:nm
put: self nm, index class:k, source k
put_: self nm, index class:k, source k
index_put: self nm, indices class:k, values k
index_put_: self nm, indices class:k, values k
masked_select: self nm, mask bool:nm
masked_fill: self nm, mask bool:nm, value .
masked_fill_: self nm, mask bool:nm, value .
masked_scatter: self nm, mask bool:nm, source nm
masked_scatter_: self nm, mask bool:nm, source nm
where: condition bool:nm, self nm, input nm, other nm
select_scatter: self nm, src n
diagonal_scatter: self nn, src n
slice_scatter: self nm, src nm
cholesky: self spd:*nn
cholesky_ex: self spd:*nn
cholesky_inverse: self spd:nn
cholesky_solve: self nk, input2 spd:nn
det: self *nn
slogdet: self *nn
logdet: self spd:*nn
inverse: self spd:*nn
inv: self spd:*nn
inv_ex: self spd:*nn
eig: self *nn
eigvals: self *nn
eigh: self *nn
eigvalsh: self *nn
matrix_exp: self *nn
matrix_power: self *nn
matrix_rank: self *nm
cond: self spd:nn
solve: A spd:*nn, B *nk
solve_ex: A spd:*nn, B *nk
solve_triangular: self spd:*nn, B *nk
triangular_solve: self nk, A spd:nn
lstsq: self nn, b nk
lu: A *nm
lu_factor: A *nn
lu_factor_ex: A *nn
lu_solve: self nk, LU_data spd:nn, LU_pivots pivot:n, LU spd:nn, pivots pivot:n, B nk
lu_unpack: LU_data nn, LU_pivots pivot:n
ldl_factor: self spd:nn
ldl_solve: LD spd:nn, pivots pivot:n, B nk
householder_product: input nk, self nk, tau k
ormqr: self nn, input2 n, input3 nk
geqrf: self nm
qr: A *nm, self *nm
svd: A *nm, self *nm
svdvals: A *nm
pinv: self *nm
pinverse: self nm
tensorinv: self nn
tensorsolve: self nn, other n
vander: x *n
vecdot: x *n, y *n
stft: self 8, window 4
istft: self 5s, window 8
polar: abs nm, angle nm
complex: real nm, imag nm
renorm: self nm
cov: self nm, fweights class:m, aweights unit:m
trapezoid: y nm, x nm
trapz: y nm, x nm
gradient: self nm
rnn_tanh_cell: input nk, hx nm, w_ih mk, w_hh mm, b_ih m, b_hh m
rnn_relu_cell: input nk, hx nm, w_ih mk, w_hh mm, b_ih m, b_hh m
"""
VALUES = {
    "class": "index",
    "pivot": "pivot",
    "unit": "unit",
    "sign": "sign",
    "positive": "positive",
    "spd": "spd",
    "bool": "bool",
}
TABLE = {
    name: dict(part.split() for part in row.split(", "))
    for name, row in (line.split(": ", 1) for line in SHAPES.strip().splitlines())
}
SIZES = {"p": (4, 5, 6), "z": (1, 2, 3), "s": (2, 3, 4), "b": (1, 2), "k": (1, 2, 3)}

WORDS = {
    "reduction": ("mean", "sum", "none", "none", "mean", "sum", "max"),
    "mode": ("nearest", "bilinear", "linear", "bicubic", "constant", "reflect", "replicate", "circular", "mean", "sum", "max", "nearest-exact", "area", "fan_in", "fan_out"),
    "nonlinearity": ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu", "bad"),
    "padding_mode": ("zeros", "border", "reflection"),
    "ord": ("fro", "nuc", "bad"),
    "norm": ("ortho", "forward", "backward", "bad"),
    "indexing": ("ij", "xy"),
    "reduce": ("sum", "prod", "mean", "amax", "amin", "add", "multiply"),
    "rounding_mode": ("floor", "trunc", "ceil"),
    "UPLO": ("L", "U", "l", "X"),
    "side": ("left", "right", "middle"),
    "approximate": ("none", "tanh", "erf"),
    "interpolation": ("linear", "lower", "higher", "midpoint", "nearest", "bad"),
    "equation": ("ij,jk->ik", "ij->ji", "ii", "i,j", "...i,...i->...", "ij,ij", "ij->k", "ij..."),
    "padding": ("same", "valid", "full"),
    "driver": ("gels", "gelsd", "gesvd", "bad"),
    "compute_mode": ("use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"),
    "pad_mode": ("reflect", "constant", "bad"),
    "p": ("fro", "nuc"),
    "mode_qr": ("reduced", "complete", "r"),
}  # fmt: skip
WRONG = (
    "None", "'a'", "[1.0]", "np.ones(2)", "object()", "3", "2.5", "True", "np.float32(2)", "np.int64(1)", "np.bool_(True)", "()", "[]", "1j", "2**70",
    "-(2**63) - 1", "torch.float32", "{}", "slice(None)", "b'a'", "[None]", "(1, 'a')", "[[1, 2], [3]]", "torch", "int", "nan", "inf", "2**31", "-7",
    "torch.device('cpu')", "torch.strided", "[True]", "np.ones((2, 2))", "T('int64', ())", "T('float32', (), 1)", "T('float32', (2, 3), 2)", "[T('float32', (2,))]",
    "(T('int64', (2,)), 1)", "iter(())", "len", "0", "-1", "1e400", "'cpu'", "'mean'", "torch.Size([2])", "range(2)", "np.array(3)", "1 + 0j", "False",
)  # fmt: skip
HUGE = ("2**40", "2**50", "2**62", "2**63 - 1", "2**63", "-(2**62)", "2**31")


class Call:
    """One random call: what is drawn for its arguments, and its text."""

    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.dtype = r.choice(DTYPES)
        self.sizes = {}
        self.batch = [self.size() for _ in range(r.choice((0, 0, 1, 1, 2)))]
        self.optional = r.random() < 0.8  # whether what may be missing is there
        self.shape = tuple(self.size() for _ in range(r.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))))
        self.first = None  # the shape of the first tensor
        self.grad = r.random() < 0.06
        self.sparse = 0  # how probable it is that a tensor is sparse

    def size(self):
        return self.random.choice((1, 2, 2, 3, 3, 4) if self.random.random() < 0.95 else (0,))

    def chance(self, p):
        return self.random.random() < p

    def text(self, name, overloads):
        """The expression of a call of the function ``name``."""
        r = self.random
        place, _, short = name.rpartition(".")
        self.in_place = short.endswith("_") or short.startswith("i")
        if place == "torch.sparse" or self.chance(0.03):
            self.sparse = 0.5
        overload = r.choice(overloads)
        rows = TABLE.get(short) if self.chance(0.85) else None
        if rows is None and short[-1] == "_":
            rows = TABLE.get(short[:-1]) if self.chance(0.85) else None
        given = []  # pairs (name or None, text)
        outs = []
        by_name = False
        for p in overload:
            if p.is_out and place != "torch.Tensor":
                outs.append(self.tensor("out", None, r.choice((self.dtype, self.dtype, None))))
                continue
            if p.is_out:
                continue
            if p.optional and self.chance(0.6):
                by_name = True
                continue
            if p.kind == "Optional[Generator]" and self.chance(0.9):
                by_name = True
                continue
            by_name = by_name or p.by_name or (p.optional and self.chance(0.3))
            given.append([p.name if by_name else None, self.argument(p, rows, short)])
        if outs:
            given.append(["out", outs[0] if len(outs) == 1 else f"({', '.join(outs)})"])
        if short.startswith("clip_grad") and given:
            given[0][1] = f"GRADED({given[0][1]})"
        receiver = None
        if place == "torch.Tensor":
            at = next((i for i, p in enumerate(overload) if p.name == "self"), None)
            if at is None or at >= len(given):
                receiver = self.tensor("self", rows)
            else:
                receiver = given.pop(at)[1]
        if place == "operator":
            if self.chance(0.3):
                given.reverse()
        elif self.chance(0.3):
            self.spoil(given)
        listed = ", ".join(text if key is None else f"{own(key)}={text}" for key, text in in_order(given))
        if receiver is not None:
            return (
                f"({receiver}).{short}({listed})" if receiver[0] != "T" else f"{receiver}.{short}({listed})"
            )
        return f"{name}({listed})"

    def spoil(self, given):
        """Make one of the arguments a wrong one, or the arguments too many or too few."""
        r = self.random
        how = r.choice(("kind", "kind", "kind", "kind", "huge", "less", "more", "unknown", "scalar", "named"))
        if how == "more":
            given.append([None, r.choice((*WRONG[:12], self.tensor("extra", None), "torch"))])
        elif how == "unknown":
            given.append(
                [
                    r.choice(
                        ("nothing", "axis", "out", "dtype", "keepdim", "device", "input", "self", "generator")
                    ),
                    r.choice(WRONG[:20]),
                ]
            )
        elif given:
            i = r.randrange(len(given))
            if how == "less":
                del given[i]
            elif how == "huge":
                given[i][1] = r.choice(
                    (r.choice(HUGE), f"({r.choice(HUGE)}, {r.choice(HUGE)})", f"[{r.choice(HUGE)}]")
                )
            elif how == "scalar":
                given[i][1] = r.choice(
                    (
                        "np.float64(1)",
                        "np.int32(1)",
                        "np.bool_(False)",
                        "T('int64', (), 1)",
                        "T('float64', (), 1)",
                        "np.float16(2)",
                    )
                )
            elif how == "named":
                given[i][0] = given[i][0] or r.choice(("self", "input", "dim", "other", "size"))
            else:
                given[i][1] = r.choice(WRONG)

    # Arguments by kind ----------------------------------------------------------------------------------------------------

    def argument(self, p, rows, short):
        """The text of an argument for a parameter."""
        kind = p.kind
        if kind.startswith("Optional["):
            if self.chance(0.15):
                return "None"
            kind = kind[9:-1]
        r = self.random
        if kind == "Tensor":
            return self.tensor(p.name, rows)
        if kind == "Operand":
            return r.choice(
                (
                    self.tensor(p.name, None),
                    self.tensor(p.name, None),
                    self.number(),
                    self.number(),
                    r.choice(WRONG),
                )
            )
        if kind == "Index":
            return self.index()
        if kind in ("List[Tensor]", "List[Optional[Tensor]]"):
            count = r.choice((1, 2, 2, 3, 0))
            alike = None if self.chance(0.2) else self.tensor(p.name, rows)
            tensors = [
                "None" if "Optional" in kind and self.chance(0.15) else alike or self.tensor(p.name, rows)
                for _ in range(count)
            ]
            return (
                f"[{', '.join(tensors)}]"
                if self.chance(0.8)
                else f"({', '.join(tensors)}{',' * (count == 1)})"
            )
        if kind == "bool":
            return r.choice(("True", "False"))
        if kind == "number":
            return self.number()
        if kind == "float":
            if p.name in ("p", "momentum", "dropout_p") and self.chance(0.7):
                return r.choice(("0.5", "0.0", "1.0", "0.25"))
            return r.choice(
                (
                    "0.5",
                    "1.0",
                    "2.0",
                    "0.0",
                    "-1.0",
                    "1e-05",
                    "3",
                    "0.1",
                    "inf",
                    "1",
                    "nan",
                    "np.float32(0.5)",
                )
            )
        if kind == "complex":
            return "1j"
        if kind == "int":
            return self.integer(p.name)
        if kind == "List[int]":
            return self.integers(p)
        if kind == "List[bool]":
            return r.choice(("[True]", "[True, False]", "[False, False, True]", "True"))
        if kind in ("List[float]", "List[number]"):
            return r.choice(("[1.0]", "[1.0, 2.0]", "(0.5, 0.5)", "2.0", "[2, 3]", "[2.0, 2.0, 1.5]"))
        if kind == "str":
            return repr(r.choice(WORDS.get(p.name, ("mean", "left", "bad"))))
        if kind == "ScalarType":
            return "torch." + r.choice(DTYPES)
        if kind == "Layout":
            return "torch.strided"
        if kind == "Device":
            return r.choice(("'cpu'", "torch.device('cpu')", "'cpu:0'"))
        if kind == "MemoryFormat":
            return r.choice(("torch.contiguous_format", "torch.preserve_format", "torch.channels_last"))
        if kind == "Generator":
            return r.choice(("None", "torch.Generator()"))
        if kind == "List[t]":
            return r.choice(
                (
                    "[1, 2.5]",
                    "[[1, 2], [3, 4]]",
                    "[]",
                    "[True, 2]",
                    "[[1], 2]",
                    "3",
                    "[1j]",
                    "np.ones(2)",
                    "[2**70]",
                )
            )
        raise ValueError(f"no arguments are known for {p}")

    def number(self):
        r = self.random
        whole = r.choice(("0", "1", "2", "3", "-1", "-2", "5", "True", "300", "np.int64(2)"))
        real = r.choice(
            (
                "0.5",
                "1.5",
                "-0.5",
                "2.0",
                "0.0",
                "1e-3",
                "inf",
                "nan",
                "1e30",
                "np.float32(0.5)",
                "np.float64(2)",
            )
        )
        return r.choice(
            (whole, whole, real, real, r.choice(("1j", "False", "T('float64', (), 3)", "2 - 1j")))
        )

    def integer(self, name):
        r = self.random
        ndim = len(self.first if self.first is not None else self.shape)
        if "dim" in name or name == "axis":
            return str(
                r.randrange(-ndim - 1, ndim + 1) if self.chance(0.2) or not ndim else r.randrange(-ndim, ndim)
            )
        if name in ("groups", "num_groups"):
            return r.choice(("1", "1", "2", "0"))
        if name in (
            "n",
            "num_samples",
            "k",
            "chunks",
            "sections",
            "steps",
            "size",
            "bins",
            "num_classes",
            "N",
            "m",
            "window_length",
            "M",
            "high",
            "end",
            "step",
        ):
            return str(r.choice((1, 1, 2, 2, 3, 4, 0, -1, 5)))
        if name in ("interpolation_mode", "padding_mode", "reduction", "mode", "quantization"):
            return r.choice("0012")
        if name in ("n_fft", "hop_length", "win_length"):
            return r.choice(("4", "2", "8", "1"))
        return str(r.choice((0, 0, 1, 1, 2, 3, -1, -2, 7, -100)))

    def integers(self, p):
        r = self.random
        shape = self.first if self.first is not None else self.shape
        ndim = len(shape)
        if "dim" in p.name or p.name == "axes":
            found = (
                r.sample(range(ndim), r.randrange(ndim + 1))
                if self.chance(0.9)
                else [r.randrange(-5, 5) for _ in range(2)]
            )
            found = [d - ndim * self.chance(0.3) for d in found]
            if p.name == "dims" and self.chance(0.5):
                found = r.sample(range(ndim), ndim)
            return str(r.choice((found, tuple(found), *([found[0]] if found else ()))))
        if "kernel" in p.name or p.name in (
            "stride",
            "padding",
            "dilation",
            "output_padding",
            "output_size",
            "upscale_factor",
            "pad",
        ):
            low = {"padding": 0, "output_padding": 0, "pad": -1}.get(p.name, 1)
            high = {"output_padding": 0, "dilation": 2}.get(p.name, 2)
            count = p.length or r.choice((1, 2, 2, 3))
            if p.name == "pad":
                count = r.choice((2, 4, 1, 3, 6))
            found = [
                r.randint(low, high) if self.chance(0.96) else r.choice((-1, 0, 5))
                for _ in range(count if self.chance(0.93) else count + 1)
            ]
            return str(r.choice((found, tuple(found), found[0])))
        sizes = list(shape)
        if self.chance(0.5):
            r.shuffle(sizes)
        if self.chance(0.3):
            sizes = [r.choice((0, 1, 2, 3, -1)) for _ in range(r.choice((0, 1, 2, 3)))]
        elif self.chance(0.15) and sizes:
            sizes[r.randrange(len(sizes))] = -1
        return str(r.choice((sizes, tuple(sizes), torch_size(sizes))))

    def index(self):
        r = self.random
        parts = [
            r.choice(
                (
                    "0",
                    "-1",
                    "1",
                    ":",
                    ":",
                    "::2",
                    "1:",
                    "None",
                    "...",
                    "[0, 1]",
                    "T('bool', (2,))",
                    "T('int64', (2,), 1, 'index')",
                    "True",
                    "5",
                    "'a'",
                    "1.0",
                    "::-1",
                    "np.array([0, 1])",
                    "[True, False]",
                    "()",
                    "slice(0, 1)",
                    "2**63",
                    "np.int64(0)",
                    "[[0], [1]]",
                    "[]",
                    "range(2)",
                    "T('int64', (), 1, 'index')",
                )
            )
            for _ in range(r.choice((1, 1, 2, 2, 3)))
        ]
        return "KEY[" + ", ".join(parts) + "]"

    # Tensors --------------------------------------------------------------------------------------------------------------

    def tensor(self, name, rows, dtype=None):
        """The text of a tensor for the parameter ``name``: of the shape that the rows of ``SHAPES`` say, or one that fits the others."""
        r = self.random
        values = ""
        row = None if rows is None else rows.get(name) or (rows.get("input") if name == "self" else None)
        if row is not None:
            word, _, pattern = row.rpartition(":")
            values = VALUES.get(word, "")
            shape = self.shape_of(pattern)
            if self.chance(0.04):
                shape = shape[1:]
        elif self.first is None:
            shape = self.shape
        else:
            shape = self.fitting()
        if self.first is None:
            self.first = shape
        if dtype is None:
            dtype = self.dtype if self.chance(0.85) else r.choice(DTYPES)
        if values == "" and name in INDICES and self.chance(0.9):
            values = "index"
        if values in ("index", "pivot") and self.chance(0.93):
            dtype = "int32" if values == "pivot" else r.choice(("int64", "int64", "int64", "int32"))
        elif (values == "bool" and self.chance(0.9)) or (name in ("mask", "condition") and self.chance(0.9)):
            dtype = "bool"
        if dtype in ("int64", "bool") and values in ("unit", "sign", "positive", "spd") and self.chance(0.7):
            dtype = self.dtype = "float32"
        if values == "" and self.chance(0.12):
            values = r.choice(("odd", "unit", "big", "positive", "zero"))
        values = "" if values == "bool" else values
        layout = r.choice(LAYOUTS)
        if layout == "expanded" and (name in ("out", "running_mean", "running_var") or self.in_place):
            layout = ""  # where several elements are one, not all functions notice
        if self.chance(self.sparse):
            layout = r.choice(SPARSE)
        grad = self.grad and dtype in (*FLOATS, "complex64")
        arguments = [
            repr(dtype),
            "(" + ", ".join(map(str, shape)) + "," * (len(shape) == 1) + ")",
            str(r.randrange(100)),
        ]
        if values or layout or grad:
            arguments.append(repr(values))
        if layout or grad:
            arguments.append(repr(layout))
        if grad:
            arguments.append("True")
        return f"T({', '.join(arguments)})"

    def shape_of(self, pattern):
        shape = []
        for letter in pattern:
            if letter == "*":
                shape += self.batch
            elif letter == "?":
                shape += [2] * self.optional
            elif letter.isdigit():
                shape.append(int(letter))
            elif letter != ".":
                if letter not in self.sizes:
                    self.sizes[letter] = (
                        self.random.choice(SIZES.get(letter, (1, 2, 3, 4))) if self.chance(0.97) else 0
                    )
                shape.append(self.sizes[letter])
        return tuple(shape)

    def fitting(self):
        """A shape beside the first: most often the same, or one that broadcasts with it."""
        r, first = self.random, self.first
        how = r.random()
        if how < 0.6:
            return first
        if how < 0.8:
            shape = [1 if self.chance(0.4) else n for n in first]
            return tuple(shape[r.randrange(len(shape) + 1) :]) if self.chance(0.5) else tuple(shape)
        if how < 0.87:
            return first[::-1]
        if how < 0.93:
            return ()
        return tuple(self.size() for _ in range(r.choice((0, 1, 2, 3))))


def torch_size(sizes):
    """The text of a ``torch.Size``, which is no literal."""

    class Text(str):
        __repr__ = str.__str__

    return Text(f"torch.Size({sizes})")


def own(key):
    """The name by which Python passes an argument: PyTorch's functions call the first tensor ``input``."""
    return {"self": "input", "from": "from_"}.get(key, key)


def in_order(given):
    """Arguments by position before those by name; of those with the same name, one."""
    named = {}
    for key, text in given:
        if key is not None and re.fullmatch(r"\w+", key):
            named.setdefault(own(key), text)
    return [(None, text) for key, text in given if key is None] + list(named.items())
