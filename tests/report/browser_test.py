#!/usr/bin/env python3
"""Opens the HTML report in Chromium without a screen and uses it as a reader would.

    browser_test.py ATTEST RESULTS [SCREENSHOTS]

Writes the report of the folder RESULTS with the program ATTEST, then checks: no console error, no request beyond the page,
filters, figures, zoom, rows, the machine's steps, keyboard, a phone's width, dark mode, printing. With a folder SCREENSHOTS
it leaves pictures there. Needs the packages of `scripts/setup --with browser`. Exit: 0 all holds, 1 something does not.
"""

import base64
import pathlib
import subprocess
import sys
import tempfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser_page import DESKTOP, PHONE, Page, luminance, open_browser, unwanted_messages, unwanted_requests

failures = []


def expect(holds, what):
    """Notes a failure and goes on: one run shows everything that is wrong."""
    if not holds:
        failures.append(what)
        print(f"browser_test: {what}", file=sys.stderr)


def check_claims(page):
    claims = page.all("details.claim")
    expect(len(claims) > 20, f"the report shows {len(claims)} claims")
    outcomes = [claim.get_attribute("data-outcome") for claim in claims]
    chosen = min(set(outcomes), key=outcomes.count)
    Select(page.one("#filter-outcome")).select_by_visible_text(chosen)
    page.wait(lambda: len(page.shown("details.claim")) < len(claims))
    expect(len(page.shown("details.claim")) == outcomes.count(chosen), "the verdict filter shows other claims")
    expect(page.one("#claim-count").text == f"{outcomes.count(chosen)} of {len(claims)} claims", "the count is wrong")
    page.one("#claim-filters button[type=reset]").click()
    page.wait(lambda: len(page.shown("details.claim")) == len(claims))

    papers = {claim.get_attribute("data-paper") for claim in claims}
    Select(page.one("#filter-paper")).select_by_visible_text(sorted(papers)[0])
    expect(0 < len(page.shown("details.claim")) < len(claims), "the paper filter does nothing")
    page.one("#claim-filters button[type=reset]").click()
    first = claims[0].find_element(By.CSS_SELECTOR, ".claim-id").text
    page.one("#filter-text").send_keys(first)
    page.wait(lambda: len(page.shown("details.claim")) < len(claims))
    expect(claims[0].is_displayed(), "the text filter hides the claim it names")
    page.one("#claim-filters button[type=reset]").click()

    summary = claims[0].find_element(By.CSS_SELECTOR, "summary")
    page.run("arguments[0].focus()", summary)
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    expect(claims[0].get_attribute("open") is not None, "Enter does not open a claim")
    expect(claims[0].find_element(By.CSS_SELECTOR, ".statements").is_displayed(), "an open claim shows no statement")
    page.picture("claim", "details.claim")


def check_figures(page):
    figures = page.all("figure")
    expect(len(figures) > 0, "there is no figure")
    for figure in figures:
        drawing = figure.find_element(By.CSS_SELECTOR, "svg")
        size = drawing.rect
        expect(size["width"] > 300 and size["height"] > 150, f"{figure.get_attribute('id')} has no size")
        marks = page.run("return arguments[0].querySelectorAll('path, use, circle, text').length", drawing)
        expect(marks > 20, f"{figure.get_attribute('id')} is all but empty")
        broken = page.run("return Array.from(arguments[0].querySelectorAll('use')).filter((use) => "
                          "!document.querySelector(use.getAttribute('xlink:href'))).length", drawing)
        expect(broken == 0, f"{figure.get_attribute('id')} uses {broken} marks that are not there")
    page.run("arguments[0].scrollIntoView()", figures[0])
    page.picture("figure", "figure")
    page.run("arguments[0].click()", figures[0].find_element(By.CSS_SELECTOR, "button.zoom"))
    before = page.one("#zoom svg").rect["width"]
    page.one("#zoom .controls button:nth-child(2)").click()
    expect(page.one("#zoom svg").rect["width"] > 1.2 * before, "Larger does not enlarge the figure")
    page.picture("zoom")
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    page.wait(lambda: not page.all("#zoom svg"))
    expect(figures[0].find_element(By.CSS_SELECTOR, "svg").is_displayed(), "the figure does not come back from the zoom")
    focused = page.run("return document.activeElement.className")
    expect(focused == "zoom", f"after the zoom the focus is on '{focused}'")


