"""The continuous models of rods: no modes, the boundary-value problem itself.

One rod with tendons, at rest and in motion, with all six strains [Till2019]; and rods that are
joined to parallel robots, at rest [Briot2022].
"""

from chorda.continuous.assembly_equilibrium import finite_differences, follow, shooting
from chorda.continuous.conjugate import ConjugatePoints, conjugate_points, joint_stiffness
from chorda.continuous.continuous_results import AssemblyEquilibrium, RodEquilibrium, RodMotion
from chorda.continuous.rod_at_rest import rod_statics
from chorda.continuous.rod_in_motion import rod_dynamics
from chorda.continuous.sheath_friction import Friction, Simple, Sliding
from chorda.continuous.single_shooting import SingleShooting

__all__ = [
    "AssemblyEquilibrium",
    "ConjugatePoints",
    "Friction",
    "RodEquilibrium",
    "RodMotion",
    "Simple",
    "SingleShooting",
    "Sliding",
    "conjugate_points",
    "finite_differences",
    "follow",
    "joint_stiffness",
    "rod_dynamics",
    "rod_statics",
    "shooting",
]
