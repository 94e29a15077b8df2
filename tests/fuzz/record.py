"""What fuzzers found: outcomes, one JSON line for each case, and the table of them."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

BAD = ("differs", "raw", "hang", "slow", "lost", "wrong")
QUIET = ("not asked",)  # not counted


@dataclass(frozen=True)
class Outcome:
    """group: the oracle, call or kind of file; word: what became of it; detail: in words."""

    group: str
    word: str
    detail: str = ""


class Record:
    """A file of JSON lines that grows case by case; a torn last line is left out and done again."""

    BAD = BAD

    def __init__(self, path: Path | None, seed: int) -> None:
        self.path, self.seed = path, seed
        self.cases: dict[tuple[str, int], list[Outcome]] = {}
        self.seconds = 0.0
        if path is not None and path.exists():
            whole = [
                line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")
            ]
            path.write_text("".join(whole))
            for line in whole:
                self._take(json.loads(line))

    def _take(self, entry: dict[str, Any]) -> None:
        if entry["seed"] == self.seed:
            found = [Outcome(**x) for x in entry["outcomes"]]
            self.cases[entry["part"], entry["case"]] = found
            self.seconds += entry["seconds"]

    def __contains__(self, key: tuple[str, int]) -> bool:
        return key in self.cases

    def add(self, part: str, case: int, outcomes: list[Outcome], seconds: float) -> None:
        told = [asdict(x) for x in outcomes if x.word not in QUIET]
        entry = {"part": part, "seed": self.seed, "case": case, "seconds": round(seconds, 3)}
        entry["outcomes"] = told
        self._take(entry)
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")

    def outcomes(self, part: str) -> Iterable[tuple[int, Outcome]]:
        for (name, case), found in self.cases.items():
            if name == part:
                for x in found:
                    yield case, x

    def bad(self) -> list[tuple[str, int, Outcome]]:
        return [
            (part, case, x) for (part, case), xs in self.cases.items() for x in xs if x.word in BAD
        ]

    def table(self) -> str:
        """One row for each oracle, call or kind of file."""
        lines = ["| part | what | tried | outcomes | bad |", "|---|---|---:|---|---:|"]
        for part in dict.fromkeys(name for name, _ in self.cases):
            groups: dict[str, Counter[str]] = defaultdict(Counter)
            for _, x in self.outcomes(part):
                groups[x.group][x.word] += 1
            cases = sum(1 for name, _ in self.cases if name == part)
            total = sum(
                n for counts in groups.values() for word, n in counts.items() if word in BAD
            )
            lines.append(f"| {part} | all | {cases} | | {total} |")
            for group, counts in groups.items():
                bad = sum(counts[word] for word in BAD)
                words = ", ".join(f"{n} {word}" for word, n in counts.most_common())
                lines.append(f"| {part} | {group} | {counts.total()} | {words} | {bad} |")
        return "\n".join(lines)
