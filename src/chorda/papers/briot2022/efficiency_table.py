"""How efficient the modes are, in operations; and how conditioned their bases leave the stiffness."""

import numpy as np

from chorda.mechanics import Array, assemble
from chorda.mechanics.balance import statics
from chorda.papers.briot2022.published import PRINTED_MODES, SOLVERS, TABLE3_S
from chorda.papers.briot2022.robot_study import RobotStudy
from chorda.papers.briot2022.robots import PLANAR, in_basis
from chorda.papers.comparison import Comparison, Row, not_determined, own_check
from chorda.papers.tolerance import above, below, between, count, unit
from chorda.statics import equilibrium

ELEMENTS = 1000
HALF_DIGITS = 1 / np.sqrt(np.finfo(float).eps)  # a condition that takes half of the digits
MANY_MODES = 8
POSITION = 1e-8  # [m] within which bases of the same strains agree
BASES = ("legendre", "chebyshev", "monomial")
SCIENTIFIC = unit("", digits=".2e")


def efficiency_table(study: RobotStudy) -> Comparison:
    """The paper's 'as computational efficient as the continuous model', without a clock."""
    modes, shooting = study.published(PRINTED_MODES), study.published(None)
    ratios = [one / two for one, two, _ in TABLE3_S.values()]
    allowed = between(1 / max(ratios), max(ratios))
    paper = f"{min(ratios):.2g} to {max(ratios):.2g} in time"
    each = [x.counts.numbers / x.counts.slopes for x in (modes, shooting)]
    elastic = 2 * ELEMENTS / (2 * PRINTED_MODES)
    rows = [
        Row("as efficient as the continuous model: right-hand sides of ode45, modes / continuous",
            paper, modes.counts.slopes / shooting.counts.slopes, allowed, helped_by=(SOLVERS,),
            beside=(f"{modes.counts.slopes} / {shooting.counts.slopes}",)),
        Row("the same in numbers that these give", paper,
            modes.counts.numbers / shooting.counts.numbers, allowed, helped_by=(SOLVERS,),
            why=f"a leg takes {each[0]:.0f} numbers with its derivatives, {each[1]:.0f} by "
            "shooting",
            beside=(f"{modes.counts.numbers} / {shooting.counts.numbers}",)),
        not_determined(f"{ELEMENTS} elements take more than 100 times as long: elastic variables, "
                       "elements / modes", "> 100 in time", elastic,
                       "how the finite differences' linear systems are stored and solved",
                       shown=count, beside=(f"{2 * ELEMENTS} / {2 * PRINTED_MODES}",)),
    ]  # fmt: skip
    return Comparison(
        "Section VI.A.2: RFRFR, operations of both models as published, 50 steps",
        rows,
        "In an interpreted language a right-hand side costs much the same however many numbers it "
        f"gives. Allowed is what the paper calls as efficient: its times differ by a factor of up "
        f"to {max(ratios):.2g}. Levenberg-Marquardt takes {modes.iterations} iterations by modes "
        f"and {shooting.iterations} by shooting.",
        columns=("counts",),
    )


def elastic_stiffness(basis: str, modes: int) -> Array:
    """Of a leg of the RFRFR over its modes [N m^2 per squared unit of strain]."""
    system = assemble(in_basis(PLANAR.make(modes, 12), basis))
    zero = np.zeros(system.nc)
    parameters = np.array(system.parameter_table.values, float)
    K = statics(system)(np.zeros(system.nq), zero, np.zeros(system.nu), parameters, [])[1].full()
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
        hold, bends = study.case.angles(0), {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
        other = equilibrium(system, hold=hold, initial=bends, strict=True)
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
