"""The starts of many members, wound and closed at once, are those of each one alone."""

import numpy as np
import pytest

import chorda
from chorda.dynamics.rollouts import members
from chorda.errors import InputError
from chorda.statics import closing
from chorda.statics.closing import closed
from chorda.statics.initial import initial_state
from chorda.statics.parameter_columns import parameter_columns

MEMBERS = 70  # more than the first piece has


def spread(low, high, *shape):
    return np.random.default_rng(3).uniform(low, high, (MEMBERS, *shape))


def one_by_one(system, initial, p, u):
    """q and v of each member, from a mapping of its own."""
    found = []
    for m in range(MEMBERS):
        own = {k: v[m] if np.ndim(v) else v for k, v in initial.items()}
        pm, um = (x[:, m if x.shape[1] > 1 else 0] for x in (p, u))
        q, v = initial_state(system, own, pm)
        found.append(closed(system, own, q, v, um, np.zeros(system.nu), pm))
    return tuple(np.stack(x, 1) for x in zip(*found, strict=True))


def constant(u):
    """Inputs that do not depend on the start, and stay."""
    return lambda *_: (u, np.zeros(u.shape))


@pytest.mark.parametrize("tension", [8.0, spread(5, 20), spread(5, 20, 4), {"right1": 6.0}])
def test_tensions_are_wound_as_for_each_member_alone(tension):
    system = chorda.assemble(chorda.load("neck-3"))
    changes = {"*.stiffness": spread(1e4, 5e4), "motor-left.drum_radius": spread(0.01, 0.02)}
    initial = {"x1": spread(-0.2, 0.2), "x2.rate": spread(-1, 1), "tension": tension}
    p = parameter_columns(system, changes, MEMBERS)
    u = np.zeros((system.nu, 1))
    found = members.starts(system, initial, p, MEMBERS, constant(u))
    for x, expected in zip(found, one_by_one(system, initial, p, u), strict=True):
        assert x == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_closures_are_shut_as_for_each_member_alone():
    system = chorda.assemble(chorda.load("rfrfr"))
    changes = {
        "leg1.length": spread(0.99, 1.01)
        * system.parameters()[system.parameter_names.index("leg1.length")]
    }
    bulge = {"leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    initial = {"motor1": spread(2.5, 2.6), "motor2": 0.55, "motor1.rate": spread(-1, 1), **bulge}
    p = parameter_columns(system, changes, MEMBERS)
    u = np.zeros((system.nu, 1))
    found = members.starts(system, initial, p, MEMBERS, constant(u))
    for x, expected in zip(found, one_by_one(system, initial, p, u), strict=True):
        assert x == pytest.approx(expected, rel=1e-9, abs=1e-11)


def test_all_members_are_closed_by_few_calls(monkeypatch):
    system = chorda.assemble(chorda.load("rfrfr"))
    calls = []
    evaluate = closing.at_columns

    def counted(*arguments, **more):
        calls.append(1)
        return evaluate(*arguments, **more)

    monkeypatch.setattr(closing, "at_columns", counted)
    initial = {"motor1": spread(2.5, 2.6), "leg1.bend_z0": -1.0, "leg2.bend_z0": 1.0}
    p = parameter_columns(system, None, MEMBERS)
    members.starts(system, initial, p, MEMBERS, constant(np.zeros((system.nu, 1))))
    assert len(calls) < 2 * MEMBERS  # one by one, each would take some thirty


def test_a_member_out_of_its_range_is_named():
    system = chorda.assemble(chorda.load("neck-3"))
    angles = np.zeros(MEMBERS)
    angles[41] = 100.0
    with pytest.raises(InputError, match=r"initial of member 41: x1 = 100 rad is outside"):
        chorda.rollout(system, duration=0.01, step=1e-3, initial={"x1": angles})


def test_a_member_whose_loops_cannot_be_closed_is_named():
    system = chorda.assemble(chorda.load("rfrfr"))
    bases = (
        np.zeros(MEMBERS) + system.parameters()[system.parameter_names.index("motor1.position.x")]
    )
    bases[7] = 50.0
    initial = {"motor1": np.full(MEMBERS, 2.6), "motor2": 0.55}
    with pytest.raises(InputError, match=r"initial: of member 7: the closures cannot be shut"):
        chorda.rollout(
            system,
            duration=0.01,
            step=1e-3,
            initial=initial,
            parameters={"motor1.position.x": bases},
        )
