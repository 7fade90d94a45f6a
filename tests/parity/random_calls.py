"""Every public function, and classes of modules, optimizers and distributions, called with random arguments under PyTorch and under minigrad, and what comes of it compared.

``signatures.py`` says which functions there are and what they take, ``random_arguments.py`` makes the calls, and ``random_differences.py`` lists what may differ,
and why.  Some tensors are sparse.  Compared are results (structure, layouts, dtypes, shapes, values), what is written into arguments, and exceptions: where PyTorch refuses a call, with its
class or a subclass, and never in NumPy's words.

``test_random_calls.py`` runs this file in processes of its own, because PyTorch itself crashes in some calls:

    python tests/parity/random_calls.py COUNT SEED PROGRESS START [PATTERN]
"""

import fnmatch
import functools
import json
import math
import operator
import os
import re
import signal
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
import torch

import minigrad
from tests.messages import first_sentence
from tests.parity.random_arguments import Call
from tests.parity.random_constructions import ROWS, Construction, constructions
from tests.parity.random_differences import UNDEFINED, UNORDERED, reason
from tests.parity.signatures import functions

SECONDS = 20  # that a call may take
MOST = 2**16  # elements that are compared
MEMORY = 2**30  # bytes that calls may ask for
#: Words that only NumPy, Python or minigrad's inside say.
INTERNAL = re.compile(
    r"_array\b|ufunc|(?<!numpy\.)ndarray|np\.|numpy\.(?!float|int|bool|ndarray)|operands could not be broadcast|object has no attribute|object is not (iterable|subscriptable|callable)"
    r"|setting an array|array is too big|Maximum allowed|cannot reshape array|truth value of an array|reduction operation|not supported between instances"
    r"|unsupported operand type|out of bounds for axis|buffer is too small|object of type|(?<!Got )NoneType|cannot unpack|StopIteration|axes don't match|data type"
)


# Making tensors ---------------------------------------------------------------------------------------------------------------


#: Random elements, of which each tensor takes some: normal ones, and numbers from 0 to 1.
NORMAL = np.round(np.random.RandomState(0).standard_normal(5003) * 2, 3)
UNIFORM = np.random.RandomState(1).uniform(0, 1, 5003)


@functools.lru_cache(maxsize=64)
def elements(dtype, shape, seed, values):
    """The elements of a tensor, as an array that does not depend on the library."""
    count = math.prod(shape)
    places = slice(37 * seed, 37 * seed + count)
    if values in MADE:
        found = MADE[values](UNIFORM[places]).reshape(shape)
        if values == "odd" and "float" not in dtype:
            found = np.nan_to_num(found, nan=127, posinf=1, neginf=0)
    elif values == "pivot":
        found = np.arange(1, 1 + count).reshape(shape)
    elif values == "zero":
        found = np.zeros(shape)
    else:
        found = NORMAL[places].reshape(shape)
        if values == "spd" and len(shape) > 1 and shape[-1] == shape[-2]:
            found = found @ np.swapaxes(found, -1, -2) + 3 * np.eye(shape[-1])
    if dtype == "bool":
        return found > 0
    if "float" not in dtype and "complex" not in dtype:
        found = np.floor(found)
        if dtype == "uint8":
            found = np.abs(found)
    elif dtype.startswith("complex"):
        imaginary = NORMAL[:count].reshape(shape)
        if values == "spd" and len(shape) > 1 and shape[-1] == shape[-2]:
            imaginary = (imaginary - np.swapaxes(imaginary, -1, -2)) / 8
        found = found + 1j * imaginary
    return found.astype("float32" if dtype == "bfloat16" else dtype)


ODD = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0])
MADE = {
    "index": lambda u: np.floor(u * 2),
    "unit": lambda u: 0.05 + 0.9 * u,
    "sign": lambda u: np.where(u < 0.5, -1, 1),
    "positive": lambda u: 0.5 + 2.5 * u,
    "odd": lambda u: ODD[np.floor(u * len(ODD)).astype(int)],
    "big": lambda u: np.floor(201 * u) - 100,
}


