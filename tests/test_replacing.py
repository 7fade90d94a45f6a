"""Files are replaced as a whole: whatever ends the writing, a path leads to all of the old or to all of the new."""

import errno
import inspect
import io
import os
import pickle
import stat
import subprocess
import sys
import threading

import pytest

import minigrad as mg
from minigrad._base import replacing as home
from minigrad._base.replacing import replacing, replacing_text
from minigrad.serialization import load, save
from tests.test_alias import ENVIRONMENT

posix = pytest.mark.skipif(os.name != "posix", reason="links, permissions and signals of POSIX")
not_root = pytest.mark.skipif(
    os.name != "posix" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.pt"
    path.write_bytes(b"old")
    return path


def put(path, data=b"new"):
    with replacing(path) as file:
        file.write(data)


def only(path, *others):
    """Whether the folder has nothing but this file, and ``others``."""
    return sorted(os.listdir(path.parent)) == sorted([path.name, *others])


# The kill, at every step ----------------------------------------------------------------------------------------------

#: Saves over an old file again and again, in children each of which is killed one step later than the one before:
#: before the step, or after half of it if it is a write.
KILLED = """
import builtins, io, os, resource, signal, stat, sys
import minigrad
from minigrad._base import replacing as home
from minigrad.serialization import load, save

legacy = {"_use_new_zipfile_serialization": sys.argv[1] != "legacy"}
new = {f"w{i}": minigrad.full((2500,), i) for i in range(6)}
old, new = {"n": 1, "x": minigrad.zeros(3000)}, {"n": 2, **new}
step, fatal = 0, None

def passed(what, data=None, file=None):
    global step
    step += 1
    if step != fatal:
        return
    if data is not None:
        io.FileIO.write(file, memoryview(data)[: len(data) // 2])
    os.kill(os.getpid(), signal.SIGKILL)

class Slow(io.FileIO):
    def write(self, data):
        passed("before writing")
        passed("half", data, self)
        return super().write(data)

def slow_open(file, mode):
    return io.BufferedWriter(Slow(file, "wb")) if mode == "wb" else builtins.open(file, mode)

class SlowOs:
    def __getattr__(self, name):
        def call(*args, **kwargs):
            if name in ("open", "fsync", "replace", "fchmod", "fchown", "unlink", "close"):
                passed(name)
            return getattr(os, name)(*args, **kwargs)
        found = getattr(os, name)
        return call if callable(found) and name != "path" else found

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
home.open, home.os = slow_open, SlowOs()
save(old, "x.pt")
os.chmod("x.pt", 0o640)
fatal, ends, leftovers = 0, [], set()
while True:
    fatal += 1
    pid = os.fork()
    if not pid:
        step = 0
        save(new, "x.pt", **legacy)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    fatal, found = -fatal, load("x.pt")  # the parent is not to be killed
    fatal = -fatal
    whole = next(each for each in (old, new) if each["n"] == found["n"])
    assert found.keys() == whole.keys() and all(minigrad.equal(found[k], whole[k]) for k in found if k != "n"), fatal
    assert stat.S_IMODE(os.stat("x.pt").st_mode) == 0o640
    for name in set(os.listdir(".")) - {"x.pt"}:
        leftovers.add(name.count("x.pt") == 1 and name.endswith(".tmp"))
        os.unlink(name)
    ends.append(found["n"])
    if not os.WIFSIGNALED(status):
        assert os.WEXITSTATUS(status) == 0
        break
assert ends == sorted(ends) and leftovers == {True}, (ends, leftovers)
print(ends.count(1), ends.count(2))
"""


@posix
@pytest.mark.parametrize("format", ["zip", "legacy"])
def test_the_old_file_survives_a_kill_at_every_step(tmp_path, format):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, format], cwd=tmp_path, env=ENVIRONMENT, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    before, after = map(int, done.stdout.split())
    assert before > 25 and after > 2  # steps before the new file is in its place, and from then on


# Errors on the way --------------------------------------------------------------------------------------------------


class Failing:
    """``open`` of a file whose writes fail from the n-th on."""

    def __init__(self, n, code):
        self.left, self.code = n, code

    def __call__(self, file, mode):
        failing = self

        class File(io.FileIO):
            def write(self, data):
                failing.left -= 1
                if failing.left < 0:
                    raise OSError(failing.code, os.strerror(failing.code))
                return super().write(data)

        return io.BufferedWriter(File(file, mode))


