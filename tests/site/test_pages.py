"""The pages of the documentation in a real browser: they run without errors, fit a phone, are dark if asked to, print, and are found by the search."""

import json
import re

import pytest

#: One of each kind.
PAGES = [
    "index.html",
    "start/ten_minutes.html",
    "tour/04_families.html",
    "howto/pictures.html",
    "explanation/performance.html",
    "differences.html",
    "names.html",
    "reference/index.html",
    "reference/nn.html",
    "reference/tensor.html",
    "source/minigrad/_core/engine.py.html",
    "genindex.html",
    "search.html?q=softmax",
]
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.partition(".")[0])


@pytest.fixture
def shown(driver, address):
    """A function that opens a page, and waits for the search's results if there are to be any."""

    def show(page):
        driver.get_log("browser")
        driver.get_log("performance")
        driver.get(f"{address}/{page}")
        if "?q=" in page:
            from selenium.webdriver.support.ui import WebDriverWait

            done = "return document.querySelector('.search-summary')?.textContent.includes('finished')"
            WebDriverWait(driver, 30).until(lambda _: driver.execute_script(done))
        return driver

    yield show
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    driver.get("about:blank")


def brightness(driver, element, what):
    """How bright a colour of an element is, from 0 to 1."""
    style = f"return getComputedStyle(document.querySelector('{element}')).{what}"
    red, green, blue = map(int, re.findall(r"\d+", driver.execute_script(style))[:3])
    return (0.21 * red + 0.72 * green + 0.07 * blue) / 255


@every_page
def test_pages_run_without_errors_and_ask_no_other_machine(shown, address, page):
    driver = shown(page)
    assert [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    asked = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert asked
    assert [url for url in asked if not url.startswith((address, "data:", "chrome:"))] == []


@every_page
def test_pages_fit_a_phone(shown, driver, page):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    shown(page)
    assert driver.execute_script("return innerWidth") == 390
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
    size = driver.execute_script("return getComputedStyle(document.querySelector('article')).fontSize")
    assert float(size.removesuffix("px")) >= 15


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_as_dark_as_the_reader_wants(shown, driver, scheme):
    preference = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)
    shown("start/ten_minutes.html")
    for on, text in [("body", "article p"), (".highlight", ".highlight pre")]:
        paper, ink = brightness(driver, on, "backgroundColor"), brightness(driver, text, "color")
        assert (paper < 0.25) if scheme == "dark" else (paper > 0.9)
        assert abs(paper - ink) > 0.5


def test_on_paper_there_is_the_text_alone(shown, driver):
    shown("howto/train.html")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    for element in (".sidebar-drawer", ".toc-drawer", ".mobile-header", ".related-pages"):
        style = f"return getComputedStyle(document.querySelector('{element}')).display"
        assert driver.execute_script(style) == "none", element
    assert driver.find_element("tag name", "article").is_displayed()
    assert len(driver.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 10_000


@pytest.mark.parametrize(
    "asked, found",
    [
        ("softmax", "reference/torch_reductions.html#minigrad.softmax"),
        ("conv2d", "reference/torch_networks.html#minigrad.conv2d"),
        ("requires_grad_", "reference/tensor.html#minigrad.Tensor.requires_grad_"),
        ("DataLoader", "reference/utils_data.html#minigrad.utils.data.DataLoader"),
        ("hogwild", "howto/processes.html"),
    ],
)
def test_the_search_finds_it(shown, address, asked, found):
    driver = shown(f"search.html?q={asked}")
    links = [link.get_attribute("href") for link in driver.find_elements("css selector", "ul.search li a")]
    if "#" in found:
        assert links[0] == f"{address}/{found}"
    else:
        assert any(link.startswith(f"{address}/{found}") for link in links), links


def test_a_result_of_the_search_leads_to_the_description(shown):
    from selenium.webdriver.support.ui import WebDriverWait

    driver = shown("search.html?q=minigrad.linalg.cholesky")
    driver.find_element("css selector", "ul.search li a[href$='#minigrad.linalg.cholesky']").click()
    described = driver.find_element("id", "minigrad.linalg.cholesky")
    assert described.text.startswith("minigrad.linalg.cholesky(")
    top = "return arguments[0].getBoundingClientRect().top"
    WebDriverWait(driver, 20).until(
        lambda _: -5 <= driver.execute_script(top, described) < 200
    )  # it scrolls after it has loaded


def test_sessions_are_copied_without_prompts_and_results(shown, driver, address):
    allowed = {"origin": address, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    driver.execute_cdp_cmd("Browser.grantPermissions", allowed)
    shown("start/ten_minutes.html")
    button = driver.find_element("css selector", ".highlight-pycon .copybtn")
    driver.execute_script("arguments[0].style.opacity = 1", button)
    button.click()
    read = "navigator.clipboard.readText().then(arguments[0], error => arguments[0](String(error)))"
    copied = driver.execute_async_script(read)
    assert copied.startswith("import minigrad as torch\na = torch.tensor([[1., 2.], [3., 4.]])\na + torch")
    assert "tensor([[11." not in copied
