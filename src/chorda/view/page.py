"""A page: text, tables and pictures in one HTML file that refers to nothing outside itself."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template

from matplotlib.figure import Figure

from chorda.errors import InputError
from chorda.files import write_whole
from chorda.results.table import Cell, Table, cell_text
from chorda.safe_text import in_html
from chorda.view.style import checked_suffix, png

MINUS = "\u2212"  # as wide as a plus, and never broken from its number
UNBROKEN = 18  # letters of a cell that stay in one line
PIXELS_PER_INCH = 112  # of a figure on the page
IMAGE_KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"GIF87a": "gif", b"GIF89a": "gif"}


@dataclass(frozen=True, eq=False)
class Image:
    """A figure on a page.

    Parameters
    ----------
    content : Figure or bytes
        A figure of matplotlib, or what a PNG or GIF file has.
    text : str
        For those who cannot see it.
    caption : str
        A sentence below it.

    See Also
    --------
    Section : has them.

    Examples
    --------
    >>> Image(b"GIF89a", "a neck that moves").text
    'a neck that moves'
    """

    content: Figure | bytes
    text: str
    caption: str = ""


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page: its paragraphs, then its images, then its tables.

    Parameters
    ----------
    heading : str
        Above it.
    paragraphs : sequence of str
        Plain text.
    tables : sequence of Table
        As `chorda.results.Table`.
    images : sequence of Image
        Figures.

    See Also
    --------
    write_page : writes them.

    Examples
    --------
    >>> Section("Springs", ("Both are linear.",)).heading
    'Springs'
    """

    heading: str
    paragraphs: Sequence[str] = ()
    tables: Sequence[Table] = ()
    images: Sequence[Image] = ()


def write_page(path: str | Path, title: str, sections: Sequence[Section], lead: str = "") -> Path:
    """Write a page that needs nothing but its own file.

    Parameters
    ----------
    path : str or Path
        File to write (.html).
    title : str
        Heading of the page.
    sections : sequence of Section
        Parts of the page, in order.
    lead : str
        A sentence under the heading.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        A row of a table has not one cell for each column, or an image is none.

    See Also
    --------
    write_motion_page : a page with a robot that moves.

    Examples
    --------
    >>> import tempfile
    >>> parts = [Section("Springs", ("Both are linear.",))]
    >>> write_page(f"{tempfile.mkdtemp()}/report.html", "A report", parts).name
    'report.html'
    """
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
        f'<li><a href="#{i}">{in_html(s.heading)}</a></li>'
        for i, s in zip(ids, sections, strict=True)
    )
    parts = [f"<header><h1>{in_html(title)}</h1>"]
    if lead:
        parts.append(f'<p class="lead">{in_html(lead)}</p>')
    if len(sections) > 2:
        parts.append(f"<nav><ul>{contents}</ul></nav>")
    parts.append("</header><main>")
    parts += [_section(i, s) for i, s in zip(ids, sections, strict=True)]
    parts.append("</main>")
    template = files("chorda.view").joinpath("page.html").read_text(encoding="utf-8")
    return Template(template).substitute(title=in_html(title), body="\n".join(parts))


def _ids(headings: Sequence[str]) -> list[str]:
    """A name for each section's address, different from all others."""
    out: list[str] = []
    for heading in headings:
        name = re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") or "section"
        out.append(name if name not in out else f"{name}-{len(out) + 1}")
    return out


def _section(name: str, section: Section) -> str:
    parts = [f'<section id="{name}"><h2>{in_html(section.heading)}</h2>']
    parts += [f"<p>{in_html(text)}</p>" for text in section.paragraphs]
    parts += [_image(image) for image in section.images]
    parts += [_table(table) for table in section.tables]
    return "\n".join(parts) + "</section>"


def _image(image: Image) -> str:
    content, width = image.content, ""
    if not isinstance(content, bytes):
        # finer than it is shown, for sharp screens; text has one size in all figures
        width = f' width="{PIXELS_PER_INCH * content.get_size_inches()[0]:.0f}"'
        content = png(content)
    kind = next((k for start, k in IMAGE_KINDS.items() if content.startswith(start)), None)
    if kind is None:
        raise InputError(f"images: '{image.text}' is no figure and no PNG or GIF file's bytes")
    data = base64.b64encode(content).decode()
    caption = f"<figcaption>{in_html(image.caption)}</figcaption>" if image.caption else ""
    return (
        f'<figure><img{width} alt="{in_html(image.text)}" src="data:image/{kind};base64,{data}">'
        f"{caption}</figure>"
    )


def _table(table: Table) -> str:
    columns = len(table.header)
    for row in table.rows:
        if len(row) != columns:
            raise InputError(
                f"tables: a row has {len(row)} cells under a header of {columns}: {row}"
            )
    caption = f"<caption>{in_html(table.note)}</caption>" if table.note else ""
    head = "".join(
        f'<th scope="col"{_side(number)}>{in_html(text)}</th>'
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
        return f"<td>{in_html(whole)}</td>"
    return f"<td{_side(True)}>{text.replace('-', MINUS)}</td>"


def _side(number: bool) -> str:
    return ' class="n"' if number else ""
