"""Processes that run one function, by all methods of starting them; and what is left when they die."""

import os
import pickle
import signal
import sys

import pytest

import minigrad as mg
import minigrad.multiprocessing as mp
from tests.multiprocessing.programs import output, started

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc and /dev/shm")

PROGRAM = """
import logging, os, signal, sys

def train(i, model, queue, x):
    model.weight.data[i] = i + 1
    x[i] = i + 1
    queue.put((i, x[i:]))
    queue.close()
    queue.join_thread()
    if "torch" in type(x).__module__:
        import time
        time.sleep(1)  # PyTorch's receiver needs the sender

def fail(i, how):
    if i == 1:
        how()
    import time
    time.sleep(60)

def raises(): raise ValueError("of mine")
def says_much(): raise ValueError("much " * 100_000)
def exits(): sys.exit(7)
def is_killed(): os.kill(os.getpid(), signal.SIGKILL)
def ends_at_once(): os._exit(3)

if __name__ == "__main__":
    logging.disable()
    method = sys.argv[1]
    context = mp.get_context(method)
    queue, model, x = context.Queue(), torch.nn.Linear(1, 2), torch.zeros(2).share_memory_()
    model.share_memory()
    found = mp.start_processes(train, (model, queue, x), nprocs=2, start_method=method, join=False)
    arrived = [queue.get() for _ in range(2)]
    while not found.join():
        pass
    print(x.tolist(), sorted((i, part[0].item()) for i, part in arrived), model.weight.tolist(), found.join(), len(found.pids()))
    for how in (raises, is_killed, says_much, exits, ends_at_once)[: int(sys.argv[2])]:
        try:
            mp.start_processes(fail, (how,), nprocs=2, start_method=method)
        except mp.ProcessRaisedException as error:
            begins = str(error).startswith("\\n\\n-- Process 1 terminated with the following error:\\nTraceback")
            print(type(error).__name__, error.error_index, begins, str(error).split()[-1])
        except mp.ProcessExitedException as error:
            print(type(error).__name__, error, error.error_index, error.exit_code, error.signal_name)
"""
PRINTED = """\
[1.0, 2.0] [(0, 1.0), (1, 2.0)] [[1.0], [2.0]] True 2
ProcessRaisedException 1 True mine
ProcessExitedException process 1 terminated with signal SIGKILL 1 -9 SIGKILL
ProcessRaisedException 1 True much
ProcessExitedException process 1 terminated with exit code 7 1 7 None
ProcessExitedException process 1 terminated with exit code 3 1 3 None
"""


@pytest.mark.parametrize("method, failures", [("fork", 5), ("spawn", 2), ("forkserver", 2)])
def test_processes_that_run_one_function(method, failures, tmp_path):
    """Tensors as arguments and through queues, exceptions, exits, signals: and afterwards nothing is left."""
    printed = "".join(PRINTED.splitlines(keepends=True)[: 1 + failures])
    assert output(PROGRAM, tmp_path, method, str(failures)) == printed


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_programs_for_pytorch(method, tmp_path):
    """Under the name of torch, in all processes."""
    source = """
import sys
import minigrad

def work(i, x):
    import torch
    assert torch is minigrad and mp is minigrad.multiprocessing
    x[i] = torch.multiprocessing.get_sharing_strategy() == "file_descriptor"

if __name__ == "__main__":
    x = torch.zeros(2).share_memory_()
    mp.start_processes(work, (x,), nprocs=2, start_method=sys.argv[1])
    print(x, mp.reductions.__name__, torch.FloatStorage(1).is_shared())
"""
    printed = output(source, tmp_path, method, library="torch", flags=["-m", "minigrad"])
    assert printed == "tensor([1., 1.]) torch.multiprocessing.reductions False\n"


@pytest.mark.torch
def test_pytorch_prints_the_same(tmp_path):
    pytest.importorskip("torch")
    assert output(PROGRAM, tmp_path, "fork", "5", library="torch") == PRINTED


