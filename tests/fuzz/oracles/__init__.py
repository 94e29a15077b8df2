"""The oracles, each a column of the table."""

from tests.fuzz.case import Oracle
from tests.fuzz.oracles import copies, motion, rest, state
from tests.fuzz.oracles.mujoco_twin import mujoco_twin
from tests.fuzz.oracles.rod_shooting import rods_at_rest

ORACLES: dict[str, Oracle] = {
    "poses": state.poses,
    "inertia": state.inertia,
    "energies": state.energies,
    "forces": state.forces,
    "tendons": state.tendons,
    "accelerations": state.motion_law,
    "rank of closures": state.rank,
    "MuJoCo": mujoco_twin,
    "linearize": motion.linear,
    "two schemes": motion.motions,
    "energy balance": motion.balance,
    "gradients": motion.gradients,
    "parameters": copies.parameters,
    "locked": copies.locked,
    "batches": copies.batches,
    "C code": copies.exported,
    "equilibria": rest.equilibria,
    "rods at rest": rods_at_rest,
}
