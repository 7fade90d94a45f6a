"""A trace in a program that shows traces: the Performance panel of Chromium's DevTools, which comes with the browser and needs no network."""

import json
import shutil
import time

import pytest

import minigrad as torch
from minigrad.profiler import profile, record_function

_PANEL = "devtools://devtools/bundled/devtools_app.html?panel=timeline"
#: Every element, those in shadow trees too.
_ALL = """
const all = [];
const walk = (node) => {
  if (node.shadowRoot) walk(node.shadowRoot);
  for (const child of node.children || []) { all.push(child); walk(child); }
};
walk(document.documentElement);
"""
_INPUT = _ALL + "return all.find((e) => e.tagName === 'INPUT' && e.type === 'file') || null"
_NOTES = (
    _ALL
    + "return all.filter((e) => e.tagName === 'SPAN' && e.children.length === 0).map((e) => e.textContent.trim())"
)


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """A running Chromium."""
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("needs chromium and chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    folder = tmp_path_factory.mktemp("chromium")
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    for flag in [*flags, "--disable-component-update", "--window-size=1240,900", f"--user-data-dir={folder}"]:
        options.add_argument(flag)
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    running.set_page_load_timeout(60)
    yield running
    running.quit()


def until(found, seconds=30):
    """What ``found`` says as soon as that is something; None if it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.2)
    return None


def with_arrows_as_notes(trace):
    """DevTools shows no arrows of other programs' traces, but those that a reader has drawn: here, the same ones."""
    events = trace["traceEvents"]

    def deepest(at):
        around = [
            i
            for i, e in enumerate(events)
            if e["ph"] == "X" and e["tid"] == at["tid"] and e["ts"] <= at["ts"] <= e["ts"] + e["dur"]
        ]
        return max(around, key=lambda i: (events[i]["ts"], -events[i]["dur"], i))

    begins = {e["id"]: e for e in events if e["ph"] == "s"}
    links = [
        {"entryFrom": f"r-{deepest(begins[e['id']])}", "entryTo": f"r-{deepest(e)}", "state": "connected"}
        for e in events
        if e["ph"] == "f"
    ]
    ends = [e["ts"] + e.get("dur", 0) for e in events]
    notes = {"entryLabels": [], "labelledTimeRanges": [], "linksBetweenEntries": links}
    window = {"min": 0, "max": max(ends), "range": max(ends)}
    trace["metadata"] = {
        "modifications": {
            "entriesModifications": {"hiddenEntries": [], "expandableEntries": []},
            "initialBreadcrumb": {"window": window, "child": None},
            "annotations": notes,
        }
    }
    return trace


def test_chromes_viewer_reads_the_trace(driver, tmp_path):
    x = torch.ones(64, 64, requires_grad=True)
    with profile(record_shapes=True) as prof, record_function("step"):
        torch.softmax(x @ x, 1).log().sum().backward()
    path = tmp_path / "trace.json"
    prof.export_chrome_trace(str(path))
    path.write_text(json.dumps(with_arrows_as_notes(json.loads(path.read_text()))))

    driver.get(_PANEL)
    chooser = until(lambda: driver.execute_script(_INPUT))
    if chooser is None:
        pytest.skip("this Chromium's DevTools have another Performance panel")
    chooser.send_keys(str(path))
    wanted = {"aten::mm", "MmBackward0", "aten::_softmax", "SoftmaxBackward0", "aten::sum", "SumBackward0"}
    shown = until(lambda: wanted <= set(driver.execute_script(_NOTES)))
    driver.save_screenshot(str(tmp_path / "trace.png"))
    assert shown, sorted(set(driver.execute_script(_NOTES)))[:40]
