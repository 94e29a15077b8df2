"""What Recursive prints: the equations of motion of example 1; and what example 2 leaves open.

Example 1 is planar: links 1 and 2, the intermediate links 3 and 4 about the first joint's axis, the
motors' drums 5, 6 and 7 [Recursive, fig. 7, tables 1-3]. The centre of mass of link i is a_i - s_i
from its joint. th1 and th3 to th7 are angles against the base (theta 1,0 and so on), th2 is that of
link 2 against link 1; v1, v2 ... are their rates, dd1, dd2 ... their accelerations.

Printed terms are given as text, which is shown and evaluated alike. They follow the extracted text
of the paper; where that is not legible, or may be wrong, `doubt` says so.
"""

from dataclasses import dataclass

PRETENSIONS = (0.5, 3.5)  # [N] of example 2
NOTE = (
    "The paper prints no number but the pretensions of 0.5 and 3.5 N; all others are choices. Its "
    "equations are those of the machine-read text. Example 1 has no results in the paper."
)


@dataclass(frozen=True)
class Term:
    """A term on the right-hand side of a printed equation, or a printed quantity.

    of: what it multiplies (an acceleration such as "dd1", a product of rates such as "v1 v1", a
    tendon), or a quantity by itself. derived is empty where it is what is printed; printed is empty
    where it is not legible.
    """

    equation: str
    of: str
    printed: str
    derived: str = ""
    doubt: str = ""

    @property
    def of_a_tendon(self) -> bool:
        """Radii, stiffness or damping: their subscripts are damaged in the text."""
        return self.of.split()[-1] in _ELASTIC


_ELASTIC = {
    "t23": "t023 - k23*(r2*th2 - r3*(th1 - th3)) - c23*(r2*v2 - r3*(v1 - v3))",
    "t24": "t024 + k24*(r2*th2 + r4*(th1 - th4)) + c24*(r2*v2 + r4*(v1 - v4))",
    "t36": "t036 + k36*(r3*th3 + r6*th6) + c36*(r3*v3 + r6*v6)",
    "t47": "t047 + k47*(r4*th4 + r7*th7) + c47*(r4*v4 + r7*v7)",
    "t15": "t015 + k15*(-r1*th1 + r5*th5) + c15*(-r1*v1 + r5*v5)",
}
_TABLE_2 = _ELASTIC | {
    "t23": "t023 - k23*(r2*th2 + r3*(th3 - th1)) - c23*(r2*v2 + r3*(v3 - v1))",
    "t24": "t024 + k24*(r2*th2 - r4*(th4 - th1)) + c24*(r2*v2 - r4*(v4 - v1))",
    "t15": "t015 - k15*(r1*th1 - r5*th5) - c15*(r1*v1 - r5*v5)",
}
_STIFF = ("k24*(r3*th2 + r4*(th1 - th4))", "k24*(r2*th2 + r4*(th1 - th4))")
_DAMPED = ("c23*(r3*v2 + r4*(v1 - v4))", "c24*(r2*v2 + r4*(v1 - v4))")
_RADIUS = "as extracted; r3 may be r2 in print"
_BALANCED = "it takes the centre of mass along with the carrier: true of balanced pulleys"


def _tensions(equation: str, *names: str) -> list[Term]:
    return [Term(equation, f"tension {name}", _ELASTIC[name]) for name in names]


TERMS = (
    Term("Table 1", "x of link 1", "(s1 - a1)*v1**2"),
    Term("Table 1", "y of link 1", "(a1 - s1)*dd1"),
    Term("Table 1", "x of link 2", "-a1*C2*v1**2 + a1*S2*dd1 + (s2 - a2)*(v1 + v2)**2"),
    Term("Table 1", "y of link 2", "a1*C2*dd1 + a1*S2*v1**2 + (a2 - s2)*(dd1 + dd2)"),
    *(Term("Table 2", f"tension {name}", text) for name, text in _TABLE_2.items()),
    Term("27", "dd1", "-I2 - m2*(a2 - s2)*(a1*C2 + a2 - s2)"),
    Term("27", "dd2", "-I2 - m2*(a2 - s2)*(a2 - s2)"),
    Term("27", "v1 v1", "-m2*(a2 - s2)*a1*S2"),
    Term("27", "v1 v2", "0"),
    Term("27", "v2 v2", "0"),
    Term("27", "t23", "r2"),
    Term("27", "t24", "-r2"),
    *_tensions("27", "t23"),
    Term("27", "stiffness t24", *_STIFF, _RADIUS),
    Term("27", "damping t24", *_DAMPED, _RADIUS),
    Term("28", "dd3", "-I3"),
    Term("28", "t23", "r3"),
    Term("28", "t36", "-r3"),
    *_tensions("28", "t23", "t36"),
    Term("29", "dd4", "-I4"),
    Term("29", "t24", "r4"),
    Term("29", "t47", "-r4"),
    *_tensions("29", "t24", "t47"),
    Term("30", "dd1", "-I1 - a1**2*(m1 + m2) - m1*s1**2 + a1*(2*m1*s1 - m2*(a2 - s2)*C2)"),
    Term("30", "dd2", "-a1*m2*(a2 - s2)*C2"),
    Term("30", "v1 v1", "a1*m2*(a2 - s2)*S2"),
    Term("30", "v1 v2", "2*a1*m2*(a2 - s2)*S2"),
    Term("30", "v2 v2", "a1*m2*(a2 - s2)*S2"),
    Term("30", "t23", "-(r2 + r3)"),
    Term("30", "t24", "r2 - r4"),
    Term("30", "t15", "", "r1"),
    *_tensions("30", "t23", "t24", "t15"),
    Term("14", "x of an eccentric pulley", "0", "-e*v3**2", _BALANCED),
    Term("14", "y of an eccentric pulley", "0", "e*dd3", _BALANCED),
)
