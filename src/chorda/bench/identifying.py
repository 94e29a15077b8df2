"""The time to identify a log of the neck of Fasquelle2021: 60 s at 500 Hz, 16 unknowns."""

from pathlib import Path
from tempfile import TemporaryDirectory

from chorda.bench.timing import seconds
from chorda.catalogue import load
from chorda.identification import Log, experiment, identify, read_log, write_log
from chorda.mechanics import System, assemble

ROBOT, DURATION = "fasquelle-3-pulleys", 60.0


class Identifying:
    """A log in memory and on disk."""

    def __init__(self) -> None:
        self.system: System = assemble(load(ROBOT))
        self.log: Log = experiment(self.system, duration=DURATION, progress=False)
        identify(self.log, self.system)  # compiles the simulation behind the instruments

    def whole(self) -> float:
        """Seconds from the log in memory to the table, with instruments."""
        return seconds(lambda: identify(self.log, self.system))

    def from_file(self) -> float:
        """Seconds from a CSV file and a robot's description to the table."""
        with TemporaryDirectory() as folder:
            path = write_log(self.log, Path(folder) / "log.csv")
            return seconds(lambda: identify(path, load(ROBOT)))

    def reading(self) -> float:
        """Seconds of reading the CSV file alone."""
        with TemporaryDirectory() as folder:
            path = write_log(self.log, Path(folder) / "log.csv")
            return seconds(lambda: read_log(path, self.system))
