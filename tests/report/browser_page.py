"""A page in Chromium without a screen: what the browser tests look at and how it moves."""

import base64

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
DESKTOP = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page:
    def __init__(self, driver, screenshots):
        self.driver = driver
        self.screenshots = screenshots

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def shown(self, selector):
        return [found for found in self.all(selector) if found.is_displayed()]

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition):
        WebDriverWait(self.driver, 10).until(lambda _: condition())

    def go(self, address):
        self.run("location.hash = ''; location.hash = arguments[0];", address)

    def shape(self, metrics):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, medium="", scheme="light"):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": medium, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def picture(self, name, selector=None):
        if not self.screenshots:
            return
        if selector:
            self.run("document.querySelector(arguments[0]).scrollIntoView()", selector)
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        (self.screenshots / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def luminance(page, selector):
    """Of the background, from 0 for black to 1 for white."""
    colour = page.run("return getComputedStyle(document.querySelector(arguments[0])).backgroundColor", selector)
    return sum(int(part) for part in colour[colour.index("(") + 1:-1].split(",")[:3]) / 765


def unwanted_messages(page):
    """What the console complained of since it was asked last."""
    return [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def unwanted_requests(page):
    """What the page asked of others since it was asked last."""
    return [entry["message"] for entry in page.driver.get_log("performance")
            if "Network.requestWillBeSent\"" in entry["message"]
            and not any(f"\"url\":\"{own}" in entry["message"] for own in ("file://", "data:"))]
