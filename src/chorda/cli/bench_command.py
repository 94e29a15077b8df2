"""chorda bench: speed beside targets and peers."""

from chorda.catalogue.necks import MOST_JOINTS
from chorda.checks import shown
from chorda.cli.options import Json
from chorda.cli.output import print_json, print_note, print_table, print_text
from chorda.cli.parsing import whole
from chorda.errors import InputError


def bench(quick: bool = False, joints: str | None = None, as_json: Json = False) -> None:
    """Measure how fast this machine steps, simulates and builds, beside targets and peers.

    Parameters
    ----------
    quick
        Few repeats, necks 1 and 3.
    joints : LIST
        Necks to build, such as 1,2,3..12; default 1..12.

    \b
    Example:
      chorda bench --quick --joints 1
    """
    from chorda.bench import measure

    wanted = None if joints is None else _whole_numbers(joints)
    report = measure(quick, wanted, say=lambda text: print_note(f"Measuring {text} ..."))
    if as_json:
        print_json(report.as_data())
        return
    print_text("; ".join(f"{name} {value}" for name, value in report.machine.items()))
    for table in report.tables:
        print_table(table)


def _whole_numbers(text: str) -> list[int]:
    """
    >>> _whole_numbers("1,3..5")
    [1, 3, 4, 5]
    """
    out: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        ends = [whole(x, "--joints") for x in (first, last if dots else first)]
        if not all(1 <= n <= MOST_JOINTS for n in ends) or ends[0] > ends[1]:
            raise InputError(
                f"--joints: expected numbers from 1 to {MOST_JOINTS} such as 1,2,3..12, got "
                f"{shown(text)}"
            )
        out += range(ends[0], ends[1] + 1)
    return out
