"""The optional packages: the extra of the distribution that brings each, and the error of a function that misses one.

The distribution is not called as the import is: ``minigrad`` on the package index is another project.
"""

import warnings

import numpy as np

from .numpy_version import at_least

#: What pip installs.
DISTRIBUTION = "minigrad-numpy"
#: What the package index has under the name of the import: another project, with files of the same names.
OTHER_PROJECT = "minigrad"
#: The extras that functions of the package make use of: extra -> the distributions that it brings.
EXTRAS = {
    "fast": ("onednn-cpu-gomp",),
    "io": ("ml_dtypes", "numpy"),
    "itt": ("ittapi",),
    "mpi": ("mpi4py", "mpich"),
    "nvtx": ("nvtx",),
    "onnx": ("onnx", "onnxruntime"),
    "special": ("scipy",),
    "tensorboard": ("tensorboard", "pillow"),
    "viz": ("pygraphviz",),
}
#: What brings this project's files back where the other one has overwritten or removed some.
REPAIR = f"pip uninstall -y {OTHER_PROJECT} && pip install --force-reinstall --no-deps {DISTRIBUTION}"


def install_command(extra):
    """What to type for an extra of this distribution."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def missing_extra(what, package, extra):
    """The error for a package that is not installed and that an extra brings."""
    return ImportError(
        f"{what} needs the package '{package}', which is not installed: run  {install_command(extra)}"
    )


def warn_of_old_numpy(what, extra):
    """Warn where NumPy is too old for dtypes that are not its own: before 2.1.3, Python's numbers turn such arrays into float32."""
    if not at_least(2, 1, 3):
        warnings.warn(
            f"{what}: results may be of dtype float32, because NumPy {np.__version__} promotes it so; NumPy 2.1.3 and later do not: run  "
            f"{install_command(extra)}",
            stacklevel=4,
        )


def other_project(name):
    """The error for a name that only the project with the same import name has."""
    return ImportError(
        f"minigrad.{name} belongs to another project, '{OTHER_PROJECT}' on the package index, not to this one, '{DISTRIBUTION}'. The two "
        f"install files of the same names, so that only one of them can be installed: to keep '{DISTRIBUTION}', run  {REPAIR}"
    )
