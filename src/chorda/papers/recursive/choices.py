"""What Recursive leaves open: it prints no number but the pretensions of example 2."""

from chorda.papers.comparison import Choice
from chorda.papers.recursive.belts import TORQUES
from chorda.papers.recursive.example1 import AMPLITUDES, ANGULAR_FREQUENCY, RADII
from chorda.papers.recursive.example2 import GAINS, RADIUS, SOFT_STIFFNESS, STIFFNESS
from chorda.papers.recursive.pretension import LARGE_LOAD, SMALL_LOAD

LINK, START, SIGNS = "link of example 2", "start", "signs of eq. 31"
EQUATION_27, SUBSCRIPTS = "t24 in eq. 27", "subscripts"
CHOICES = (
    Choice(
        LINK,
        "a bar of 2 kg and 0.4 m on a drum of 50 mm",
        "figs. 11, 13, 14: tensions must vary by more than 0.5 N and less than 3.5 N; the table of "
        "slack cables has other masses",
    ),
    Choice(
        START,
        "on the wanted motion, rate 1 rad/s",
        "figs. 13, 14: from rest the first swing makes cables slack with 3.5 N too",
    ),
    Choice(
        SIGNS,
        "minus before both actuators' angles",
        "not legible before the first; with eqs. 32-33 both actuators turn alike, and only so does "
        "one wind up what the other pays out",
    ),
    Choice(
        EQUATION_27,
        "radius r2 and damping c24, as in Table 2 and eqs. 29-30",
        "the text of eq. 27 has r3 and c23, which no balance gives",
    ),
    Choice(
        SUBSCRIPTS,
        "of radii and cables: what the machine-read text has lost is read as derived",
        "terms of tendons in eqs. 27-30 and Table 2",
    ),
    Choice(
        "cables of example 2",
        f"{STIFFNESS:g} N/m and 10 N s/m, without mass; actuators of {1e3 * RADIUS:g} mm",
        "no number of the paper: a vibration that is damped within a second",
    ),
    Choice(
        "gains",
        f"K_p = {GAINS[0]:g}, K_v = {GAINS[1]:g} s",
        "no number of the paper: the joint follows sin(t) by nine tenths",
    ),
    Choice(
        "softer cables",
        f"{SOFT_STIFFNESS:g} N/m in a second column of figs. 10 and 12",
        "curves that can be told apart by eye",
    ),
    Choice(
        "robot of example 1",
        "recursive-1 of the catalogue; intermediate pulleys of "
        f"{1e3 * RADII[3]:g} and {1e3 * RADII[4]:g} mm",
        "no number of the paper; radii unequal, so that equations with a wrong one show it",
    ),
    Choice(
        "motion of example 1",
        "drums wind what inextensible tendons would need for "
        f"{AMPLITUDES[0]:g} and {AMPLITUDES[1]:g} rad there and back, {ANGULAR_FREQUENCY:g} rad/s",
        "no number of the paper: quick enough that pulleys' inertia and O+ have effects",
    ),
    Choice(
        "loads at the tip",
        f"{SMALL_LOAD:g} N and {LARGE_LOAD:g} N",
        "the smaller makes no cable slack at rest, the larger one of them with 0.5 and 3.5 N",
    ),
    Choice(
        "belts",
        "belt-arm of the catalogue; torques of "
        + " and ".join(f"{A:g} N m at {w:g} rad/s" for A, w in TORQUES.values()),
        "the paper has no example with endless tendons; both directions of motion",
    ),
)
