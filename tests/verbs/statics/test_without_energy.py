"""Stability of robots whose forces have no energy, in all verbs that report it."""

import numpy as np
import pytest
import yaml

import chorda
from chorda.describe import Body, Load, Modes, Placement, Point, Revolute, Robot
from tests.helpers.rod_robots import EI, L, pushed, robot, rod

FLUTTER = 3.5 - 2**0.5  # [N] of `pendulum`


def pendulum(load=1.0):
    """Ziegler's, with bars of 1 m and springs of 1 N m/rad."""
    near = Revolute(name="near", stiffness=1.0, body=Body(mass=2.0, center=(1, 0, 0)))
    far = Revolute(
        name="far",
        parent="near",
        placement=Placement(position=(1, 0, 0)),
        stiffness=1.0,
        body=Body(mass=1.0, center=(1, 0, 0)),
    )
    push = Load(
        name="push", at=Point(frame="far", point=(1, 0, 0)), force=(-load, 0, 0), follows=True
    )
    return Robot(name="ziegler", gravity=(0, 0, 0), joints=(near, far), loads=(push,))


def test_map_says_where_it_flutters(tmp_path):
    first = chorda.equilibrium(chorda.assemble(pendulum()))
    found = chorda.workspace(first, {"push.force.x": np.linspace(-3.0, -1.0, 9)})
    loads = found.values[0]
    assert np.array_equal(found.stable(), loads > -FLUTTER)
    assert np.array_equal(found.instability() == "flutter", loads < -FLUTTER)
    assert found.at(0).instability == "flutter"
    assert found.at(0).criterion == "motion"
    again = chorda.open_workspace(found.save(tmp_path / "map.nc"))
    assert np.array_equal(again.instability(), found.instability())


@pytest.mark.parametrize("kind", ["equilibrium", "stability"])
def test_sweep_keeps_where_it_flutters(kind):
    described = {
        "robot": yaml.safe_load(chorda.describe.dump(pendulum())),
        "vary": [{"name": "push.force.x", "kind": "list", "at": [-1.0, -2.0, -2.2]}],
        "compute": {"kind": kind, "keep": ["stable", "flutter", "by_motion"]},
    }
    data = chorda.sweep(described, jobs=1).data
    first = {"motors": 0} if kind == "stability" else {}
    read = {x: data[x].isel(first).values.tolist() for x in ("stable", "flutter", "by_motion")}
    assert read == {"stable": [1, 1, 0], "flutter": [0, 0, 1], "by_motion": [1, 1, 1]}


def column(basis, load, count=12):
    modes = Modes(twist=0, bend_y=0, bend_z=count, stretch=0, basis=basis)
    push = pushed((-load * EI / L**2, 0, 0))
    return chorda.equilibrium(chorda.assemble(robot(rod(modes.model_dump()), loads=(push,))))


@pytest.mark.parametrize("load", [0.0, 0.99 * np.pi**2 / 4, 1.01 * np.pi**2 / 4, 30.0])
def test_stability_does_not_depend_on_the_functions_of_a_rod(load):
    one, other = column("legendre", load), column("monomial", load)
    assert one.stability == other.stability
    assert one.stability == ("stable" if load < np.pi**2 / 4 else "unstable")
    assert np.allclose(one.eigenvalues, other.eigenvalues, rtol=1e-6)
    judged = chorda.stability(other)["locked"]
    assert judged.stability == one.stability
    assert judged.square == pytest.approx(chorda.stability(one)["locked"].square, rel=1e-3)


@pytest.mark.parametrize("how", ["parameters", "hold"])
def test_batch_says_where_it_flutters(how):
    first = chorda.equilibrium(chorda.assemble(pendulum()))
    loads = np.linspace(-3.0, -1.0, 9)
    batch = chorda.equilibrium_batch(first, **{how: {"push.force.x": loads}})
    locked = batch.stability["locked"]
    assert np.array_equal(batch.stable, loads > -FLUTTER)
    assert [x == "flutter" for x in locked.instability] == (loads < -FLUTTER).tolist()
    assert set(locked.criterion) == {"motion"}
    assert batch.at(0).instability == "flutter"
    assert batch.parameters[:, first.system.parameter_names.index("push.force.x")] == pytest.approx(
        loads
    )


def test_members_of_many_monomials_are_judged_with_their_own_parameters():
    start = column("monomial", 1.0, count=8)
    name = "push.force.x"
    loads = -np.array([1.0, 2.0, 3.0]) * EI / L**2  # it buckles at pi^2 / 4
    batch = chorda.equilibrium_batch(start, parameters={name: loads})
    locked = batch.stability["locked"]
    for i, load in enumerate(loads.tolist()):
        one = chorda.equilibrium(start.system, parameters={name: load}, initial=start)
        assert locked.words[i] == one.stability
        assert np.allclose(locked.eigenvalues[i], one.eigenvalues, rtol=1e-6)
    assert batch.stable.tolist() == [True, True, False]
