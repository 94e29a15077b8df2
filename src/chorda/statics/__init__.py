"""Robots at rest: equilibria, paths of them, stability, kinemato-statics, workspaces."""

from chorda.statics.equilibrium import equilibrium
from chorda.statics.equilibrium_batch import equilibrium_batch
from chorda.statics.follow import follow
from chorda.statics.kinematostatics import Kinematostatics, kinematostatics
from chorda.statics.mode_choice import assemble
from chorda.statics.search import equilibria
from chorda.statics.singularities import Singularity
from chorda.statics.stability import Stability, stability
from chorda.statics.workspace import open_workspace, workspace

__all__ = [
    "Kinematostatics",
    "Singularity",
    "Stability",
    "assemble",
    "equilibria",
    "equilibrium",
    "equilibrium_batch",
    "follow",
    "kinematostatics",
    "open_workspace",
    "stability",
    "workspace",
]