def train(i, model, steps, inputs, targets):
    """Stochastic gradient descent on the model that all share, each on rows of its own."""
    optimizer = mg.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = ((model(inputs[i::2]) - targets[i::2]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps[i] += 1


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_hogwild():
    """Two processes find the weights of one model; the gradients are each one's own."""
    inputs = mg.randn(40, 3)
    weight = mg.tensor([[1.0, -2.0, 3.0]])
    model, steps = mg.nn.Linear(3, 1).share_memory(), mg.zeros(2).share_memory_()
    mp.start_processes(train, (model, steps, inputs, inputs @ weight.T + 5), nprocs=2, start_method="fork")
    assert steps.tolist() == [100, 100]
    assert mg.allclose(model.weight, weight, atol=1e-3) and abs(model.bias.item() - 5) < 1e-3
    assert model.weight.grad is None


def test_an_error_can_be_pickled():
    raised = pickle.loads(pickle.dumps(mp.ProcessRaisedException("text", 1, 2)))
    assert (raised.msg, raised.error_index, raised.error_pid) == ("text", 1, 2)
    exited = pickle.loads(pickle.dumps(mp.ProcessExitedException("text", 1, 2, -9, "SIGKILL")))
    assert (str(exited), exited.exit_code, exited.signal_name) == ("text", -9, "SIGKILL")


def test_old_ways():
    with pytest.warns(FutureWarning, match=r"only supports start_method=spawn \(got: fork\)"):
        assert mp.spawn(print, nprocs=0, start_method="fork") is None
    with pytest.warns(UserWarning, match="SpawnContext is renamed to ProcessContext"):
        assert mp.SpawnContext([], []).join()


# Ways of dying ----------------------------------------------------------------------------------------------------------------------

SLEEPERS = """
import os, time
def sleep(i, queue=None, x=None):
    if queue is not None:
        queue.put([torch.ones(1 << 20), x])
    os.write(1, b"ready\\n")  # in one piece, beside others that write
    time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_end_with_the_one_that_started_them(method, number, tmp_path):
    source = f"""{SLEEPERS}
if __name__ == "__main__":
    queue = mp.get_context("{method}").Queue()
    mp.start_processes(sleep, (queue, torch.zeros(3)), nprocs=2, start_method="{method}")
"""
    with started(source, tmp_path) as program:
        assert [program.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
        (os.killpg if number == signal.SIGINT else os.kill)(program.pid, number)  # as a terminal does
    assert program.returncode == -number


def test_a_killed_sender_leaves_what_it_has_sent(tmp_path):
    source = """
import os, signal, time
def send(queue, sent):
    queue.put(torch.arange(4.0))
    sent.wait()
    os.kill(os.getpid(), signal.SIGKILL)

context = mp.get_context("fork")
queue, sent = context.SimpleQueue(), context.Event()
process = context.Process(target=send, args=(queue, sent))
process.start()
while queue.empty():
    time.sleep(0.01)
sent.set()
process.join()
print(process.exitcode, queue.get().tolist())
"""
    assert output(source, tmp_path) == "-9 [0.0, 1.0, 2.0, 3.0]\n"


@pytest.mark.parametrize(
    "receiver_ends", ["os.kill(os.getpid(), signal.SIGKILL)", "os._exit(0)", "raise SystemExit"]
)
def test_a_receiver_that_dies_leaves_nothing(receiver_ends, tmp_path):
    source = f"""
import os, signal
def receive(queue):
    queue.get()
    {receiver_ends}

context = mp.get_context("fork")
queue = context.Queue()
process = context.Process(target=receive, args=(queue,))
process.start()
x = torch.zeros(1000)
for _ in range(5):
    queue.put([x, torch.ones(1 << 18)])
process.join()
queue.close()
queue.join_thread()
print(x.sum().item())
"""
    assert output(source, tmp_path) == "0.0\n"


@pytest.mark.parametrize("ends", ["os._exit(0)", "sys.exit()", "pass", "os.kill(os.getpid(), 9)", "1 / 0"])
def test_a_program_that_ends_with_tensors_under_way_leaves_nothing(ends, tmp_path):
    source = f"""
import os, sys
queue, simple = mp.Queue(), mp.SimpleQueue()
kept = torch.ones(1 << 18).share_memory_()
for each in (queue, simple):
    each.put([kept, torch.ones(3)])
print("ready", flush=True)
{ends}
"""
    with started(source, tmp_path) as program:
        assert program.stdout.readline() == "ready\n"
        err = program.stderr.read()
    code = {"os.kill(os.getpid(), 9)": -9, "1 / 0": 1}.get(ends, 0)
    assert program.returncode == code and (
        err == "" or (code == 1 and err.endswith("ZeroDivisionError: division by zero\n"))
    )
