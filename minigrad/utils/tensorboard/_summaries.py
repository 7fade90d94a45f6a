"""The messages that TensorBoard's files consist of: one function for each kind of summary."""

import io
import json
import struct
import wave

import numpy as np

from ... import _api
from . import _images
from ._packages import module


def to_array(x):
    """A tensor, an array or a number as an array; NotImplementedError for other things."""
    if isinstance(x, np.ndarray):
        return x
    if isinstance(x, _api.Tensor):
        x = x.detach()
        return (x.half() if x.dtype is _api._dtypes.bfloat16 else x).numpy()
    if np.isscalar(x):
        return np.array([x])
    raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")


def _summary(tag, **value):
    summary = module("summary").Summary
    return summary(value=[summary.Value(tag=tag, **value)])


def _plugin(name, content=b""):
    metadata = module("summary").SummaryMetadata
    return metadata(plugin_data=metadata.PluginData(plugin_name=name, content=content))


def _tensor(dtype, shape=None, **values):
    shapes = module("tensor_shape").TensorShapeProto
    if shape is not None:
        values["tensor_shape"] = shapes(dim=[shapes.Dim(size=n) for n in shape])
    return module("tensor").TensorProto(dtype=dtype, **values)


def scalar(tag, value, new_style=False, double_precision=False):
    """One number."""
    value = to_array(value).squeeze()
    if value.ndim:
        raise AssertionError(
            f"Tensor should contain one element (0 dimensions). Was given size: {value.size} and {value.ndim} dimensions."
        )
    number = float(value)
    if not new_style:
        return _summary(tag, simple_value=number)
    tensor = (
        _tensor("DT_DOUBLE", double_val=[number])
        if double_precision
        else _tensor("DT_FLOAT", float_val=[number])
    )
    return _summary(tag, tensor=tensor, metadata=_plugin("scalars"))


def _bits(x):
    """Halfs as PyTorch writes them: the 32 bits of the same numbers in single precision."""
    return [struct.unpack("i", struct.pack("f", number))[0] for number in x.flatten().tolist()]


def _elements(x):
    return x.flatten().tolist()


def _parts(x):
    return _api.view_as_real(x).flatten().tolist()


#: dtype -> (TensorBoard's name of it, the field for its numbers, how they are written).
_DTYPES = {
    "float16": ("DT_HALF", "half_val", _bits),
    "bfloat16": ("DT_BFLOAT16", "half_val", _bits),
    "float32": ("DT_FLOAT", "float_val", _elements),
    "float64": ("DT_DOUBLE", "double_val", _elements),
    "int8": ("DT_INT8", "int_val", _elements),
    "uint8": ("DT_UINT8", "uint32_val", _elements),
    "int16": ("DT_INT16", "int_val", _elements),
    "int32": ("DT_INT32", "int_val", _elements),
    "int64": ("DT_INT64", "int64_val", _elements),
    "complex64": ("DT_COMPLEX64", "scomplex_val", _parts),
    "complex128": ("DT_COMPLEX128", "dcomplex_val", _parts),
    "bool": ("DT_BOOL", "bool_val", _elements),
}


def tensor(tag, x):
    """All numbers of a tensor."""
    if x.numel() * x.itemsize >= 1 << 31:
        raise ValueError("tensor is bigger than protocol buffer's hard limit of 2GB in size")
    if x.dtype.name not in _DTYPES:
        raise ValueError(f"{tag} has unsupported tensor dtype {x.dtype}")
    dtype, field, numbers = _DTYPES[x.dtype.name]
    if field not in module("tensor").TensorProto.DESCRIPTOR.fields_by_name:
        field = "int_val"  # tensorboardX has no other for bytes
    return _summary(tag, tensor=_tensor(dtype, x.shape, **{field: numbers(x)}), metadata=_plugin("tensor"))


def histogram_raw(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts):
    """A histogram from its numbers."""
    message = module("summary").HistogramProto(
        min=min,
        max=max,
        num=num,
        sum=sum,
        sum_squares=sum_squares,
        bucket_limit=bucket_limits,
        bucket=bucket_counts,
    )
    return _summary(tag, histo=message)


