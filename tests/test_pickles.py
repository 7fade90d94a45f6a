"""Pickles: whatever is pickled names places that stay where they are, public ones, or those that PyTorch's pickles name as well."""

import copy
import importlib
import inspect
import io
import pathlib
import pickle
import pkgutil
import re
import subprocess
import sys

import pytest

import minigrad as torch
from minigrad import nn, optim
from tests.distributions.table import ROWS
from tests.test_alias import ENVIRONMENT

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*:FutureWarning",
    "ignore:Lazy modules",
    "ignore:.*deprecated",
    "ignore:volatile is of PyTorch's API of 2017",
    "ignore:enable_nested_tensor is True",
)
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)

#: Where pickles may find classes and functions of ours.
MODULES = {
    f"minigrad.{name}" if name else "minigrad"
    for name in (
        "", "amp.autocast_mode", "amp.grad_scaler", "autograd", "autograd.anomaly_mode", "autograd.function", "autograd.functional",
        "autograd.grad_mode", "autograd.gradcheck", "autograd.graph", "autograd.profiler", "autograd.profiler_util", "autograd.variable",
        "fft", "func", "linalg", "nn.functional", "nn.init", "nn.modules.activation", "nn.modules.adaptive", "nn.modules.batchnorm",
        "nn.modules.channelshuffle", "nn.modules.container", "nn.modules.conv", "nn.modules.distance", "nn.modules.dropout",
        "nn.modules.flatten", "nn.modules.fold", "nn.modules.instancenorm", "nn.modules.linear", "nn.modules.loss",
        "nn.modules.module", "nn.modules.normalization", "nn.modules.padding", "nn.modules.pixelshuffle", "nn.modules.pooling",
        "nn.modules.rnn", "nn.modules.sparse", "nn.modules.transformer", "nn.modules.upsampling", "nn.parallel.data_parallel",
        "nn.parameter", "nn.utils.prune", "nn.utils.rnn", "nn.utils.spectral_norm", "nn.utils.weight_norm", "ops", "optim",
        "optim.adadelta", "optim.adagrad", "optim.adam", "optim.adamax", "optim.adamw", "optim.asgd", "optim.lbfgs",
        "optim.lr_scheduler", "optim.nadam", "optim.optimizer", "optim.radam", "optim.rmsprop", "optim.rprop", "optim.sgd",
        "optim.sparse_adam", "optim.swa_utils", "profiler", "profiler.profiler", "return_types", "serialization", "special", "storage", "utils.data", "utils.data.dataloader", "utils.data.dataset", "utils.data.sampler",
        "utils.hooks",
        # private in PyTorch, whose pickles name them as well
        "_tensor", "_utils", "utils._pytree", "utils.data._utils.collate",
    )
}  # fmt: skip
MODULES |= {
    found.name
    for found in pkgutil.iter_modules(torch.distributions.__path__, "minigrad.distributions.")
    if "._" not in found.name
}
#: The private names among what pickles name: who renames one makes pickles unreadable.
PRIVATE = {
    ("minigrad._tensor", "_rebuild_from_type_v2"),
    ("minigrad._utils", "_rebuild_parameter"),
    ("minigrad._utils", "_rebuild_parameter_with_state"),
    ("minigrad._utils", "_rebuild_tensor_v2"),
    ("minigrad._utils", "_rebuild_tensor_v3"),
    ("minigrad.amp.grad_scaler", "_refresh_per_optimizer_state"),
    ("minigrad.distributions.constraints", "_GreaterThan"),
    ("minigrad.distributions.transforms", "_InverseTransform"),
    ("minigrad.nn.modules.module", "_WrappedHook"),
    ("minigrad.ops", "_overload"),
    ("minigrad.ops", "_packet"),
    ("minigrad.storage", "_rebuild_typed"),
    ("minigrad.storage", "_rebuild_untyped"),
}
OUTSIDE = {"__builtin__", "_codecs", "builtins", "collections", "copy_reg", "copyreg", "functools"}


