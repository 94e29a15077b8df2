"""On the site, tables in outputs of cells scroll, and sentences wrap."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="pip install 'chorda[docs]'")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("rk4    1.6 ms\nheun   1.3 ms\nrk45   1.9 ms", True),
        ("name     value\nmass       1.0\nlength     2.0\n", True),
        ("Stable equilibrium found in 4 iterations. It is long.\n" * 5, False),
        ("  indented\n  lines\n  alone\n  four", False),
    ],
)
def test_tables_of_text_are_told_from_sentences(monkeypatch, text, wanted):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "docs/_ext"))
    try:
        from output_tables import is_table
    finally:
        sys.modules.pop("output_tables", None)
    assert is_table(text) == wanted
