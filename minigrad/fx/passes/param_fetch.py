"""What backends need of layers: ``extract_attrs_for_lowering``."""

from typing import Any

from ...nn import AdaptiveAvgPool2d, BatchNorm2d, Conv2d, Linear, MaxPool2d, Module, ReLU
from .. import _targets
from ..graph_module import GraphModule

__all__ = ["default_matching", "extract_attrs_for_lowering", "lift_lowering_attrs_to_nodes"]


def default_matching(name: str, target_version: int) -> str:
    """Return the name of an attribute in a version of a layer: the same in all.

    >>> from minigrad.fx.passes.param_fetch import default_matching
    >>> default_matching("weight", 1)
    'weight'
    """
    return name


_CONV = ["weight", "bias", "kernel_size", "stride", "padding", "dilation", "groups", "padding_mode"]
_POOL = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
#: Class of a layer -> (its version, the attributes that are needed, how they are called in another version).
module_fetch_book: dict[Any, Any] = {
    Linear: (1, ["weight", "bias"], default_matching),
    Conv2d: (1, _CONV, default_matching),
    BatchNorm2d: (2, ["weight", "bias", "running_mean", "running_var", "eps"], default_matching),
    AdaptiveAvgPool2d: (1, [], default_matching),
    MaxPool2d: (1, _POOL, default_matching),
    ReLU: (1, ["inplace"], default_matching),
}


def extract_attrs_for_lowering(mod: Module) -> dict[str, Any]:
    """Return the attributes of a layer that ``module_fetch_book`` lists for its class, and its ``name``; raises RuntimeError for other classes.

    >>> import minigrad
    >>> minigrad.fx.passes.param_fetch.extract_attrs_for_lowering(minigrad.nn.ReLU())
    {'name': 'torch.nn.modules.activation.ReLU', 'inplace': False}
    """
    name = _targets.type_text(type(mod))
    if type(mod) not in module_fetch_book:
        raise RuntimeError(
            f"{name} is not in the module_fetch_book yet, please add it to the module_fetch_book"
        )
    version, attributes, matching = module_fetch_book[type(mod)]
    if version < mod._version:
        raise RuntimeError(f"Fetcher version {version} try to fetch {name} version {mod._version}")
    return {"name": name, **{each: getattr(mod, matching(each, mod._version)) for each in attributes}}


def lift_lowering_attrs_to_nodes(fx_module: GraphModule) -> None:
    """Put what ``extract_attrs_for_lowering`` gives on the nodes that call layers, as ``attrs_for_lowering``, also in the modules below.

    >>> import minigrad
    >>> gm = minigrad.fx.symbolic_trace(minigrad.nn.Sequential(minigrad.nn.ReLU()))
    >>> minigrad.fx.passes.param_fetch.lift_lowering_attrs_to_nodes(gm)
    >>> [*gm.graph.nodes][1].attrs_for_lowering["inplace"]
    False
    """
    for node in fx_module.graph.find_nodes(op="call_module"):
        module = fx_module.get_submodule(node.target)
        if isinstance(module, GraphModule):
            lift_lowering_attrs_to_nodes(module)
        else:
            node.attrs_for_lowering = extract_attrs_for_lowering(module)