class Recorder(pickle.Unpickler):
    """Notes what a pickle names."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.named = set()

    def find_class(self, module, name):
        self.named.add((module, name))
        return super().find_class(module, name)


def restored(obj, protocol, **kwargs):
    """The object in a pickle of ``obj``, and what the pickle names."""
    recorder = Recorder(io.BytesIO(pickle.dumps(obj, protocol)), **kwargs)
    return recorder.load(), recorder.named


def check_named(named):
    for module, name in named:
        if module not in OUTSIDE and not module.startswith(__package__):
            assert module in MODULES, f"{module}.{name} may move"
            assert not name.startswith("_") or (module, name) in PRIVATE, (
                f"{module}.{name} may get another name"
            )


def weights():
    return [torch.ones(2, requires_grad=True), torch.ones(2, 2, requires_grad=True)]


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g


class Tagged(torch.Tensor):
    pass


class TaggedParameter(nn.Parameter):
    pass


def with_attribute(x, cls=None):
    x = x if cls is None else x.as_subclass(cls)
    x.note = "kept"
    return x


def pruned():
    layer = nn.Linear(3, 2)
    nn.utils.prune.l1_unstructured(layer, "weight", 2)
    nn.utils.prune.random_unstructured(layer, "weight", 1)
    return layer


def scaler():
    return torch.amp.GradScaler("cpu")


def hooked():
    layer = nn.Linear(2, 1)
    layer.register_forward_hook(print)
    layer.register_full_backward_hook(print)
    layer.register_state_dict_pre_hook(print)
    layer.register_load_state_dict_post_hook(print)
    return layer


def profiled():
    with torch.autograd.profiler.profile() as profile:
        torch.ones(2) + 1
    return list(profile.function_events)


def data():
    from minigrad.utils import data

    rows = data.TensorDataset(torch.arange(4))
    parts = [
        data.Subset(rows, [0]),
        data.ConcatDataset([rows, rows]),
        data.StackDataset(rows),
        data.RandomSampler(rows),
    ]
    return [rows, *parts, data.BatchSampler(data.SequentialSampler(rows), 2, True), data.DataLoader(rows, 2)]


def volatile():
    return torch.autograd.Variable(torch.ones(2), volatile=True)


THINGS = {
    "tensor": lambda: torch.arange(6.0).reshape(2, 3),
    "leaf": lambda: torch.ones(2, requires_grad=True),
    "result": lambda: torch.ones(2, requires_grad=True) * 2,
    "view": lambda: torch.arange(12).reshape(3, 4)[1:, ::2].t(),
    "empty": lambda: torch.empty(0, 3),
    "number": lambda: torch.tensor(3),
    "bool": lambda: torch.tensor([True, False]),
    "complex": lambda: torch.tensor([1 + 2j]).conj(),
    "uint16": lambda: torch.tensor([1], dtype=torch.uint16),
    "inference": lambda: torch.inference_mode()(torch.ones)(2),
    "with an attribute": lambda: with_attribute(torch.ones(2)),
    "subclass": lambda: with_attribute(torch.ones(2), Tagged),
    "Parameter": lambda: nn.Parameter(torch.ones(2)),
    "Parameter with an attribute": lambda: with_attribute(nn.Parameter(torch.ones(2))),
    "subclass of Parameter": lambda: TaggedParameter(torch.ones(2)),
    "Parameter of a subclass": lambda: nn.Parameter(torch.ones(2).as_subclass(Tagged)),
    "Buffer": lambda: nn.Buffer(torch.ones(2), persistent=False),
    "lazy": lambda: [nn.UninitializedParameter(), nn.UninitializedBuffer()],
    "volatile": volatile,
    "FloatTensor": lambda: [torch.FloatTensor([1, 2]), torch.FloatTensor],
    "storages": lambda: [torch.ones(2).untyped_storage(), torch.storage.TypedStorage([1, 2], dtype=torch.int8)],
    "storage classes": lambda: [torch.UntypedStorage, torch.TypedStorage, torch.storage.FloatStorage],
    "dtypes": lambda: [getattr(torch, name) for name in dir(torch) if isinstance(getattr(torch, name), torch.dtype)],
    "Size": lambda: torch.Size([2, 3]),
    "devices": lambda: [torch.device("cpu"), torch.device("cuda", 1)],
    "layouts": lambda: [torch.strided, torch.sparse_coo],
    "memory formats": lambda: [torch.channels_last, torch.contiguous_format, torch.preserve_format, torch.channels_last_3d],
    "limits": lambda: [torch.finfo, torch.iinfo],
    "Generator": lambda: torch.Generator().manual_seed(3),
    "random state": torch.get_rng_state,
    "results": lambda: [torch.ones(2, 2).max(0), torch.ones(3).sort(), torch.linalg.slogdet(torch.eye(2))],
    "Function": lambda: [Doubled, torch.autograd.Function, torch.autograd.function.InplaceFunction],
    "classes": lambda: [torch.Tensor, nn.Parameter, nn.Buffer, torch.Generator, torch.dtype, torch.autograd.Variable, torch.autograd.graph.Node],
    "grad modes": lambda: [torch.no_grad(), torch.enable_grad(), torch.inference_mode(), torch.autocast("cpu", torch.bfloat16)],
    "errors": lambda: [torch.OutOfMemoryError("full"), torch.linalg.LinAlgError("singular")],
    "state dict": lambda: nn.Linear(2, 1).state_dict(),
    "pruned": pruned,
    "spectral norm": lambda: nn.utils.spectral_norm(nn.Linear(2, 2)),
    "weight norm": lambda: nn.utils.weight_norm(nn.Linear(2, 2)),
    "PackedSequence": lambda: nn.utils.rnn.pack_sequence([torch.ones(3), torch.ones(2)]),
    "hooks": hooked,
    "handle": lambda: nn.Linear(1, 1).register_forward_hook(print),
    "GradScaler": scaler,
    "averaged": lambda: optim.swa_utils.AveragedModel(nn.Linear(1, 1)),
    "operators": lambda: [torch.ops.aten.mul, torch.ops.aten.mul.Tensor],
    "profile": profiled,
    "data": data,
    "enumerations": lambda: [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerAction.NONE, torch.autograd.DeviceType.CPU],
    "tree": lambda: torch.utils._pytree.tree_structure({"a": [1, (2, 3)]}),
    "activations": lambda: [nn.functional.relu, nn.functional.gelu, torch.tanh, nn.functional.leaky_relu],
    "methods": lambda: [torch.Tensor.add_, torch.Tensor.sum, torch.Tensor.numpy, torch.Tensor.backward, torch.Tensor.size, torch.Tensor.type],
    "bound method": lambda: torch.ones(2).sum,
    "transforms": lambda: [torch.vmap, torch.func.grad, torch.func.functional_call],
    **{f"optimizer {name}": lambda name=name: getattr(optim, name)(weights(), **({"lr": 0.1} if name == "SGD" else {}))
       for name in "ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS NAdam RAdam RMSprop Rprop SGD SparseAdam".split()},
    "optimizer Muon": lambda: optim.Muon([torch.ones(2, 2, requires_grad=True)]),
}  # fmt: skip


@pytest.mark.parametrize("thing", THINGS)
def test_pickles_name_public_places(thing):
    obj = THINGS[thing]()
    for protocol in PROTOCOLS:
        twin, named = restored(obj, protocol)
        check_named(named)
        assert type(twin) is type(obj)
        if isinstance(obj, torch.Tensor) and not isinstance(obj, nn.parameter.UninitializedTensorMixin):
            check_tensor(twin, obj)
            assert vars(twin).get("note") == vars(obj).get("note")
        elif isinstance(obj, list) and all(inspect.isclass(each) or inspect.isfunction(each) for each in obj):
            assert all(a is b for a, b in zip(twin, obj, strict=True))
    if thing not in (
        "result",
        "lazy",
        "pruned",
        "weight norm",
    ):  # results are not copied deeply, nor buffers without a size
        twin = copy.deepcopy(obj)
        if isinstance(obj, torch.Tensor):
            check_tensor(twin, obj)
    if isinstance(obj, torch.Tensor):
        assert copy.copy(obj).data_ptr() == obj.data_ptr()


def check_tensor(twin, obj):
    assert twin.dtype is obj.dtype and twin.shape == obj.shape and twin.requires_grad is obj.requires_grad
    assert twin.is_leaf and twin.tolist() == obj.tolist() and twin.stride() == obj.stride()
    assert twin._volatile is obj._volatile
    for mark in (nn.Parameter, nn.Buffer):
        assert isinstance(twin, mark) is isinstance(obj, mark)


#: What modules need to be made; the first of these that is accepted serves for the others.
ARGUMENTS = {
    "AdaptiveLogSoftmaxWithLoss": (4, 6, [2]), "ConstantPad1d": (1, 0.0), "ConstantPad2d": (1, 0.0), "ConstantPad3d": (1, 0.0),
    "DataParallel": (nn.Linear(1, 1),), "FractionalMaxPool2d": (2, 3), "FractionalMaxPool3d": (2, 3), "GroupNorm": (1, 2),
    "MultiheadAttention": (2, 1), "RNNBase": ("GRU", 2, 1), "Threshold": (0.0, 1.0), "Transformer": (2, 1, 1, 1, 2),
    "TransformerDecoder": (nn.TransformerDecoderLayer(2, 1, 2), 1), "TransformerDecoderLayer": (2, 1, 2),
    "TransformerEncoder": (nn.TransformerEncoderLayer(2, 1, 2), 1), "TransformerEncoderLayer": (2, 1, 2, 0.1, torch.tanh),
    "Unflatten": (1, (1, 2)), "Fold": (2, 1), "RNNCellBase": (2, 1, True, 3),
    "Sequential": (nn.ReLU(), nn.Dropout(0.2)), "ModuleList": ([nn.ReLU()],), "ModuleDict": ({"a": nn.ReLU()},),
    "ParameterList": ([torch.ones(1)],), "ParameterDict": ({"a": torch.ones(1)},),
}  # fmt: skip
MODULE_NAMES = sorted(
    name
    for name in dir(nn)
    if inspect.isclass(getattr(nn, name))
    and issubclass(getattr(nn, name), nn.Module)
    and name not in ("Container", "DistributedDataParallel")  # which cannot be made
)


def module(name):
    cls = getattr(nn, name)
    for args in [ARGUMENTS[name]] if name in ARGUMENTS else [(), (2,), (2, 1), (2, 1, 1), (2, 2, 1)]:
        try:
            return cls(*args)
        except TypeError as error:
            if "missing" not in str(error):
                raise
    raise AssertionError(f"{name} needs a row in ARGUMENTS")


@pytest.mark.parametrize("name", MODULE_NAMES)
def test_modules_are_pickled_by_public_names(name):
    layer = module(name)
    for protocol in PROTOCOLS:
        twin, named = restored(layer, protocol)
        check_named(named)
        assert type(twin) is type(layer) and repr(twin) == repr(layer)
    if not (name.startswith("Lazy") and "Norm" in name):  # whose buffers are not copied deeply, as in PyTorch
        assert repr(copy.deepcopy(layer)) == repr(layer)


def halved(epoch):
    return 0.5**epoch


def transformed():
    d = torch.distributions
    onto = [d.biject_to(d.constraints.simplex), d.transform_to(d.constraints.lower_cholesky)]
    return [d.LogNormal(0.0, 1.0), *onto, d.TanhTransform(cache_size=1), d.constraints.greater_than(1.0)]


def test_distributions_are_pickled_by_public_names():
    rows = [row.built(torch, torch.distributions)[0] for row in ROWS]
    for obj in [*rows, *transformed()]:
        for protocol in (2, 5):
            twin, named = restored(obj, protocol)
            check_named(named)
            assert type(twin) is type(obj)


SCHEDULES = {
    "LambdaLR": (halved,), "MultiplicativeLR": (halved,), "StepLR": (2,), "MultiStepLR": ([2],), "CosineAnnealingLR": (3,), "CyclicLR": (0.1, 0.2),
    "CosineAnnealingWarmRestarts": (2,), "OneCycleLR": (0.1, 5), "ExponentialLR": (0.9,),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted({*optim.lr_scheduler.__all__} - {"LRScheduler"}))
def test_schedulers_are_pickled_by_public_names(name):
    schedules = optim.lr_scheduler
    optimizer = optim.SGD(weights(), lr=0.1, momentum=0.9)
    if name in ("SequentialLR", "ChainedScheduler"):
        parts = [schedules.StepLR(optimizer, 1), schedules.ExponentialLR(optimizer, 0.9)]
        args = (optimizer, parts, [1]) if name == "SequentialLR" else (parts, optimizer)
    else:
        args = (optimizer, *SCHEDULES.get(name, ()))
    scheduler = getattr(schedules, name)(*args)
    for protocol in PROTOCOLS:
        twin, named = restored(scheduler, protocol)
        check_named(named)
        assert type(twin) is type(scheduler) and twin.state_dict().keys() == scheduler.state_dict().keys()


NAMESPACES = [
    "", "fft", "func", "linalg", "special", "nn.functional", "nn.init", "random", "autograd", "autograd.functional", "autograd.function",
    "testing", "serialization", "utils.checkpoint", "utils.hooks", "signal.windows", "masked", "nn.utils",
]  # fmt: skip


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_functions_are_pickled_by_public_names(namespace):
    """Also one that is the same object under several names; and inspect finds what it was written in."""
    home = importlib.import_module(f"minigrad.{namespace}".rstrip("."))
    seen = 0
    for name in getattr(home, "__all__", None) or [name for name in dir(home) if name[0] != "_"]:
        function = getattr(home, name)
        if inspect.isfunction(function) and function.__module__.startswith("minigrad"):
            assert "._" not in function.__module__, name
            for protocol in (2, 4):
                assert pickle.loads(pickle.dumps(function, protocol)) is function
            assert inspect.getsource(function).lstrip().startswith(("def ", "@", "lambda"))
            seen += 1
    assert seen


def test_methods_are_pickled():
    """Those that are functions as well as such, others by way of ``_tensor``, a module that PyTorch's pickles name too."""
    methods = [method for _, method in inspect.getmembers(torch.Tensor, inspect.isfunction)]
    assert len(methods) > 500
    for method in methods:
        if method.__module__.startswith("minigrad"):
            assert method.__module__ in ("minigrad", "minigrad._tensor"), method
            for protocol in (2, 4):
                assert pickle.loads(pickle.dumps(method, protocol)) is method
    with pytest.raises(AttributeError, match="module 'minigrad._tensor' has no attribute 'multiply_twice'"):
        from minigrad import _tensor

        _tensor.multiply_twice


