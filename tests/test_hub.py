"""``hub``: folders with a hubconf.py, a GitHub that is a server on this machine, weights at URLs."""

import hashlib
import http.server
import io
import json
import os
import sys
import threading
import zipfile
from pathlib import Path

import pytest

import minigrad
from minigrad import _hub_downloads, _hub_repositories, hub
from tests.messages import first_sentence

HUBCONF = """
from helper_of_hubconf import TWO as _two
dependencies = ["math"]

def double(x, plus=0):
    "Twice x, and more."
    return _two * x + plus

constant = 3
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    for name in ("TORCH_HOME", "XDG_CACHE_HOME", "TORCH_HUB", "TORCH_MODEL_ZOO", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(hub, "_directory", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    sys.modules.pop("helper_of_hubconf", None)


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "folder"
    found.mkdir()
    (found / "hubconf.py").write_text(HUBCONF)
    (found / "helper_of_hubconf.py").write_text("TWO = 2")
    return found


class Server(http.server.ThreadingHTTPServer):
    """Answers with what ``pages`` has for a path: bytes, a status, or (bytes, the length that it says)."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages, self.asked = {}, []
        self.url = f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.path, self.headers))
        page = self.server.pages.get(self.path, 404)
        if isinstance(page, int):
            return self.send_error(page)
        data, length = page if isinstance(page, tuple) else (page, len(page))
        self.send_response(200)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    found = Server()
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setattr(_hub_repositories, "GITHUB", found.url)
    monkeypatch.setattr(_hub_repositories, "API", f"{found.url}/api")
    yield found
    found.shutdown()
    thread.join()
    found.server_close()


def state():
    file = io.BytesIO()
    minigrad.save({"weight": minigrad.arange(3.0)}, file)
    return file.getvalue()


# Folders -------------------------------------------------------------------------------------------------------------------------


def test_a_local_folder(folder):
    assert hub.load(folder, "double", 4, source="local", plus=1) == 9
    assert hub.load(str(folder), "double", minigrad.ones(2), source="LOCAL").tolist() == [2.0, 2.0]
    assert str(folder) not in sys.path


def test_the_path_of_modules_is_restored_after_an_error(folder):
    before = [*sys.path]
    with pytest.raises(TypeError):
        hub.load(folder, "double", source="local")
    assert sys.path == before


def local(name, text=HUBCONF):
    def program(lib, folder):
        (folder / "hubconf.py").write_text(text)
        return lib.hub.load(str(folder), name, 4, source="local")

    return program


LOCAL = {
    "a function": local("double"),
    "no such function": local("triple"),
    "no function": local("constant"),
    "no name": local(3),
    "a missing dependency": local("double", HUBCONF.replace('"math"', '"math", "no_such_module"')),
    "no dependencies": local("double", HUBCONF.replace('["math"]', "None")),
    "no source": lambda lib, folder: lib.hub.load(str(folder), "double", source="gitlab"),
    "no file": lambda lib, folder: lib.hub.load(str(folder / "nowhere"), "double", source="local"),
}


@pytest.mark.torch
@pytest.mark.parametrize("name", LOCAL)
def test_folders_as_in_pytorch(name, folder):
    torch = pytest.importorskip("torch")

    def outcome(lib):
        try:
            return LOCAL[name](lib, folder)
        except Exception as error:
            return type(error), first_sentence(str(error))

    assert outcome(minigrad) == outcome(torch)


