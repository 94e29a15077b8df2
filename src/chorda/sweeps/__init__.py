"""Studies over many points: grids, lists and samples, on all cores or on a cluster."""

from chorda.sweeps.result import Failure, Sweep
from chorda.sweeps.study import Study, parse_study, read_study
from chorda.sweeps.sweeping import open_sweep, sweep

__all__ = ["Failure", "Study", "Sweep", "open_sweep", "parse_study", "read_study", "sweep"]