class Space(dict):
    """What expressions name, for one of the two libraries; ``made`` has the tensors that the last one has made."""

    def __init__(self, library):
        super().__init__(
            torch=library,
            np=np,
            operator=operator,
            nan=math.nan,
            inf=math.inf,
            T=self.tensor,
            KEY=np.s_,
            STEP=stepped,
            GRADED=graded,
        )
        self.library = library
        self.made = []

    def tensor(self, dtype, shape, seed=0, values="", layout="", grad=False):
        library = self.library
        array = elements(dtype, shape[::-1] if layout == "transposed" else shape, seed, values)
        if layout == "expanded" and shape:
            array = array[:1]
        t = library.from_numpy(np.array(array)).clone()  # whose storage can be resized
        if dtype == "bfloat16":
            t = t.to(library.bfloat16)
        if layout == "transposed":
            t = t.permute(*range(len(shape))[::-1])
        elif layout == "strided" and shape:
            t = library.stack([t, t], -1).flatten(-2)[..., ::2]
        elif layout == "expanded" and shape and shape[0]:
            t = t.expand(shape)
        elif layout == "offset":
            t = library.cat([library.zeros(1, dtype=t.dtype), t.flatten()])[1:].reshape(shape)
        elif layout == "coo" or (layout == "csr" and t.ndim != 2):
            t = (t * (t > 0) if "complex" not in dtype else t).to_sparse()
        elif layout == "csr":
            t = (t * (t > 0) if "complex" not in dtype else t).to_sparse_csr()
        if grad:
            t = t.detach().requires_grad_()
        self.made.append(t)
        return t

    def outcome(self, code):
        """What evaluating an expression gives: (True, its value) or (False, the exception)."""
        self.made.clear()
        self.library.default_generator.manual_seed(0)
        try:
            return True, eval(code, self)
        except Exception as error:
            error.__traceback__ = None
            return False, error


def stepped(optimizer):
    """The parameters of an optimizer after two steps."""
    parameters = [p for group in optimizer.param_groups for p in group["params"]]

    def closure():
        for p in parameters:
            p.grad = p.detach() * 0.5 + 0.25
        return sum((p * p).sum() for p in parameters)

    for _ in range(2):
        optimizer.step(closure)
    return [p.detach() for p in parameters]


def graded(parameters):
    """Parameters with gradients."""
    for p in parameters if isinstance(parameters, (list, tuple)) else [parameters]:
        if hasattr(p, "requires_grad"):
            p.grad = p.detach() * 0.5 + 0.25
    return parameters


# Comparing --------------------------------------------------------------------------------------------------------------------

TOLERANCE = {
    "float64": 1e-7,
    "complex128": 1e-7,
    "float32": 2e-4,
    "complex64": 2e-4,
    "float16": 2e-2,
    "bfloat16": 8e-2,
}


def difference(theirs, ours, function, tolerance=0):
    """What differs between two results: words, or None; ``tolerance`` is the least that numbers may differ by."""
    if isinstance(theirs, torch.Tensor):
        if not isinstance(ours, minigrad.Tensor):
            return f"a tensor, not {type(ours).__name__}"
        return tensors_differ(theirs, ours, function, tolerance)
    if isinstance(ours, minigrad.Tensor):
        return f"{kind_of(theirs)}, not a tensor"
    if isinstance(theirs, (tuple, list)) and not isinstance(theirs, torch.Size):
        if (
            not isinstance(ours, (tuple, list))
            or isinstance(ours, tuple) != isinstance(theirs, tuple)
            or len(theirs) != len(ours)
        ):
            return f"{kind_of(theirs)}, not {kind_of(ours)}"
        if getattr(theirs, "_fields", dir(theirs)[:0]) != getattr(ours, "_fields", []) and hasattr(
            theirs, "_fields"
        ):
            return f"fields {theirs._fields}"
        return next(filter(None, (difference(a, b, function, tolerance) for a, b in zip(theirs, ours))), None)
    if isinstance(theirs, float) and isinstance(ours, float):
        return (
            None
            if math.isclose(theirs, ours, rel_tol=1e-5, abs_tol=1e-6) or (theirs != theirs and ours != ours)
            else f"{theirs}, not {ours}"
        )
    if isinstance(theirs, (bool, int, complex, str, type(None), torch.Size)):
        same = (
            (tuple(theirs) == ours)
            if isinstance(theirs, torch.Size)
            else theirs == ours and type(theirs) is type(ours)
        )
        return None if same or theirs != theirs else f"{theirs!r}, not {ours!r}"
    if (
        type(theirs).__module__.startswith("torch")
        and (shown := text_of(theirs)) != text_of(ours)
        and "0x" not in shown
    ):
        return f"{shown}, not {text_of(ours)}"
    return None if type(theirs).__name__ == type(ours).__name__ else f"{kind_of(theirs)}, not {kind_of(ours)}"