@pytest.mark.torch
@pytest.mark.parametrize(
    "variables", [{}, {"TORCH_HOME": "~/elsewhere"}, {"XDG_CACHE_HOME": "/x"}, {"TORCH_HOME": "/a", "XDG_CACHE_HOME": "/b"}], ids=str
)  # fmt: skip
def test_the_cache_is_pytorchs(variables, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(hub, "_directory", None)
    monkeypatch.setattr(torch.hub, "_hub_dir", None)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert hub.get_dir() == torch.hub.get_dir()


def test_old_environment_variables_warn(monkeypatch):
    monkeypatch.setenv("TORCH_HUB", "x")
    with pytest.warns(UserWarning, match="TORCH_HUB is deprecated"):
        hub.get_dir()


# GitHub --------------------------------------------------------------------------------------------------------------------------


def archive(folder, top="owner-name-abc123"):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr(f"{top}/", "")
        for path in folder.iterdir():
            written.write(path, f"{top}/{path.name}")
    return file.getvalue()


def refs(*names):
    return json.dumps([{"name": name, "commit": {"sha": f"{name}0123"}} for name in names]).encode()


@pytest.fixture
def github(server, folder):
    server.pages = {
        "/owner/name/tree/main/": b"",
        "/api/repos/owner/name/branches?per_page=100&page=1": refs("main"),
        "/api/repos/owner/name/branches?per_page=100&page=2": refs(),
        "/api/repos/owner/name/tags?per_page=100&page=1": refs("v1/0"),
        "/api/repos/owner/name/tags?per_page=100&page=2": refs(),
        "/owner/name/zipball/main": archive(folder),
        "/owner/name/zipball/v1/0": archive(folder),
    }
    return server


def test_a_repository_is_downloaded_once(github, cache, capsys):
    assert hub.load("owner/name", "double", 3, trust_repo=True) == 6
    assert [p.name for p in cache.iterdir() if p.is_dir()] == ["owner_name_main"]
    assert (cache / "trusted_list").read_text() == "owner_name\n"
    del github.pages["/owner/name/zipball/main"]
    assert hub.list("owner/name", trust_repo="check") == ["double"]
    assert hub.help("owner/name:main", "double") == "Twice x, and more."
    assert capsys.readouterr().err.count("Using cache found in") == 2
    with pytest.raises(OSError, match="404"):
        hub.load("owner/name", "double", 3, force_reload=True)


def test_a_tag_with_a_slash_and_a_reload(github, cache, folder):
    hub.list("owner/name:v1/0", trust_repo=True)
    assert (cache / "owner_name_v1_0" / "hubconf.py").is_file()
    (folder / "hubconf.py").write_text("def other(): pass")
    github.pages["/owner/name/zipball/v1/0"] = archive(folder)
    assert hub.list("owner/name:v1/0", force_reload=True) == ["other"]


def test_the_branch_is_master_where_there_is_no_main(github, folder):
    del github.pages["/owner/name/tree/main/"]
    github.pages["/owner/name/zipball/master"] = archive(folder)
    assert hub.list("owner/name", trust_repo=True, skip_validation=True) == ["double"]


def test_without_a_network_the_cache_has_it(server, cache, folder, monkeypatch):
    monkeypatch.setattr(_hub_repositories, "GITHUB", "http://127.0.0.1:9")  # nobody listens there
    with pytest.raises(RuntimeError, match="no internet connection"):
        hub.list("owner/name")
    folder.rename(cache / "owner_name_master")
    assert hub.list("owner/name") == ["double"]


def test_a_commit_of_a_fork_is_refused(github):
    with pytest.raises(
        ValueError,
        match=r"Cannot find beef in https://github.com/owner/name\. If it's a commit from a forked",
    ):
        hub.load("owner/name:beef", "double", trust_repo=True)


def test_a_token_is_sent_and_left_out_where_it_does_not_hold(github, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    hub.list("owner/name", trust_repo=True)
    sent = [headers["Authorization"] for path, headers in github.asked if path.startswith("/api")]
    assert sent == ["token secret"]


@pytest.mark.parametrize(
    "answer, error",
    [("y", None), ("Yes", None), ("", "Untrusted repository."), ("n", "Untrusted repository."), ("perhaps", "Unrecognized response perhaps.")],
)  # fmt: skip
@pytest.mark.parametrize("trust", [False, "check"])
def test_the_user_is_asked(github, monkeypatch, cache, answer, error, trust):
    asked = []
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or answer)
    if error is None:
        assert hub.load("owner/name", "double", 1, trust_repo=trust) == 2
        assert hub.load("owner/name", "double", 1) == 2
    else:
        with pytest.raises(Exception, match=error):
            hub.load("owner/name", "double", 1, trust_repo=trust)
        assert not [p for p in cache.iterdir() if p.is_dir()]
    (text,) = asked
    assert text.startswith("The repository owner_name does not belong to the list of trusted repositories")


@pytest.mark.parametrize(
    "member", ["../evil.py", "top/../../evil.py", "/evil.py", "c:/evil.py", "..\\evil.py"]
)
def test_archives_write_nothing_outside_of_the_cache(github, cache, member):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr("top/hubconf.py", "")
        written.writestr(member, "")
    github.pages["/owner/name/zipball/main"] = file.getvalue()
    with pytest.raises(ValueError, match="Archive entry"):
        hub.list("owner/name", trust_repo=True)
    assert sorted(p.name for p in cache.iterdir()) == ["trusted_list"]


# Weights -------------------------------------------------------------------------------------------------------------------------


def test_weights_are_downloaded_once_and_checked(server, cache, capsys):
    data = state()
    name = f"model-{hashlib.sha256(data).hexdigest()[:8]}.pt"
    server.pages[f"/files/{name}"] = data
    url = f"{server.url}/files/{name}?x=1"
    server.pages[f"/files/{name}?x=1"] = data
    for _ in range(2):
        loaded = hub.load_state_dict_from_url(url, check_hash=True, progress=False, weights_only=True)
        assert loaded["weight"].tolist() == [0.0, 1.0, 2.0]
    assert len(server.asked) == 1 and [p.name for p in (cache / "checkpoints").iterdir()] == [name]
    assert capsys.readouterr().out.count("Downloading") == 1


def test_a_wrong_hash_leaves_nothing(server, cache):
    server.pages["/model-deadbeef.pt"] = state()
    with pytest.raises(RuntimeError, match=r'invalid hash value \(expected "deadbeef", got "[0-9a-f]{8}"\)'):
        hub.load_state_dict_from_url(f"{server.url}/model-deadbeef.pt", check_hash=True, progress=False)
    assert not [*(cache / "checkpoints").iterdir()]


def test_a_connection_that_breaks_off_leaves_the_old_file(server, tmp_path):
    server.pages["/x"] = b"part", 1000
    target = tmp_path / "target"
    target.write_text("old")
    with pytest.raises((RuntimeError, OSError)):
        hub.download_url_to_file(f"{server.url}/x", str(target), progress=False)
    assert target.read_text() == "old" and [*tmp_path.iterdir()] == [target]


@pytest.mark.parametrize("length, end", [(None, "300000 bytes\n"), (300000, "100.0%\n")])
def test_progress_without_tqdm(server, tmp_path, capsys, monkeypatch, length, end):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    server.pages["/x"] = bytes(300000), length
    hub.download_url_to_file(f"{server.url}/x", str(tmp_path / "x"))
    said = capsys.readouterr().err
    assert said.startswith("\r") and said.endswith(end)
    hub.download_url_to_file(f"{server.url}/x", str(tmp_path / "x"), progress=False)
    assert capsys.readouterr().err == ""
    assert hub.tqdm is _hub_downloads.Progress


def test_progress_with_tqdm(server, tmp_path, capsys):
    tqdm = pytest.importorskip("tqdm")
    server.pages["/x"] = bytes(300000)
    hub.download_url_to_file(f"{server.url}/x", str(tmp_path / "x"))
    assert "100%" in capsys.readouterr().err
    assert hub.tqdm is tqdm.tqdm is minigrad.utils.model_zoo.tqdm


def test_another_name_and_folder(tmp_path):
    (tmp_path / "a.pt").write_bytes(state())
    found = minigrad.utils.model_zoo.load_url(
        (tmp_path / "a.pt").as_uri(), model_dir=str(tmp_path / "new"), file_name="b.pt", progress=False
    )
    assert found["weight"].numel() == 3 and os.listdir(tmp_path / "new") == ["b.pt"]


def test_archives_of_one_file_as_of_old(tmp_path):
    with zipfile.ZipFile(tmp_path / "old.zip", "w") as file:
        file.writestr("inner.pt", state())
    with pytest.warns(FutureWarning, match="Falling back to the old format < 1.6"):
        found = hub.load_state_dict_from_url((tmp_path / "old.zip").as_uri(), progress=False)
    assert found["weight"].numel() == 3


@pytest.mark.torch
def test_pytorch_reads_the_same_cache(tmp_path):
    torch = pytest.importorskip("torch")
    (tmp_path / "a.pt").write_bytes(state())
    url, folder = (tmp_path / "a.pt").as_uri(), str(tmp_path / "cache")
    minigrad.hub.load_state_dict_from_url(url, folder, progress=False)
    Path(tmp_path / "a.pt").unlink()
    assert torch.hub.load_state_dict_from_url(url, folder)["weight"].tolist() == [0.0, 1.0, 2.0]
