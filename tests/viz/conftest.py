"""The page in a real browser."""

import json
import os
from pathlib import Path

import pytest

from tests.browser import running


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    """A running Chromium."""
    yield from running(tmp_path_factory.mktemp("chromium"))


class Shown:
    """A page that the browser shows: what it tells of itself, and what a reader would do with it."""

    def __init__(self, driver, path):
        self.driver = driver
        self.path = path

    def __getattr__(self, name):
        """What ``window.minigrad`` says: ``boxes``, ``frames``, ``links``, ``view``, ``state``."""
        return self.driver.execute_script(f"return window.minigrad.{name}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def settle(self):
        """Wait until what was asked for has been drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
        )

    def element(self, name):
        return self.driver.find_element("id", name)

    def text(self, name):
        return self.element(name).text

    def press(self, name):
        self.element(name).click()
        self.settle()

    def keys(self, *keys, into="graph"):
        self.element(into).send_keys(*keys)
        self.settle()

    def box(self, name):
        """The box of a node or a folded module, by its id."""
        return next(box for box in self.boxes if box["id"] == name)

    def point(self, box, across=0.5, down=0.5):
        """Where a part of a box is on the canvas."""
        view = self.view
        x = (box["x"] + across * box["w"]) * view["scale"] + view["x"]
        y = (box["y"] + down * box["h"]) * view["scale"] + view["y"]
        return x, y

    def mouse(self):
        from selenium.webdriver import ActionChains

        return ActionChains(self.driver, duration=20)

    def over(self, x, y, chain=None):
        """Actions that move the mouse to a place on the canvas."""
        canvas = self.element("graph")
        size = canvas.size
        chain = chain or self.mouse()
        return chain.move_to_element_with_offset(
            canvas, round(x - size["width"] / 2), round(y - size["height"] / 2)
        )

    def click(self, box, across=0.5, down=0.5):
        self.over(*self.point(box, across, down)).click().perform()
        self.settle()

    def errors(self):
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")
        ]

    def requests(self):
        """The addresses that this page asked for since this was last called."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in asked if one["documentURL"] == self.path.as_uri()]

    def photograph(self, name, folder):
        """Keep a picture of the page, in the folder that MINIGRAD_SCREENSHOTS names if it is set."""
        folder = Path(os.environ.get("MINIGRAD_SCREENSHOTS") or folder)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        assert self.driver.save_screenshot(str(path))
        print(f"screenshot: {path}")
        return path


@pytest.fixture
def show(driver, tmp_path):
    """A function that shows a payload (or the text of a whole page) in the browser."""
    from minigrad.viz.page import page

    def shown(payload):
        path = tmp_path / "graph.html"
        path.write_text(payload if isinstance(payload, str) else page(payload), encoding="utf-8")
        driver.get_log("browser")
        driver.get_log("performance")
        driver.get(path.as_uri())
        result = Shown(driver, path)
        result.settle()
        return result

    yield shown
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    driver.get("about:blank")
