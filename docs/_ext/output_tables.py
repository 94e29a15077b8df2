"""Outputs of cells that are tables of text get the class `columns`: they scroll, sentences wrap."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

GAP = re.compile(r"\S {2,}\S")  # between two columns
FEWEST = 3  # lines of a table


def is_table(text: str) -> bool:
    """Whether several lines have columns.

    >>> is_table("rk4    1.6 ms\\nheun   1.3 ms\\nrk45   1.9 ms"), is_table("One. Two.")
    (True, False)
    """
    return sum(bool(GAP.search(line.strip())) for line in text.splitlines()) >= FEWEST


def mark(_: Sphinx, tree: nodes.document, __: str) -> None:
    for node in tree.findall(nodes.literal_block):
        if "output" in node["classes"] and is_table(node.astext()):
            node["classes"].append("columns")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-resolved", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
