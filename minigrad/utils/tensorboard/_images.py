"""Pictures for TensorBoard: axes in the order height, width, channel; grids, boxes, figures, films; all encoded as PNG or GIF."""

import io
import math
import tempfile

import numpy as np

from ..._base.extras import missing_extra
from ._packages import module


def _pillow():
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise missing_extra("an image", "pillow", "tensorboard") from error
    return Image, ImageDraw, ImageFont


def make_grid(images, columns=8):
    """Images (n, 3 or 1, height, width) side by side, ``columns`` in a row: (3, height, width)."""
    if images.ndim != 4 or images.shape[1] not in (1, 3):
        raise AssertionError("Input should be a 4D numpy array with 3 channels")
    images = np.broadcast_to(images, (len(images), 3, *images.shape[2:]))
    count, _, height, width = images.shape
    columns = min(count, columns)
    rows = math.ceil(count / columns)
    canvas = np.zeros((3, height * rows, width * columns), images.dtype)
    for i, image in enumerate(images):
        y, x = divmod(i, columns)
        canvas[:, y * height : (y + 1) * height, x * width : (x + 1) * width] = image
    return canvas


def to_hwc(image, axes):
    """An array with the axes that the letters say (NCHW, CHW, HWC, HW, ...) as (height, width, channels); several images as a grid."""
    if len(set(axes)) != len(axes):
        raise AssertionError(f"You can not use the same dimension shorthand twice. input_format: {axes}")
    if image.ndim != len(axes):
        raise AssertionError(
            f"size of input tensor and input format are different. tensor shape: {image.shape}, input_format: {axes}"
        )
    axes = axes.upper()
    if len(axes) == 4:
        return make_grid(image.transpose([axes.find(letter) for letter in "NCHW"])).transpose(1, 2, 0)
    if len(axes) == 3:
        found = image.transpose([axes.find(letter) for letter in "HWC"])
        return np.repeat(found, 3, 2) if found.shape[2] == 1 else found
    return np.stack([image.transpose([axes.find(letter) for letter in "HW"])] * 3, 2)


def to_bytes(image):
    """Numbers of [0, 1], or bytes, as bytes."""
    factor = 1 if image.dtype == np.uint8 else 255
    return (image.astype(np.float32) * factor).clip(0, 255).astype(np.uint8)


def encode(image, rescale=1, boxes=None, labels=None):
    """The message of an image of bytes (height, width, channels), with boxes drawn on it."""
    height, width, channels = image.shape
    pillow = _pillow()[0]
    picture = pillow.fromarray(image)
    for i, box in enumerate(() if boxes is None else boxes):
        _draw_box(picture, box.tolist(), None if labels is None else labels[i])
    picture = picture.resize((int(width * rescale), int(height * rescale)), pillow.Resampling.LANCZOS)
    return _message(height, width, channels, png(picture))


def png(picture):
    """A picture of Pillow's as a file of PNG."""
    file = io.BytesIO()
    picture.save(file, format="PNG")
    return file.getvalue()


def _message(height, width, channels, data):
    return module("summary").Summary.Image(
        height=height, width=width, colorspace=channels, encoded_image_string=data
    )


def _draw_box(picture, box, label):
    """A red frame, and the label at its lower left."""
    _, draws, fonts = _pillow()
    left, top, right, bottom = box
    draw = draws.Draw(picture)
    draw.line([(left, top), (left, bottom), (right, bottom), (right, top), (left, top)], width=2, fill="Red")
    if label:
        font = fonts.load_default()
        x0, y0, x1, y1 = font.getbbox(label)
        width, height = x1 - x0, y1 - y0
        margin = math.ceil(0.05 * height)
        draw.rectangle([(left, bottom - height - 2 * margin), (left + width, bottom)], fill="Red")
        draw.text((left + margin, bottom - height - margin), label, fill="black", font=font)


def draw_figures(figures, close):
    """Figures of Matplotlib, one or a list, as bytes (3, height, width) or (n, 3, height, width)."""
    if isinstance(figures, list):
        return np.stack([draw_figures(figure, close) for figure in figures])
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figures)
    canvas.draw()
    width, height = figures.canvas.get_width_height()
    pixels = np.frombuffer(canvas.buffer_rgba(), np.uint8).reshape(height, width, 4)
    if close:
        from matplotlib import pyplot

        pyplot.close(figures)
    return np.moveaxis(pixels[:, :, :3], 2, 0)


def film(frames, fps):
    """The message of films (n, time, channels, height, width), which are shown side by side in a square: a GIF."""
    try:
        try:
            from moviepy import ImageSequenceClip
        except ImportError:
            from moviepy.editor import ImageSequenceClip
    except ImportError as error:
        raise ImportError(
            "add_video needs the package 'moviepy', which is not installed: run  pip install moviepy"
        ) from error
    count, time, channels, height, width = frames.shape
    frames = frames.astype(np.float32) / 255 if frames.dtype == np.uint8 else frames
    full = 1 << (count - 1).bit_length()  # powers of two fill a rectangle
    frames = np.concatenate((frames, np.zeros((full - count, *frames.shape[1:]), frames.dtype)))
    rows = 2 ** ((count.bit_length() - 1) // 2)
    columns = full // rows
    grid = frames.reshape(rows, columns, time, channels, height, width).transpose(2, 0, 4, 1, 5, 3)
    grid = to_bytes(grid.reshape(time, rows * height, columns * width, channels))
    with tempfile.NamedTemporaryFile(suffix=".gif") as file:
        ImageSequenceClip(list(grid), fps=fps).write_gif(file.name, logger=None)
        data = file.read()
    return _message(grid.shape[1], grid.shape[2], channels, data)
