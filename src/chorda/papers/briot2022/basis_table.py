"""Bases of strains: how conditioned they leave the stiffness of a leg."""

import numpy as np

from chorda.mechanics import Array, assemble
from chorda.mechanics.balance import statics
from chorda.papers.briot2022.published import PRINTED_MODES
from chorda.papers.briot2022.robot_study import CATALOGUE_INTERVALS, RobotStudy
from chorda.papers.briot2022.robots import BULGE, PLANAR, in_basis
from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.tolerance import above, below, unit
from chorda.statics import equilibrium

HALF_DIGITS = 1 / np.sqrt(np.finfo(float).eps)  # a condition that takes half of the digits
MANY_MODES = 8
POSITION = 1e-8  # [m] within which bases of the same strains agree
BASES = ("legendre", "chebyshev", "monomial")
SCIENTIFIC = unit("", digits=".2e")


def elastic_stiffness(basis: str, modes: int) -> Array:
    """Of a leg of the RFRFR over its modes [N m^2 per squared unit of strain]."""
    system = assemble(in_basis(PLANAR.make(modes, CATALOGUE_INTERVALS), basis))
    zero = np.zeros(system.nc)
    straight, inputs = np.zeros(system.nq), np.zeros(system.nu)
    K = statics(system)(straight, zero, inputs, system.parameter_values, [])[1].full()
    own = [k for k, (name, _) in enumerate(system.velocities) if name.startswith("leg1.")]
    return np.asarray(-K[np.ix_(own, own)])


def basis_table(study: RobotStudy) -> Comparison:
    """Monomials against orthogonal polynomials."""
    rows = []
    for basis in BASES:
        cond = float(np.linalg.cond(elastic_stiffness(basis, MANY_MODES)))
        if basis == "monomial":
            text, allowed = "ill-conditioned", above(HALF_DIGITS)
        else:
            text, allowed = "as an alternative", below(HALF_DIGITS)
        few = float(np.linalg.cond(elastic_stiffness(basis, PRINTED_MODES)))
        rows.append(
            Row(f"{basis}: condition of a leg's stiffness, {MANY_MODES} modes", text, cond, allowed,
                shown=SCIENTIFIC, beside=(SCIENTIFIC(few),))
        )  # fmt: skip
    start = study.start(PRINTED_MODES)
    at = start.frame(study.case.frame)[0]
    for basis in BASES[1:]:
        system = assemble(in_basis(start.system.robot, basis))
        other = equilibrium(system, hold=study.case.angles(0), initial=BULGE, strict=True)
        gap = float(np.linalg.norm(other.frame(study.case.frame)[0] - at))
        rows.append(
            own_check(f"{basis}: pin from where Legendre polynomials have it, {PRINTED_MODES} "
                      "modes", gap, below(POSITION), expected=0.0,
                      shown=unit("m", digits=".1e"), beside=("-",))
        )  # fmt: skip
    return Comparison(
        "Section II.B: what the basis of strains does to the stiffness",
        rows,
        "Ill-conditioned is taken as: more than half of the digits of double precision are lost. "
        "A leg's stiffness in monomials is that of a Hilbert matrix.",
        columns=(f"with {PRINTED_MODES}",),
    )
