"""Friction along tendons in the verbs: what holds at rest, batches, gradients, control, exports."""

import numpy as np
import pytest

import chorda
from chorda.describe import Bearing, Capstan, Tendon
from chorda.errors import DescriptionError, InputError
from tests.helpers.rubbing_tendons import CAPSTAN, SOFT, at, carriage, chain

CORNER = (at(2.0, 1.0), at(2.0, 0.0), at(1.0, 0.0))
STUCK = Capstan(coefficient=0.3, deflection=1e-4)
SMOOTH = Capstan(coefficient=0.3, speed=0.01)
PULL = 7.0


@pytest.fixture(scope="module")
def sticking():
    return chorda.assemble(carriage(CORNER, STUCK))


def pulled(system, way):
    return chorda.equilibrium(
        system, tensions={"pull": PULL}, parameters={"pull.sliding": way}, strict=True
    )


@pytest.mark.parametrize("way", [1.0, 0.5, -1.0])
def test_bristles_hold_the_cart_where_it_was_left(sticking, way):
    rest = pulled(sticking, way)
    run = chorda.simulate(sticking, duration=1.0, step=2e-3, initial=rest, strict=True)
    assert np.abs(run.position[:, 0] - rest.position["cart"]).max() < 1e-9


def test_less_tension_moves_a_pulled_cart_little_until_it_slides_back(sticking):
    """Between the ends of the band bristles bend, by less than their deflection."""
    rest = pulled(sticking, 1.0)
    tension = {"winch": lambda t: PULL * (1 - 0.2 * min(t, 1.0))}
    run = chorda.simulate(sticking, duration=3.0, step=2e-3, initial=rest, inputs=tension)
    moved = abs(run.position[-1, 0] - rest.position["cart"])
    free = chorda.equilibrium(sticking, tensions={"pull": 0.8 * PULL}).position["cart"]
    assert moved < 2e-4 < abs(free - rest.position["cart"]) / 10


def test_smooth_friction_cannot_hold_an_equilibrium_and_says_so():
    system = chorda.assemble(carriage(CORNER, SMOOTH))
    with pytest.raises(InputError, match=r"friction along pull holds .*deflection"):
        chorda.simulate(system, duration=0.1, step=1e-3, initial=pulled(system, 1.0))
    run = chorda.simulate(system, duration=0.1, step=1e-3, initial=pulled(system, 0.0))
    assert run.status.ok


def test_a_path_over_the_sliding_is_the_band_of_equilibria(sticking):
    path = chorda.follow(pulled(sticking, 1.0), hold={"pull.sliding": np.linspace(1, -1, 9)})
    assert path.status.ok, path.status
    ends = [pulled(sticking, way).position["cart"] for way in (1.0, -1.0)]
    np.testing.assert_allclose(path.q[[0, -1], 0], ends, atol=1e-9)
    assert np.all(np.diff(path.q[:, 0]) > 0)


def test_the_status_says_which_branch_it_is():
    system = chorda.assemble(carriage(CORNER, SMOOTH))
    for way, words in ((1.0, "after pulling"), (-1.0, "after releasing"), (0.0, "is left out")):
        assert words in pulled(system, way).status.message


def test_sliding_beyond_one_is_refused(sticking):
    with pytest.raises(InputError, match=r"'pull.sliding' must be -1 to 1, got 2"):
        pulled(sticking, 2.0)


@pytest.mark.parametrize("friction", [SMOOTH, STUCK], ids=["smooth", "bristles"])
def test_a_batch_moves_as_single_runs_do(friction):
    system = chorda.assemble(chain(3, friction=friction))
    starts = [{"j0": x, "j1": -0.1, "tension": 5.0} for x in (0.1, 0.3)]
    how = {"duration": 0.2, "step": 1e-3, "inputs": {"m-up": -0.05, "m-down": 0.01}}
    many = chorda.rollout(system, initial={"j0": [0.1, 0.3], "j1": -0.1, "tension": 5.0}, **how)
    for k, start in enumerate(starts):
        run = chorda.simulate(system, initial=start, **how)
        np.testing.assert_allclose(many.position[k, -1], run.position[-1], atol=1e-12)


def test_gradients_by_the_coefficient_are_exact():
    system = chorda.assemble(chain(2, friction=SMOOTH))
    name = "up.friction_coefficient"
    how = {
        "duration": 0.1,
        "step": 1e-3,
        "scheme": "bdf2",
        "inputs": {"m-up": -0.06, "m-down": 0.0},
    }
    many = chorda.rollout(system, initial={"j0": [0.2, 0.3]}, gradients=[name], **how)
    exact = many.by[0, -1][: system.nq, many.unknowns.index(name)]
    ends = [
        chorda.simulate(system, parameters={name: 0.3 + d}, initial={"j0": 0.2}, **how).position[-1]
        for d in (-1e-4, 1e-4)
    ]
    slope = (ends[1] - ends[0]) / 2e-4
    np.testing.assert_allclose(exact, slope, rtol=1e-4, atol=1e-8)
    assert np.abs(slope).max() > 1e-4


