"""W theta = y holds along a motion, W being the derivative of the equations of motion."""

import numpy as np
import pytest

import chorda
from chorda.describe import DryFriction, KelvinVoigt, Material, Motor, Point, Stiffening, Tendon
from chorda.errors import InputError
from chorda.identification.regressors import Regressor, relaxed
from chorda.identification.samples import Samples
from chorda.identification.unknowns import Unknowns, choose
from chorda.results.observe import accelerations, observed
from tests.helpers.evaluate import random_state
from tests.helpers.pulley_robots import random_robot
from tests.helpers.recordings import finger
from tests.helpers.robots import everything, x_joint_of_bars

PAY = 0.02 / 25
LINEAR = {  # what enters linearly, each list together
    "neck": ["x*.diagonal_mass", "x*.friction", "spring*.stiffness", "motor-*.inertia"],
    "pulleys": ["x*.bar_mass", "spring*.free_length", "x*.friction"],
    "closed": ["*.inertia.zz", "*.mass", "spring-*.damping", "spring-*.stiffness"],
    "finger": ["*.inertia.zz", "*.mass", "knuckle.stiffness", "middle.friction"],
    "everything": ["*.inertia*", "*.mass", "*.friction", "spring.free_length", "jet.force.*"],
    "chain": ["j*.mass", "j*.inertia.zz", "cable.pretension"],
}


def actuated_bars():
    """The X-joint of three hinges and a closure, pulled by two motors."""
    actuators = tuple(
        Motor(
            name=f"motor-{side}",
            inertia=1e-5,
            drum_radius=0.02,
            gear_ratio=25.0,
            dry_friction=DryFriction(torque=0.008, slope=0.5),
            friction=1e-4,
        )
        for side in ("a", "b")
    )
    ends = {"a": ((0.025, 0, 0), "origin"), "b": ((-0.025, 0, 0), (-0.05, 0, 0))}
    tendons = tuple(
        Tendon(
            name=side,
            path=(Point(point=foot), Point(frame="top", point=head)),
            law=KelvinVoigt(stiffness=1e4, damping=20.0, one_sided=False),
            actuator=f"motor-{side}",
        )
        for side, (foot, head) in ends.items()
    )
    return x_joint_of_bars(0.5).model_copy(update={"actuators": actuators, "tendons": tendons})


ROBOTS = {
    "neck": lambda: chorda.neck(2),
    "pulleys": lambda: chorda.load("fasquelle-3-pulleys"),
    "closed": actuated_bars,
    "finger": finger,
    "everything": everything,
    "chain": lambda: random_robot(3),
}


def sampled(system, q, v, u, p=None):
    """Samples with the accelerations of the dynamics."""
    p = system.parameter_values if p is None else p
    a, _ = accelerations(system, q, v, u, np.repeat(p[:, None], len(q), 1))
    return Samples(np.arange(len(q), dtype=float), q, v, a, u)


def motion(system, tension=5.0):
    """A few states of a simulated motion, or random ones where there is none to speak of."""
    if system.robot.name == "everything":
        states = [random_state(system, np.random.default_rng(k))[:3] for k in range(12)]
        return sampled(system, *(np.array(x) for x in zip(*states, strict=True)))
    joints = [c.name for c in system.coordinates if c.kind == "joint"]
    start = {joints[0]: 0.3, f"{joints[0]}.rate": -1.0}
    if system.nu and system.mode == "elastic":
        start["tension"] = tension
    run = chorda.simulate(
        system,
        duration=0.1,
        step=2e-4,
        scheme="rosenbrock",
        inputs=lambda t: [-0.01 * (k + 1) * np.cos(20 * t + k) for k in range(system.nu)],
        initial=start,
        every=25,
        strict=True,
    )
    assert np.ptp(run.position, axis=0).max() > 0.01
    return sampled(system, run.position, run.velocity, run.input)


@pytest.fixture(scope="module", params=list(ROBOTS))
def case(request):
    system = chorda.assemble(ROBOTS[request.param]())
    return request.param, system, motion(system)


def wanted(name, system):
    usual = choose(system).names
    return choose(system, [*usual, *LINEAR[name]])


def off(made, theta):
    """How far W theta is from y, relative to the terms that add up to it."""
    terms = np.abs(made.y) + np.abs(made.W) @ np.abs(theta)
    size = np.maximum(terms, 1e-6 * terms.max(axis=0))
    return np.max(np.abs(made.y - made.W @ theta) / size)


