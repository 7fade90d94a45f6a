"""What notebooks show of tensors, modules and profiles: HTML that is well-formed, escaped, and made without side effects."""

import base64
import re
import struct
import zlib
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, nn
from minigrad.autograd import profiler


class Reader(HTMLParser):
    """Checks that elements are closed in order; gathers text and images."""

    def __init__(self, html):
        super().__init__()
        self.open, self.texts, self.tags, self.images = [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attrs))
        else:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def read(thing):
    return Reader(thing._repr_html_())


# Tensors ------------------------------------------------------------------------------------------------------------------


def test_a_tensor_is_its_text_and_a_line_of_facts():
    x = minigrad.tensor([[1.0, 2.0]], dtype=minigrad.float64)
    assert read(x).texts == [repr(x), "float64 · [1, 2] · 16 B"]
    assert read(minigrad.tensor(3)).texts == ["tensor(3)", "int64 · [] · 8 B"]


def test_what_autograd_knows_is_told():
    x = minigrad.ones(3, requires_grad=True)
    assert read(x).texts[1] == "float32 · [3] · 12 B · requires grad"
    (x * 2).sum().backward()
    assert read(x).texts[1].endswith("requires grad · has .grad")
    assert read(x * 2).texts[1].endswith("· by MulBackward0")
    assert read(minigrad.ones(4, 256)[1]).texts[1].endswith("[256] · 1.00 KB · part of 4.00 KB")


def test_the_text_is_escaped():
    made_by = (minigrad.ones(2, requires_grad=True) * 2)._repr_html_()
    assert "grad_fn=<Mul" not in made_by and "grad_fn=&lt;MulBackward0&gt;" in made_by


@pytest.mark.parametrize(
    "dtype",
    ["bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"],
)
@pytest.mark.parametrize("shape", [(), (0,), (0, 5), (7,), (2, 3), (40, 50), (2, 3, 400), (5000,), (1, 3000)])
def test_every_dtype_and_shape(dtype, shape):
    x = minigrad.zeros(shape, dtype=getattr(minigrad, dtype))
    reader = read(x)
    assert reader.texts[0] == repr(x) and reader.texts[1].startswith(f"{dtype} · {list(shape)} · ")
    assert len(reader.texts) == (3 if x.numel() > 1000 else 2)
    assert len(reader.images) == (shape == (40, 50))


def test_bfloat16():
    pytest.importorskip("ml_dtypes")
    x = minigrad.arange(2000.0).bfloat16()
    assert read(x).texts[2].startswith("min 0 · max 2000 · ")


def statistics(x):
    return read(x).texts[2]


def test_of_a_large_tensor_it_says_what_the_entries_are_like():
    x = minigrad.arange(2000.0)
    assert statistics(x) == "min 0 · max 1999 · mean 999.5 · std 577.4 · 0.05% zeros"
    assert statistics(minigrad.arange(1001)) == "min 0 · max 1000 · mean 500 · std 289 · 0.0999% zeros"
    assert statistics(minigrad.ones(1001, dtype=minigrad.bool)) == "min 1 · max 1 · mean 1 · std 0"
    assert statistics(minigrad.full((1001,), 3 + 4j)) == "min 5 · max 5 · mean 5 · std 0"
    assert statistics(minigrad.full((2000,), 60000.0).half()).startswith(
        "min 6e+04 · max 6e+04 · mean 6e+04 · std 0"
    )


def test_entries_that_are_not_finite_are_counted_apart():
    x = minigrad.ones(2000)
    x[:3], x[5], x[6] = float("nan"), float("inf"), -float("inf")
    assert statistics(x) == "min 1 · max 1 · mean 1 · std 0 · 3 NaN · 2 infinite"
    assert statistics(minigrad.full((2000,), float("nan"))) == "2,000 NaN"


@pytest.fixture
def threshold():
    yield lambda count: minigrad.set_printoptions(threshold=count)
    minigrad.set_printoptions(profile="default")


def test_the_options_for_printing_decide_what_is_large(threshold):
    threshold(5)
    assert len(read(minigrad.ones(6)).texts) == 3
    assert len(read(minigrad.ones(5)).texts) == 2
    threshold(0)
    assert len(read(minigrad.tensor(1.0)).texts) == 2


def test_of_a_very_large_tensor_some_entries_are_looked_at():
    x = minigrad.zeros(1).expand(100_000, 1000)  # which takes no memory
    assert re.fullmatch(
        r"min 0 · max 0 · mean 0 · std 0 · 100% zeros · of [34],\d{3},\d{3} entries evenly spread",
        statistics(x),
    )


@pytest.mark.parametrize("shape", [(3, 20_000_000), (20_000_000, 3), (2, 2, 2, 2_000_000), (100, 16, 5000)])
def test_they_are_spread_over_the_longest_dimensions(shape):
    """So that of a short one every index is looked at."""
    x = minigrad.zeros(shape[1:]).expand(shape) if shape[0] < 1000 else minigrad.zeros(1).expand(shape)
    ((count,),) = [re.findall(r"of ([\d,]+) entries", statistics(x))]
    assert 1_300_000 < int(count.replace(",", "")) <= 4_000_000
    x = minigrad.zeros(3, 1).index_fill(0, minigrad.tensor(1), 5.0).expand(3, 20_000_000)
    assert statistics(x).startswith("min 0 · max 5 · mean 1.667 · ")


