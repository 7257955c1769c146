"""The explorer as readers use it: what play_test.py does with pointer, keys and eyes."""

import base64
import json
import pathlib

from browser_page import DESKTOP, PHONE
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

# WCAG 2.1, 1.4.3: text of ordinary size against what is behind it.
LEAST_CONTRAST = 4.5
CONTRASTS = """
const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour.length === 3 || colour[3] === 1) { return colour; }
    }
    return [255, 255, 255];
};
const light = (colour) => colour.slice(0, 3).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
return Array.from(document.querySelectorAll('body *')).filter((one) => one.getClientRects().length && !one.closest('svg, script, :disabled') &&
    Array.from(one.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim())).map((one) => {
        const [a, b] = [light(parse(getComputedStyle(one).color)), light(behind(one))];
        return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.outerHTML.slice(0, 80)];
    }).filter(([contrast]) => contrast < arguments[0]);
"""
NAMELESS = """
return Array.from(document.querySelectorAll('button, a, select, input, [role=img], [role=region], [role=group], [tabindex="0"]')).filter((one) =>
    !(one.textContent.trim() || one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.closest('label')))
    .map((one) => one.outerHTML.slice(0, 100));
"""
REPEATED = "const ids = Array.from(document.querySelectorAll('[id]'), (one) => one.id); return ids.filter((id, i) => ids.indexOf(id) !== i)"


def check_playground(page, expect):
    rank = page.one("#rank")
    expect(rank.text == "5 of 6", f"the first example has rank {rank.text}")
    page.one("#add-probe").click()
    expect(rank.text == "6 of 6" and "Determined" in page.one("#verdict").text, "the input asked for does not raise the rank")
    page.one("#drop-example").click()
    token = page.one("#plane .token")
    place = token.get_attribute("transform")
    ActionChains(page.driver).drag_and_drop_by_offset(token, 64, 32).perform()
    expect(page.one("#plane .token").get_attribute("transform") != place, "a token cannot be dragged")
    moved = page.one("#entries input").get_attribute("value")
    page.run("arguments[0].focus()", page.one("#plane .token"))
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    expect(int(page.one("#entries input").get_attribute("value")) == int(moved) - 1, "an arrow key does not move the token by one")
    focused = page.run("return document.activeElement.getAttribute('data-token')")
    expect(focused == "0", "moving a token loses the focus")
    box = page.one("#entries input")
    box.clear()
    box.send_keys("1.5")
    expect(box.get_attribute("aria-invalid") == "true", "an entry that is no integer is taken")
    for preset in page.one("#preset").find_elements(By.TAG_NAME, "option"):
        Select(page.one("#preset")).select_by_visible_text(preset.text)
        expect(rank.text.split()[0].isdigit(), f"{preset.text}: rank {rank.text}")
    expect(rank.text == "18 of 18", f"twenty random examples have rank {rank.text}")
    Select(page.one("#preset")).select_by_index(0)


def check_rest(page, expect):
    slider = page.one("#gaussian")
    slider.send_keys(Keys.END)
    expect("Rank 40 of 40" in page.one("#mixture-says").text, "eight Gaussian sequences leave something open")
    slider.send_keys(Keys.HOME)
    expect("Rank 36 of 40" in page.one("#mixture-says").text, "no Gaussian sequence, another rank than 36")
    expect("3/4 and 1/2, exactly" in page.one("#decay-says").text, "the decays are not read off")
    for _ in page.all("#trace-tokens li"):
        page.one("#trace-next").click()
    tape = "".join(cell.text[0] for cell in page.all("#trace-tape .cell"))
    expect(tape == "1111" and "the machine halts" in page.one("#trace-says").text, f"the busy beaver leaves {tape}")


def check_eyes(page, expect, axe):
    for name, metrics in (("desktop", DESKTOP), ("phone", PHONE)):
        page.shape(metrics)
        for scheme in ("light", "dark"):
            page.media(scheme=scheme)
            for part in ("tokens", "mixture", "decay", "machine"):
                page.picture(f"{name}-{scheme}-{part}", f"#{part}")
            pale = page.run(CONTRASTS, LEAST_CONTRAST)
            expect(not pale, f"{name}, {scheme}: too little contrast: {pale[:3]}")
            if axe:
                page.run(pathlib.Path(axe).read_text(encoding="utf-8"))
                found = page.driver.execute_async_script(
                    "const done = arguments[0]; axe.run(document).then((all) => done(all.violations.map((one) => "
                    "[one.impact, one.id, one.nodes[0].html])))")
                expect(not found, f"{name}, {scheme}: axe says {found}")
        wide = page.run("return document.documentElement.scrollWidth")
        expect(wide <= metrics["width"], f"on a {name} the page is {wide} pixels wide")
    page.shape(DESKTOP)
    page.media()
    nameless = page.run(NAMELESS)
    expect(not nameless, f"parts without a name: {nameless[:3]}")
    expect(not page.run(REPEATED), f"ids that stand twice: {page.run(REPEATED)}")
    levels = page.run("return Array.from(document.querySelectorAll('h1, h2, h3'), (one) => Number(one.tagName[1]))")
    expect(levels[0] == 1 and levels.count(1) == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), f"headings {levels}")
    page.one("body").send_keys(Keys.TAB)
    expect(page.run("return getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is not visible")


def check_print(page, expect):
    page.media("print")
    hidden = page.run("return Array.from(document.querySelectorAll('nav, .controls button')).filter((one) => one.getClientRects().length).length")
    expect(hidden == 0, f"{hidden} controls would be printed")
    data = base64.b64decode(page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    expect(data.startswith(b"%PDF") and len(data) > 20000, "the page does not print")
    page.media()


def check_logs(page, expect):
    errors = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    expect(not errors, f"the console says: {errors[:3]}")
    asked = [json.loads(entry["message"])["message"] for entry in page.driver.get_log("performance")]
    urls = [one["params"]["request"]["url"] for one in asked if one["method"] == "Network.requestWillBeSent"]
    expect(not [url for url in urls if not url.startswith(("file://", "data:"))], f"the page asks for more than itself: {urls}")
    entry = "const [all] = performance.getEntriesByType('navigation'); return all.loadEventEnd"
    print(f"play_use: the page was loaded after {page.run(entry):.0f} ms")


def check_use(page, expect, axe):
    """Everything but the numbers; axe is a path of axe.min.js or None."""
    check_playground(page, expect)
    check_rest(page, expect)
    check_eyes(page, expect, axe)
    check_print(page, expect)
    check_logs(page, expect)
