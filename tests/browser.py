"""A Chromium without a window, driven by Selenium: for tests of pages, which are skipped where either is missing."""

import shutil

import pytest

#: So that the browser itself asks the network for nothing either.
_QUIET = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--hide-scrollbars",
    "--no-first-run",
    "--window-size=1440,1000",
]


def running(folder):
    """Yields a Chromium that keeps its files in a folder, and ends it then: for a fixture."""
    pytest.importorskip("selenium")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("needs chromium and chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in [*_QUIET, f"--user-data-dir={folder}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(chromedriver))
    browser.set_script_timeout(60)
    yield browser
    browser.quit()
