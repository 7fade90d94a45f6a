"""Names that libraries import from the modules of ``utils.data``, beside its public ones; and what they do."""

import importlib
import os
import queue
import signal
import threading
import time

import pytest

torch = pytest.importorskip("torch")
import minigrad
from tests.messages import first_sentence
from tests.utils.data.libraries import outcome

pytestmark = pytest.mark.torch

#: Module of ``utils.data`` -> what is taken from there.
NAMES = {
    "dataloader": "Dataset IterDataPipe MapDataPipe _collate_fn_t _worker_init_fn_t _share_dist_seed _get_distributed_settings _sharding_worker_init_fn _utils",
    "graph": "DataPipe DataPipeGraph traverse traverse_dps",
    "graph_settings": "SHARDING_PRIORITIES apply_random_seed apply_sharding apply_shuffle_seed apply_shuffle_settings get_all_graph_pipes",
    "backward_compatibility": "worker_init_fn",
    "_utils": "ExceptionWrapper HAS_NUMPY IS_WINDOWS MP_STATUS_CHECK_INTERVAL collate fetch pin_memory python_exit_status signal_handling worker",
    "_utils.collate": "collate default_collate default_convert np_str_obj_array_pattern default_collate_err_msg_format default_collate_fn_map",
    "_utils.pin_memory": "_pin_memory_loop pin_memory",
    "_utils.signal_handling": "_error_if_any_worker_fails _remove_worker_pids _set_SIGCHLD_handler _set_worker_pids _set_worker_signal_handlers",
    "_utils.worker": "ManagerWatchdog WorkerInfo _IterableDatasetStopIteration _ResumeIteration _generate_state _worker_loop get_worker_info",
    "datapipes": "iter map",
    "datapipes.datapipe": "DataChunk DFIterDataPipe IterDataPipe MapDataPipe",
}


def module(lib, name):
    return importlib.import_module(f"{lib.__name__}.utils.data.{name}")


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    for lib in (torch, minigrad):
        for each in NAMES[name].split():
            assert hasattr(module(lib, name), each), each


def test_modules_can_be_reached_from_the_package():
    for name in ("backward_compatibility", "datapipes", "graph", "graph_settings"):
        assert getattr(minigrad.utils.data, name) is module(minigrad, name)


def test_texts_and_objects_by_the_code_of_their_dtype():
    for lib in (torch, minigrad):
        pattern = module(lib, "_utils.collate").np_str_obj_array_pattern
        assert [bool(pattern.search(code)) for code in ("<U2", "|S1", "|O", "<f8", "<M8[D]", "|b1")] == [
            True
        ] * 3 + [False] * 3


