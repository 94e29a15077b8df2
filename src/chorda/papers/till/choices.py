"""What the chapter leaves open, and what was taken for it."""

from chorda.papers.comparison import Choice
from chorda.papers.till.friction_study import PERIODS, SHARP
from chorda.papers.till.published import ALPHA, BETA, COMPLIANCE, NU, SPEED
from chorda.papers.till.shooting_study import LATEST_TIME, QUICK_LATEST_TIME, TOLERANCE

CHOICES = (
    Choice(
        "simple friction",
        f"force = beta tension curvature speed, beta = {BETA:g} s/m",
        "the public program's; the chapter has neither a formula nor a number",
    ),
    Choice(
        "sliding friction",
        f"nu = {NU:g}, sat(v) = v / sqrt(v^2 + ({SPEED * 1e3:g} mm/s)^2)",
        "the public program's; the chapter prints tau' = -beta sign(v) |f| s' without a number",
    ),
    Choice(
        "compliance",
        f"{COMPLIANCE:g} /N with friction, 1e-4 /N without",
        "with friction the public program's, without it the chapter's",
    ),
    Choice(
        "alpha",
        f"{ALPHA:g} with sliding friction, 0 else, in rows beside the program",
        "the public program's; the chapter prints alpha = 0 for the robot without friction",
    ),
    Choice(
        "friction of ours",
        "one wrench at the tendon, sliding counted from its attachment, tau' without the factor s'",
        "mechanics: action at one point, Euler's law of the capstan; no number had a part in it",
    ),
    Choice(
        "friction of the program",
        "moment='opposite', counted_from='actuator', printed=True (the chapter's too)",
        "the motions of the program's equations",
    ),
    Choice(
        "steady",
        "a swing of 1 % of the way up is left in the last second before the release",
        "the chapter's 'approaching steady-state' has no number",
    ),
    Choice(
        "shooting",
        f"scaled tolerance {TOLERANCE:g}, runs until {LATEST_TIME:g} s "
        f"({QUICK_LATEST_TIME:g} s if quick)",
        "less than the program's tolerance in N, N m and m; while the arm is raised",
    ),
    Choice(
        "slow cycles",
        f"{PERIODS[0]:g} s and {PERIODS[1]:g} s, sign also rounded at {SHARP.speed * 1e3:g} mm/s",
        "slow beside the swing, and a sign that is sharp there; no number had a part in it",
    ),
)
