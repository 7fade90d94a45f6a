"""Programs of the benchmarks in the terms of other libraries, one file each, which has ``SETUPS``: for each program, a function that sets it up.

A program is named by the path of the benchmark that runs it under PyTorch's interface; its setup takes no argument and returns the function to be timed,
whose result is compared with minigrad's.
"""

import importlib.util

from benchmarks.cases.large_arrays import large
from benchmarks.cases.small_graphs import chains
from benchmarks.cases.training_steps import steps
from benchmarks.cases.transforms import transforms

CHAIN = chains.path("z = (z*y + y).tanh(), backward")
TANH_MLP = steps.path("8-8-8-1 tanh MLP, batch 8, SGD")
DIGITS_MLP = steps.path("784-256-128-10 ReLU MLP, batch 64, SGD")
HESSIAN = transforms.path("hessian, Rosenbrock in 30 dimensions")
ELEMENTS = large.path("tanh(x*y + z) * y, 4M elements")
PRODUCT = large.path("a @ b, 512 x 512")
PROGRAMS = CHAIN, TANH_MLP, DIGITS_MLP, HESSIAN, ELEMENTS, PRODUCT

#: The files, by the names of the columns, and the packages that they need.
LIBRARIES = {
    "autograd": ("hips_autograd", "autograd"),
    "MyGrad": ("my_grad", "mygrad"),
    "JAX": ("jax_eager", "jax"),
    "JAX, jit": ("jax_compiled", "jax"),
    "tinygrad": ("tiny_eager", "tinygrad"),
    "tinygrad, jit": ("tiny_compiled", "tinygrad"),
}


def installed():
    """The modules with the programs of each library that is installed, by the names of the columns."""
    return {
        name: f"{__name__}.{module}"
        for name, (module, package) in LIBRARIES.items()
        if importlib.util.find_spec(package) is not None
    }
