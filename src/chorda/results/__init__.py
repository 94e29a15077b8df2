"""What verbs return: labelled arrays with units, provenance and a status sentence."""

from chorda.files import write_whole
from chorda.results.accuracy import Accuracy
from chorda.results.equilibrium import Equilibrium
from chorda.results.equilibrium_batch import EquilibriumBatch
from chorda.results.events import Event
from chorda.results.path import EquilibriumPath, StabilityChange
from chorda.results.rollout import Rollout
from chorda.results.run import Run
from chorda.results.status import Code, Status
from chorda.results.storage import open_run
from chorda.results.table import Table
from chorda.results.workspace import Workspace

__all__ = [
    "Accuracy",
    "Code",
    "Equilibrium",
    "EquilibriumBatch",
    "EquilibriumPath",
    "Event",
    "Rollout",
    "Run",
    "StabilityChange",
    "Status",
    "Table",
    "Workspace",
    "open_run",
    "write_whole",
]
