"""``onnx.load``: models read back, compared with the node tests that the package ``onnx`` brings."""

import copy
import io
import pickle
import sys

import numpy as np
import pytest

import minigrad as torch
from minigrad.onnx import _importers
from tests.generate import onnx_operators

try:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError:
    onnx = None

needs_onnx = pytest.mark.skipif(onnx is None, reason="needs the package onnx")

#: Operators whose numbers are random: shapes and dtypes are compared.
RANDOM = {"Bernoulli", "RandomUniformLike", "Dropout"}
#: Two units in the last place, of numbers of 16 bits, which PyTorch rounds less often than the reference.
ROUGH = {torch.bfloat16: 2**-6, torch.float16: 2**-9}
#: Operators of ONNX's own domain that are refused: they work on strings, or decode files.
REFUSED = {
    "ImageDecoder",
    "RegexFullMatch",
    "StringConcat",
    "StringNormalizer",
    "StringSplit",
    "TfIdfVectorizer",
}

#: Operators that the versions of the package of today do not all have.
LATER = {
    "Attention", "BitCast", "CausalConvWithState", "CumProd", "LinearAttention", "RMSNormalization", "RotaryEmbedding", "SwiGLU", "Swish", "TensorScatter",
}  # fmt: skip


def model(nodes, inputs, outputs, initializers=(), opset=21, **kwargs):
    """A model of nodes, each ``(operator, inputs, outputs, attributes)``; inputs and outputs are of float32, or pairs with a type."""

    def infos(names):
        pairs = (each if isinstance(each, tuple) else (each, TensorProto.FLOAT) for each in names)
        return [helper.make_tensor_value_info(name, kind, None) for name, kind in pairs]

    made = [
        helper.make_node(kind, taken.split(), given.split(), **attributes)
        for kind, taken, given, attributes in nodes
    ]
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in dict(initializers).items()]
    graph = helper.make_graph(made, "graph", infos(inputs), infos(outputs), tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], **kwargs)


def linear():
    rng = np.random.default_rng(0)
    weights = {
        "fc.weight": rng.normal(size=(2, 3)).astype(np.float32),
        "fc.bias": np.zeros(2, np.float32),
        "shape": np.array([-1, 2]),
    }
    nodes = [
        ("Gemm", "x fc.weight fc.bias", "h", {"transB": 1}),
        ("Relu", "h", "r", {}),
        ("Reshape", "r shape", "y", {}),
    ]
    return model(nodes, ["x"], ["y"], weights)


# The operators --------------------------------------------------------------------------------------------------------


def value(given):
    """What a test case gives or wants, as minigrad's."""
    if given is None or isinstance(given, list):
        return given if given is None else [value(each) for each in given]
    if isinstance(given, onnx.TensorProto):
        proto = given
    else:
        proto = numpy_helper.from_array(np.asarray(given))
    from minigrad.onnx._element_types import tensor_of

    return tensor_of(proto)


def differs(found, wanted, case, is_random):
    """How a result differs from what the case wants; an empty text if it does not."""
    if isinstance(wanted, list) or wanted is None:
        if wanted is None or len(found) != len(wanted):
            return "" if found is wanted else f"{found} for {wanted}"
        return "".join(differs(a, b, case, is_random) for a, b in zip(found, wanted))
    if (found.shape, found.dtype) != (wanted.shape, wanted.dtype):
        return f"{found.shape} {found.dtype} for {wanted.shape} {wanted.dtype}"
    if is_random:
        return ""
    wide = torch.complex128 if wanted.is_complex() else torch.float64
    rough = ROUGH.get(wanted.dtype, 0)
    close = np.isclose(
        found.to(wide).numpy(),
        wanted.to(wide).numpy(),
        max(case.rtol, rough),
        max(case.atol, rough / 4),
        equal_nan=True,
    )
    return "" if close.all() else f"{(~close).sum()} of {close.size} numbers"


