"""Names with an underscore that libraries import from ``nn`` and ``optim``: what they give, under both libraries."""

from importlib import import_module

import pytest

import minigrad

MODULES = (
    "nn.utils.prune",
    "optim.optimizer",
    "optim.lr_scheduler",
    "optim.lbfgs",
    "optim._muon",
    "nn.functional",
)

#: Expressions of the library ``t`` and of ``MODULES``.
CALLS = [
    "prune._compute_nparams_toprune(0.5, 7)",
    "prune._compute_nparams_toprune(3, 7)",
    "prune._validate_pruning_amount(8, 7)",
    "prune._validate_structured_pruning(t.ones(3))",
    "prune._validate_pruning_dim(t.ones(3, 2), 2)",
    "prune._compute_norm(t.tensor([[3., 4.], [6., 8.]]), 2, 0).tolist()",
    "len(t.nn.modules.transformer._get_clones(t.nn.Linear(1, 1), 3))",
    "t.nn.modules.transformer._get_activation_fn('gelu').__name__",
    "t.nn.modules.transformer._get_activation_fn('tanh')",
    "t.nn.modules.transformer._generate_square_subsequent_mask(2).tolist()",
    "(t.nn.modules.conv._pair(3), t.nn.modules.conv._triple(3), t.nn.modules.pooling._pair((1, 2)))",
    "t.nn.init._no_grad_fill_(t.nn.Parameter(t.ones(2)), 3).tolist()",
    "t.nn.init._no_grad_zero_(t.nn.Parameter(t.ones(2))).tolist()",
    "[t.manual_seed(0) and None, t.nn.init._no_grad_uniform_(t.ones(2), 1, 2).tolist()]",
    "[t.manual_seed(0) and None, t.nn.init._no_grad_normal_(t.ones(2), 1, 2).tolist()]",
    "[t.manual_seed(0) and None, t.nn.init._no_grad_trunc_normal_(t.ones(2), 0, 1, -1, 1).tolist()]",
    "(optimizer._get_value(t.tensor(2.)), optimizer._get_value(3))",
    "(optimizer._to_scalar(t.tensor([2.])).dim(), optimizer._to_scalar(3))",
    "str(optimizer._get_scalar_dtype()).split('.')[1]",
    "optimizer._default_to_fused_or_foreach([t.ones(2)], False, True)",
    "optimizer._default_to_fused_or_foreach([t.ones(2)], False)",
    "optimizer._default_to_fused_or_foreach([t.ones(2)], True, True)",
    "[ps := [t.ones(2, dtype=t.complex64)], ms := [t.zeros(2, dtype=t.complex64)], "
    "optimizer._view_as_real(ps, ms)] and (ps[0].tolist(), ms[0].tolist())",
    "optimizer._get_capturable_supported_devices(supports_xla=False)",
    "optimizer._device_dtype_check_for_fused(t.ones(2, dtype=t.int64))",
    "optimizer._device_dtype_check_for_fused(t.ones(2))",
    "tuple(lr_scheduler._format_param('factor', t.optim.SGD([t.ones(1)], lr=0.5), 3.))",
    "tuple(lr_scheduler._param_groups_val_list(t.optim.SGD([t.ones(1)], lr=0.5), 'lr'))",
    "[g := {'lr': t.tensor(1.)}, lr_scheduler._update_param_group_val(g, 'lr', 3.)] and g['lr'].item()",
    "lbfgs._cubic_interpolate(t.tensor(0.), t.tensor(1.), t.tensor(-1.), t.tensor(2.), t.tensor(2.), t.tensor(3.)).item()",
    "_muon._adjust_lr(0.5, 'match_rms_adamw', (8, 2))",
    "tuple(_muon._zeropower_via_newtonschulz(t.eye(3), (3.4445, -4.775, 2.0315), 5, 1e-7).float().diagonal().tolist())",
    "str(functional._unpool_output_size(t.ones(1, 2, 4, 4), [2, 2], [2, 2], [0, 0], None))",
    "str(functional._unpool_output_size(t.ones(1, 2, 4, 4), [2, 2], [2, 2], [0, 0], [1, 2, 9, 9]))",
    "functional._unpool_output_size(t.ones(1, 2, 4, 4), [2, 2], [2, 2], [0, 0], [20, 9])",
    "functional._unpool_output_size(t.ones(1, 2, 4, 4), [2, 2], [2, 2], [0, 0], [20])",
    "functional._verify_batch_size([1, 3, 1])",
    "functional._verify_batch_size([2, 3, 1])",
    "functional._verify_spatial_size([1, 3, 1])",
    "str(functional._list_with_default([None, 3], [1, 2, 5, 6]))",
    "functional._list_with_default([None, 3], [1, 2])",
    "(functional._get_softmax_dim('softmax', 3, 2), functional._get_softmax_dim('softmax', 4, 2))",
    "[functional._is_integer(x) for x in (3, 3., t.tensor(3), t.tensor(3.), True)] == [True, False, True, False, True]",
    "functional.assert_int_or_pair([1, 2, 3], 'size', '{} is wrong')",
    "functional._check_key_padding_mask(t.zeros(2, 3), 4, 2)",
    "functional._check_key_padding_mask(t.zeros(2, 3), 3, 1)",
    "[w := t.ones(3, 2) * 3, functional._no_grad_embedding_renorm_(w, t.tensor([0, 2]), 1., 2.)] and str(w)",
    "functional._mha_shape_check(t.ones(3, 2, 4), t.ones(3, 2, 4), t.ones(3, 4), None, None, 2)",
    "functional._mha_shape_check(t.ones(2, 4), t.ones(2, 4), t.ones(2, 4), None, t.ones(2, 2), 2)",
    "str([x.tolist() for x in functional._in_projection_packed(*[t.ones(2, 1, 2)] * 3, t.arange(12.).view(6, 2), t.arange(6.))])",
    "str([x.tolist() for x in functional._in_projection_packed(t.ones(2, 2), *[t.eye(2)] * 2, t.arange(12.).view(6, 2))])",
    "str([x.tolist() for x in functional._in_projection(t.ones(2, 2), t.eye(2), t.eye(2), *[t.arange(4.).view(2, 2)] * 3, b_k=t.ones(2))])",
    "functional._in_projection(t.ones(2, 2), t.eye(2), t.eye(2), *[t.arange(6.).view(3, 2)] * 3)",
    "(functional._pair(1), functional._triple(1), functional._Reduction.get_enum('sum'), functional.has_torch_function_unary(t.ones(1)))",
    "optimizer._disable_dynamo_if_unsupported(single_tensor_fn=None)(len)([1])",
]  # fmt: skip
#: The dictionaries of hooks on all modules, and what registers one.
HOOKS = {
    "_global_forward_hooks": "register_module_forward_hook",
    "_global_forward_pre_hooks": "register_module_forward_pre_hook",
    "_global_backward_hooks": "register_module_full_backward_hook",
    "_global_backward_pre_hooks": "register_module_full_backward_pre_hook",
    "_global_buffer_registration_hooks": "register_module_buffer_registration_hook",
    "_global_module_registration_hooks": "register_module_module_registration_hook",
    "_global_parameter_registration_hooks": "register_module_parameter_registration_hook",
}