def test_pickles_made_under_the_alias_are_those_of_the_same_things_whatever_way_leads_to_a_function():
    code = """
        import pickle
        import {0} as torch
        from {0} import nn
        from {0}.nn import functional as F
        layer = nn.TransformerEncoderLayer(2, 1, 2, activation=F.gelu)
        for p in layer.parameters():
            p.data.fill_(1.5)
        things = [torch.ones(2), nn.Parameter(torch.ones(2)), layer, torch.float32, torch.Size([1]), torch.Tensor.add_, F.relu,
                  torch.optim.Adam(layer.parameters()), torch.ones(2).max(0), torch.Generator().manual_seed(1), torch.device("cpu"),
                  {1}]
        print(*(pickle.dumps(thing, 4).hex() for thing in things), sep="\\n")
    """
    plain, alias = (
        subprocess.run(
            [sys.executable, *way, "-c", inspect.cleandoc(code.format(library, functions))],
            env=ENVIRONMENT,
            capture_output=True,
            check=True,
        ).stdout
        for way, library, functions in (
            ([], "minigrad", "F.conv2d, torch.special.expit, torch.vmap, torch.special.digamma"),
            (
                ["-m", "minigrad"],
                "torch",
                "torch.conv2d, torch.Tensor.sigmoid, torch.func.vmap, torch.digamma",
            ),
        )
    )
    assert b"torch".hex().encode() not in alias and len(plain.split()) == 15
    again = """
        import pickle, sys
        for line in sys.stdin:
            print(pickle.dumps(pickle.loads(bytes.fromhex(line)), 4).hex())
        assert "torch" not in sys.modules
    """
    first, second = (
        subprocess.run(
            [sys.executable, "-c", inspect.cleandoc(again)],
            env=ENVIRONMENT,
            input=made,
            capture_output=True,
            check=True,
        ).stdout
        for made in (plain, alias)
    )
    assert first == second