@pytest.mark.parametrize("tensions", ["modelled", "eliminated"])
def test_true_parameters_fulfil_the_equations_to_rounding(case, tensions):
    name, system, samples = case
    unknowns = wanted(name, system)
    regressor = Regressor(system, unknowns, tensions)
    made = regressor(samples, system.parameter_values)
    assert made.W.shape == (len(samples), regressor.rows, len(unknowns.names))
    assert len(made.names) == len(made.units) == regressor.rows
    assert off(made, unknowns.of(system.parameter_values)) < 1e-9
    wrong = unknowns.of(system.parameter_values) * (
        1 + 0.1 * (-1.0) ** np.arange(len(made.W[0, 0]))
    )
    assert off(made, wrong) > 1e-3


@pytest.mark.parametrize("tensions", ["modelled", "eliminated"])
def test_W_is_the_derivative_of_the_residual(case, tensions):
    """The residual with the parameters changed, its forces along C eliminated alike."""
    name, system, samples = case
    unknowns, p = wanted(name, system), system.parameter_values
    made = Regressor(system, unknowns, tensions)(samples, p)
    residual = Regressor(system, Unknowns((), (), ()), tensions)
    whole = Regressor(system, unknowns)(samples, p)
    terms = np.max(np.abs(whole.y) + np.abs(whole.W) @ np.abs(unknowns.of(p)))
    for j, rows in enumerate(unknowns.rows):
        h = 0.1 * max(abs(p[rows[0]]), 1e-3)
        up, down = p.copy(), p.copy()
        up[list(rows)] += h
        down[list(rows)] -= h
        slope = (residual(samples, up).y - residual(samples, down).y) / (2 * h)
        limit = 1e-9 * np.abs(slope).max() + 1e-13 * terms / h
        assert np.max(np.abs(made.W[:, :, j] + slope)) < limit, unknowns.names[j]


def test_equations_of_joints_are_those_of_the_system_without_the_tensions():
    """joint row - Z / B times motor row, and the motors' rows as they are, by System.residual."""
    system = chorda.assemble(chorda.neck(2))
    samples, unknowns = motion(system), choose(system)
    p, n = system.parameter_values, len(samples)
    made = Regressor(system, unknowns)(samples, p)

    def rows(values):
        columns = [x.T for x in (samples.q, samples.v, samples.a, samples.u)]
        r = system.residual.map(n)(*columns, np.repeat(values[:, None], n, 1)).full().T
        Z = system.function("arms", "q p", system.tendons.Z)
        arms = np.array([Z(q, values).full()[:2] for q in samples.q])
        return np.hstack([r[:, :2] - np.einsum("tij,tj->ti", arms, r[:, 2:]) / PAY, r[:, 2:]])

    assert made.names == ("x1", "x2", "motor-right1", "motor-right2", "motor-left")
    assert set(made.units) == {"N m"}
    none = unknowns.into(p, np.zeros(len(unknowns.names)))
    assert np.allclose(made.y, rows(none), rtol=1e-9, atol=1e-12)
    for j, own in enumerate(unknowns.rows):
        one = none.copy()
        one[list(own)] = 1.0
        assert np.allclose(made.W[:, :, j], rows(none) - rows(one), rtol=1e-6, atol=1e-9)


def test_rigid_tendons_need_no_elimination():
    system = chorda.assemble(chorda.neck(2), "rigid")
    samples, unknowns = motion(system), choose(system, ["*.dry_torque", "*.inertia", "*_mass"])
    p, n = system.parameter_values, len(samples)
    made = Regressor(system, unknowns)(samples, p)
    assert off(made, unknowns.of(p)) < 1e-9
    columns = [x.T for x in (samples.q, samples.v, samples.a, samples.u)]
    for j, own in enumerate(unknowns.rows):
        values = [np.repeat(unknowns.into(p, 0 * p[: len(unknowns.names)])[:, None], n, 1)] * 2
        values[1] = values[0].copy()
        values[1][list(own)] = 1.0
        zero, one = (system.residual.map(n)(*columns, x).full().T for x in values)
        assert np.allclose(made.W[:, :, j], zero - one, rtol=1e-9, atol=1e-12)


