"""Writes the draws of PyTorch that ``test_table.py`` compares with where PyTorch is not installed: ``python -m tests.distributions.record``."""

import json
from pathlib import Path

from tests.distributions.table import ROWS

PATH = Path(__file__).with_name("recorded.json")
SHAPE = (2,)


def draws(library, module, row):
    """The numbers that a row draws in float64, in one list."""
    distribution, _ = row.built(library, module)
    library.manual_seed(11)
    return distribution.sample(SHAPE).flatten().tolist()


def main():
    """Write the file."""
    import torch

    found = {row.name: draws(torch, torch.distributions, row) for row in ROWS}
    lines = [
        f"  {json.dumps(name)}: {json.dumps([float(f'{n:.9g}') for n in numbers])}"
        for name, numbers in found.items()
    ]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