@pytest.mark.parametrize("legacy", [False, True])
def test_a_full_disk_leaves_the_old_file(path, monkeypatch, legacy):
    kwargs = {"_use_new_zipfile_serialization": not legacy}
    save({"a": 1}, path)
    old = path.read_bytes()
    for n in range(100):
        monkeypatch.setattr(home, "open", Failing(n, errno.ENOSPC), raising=False)
        try:
            save([mg.ones(5000), mg.ones(9000)], path, **kwargs)
        except RuntimeError as error:
            assert (
                str(error) == f"File {path} cannot be written: {os.strerror(errno.ENOSPC)}."
                and error.__cause__.errno == errno.ENOSPC
            )
        else:
            break
        assert path.read_bytes() == old and only(path)
    assert 3 < n < 100
    monkeypatch.undo()
    assert load(path)[1].sum() == 9000 and only(path)


@posix
def test_a_limit_on_the_size_of_files(tmp_path):
    """The system's own error, without anything put in its place."""
    code = """
        import os, resource, minigrad
        from minigrad.serialization import load, save

        save({"a": 1}, "x.pt")
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try:
            save(minigrad.ones(100_000), "x.pt")
        except RuntimeError as error:
            print(error)
        print(load("x.pt"), os.listdir("."))
    """
    done = subprocess.run(
        [sys.executable, "-c", inspect.cleandoc(code)], cwd=tmp_path, env=ENVIRONMENT, capture_output=True
    )
    lines = done.stdout.decode().splitlines()
    assert lines == ["File x.pt cannot be written: File too large.", "{'a': 1} ['x.pt']"], (
        done.stderr.decode()
    )


class Stubborn:
    def __reduce__(self):
        raise ZeroDivisionError("while pickling")


def test_an_exception_while_pickling_leaves_the_old_file(path):
    for obj, error in ((Stubborn(), ZeroDivisionError), ([mg.ones(2), lambda: 0], (pickle.PicklingError, AttributeError))):  # fmt: skip
        with pytest.raises(error):
            save(obj, path)
        assert path.read_bytes() == b"old" and only(path)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_an_exception_in_the_block_leaves_the_old_file(path, error):
    with pytest.raises(error), replacing(path) as file:
        file.write(b"half")
        raise error
    assert path.read_bytes() == b"old" and only(path)
    with pytest.raises(error), replacing_text(path) as text:
        text.write("half")
        raise error
    assert path.read_bytes() == b"old" and only(path)
    new = path.parent / "new"
    with pytest.raises(error), replacing(new):
        raise error
    assert not new.exists() and only(path)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_error_at_the_end_leaves_the_old_file(path, monkeypatch, step):
    def fail(*args):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(home.os, step, fail)
    with pytest.raises(RuntimeError, match="x.pt cannot be written: Input/output error"):
        save(1, path)
    assert path.read_bytes() == b"old" and only(path)


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP])
def test_file_systems_that_cannot_sync(path, monkeypatch, code):
    def fail(descriptor):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(home.os, "fsync", fail)
    put(path)
    assert path.read_bytes() == b"new" and only(path)


def test_the_order_is_write_sync_replace_sync(path, monkeypatch):
    seen = []
    for name in ("fsync", "replace"):
        own = getattr(os, name)

        def note(*args, name=name, own=own):
            if name == "fsync":
                is_folder = stat.S_ISDIR(os.fstat(args[0]).st_mode)
                seen.append("sync folder" if is_folder else f"sync {os.fstat(args[0]).st_size}")
            else:
                seen.append(f"replace {os.path.basename(args[1])}")
            return own(*args)

        monkeypatch.setattr(home.os, name, note)
    put(path, b"12345")
    assert seen == ["sync 5", "replace x.pt"] + ["sync folder"] * (os.name == "posix")
    assert path.read_bytes() == b"12345"


