"""Long tables take little more memory than their numbers."""

import numpy as np

from chorda import data_table
from chorda.data_table import read_csv
from tests.helpers.peak_memory import peak

READ = "from pathlib import Path; from chorda.data_table import read_csv; read_csv(Path({!r}))"


def test_a_million_lines_take_less_than_three_hundred_megabytes_more_than_one(tmp_path):
    short, long = tmp_path / "short.csv", tmp_path / "long.csv"
    row = "0.001,0.1234567890123,-0.1234567890123,12.34567890123\n"
    for path, count in ((short, 1), (long, 1_000_000)):
        path.write_text("time [s],x1,x2,x3\n" + row * count, encoding="utf-8")
    assert peak(READ.format(str(long))) - peak(READ.format(str(short))) < 300e6


def test_blocks_of_lines_make_one_table(tmp_path, monkeypatch):
    monkeypatch.setattr(data_table, "LINES_AT_ONCE", 3)
    path = tmp_path / "log.csv"
    rows = [f"{k},{2 * k if k % 4 else 'n/a'}" for k in range(10)]
    text = ["# sensors: {}", "", "time;x", *[r.replace(",", ";") for r in rows[:5]], "# note"]
    path.write_text("\n".join(text + [r.replace(",", ";") for r in rows[5:]]), encoding="utf-8")
    table = read_csv(path)
    assert table.columns["time"].tolist() == list(range(10))
    wanted = [2.0 * k if k % 4 else np.nan for k in range(10)]
    assert np.array_equal(table.columns["x"], wanted, equal_nan=True)
    assert table.lines.tolist() == [4, 5, 6, 7, 8, 10, 11, 12, 13, 14]
