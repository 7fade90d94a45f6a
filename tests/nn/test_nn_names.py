"""What ``nn`` has beside layers: late imports, helpers of modules, ``parallel``."""

import pickle
from collections import OrderedDict

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.nn.modules import utils
from tests.test_import import run


def test_importing_nn_imports_no_layer():
    lines = run(
        """
        import sys
        import minigrad.nn
        print(*sorted(name for name in sys.modules if name.startswith("minigrad.nn.")))
        minigrad.nn.Conv2d
        print("minigrad.nn.modules.conv" in sys.modules, "minigrad.nn.modules.pooling" in sys.modules)
        """
    )
    assert lines == ["minigrad.nn.modules", "True False"]


def test_files_are_there_without_being_imported():
    assert run("import minigrad; print(minigrad.nn.modules.batchnorm._BatchNorm.__name__)") == ["_BatchNorm"]
    names = run("from minigrad.nn import *; print(Linear.__name__, functional.__name__, 'Any' in globals())")
    assert names == ["Linear minigrad.nn.functional False"]


def test_unknown_names():
    with pytest.raises(AttributeError, match="Convolution"):
        nn.Convolution


def test_tuples_of_sizes():
    assert (
        utils._pair(3) == (3, 3) and utils._triple([1, 2, 3]) == (1, 2, 3) and utils._ntuple(4)(0) == (0,) * 4
    )
    assert utils._reverse_repeat_tuple((1, 2), 2) == (2, 2, 1, 1)
    assert utils._list_with_default((None, 3), [5, 6, 7]) == [6, 3]
    assert utils._list_with_default(4, [5]) == 4
    with pytest.raises(ValueError, match="Input dimension should be at least 3"):
        utils._list_with_default((None, 3), [5, 6])


def test_prefixes_of_state_dicts():
    state = nn.DataParallel(nn.Sequential(nn.Linear(1, 1))).state_dict()
    assert list(state) == ["module.0.weight", "module.0.bias"]
    utils.consume_prefix_in_state_dict_if_present(state, "module.")
    assert list(state) == ["0.weight", "0.bias"] and list(state._metadata) == ["", "0"]
    nn.Sequential(nn.Linear(1, 1)).load_state_dict(state)


def test_data_parallel_is_the_module_itself():
    layer = nn.Linear(2, 1)
    parallel = nn.DataParallel(layer, device_ids=[0])
    x = torch.ones(3, 2)
    assert parallel.module is layer and parallel.device_ids == []
    assert torch.equal(parallel(x), layer(x))
    assert torch.equal(nn.parallel.data_parallel(layer, x), layer(x))
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        nn.parallel.DistributedDataParallel(layer)


def test_factory_kwargs():
    assert nn.factory_kwargs(None) == {}
    merged = nn.factory_kwargs({"device": "cpu", "factory_kwargs": {"dtype": torch.float64}})
    assert merged == {"device": "cpu", "dtype": torch.float64}
    with pytest.raises(TypeError, match="unexpected kwargs {'size'}"):
        nn.factory_kwargs({"size": 3})
    with pytest.raises(TypeError, match="dtype specified twice, in \\*\\*kwargs and in factory_kwargs"):
        nn.factory_kwargs({"dtype": torch.float64, "factory_kwargs": {"dtype": torch.float32}})


def test_modules_compile_to_themselves():
    layer = nn.Linear(1, 1)
    layer.compile(mode="max-autotune")
    assert layer(torch.ones(1)).shape == (1,)
    with pytest.raises(RuntimeError, match="Unrecognized mode=fast"):
        layer.compile(mode="fast")


def test_handles_of_hooks_are_pickled_with_their_module():
    layer = nn.Linear(1, 1)
    layer.handle = layer.register_forward_pre_hook(print, with_kwargs=True)
    twin = pickle.loads(pickle.dumps(layer))
    assert list(twin._forward_pre_hooks) == list(twin._forward_pre_hooks_with_kwargs) == [layer.handle.id]
    twin.handle.remove()
    assert not twin._forward_pre_hooks and not twin._forward_pre_hooks_with_kwargs
    assert layer._forward_pre_hooks
    orphan = pickle.loads(pickle.dumps(layer.register_forward_hook(print)))
    orphan.remove()
    assert isinstance(layer._forward_hooks, OrderedDict) and len(layer._forward_hooks) == 1


def test_conversion_keeps_the_layout_unless_one_is_asked_for():
    layer = nn.Conv2d(2, 3, 3).to(memory_format=torch.channels_last)
    assert layer.weight.is_contiguous(memory_format=torch.channels_last)
    assert layer.double().weight.is_contiguous(memory_format=torch.channels_last)