@needs_onnx
@pytest.mark.slow  # most of it is the package's own reference
@pytest.mark.filterwarnings("ignore")  # of the package
def test_the_node_tests_of_onnx():
    from onnx.backend.test.loader import load_model_tests

    passed, refused, failed = 0, set(), []
    cases = load_model_tests(kind="node")
    if cases[0].model is None:
        pytest.skip("this version of onnx keeps its cases in files")
    for case in cases:
        operators = {node.op_type for node in case.model.graph.node}
        if any(node.domain for node in case.model.graph.node):
            continue
        try:
            loaded = torch.onnx.load(case.model)
        except NotImplementedError as error:
            refused |= {line.split()[0] for line in str(error).splitlines()[1:] if "element type" not in line}
            continue
        for given, wanted in case.data_sets:
            with torch.no_grad():
                found = loaded(*map(value, given))
            found = found if len(loaded.output_names) > 1 else (found,)
            texts = [differs(a, value(b), case, bool(operators & RANDOM)) for a, b in zip(found, wanted)]
            if any(texts):
                failed.append(f"{case.name}: {texts}")
            passed += not any(texts)
    assert not failed
    assert refused <= REFUSED
    assert passed > 1000


@needs_onnx
def test_every_operator_is_one_of_onnx_or_is_refused():
    own = {schema.name for schema in onnx.defs.get_all_schemas_with_history() if schema.domain == ""}
    read = set(_importers.operators())
    assert read <= own | LATER
    assert not read & REFUSED
    older = {
        "Affine",
        "Crop",
        "GivenTensorFill",
        "ImageScaler",
        "ParametricSoftplus",
        "Scale",
        "ScaledTanh",
        "ATen",
        "GRUUnit",
    }
    assert own - read - older <= REFUSED


#: Forms of operators before an attribute became an input, beside the ones after it: (operator, attributes, inputs after x) -> as now.
FORMS = [
    (11, ("Squeeze", {"axes": [0]}, []), lambda x: x.squeeze(0)),
    (13, ("Squeeze", {}, [np.array([0])]), lambda x: x.squeeze(0)),
    (11, ("Unsqueeze", {"axes": [0, -1]}, []), lambda x: x[None, ..., None]),
    (7, ("Softmax", {"axis": 1}, []), lambda x: x.flatten(1).softmax(1).reshape(x.shape)),
    (13, ("Softmax", {"axis": 1}, []), lambda x: x.softmax(1)),
    (7, ("Softmax", {}, []), lambda x: x.flatten(1).softmax(1).reshape(x.shape)),
    (13, ("Softmax", {}, []), lambda x: x.softmax(-1)),
    (9, ("Slice", {"starts": [1], "ends": [3], "axes": [2]}, []), lambda x: x[:, :, 1:3]),
    (10, ("Slice", {}, [np.array([-1]), np.array([-9]), np.array([2]), np.array([-2])]), lambda x: x.flip(2)[:, :, ::2]),
    (7, ("Clip", {"min": -0.5, "max": 0.5}, []), lambda x: x.clamp(-0.5, 0.5)),
    (11, ("Clip", {}, [np.float32(-0.5)]), lambda x: x.clamp(-0.5)),
    (7, ("ReduceSum", {"axes": [1], "keepdims": 0}, []), lambda x: x.sum(1)),
    (13, ("ReduceSum", {"keepdims": 0}, [np.array([1])]), lambda x: x.sum(1)),
    (18, ("ReduceMean", {"noop_with_empty_axes": 1}, []), lambda x: x),
    (7, ("Pad", {"pads": [0, 1, 0, 0, 0, 2], "value": 3.0}, []), lambda x: torch.nn.functional.pad(x, (0, 2, 1, 0), value=3.0)),
    (11, ("Pad", {"mode": "edge"}, [np.array([0, 0, 1, 0, 0, 0])]), lambda x: torch.cat([x[:, :, :1], x], 2)),
    (7, ("Dropout", {"ratio": 0.5}, []), lambda x: x),
    (7, ("TopK", {"k": 2, "axis": 1}, []), lambda x: x.topk(2, 1).values),
    (7, ("Upsample", {"scales": [1.0, 1.0, 2.0]}, []), lambda x: x.repeat_interleave(2, 2)),
    (10, ("Resize", {}, [np.array([1, 1, 2], np.float32)]), lambda x: x.repeat_interleave(2, 2)),
    (7, ("BatchNormalization", {}, [np.float32([1, 2]), np.float32([3, 4]), np.float32([0, 1]), np.float32([1, 4])]),
     lambda x: torch.nn.functional.batch_norm(x, torch.tensor([0., 1.]), torch.tensor([1., 4.]), torch.tensor([1., 2.]), torch.tensor([3., 4.]))),
]  # fmt: skip