# What is kept -------------------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o666, 0o751])
def test_permissions_of_the_old_file_are_kept(path, mode):
    path.chmod(mode)
    save(1, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode and load(path) == 1 and only(path)


@posix
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_what_the_mask_leaves(path, mask):
    before = os.umask(mask)
    try:
        save(1, path.parent / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((path.parent / "new").stat().st_mode) == 0o666 & ~mask


@posix
def test_while_it_is_written_nobody_sees_more_than_in_the_old_file(path):
    path.chmod(0o600)
    with replacing(path) as file:
        (other,) = set(os.listdir(path.parent)) - {path.name}
        assert stat.S_IMODE(os.stat(other).st_mode) == 0o600 and path.read_bytes() == b"old"
        assert other.startswith(".x.pt.") and other.endswith(".tmp")
        file.write(b"new")
    assert path.read_bytes() == b"new" and only(path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept(path):
    os.chown(path, 1234, 5678)
    os.chmod(path, 0o2640)
    save(1, path)
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1234, 5678, 0o2640)


@posix
def test_an_owner_that_cannot_be_kept_does_no_harm(path, monkeypatch):
    """As for an old file of somebody else's: the new one is ours."""

    def refuse(*args):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    own = os.stat
    monkeypatch.setattr(home.os, "stat", lambda p: os.stat_result([*own(p)[:4], 4321, 8765, *own(p)[6:10]]))
    monkeypatch.setattr(home.os, "fchown", refuse)
    put(path)
    assert path.read_bytes() == b"new" and own(path).st_uid == os.geteuid()


@posix
def test_links_stay_and_what_they_lead_to_is_replaced(path):
    folder = path.parent / "elsewhere"
    folder.mkdir()
    (folder / "real").write_bytes(b"old")
    os.symlink("elsewhere/real", "near")
    os.symlink(folder, "folder")
    os.symlink(path.parent / "near", "far")
    for link in ("near", "far", "folder/real"):
        put(link, link.encode())
        assert (folder / "real").read_bytes() == link.encode() and os.listdir(folder) == ["real"]
    assert os.readlink("near") == "elsewhere/real" and os.path.islink("far")
    os.symlink("elsewhere/missing", "dangling")
    put("dangling")
    assert (folder / "missing").read_bytes() == b"new" and os.path.islink("dangling")
    os.symlink("round", "round")
    with pytest.raises(RuntimeError, match="File round cannot be opened: "):
        save(1, "round")


@posix
def test_other_names_of_the_old_file_keep_it(path):
    os.link(path, "other")
    put(path)
    assert path.read_bytes() == b"new" and (path.parent / "other").read_bytes() == b"old"


def test_names_of_all_kinds(path, monkeypatch):
    long = "é" * 120 if os.name == "posix" else "e" * 200
    for name in ("plain", long + ".pt", "with space", ".hidden", "a\nb" if os.name == "posix" else "ab"):
        for _ in range(2):
            save({"a": 1}, name)
            assert load(name) == {"a": 1}
    assert len(os.listdir(".")) == 6
    monkeypatch.chdir(path.parent)
    put(os.path.join(".", "x.pt"), b"again")
    assert path.read_bytes() == b"again"


# What cannot be replaced --------------------------------------------------------------------------------------------


@posix
def test_pipes_and_devices_are_written_to(path):
    os.mkfifo("pipe")
    read = []

    def drain():
        with open("pipe", "rb") as pipe:
            read.append(pipe.read())

    reader = threading.Thread(target=drain)
    reader.start()
    save([1, 2], "pipe")
    reader.join()
    assert load(io.BytesIO(read[0])) == [1, 2] and stat.S_ISFIFO(os.stat("pipe").st_mode)
    if os.path.exists("/proc/self/comm"):  # which the system shows as a file
        put("/proc/self/comm", b"name")
        with open("/proc/self/comm") as comm:
            assert comm.read() == "name\n"
    save(1, os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@posix
@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")
def test_the_standard_output_is_written_to(path):
    """Also where it leads to a file, which the shell has open and goes on writing to."""
    code = "import minigrad, os; os.write(1, b'before'); minigrad.save([1, 2], '/dev/{}'); os.write(1, b'')"
    for name in ("stdout", "fd/1"):
        piped = subprocess.run(
            [sys.executable, "-c", code.format(name)], capture_output=True, env=ENVIRONMENT, check=True
        )
        assert load(io.BytesIO(piped.stdout.removeprefix(b"before"))) == [1, 2]
        with open("out", "wb") as out:
            inode = os.fstat(out.fileno()).st_ino
            subprocess.run([sys.executable, "-c", code.format(name)], stdout=out, env=ENVIRONMENT, check=True)
        assert os.stat("out").st_ino == inode and os.path.getsize("out") > 100


def test_a_folder_is_refused(path):
    for name in (".", str(path.parent), "x.pt/"):
        with pytest.raises(RuntimeError, match="cannot be opened|does not exist"):
            save(1, name)
    assert only(path)


@posix
def test_a_file_that_must_not_be_written_to_is_refused(path, monkeypatch):
    own = os.open

    def refuse(name, flags, *mode):
        if os.path.basename(name) == "x.pt" and flags & os.O_WRONLY:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        return own(name, flags, *mode)

    monkeypatch.setattr(home.os, "open", refuse)  # root is refused nothing
    with pytest.raises(RuntimeError, match="x.pt cannot be opened: Permission denied"):
        save(1, path)
    monkeypatch.undo()
    assert path.read_bytes() == b"old" and only(path)


@not_root
def test_permissions_of_the_system(path):
    path.chmod(0o444)
    with pytest.raises(RuntimeError, match="x.pt cannot be opened: Permission denied"):
        save(1, path)
    path.chmod(0o644)
    path.parent.chmod(0o555)
    try:
        save([1], path)
        with pytest.raises(RuntimeError, match="new cannot be opened: Permission denied"):
            save(1, path.parent / "new")
    finally:
        path.parent.chmod(0o755)
    assert load(path) == [1] and only(path)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_a_folder_that_takes_no_new_files(path, monkeypatch, code):
    """The old file is written to; it is as it was for ``open(path, "wb")``."""
    own = os.open

    def refuse(name, flags, *mode):
        if flags & os.O_CREAT:
            raise OSError(code, os.strerror(code), name)
        return own(name, flags, *mode)

    monkeypatch.setattr(home.os, "open", refuse)
    put(path)
    assert path.read_bytes() == b"new" and only(path)
    with pytest.raises(OSError, match=os.strerror(code)):
        put(path.parent / "new")
    assert only(path)


def test_no_room_for_a_new_file_leaves_the_old_one(path, monkeypatch):
    own = os.open

    def refuse(name, flags, *mode):
        if flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
        return own(name, flags, *mode)

    monkeypatch.setattr(home.os, "open", refuse)
    with pytest.raises(RuntimeError, match="x.pt cannot be opened: No space"):
        save(1, path)
    assert path.read_bytes() == b"old" and only(path)


@pytest.mark.parametrize("code", [errno.EBUSY, errno.EXDEV, errno.EPERM])
def test_a_file_that_cannot_be_moved_over(path, monkeypatch, code):
    """It is mounted on its own, as in a container, or another's in a folder like ``/tmp``: it gets the bytes."""

    def refuse(source, target):
        raise OSError(code, os.strerror(code), source, None, target)

    inode = path.stat().st_ino
    monkeypatch.setattr(home.os, "replace", refuse)
    save(mg.arange(3000), path)
    assert load(path)[-1] == 2999 and path.stat().st_ino == inode and only(path)
    with pytest.raises(OSError, match=os.strerror(code)):
        put(path.parent / "new")
    assert only(path)


# Who uses it --------------------------------------------------------------------------------------------------------


def test_text(path):
    import gzip

    with replacing_text(path) as file:
        file.write("é\n" * 10_000)
    assert path.read_text(encoding="utf-8") == "é\n" * 10_000
    with replacing_text(path, gzipped=True) as file:
        file.write("é\n" * 10_000)
    assert gzip.decompress(path.read_bytes()).decode() == "é\n" * 10_000 and only(path)


def test_pages_and_traces_are_replaced(path, monkeypatch):
    used = []
    own = os.replace
    monkeypatch.setattr(home.os, "replace", lambda a, b: (used.append(os.path.basename(b)), own(a, b)))
    with mg.autograd.profiler.profile(with_stack=True) as profile:
        y = mg.ones(2, requires_grad=True).exp()
    profile.export_chrome_trace("trace.json.gz")
    profile.export_stacks("stacks", "self_cpu_time_total")
    mg.viz.graph(y).save_html("page.html")
    assert used == ["trace.json.gz", "stacks", "page.html"]
    assert only(path, *used)


def test_files_and_buffers_are_written_to_as_they_are(path):
    with open(path, "wb") as file:
        save(1, file)
        assert only(path) and file.tell() == path.stat().st_size
    buffer = io.BytesIO(b"before")
    buffer.seek(6)
    save(1, buffer)
    assert buffer.getvalue()[:8] == b"beforePK"


def test_two_threads_save_to_one_path(path):
    def work(n):
        for _ in range(20):
            save({"n": n, "x": mg.full((5000,), n)}, path)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        if path.stat().st_size > 3:
            found = load(path)
            assert (found["x"] == found["n"]).all()
    for thread in threads:
        thread.join()
    assert only(path)