def test_tied_unknowns_are_one_column_the_sum_of_theirs():
    system = chorda.assemble(chorda.neck(2))
    samples, p = motion(system), system.parameter_values
    apart = Regressor(system, choose(system))(samples, p)
    names = choose(system).names
    tied = choose(system, tied=["*.dry_torque", "right*.stiffness"])
    made = Regressor(system, tied)(samples, p)
    assert tied.names[0] == "*.dry_torque"
    assert "left.stiffness" in tied.names
    assert "right1.stiffness" not in tied.names
    for name, column in zip(tied.names, made.W.transpose(2, 0, 1), strict=True):
        start, _, end = name.rpartition("*")
        own = [k for k, x in enumerate(names) if x.startswith(start) and x.endswith(end)]
        if "*" not in name:
            own = [names.index(name)]
        assert np.allclose(column, apart.W[:, :, own].sum(axis=2), rtol=1e-12, atol=1e-12)
    assert off(made, tied.of(p)) < 1e-9


def test_eliminated_tensions_leave_no_trace_of_the_laws(case):
    name, system, samples = case
    p, unknowns = system.parameter_values, choose(system, LINEAR[name])
    made = Regressor(system, unknowns, "eliminated")(samples, p)
    laws = {t.name for t in system.robot.tendons}
    other = p.copy()
    for i, known in enumerate(system.parameter_names):
        if known.rpartition(".")[0] in laws and known.endswith(("stiffness", "damping")):
            other[i] *= 3
    again = Regressor(system, unknowns, "eliminated")(samples, other)
    size = np.abs(Regressor(system, unknowns)(samples, other).y).max()
    if name != "chain":  # its pretension is among the unknowns
        assert np.allclose(made.y, again.y, rtol=0, atol=1e-9 * (1 + size))
    assert np.allclose(made.W, again.W, rtol=1e-9, atol=1e-9 * np.abs(made.W).max())


@pytest.mark.parametrize(
    ("robot", "names", "said"),
    [
        ("neck", ["*.dry_torque", "motor-left.dry_slope"], "motor-left.dry_torque, motor-left.dry"),
        ("neck", ["motor-left.dry_slope"], "motor-left.dry_slope"),
        ("neck", ["x1.diagonal_length"], "x1.diagonal_length"),
        ("neck", ["motor-left.drum_radius"], "motor-left.drum_radius"),
        ("neck", ["gravity.y", "x1.bar_mass"], "gravity.y, x1.bar_mass"),
        ("pulleys", ["right1.path0.radius"], "right1.path0.radius"),
        ("closed", ["loop.start.x"], "loop.start.x"),
        ("closed", ["right.position.x"], "right.position.x"),
        ("finger", ["middle.center.y"], "middle.center.y"),
        ("everything", ["hull.center.x", "hull.mass"], "hull.mass, hull.center.x"),
    ],
)
def test_what_is_not_linear_is_refused_by_name(robot, names, said):
    system = chorda.assemble(ROBOTS[robot]())
    with pytest.raises(InputError, match=r"refine=\[\.\.\.\]") as caught:
        Regressor(system, choose(system, names))
    assert f"not linear in {said}" in str(caught.value)


def test_free_length_is_linear_alone_but_not_beside_its_stiffness():
    system = chorda.assemble(chorda.neck(1))
    Regressor(system, choose(system, ["spring1-left.free_length", "spring1-right.stiffness"]))
    with pytest.raises(InputError, match=r"spring1-left\.stiffness.*spring1-left\.free_length"):
        Regressor(system, choose(system, ["spring1-left.*"]))


@pytest.mark.parametrize(
    "law",
    [
        KelvinVoigt(stiffness=1e5, damping=100.0, one_sided=True),
        Stiffening(stiffness=5e4, stiffening=1e8, damping=100.0, one_sided=True),
        Material(
            young_modulus=5e9, damping_modulus=5e6, section=1e-6, over="unwound", one_sided=True
        ),
    ],
    ids=lambda law: law.kind,
)
def test_one_sided_tendons_are_linear_once_they_may_push(law):
    robot = chorda.neck(2)
    tendons = tuple(t.model_copy(update={"law": law}) for t in robot.tendons)
    system = chorda.assemble(robot.model_copy(update={"tendons": tendons}))
    unknowns = choose(system)
    with pytest.raises(InputError, match=r"not linear in right1\."):
        Regressor(system, unknowns)
    model = relaxed(system)
    assert model.parameter_names == system.parameter_names
    assert not any(t.law.one_sided for t in model.robot.tendons)
    samples, p = motion(system, 15.0), system.parameter_values
    pushing = sampled(model, samples.q, samples.v, samples.u)
    taut = np.all(observed(model, samples.q, samples.v, samples.u, p)["tension"] > 0, axis=1)
    assert 0 < np.sum(taut) < len(taut)
    assert np.allclose(pushing.a[taut], samples.a[taut], rtol=1e-9, atol=1e-6)
    made = Regressor(model, unknowns)
    assert off(made(pushing, p), unknowns.of(p)) < 1e-9
    assert off(made(samples.at(taut), p), unknowns.of(p)) < 1e-9
    assert off(made(samples.at(~taut), p), unknowns.of(p)) > 1e-3


