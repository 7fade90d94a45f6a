"""What type checkers say of minigrad, by ``python -m tests.typing.check``: needs mypy and pyright, and minigrad installed for this Python.

A typical program (``typical.py``) has nothing to complain about, every mistake of ``mistakes.py`` is reported and nothing else, and ``pyright --verifytypes``
finds almost all that is public typed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COMPLETE = 0.95
CLEAN, WRONG = HERE / "typical.py", HERE / "mistakes.py"
# Pyright asks the first Python of the path which packages there are.
ENVIRONMENT = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


def output(*command, cwd=ROOT):
    """What a program of this Python's environment prints, whatever its status."""
    command = [sys.executable, "-m", *map(str, command)]
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def by_pyright():
    """The (file, line) of each error that pyright finds in the two programs."""
    for found in json.loads(output("pyright", "--outputjson", CLEAN, WRONG))["generalDiagnostics"]:
        if found["severity"] == "error":
            yield Path(found["file"]), found["range"]["start"]["line"] + 1


def by_mypy():
    """The (file, line) of each error that ``mypy --strict`` finds in the two programs."""
    for line in output(
        "mypy", "--strict", "--config-file=", "--follow-imports=silent", CLEAN, WRONG
    ).splitlines():
        found = re.match(r"(.*\.pyi?):(\d+): error", line)
        if found:
            yield ROOT / found[1], int(found[2])


def completeness():
    """The share of public names whose types pyright knows, and the others."""
    with tempfile.TemporaryDirectory() as elsewhere:  # where it finds the installed package, not the source
        said = json.loads(
            output("pyright", "--verifytypes", "minigrad", "--ignoreexternal", "--outputjson", cwd=elsewhere)
        )
    found = said["typeCompleteness"]
    exported = [each for each in found["symbols"] if each["isExported"]]
    unknown = [each["name"] for each in exported if not each["isTypeKnown"] or each["isTypeAmbiguous"]]
    return found["completenessScore"], len(exported), unknown


def main():
    """Say what is found; the status is that of failure if it is not what it should be."""
    text = WRONG.read_text(encoding="utf-8").splitlines()
    wanted = {(WRONG, number) for number, line in enumerate(text, 1) if line.endswith("# wrong")}
    failed = False
    for checker, errors in (("pyright", by_pyright()), ("mypy --strict", by_mypy())):
        found = set(errors)
        for file, line in sorted(found ^ wanted):
            failed = True
            print(
                f"{checker}: {file.name}:{line} is {'reported' if (file, line) in found else 'not reported'}"
            )
        print(
            f"{checker}: {len(found & wanted)} of {len(wanted)} mistakes reported, {len(found - wanted)} errors elsewhere"
        )
    score, count, unknown = completeness()
    print(f"pyright --verifytypes: {score:.1%} of {count} public names are typed")
    if score < COMPLETE:
        failed = True
        print(f"less than {COMPLETE:.0%}; not typed: {', '.join(unknown)}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
