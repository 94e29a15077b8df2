"""A browser without a window, for tests of pages; skipped with a reason where there is none."""

import shutil
from contextlib import contextmanager

import pytest

ARGUMENTS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser():
    """A Chromium of this machine."""
    path = next((x for x in map(shutil.which, NAMES) if x), None)
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    library = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with library.sync_playwright() as play:
        made = play.chromium.launch(executable_path=path, args=ARGUMENTS, headless=True)
        try:
            yield made
        finally:
            made.close()


@contextmanager
def opened(made, address):
    """A page, its requests, and its errors."""
    page = made.new_page(viewport={"width": 1100, "height": 700})
    page.requests, page.errors = [], []
    page.on("request", lambda x: page.requests.append(x.url))
    page.on("pageerror", lambda x: page.errors.append(str(x)))
    page.on("console", lambda x: x.type == "error" and page.errors.append(x.text))
    try:
        page.goto(address)
        yield page
    finally:
        page.close()