def test_a_system_without_one_sided_tendons_is_relaxed_already():
    system = chorda.assemble(chorda.neck(1))
    assert relaxed(system) is system


@pytest.mark.parametrize("tensions", ["modelled", "eliminated"])
@pytest.mark.parametrize("robot", ["neck", "pulleys", "closed", "finger", "everything"])
@pytest.mark.parametrize("which", ["joint", "motor"])
def test_drift_is_how_the_residual_changes_when_a_sensor_is_late(
    robot, tensions, which, monkeypatch
):
    """Positions and velocities of the late ones moved in time, the rest as it is."""
    system = chorda.assemble(ROBOTS[robot]())
    samples, p = motion(system), system.parameter_values
    motors = {f"{c.name}.rate" for c in system.coordinates if c.kind == "motor"}
    late = np.array([float((n in motors) == (which == "motor")) for n, _ in system.velocities])
    h = min(1e-6, 1e-3 / np.abs(samples.a).max())
    monkeypatch.setattr("chorda.identification.regressors.TICK", h)
    got = Regressor(system, choose(system), tensions).drift(samples, p, late)
    residual = Regressor(system, Unknowns((), (), ()), tensions)
    rates = np.array(
        [
            system.kinematics(q).full() @ (late * v)
            for q, v in zip(samples.q, samples.v, strict=True)
        ]
    )

    def after(h):
        q, v = samples.q + h * rates, samples.v + h * late * samples.a
        return residual(Samples(samples.time, q, v, samples.a, samples.u), p).y

    slope = (8 * (after(h) - after(-h)) - (after(2 * h) - after(-2 * h))) / (12 * h)
    assert np.abs(slope).max() > 1e-3
    assert np.allclose(got, slope, rtol=1e-4, atol=1e-6 * np.abs(slope).max())


def test_unknowns_go_into_parameters_and_back():
    system = chorda.assemble(chorda.neck(2))
    unknowns = choose(system, tied=["*.damping"])
    theta = np.arange(1.0, len(unknowns.names) + 1)
    p = unknowns.into(system.parameter_values, theta)
    assert np.array_equal(unknowns.of(p), theta)
    untouched = np.delete(np.arange(len(p)), [row for rows in unknowns.rows for row in rows])
    assert np.array_equal(p[untouched], system.parameter_values[untouched])


def test_unknowns_come_as_frictions_then_stiffnesses_then_dampings():
    unknowns = choose(chorda.assemble(chorda.neck(1)), ["*"])
    kinds = [name.rpartition(".")[2] for name in unknowns.names]
    assert kinds[:2] == ["dry_torque"] * 2
    first = {kind: kinds.index(kind) for kind in ("friction", "stiffness", "damping", "inertia")}
    assert list(first) == sorted(first, key=first.__getitem__)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"parameters": ["left.stifness"]}, "did you mean left.stiffness"),
        ({"tied": ["*.nothing"]}, "tied: '*.nothing' is not there"),
        ({"parameters": "left.stiffness"}, "expected lists of names, got a text"),
    ],
)
def test_names_are_checked(how, says):
    with pytest.raises(InputError) as caught:
        choose(chorda.assemble(chorda.neck(1)), **how)
    assert says in str(caught.value)


def test_a_robot_without_frictions_and_tendons_asks_for_names():
    with pytest.raises(InputError, match="name what to identify, for example gravity"):
        choose(chorda.assemble(x_joint_of_bars()))


def test_tensions_that_cannot_be_eliminated_are_refused():
    system = chorda.assemble(chorda.neck(1), "rigid")
    with pytest.raises(InputError, match="tendons and closures of this robot are not independent"):
        Regressor(system, choose(system), "eliminated")(motion(system), system.parameter_values)
    with pytest.raises(InputError, match="tensions: expected 'modelled' or 'eliminated'"):
        Regressor(system, choose(system), "guessed")
