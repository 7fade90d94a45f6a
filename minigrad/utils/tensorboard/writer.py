"""``SummaryWriter``: numbers, pictures, sounds and texts of a training, for TensorBoard."""

import os
import time
from datetime import datetime
from typing import Any

from ..._api import Tensor
from ._packages import module

__all__ = ["FileWriter", "SummaryWriter"]


class FileWriter:
    """Writes events to a file in ``log_dir``, in a thread that collects up to ``max_queue`` of them or for ``flush_secs`` seconds."""

    event_writer: Any

    def __init__(
        self, log_dir: Any, max_queue: int = 10, flush_secs: int = 120, filename_suffix: str = ""
    ) -> None:
        self.event_writer = module("files").EventFileWriter(
            str(log_dir), max_queue, flush_secs, filename_suffix
        )

    def get_logdir(self) -> Any:
        """Return the folder."""
        return self.event_writer.get_logdir()

    def add_event(self, event: Any, step: Any = None, walltime: Any = None) -> None:
        """Write an event for a step, at a given time (by default now)."""
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = int(step)
        self.event_writer.add_event(event)

    def add_summary(self, summary: Any, global_step: Any = None, walltime: Any = None) -> None:
        """Write an event with a summary."""
        self.add_event(module("event").Event(summary=summary), global_step, walltime)

    def flush(self) -> None:
        """Write all pending events to the file."""
        self.event_writer.flush()

    def close(self) -> None:
        """Write all pending events, and close the file."""
        self.event_writer.close()

    def reopen(self) -> None:
        """Continue with another file after ``close``."""
        self.event_writer.reopen()


def _default_bins():
    """The limits of histograms: they grow by a tenth, from both sides of 0."""
    limits, limit = [], 1e-12
    while limit < 1e20:
        limits.append(limit)
        limit *= 1.1
    return [-limit for limit in reversed(limits)] + [0] + limits


