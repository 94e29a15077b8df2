"""A page: text, tables and pictures in one HTML file that refers to nothing outside itself."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from matplotlib.figure import Figure

from chorda.errors import InputError
from chorda.files import write_whole
from chorda.results.table import Cell, Table, cell_text
from chorda.view.style import checked_suffix, png

MINUS = "\u2212"  # as wide as a plus, and never broken from its number
UNBROKEN = 18  # letters of a cell that stay in one line
INCH = 112  # [pixels] of a figure on the page
KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"GIF87a": "gif", b"GIF89a": "gif"}


@dataclass(frozen=True, eq=False)
class Image:
    """A figure, or the bytes of a PNG or GIF file; `text` tells it to those who cannot see it."""

    content: Figure | bytes
    text: str
    caption: str = ""


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page: its paragraphs, then its images, then its tables."""

    heading: str
    paragraphs: Sequence[str] = ()
    tables: Sequence[Table] = ()
    images: Sequence[Image] = ()


def write_page(path: str | Path, title: str, sections: Sequence[Section], lead: str = "") -> Path:
    """Write an .html page. lead: one sentence under the title."""
    path = checked_suffix(path, (".html",))
    text = page(title, sections, lead)
    return write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))


def page(title: str, sections: Sequence[Section], lead: str = "") -> str:
    """The page as HTML text.

    >>> "<h1>A &lt; B</h1>" in page("A < B", [])
    True
    """
    ids = _ids([s.heading for s in sections])
    contents = "".join(
        f'<li><a href="#{i}">{escape(s.heading)}</a></li>'
        for i, s in zip(ids, sections, strict=True)
    )
    parts = [f"<header><h1>{escape(title)}</h1>"]
    if lead:
        parts.append(f'<p class="lead">{escape(lead)}</p>')
    if len(sections) > 2:
        parts.append(f"<nav><ul>{contents}</ul></nav>")
    parts.append("</header><main>")
    parts += [_section(i, s) for i, s in zip(ids, sections, strict=True)]
    parts.append("</main>")
    return HEAD.format(title=escape(title), style=STYLE) + "\n".join(parts) + "\n</body></html>\n"


def _ids(headings: Sequence[str]) -> list[str]:
    """A name for each section's address, different from all others."""
    out: list[str] = []
    for heading in headings:
        name = re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") or "section"
        out.append(name if name not in out else f"{name}-{len(out) + 1}")
    return out


def _section(name: str, section: Section) -> str:
    parts = [f'<section id="{name}"><h2>{escape(section.heading)}</h2>']
    parts += [f"<p>{escape(text)}</p>" for text in section.paragraphs]
    parts += [_image(image) for image in section.images]
    parts += [_table(table) for table in section.tables]
    return "\n".join(parts) + "</section>"


def _image(image: Image) -> str:
    content, width = image.content, ""
    if not isinstance(content, bytes):
        # finer than it is shown, for sharp screens; text has one size in all figures
        width = f' width="{INCH * content.get_size_inches()[0]:.0f}"'
        content = png(content)
    kind = next((k for start, k in KINDS.items() if content.startswith(start)), None)
    if kind is None:
        raise InputError(f"images: '{image.text}' is no figure and no PNG or GIF file's bytes")
    data = base64.b64encode(content).decode()
    caption = f"<figcaption>{escape(image.caption)}</figcaption>" if image.caption else ""
    return (
        f'<figure><img{width} alt="{escape(image.text)}" src="data:image/{kind};base64,{data}">'
        f"{caption}</figure>"
    )


def _table(table: Table) -> str:
    wide = len(table.header)
    for row in table.rows:
        if len(row) != wide:
            raise InputError(f"tables: a row has {len(row)} cells under a header of {wide}: {row}")
    caption = f"<caption>{escape(table.note)}</caption>" if table.note else ""
    head = "".join(
        f'<th scope="col"{_side(number)}>{escape(text)}</th>'
        for text, number in zip(table.header, table.numeric, strict=True)
    )
    body = "".join(f"<tr>{''.join(_cell(x) for x in row)}</tr>" for row in table.rows)
    return (
        f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(value: Cell) -> str:
    text = cell_text(value)
    if isinstance(value, str):
        whole = text.replace(" ", "\u00a0") if len(text) <= UNBROKEN else text
        return f"<td>{escape(whole)}</td>"
    return f"<td{_side(True)}>{text.replace('-', MINUS)}</td>"


def _side(number: bool) -> str:
    return ' class="n"' if number else ""


# The policy makes browsers refuse everything from outside, so that the page stays whole
HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style></head><body>
"""
STYLE = """
:root { --text: #252b37; --quiet: #6f7a88; --line: #e1e5ea; --back: #ffffff; --card: #f6f7f9;
  --link: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7ed; --quiet: #98a3b0; --line: #363e4a;
  --back: #171b21; --card: #1f252d; --link: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.1rem 4rem; max-width: 56rem; background: var(--back);
  color: var(--text); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: clamp(1.5rem, 5vw, 2.1rem); line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.8rem 0 0.6rem; padding-top: 0.9rem;
  border-top: 1px solid var(--line); }
p { margin: 0.7rem 0; max-width: 44rem; overflow-wrap: anywhere; }
.lead { color: var(--quiet); font-size: 1.1rem; }
a { color: var(--link); }
nav { background: var(--card); border-radius: 10px; padding: 0.8rem 1.1rem; margin-top: 1.2rem; }
nav ul { margin: 0; padding-left: 1.1rem; columns: 2 16rem; }
figure { margin: 1.2rem 0; }
img { display: block; max-width: 100%; height: auto; background: #ffffff;
  border: 1px solid var(--line); border-radius: 10px; padding: 6px; }
figcaption, caption { color: var(--quiet); font-size: 0.9rem; text-align: left; }
figcaption { margin-top: 0.4rem; }
caption { caption-side: top; padding-bottom: 0.4rem; }
.wide { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-size: 0.92rem; min-width: 50%; }
th, td { padding: 0.35rem 0.8rem 0.35rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
  padding-left: 0.8rem; }
tbody tr:hover { background: var(--card); }
@media print { nav { display: none; } section { break-inside: avoid; } }
"""
