"""A record goes on where it was, and tells good from bad."""

from tests.fuzz.record import Outcome, Record


def test_a_torn_line_is_done_again(tmp_path):
    path = tmp_path / "record.jsonl"
    first = Record(path, 3)
    first.add("robots", 0, [Outcome("poses", "agrees")], 0.1)
    first.add("robots", 1, [Outcome("poses", "differs", "by much")], 0.2)
    path.write_text(path.read_text()[:-9])
    again = Record(path, 3)
    assert ("robots", 0) in again
    assert ("robots", 1) not in again
    again.add("robots", 1, [Outcome("poses", "agrees"), Outcome("tendons", "not asked")], 0.2)
    assert not Record(path, 3).bad()
    assert "| robots | poses | 2 | 2 agrees | 0 |" in Record(path, 3).table()
    assert ("robots", 0) not in Record(path, 4)  # of another seed


def test_what_is_bad_is_counted(tmp_path):
    record = Record(None, 0)
    record.add("files", 7, [Outcome("robot", "raw", "KeyError"), Outcome("robot", "clear")], 0.1)
    assert [(part, case, x.word) for part, case, x in record.bad()] == [("files", 7, "raw")]
    assert "| files | robot | 2 | 1 raw, 1 clear | 1 |" in record.table()