def outcome(lib, call):
    modules = {name.rpartition(".")[2]: import_module(f"{lib.__name__}.{name}") for name in MODULES}
    try:
        return eval(call, {"t": lib, **modules})
    except (AssertionError, RuntimeError, ValueError, IndexError) as error:
        return type(error), str(error)


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:Implicit dimension")
@pytest.mark.parametrize("call", CALLS)
def test_calls(call):
    ours, theirs = outcome(minigrad, call), outcome(pytest.importorskip("torch"), call)
    if isinstance(theirs, list):
        ours, theirs = ours[1], pytest.approx(theirs[1], abs=1e-6)
    assert ours == theirs


@pytest.mark.parametrize("name", HOOKS)
def test_hooks_on_all_modules_stand_in_dictionaries(name):
    module = minigrad.nn.modules.module
    hooks = getattr(module, name)
    assert not hooks and not module._has_any_global_hook()
    handle = getattr(module, HOOKS[name])(print)
    assert list(hooks.values()) == [print]
    assert module._has_any_global_hook() is ("registration" not in name)
    handle.remove()
    assert not hooks


def test_a_module_holds_other_tensors_for_a_while():
    from minigrad.nn.utils.stateless import _reparametrize_module, _untie_named_tensors_map

    module = minigrad.nn.Linear(2, 1)
    module.again = module.weight
    other, weight = minigrad.ones(1, 2), module.weight
    assert set(_untie_named_tensors_map(module, {"weight": other})) == {"weight", "again"}
    with _reparametrize_module(module, {"weight": other}, tie_weights=True):
        assert module.weight is module.again is other
    assert module.weight is module.again is weight