@needs_onnx
def test_forms_of_operators_that_have_changed():
    for opset, (operator, attributes, rest), expected in FORMS:
        x = torch.linspace(-1, 1, 6).reshape(1, 2, 3).requires_grad_()
        initializers = {f"i{place}": np.asarray(each) for place, each in enumerate(rest)}
        nodes = [(operator, " ".join(["x", *initializers]), "y", attributes)]
        loaded = torch.onnx.load(model(nodes, ["x"], ["y"], initializers, opset))
        found, wanted = loaded(x), expected(x)
        torch.testing.assert_close(found, wanted, msg=f"{operator} of version {opset}")
        torch.testing.assert_close(
            torch.autograd.grad(found.sin().sum(), x), torch.autograd.grad(wanted.sin().sum(), x)
        )


@needs_onnx
def test_gradients_of_a_network():
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.normal(size=(2, 1, 3, 3)),
        "b": rng.normal(size=2),
        "v": rng.normal(size=(1, 12, 2)),
        "r": rng.normal(size=(1, 12, 3)),
    }
    nodes = [
        ("Conv", "x w b", "c", {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
        ("MaxPool", "c", "p", {"kernel_shape": [2, 2], "ceil_mode": 1}),
        ("Reshape", "p flat", "f", {}),
        ("Transpose", "f", "s", {"perm": [2, 0, 1]}),
        ("LSTM", "s v r", "h", {"hidden_size": 3}),
        ("Resize", "h no scales", "y", {"mode": "cubic"}),
    ]
    weights |= {
        "flat": np.array([2, 2, -1]),
        "no": np.zeros(0),
        "scales": np.array([1, 1, 1, 1.7], np.float32),
    }
    double = TensorProto.DOUBLE
    loaded = torch.onnx.load(model(nodes, [("x", double)], [("y", double)], weights))
    assert [name for name, _ in loaded.named_parameters()] == ["w", "b", "v", "r"]
    assert [name for name, _ in loaded.named_buffers()] == ["flat", "no", "scales"]
    x = torch.tensor(rng.normal(size=(2, 1, 5, 4)), requires_grad=True)

    def of(x, *parameters):
        return torch.func.functional_call(loaded, dict(zip(["w", "b", "v", "r"], parameters)), (x,))

    assert torch.autograd.gradcheck(of, (x, *loaded.parameters()), fast_mode=True)


# Models ---------------------------------------------------------------------------------------------------------------


@needs_onnx
def test_what_a_model_is_read_from(tmp_path):
    proto, x = linear(), torch.randn(4, 3)
    path, apart = tmp_path / "model.onnx", tmp_path / "apart.onnx"
    onnx.save(proto, path)
    onnx.save(copy.deepcopy(proto), apart, save_as_external_data=True, location="numbers", size_threshold=0)

    class ONNXProgram:
        model_proto = proto

    expected = torch.onnx.load(proto)(x)
    sources = [path, str(path), apart, path.read_bytes(), io.BytesIO(path.read_bytes()), ONNXProgram()]
    with path.open("rb") as file, apart.open("rb") as other:
        assert all(torch.equal(torch.onnx.load(source)(x), expected) for source in (*sources, file, other))
    with pytest.raises(
        TypeError, match="expected a path, an open file, bytes, an onnx.ModelProto or an ONNXProgram, got int"
    ):
        torch.onnx.load(3)


@needs_onnx
def test_parameters_train_and_make_the_round_trip():
    first, second = torch.onnx.load(linear()), torch.onnx.load(linear())
    assert set(first.state_dict()) == {"fc.weight", "fc.bias", "shape"}
    assert [type(each) for each in first.parameters()] == [torch.nn.Parameter] * 2
    x = torch.randn(16, 3)
    optimizer = torch.optim.SGD(first.parameters(), 0.1)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = (first(x) - x[:, :2].relu()).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses == sorted(losses, reverse=True)
    assert not torch.equal(first(x), second(x))
    second.load_state_dict(first.state_dict())
    for other in (second, copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        assert torch.equal(first(x), other(x))
    clone = copy.deepcopy(first)
    with torch.no_grad():
        clone.fc.bias += 1
    assert torch.equal(first(x), second(x)) and not torch.equal(first(x), clone(x))


@needs_onnx
def test_names_become_paths():
    names = [
        "a",
        "a.b",
        "a_b",
        "onnx::MatMul_1",
        "0.weight",
        "forward",
        "x.0",
        "x",
        "training",
        "/p/q",
        "é",
        "a.b.c",
        "x.0.w",
    ]
    nodes = [("Sum", " ".join(names), "y", {})]
    loaded = torch.onnx.load(
        model(nodes, [], ["y"], {name: np.float32(place) for place, name in enumerate(names)})
    )
    paths = list(loaded.initializer_paths.values())
    assert list(loaded.initializer_paths) == names and len(set(paths)) == len(names)
    assert paths[:6] == ["a", "a_b", "a_b_1", "onnx__MatMul_1", "0.weight", "forward_"]
    assert set(loaded.state_dict()) == set(paths)
    for place, path in enumerate(paths):
        assert loaded.get_parameter(path).item() == place
    assert loaded().item() == sum(range(len(names)))


@needs_onnx
def test_statistics_are_buffers_also_where_tensors_are_shared():
    ones, k = np.ones(2, np.float32), np.float32([1, 2])
    nodes = [
        ("Identity", "m", "m2", {}),
        ("BatchNormalization", "x s s m v", "h", {}),
        ("BatchNormalization", "h s s m2 w", "g", {}),
        ("Add", "g w", "y", {}),
    ]
    loaded = torch.onnx.load(model(nodes, ["x"], ["y"], {"s": ones, "m": k, "v": k, "w": k}))
    assert [name for name, _ in loaded.named_buffers()] == ["m", "v"]
    x = torch.randn(4, 2)
    hidden = torch.nn.functional.batch_norm(x, loaded.m, loaded.v, loaded.s, loaded.s)
    torch.testing.assert_close(loaded(x), (hidden - loaded.m) / (loaded.w + 1e-5).sqrt() + 1 + loaded.w)


@needs_onnx
def test_inputs_and_outputs():
    given = {"k": np.float32(10)}
    proto = model([("Add", "x k", "y", {}), ("Sub", "x z", "d", {})], ["x", "z", "k"], ["y", "d"], given)
    loaded = torch.onnx.load(proto)
    assert (loaded.input_names, loaded.output_names) == (("x", "z", "k"), ("y", "d"))
    assert "inputs=(x, z, k), outputs=(y, d), nodes=2" in repr(loaded)
    one, two = torch.ones(2), torch.full((2,), 2.0)
    assert [each.tolist() for each in loaded(one, two)] == [[11, 11], [-1, -1]]
    assert [each.tolist() for each in loaded(z=one, x=two)] == [[12, 12], [1, 1]]
    assert loaded(one, np.ones(2, np.float32), k=two)[0].tolist() == [3, 3]
    for call, text in [
        (lambda: loaded(one), "needs the inputs z, too"),
        (lambda: loaded(one, one, one), "takes 2 inputs by position (x, z), got 3"),
        (lambda: loaded(one, one, x=one), "several values for its input 'x'"),
        (lambda: loaded(one, one, q=one), "has no input 'q': its inputs are x, z, k"),
    ]:
        with pytest.raises(TypeError) as caught:
            call()
        assert text in str(caught.value)


@needs_onnx
def test_what_cannot_be_computed_is_listed():
    nodes = [
        ("Relu", "x", "a", {}),
        ("StringSplit", "x", "b n", {"name": "cutting"}),
        ("Relu", "a", "c", {"slope": 2.0, "name": "odd"}),
        ("ImageDecoder", "a", "d", {}),
    ]
    proto = model(nodes, ["x", ("s", TensorProto.STRING)], ["d"])
    proto.graph.node.append(helper.make_node("Other", ["d"], ["e"], name="elsewhere", domain="com.example"))
    with pytest.raises(NotImplementedError) as caught:
        torch.onnx.load(proto)
    assert str(caught.value).splitlines() == [
        "minigrad cannot compute this model, which needs",
        "  the input or output s: tensors of ONNX's element type STRING are not supported",
        "  StringSplit (node cutting)",
        "  Relu (node odd): its attribute slope",
        "  ImageDecoder (node number 3)",
        "  com.example.Other (node elsewhere)",
    ]


@needs_onnx
def test_what_export_gives_is_read_back():
    nn = torch.nn
    models = [
        (nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3)), torch.randn(2, 4)),
        (
            nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()),
            torch.randn(2, 3, 6, 6),
        ),
        (nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), torch.randn(2, 5, 8)),
        (nn.GRU(4, 5), torch.randn(3, 2, 4)),
        (nn.Embedding(10, 4), torch.tensor([[1, 2], [3, 4]])),
    ]
    for original, x in models:
        original.eval()
        loaded = torch.onnx.load(torch.onnx.export(original, (x,), dynamo=True))
        pairs = []
        for module in (original, loaded):
            found = module(x)
            found = found[0] if isinstance(found, tuple) else found
            found.sin().sum().backward()
            pairs.append(
                (found.detach(), {name: parameter.grad for name, parameter in module.named_parameters()})
            )
        torch.testing.assert_close(*pairs, msg=lambda text, kind=type(original): f"{kind.__name__}: {text}")