def pixels(image):
    """The pixels of a PNG file without filters, as (height, width, 3)."""
    data = base64.b64decode(image["src"].removeprefix("data:image/png;base64,"))
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    parts, place = {}, 8
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        assert struct.unpack(">I", data[place + 8 + size : place + 12 + size])[0] == zlib.crc32(kind + body)
        parts[kind] = body
        place += 12 + size
    assert list(parts) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, color = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert (depth, color) == (8, 2) and not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def test_the_picture_of_a_matrix_shows_signs_and_sizes():
    x = minigrad.zeros(40, 50)
    x[3, 4], x[5, 6], x[7, 8], x[9, 9], x[9, 10] = -2.0, 2.0, 1.0, float("nan"), float("inf")
    (image,) = read(x).images
    shown = pixels(image)
    assert shown.shape == (40, 50, 3)
    assert shown[0, 0].tolist() == [250, 250, 250]
    assert shown[3, 4].tolist() == [33, 102, 172] and shown[5, 6].tolist() == [178, 24, 43]
    assert shown[9, 9].tolist() == shown[9, 10].tolist() == [128, 128, 128]
    assert shown[7, 8].tolist() == [214, 137, 146]
    assert image["alt"] == "the entries from -2, blue, to 2, red"


def test_of_a_large_matrix_the_picture_shows_means():
    x = minigrad.ones(640, 1280)
    x[:20, :20] = -1  # the first cell
    x[20:40, 20:30] = -1  # half of another
    shown = pixels(read(x).images[0])
    assert shown.shape == (32, 64, 3)
    assert shown[0, 0].tolist() == [33, 102, 172] and shown[1, 1].tolist() == [250, 250, 250]
    assert shown[5, 5].tolist() == [178, 24, 43]
    assert pixels(read(minigrad.zeros(1).expand(9000, 9000)).images[0]).shape == (64, 64, 3)
    assert pixels(read(minigrad.rand(10, 9999)).images[0]).shape == (8, 64, 3)
    assert pixels(read(minigrad.rand(4000, 8)).images[0]).shape == (64, 8, 3)


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf"), 3e38, -3e38])
def test_pictures_of_odd_matrices(value):
    expected = {0.0: [250, 250, 250], 3e38: [178, 24, 43], -3e38: [33, 102, 172]}.get(value, [128, 128, 128])
    for shape in ((80, 90), (40, 50)):  # of which the first is averaged
        colors = pixels(read(minigrad.full(shape, value)).images[0])
        assert (colors == expected).all()


def test_a_picture_of_what_only_float64_holds():
    (image,) = read(minigrad.full((40, 50), 1e300, dtype=minigrad.float64)).images
    assert image["alt"] == "the entries from -1e+300, blue, to 1e+300, red"
    assert pixels(image)[0, 0].tolist() == [178, 24, 43]


class Counting(Tensor):
    """Counts what is asked of it."""

    asked = 0

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.asked += 1
        return super().__torch_function__(func, types, args, kwargs)


def test_a_subclass_is_not_asked():
    x = minigrad.rand(40, 50).as_subclass(Counting)
    Counting.asked = 0
    reader = read(x)
    assert Counting.asked == 0 and reader.texts[0].startswith("Counting(") and reader.images


def test_autograd_notices_nothing():
    x = minigrad.rand(40, 50, requires_grad=True)
    y = x * x
    view = y[1]
    before = [(t._version, t.grad_fn, t.grad_fn and t.grad_fn.next_functions) for t in (x, y)]
    number = (x + 1).grad_fn._sequence_nr()
    for t in (x, y, view):
        t._repr_html_()
    assert (x + 1).grad_fn._sequence_nr() == number + 1
    assert [(t._version, t.grad_fn, t.grad_fn and t.grad_fn.next_functions) for t in (x, y)] == before
    assert x.grad is None
    y.sum().backward()
    assert x.grad.equal(2 * x.detach())


def test_tensors_of_every_kind():
    with minigrad.inference_mode():
        x = minigrad.ones(2)
        assert read(x).texts[1] == "float32 · [2] · 8 B"
    assert read(x).texts[0] == "tensor([1., 1.])"
    with minigrad.no_grad():
        assert "requires grad" not in read(minigrad.ones(2) * 2).texts[1]
    assert read(nn.Parameter(minigrad.ones(2))).texts[0].startswith("Parameter containing:\n")
    assert nn.LazyLinear(3).weight._repr_html_ is None