def check_rows(page):
    details = page.one("article details.rows")
    anchor = details.get_attribute("id")
    page.run("arguments[0].querySelector('summary').click()", details)
    page.wait(lambda: details.find_elements(By.CSS_SELECTOR, "tbody tr"))
    total = page.run("return JSON.parse(document.getElementById(arguments[0]).textContent).rows.length",
                     anchor.replace("rows-", "data-", 1))
    lines = details.find_elements(By.CSS_SELECTOR, "tbody tr")
    expect(len(lines) == min(100, total), f"{len(lines)} rows are drawn of {total}")
    page.picture("rows", f"#{anchor}")
    page.go(f"{anchor}-2.3")
    page.wait(lambda: len(details.find_elements(By.CSS_SELECTOR, "tbody tr")) == 2)
    numbers = [row.text.split()[0] for row in details.find_elements(By.CSS_SELECTOR, "tbody tr")]
    expect(numbers == ["2", "3"], f"the address of rows 2 and 3 shows {numbers}")
    box = details.find_element(By.CSS_SELECTOR, "input[type=search]")
    box.send_keys("no such text")
    page.wait(lambda: not details.find_elements(By.CSS_SELECTOR, "tbody tr"))

    links = page.all("table.numbers td a[href^='#rows-']")
    expect(len(links) > 10, f"only {len(links)} numbers lead to their rows")
    page.run("arguments[0].closest('details').open = true; arguments[0].click()", links[0])
    target = links[0].get_attribute("href").split("#")[1]
    wanted = target.rsplit("-", 1)[1].split(".")
    found = page.one("#" + target.rsplit("-", 1)[0])
    page.wait(lambda: len(found.find_elements(By.CSS_SELECTOR, "tbody tr")) == len(wanted))
    value = links[0].get_attribute("title").split(":")[0]
    if len(wanted) == 1:
        titles = [cell.get_attribute("title") for cell in found.find_elements(By.CSS_SELECTOR, "tbody td.number")]
        expect(any(title.split(",")[0].split()[0] == value for title in titles),
               f"the row behind {value} does not hold it: {titles}")


def check_trace(page):
    says = page.one("#trace-says")
    page.run("arguments[0].scrollIntoView({block: 'center'})", says)
    page.picture("trace", "#machine")
    tokens = len(page.all("#trace-tokens tbody tr"))
    expect(len(page.all("#trace-tape .cell")) > 2, "the tape has no cells")
    page.one("#trace-first").click()
    seen = {says.text}
    for _ in range(tokens - 1):
        page.one("#trace-next").click()
        seen.add(says.text)
    expect(len(seen) == tokens, f"{tokens} tokens, but {len(seen)} different steps")
    expect("proved" in says.text, "the last token is not said to be proved")
    expect(page.one("#trace-next").get_attribute("disabled") is not None, "Next goes on behind the end")
    tape = "".join(cell.text[0] for cell in page.all("#trace-tape .cell"))
    expect(tape == "1111", f"the busy beaver leaves {tape}")
    slider = page.one("#trace-slider")
    slider.send_keys(Keys.HOME)
    page.wait(lambda: says.text.startswith("Token 1 "))
    slider.send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: says.text.startswith("Token 2 "))
    page.one("#trace-play").click()
    page.wait(lambda: says.text.startswith("Token 3 "))
    page.one("#trace-play").click()
    expect(page.one("#trace-play").get_attribute("aria-pressed") == "false", "Pause does not stop the machine")