# What travels with tensors


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_views_of_one_memory_go_on_sharing_it(protocol):
    base = torch.arange(4.0)
    whole, part, module = pickle.loads(pickle.dumps([base, base[1:], nn.ParameterList([base])], protocol))
    part[0] = 7
    assert whole.tolist() == module[0].tolist() == [0, 7, 2, 3] and base.tolist() == [0, 1, 2, 3]
    assert part.storage_offset() == 1 and part.untyped_storage() is whole.untyped_storage()


def test_bytes_travel_out_of_band():
    buffers = []
    x = torch.zeros(1000)
    data = pickle.dumps([x, x[1:]], 5, buffer_callback=buffers.append)
    assert len(data) < 600 and len(buffers) == 1
    y, z = pickle.loads(data, buffers=buffers)
    assert y.data_ptr() == x.data_ptr() and z.data_ptr() == x[1:].data_ptr()
    (copied, _) = pickle.loads(data, buffers=[bytes(buffers[0])])  # memory that cannot be written to
    copied[0] = 5
    assert copied.sum() == 5 and x.sum() == 0


def test_pickles_of_a_machine_of_the_other_byte_order_are_refused():
    ours, other = sys.byteorder, {"little": "big", "big": "little"}[sys.byteorder]
    data = pickle.dumps(torch.ones(2), 2)
    assert data.count(ours.encode()) == 1
    data = data.replace(b"X" + len(ours).to_bytes(4, "little") + ours.encode(),
                        b"X" + len(other).to_bytes(4, "little") + other.encode())  # fmt: skip
    with pytest.raises(
        RuntimeError, match=f"tensors of a {other}-endian machine, and this one is {ours}-endian"
    ):
        pickle.loads(data)


