"""Serial chains from a Denavit-Hartenberg table, and tendons over pulleys that turn.

A tendon over intermediate links is one Tendon for each segment between two pulleys, because each
has a tension of its own. The link that carries both pulleys of a segment is its carrier.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from numbers import Real
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chorda.describe.explaining import suggestion
from chorda.describe.geometry import Body, Placement
from chorda.describe.joints import DenavitHartenberg, Prismatic, Revolute
from chorda.describe.laws import Law, Rigid
from chorda.describe.tendons_and_actuators import Pulley, Tendon
from chorda.errors import InputError

Row = DenavitHartenberg | Mapping[str, Any] | Sequence[float] | npt.NDArray[Any]
KINDS: dict[str, type[Revolute] | type[Prismatic]] = {"revolute": Revolute, "prismatic": Prismatic}
DH_NUMBERS = ("a", "alpha", "d", "theta")
DH_VARIABLE = {"revolute": "theta", "prismatic": "d"}  # what the coordinate adds to
OTHER_FIELDS = (
    "name",
    "kind",
    "friction",
    "dry_friction",
    "stiffness",
    "rest",
    "range",
    "stop",
    "body",
)


def chain(
    rows: Sequence[Row] | npt.NDArray[Any],
    bodies: Sequence[Body | None] | None = None,
    *,
    parent: str = "world",
    placement: Placement | None = None,
) -> tuple[Revolute | Prismatic, ...]:
    """The joints of a serial chain, from the base outward, each standing on the tip before it.

    Parameters
    ----------
    rows : sequence of mappings, or array (joints, 4)
        A row is a mapping with a, alpha, d, theta [m, rad] and, if wanted, kind ("revolute",
        "prismatic"), name ("joint1", "joint2", ... if not given) and other fields of the joint; or
        four numbers in that order, or a DenavitHartenberg: both revolute. theta of a revolute joint
        and d of a prismatic one are where its coordinate counts from, 0 if left out.
    bodies : sequence of Body or None, optional
        One a row, each in its joint's frame (not in the tip's); None for a link without mass.
    parent : str
        Frame that the first joint stands on.
    placement : Placement, optional
        Of the first joint in it.

    Returns
    -------
    tuple of Revolute and Prismatic
        For the joints of a Robot.

    Raises
    ------
    InputError
        A row is no such row, or there are not as many bodies.

    See Also
    --------
    line : tendons along such a chain.
    DenavitHartenberg : what the four numbers mean.

    Examples
    --------
    >>> [j.parent for j in chain([(0.3, 0, 0, 0), {"kind": "prismatic", "a": 0, "alpha": 0,
    ...     "theta": 0}])]
    ['world', 'joint1.tip']
    """
    if isinstance(rows, np.ndarray):
        rows = rows.tolist()
    if isinstance(rows, str | Mapping) or not isinstance(rows, Sequence) or not len(rows):
        raise InputError(
            f"rows: expected a list with a row for each joint, got {rows!r:.60}; give at least one"
        )
    if bodies is not None and (isinstance(bodies, str) or not isinstance(bodies, Sequence)):
        raise InputError(
            f"bodies: expected a list with a Body or None for each row, got {bodies!r:.60}; "
            "write [body] for a single one"
        )
    if bodies is not None and len(bodies) != len(rows):
        raise InputError(
            f"bodies: expected {len(rows)}, one for each row, got {len(bodies)}; write None for a "
            "link without mass"
        )
    joints: list[Revolute | Prismatic] = []
    for i, row in enumerate(rows):
        fields = _row(f"rows.{i}", row)
        link = DenavitHartenberg(**{key: fields.pop(key) for key in DH_NUMBERS})
        kind = KINDS[fields.pop("kind", "revolute")]
        if bodies is not None:
            if fields.get("body") is not None:
                raise InputError(f"rows.{i}.body: bodies gives one too; give it only once")
            fields["body"] = bodies[i]
        if i == 0 and placement is not None:
            fields["placement"] = placement
        below = f"{joints[-1].name}.tip" if joints else parent
        joints.append(kind(**{"name": f"joint{i + 1}", "parent": below, "link": link} | fields))
    return tuple(joints)


def line(
    name: str,
    pulleys: Sequence[Pulley],
    laws: Law | Sequence[Law],
    *,
    carriers: Sequence[str],
    actuator: str | None = None,
    winding: Literal[1, -1] | None = None,
) -> tuple[Tendon, ...]:
    """An open-ended tendon over pulleys that turn, as its segments NAME-1, NAME-2, ...

    Parameters
    ----------
    name : str
        Which the names of the segments begin with, from the actuator to the actuated link.
    pulleys : sequence of Pulley
        From the actuator's side; those between turn with the intermediate links that they are
        fixed to.
    laws : law or sequence of laws
        One for all segments, or one each.
    carriers : sequence of str
        Frame of the link that carries both pulleys, one a segment.
    actuator : str, optional
        Its name. The first pulley is then its drum and should be fixed in the first carrier; the
        actuator's angle counts about that pulley's normal, unless winding is given.
    winding : {1, -1}, optional
        Whether a positive angle of the actuator pays out, or winds.

    Returns
    -------
    tuple of Tendon
        For the tendons of a Robot.

    Raises
    ------
    InputError
        There are too few pulleys, or not as many laws or carriers as segments.

    See Also
    --------
    belt : an endless tendon.
    chain : joints from a table.

    Examples
    --------
    >>> drum = Pulley(point=(-0.2, 0, 0), radius=0.02, side="left")
    >>> ends = (drum, Pulley(frame="idler", radius=0.03, side="left"))
    >>> line("pull", ends, Rigid(), carriers=["world"], actuator="motor")[0].name
    'pull-1'
    """
    _check_pulleys(name, pulleys)
    count = len(pulleys) - 1
    each = laws if isinstance(laws, Sequence) else [laws] * count
    if len(each) != count:
        raise InputError(
            f"{name}: laws: expected one, or {count}: one for each segment between neighbouring "
            f"pulleys; got {len(each)}"
        )
    if isinstance(carriers, str) or len(carriers) != count:
        got = repr(carriers) if isinstance(carriers, str) else str(len(carriers))
        raise InputError(
            f"{name}: carriers: expected {count}, one for each segment between neighbouring "
            f"pulleys, got {got}"
        )
    if actuator is not None and not isinstance(actuator, str):
        raise InputError(
            f"{name}: actuator: expected the name of one actuator, got {actuator!r:.60}; a line "
            "has one, at its first pulley"
        )
    if winding is not None and actuator is None:
        raise InputError(f"{name}: winding: there is no actuator to wind it; give actuator too")
    turn = winding
    if turn is None:  # a turn about the normal pays out what runs off with the centre on the left
        turn = 1 if pulleys[0].side == "left" else -1
    return tuple(
        Tendon(
            name=f"{name}-{k + 1}",
            path=pair,
            law=law,
            carrier=carrier,
            actuator=actuator if k == 0 else None,
            winding=turn if k == 0 and actuator is not None else 1,
        )
        for k, (pair, law, carrier) in enumerate(
            zip(pairwise(pulleys), each, carriers, strict=True)
        )
    )


def belt(
    name: str,
    first: Pulley,
    second: Pulley,
    law: Law,
    *,
    carrier: str,
    actuator: str | None = None,
) -> tuple[Tendon, Tendon]:
    """An endless tendon around two pulleys as its two sides, NAME-1 and NAME-2.

    NAME-1 runs on the sides that the pulleys say (equal sides: an open belt; different sides: a
    crossed one), NAME-2 on the opposite ones.

    Parameters
    ----------
    name : str
        Which the names of both sides begin with.
    first, second : Pulley
        What the belt runs around.
    law : law
        One that stretches. Give it a pretension: it is that of both sides.
    carrier : str
        Frame of the link that carries both pulleys.
    actuator : str, optional
        Its name. The first pulley is then its drum, fixed in the carrier, and the actuator's angle
        counts about that pulley's normal; without one both pulleys turn with their frames.

    Returns
    -------
    (Tendon, Tendon)
        For the tendons of a Robot.

    Raises
    ------
    InputError
        The law does not stretch, or something is no pulley.

    See Also
    --------
    line : a tendon with two ends.

    Examples
    --------
    >>> a = Pulley(frame="idler", radius=0.02, side="left")
    >>> b = Pulley(frame="arm", radius=0.03, side="left")
    >>> from chorda.describe import KelvinVoigt
    >>> sides = belt("b", a, b, KelvinVoigt(stiffness=1e4, pretension=20.0), carrier="world")
    >>> [x.path[0].side for x in sides]
    ['left', 'right']
    """
    _check_pulleys(name, (first, second))
    if isinstance(law, Rigid):
        raise InputError(
            f"{name}: law: an endless tendon that does not stretch ties the same motion twice; "
            "give it a stiffness (KelvinVoigt) and a pretension"
        )
    (go,) = line(name, (first, second), law, carriers=[carrier], actuator=actuator)
    (back,) = line(
        name, (_other_side(first), _other_side(second)), law, carriers=[carrier], actuator=actuator
    )
    return go, back.model_copy(update={"name": f"{name}-2"})


def _row(where: str, row: Row) -> dict[str, Any]:
    """Fields of a row, its four numbers checked."""
    if isinstance(row, np.ndarray):
        row = row.tolist()
    if isinstance(row, DenavitHartenberg):
        return {key: getattr(row, key) for key in DH_NUMBERS}
    if isinstance(row, Mapping):
        fields = dict(row)
        kind = fields.get("kind", "revolute")
        if not isinstance(kind, str) or kind not in KINDS:
            raise InputError(
                f"{where}.kind: {kind!r} is not known; {suggestion(str(kind), [*KINDS])}"
            )
        fields.setdefault(DH_VARIABLE[kind], 0.0)
        if missing := [key for key in DH_NUMBERS if key not in fields]:
            raise InputError(
                f"{where}: {', '.join(missing)} missing; a {kind} joint needs a, alpha and "
                f"{'d' if kind == 'revolute' else 'theta'} (write 0 where it is none)"
            )
        for key in fields:
            if key not in (*DH_NUMBERS, *OTHER_FIELDS):
                hint = suggestion(str(key), [*DH_NUMBERS, *OTHER_FIELDS])
                raise InputError(f"{where}.{key}: unknown field; {hint}")
    elif isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(DH_NUMBERS):
        listed = isinstance(row, Sequence) and not isinstance(row, str)
        got = f"{len(row)} values" if listed else f"{row!r:.60}"
        raise InputError(
            f"{where}: expected four numbers (a, alpha, d, theta) or a mapping of them, got {got}"
        )
    else:
        fields = dict(zip(DH_NUMBERS, row, strict=True))
    for key in DH_NUMBERS:
        value = fields[key]
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            unit = "rad" if key in ("alpha", "theta") else "m"
            raise InputError(f"{where}.{key}: expected a finite number [{unit}], got {value!r:.60}")
        fields[key] = float(value)
    return fields


def _check_pulleys(name: str, pulleys: Sequence[Any]) -> None:
    if len(pulleys) < 2:
        raise InputError(
            f"{name}: pulleys: expected at least two, got {len(pulleys)}; give the actuator's and "
            "the actuated link's"
        )
    for k, x in enumerate(pulleys):
        if not isinstance(x, Pulley):
            raise InputError(
                f"{name}: pulleys.{k}: expected a Pulley, got {type(x).__name__}; for cables "
                "through points write a Tendon"
            )


def _other_side(pulley: Pulley) -> Pulley:
    return pulley.model_copy(update={"side": "right" if pulley.side == "left" else "left"})