@pytest.mark.parametrize("transform", ["vmap", "grad", "jvp"])
def test_inside_of_transforms(transform):
    shown = []

    def function(x):
        shown.append((read(x).texts[0], repr(x)))
        return (x * x).sum()

    x = minigrad.rand(3, 4)
    if transform == "jvp":
        minigrad.func.jvp(function, (x,), (x,))
    else:
        getattr(minigrad.func, transform)(function)(x)
    ((html, text),) = shown
    assert html == text


def test_texts_stay_as_they_are():
    """No piece of HTML comes into ``repr`` or ``str``, nor does asking for one change them."""
    for thing in (minigrad.ones(2), nn.Linear(2, 2)):
        before = repr(thing), str(thing)
        thing._repr_html_()
        assert (repr(thing), str(thing)) == before


# Modules ------------------------------------------------------------------------------------------------------------------


def test_a_module_is_a_tree_to_unfold():
    model = nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.BatchNorm1d(4), nn.ReLU()))
    reader = read(model)
    assert reader.tags.count("details") == 4 and "script" not in reader.tags
    text = "|".join(reader.texts)
    assert "Sequential| 24 parameters" in text
    assert "0: |Linear|(in_features=3, out_features=4, bias=True)| 16 parameters" in text
    assert "weight: |[4, 3] · float32" in text
    assert "running_mean: |[4] · float32 · buffer" in text
    assert "1: |ReLU" in text


def test_what_is_frozen_or_uninitialized_is_told():
    model = nn.Sequential(nn.Linear(3, 4), nn.LazyLinear(2))
    model[0].weight.requires_grad_(False)
    text = "|".join(read(model).texts)
    assert " 16 parameters, 4 trainable, 2 uninitialized" in text
    assert "weight: |[4, 3] · float32 · frozen" in text and "bias: |uninitialized · float32" in text


def test_a_module_with_two_names_is_shown_once():
    inner = nn.Linear(2, 2)
    text = "|".join(read(nn.Sequential(inner, nn.Sequential(inner))).texts)
    assert "0: |Linear| the same module as 0" in text


def test_a_module_inside_of_itself_is_shown_once():
    model = nn.Sequential(nn.Linear(2, 2))
    model[0].parent = model
    assert "parent: |Sequential| the same module as the outermost" in "|".join(read(model).texts)


def test_words_of_modules_are_escaped():
    class Odd(nn.Module):
        def extra_repr(self):
            return "<script>alert(1)</script>"

    html = nn.Sequential(Odd())._repr_html_()
    assert "<script>" not in html and "(<script>alert(1)</script>)" in unescape(html)


def test_modules_with_a_text_of_their_own():
    class Own(nn.Module):
        def __repr__(self):
            return "my <own> words"

    assert "Own| my <own> words" in "|".join(read(Own()).texts)
    assert "(0): Parameter" not in read(nn.ParameterList([minigrad.ones(2)])).texts


# Profiles -----------------------------------------------------------------------------------------------------------------


def profiled(**options):
    x = minigrad.ones(3, 3, requires_grad=True)
    with profiler.profile(**options) as prof:
        for _ in range(3):
            (x @ x).sum().backward()
    return prof


def test_a_profile_is_a_table():
    averages = profiled(with_flops=True, profile_memory=True).key_averages()
    reader = read(averages)
    header = [text for text in averages.table().splitlines()[1].split("  ") if text]
    assert {text.strip() for text in header} <= set(reader.texts)
    assert reader.tags.count("tr") == 1 + len(averages)
    assert "aten::mm" in reader.texts and "MmBackward0" in reader.texts
    assert str(averages) == averages.table()


def test_sums_of_events_come_with_the_longest_first_and_events_in_their_order():
    prof = profiled()
    averages = prof.key_averages()
    longest = max(averages, key=lambda event: event.self_cpu_time_total)
    names = [text for text in read(averages).texts if text in {event.key for event in averages}]
    assert names[0] == longest.key
    shown = [text for text in read(prof.function_events).texts if text in names]
    assert shown == [event.name for event in prof.function_events]


def test_of_many_events_the_first_are_shown():
    x = minigrad.ones(2)
    with profiler.profile() as prof:
        for _ in range(150):
            x + 1
    assert read(prof.function_events).tags.count("tr") == 101
    assert "50 more events" in prof.function_events._repr_html_()
    with profiler.profile() as prof:
        x.shape
    assert read(prof.key_averages()).texts == ["no events"]


# IPython ------------------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_ipython_shows_html_beside_the_text():
    formatters = pytest.importorskip("IPython.core.formatters")
    formatter = formatters.DisplayFormatter()
    formatter.active_types = ["text/plain", "text/html"]
    model = nn.Sequential(nn.Linear(2, 2), nn.LazyLinear(2))
    for thing in (minigrad.ones(2), model, minigrad.viz.summary(model, (1, 2)), profiled().key_averages()):
        shown, _ = formatter.format(thing)
        assert shown["text/html"] == thing._repr_html_()
        assert "text/plain" in shown
    for thing in (Tensor, nn.Module, nn.Linear, model[1].weight, minigrad.Size([2])):
        assert "text/html" not in formatter.format(thing)[0]