def test_the_version_is_pytorchs():
    x = torch.ones(2)
    x.add_(1)
    assert pickle.loads(pickle.dumps(x))._version == pickle.loads(pickle.dumps(nn.Parameter(x)))._version == 1


SOURCES = [
    torch.Tensor, torch.Size, torch.dtype, torch.device, torch.Generator, torch.finfo, nn.Parameter, nn.Buffer, nn.Module, nn.Linear, nn.MultiheadAttention, optim.SGD,
    optim.Muon, optim.Adafactor, torch.autograd.Function, torch.autograd.graph.Node, torch.utils.hooks.RemovableHandle,
]  # fmt: skip


@pytest.mark.parametrize("cls", SOURCES)
def test_sources_of_classes_are_found(cls):
    """A class says where it is public; inspect finds the file in which it is written."""
    source = inspect.getsource(cls)
    assert re.match(rf"(@.*\n)*class {cls.__name__}\b", source) and inspect.getsourcelines(cls)[1] > 1
    assert inspect.getmodule(cls).__name__ == cls.__module__


def test_sources_are_found_under_the_alias():
    code = "import inspect, torch; print('class Tensor' in inspect.getsource(torch.Tensor), torch.__file__ == inspect.getfile(torch))"
    command = [sys.executable, "-m", "minigrad", "-c", code]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_files_are_those_of_modules():
    assert torch.__file__ == torch.__spec__.origin and nn.parameter.__file__ == nn.parameter.__spec__.origin
    assert inspect.getsource(torch.Tensor.size).lstrip().startswith("def size(")
    assert inspect.getsource(nn.parameter) == pathlib.Path(nn.parameter.__file__).read_text()


@pytest.mark.torch
def test_pytorch_has_the_same_places():
    """What pickles name of modules, optimizers and schedulers, PyTorch has where we have it."""
    theirs = pytest.importorskip("torch")
    named = set()
    for obj in [
        *map(module, MODULE_NAMES),
        *(row.built(torch, torch.distributions)[0] for row in ROWS),
        *transformed(),
        *(THINGS[name]() for name in THINGS if name not in ("operators", "volatile")),
    ]:
        named |= restored(obj, 4)[1]
    for path, name in sorted(named):
        if path.startswith("minigrad") and path != "minigrad.storage":
            home = importlib.import_module("torch" + path.removeprefix("minigrad"))
            if path == "minigrad._tensor" and name[0] != "_":
                home = theirs.Tensor
            for part in name.split("."):
                home = getattr(home, part)