def histogram(tag, values, bins, max_bins=None):
    """A histogram of numbers: of the bins, those from the first one that is not empty to the last, and an empty one before them."""
    values = to_array(values).astype(float).reshape(-1)
    if not values.size:
        raise ValueError("The input has no element.")
    counts, limits = np.histogram(values, bins=bins)
    if max_bins is not None and len(counts) > max_bins:
        joined = len(counts) // max_bins
        missing = len(counts) % joined
        counts = np.pad(counts, (0, joined - missing if missing else 0)).reshape(-1, joined).sum(1)
        limits = np.append(limits[:-1:joined], limits[-1])
    filled = np.flatnonzero(counts)
    if not filled.size:
        raise ValueError("The histogram is empty, please file a bug report.")
    first, last = filled[0], filled[-1] + 1
    counts = counts[first - 1 : last] if first else np.append(0, counts[:last])
    limits = limits[first : last + 1]
    numbers = values.min(), values.max(), len(values), values.sum(), values.dot(values)
    return histogram_raw(tag, *numbers, limits.tolist(), counts.tolist())


def image(tag, pixels, dataformats):
    """An image, or several in a grid."""
    pixels = _images.to_bytes(_images.to_hwc(to_array(pixels), dataformats))
    return _summary(tag, image=_images.encode(pixels))


def image_boxes(tag, pixels, boxes, rescale, dataformats, labels):
    """An image with boxes (n, 4) of left, top, right, bottom."""
    pixels = _images.to_bytes(_images.to_hwc(to_array(pixels), dataformats))
    return _summary(tag, image=_images.encode(pixels, rescale, to_array(boxes), labels))


def video(tag, frames, fps):
    """A film."""
    return _summary(tag, image=_images.film(to_array(frames), fps))


def audio(tag, sound, sample_rate):
    """Sound, numbers of [-1, 1]: a file of WAV."""
    sound = to_array(sound).squeeze()
    if abs(sound).max() > 1:
        print("warning: audio amplitude out of range, auto clipped.")
        sound = sound.clip(-1, 1)
    if sound.ndim != 1:
        raise AssertionError("input tensor should be 1 dimensional.")
    samples = (sound * np.iinfo(np.int16).max).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as written_to:
        written_to.setnchannels(1)
        written_to.setsampwidth(2)
        written_to.setframerate(sample_rate)
        written_to.writeframes(samples.data)
    message = module("summary").Summary.Audio(
        sample_rate=sample_rate,
        num_channels=1,
        length_frames=samples.shape[-1],
        encoded_audio_string=file.getvalue(),
        content_type="audio/wav",
    )
    return _summary(tag, audio=message)


def text(tag, string):
    """A text."""
    content = module("text").TextPluginData(version=0).SerializeToString()
    tensor = _tensor("DT_STRING", (1,), string_val=[string.encode("utf-8")])
    return _summary(f"{tag}/text_summary", metadata=_plugin("text", content), tensor=tensor)


def custom_scalars(layout):
    """Charts of several scalars: category -> title -> ("Multiline", tags), or ("Margin", (value, lower, upper))."""
    protos = module("layout")
    categories = []
    for category, charts in layout.items():
        found = []
        for title, (kind, tags, *_) in charts.items():
            if kind == "Margin":
                if len(tags) != 3:
                    raise AssertionError("len(tags) != 3")
                series = protos.MarginChartContent.Series(value=tags[0], lower=tags[1], upper=tags[2])
                found.append(protos.Chart(title=title, margin=protos.MarginChartContent(series=[series])))
            else:
                found.append(protos.Chart(title=title, multiline=protos.MultilineChartContent(tag=tags)))
        categories.append(protos.Category(title=category, chart=found))
    content = protos.Layout(category=categories).SerializeToString()
    tensor = _tensor("DT_STRING", (), string_val=[content])
    return _summary("custom_scalars__config__", tensor=tensor, metadata=_plugin("custom_scalars"))


_MOST_THRESHOLDS = 127


def pr_curve_raw(tag, numbers, num_thresholds):
    """A curve of precision and recall from its numbers (6, thresholds)."""
    thresholds = min(num_thresholds, _MOST_THRESHOLDS)
    content = module("pr_curve").PrCurvePluginData(version=0, num_thresholds=thresholds).SerializeToString()
    data = np.stack([to_array(row) if isinstance(row, _api.Tensor) else np.asarray(row) for row in numbers])
    tensor = _tensor("DT_FLOAT", data.shape, float_val=data.reshape(-1).tolist())
    return _summary(tag, tensor=tensor, metadata=_plugin("pr_curves", content))


