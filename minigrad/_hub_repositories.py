"""GitHub's repositories, for ``hub``: which one is meant, whether it is trusted, its files in the cache."""

import json
import os
import shutil
import sys
import warnings
import zipfile
from pathlib import Path, PurePosixPath
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from ._hub_downloads import download

GITHUB = "https://github.com"
API = "https://api.github.com"
_TRUSTED_OWNERS = ("facebookresearch", "facebookincubator", "pytorch", "fairinternal")


def cached_repository(github, cache, force_reload, trust_repo, verbose, skip_validation):
    """The folder in ``cache`` with the files of ``owner/name[:ref]``, downloaded unless it is there."""
    os.makedirs(cache, exist_ok=True)
    owner, name, ref = _parse(github, cache)
    file_ref = ref.replace("/", "_")
    folder = os.path.join(cache, f"{owner}_{name}_{file_ref}")
    _check_trust(owner, name, cache, os.path.basename(folder), trust_repo)
    if not force_reload and os.path.exists(folder):
        if verbose:
            sys.stderr.write(f"Using cache found in {folder}\n")
        return folder
    if not skip_validation:
        _check_ref(owner, name, ref)
    archive = os.path.join(cache, f"{file_ref}.zip")
    _download_archive(owner, name, ref, archive)
    try:
        extracted = _extract(archive, cache)
    finally:
        os.remove(archive)
    if os.path.exists(folder):
        shutil.rmtree(folder)
    shutil.move(extracted, folder)
    return folder


def _parse(github, cache):
    repository, _, ref = github.partition(":")
    owner, name = repository.split("/")
    return owner, name, ref or _default_branch(owner, name, cache)


def _default_branch(owner, name, cache):
    """Main if there is such a branch, otherwise master; without a network, the one in the cache."""
    try:
        with urlopen(f"{GITHUB}/{owner}/{name}/tree/main/"):
            return "main"
    except HTTPError as error:
        if error.code == 404:
            return "master"
        raise
    except URLError as error:
        for ref in ("main", "master"):
            if os.path.exists(os.path.join(cache, f"{owner}_{name}_{ref}")):
                return ref
        raise RuntimeError(
            f"It looks like there is no internet connection and the repo could not be found in the cache ({cache})"
        ) from error


def _check_trust(owner, name, cache, folder, trust_repo):
    """Ask the user about a repository that is not trusted, and remember the answer; Exception unless it is yes."""
    trusted_list = Path(cache, "trusted_list")
    trusted_list.touch()
    full_name = f"{owner}_{name}"
    trusted = (
        full_name in trusted_list.read_text().split()
        or owner in _TRUSTED_OWNERS
        or os.path.isdir(os.path.join(cache, folder))
    )
    if trust_repo is False or (trust_repo == "check" and not trusted):
        answer = input(
            f"The repository {full_name} does not belong to the list of trusted repositories and as such cannot be downloaded. "
            "Do you trust this repository and wish to add it to the trusted list of repositories (y/N)?"
        )
        if answer.lower() in ("n", "no", ""):
            raise Exception("Untrusted repository.")
        if answer.lower() not in ("y", "yes"):
            raise ValueError(f"Unrecognized response {answer}.")
        if trusted:
            print("The repository is already trusted.")
    if not trusted:
        with open(trusted_list, "a") as file:
            file.write(f"{full_name}\n")


def _check_ref(owner, name, ref):
    """Raise ValueError unless ``ref`` is a branch, a tag or a commit of one of the repository itself: GitHub shows those of forks in it, too."""
    for kind in ("branches", "tags"):
        page = 1
        while entries := _read_json(f"{API}/repos/{owner}/{name}/{kind}?per_page=100&page={page}"):
            if any(entry["name"] == ref or entry["commit"]["sha"].startswith(ref) for entry in entries):
                return
            page += 1
    raise ValueError(
        f"Cannot find {ref} in https://github.com/{owner}/{name}. "
        "If it's a commit from a forked repo, please call hub.load() with forked repo directly."
    )


def _read_json(url):
    headers = {"Accept": "application/vnd.github.v3+json"}
    token = os.environ.get("GITHUB_TOKEN")
    if token is not None:
        try:
            return _read(Request(url, headers={**headers, "Authorization": f"token {token}"}))
        except HTTPError as error:
            if error.code not in (401, 403, 404):  # a token that does not hold here
                raise
    return _read(Request(url, headers=headers))


def _read(request):
    with urlopen(request) as response:
        return json.loads(response.read().decode(response.headers.get_content_charset("utf-8")))


def _download_archive(owner, name, ref, path):
    url = f"{GITHUB}/{owner}/{name}/zipball/{ref}"
    sys.stdout.write(f'Downloading: "{url}" to {path}\n')
    try:
        download(url, path, progress=False)
    except HTTPError as error:
        if error.code != 300:
            raise
        warnings.warn(
            f"The ref {ref} is ambiguous. It is taken for a branch; refs/heads/NAME or refs/tags/NAME says which is meant, "
            "with skip_validation=True",
            stacklevel=5,
        )
        download(f"{GITHUB}/{owner}/{name}/zipball/refs/heads/{ref}", path, progress=False)


def _extract(archive, cache):
    """Extract an archive below ``cache``; the folder in it that holds all the rest."""
    with zipfile.ZipFile(archive) as file:
        top = PurePosixPath(file.namelist()[0]).parts[0]
        extracted = os.path.join(cache, top)
        check_members(file)
        if os.path.exists(extracted):
            shutil.rmtree(extracted)
        file.extractall(cache)
    return extracted


def check_members(archive):
    """Raise ValueError for an archive that would write outside of the folder into which it is extracted."""
    for member in archive.namelist():
        parts = member.replace("\\", "/").split("/")
        if parts[0] == "" or parts[0][1:2] == ":":
            raise ValueError(f"Archive entry has absolute path: {member}")
        if ".." in parts:
            raise ValueError(f"Archive entry contains directory traversal: {member}")
