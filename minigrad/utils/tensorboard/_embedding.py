"""Points with labels and pictures, for TensorBoard's projector: files beside the events, and a list of them."""

import math
import os

import numpy as np

from ._images import _pillow, make_grid, png
from ._summaries import to_array


def write_files(folder, points, metadata, header, images):
    """Write the points (n, dimensions), their labels and their pictures (n, channels, height, width) into a folder."""
    if metadata is not None:
        if len(points) != len(metadata):
            raise AssertionError("#labels should equal with #data points")
        _write_labels(folder, metadata, header)
    if images is not None:
        if len(points) != images.shape[0]:
            raise AssertionError("#images should equal with #data points")
        _write_sprite(folder, images)
    if points.ndim != 2:
        raise AssertionError("mat should be 2D, where mat.size(0) is the number of data points")
    _write(folder, "tensors.tsv", "".join("\t".join(str(x.item()) for x in row) + "\n" for row in points))


def _write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def _write_labels(folder, metadata, header):
    if header:
        if len(header) != len(metadata[0]):
            raise AssertionError("len of header must be equal to the number of columns in metadata")
        lines = ["\t".join(map(str, row)) for row in [header, *metadata]]
    else:
        lines = [str(label) for label in metadata]
    _write(folder, "metadata.tsv", "\n".join(lines) + "\n")


def _write_sprite(folder, images):
    """All pictures in one square."""
    grid = make_grid(to_array(images), math.ceil(images.shape[0] ** 0.5)).transpose(1, 2, 0)
    square = np.zeros((grid.shape[1], grid.shape[1], 3))
    square[: grid.shape[0]] = grid
    with open(os.path.join(folder, "sprite.png"), "wb") as file:
        file.write(png(_pillow()[0].fromarray(np.uint8((square * 255).clip(0, 255)))))


def describe(folder, tag, step, has_labels, images):
    """What is said of the files in ``projector_config.pbtxt``."""
    lines = [f'  tensor_name: "{_escaped(tag)}:{step:05}"']
    if has_labels:
        lines.append(f'  metadata_path: "{_escaped(folder)}/metadata.tsv"')
    if images is not None:
        sizes = "".join(f"    single_image_dim: {n}\n" for n in (images.shape[3], images.shape[2]))
        lines.append(f'  sprite {{\n    image_path: "{_escaped(folder)}/sprite.png"\n{sizes}  }}')
    lines.append(f'  tensor_path: "{_escaped(folder)}/tensors.tsv"')
    return "embeddings {\n" + "\n".join(lines) + "\n}\n"


def _escaped(text):
    """A text as protocol buffers write it in quotes."""
    return "".join(f"\\{letter}" if letter in "\"'\\" else letter for letter in text)
