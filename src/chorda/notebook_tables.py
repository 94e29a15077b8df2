"""Tables in notebooks: what objects show of themselves there."""

from collections.abc import Iterable, Sequence

from chorda.safe_text import in_html

ROWS_SHOWN = 12  # of a table; the others are counted

Cell = str | float
Rows = Sequence[Sequence[Cell]]


def notebook_table(
    heading: str, header: Sequence[str], rows: Rows, notes: Iterable[str] = ()
) -> str:
    """A table in HTML under a heading, with sentences below it.

    >>> notebook_table("Springs", ("name", "k [N/m]"), [("left", 1234.56)])
    '<b>Springs</b><table><tr><th>name</th><th>k [N/m]</th></tr><tr><td>left</td><td>1235</td>\
</tr></table>'
    """
    shown = rows[:ROWS_SHOWN]
    lines = [_row("th", header), *(_row("td", row) for row in shown)]
    more = len(rows) - len(shown)
    below = [*([f"and {more} more rows"] if more else []), *(x for x in notes if x)]
    text = "".join(f"<p>{in_html(x)}</p>" for x in below)
    return f"<b>{in_html(heading)}</b><table>{''.join(lines)}</table>{text}"


def _row(kind: str, cells: Sequence[Cell]) -> str:
    texts = (x if isinstance(x, str) else f"{x + 0.0:.4g}" for x in cells)
    return f"<tr>{''.join(f'<{kind}>{in_html(x)}</{kind}>' for x in texts)}</tr>"