def pr_curve(tag, labels, predictions, num_thresholds, weights):
    """A curve of precision and recall: true and false positives and negatives above each threshold."""
    thresholds = min(num_thresholds, _MOST_THRESHOLDS)
    weights = 1.0 if weights is None else weights
    labels = labels.astype(np.float64)
    buckets = np.int32(np.floor(predictions * (thresholds - 1)))

    def above(weighted):
        counts, _ = np.histogram(buckets, bins=thresholds, range=(0, thresholds - 1), weights=weighted)
        return np.cumsum(counts[::-1])[::-1]

    true, false = above(labels * weights), above((1.0 - labels) * weights)
    missed = true[0] - true
    least = 1e-7
    precision, recall = true / np.maximum(least, true + false), true / np.maximum(least, true + missed)
    return pr_curve_raw(tag, (true, false, false[0] - false, missed, precision, recall), thresholds)


_MESH = {1: "VERTEX", 2: "FACE", 3: "COLOR"}


def mesh(tag, vertices, colors, faces, config):
    """Points in space (batch, n, 3), with colours and triangles."""
    given = {kind: x for kind, x in ((1, vertices), (2, faces), (3, colors)) if x is not None}
    components = sum(1 << kind for kind in given)
    configuration = "{}" if config is None else json.dumps(config, sort_keys=True)
    summary = module("summary").Summary
    values = []
    for kind, x in given.items():
        x = _api.as_tensor(x)
        if x.dim() != 3:
            raise ValueError(f"Tensor shape should be of shape BxNx3, but got {x.shape}.")
        content = module("mesh").MeshPluginData(
            version=0,
            name=tag,
            content_type=kind,
            components=components,
            shape=x.shape,
            json_config=configuration,
        )
        tensor = _tensor("DT_FLOAT", x.shape, float_val=x.reshape(-1).tolist())
        metadata = _plugin("mesh", content.SerializeToString())
        values.append(summary.Value(tag=f"{tag}_{_MESH[kind]}", tensor=tensor, metadata=metadata))
    return summary(value=values)


def hparams(values, metrics, domains):
    """Hyperparameters, the names of metrics, and that the session is over: three summaries."""
    api, data = module("hparams_api"), module("hparams")
    from google.protobuf import struct_pb2

    domains = domains or {}
    if not isinstance(domains, dict):
        raise TypeError("parameter: hparam_domain_discrete should be a dictionary, nothing logged.")
    for name, domain in domains.items():
        if (
            name not in values
            or not isinstance(domain, list)
            or not all(isinstance(d, type(values[name])) for d in domain)
        ):
            raise TypeError(
                f"parameter: hparam_domain_discrete[{name}] should be a list of same type as hparam_dict[{name}]."
            )
    start, infos = data.SessionStartInfo(), []
    for name, value in values.items():
        if value is None:
            continue
        if isinstance(value, _api.Tensor):
            value, domain = to_array(value).reshape(-1)[0], None
            field, kind = "number_value", "DATA_TYPE_FLOAT64"
        elif isinstance(value, (int, float)):  # a bool is written as a number, as PyTorch does
            field, kind = "number_value", "DATA_TYPE_FLOAT64"
        elif isinstance(value, str):
            field, kind = "string_value", "DATA_TYPE_STRING"
        else:
            raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")
        setattr(start.hparams[name], field, value)
        options = {}
        if name in domains:
            domain = [struct_pb2.Value(**{field: d}) for d in domains[name]]
            options["domain_discrete"] = struct_pb2.ListValue(values=domain)
        infos.append(api.HParamInfo(name=name, type=api.DataType.Value(kind), **options))
    found = api.Experiment(
        hparam_infos=infos, metric_infos=[api.MetricInfo(name=api.MetricName(tag=name)) for name in metrics]
    )
    end = data.SessionEndInfo(status=api.Status.Value("STATUS_SUCCESS"))
    return tuple(
        _summary(
            f"_hparams_/{name}",
            metadata=_plugin("hparams", data.HParamsPluginData(version=0, **{name: x}).SerializeToString()),
        )
        for name, x in (("experiment", found), ("session_start_info", start), ("session_end_info", end))
    )
