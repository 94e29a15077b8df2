"""Tables of numbers in text files: every spelling gives the numbers that were written."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chorda.data_table import DataTable, read_csv, write_csv
from chorda.errors import InputError
from tests.helpers.hostile_texts import HOSTILE, harmless

NUMBERS = st.floats(allow_infinity=True, allow_nan=True)
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20)


def read(text):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text, encoding="utf-8")
        return read_csv(path)


@settings(max_examples=50, deadline=None)
@given(ROWS, st.sampled_from([".csv", ".tsv"]))
def test_a_written_table_reads_back_to_the_last_bit(rows, ending):
    a, b = np.array(rows).T
    rows_left = ~(np.isnan(a) & np.isnan(b))  # a line of blanks is no row
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"table{ending}"
        write_csv(DataTable({"a": a, "b": b}, {"b": "N m"}), path)
        back = read_csv(path)
    assert back.units == {"b": "N m"}
    assert np.array_equal(back.columns["a"], a[rows_left], equal_nan=True)
    assert np.array_equal(back.columns["b"], b[rows_left], equal_nan=True)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_column_of_any_name_is_one_cell_of_a_header(kind, tmp_path):
    write_csv(DataTable({"time": np.zeros(1), HOSTILE[kind]: np.ones(1)}), tmp_path / "table.csv")
    assert harmless((tmp_path / "table.csv").read_text(encoding="utf-8"))
    assert [x.tolist() for x in read_csv(tmp_path / "table.csv").columns.values()] == [[0], [1]]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.sampled_from([";", "\t"]))
def test_decimal_commas_are_points(values, separator):
    lines = [f"{x!r}{separator}{-x!r}".replace(".", ",") for x in values]
    back = read("\n".join([f"a{separator}b", *lines]))
    assert back.columns["b"].tolist() == [-x for x in values]


@pytest.mark.parametrize("blank", ["", " ", "nan", "NaN", "NAN ", "n/a", "NULL", "None", "-"])
def test_every_blank_is_not_a_number(blank):
    back = read(f"a,b\n1,{blank}\n2, 3 \n")
    assert np.array_equal(back.columns["b"], [np.nan, 3.0], equal_nan=True)


def test_quotes_comments_and_blank_lines_do_not_matter():
    back = read('# made by hand\n\n"a","b [mm]"\n1,"2"\n,,\n# later\n"3",4\n')
    assert (back.columns["a"].tolist(), back.columns["b"].tolist()) == ([1, 3], [2, 4])
    assert [back.row(k) for k in range(2)] == ["line 4", "line 7"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3\n", r"line 3: expected 2 cells as in the header, got 1"),
        ('a,b\n"1","2","3"\n', r"line 2: expected 2 cells as in the header, got 3"),
        ("a,b\n# note\n1,True\n", r"line 3, column 'b': expected a number or a blank, got 'True'"),
        ("1,2\n3,4\n", r"line 1: expected a header"),
        ("a,a [m]\n1,2\n", r"column 'a' appears twice"),
        ("# nothing\n", r"got an empty file"),
    ],
)
def test_what_is_no_table_is_refused_with_its_line(text, message):
    with pytest.raises(InputError, match=message):
        read(text)
