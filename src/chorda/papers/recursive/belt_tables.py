"""Endless tendons: what the paper says of them, and the tension of both runs."""

import numpy as np

from chorda.papers.comparison import Comparison, Row, own_check
from chorda.papers.recursive.belts import BELTS
from chorda.papers.recursive.study import Study
from chorda.papers.tolerance import above, at_least, below, unit
from chorda.results import Table

TENSION_TOLERANCE, MOTION_TOLERANCE = 1e-9, 1e-5  # [N], [rad]
MOMENT_TOLERANCE = 1e-9  # [N m]
ALL_THE_TIME = 0.999  # but for the instants at which a belt changes its direction
MOMENT = unit("N m")


def belts_table(study: Study) -> Comparison:
    """Statements on endless routing (fig. 1b), and its equations by the paper's way."""
    arm, run = study.belts, study.belts.run()
    belts = {name: arm.belt(name) for name in BELTS}
    one = belts["belt1"]
    by_hand = np.abs(arm.tensions_by_hand() - run.outputs["tension"]).max()
    open_ended = study.example1.x["r1"] * study.example1.tensions()["t15"]
    rows = [
        Row("largest moment of belt 1 on link 1", "driven in both directions",
            float(one.moment.max()), above(0), shown=MOMENT),
        Row("least moment of belt 1 on link 1", "driven in both directions",
            float(one.moment.min()), below(0), shown=MOMENT),
        Row("least moment of the open-ended tendon 5 on link 1 (example 1)",
            "forces in a unidirectional sense", float(open_ended.min()), at_least(0), shown=MOMENT),
        *(Row(f"time with one run of {name} above its pretension, the other below",
              "one side under higher tension, the other under lower", x.opposed_share,
              at_least(ALL_THE_TIME), shown=unit("%", 100, ".2f")) for name, x in belts.items()),
        Row("tensions of all six runs, by eq. 18, less Chorda's", "0", float(by_hand),
            below(TENSION_TOLERANCE), shown=unit("N")),
        *(own_check(f"sum of both runs of {name}, less twice the pretension",
                    float(np.abs(x.tension.sum(1) - 2 * x.pretension).max()),
                    below(TENSION_TOLERANCE), expected="0 while both are taut", shown=unit("N"))
          for name, x in belts.items()),
        own_check("moment of belt 3 on link 2 less what it needs by Newton-Euler",
                  float(np.abs(belts["belt3"].moment - arm.needed_moment()).max()),
                  below(MOMENT_TOLERANCE), expected="0", shown=MOMENT),
        own_check("angles by eqs. 18 and 23-25 written out for this arm, less Chorda's",
                  float(np.abs(arm.coordinates_by_hand() - run.position).max()),
                  below(MOTION_TOLERANCE), expected="0", shown=unit("rad")),
    ]  # fmt: skip
    return Comparison(
        "Endless tendons: an arm with belts",
        rows,
        "Two joints; belt 1 from a motor to link 1, belts 2 and 3 from a motor over an "
        "intermediate pulley to link 2. Moments are radius times the difference of both runs.",
    )


def runs_table(study: Study) -> Table:
    """Tension of both runs of every belt."""
    rows = []
    for name, ends in BELTS.items():
        x = study.belts.belt(name)
        for k in (0, 1):
            t = x.tension[:, k]
            rows.append((f"{name}-{k + 1}", f"{ends[0]} to {ends[1]}", x.pretension,
                         float(t.min()), float(t.mean()), float(t.max())))  # fmt: skip
    return Table(
        "Endless tendons: tension of both runs",
        ("run", "between", "pretension [N]", "least [N]", "mean [N]", "largest [N]"),
        tuple(rows),
    )