def test_control_that_makes_up_for_friction_follows_better():
    """Feed-forward alone, so that nothing else corrects it."""
    robot = chorda.load("neck-3")
    rubs = {"friction": Capstan(coefficient=0.5, speed=0.002)}
    tendons = tuple(x.model_copy(update=rubs) if len(x.path) > 2 else x for x in robot.tendons)
    system = chorda.assemble(robot.model_copy(update={"tendons": tendons}))
    sine = chorda.control.Sine.from_rest((0.6, 0.5, 0.4))
    errors = []
    for helps in (False, True):
        control = chorda.control.JointControl(sine, kind="feed-forward", compensates_friction=helps)
        run = chorda.simulate(
            system, duration=6.0, step=2e-3, control=control, initial={"tension": 5.0}, strict=True
        )
        errors.append(np.abs(run.position[:, :3] - sine(run.time)[0]).max())
    assert errors[1] < errors[0] / 3


def test_control_without_friction_has_nothing_to_make_up_for():
    system = chorda.assemble(chorda.load("neck-1"))
    control = chorda.control.JointControl(
        chorda.control.Sine.from_rest((0.1,)), compensates_friction=True
    )
    with pytest.raises(InputError, match="compensates_friction: neck-1 has no friction"):
        chorda.simulate(system, duration=0.1, step=1e-3, control=control)


def test_reactions_are_those_of_the_tensions_along_the_cable():
    system = chorda.assemble(chain(3, friction=Capstan(coefficient=0.4, speed=0.01)))
    run = chorda.simulate(
        system,
        duration=0.3,
        step=1e-3,
        initial={"j0": 0.3, "tension": 5.0},
        inputs={"m-up": -0.08, "m-down": 0.0},
        strict=True,
    )
    found = chorda.reactions(run)
    assert np.abs(found.effort.values).max() < 1e-9
    along = found.tension.sel(segment=["up.0-1", "up.2-3"]).values
    assert np.abs(along[:, 0] - along[:, 1]).max() > 0.1


def test_rigid_tendons_are_refused():
    with pytest.raises(InputError, match=r"'up' has friction.*got 'rigid'"):
        chorda.assemble(chain(), tendons="rigid")


def test_mujoco_has_no_such_friction(tmp_path):
    with pytest.raises(InputError, match=r"friction along up, down; MuJoCo"):
        chorda.export(chorda.assemble(chain()), tmp_path / "chain.xml", to="mjcf")


def test_step_limits_count_the_slope_of_friction():
    """Steep friction asks explicit schemes for shorter steps."""
    limits = []
    for speed in (0.1, 1e-3):
        system = chorda.assemble(chain(2, friction=Capstan(coefficient=0.5, speed=speed)))
        found = chorda.step_limits(system, initial={"j0": 0.4, "tension": 20.0})
        limits.append({name: step for name, step, _ in found.table()}["explicit-euler"])
    assert limits[1] < limits[0] / 2


def bent(**more):
    path = (at(1.0, 1.0), at(1.0, 0.0, **more.pop("corner", {})), at(0.0, 0.0))
    return Tendon(name="t", path=path, law=SOFT, actuator="m", **more)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Capstan(coefficient=-0.1), "coefficient"),
        (lambda: Capstan(coefficient=0.1, speed=0.0), "speed"),
        (
            lambda: Capstan(coefficient=0.1, speed=1e-3, deflection=1e-4),
            "leave speed or deflection",
        ),
        (lambda: Bearing(coefficient=0.1, pin_radius=0.0), "pin_radius"),
        (lambda: bent(corner={"friction": {"kind": "bearing", "coefficient": 0.1}}), "bearing"),
        (lambda: carriage(CORNER[:1], CAPSTAN), "rubs nowhere"),
        (
            lambda: carriage((at(2, 1, friction=CAPSTAN), at(1, 0)), None),
            "tendons.0.path.0.friction: the path of 'pull' ends here",
        ),
        (
            lambda: carriage(CORNER, CAPSTAN, actuator=chorda.describe.Winch(name="winch")),
            "does not stretch",
        ),
    ],
)
def test_friction_that_cannot_be_is_refused_by_its_field(make, words):
    with pytest.raises(DescriptionError, match=words):
        make()


@pytest.mark.parametrize("way", [1.0, -1.0, 0.0])
def test_the_tension_of_an_equilibrium_is_that_at_the_actuator(way):
    """Torque over the drum's radius, whatever friction leaves beyond; reactions are in balance."""
    system = chorda.assemble(chain(3, friction=STUCK))
    rest = chorda.equilibrium(
        system, torques={"m-up": -0.08, "m-down": -0.05}, parameters={"*.sliding": way}
    )
    np.testing.assert_allclose(rest.tension, [8.0, 5.0], rtol=1e-9)
    assert np.abs(chorda.reactions(rest).effort.values).max() < 1e-9


