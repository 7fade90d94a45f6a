"""Each operation on sparse tensors of every kind gives what PyTorch gives: the same text, and where PyTorch keeps elements in another order or twice, the same values."""

import warnings

import pytest

import minigrad
from tests.sparse.tables import DIFFERENTIABLE, KINDS, OPERATIONS, WITHOUT_FORM, tensor

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]


def outcome(lib, line, kind, dtype):
    """(text, layouts, dtypes, values) of what a line gives, all None if it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = eval(line, {"torch": lib, "S": tensor(lib, kind, dtype)})
            return repr(found), summary(found)
        except (RuntimeError, TypeError, IndexError, ValueError, NotImplementedError):
            return None


def summary(found):
    """What does not depend on the order in which elements are kept."""
    if isinstance(found, (tuple, list)):
        return [summary(x) for x in found]
    if not hasattr(found, "layout"):
        return repr(found)
    return str(found.layout), str(found.dtype), tuple(found.shape), found.to_dense().tolist()


def close(a, b):
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    if isinstance(a, (str, bool, type(None))) or a == b or (a != a and b != b):
        return a == b or a != a
    return abs(a - b) <= 1e-6 + 1e-5 * abs(a)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_operations_are_pytorchs(kind, dtype):
    compared = 0
    for line in OPERATIONS:
        theirs, ours = outcome(torch, line, kind, dtype), outcome(minigrad, line, kind, dtype)
        if theirs is None:  # here more is possible than there
            continue
        assert ours is not None, line
        compared += 1
        if theirs[0] != ours[0]:
            assert close(theirs[1], ours[1]), line
    assert compared > (15 if kind == "vector" else 20)


@pytest.mark.parametrize("kind", ["coalesced", "csr"])
def test_texts_are_pytorchs(kind):
    for line in (
        OPERATIONS[0],
        "S * 2",
        "S.double()",
        "S.to_dense()",
        "S.clone().requires_grad_()",
        "(S.requires_grad_() * 2)",
        "S.bool()",
        "S.to(torch.bfloat16)",
    ):
        assert outcome(torch, line, kind, "float32")[0] == outcome(minigrad, line, kind, "float32")[0]


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "bool", "uint8", "float64", "complex64", "complex128"]
)
def test_other_dtypes(dtype):
    for kind in ("uncoalesced", "hybrid", "csr"):
        for line in (
            "S",
            "S.to_dense()",
            "S + S",
            "S * S",
            "S.to_sparse()",
            "S.float()",
            "S.clone()",
            "S.t()" if kind != "hybrid" else "S",
        ):
            theirs, ours = outcome(torch, line, kind, dtype), outcome(minigrad, line, kind, dtype)
            if theirs is not None:
                assert ours is not None and close(theirs[1], ours[1]), (kind, line, theirs, ours)


def test_what_has_no_sparse_form_is_refused_in_both():
    for line in WITHOUT_FORM:
        assert outcome(torch, line, "coalesced", "float32") is None, line
        assert outcome(minigrad, line, "coalesced", "float32") is None, line


def value_and_gradients(lib, line, layout, leaf):
    """The value of a line and the gradients, laid out, of a sparse tensor and two dense ones; ``leaf``: whether the sparse one is it, or its values are."""
    S = lib.sparse_coo_tensor(
        [[0, 0, 1], [1, 0, 1]], [1.0, 2.0, 3.0], (2, 2), dtype=lib.float64, check_invariants=True
    )
    S = S if layout == "coo" else S.to_sparse_csr()
    D = lib.arange(6.0, dtype=lib.float64).reshape(2, 3).requires_grad_()
    E = lib.arange(4.0, dtype=lib.float64).reshape(2, 2).requires_grad_()
    if leaf:
        variable = S.requires_grad_()
    else:
        variable = (S._values() if layout == "coo" else S.values()).detach().clone().requires_grad_()
        if layout == "coo":
            S = lib.sparse_coo_tensor(S._indices(), variable, (2, 2), check_invariants=True)
        else:
            S = lib.sparse_csr_tensor(
                S.crow_indices(), S.col_indices(), variable, (2, 2), check_invariants=True
            )
    z = eval(line, {"torch": lib, "S": S, "D": D, "E": E})
    z.backward()
    grads = [
        None if x.grad is None else (str(x.grad.layout) if x is variable else "", x.grad.to_dense().tolist())
        for x in (variable, D, E)
    ]
    return z.item(), grads


DIFFERENTIATED = """
S.to_dense().pow(2).sum()
S.to_dense(masked_grad=False).pow(2).sum()
S.coalesce().values().pow(2).sum()
torch.sparse.sum(S)
S.sum()
torch.sparse.sum(S, 0).to_dense().pow(2).sum()
(S * 2).to_dense().pow(2).sum()
(S * E).to_dense().sum()
(E * S).to_dense().pow(2).sum()
(S * S).to_dense().sum()
(S + S).to_dense().pow(2).sum()
(E + S).pow(2).sum()
(E - S).pow(2).sum()
torch.sparse.mm(S, D).pow(2).sum()
(S @ D).pow(2).sum()
(E @ S).pow(2).sum()
torch.mv(S, D[:, 0]).pow(2).sum()
torch.addmm(D, S, D, beta=2, alpha=3).pow(2).sum()
torch.sparse.addmm(D, S, D).pow(2).sum()
torch.sparse.mm(S, S).to_dense().pow(2).sum()
S.abs().to_dense().sum()
S.relu().to_dense().pow(2).sum()
S.t().to_dense().pow(2).mul(E).sum()
torch.stack([S, S]).to_dense().pow(2).sum()
S.pow(2).to_dense().sum()
(S / 2).to_dense().sum()
(-S).to_dense().pow(2).sum()
torch.sparse.softmax(S, 1).to_dense().pow(2).sum()
torch.sparse.log_softmax(S, 0).to_dense().pow(2).sum()
E.sparse_mask(S).to_dense().pow(2).sum()
S.float().to_dense().pow(2).sum().double()
S.clone().to_dense().pow(2).sum()
S.to_sparse_csr().to_dense().pow(2).sum()
S.to_sparse_csr().values().pow(2).sum()
E.to_sparse().to_dense().pow(2).sum()
E.to_sparse_csr().values().pow(2).sum()
torch.sparse.sampled_addmm(S, E, E).to_dense().pow(2).sum()
"""


@pytest.mark.parametrize("leaf", [True, False], ids=["leaf", "values"])
@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_gradients_are_pytorchs(layout, leaf):
    compared = 0
    for line in DIFFERENTIATED.strip().splitlines():
        try:
            theirs = value_and_gradients(torch, line, layout, leaf)
        except (RuntimeError, NotImplementedError):
            continue
        compared += 1
        assert close(theirs, value_and_gradients(minigrad, line, layout, leaf)), line
    assert compared > 15


def parts(x):
    """What can be seen of a tensor: its layout, size, indices, values, and whether it counts as coalesced."""
    if x is None:
        return None
    x = x.detach()
    name = str(x.layout)
    seen = [name, str(x.dtype), tuple(x.shape)]
    if name == "torch.strided":
        return [*seen, x.tolist()]
    if name == "torch.sparse_coo":
        indices = x._indices().tolist() if x._nnz() else x._nnz()
        return [*seen, x.sparse_dim(), x.is_coalesced(), indices, x._values().tolist()]
    rows = name in ("torch.sparse_csr", "torch.sparse_bsr")
    indices = (x.crow_indices(), x.col_indices()) if rows else (x.ccol_indices(), x.row_indices())
    return [*seen, *[i.tolist() for i in indices], x.values().tolist()]


def names(node):
    """The names of a node and of all that it leads to."""
    if node is None:
        return None
    return [node.name().replace("torch::autograd::", ""), *[names(n) for n, _ in node.next_functions]]


def graph(lib, line, kind, of_values):
    """The names of the nodes of a line, what ``backward`` and ``grad`` give, and second gradients, each None where it raises RuntimeError."""

    def evaluated():
        S = tensor(lib, kind, "float64")
        leaf = S.requires_grad_()
        if of_values:
            S = S.detach()
            leaf = (
                (S._values() if str(S.layout) == "torch.sparse_coo" else S.values()).clone().requires_grad_()
            )
            if str(S.layout) == "torch.sparse_coo":
                flag = S.is_coalesced()
                S = lib.sparse_coo_tensor(
                    S._indices(), leaf, S.shape, is_coalesced=flag, check_invariants=True
                )
            else:
                S = lib.sparse_csr_tensor(
                    S.crow_indices(), S.col_indices(), leaf, S.shape, check_invariants=True
                )
        dense = {
            name: (lib.arange(float(count), dtype=lib.float64) % 5 - 2).reshape(shape).requires_grad_()
            for name, count, shape in (("D", 8, (4, 2)), ("F", 6, (2, 3)), ("W", 12, (3, 4)), ("v", 4, (4,)))
        }
        return eval(line, {"torch": lib, "S": S, **dense}), [leaf, *dense.values()]

    def by_backward():
        z, leaves = evaluated()
        z = z if str(z.layout) == "torch.strided" else z.to_dense()
        (z * (z.detach() + 1)).sum().backward()
        return [parts(x.grad) for x in leaves]

    def by_grad():
        z, leaves = evaluated()
        return [parts(g) for g in lib.autograd.grad(z, leaves, z.detach().clone(), allow_unused=True)]

    def by_grad_again():
        z, leaves = evaluated()
        first = lib.autograd.grad(z, leaves, z.detach() * 2, create_graph=True, allow_unused=True)
        dense = [
            g if str(g.layout) == "torch.strided" else g.to_dense()
            for g in first
            if g is not None and g.requires_grad
        ]
        if of_values or not dense:  # PyTorch's second gradients leave out what goes to the values
            return None
        return [
            parts(g) for g in lib.autograd.grad(sum((g * g).sum() for g in dense), leaves, allow_unused=True)
        ]

    found = []
    for ask in (lambda: names(evaluated()[0].grad_fn), by_backward, by_grad, by_grad_again):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found.append(ask())
            except (RuntimeError, IndexError, NotImplementedError):
                found.append(None)
    return found


@pytest.mark.parametrize(
    ("kind", "of_values"),
    [
        ("coalesced", True),
        *[(kind, False) for kind in "coalesced uncoalesced hybrid empty csr csc bsr".split()],
    ],
)
def test_graphs_and_the_layouts_of_gradients_are_pytorchs(kind, of_values):
    compared = 0
    for line in DIFFERENTIABLE:
        for theirs, ours in zip(*[graph(lib, line, kind, of_values) for lib in (torch, minigrad)]):
            if theirs is not None:
                compared += 1
                assert ours is not None and close(theirs, ours), (line, theirs, ours)
    assert compared > 40


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_products_keep_the_elements_that_pytorchs_keep(first, second):
    places = {
        "four": ([[0, 0, 1, 2], [0, 2, 1, 3]], [1.0, 2.0, 3.0, 4.0]),
        "five": ([[0, 1, 1, 2, 0], [2, 0, 1, 0, 3]], [1.0, 2.0, 3.0, float("nan"), 5.0]),
        "twice": ([[0, 0, 1, 0], [2, 2, 1, 0]], [1.0, 2.0, 3.0, 4.0]),
        "one": ([[0], [2]], [10.0]),
        "none": ([[], []], []),
    }

    def product(lib, a, b):
        made = []
        for name, coalesced in ((a, first), (b, second)):
            index, values = places[name]
            index = lib.tensor(index, dtype=lib.int64)
            x = lib.sparse_coo_tensor(index, lib.tensor(values), (3, 4), check_invariants=True)
            made.append(x.coalesce() if coalesced else x)
        return parts(made[0] * made[1])

    for a in places:
        for b in places:
            assert close(product(torch, a, b), product(minigrad, a, b)), (a, b)


def test_dense_gradients_of_sparse_results_are_pytorchs():
    compared = 0
    for line in (
        "S.index_select(0, torch.tensor([1, 0, 1]))",
        "S.index_select(-1, torch.tensor([1, 0]))",
        "S.narrow_copy(0, 1, 2)",
        "S.narrow_copy(1, 1, 2)",
        "torch.cat([S, S * 2])",
        "torch.cat([S, S], 1)",
        "S * A",
        "A * S",
        "S.unsqueeze(0)",
        "S[1]",
        "S.sum(1)",
        "S.to_sparse_csr()",
        "S.div(2, rounding_mode='floor')",
    ):
        for kind in ("coalesced", "uncoalesced", "hybrid", "hybrid3", "empty"):
            found = []
            for lib in (torch, minigrad):
                S = tensor(lib, kind, "float64").requires_grad_()
                A = (lib.arange(24.0, dtype=lib.float64) % 5 - 2).reshape(2, 3, 4).requires_grad_()
                try:
                    z = eval(line, {"torch": lib, "S": S, "A": A})
                except RuntimeError:
                    found.append(None)
                    continue
                g = (lib.arange(float(z.numel()), dtype=lib.float64) + 1).reshape(z.shape)
                found.append([parts(x) for x in lib.autograd.grad(z, [S, A], g, allow_unused=True)])
            if found[0] is not None:
                compared += 1
                assert close(*found), (line, kind, found)
    assert compared > 50


def test_products_with_a_sparse_number_are_pytorchs():
    def products(lib):
        number = lib.sparse_coo_tensor(lib.empty(0, 2, dtype=lib.int64), lib.tensor([2.0, 3.0]), ())
        for second in (lib.arange(12.0).reshape(3, 4), tensor(lib, "coalesced"), tensor(lib, "uncoalesced")):
            for swapped in (False, True):
                for dense in (False, True):
                    x, y = number.detach().requires_grad_(), second.detach().requires_grad_()
                    z = y * x if swapped else x * y
                    g = z.detach().to_dense() if dense else z.detach()
                    yield names(z.grad_fn), parts(z), *map(parts, lib.autograd.grad(z, (x, y), g))

    for theirs, ours in zip(products(torch), products(minigrad), strict=True):
        assert close(theirs, ours), (theirs, ours)


@pytest.mark.parametrize("kind", ["coalesced", "uncoalesced", "hybrid", "csr", "bsr"])
def test_negative_zeros_are_laid_out_as_pytorchs(kind):
    laid_out = [str((tensor(lib, kind) * -0.0).to_dense()) for lib in (torch, minigrad)]
    assert laid_out[0] == laid_out[1] and "-0" not in laid_out[1]


@pytest.mark.parametrize("part", ["real", "imag"])
def test_parts_of_complex_tensors_are_pytorchs(part):
    for kind in ("coalesced", "uncoalesced", "hybrid", "empty"):
        found = []
        for lib in (torch, minigrad):
            x = (tensor(lib, kind, "complex128") * (1 + 2j)).requires_grad_()
            z = getattr(x, part)
            (g,) = lib.autograd.grad(z, x, lib.ones(3, 4, dtype=lib.float64))
            found.append([parts(z), names(z.grad_fn), parts(g)])
        assert close(*found), (kind, found)


def test_the_dense_gradient_of_log1p_is_dense():
    found = []
    for lib in (torch, minigrad):
        for kind in ("coalesced", "hybrid", "csr"):
            x = (tensor(lib, kind, "float64") * 0.25).requires_grad_()
            found.append([parts(g) for g in lib.autograd.grad(x.log1p(), x, lib.ones(3, 4, dtype=x.dtype))])
    assert close(found[:3], found[3:]) and found[3][0][0] == "torch.strided"


def test_a_table_trained_by_each_optimizer_is_pytorchs():
    options = {
        "SGD": [
            {"lr": 0.1},
            {"lr": 0.1, "momentum": 0.9},
            {"lr": 0.1, "momentum": 0.9, "nesterov": True},
            {"lr": 0.1, "maximize": True},
        ],
        "Adagrad": [{"lr": 0.1}, {"lr": 0.1, "lr_decay": 0.1, "maximize": True}],
        "SparseAdam": [{"lr": 0.1}, {"lr": 0.1, "maximize": True, "betas": (0.5, 0.9)}],
    }
    for name, rows in options.items():
        for chosen in rows:
            assert close(*[trained(lib, name, chosen) for lib in (torch, minigrad)]), (name, chosen)


def trained(lib, name, options):
    start = lib.arange(12.0, dtype=lib.float64).reshape(6, 2) / 10
    words = lib.nn.Embedding.from_pretrained(start, freeze=False, sparse=True, padding_idx=3)
    bags = [
        lib.nn.EmbeddingBag.from_pretrained(
            start.clone(), freeze=False, sparse=True, mode=mode, padding_idx=1
        )
        for mode in ("mean", "sum")
    ]
    weights = lib.linspace(-1, 1, 6, dtype=lib.float64).requires_grad_()
    parameters = [p for m in (words, *bags) for p in m.parameters()]
    optimizer = getattr(lib.optim, name)(parameters, **options)
    found = []
    for step in range(3):
        optimizer.zero_grad()
        index = lib.tensor([[0, 1, 1], [5, 3, step]])
        loss = (
            (words(index) ** 2).sum()
            + bags[0](index).sin().sum()
            + bags[1](lib.tensor([0, 1, 2, 4]), lib.tensor([0, 3])).sum()
        )
        loss = loss + (bags[1](index, per_sample_weights=weights.reshape(2, 3)) ** 2).sum()
        loss.backward()
        assert all(p.grad.is_sparse for p in parameters)
        found += [loss.item(), weights.grad.tolist(), [p.grad.to_dense().tolist() for p in parameters]]
        optimizer.step()
        found.append([p.tolist() for p in parameters])
    return found


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "bool", "complex128"])
def test_files_and_pickles_go_both_ways(dtype):
    import copy
    import io
    import pickle

    for kind in KINDS:
        ours, theirs = tensor(minigrad, kind, dtype), tensor(torch, kind, dtype)
        for source, target, x, expected in ((torch, minigrad, theirs, ours), (minigrad, torch, ours, theirs)):
            for as_archive in (True, False):
                file = io.BytesIO()
                source.save({"x": x}, file, _use_new_zipfile_serialization=as_archive)
                file.seek(0)
                assert repr(target.load(file)["x"]) == repr(expected)
        for twin in (copy.deepcopy(ours), copy.copy(ours), pickle.loads(pickle.dumps(ours))):
            assert repr(twin) == repr(ours)


#: What stands between a leaf and a table of which the gradient is sparse: most formulas are for dense gradients.
BEFORE = {
    "same order": lambda lib, x: x.transpose(0, 0),
    "same order of all": lambda lib, x: x.permute(0, 1),
    "filled": lambda lib, x: x.clone().fill_(2),
    "transpose": lambda lib, x: x.transpose(0, 1),
    "t": lambda lib, x: x.t(),
    "mT": lambda lib, x: x.mT,
    "permute": lambda lib, x: x.permute(1, 0),
    "view": lambda lib, x: x.view(1, 3, 3).squeeze(0).view(3, 3),
    "flip": lambda lib, x: x.flip(0),
    "cumsum": lambda lib, x: x.cumsum(0),
    "cat": lambda lib, x: lib.cat([x, x]),
    "pad": lambda lib, x: lib.nn.functional.pad(x, (1, 1)),
    "tanh": lambda lib, x: x.tanh(),
    "softplus": lambda lib, x: lib.nn.functional.softplus(x),
    "a stale view": lambda lib, x: stale(lib, x.clone()),
}


def stale(lib, base):
    """A view whose base has been written to since it was made."""
    view = base[:3]
    with lib.no_grad():
        base.mul_(2)
    return view


def gradient_before(lib, name):
    """The gradient of a leaf from which a table was made; or the type of an error, and its words but for the operator's name."""
    x = lib.linspace(0, 1, 9).reshape(3, 3).requires_grad_()
    table = BEFORE[name](lib, x * 2)
    y = lib.nn.functional.embedding(lib.tensor([0, 1, 0]), table, sparse=True)
    try:
        y.backward(lib.ones_like(y))
    except RuntimeError as error:
        words = str(error)
        return type(error).__name__, "'SparseCPU' backend" if "'SparseCPU' backend" in words else words
    return str(x.grad.layout), x.grad.to_dense().tolist()


@pytest.mark.parametrize("name", BEFORE)
def test_sparse_gradients_where_formulas_are_for_dense_ones(name):
    assert gradient_before(minigrad, name) == gradient_before(torch, name)


@pytest.mark.parametrize("of_inference", [False, True])
@pytest.mark.parametrize("second", ["sparse", "dense"])
@pytest.mark.parametrize("first", ["sparse", "dense"])
def test_gradients_that_meet_one_made_in_inference_mode(first, second, of_inference):
    def found(lib):
        w = lib.ones(3, 2).requires_grad_()
        of_kind = {
            "sparse": lambda: lib.nn.functional.embedding(lib.tensor([0, 1]), w, sparse=True),
            "dense": lambda: w * 2,
        }
        y = of_kind[first]()
        with lib.inference_mode(of_inference):
            y.backward(lib.ones_like(y))
        try:
            y = of_kind[second]()
            y.backward(lib.ones_like(y))
        except RuntimeError as error:
            return str(error)[:60]
        return str(w.grad.layout), w.grad.to_dense().tolist(), w.grad.is_inference()

    assert found(minigrad) == found(torch)