@needs_onnx
def test_functions_of_a_model():
    body = [helper.make_node("LeakyRelu", ["a"], ["b"])]
    body[0].attribute.append(
        onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT)
    )
    version = [helper.make_opsetid("", 21)]
    function = helper.make_function("mine", "Leak", ["a"], ["b"], body, version, ["slope"])
    call = helper.make_node("Leak", ["x"], ["y"], domain="mine", slope=0.5)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "xy"]
    graph = helper.make_graph([call], "graph", infos[:1], infos[1:])
    proto = helper.make_model(
        graph, functions=[function], opset_imports=[*version, helper.make_opsetid("mine", 1)]
    )
    assert torch.onnx.load(proto)(torch.tensor([-2.0, 2.0])).tolist() == [-1, 2]


@needs_onnx
def test_graphs_in_nodes_see_the_names_around_them():
    def graph(name, nodes, inputs, outputs):
        return model(nodes, inputs, outputs).graph

    branches = {
        "then_branch": graph("then", [("Mul", "h w", "t", {})], [], ["t"]),
        "else_branch": graph("else", [("Neg", "h", "e", {})], [], ["e"]),
    }
    nodes = [
        ("Exp", "x", "h", {}),
        ("ReduceMax", "x", "m", {"keepdims": 0}),
        ("Greater", "m zero", "c", {}),
        ("If", "c", "y", branches),
    ]
    loaded = torch.onnx.load(model(nodes, ["x"], ["y"], {"w": np.float32(3), "zero": np.float32(0)}))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    torch.testing.assert_close(loaded(x), 3 * x.exp())
    loaded(x).sum().backward()
    torch.testing.assert_close(x.grad, 3 * x.exp().detach())
    torch.testing.assert_close(loaded.w.grad, x.exp().sum().detach())
    torch.testing.assert_close(loaded(-x), -(-x).exp())