@pytest.mark.parametrize("held", [False, True])
def test_bristles_are_kept_beside_what_held_a_joint(held):
    system = chorda.assemble(chain(3, friction=STUCK))
    how = {"inputs": {"m-up": -0.08, "m-down": -0.05}, "parameters": {"*.sliding": 1.0}}
    free = chorda.equilibrium(system, **how, strict=True)
    given = {"hold": {"j1": free.position["j1"] + 0.02}} if held else {"efforts": {"j1": 0.02}}
    rest = chorda.equilibrium(system, **how, **given, initial=free, strict=True)
    assert rest.position["up.path1.bristle"] == pytest.approx(STUCK.deflection)
    for same in (system, chorda.assemble(system.robot)):
        run = chorda.simulate(same, duration=0.1, step=1e-3, scheme="bdf2", initial=rest)
        assert np.abs(run.position - rest.q).max() < 1e-9


def test_runs_are_saved_and_opened(tmp_path):
    eyelet = Capstan(coefficient=0.5, speed=0.03)
    system = chorda.assemble(chain(3, friction=STUCK, eyelets=eyelet))
    run = chorda.simulate(system, duration=0.01, step=1e-3, initial={"tension": 5.0})
    again = chorda.open(run.save(tmp_path / "run.nc"))
    np.testing.assert_array_equal(again.position, run.position)
    assert again.system.robot == system.robot


def test_friction_holds_no_configuration_beyond_its_band(sticking):
    rest = pulled(sticking, 1.0)
    free = pulled(sticking, 0.0).position["cart"]
    near, far = (rest.position["cart"] + k * (free - rest.position["cart"]) for k in (0.5, -2.0))
    found = chorda.equilibrium(
        sticking,
        tensions={"pull": PULL},
        hold={"cart": near},
        actuated=["pull.sliding"],
        initial=rest,
    )
    assert found.status.ok
    assert "of sliding" in found.status.message
    found = chorda.equilibrium(
        sticking,
        tensions={"pull": PULL},
        hold={"cart": far},
        actuated=["pull.sliding"],
        initial=rest,
    )
    assert not found.status.ok


def test_control_makes_up_for_friction_with_bristles_as_for_smooth_one():
    robot = chorda.load("neck-3")
    laws, inputs = (
        (Capstan(coefficient=0.5, speed=1e-3), Capstan(coefficient=0.5, deflection=1e-4)),
        [],
    )
    for law in laws:
        rubs = {"friction": law}
        tendons = tuple(x.model_copy(update=rubs) if len(x.path) > 2 else x for x in robot.tendons)
        system = chorda.assemble(robot.model_copy(update={"tendons": tendons}))
        sine = chorda.control.Sine.from_rest((0.6, 0.5, 0.4))
        control = chorda.control.JointControl(sine, compensates_friction=True)
        w = control.signal(system, np.array([0.5]))[0]
        q, v = np.zeros(system.nq), np.zeros(system.nv)
        q[:3], v[:3] = w[:3], w[3:6]
        inputs.append(control.law(system)(0.0, q, v, w, system.parameters()).full().ravel())
    np.testing.assert_allclose(inputs[0], inputs[1], rtol=1e-6)


def test_friction_of_a_tendon_that_pushes_takes_energy_too():
    """Without other losses, energy less the motor's work never rises."""
    law = SOFT.model_copy(update={"one_sided": False, "damping": 0.0})
    system = chorda.assemble(chain(2, friction=SMOOTH, law=law))
    quiet = {"j*.friction": 0.0, "m-*.friction": 0.0}
    run = chorda.simulate(
        system,
        duration=0.5,
        step=1e-4,
        scheme="rk4",
        initial={"j0": 0.3, "j1": -0.2},
        parameters=quiet,
        strict=True,
    )
    T, V = run.energy
    assert run.data["tension"].min() < -1.0
    assert np.diff(T + V).max() < 1e-7
    assert (T + V)[-1] < 0.98 * (T + V)[0]


def test_a_bearing_that_no_cable_can_turn_is_refused():
    rim = {"point": (1.0, 0.1, 0), "radius": 0.1, "side": "right"}
    bearing = {"kind": "bearing", "coefficient": 2.0, "pin_radius": 0.06}
    with pytest.raises(
        DescriptionError, match=r"path.1.friction: expected coefficient \* pin_radius"
    ):
        carriage((at(1.5, 2.0), {**rim, "friction": bearing}), friction=None)
    fine = {**bearing, "coefficient": 0.5}
    system = chorda.assemble(carriage((at(1.5, 2.0), {**rim, "friction": fine}), friction=None))
    with pytest.raises(InputError, match=r"must be below 'pull.path1.radius'"):
        system.parameters({"pull.path1.pin_radius": 0.3})


def test_a_path_that_friction_holds_ends_where_its_band_does(sticking):
    rest = pulled(sticking, 1.0)
    way = np.linspace(rest.position["cart"], 0.2, 9)
    path = chorda.follow(rest, hold={"cart": way}, actuated=["pull.sliding"])
    assert path.status.code == "limit"
    assert path.settings["pull.sliding"][-1] == pytest.approx(-1.0, abs=1e-6)
    assert path.q[-1, 0] == pytest.approx(pulled(sticking, -1.0).position["cart"], abs=1e-6)