class SummaryWriter:
    """Writes training logs for TensorBoard into ``log_dir``, by default ``runs/DATE_HOST`` followed by ``comment``.

    With ``purge_step``, data written from this step on are no longer shown, as after a crash. The other arguments are those of
    ``FileWriter``. Every ``add_`` method takes a ``tag``, under which TensorBoard shows the data, a ``global_step``, and a ``walltime``
    in seconds, by default now. Raises ImportError if neither tensorboard nor tensorboardX is installed. (Needs TensorBoard)

    >>> import minigrad, os, tempfile
    >>> from minigrad.utils.tensorboard import SummaryWriter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with SummaryWriter(folder) as writer:
    ...         writer.add_scalar("loss", minigrad.tensor(0.5), global_step=1)
    ...     os.listdir(folder)[0].startswith("events.out.tfevents")
    True
    """

    log_dir: Any
    max_queue: int
    flush_secs: int
    filename_suffix: str
    default_bins: list[Any]
    purge_step: Any
    file_writer: Any
    all_writers: Any

    def __init__(
        self,
        log_dir: Any = None,
        comment: str = "",
        purge_step: Any = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        filename_suffix: str = "",
    ) -> None:
        if not log_dir:
            import socket

            started = datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", f"{started}_{socket.gethostname()}{comment}")
        self.log_dir, self.purge_step = log_dir, purge_step
        self.max_queue, self.flush_secs, self.filename_suffix = max_queue, flush_secs, filename_suffix
        self.file_writer = self.all_writers = None
        self._projector = ""
        self._get_file_writer()
        self.default_bins = _default_bins()

    def _new_writer(self, folder):
        return FileWriter(folder, self.max_queue, self.flush_secs, self.filename_suffix)

    def _get_file_writer(self):
        """The writer of ``log_dir``, a new one after ``close``."""
        if self.file_writer is None:
            self.file_writer = self._new_writer(self.log_dir)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
            if self.purge_step is not None:
                events = module("event")
                start = events.SessionLog(status=events.SessionLog.START)
                self.file_writer.add_event(events.Event(step=self.purge_step, file_version="brain.Event:2"))
                self.file_writer.add_event(events.Event(step=self.purge_step, session_log=start))
                self.purge_step = None
        return self.file_writer

    def _add(self, summary, global_step=None, walltime=None):
        self._get_file_writer().add_summary(summary, global_step, walltime)

    def get_logdir(self) -> Any:
        """Return the folder."""
        return self.log_dir

    def add_scalar(
        self,
        tag: Any,
        scalar_value: Any,
        global_step: Any = None,
        walltime: Any = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """Write a number: a Python number, or a tensor with one element; ``new_style`` writes it as a tensor, optionally in ``double_precision``."""
        self._add(_summaries().scalar(tag, scalar_value, new_style, double_precision), global_step, walltime)

    def add_scalars(
        self, main_tag: Any, tag_scalar_dict: Any, global_step: Any = None, walltime: Any = None
    ) -> None:
        """Write several numbers, {tag: number}, for one chart; each goes to a folder of its own."""
        walltime = time.time() if walltime is None else walltime
        folder = self._get_file_writer().get_logdir()
        for tag, value in tag_scalar_dict.items():
            place = f"{folder}/{main_tag.replace('/', '_')}_{tag}"
            if place not in self.all_writers:
                self.all_writers[place] = self._new_writer(place)
            self.all_writers[place].add_summary(_summaries().scalar(main_tag, value), global_step, walltime)

    def add_tensor(self, tag: Any, tensor: Tensor, global_step: Any = None, walltime: Any = None) -> None:
        """Write all numbers of a tensor; raise ValueError for one of 2 GB or more."""
        self._add(_summaries().tensor(tag, tensor), global_step, walltime)

    def add_histogram(
        self,
        tag: Any,
        values: Any,
        global_step: Any = None,
        bins: Any = "tensorflow",
        walltime: Any = None,
        max_bins: Any = None,
    ) -> None:
        """Write a histogram of a tensor: with bins that grow by a tenth, or as NumPy's ``histogram`` makes them, reduced to ``max_bins``."""
        bins = self.default_bins if isinstance(bins, str) and bins == "tensorflow" else bins
        self._add(_summaries().histogram(tag, values, bins, max_bins), global_step, walltime)

    def add_histogram_raw(
        self,
        tag: Any,
        min: Any,
        max: Any,
        num: Any,
        sum: Any,
        sum_squares: Any,
        bucket_limits: Any,
        bucket_counts: Any,
        global_step: Any = None,
        walltime: Any = None,
    ) -> None:
        """Write a histogram given by its counts and limits; raise ValueError unless there is a count for each limit."""
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError("len(bucket_limits) != len(bucket_counts), see the document.")
        summary = _summaries().histogram_raw(
            tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts
        )
        self._add(summary, global_step, walltime)

    def add_image(
        self,
        tag: Any,
        img_tensor: Any,
        global_step: Any = None,
        walltime: Any = None,
        dataformats: str = "CHW",
    ) -> None:
        """Write an image of 1, 3 or 4 channels, with numbers in [0, 1] or bytes; ``dataformats`` gives the order of its dimensions."""
        self._add(_summaries().image(tag, img_tensor, dataformats), global_step, walltime)

    def add_images(
        self,
        tag: Any,
        img_tensor: Any,
        global_step: Any = None,
        walltime: Any = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Write several images as one grid."""
        self._add(_summaries().image(tag, img_tensor, dataformats), global_step, walltime)

    def add_image_with_boxes(
        self,
        tag: Any,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: Any = None,
        rescale: int = 1,
        dataformats: str = "CHW",
        labels: Any = None,
    ) -> None:
        """Write an image with red boxes (n, 4), given as left, top, right and bottom, and optionally a label for each."""
        labels = [labels] if isinstance(labels, str) else labels
        if labels is not None and len(labels) != box_tensor.shape[0]:
            labels = None
        summary = _summaries().image_boxes(tag, img_tensor, box_tensor, rescale, dataformats, labels)
        self._add(summary, global_step, walltime)

    def add_figure(
        self, tag: Any, figure: Any, global_step: Any = None, close: bool = True, walltime: Any = None
    ) -> None:
        """Write a Matplotlib figure, or a list of figures of one size; they are closed unless ``close`` is False."""
        from ._images import draw_figures

        axes = "NCHW" if isinstance(figure, list) else "CHW"
        self.add_image(tag, draw_figures(figure, close), global_step, walltime, axes)

    def add_video(
        self, tag: Any, vid_tensor: Any, global_step: Any = None, fps: float = 4, walltime: Any = None
    ) -> None:
        """Write videos (n, time, channels, height, width), side by side; needs moviepy."""
        self._add(_summaries().video(tag, vid_tensor, fps), global_step, walltime)

    def add_audio(
        self,
        tag: Any,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: Any = None,
    ) -> None:
        """Write sound, as numbers in [-1, 1]."""
        self._add(_summaries().audio(tag, snd_tensor, sample_rate), global_step, walltime)

    def add_text(self, tag: Any, text_string: Any, global_step: Any = None, walltime: Any = None) -> None:
        """Write a text, which TensorBoard shows as Markdown."""
        self._add(_summaries().text(tag, text_string), global_step, walltime)

    def add_graph(
        self, model: Any, input_to_model: Any = None, verbose: bool = False, use_strict_trace: bool = True
    ) -> Any:
        """Raise an error: TensorBoard's graphs come from TorchScript; use ``minigrad.viz.graph`` to draw graphs."""
        raise NotImplementedError(
            "add_graph needs TorchScript, which minigrad does not have: use minigrad.viz.graph to draw graphs"
        )

    def add_onnx_graph(self, prototxt: Any) -> Any:
        """Raise an error: graphs of ONNX models are not supported."""
        raise NotImplementedError("add_onnx_graph is not supported: use minigrad.viz.graph to draw graphs")

    @staticmethod
    def _encode(rawstr):
        """A tag as the name of a folder."""
        for letter in "%/\\":
            rawstr = rawstr.replace(letter, f"%{ord(letter):02x}")
        return rawstr

    def add_embedding(
        self,
        mat: Any,
        metadata: Any = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Any = None,
    ) -> None:
        """Write points (n, dimensions) for the projector, with a label for each or a list of labels for the columns of ``metadata_header``,
        and optionally a picture (n, 3, height, width).
        """
        from . import _embedding

        points, step = _summaries().to_array(mat), 0 if global_step is None else global_step
        folder = f"{step:05}/{self._encode(tag)}"
        root = self._get_file_writer().get_logdir()
        path = os.path.join(root, folder)
        if os.path.isdir(path):
            print("warning: Embedding dir exists, did you set global_step for add_embedding()?")
        elif os.path.exists(path):
            raise NotADirectoryError(f"Path: `{path}` exists, but is a file. Cannot proceed.")
        os.makedirs(path, exist_ok=True)
        _embedding.write_files(path, points, metadata, metadata_header, label_img)
        self._projector += _embedding.describe(folder, tag, step, metadata is not None, label_img)
        with open(os.path.join(root, "projector_config.pbtxt"), "w", encoding="utf-8", newline="") as file:
            file.write(self._projector)

    def add_pr_curve(
        self,
        tag: Any,
        labels: Any,
        predictions: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: Any = None,
    ) -> None:
        """Write a precision-recall curve for labels 0 or 1 and predictions in [0, 1], at up to 127 thresholds."""
        make = _summaries()
        summary = make.pr_curve(
            tag, make.to_array(labels), make.to_array(predictions), num_thresholds, weights
        )
        self._add(summary, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag: Any,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: Any = None,
    ) -> None:
        """Write a precision-recall curve given by its numbers at each threshold."""
        counts = true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts
        self._add(
            _summaries().pr_curve_raw(tag, (*counts, precision, recall), num_thresholds),
            global_step,
            walltime,
        )

    def add_custom_scalars_multilinechart(
        self, tags: Any, category: str = "default", title: str = "untitled"
    ) -> None:
        """Show several scalars in one chart."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(
        self, tags: Any, category: str = "default", title: str = "untitled"
    ) -> None:
        """Show a scalar between two others, its bounds; raise AssertionError unless there are three tags."""
        if len(tags) != 3:
            raise AssertionError(f"Expected 3 tags, got {len(tags)}.")
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def add_custom_scalars(self, layout: Any) -> None:
        """Define charts of scalars: {category: {title: ["Multiline", tags] or ["Margin", [value, lower, upper]]}}."""
        self._add(_summaries().custom_scalars(layout))

    def add_mesh(
        self,
        tag: Any,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: Any = None,
        global_step: Any = None,
        walltime: Any = None,
    ) -> None:
        """Write points in space (batch, n, 3), with colours in [0, 255] and triangles of three points each; ``config_dict`` is for three.js."""
        self._add(_summaries().mesh(tag, vertices, colors, faces, config_dict), global_step, walltime)

    def add_hparams(
        self,
        hparam_dict: Any,
        metric_dict: Any,
        hparam_domain_discrete: Any = None,
        run_name: Any = None,
        global_step: Any = None,
    ) -> None:
        """Write hyperparameters (numbers, bools, strings, one-element tensors) and the metrics they led to, in a folder ``run_name``; raise
        TypeError if they are not dicts.
        """
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        found = _summaries().hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        folder = os.path.join(self._get_file_writer().get_logdir(), run_name or str(time.time()))
        with SummaryWriter(folder) as writer:
            for summary in found:
                writer.file_writer.add_summary(summary, global_step)
            for tag, value in metric_dict.items():
                writer.add_scalar(tag, value, global_step)

    def flush(self) -> None:
        """Write all pending events to the files."""
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self) -> None:
        """Write all pending events, and close the files."""
        self.flush()
        for writer in (self.all_writers or {}).values():
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def _summaries():
    from . import _summaries

    return _summaries
