"""The same programs under both libraries print the same."""

import pytest

from tests.multiprocessing.programs import output

pytestmark = pytest.mark.torch

SHARED = """
import pickle, warnings
from multiprocessing.reduction import ForkingPickler

warnings.filterwarnings("ignore", "TypedStorage is deprecated")

def travelled(obj):
    return pickle.loads(ForkingPickler.dumps(obj))

def attempt(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).partition('.')[0].partition(chr(10))[0]}"

x = torch.arange(10.)
others = [x[2:5], x.data, x.detach(), x.view(2, 5)]
print([t.is_shared() for t in (x, *others)], x.share_memory_() is x, [t.is_shared() for t in (x, *others)], x._version)
others[0][0] = 77
print(x.tolist(), others[3].tolist())

empty = torch.empty(0)
print(empty.is_shared(), empty.share_memory_().is_shared(), torch.UntypedStorage(0).share_memory_().is_shared())
shared = torch.UntypedStorage._new_shared(4)
print(shared.tolist(), shared.is_shared(), shared.resizable(), attempt(shared.resize_, 8), type(shared).__name__)
print(torch.LongStorage._new_shared(2).dtype, torch.TypedStorage(3, dtype=torch.int16)._new_shared(5).nbytes())
fd, size = torch.UntypedStorage(3).fill_(7)._share_fd_cpu_()
print(size, type(fd).__name__)

for t in (
    x, x[3:], x.view(2, 5).t(), x.view(2, 5)[:, 1::2], torch.ones(1).expand(4), torch.zeros(0, 3), torch.tensor(5), x[2:2],
    torch.tensor([True, False]), torch.ones(2, dtype=torch.complex64), torch.ones(2, dtype=torch.float16), torch.ones(2, dtype=torch.int8),
):
    twin = travelled(t)
    print(tuple(twin.shape), twin.stride(), twin.dtype, twin.tolist(), twin.is_shared(), twin.untyped_storage().nbytes(), twin.data_ptr() == t.data_ptr(),
          twin.storage_offset() == t.storage_offset(), twin.requires_grad, twin._is_view())

a, b = torch.arange(6.).split(3)
first, second = travelled(a), travelled(b)
print(first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr() == a.untyped_storage().data_ptr())

leaf = torch.ones(2, requires_grad=True)
leaf.sum().backward()
twin = travelled(leaf)
print(twin.requires_grad, twin.is_leaf, twin.grad, attempt(travelled, leaf * 2), travelled((leaf * 2).detach()).requires_grad)
parameter = torch.nn.Parameter(torch.ones(2))
parameter.note = "mine"
print(type(travelled(parameter)).__name__, hasattr(travelled(parameter), "note"), travelled(parameter))
fixed = torch.nn.Parameter(torch.ones(2, dtype=torch.int64), requires_grad=False)
print(type(travelled(fixed)).__name__, travelled(fixed).requires_grad)

class Own(torch.Tensor):
    pass
own = torch.ones(2).as_subclass(Own)
own.note = "kept"
print(type(travelled(own)).__name__, travelled(own).note, travelled(own).is_shared(), own.is_shared())

model = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.BatchNorm1d(1))
model[0].weight.grad = torch.ones(1, 2)
weight = model[0].weight
print(model.share_memory() is model, weight is model[0].weight, [t.is_shared() for t in (*model.parameters(), *model.buffers(), weight.grad)])
print(attempt(torch.nn.LazyLinear(2).share_memory))
hooked = torch.ones(1, requires_grad=True)
hooked.register_hook(lambda grad: grad)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    travelled(hooked)
print([str(w.message).partition("<")[0] for w in caught])
with torch.inference_mode():
    made = torch.ones(1)
print(made.is_inference(), travelled(made).is_inference())
generator = torch.Generator().manual_seed(3)
torch.rand(2, generator=generator)
print(torch.equal(torch.rand(2, generator=travelled(generator)), torch.rand(2, generator=generator)))
print(attempt(mp.set_sharing_strategy, "x").partition(",")[0], mp.get_sharing_strategy(), sorted(mp.get_all_sharing_strategies()))
print(sorted(name for name in mp.__all__), mp.ENV_VAR_PARALLEL_START)
"""

CHILDREN = """

def serve(questions, answers):
    seen = []
    for name, value in iter(questions.get, None):
        if name == "add":
            value += 1
            seen.append(value)
            answers.put(float(value.sum()))
        elif name == "last":
            answers.put((seen[-1].tolist(), seen[-1].is_shared()))
        elif name == "double":
            value = value * 2
            kept = value  # PyTorch's receivers need it
            answers.put(value)
        elif name == "random":
            answers.put((torch.rand(2).tolist(), torch.initial_seed()))

def work(i, x):
    x[i] = i + 1

def fail(i):
    raise IndexError(f"of process {i}")

if __name__ == "__main__":
    context = mp.get_context("fork")
    torch.manual_seed(11)
    questions, answers = context.Queue(), context.Queue()
    process = context.Process(target=serve, args=(questions, answers))
    process.start()
    x = torch.zeros(4)
    view = x[1:3]
    questions.put(("add", x)); print(answers.get(), x.tolist(), view.tolist())
    questions.put(("add", view)); print(answers.get(), x.tolist())
    x[2] = 50
    questions.put(("last", None)); print(answers.get())
    questions.put(("double", torch.ones(2, dtype=torch.float64))); print(answers.get())
    questions.put(("random", None)); print(answers.get() == (torch.rand(2).tolist(), 11))
    questions.put(None)
    process.join()
    print(process.exitcode)
    y = torch.zeros(2).share_memory_()
    print(mp.start_processes(work, (y,), nprocs=2, start_method="fork"), y)
    try:
        mp.start_processes(fail, nprocs=1, start_method="fork")
    except mp.ProcessRaisedException as error:
        print(error.error_index, [line for line in str(error).splitlines() if "File" not in line and "args" not in line and "^" not in line])
    found = mp.start_processes(work, (y,), nprocs=2, start_method="fork", join=False)
    while not found.join():
        pass
    print(type(found).__name__, found.join(timeout=1), len(found.pids()), len(found.processes))
    with context.Pool(1) as pool:
        print(pool.map(torch.Tensor.sum, [torch.ones(2), torch.ones(3)]), pool.apply(abs, (torch.tensor(-1),)))
"""


@pytest.mark.parametrize("source", [SHARED, CHILDREN], ids=["shared memory", "children"])
def test_both_print_the_same(source, tmp_path):
    pytest.importorskip("torch")
    ours = output(source, tmp_path)
    theirs = output(source, tmp_path, library="torch")
    assert ours == theirs