def text_of(value):
    """The text of a value, in PyTorch's names; of an option that is nonsense, why there is none."""
    try:
        return re.sub(r"<module '\w+' from '[^']*'>", "torch", str(value)).replace("minigrad.", "torch.")
    except Exception as error:
        return told(error)


def kind_of(value):
    """What a value is, in a word."""
    return (
        f"{type(value).__name__} of {len(value)}"
        if isinstance(value, (tuple, list))
        else type(value).__name__
    )


def tensors_differ(theirs, ours, function, tolerance=0):
    """As ``difference``, for two tensors."""
    dtype = str(theirs.dtype).removeprefix("torch.")
    if str(ours.dtype).rpartition(".")[2] != dtype:
        return f"dtype {dtype}, not {str(ours.dtype).rpartition('.')[2]}"
    if tuple(theirs.shape) != tuple(ours.shape):
        return f"shape {tuple(theirs.shape)}, not {tuple(ours.shape)}"
    if theirs.requires_grad != ours.requires_grad:
        return f"requires_grad {theirs.requires_grad}"
    if (layout := str(theirs.layout).removeprefix("torch.")) != str(ours.layout).rpartition(".")[2]:
        return f"layout {layout}, not {str(ours.layout).rpartition('.')[2]}"
    if theirs.layout == torch.sparse_coo and theirs.is_coalesced() != ours.is_coalesced():
        return f"is_coalesced {theirs.is_coalesced()}"
    if theirs.device.type != "cpu" or UNDEFINED.fullmatch(function):
        return None
    if theirs.layout != torch.strided and theirs._nnz() != ours._nnz():
        return f"{theirs._nnz()} elements, not {ours._nnz()}"
    if theirs.numel() > MOST:
        return None
    a, b = array_of(theirs, torch), array_of(ours, minigrad)
    if UNORDERED.fullmatch(function):
        return None
    if dtype not in TOLERANCE:
        return None if np.array_equal(a, b) else f"values {brief(a)}, not {brief(b)}"
    finite = np.abs(a[np.isfinite(a)])
    scale = 1 + (finite.max() if finite.size else 0)
    with np.errstate(all="ignore"):
        close = (
            (np.abs(a - b) <= max(TOLERANCE[dtype], tolerance) * scale)
            | (a == b)
            | (np.isnan(a) & np.isnan(b))
        )
    return None if close.all() else f"values {brief(a)}, not {brief(b)}"


def array_of(tensor, library):
    """The elements of a tensor as an array, halves as float32."""
    tensor = tensor.detach()
    if str(tensor.layout).rpartition(".")[2] != "strided":
        tensor = tensor.to_dense()
    tensor = tensor.resolve_conj().resolve_neg()
    if str(tensor.dtype).endswith("complex32"):
        tensor = tensor.to(library.complex64)
    if tensor.dtype in (library.bfloat16, library.float16):
        tensor = tensor.float()
    return (
        np.array(tensor.tolist()).reshape(tuple(tensor.shape))
        if "float8" in str(tensor.dtype)
        else tensor.numpy()
    )


def brief(array):
    """Some of an array's elements."""
    text = np.array2string(array.ravel()[:6], precision=5, separator=",").replace("\n", "")
    return text + "..." * (array.size > 6)


def told(error):
    """An exception in a line."""
    return f"{type(error).__name__}: {first_line(error)}"


