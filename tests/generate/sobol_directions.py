"""Writes the direction numbers of Sobol sequences for ``_arrays/random/sobol.py``, from the table that Joe and Kuo have published.

python -m tests.generate.sobol_directions new-joe-kuo-6.21201     (from https://web.maths.unsw.edu.au/~fkuo/sobol/)
python -m tests.generate.sobol_directions                         (from SciPy, which has the same table)

The table gives for each dimension a primitive polynomial over the field of two elements, of degree s, and s odd numbers m_i < 2^i.  What
is written are the polynomials and, one behind the other, the i - 1 bits of each m_i between its first and its last, which is 1.
"""

import sys
from pathlib import Path

import numpy as np

FILE = Path(__file__).parents[2] / "minigrad" / "_arrays" / "random" / "sobol_directions.npz"


def published(path):
    """(polynomial with all its coefficients, numbers m) of each dimension from the second on, from the published text."""
    for line in Path(path).read_text(encoding="ascii").splitlines()[1:]:
        _, degree, inner, *numbers = map(int, line.split())
        yield (1 << degree) | (inner << 1) | 1, numbers


def from_scipy():
    """The same, from the file that SciPy comes with."""
    import scipy.stats

    table = np.load(Path(scipy.stats.__file__).with_name("_sobol_direction_numbers.npz"))
    for polynomial, numbers in zip(table["poly"].tolist()[1:], table["vinit"].tolist()[1:]):
        yield polynomial, numbers[: polynomial.bit_length() - 1]


def packed(rows):
    """The arrays of the file."""
    polynomials, bits = [], []
    for polynomial, numbers in rows:
        assert len(numbers) == polynomial.bit_length() - 1
        polynomials.append(polynomial)
        for i, m in enumerate(numbers):
            assert m % 2 == 1 and m < 2 << i
            bits += [m >> place & 1 for place in range(1, i + 1)]
    return {"polynomials": np.array(polynomials, np.uint32), "bits": np.packbits(np.array(bits, np.uint8))}


if __name__ == "__main__":
    np.savez_compressed(FILE, **packed(published(sys.argv[1]) if sys.argv[1:] else from_scipy()))