@needs_onnx
@pytest.mark.parametrize("kind", ["FLOAT16", "BFLOAT16", "FLOAT8E5M2"])
def test_short_numbers(kind):
    number = getattr(TensorProto, kind)
    proto = model(
        [("Cast", "x", "a", {"to": number}), ("Cast", "k", "y", {"to": 1})], ["x"], [("a", number), "y"]
    )
    proto.graph.initializer.append(helper.make_tensor("k", number, [3], [1.0, -2.0, 0.5]))
    loaded = torch.onnx.load(proto)
    dtype = {"FLOAT16": torch.float16, "BFLOAT16": torch.bfloat16, "FLOAT8E5M2": torch.float8_e5m2}[kind]
    cast, wide = loaded(torch.ones(2))
    assert (cast.dtype, loaded.k.dtype, wide.tolist()) == (dtype, dtype, [1, -2, 0.5])


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(
        ImportError, match=r"minigrad.onnx.load needs the package 'onnx', which is not installed"
    ):
        torch.onnx.load("model.onnx")


def test_the_page_lists_the_operators():
    text = onnx_operators.PAGE.read_text(encoding="utf-8")
    assert text == onnx_operators.page(text), "run python -m tests.generate.onnx_operators"


@needs_onnx
@pytest.mark.parametrize(
    "condition, trips, rows",
    [("", 3, [[0, 0], [1, 1], [2, 2]]), ("go", 3, [[0, 0]]), ("", 0, []), ("go", 0, [])],
)
def test_loops_end_by_their_trips_where_they_have_no_condition(condition, trips, rows):
    flag, number = TensorProto.BOOL, TensorProto.INT64
    body = model(
        [("Expand", "step two", "row", {}), ("Not", "before", "after", {})],
        [("step", number), ("before", flag)],
        ["after", "row"],
        {"two": np.array([2])},
    ).graph
    del body.output[:]
    body.output.append(helper.make_tensor_value_info("after", flag, []))
    body.output.append(helper.make_tensor_value_info("row", number, [2]))
    proto = model(
        [("Loop", "trips", "rows", {"body": body})],
        [("trips", number), ("go", flag)],
        [("rows", number)],
    )
    proto.graph.node[0].input.append(condition)
    found = torch.onnx.load(proto)(torch.tensor(trips), torch.tensor(True))
    assert (found.dtype, found.shape, found.tolist()) == (torch.int64, (len(rows), 2), rows)