def first_line(error):
    return str(error).strip().partition("\n")[0][:200]


def classes_fit(theirs, ours):
    """Whether an exception is of PyTorch's class or a subclass of it."""
    names = {c.__name__ for c in type(ours).__mro__}
    return type(theirs).__name__ in names


def examine(name, text, spaces, note):
    """Make a call in both libraries: (kind of difference or None, theirs, ours, whether both speak alike)."""
    code = compile(text, "call", "eval")
    note("torch")
    fine, theirs = spaces["torch"].outcome(code)
    note("minigrad")
    well, ours = spaces["minigrad"].outcome(code)
    note("compared")
    # what is written into a wider tensor, or computed of several, has the digits of the operands
    is_mixed = "out=" in text or name.startswith(("torch.distributions.", "torch.nn.utils."))
    precisions = [TOLERANCE["float32"], *(t for dtype, t in TOLERANCE.items() if repr(dtype) in text)]
    tolerance = max(precisions) if is_mixed else 0
    if fine and well:
        found = difference(theirs, ours, name, tolerance)
        if found is not None:
            return "result", found, "", False
        for i, (a, b) in enumerate(zip(spaces["torch"].made, spaces["minigrad"].made)):
            if (theirs is a) != (ours is b):
                return "identity", f"argument {i} is the result: {theirs is a}", "", False
            found = difference(a, b, name, tolerance)
            if found is None and "GRADED" in text:
                found = difference(a.grad, b.grad, name, tolerance)
            if found is not None:
                return "written", f"argument {i}: {found}", "", False
        return None, "", "", True
    if fine:
        return "refused", "fine", told(ours), False
    if well:
        return "accepted", told(theirs), "fine", False
    alike = first_sentence(str(theirs)) == first_sentence(str(ours))
    if not classes_fit(theirs, ours):
        return "class", told(theirs), told(ours), alike
    if INTERNAL.search(str(ours)) and not INTERNAL.search(str(theirs)):
        return "inside", told(theirs), told(ours), alike
    return None, "", "refused", alike


def limited():
    """Let no call ask for much more memory than the two libraries have taken."""
    try:
        import resource
    except ImportError:  # on Windows calls for terabytes fail anyway
        return
    taken = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        if Path("/proc/self/statm").exists()
        else 2**33
    )
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, resource.RLIM_INFINITY))


def main(count, seed, progress, start, pattern="*"):
    """Make ``count`` calls of each function, from number ``start`` of all calls on, and print a line of JSON for each that differs."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    every = {**functions(minigrad), **constructions()}
    known = {name: overloads for name, overloads in every.items() if fnmatch.fnmatch(name, pattern)}
    calls = [(name, i) for name in known for i in range(count)]
    spaces = {"torch": Space(torch), "minigrad": Space(minigrad)}
    seen = dict.fromkeys(("succeeded", "refused", "alike"), 0)
    limited()
    file = os.open(progress, os.O_WRONLY | os.O_CREAT)
    watch = getattr(signal, "alarm", lambda seconds: None)
    for at in range(start, len(calls)):
        name, i = calls[at]
        call = Construction if name in ROWS else Call
        text = call(zlib.crc32(f"{seed} {name} {i}".encode())).text(name, known[name])

        def note(where, at=at, text=text):
            os.pwrite(file, f"{at} {where} {text}".encode()[:4000].ljust(4000), 0)

        watch(SECONDS)
        kind, theirs, ours, alike = examine(name, text, spaces, note)
        if kind is None:
            seen["refused" if ours else "succeeded"] += 1
            seen["alike"] += bool(ours) and alike
        else:
            why = reason(name, kind, theirs, ours, text)
            print(
                json.dumps(
                    {
                        "function": name,
                        "call": text,
                        "kind": kind,
                        "theirs": theirs,
                        "ours": ours,
                        "why": why,
                        "alike": alike,
                    }
                ),
                flush=True,
            )
    watch(0)
    print(json.dumps({"counts": seen, "functions": len(known)}), flush=True)
    os.pwrite(file, f"{len(calls)} done".encode().ljust(4000), 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), *sys.argv[5:])