def deaths(lib):
    """What is said of workers that exit, are killed, or were never noted."""
    handling, said = module(lib, "_utils.signal_handling"), []

    def ask(function, *args):
        try:
            said.append(function(*args))
        except Exception as error:
            said.append(f"{type(error).__name__}: {first_sentence(str(error).replace(str(pid), 'N'))}")

    for key, end in enumerate(
        (lambda: os._exit(0), lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL)), start=10
    ):
        pid = os.fork()
        if not pid:
            end()
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        ask(handling._set_worker_pids, key, (pid,))
        ask(handling._set_worker_pids, key, (pid,))
        ask(handling._error_if_any_worker_fails)
        ask(handling._error_if_any_worker_fails)
        ask(handling._remove_worker_pids, key)
        ask(handling._remove_worker_pids, key)
        os.waitpid(pid, 0)
    ask(handling._set_worker_pids, 20, [pid])
    ask(handling._set_worker_pids, "a", (pid,))
    ask(handling._set_worker_pids, 20, (1.5,))
    return said


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="asks the system for the ends of processes")
def test_deaths_of_workers_that_were_noted():
    assert deaths(minigrad) == deaths(torch)


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="no signal says that a child has ended")
def test_sigchld_raises_for_a_worker_that_has_failed(monkeypatch):
    handling, heard = module(minigrad, "_utils.signal_handling"), []
    monkeypatch.setattr(handling, "_SIGCHLD_handler_set", False)
    before = signal.signal(signal.SIGCHLD, lambda *args: heard.append(args[0]))

    def worker(code):
        """A process that exits with this code as soon as it is told."""
        reader, writer = os.pipe()
        pid = os.fork()
        if not pid:
            os.read(reader, 1)
            os._exit(code)
        os.close(reader)
        handling._set_worker_pids(30 + code, (pid,))
        return pid, writer

    def end(pid, writer):
        os.close(writer)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        time.sleep(10 if pid == failing else 0)  # until the handler raises

    try:
        handling._set_SIGCHLD_handler()
        (well, its_end), (failing, other_end) = worker(0), worker(7)
        os.write(its_end, b".")
        end(well, its_end)
        assert heard == [signal.SIGCHLD]
        with pytest.raises(
            RuntimeError, match=rf"DataLoader worker \(pid {failing}\) exited unexpectedly with exit code 7\."
        ):
            os.write(other_end, b".")
            end(failing, other_end)
        for code in (0, 7):
            handling._remove_worker_pids(30 + code)
        assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in (well, failing)] == [0, 7]
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_worker_s_parent():
    for lib in (torch, minigrad):
        watchdog = module(lib, "_utils.worker").ManagerWatchdog()
        assert (watchdog.is_alive(), watchdog.manager_dead, watchdog.manager_pid) == (
            True,
            False,
            os.getppid(),
        )
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            if os.fork():
                os._exit(0)
            watchdog = module(lib, "_utils.worker").ManagerWatchdog()
            watchdog.manager_pid = os.getpid()  # nobody's parent
            os.write(writer, b"alive" if watchdog.is_alive() or not watchdog.manager_dead else b"gone")
            os._exit(0)
        os.waitpid(child, 0)
        assert os.read(reader, 10) == b"gone"
        os.close(reader)
        os.close(writer)


def test_a_thread_that_pins():
    """There is no accelerator: what has a ``pin_memory`` of its own is pinned, a tensor refuses, errors pass."""
    utils = module(minigrad, "_utils")

    class Batch:
        def pin_memory(self):
            return "pinned"

    batches, pinned, done = queue.Queue(), queue.Queue(maxsize=1), threading.Event()
    thread = threading.Thread(target=utils.pin_memory._pin_memory_loop, args=(batches, pinned, 0, done, None))
    thread.start()
    failed = utils.ExceptionWrapper((ValueError, ValueError("x"), None))
    for each in enumerate(([Batch(), "text"], failed, minigrad.ones(1))):
        batches.put(each)
    assert pinned.get(timeout=20) == (0, ["pinned", "text"])
    assert pinned.get(timeout=20) == (1, failed)
    index, error = pinned.get(timeout=20)
    assert (index, error.where) == (2, "in pin memory thread for device 0")
    with pytest.raises(RuntimeError, match="Caught RuntimeError in pin memory thread"):
        error.reraise()
    done.set()
    batches.put((3, "not asked for"))
    thread.join(20)
    assert not thread.is_alive()


def test_parts_of_workers_of_several_processes():
    def program(lib, data):
        pipes = importlib.import_module(f"{lib.__name__}.utils.data.datapipes.iter")
        set_up = data.dataloader._sharding_worker_init_fn

        class Parted(data.IterableDataset):
            def __init__(self):
                self.pipe = pipes.IterableWrapper(range(12)).sharding_filter()

            def __iter__(self):
                info = data.get_worker_info()
                data.graph_settings.apply_sharding(self.pipe, info.num_workers * 2, info.id * 2 + 1)
                return iter(self.pipe)

        importlib.import_module(f"{lib.__name__}.utils.data.graph_settings")
        generator = lib.Generator().manual_seed(4)
        return (
            [*data.DataLoader(Parted(), batch_size=None, num_workers=2)],
            data.dataloader._get_distributed_settings(),
            data.dataloader._share_dist_seed(generator, None),
            lib.rand(1, generator=generator),
            outcome(lambda lib, data: set_up(None, 2, 1, 0), lib),
        )

    assert outcome(program, minigrad) == outcome(program, torch)
