"""Links between the project's own documents lead somewhere; documents name no machine."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MADE = {"_build", "generated"}
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("*.md", "docs/**/*.md", "paper/*.md", "benchmarks/*.md")
    for path in ROOT.glob(folder)
    if not MADE & set(path.parts)
)
LINK = re.compile(r"(?<!\!)\[[^\]\[]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
ELSEWHERE = ("http://", "https://", "mailto:")


def text_of(document):
    """A document without its blocks of code."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)


def anchors(document):
    """Of its headings, as MyST and GitHub make them.

    >>> import re
    >>> re.sub(r"[^\\w\\- ]", "", "A robot of one's own".lower()).replace(" ", "-")
    'a-robot-of-ones-own'
    """
    heads = re.findall(r"^#+ (.*)$", text_of(document), re.M)
    return {re.sub(r"[^\w\- ]", "", x.lower()).strip().replace(" ", "-") for x in heads}


def problem(document, link):
    """What is wrong with a link, or nothing."""
    if link.startswith(ELSEWHERE):
        return None
    path, _, anchor = link.partition("#")
    target = (ROOT / document).parent / path if path else ROOT / document
    if not target.exists():
        return f"{link}: there is no such file"
    if anchor and anchor not in anchors(target.resolve().relative_to(ROOT).as_posix()):
        return f"{link}: there is no such heading"
    return None


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_of_a_document_lead_somewhere(document):
    links = [a or b for a, b in LINK.findall(text_of(document))]
    assert [x for link in links if (x := problem(document, link))] == []


def test_a_link_that_leads_nowhere_is_noticed():
    assert problem("README.md", "docs/nowhere.md") == "docs/nowhere.md: there is no such file"
    assert problem("README.md", "docs/papers.md#nowhere") is not None
    assert problem("README.md", "docs/papers.md#testard2023") is None


def listed(document):
    """Pages in the tables of contents of a page of the site."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for block in re.findall(r"^:::+\{toctree\}\n(.*?)^:::+$", text, re.M | re.S):
        for line in block.splitlines():
            if line.strip() and not line.startswith(":"):
                yield (Path(document).parent / f"{line.strip()}.md").as_posix()


def test_every_page_of_the_site_is_in_a_table_of_contents():
    pages = {x for x in DOCUMENTS if x.startswith("docs/")}
    reached, todo = set(), ["docs/index.md"]
    while todo:
        page = todo.pop()
        if page not in reached:
            reached.add(page)
            todo += listed(page)
    assert reached == pages


def test_the_drafts_table_is_from_the_recorded_run():
    results = (ROOT / "benchmarks/results.md").read_text(encoding="utf-8")
    draft = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]*\| (.+?) \| ([\d.]+ \w+) \| ([\d.]+ mm)? ?\|$", draft, re.M)
    assert len(rows) == 13
    recorded = [words_of(x) for x in results.splitlines()]
    for what, *numbers in rows:
        printed = {*words_of(what), *filter(None, numbers)}
        assert any(printed <= found for found in recorded), printed


def words_of(line):
    """Of a row, and its quantities with their units."""
    return {*re.findall(r"[\w.-]+", line), *re.findall(r"[\d.]+ \w+", line)}
