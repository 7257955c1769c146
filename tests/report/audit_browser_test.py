#!/usr/bin/env python3
"""Opens an audit page in Chromium without a screen.

    audit_browser_test.py ATTEST [SCREENSHOTS]

Writes the audit of a layer with a dead coordinate, then checks: no console error, no request beyond the page, the answers on one screen,
desktop and phone, light, dark and printed. With a folder SCREENSHOTS it leaves pictures there. Needs the packages of `scripts/setup --with
browser`. Exit: 0 all holds, 1 something does not.
"""

import base64
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from browser_page import DESKTOP, PHONE, Page, luminance, open_browser, unwanted_messages, unwanted_requests

failures = []


def expect(holds, what):
    """Notes a failure and goes on: one run shows everything that is wrong."""
    if not holds:
        failures.append(what)
        print(f"audit_browser_test: {what}", file=sys.stderr)


def write_audit(attest, folder):
    rng = np.random.default_rng(0)
    V, Q = rng.standard_normal((2, 2, 3)), rng.standard_normal((2, 3, 3))

    def save(name, tokens):
        y = np.einsum("hoj,itj,itk,hkl,il->io", V, tokens, tokens, Q, tokens[:, -1], optimize=True)
        np.savez(folder / name, tokens=tokens, y=y)

    tokens = rng.standard_normal((80, 5, 3))
    np.savez(folder / "layer.npz", V=V, Q=Q)
    save("seen.npz", tokens * [1, 1, 0])
    save("later.npz", tokens[:9] + 1)
    page = folder / "audit.html"
    words = [folder / "layer.npz", folder / "seen.npz", "--held-out", folder / "later.npz", "-o", page]
    done = subprocess.run([attest, "audit", *words], check=False, capture_output=True, text=True)
    expect(done.returncode == 1, f"exit {done.returncode}: {done.stderr}")
    return page


def check_screen(page):
    """Without scrolling one reads whether it is unique, how good it is, and what to do."""
    for name, metrics in (("desktop", DESKTOP), ("phone", PHONE)):
        page.shape(metrics)
        for scheme in ("light", "dark"):
            page.media(scheme=scheme)
            dark = luminance(page, "body") < 0.5
            expect(dark == (scheme == "dark"), f"the page is {'dark' if dark else 'light'} in {scheme} mode")
            page.picture(f"audit-{name}-{scheme}")
        wide = page.run("return document.documentElement.scrollWidth")
        expect(wide <= metrics["width"], f"on a {name} the page is {wide} pixels wide")
    page.shape(DESKTOP)
    page.media()
    bottom = page.run("return document.querySelector('#verdict').getBoundingClientRect().bottom")
    expect(bottom <= DESKTOP["height"], f"the answers end at {bottom} of {DESKTOP['height']} pixels")
    figures = page.all("figure svg")
    expect(len(figures) == 1, f"{len(figures)} figures: heads, and no leverage, which is infinite")


def check_print(page):
    page.media("print")
    shown = [section.get_attribute("id") for section in page.shown("main > section")]
    expect("verdict" in shown and "held-out" in shown, f"printed are {shown}")
    expect(not page.shown("nav"), "the list of sections would be printed")
    data = base64.b64decode(page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    expect(data.startswith(b"%PDF") and len(data) > 20000, "the page does not print")
    if page.screenshots:
        (page.screenshots / "audit.pdf").write_bytes(data)
    page.media()


def main():
    if len(sys.argv) not in (2, 3):
        print("usage: audit_browser_test.py ATTEST [SCREENSHOTS]", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        audit = write_audit(sys.argv[1], pathlib.Path(folder))
        driver = open_browser()
        try:
            driver.execute_cdp_cmd("Network.enable", {})
            driver.get(audit.as_uri())
            page = Page(driver, pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else None)
            check_screen(page)
            check_print(page)
            errors, requests = unwanted_messages(page), unwanted_requests(page)
            expect(not errors, f"the console says: {errors[:3]}")
            expect(not requests, f"the page asks for more than itself: {requests[:2]}")
        finally:
            driver.quit()
    print(f"audit_browser_test: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