def check_explorer(page):
    page.one("#explorer-frame summary").click()
    page.wait(lambda: page.all("#explorer-frame iframe"))
    frame = page.one("#explorer-frame iframe")
    page.driver.switch_to.frame(frame)
    page.wait(lambda: page.all("#verdict") and page.one("#verdict").text)
    before = page.one("#rank").text
    page.one("#add-probe").click()
    page.wait(lambda: page.one("#rank").text != before)
    page.one("nav a[href='#mixture']").click()
    page.wait(lambda: abs(page.run("return document.getElementById('mixture').getBoundingClientRect().top")) < 100)
    expect(page.one("#verdict"), "an address of the explorer leaves it")
    wide = page.run("return document.documentElement.scrollWidth - innerWidth")
    expect(wide <= 0, f"the explorer is {wide} pixels wider than its frame")
    page.driver.switch_to.default_content()
    page.picture("explorer", "#explorer")
    expect(page.run("return document.activeElement.tagName") == "IFRAME", "the focus is not in the explorer")


def check_names(page):
    nameless = page.run("return Array.from(document.querySelectorAll('button, a, select, input')).filter((one) => "
                        "!(one.textContent.trim() || one.getAttribute('aria-label') || one.closest('label')))"
                        ".map((one) => one.outerHTML)")
    expect(not nameless, f"controls without a name: {nameless[:3]}")
    page.one("body").click()
    page.run("document.activeElement.blur(); document.querySelector('nav a').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.TAB)
    outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
    expect(outline != "none", "the focus is not visible")


def check_shapes(page):
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = !one.matches('.rows'); })")
    for name, metrics in (("desktop", DESKTOP), ("phone", PHONE)):
        page.shape(metrics)
        for scheme in ("light", "dark"):
            page.media(scheme=scheme)
            dark = luminance(page, "body") < 0.5
            expect(dark == (scheme == "dark"), f"the page is {'dark' if dark else 'light'} in {scheme} mode")
            for section in ("summary", "claims", "experiments", "machine", "explorer", "certificate", "environment"):
                page.picture(f"{name}-{scheme}-{section}", f"#{section}")
        wide = page.run("return document.documentElement.scrollWidth")
        expect(wide <= metrics["width"], f"on a {name} the page is {wide} pixels wide")
    page.shape(DESKTOP)
    page.media()
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = false; })")


def check_print(page):
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.media("print")
    hidden = page.run("return Array.from(document.querySelectorAll('button, nav, details.rows')).filter((one) => "
                      "one.getClientRects().length > 0).length")
    expect(hidden == 0, f"{hidden} controls would be printed")
    statement = page.one("details.claim .statements")
    expect(statement.is_displayed(), "claims are printed closed")
    pdf = page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    data = base64.b64decode(pdf["data"])
    expect(data.startswith(b"%PDF") and len(data) > 50000, "the page does not print")
    if page.screenshots:
        (page.screenshots / "report.pdf").write_bytes(data)
    page.run("dispatchEvent(new Event('afterprint'))")
    page.media()
    expect(not statement.is_displayed(), "printing leaves the claims open")


def check_logs(page):
    errors = unwanted_messages(page)
    expect(not errors, f"the console says: {errors[:3]}")
    requests = unwanted_requests(page)
    expect(not requests, f"the page asks for more than itself: {requests[:2]}")


def main():
    if len(sys.argv) not in (3, 4):
        print("usage: browser_test.py ATTEST RESULTS [SCREENSHOTS]", file=sys.stderr)
        return 2
    screenshots = pathlib.Path(sys.argv[3]) if len(sys.argv) == 4 else None
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.html"
        subprocess.run([sys.argv[1], "report", sys.argv[2], "-o", str(report)], check=True)
        driver = open_browser()
        try:
            driver.execute_cdp_cmd("Network.enable", {})
            driver.get(report.as_uri())
            page = Page(driver, screenshots)
            page.picture("top")
            for check in (check_claims, check_figures, check_rows, check_trace, check_explorer, check_names, check_shapes, check_print,
                          check_logs):
                check(page)
        finally:
            driver.quit()
    print(f"browser_test: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
