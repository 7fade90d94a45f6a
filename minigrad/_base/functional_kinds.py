"""Which operator each function of ``nn.functional`` leads to, by which a call is explained that has failed: PyTorch's functions there check little, and leave
the kinds of arguments to the operator, whose messages say its name.
"""

import sys

from .argument_kinds import overloads, refuse_arguments

_PACKAGE = __name__.partition(".")[0]
#: Function -> its operator and, where names differ, ``ours=theirs``; ``-name``: a parameter of the function that is not the operator's of that name.
_LINES = """
adaptive_max_pool1d: adaptive_max_pool1d
affine_grid: affine_grid_generator
batch_norm: batch_norm
binary_cross_entropy: binary_cross_entropy
binary_cross_entropy_with_logits: binary_cross_entropy_with_logits
cosine_embedding_loss: cosine_embedding_loss
cross_entropy: cross_entropy_loss
dropout: dropout training=train
embedding: embedding input=indices
fold: col2im
glu: glu
grid_sample: grid_sampler -padding_mode
group_norm: group_norm
hinge_embedding_loss: hinge_embedding_loss
huber_loss: huber_loss
instance_norm: instance_norm
kl_div: kl_div
layer_norm: layer_norm
linear_cross_entropy: cross_entropy_loss -input -target
margin_ranking_loss: margin_ranking_loss
max_pool1d: max_pool1d
max_pool2d: max_pool2d
max_pool3d: max_pool3d
multi_margin_loss: multi_margin_loss
multilabel_margin_loss: multilabel_margin_loss
nll_loss: nll_loss_nd
pad: pad
poisson_nll_loss: poisson_nll_loss
rms_norm: rms_norm
scaled_dot_product_attention: F.scaled_dot_product_attention
smooth_l1_loss: smooth_l1_loss
soft_margin_loss: soft_margin_loss
triplet_margin_loss: triplet_margin_loss
unfold: im2col
"""
#: Parameters that never mean what the operator's of that name does: words, where the operator takes numbers.
_APART = ("reduction",)
_OPERATORS = {
    name: words.split() for name, words in (line.split(": ") for line in _LINES.strip().splitlines())
}


def functional_operator(function):
    """The line of a function of ``nn.functional``: its operator's name and the differences between names; None for other functions."""
    name = function.__name__
    module = sys.modules.get(_PACKAGE + ".nn.functional")
    return _OPERATORS.get(name) if module is not None and vars(module).get(name) is function else None


def refuse_functional(line, given):
    """Raise TypeError if the operator of a function takes no such arguments: a dictionary name -> value, as the function was given them."""
    name, *differences = line
    renamed = dict(word.split("=") for word in differences if "=" in word)
    dropped = {*_APART, *(word[1:] for word in differences if word[0] == "-")}
    names = list(dict.fromkeys(p.name for overload in overloads(name) for p in overload))
    passed = {renamed.get(key, key): value for key, value in given.items() if key not in dropped}
    refuse_arguments(name, {key: value for key, value in passed.items() if key in names}, parameters=names)
