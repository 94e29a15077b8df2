"""Verdicts on stability: by energy, by closed forms, and what is told and drawn of them."""

import matplotlib.image
import numpy as np
import pytest

import chorda
from chorda.errors import InputError

KINDS = ("locked", "constant efforts")
G_OVER_L = 9.81 / 0.5  # of the pendulum
LIFT = 2.0 * 9.81 * 0.5  # [J] m g l


def energy(found, q):
    """Potential energy, the efforts' own included."""
    system = found.system
    stored = float(system.energies(q, np.zeros(system.nv), found.u, found.parameters)[1])
    at = [system.coordinate_names.index(name) for name in found.efforts]
    return stored - float(np.array(list(found.efforts.values())) @ q[at])


def test_a_pendulum_hangs_stably_and_swings_with_its_frequency(pendulum):
    found = chorda.stability(chorda.equilibrium(pendulum, strict=True))
    for kind in KINDS:
        assert found[kind].stable
        assert found[kind].eigenvalues == pytest.approx([LIFT], rel=1e-12)
        assert found[kind].square == pytest.approx(G_OVER_L, rel=1e-12)
    assert "0.705 Hz" in str(found)  # sqrt(g / l) / 2 pi


def test_a_pendulum_upright_falls(pendulum):
    rest = chorda.equilibrium(pendulum, hold={"swing": np.pi}, strict=True)
    found = chorda.stability(rest)
    assert found["locked"].stable
    assert not len(found["locked"].eigenvalues)
    assert not found["constant efforts"].stable
    assert found["constant efforts"].eigenvalues == pytest.approx([-LIFT], rel=1e-12)
    assert found["constant efforts"].square == pytest.approx(-G_OVER_L, rel=1e-12)
    assert "falls along swing +1" in found["constant efforts"].sentence


def test_without_weight_a_pendulum_is_neutral(pendulum):
    rest = chorda.equilibrium(pendulum, parameters={"gravity.x": 0.0})
    found = chorda.stability(rest)["locked"]
    assert (found.stability, found.negative, found.stable) == ("neutral", 0, False)
    assert found.sentence.startswith("NEUTRAL")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("which", ["planar", "low"])
def test_energy_rises_along_the_mode_exactly_where_the_verdict_is_stable(
    kind, which, planar, lowered
):
    rest = planar if which == "planar" else lowered.at(-1)
    found = chorda.stability(rest)
    sides = [energy(rest, found.displaced(x, kind)) for x in (-0.01, 0.01)]
    assert (min(sides) > energy(rest, rest.q)) == found[kind].stable
    assert found[kind].stable == (which == "planar")


@pytest.mark.parametrize("kind", KINDS)
def test_a_displaced_configuration_keeps_its_closures_shut(planar, kind):
    found = chorda.stability(planar)
    q = found.displaced(0.3, kind)
    gap = planar.system.closing(q, planar.u, planar.parameters)[0].full()
    assert np.max(np.abs(gap)) < 1e-9
    names = planar.system.coordinate_names
    motors = [names.index("motor1"), names.index("motor2")]
    still = np.max(np.abs(q - planar.q)[motors])
    assert still == 0 if kind == "locked" else still > 0.05


def test_verdicts_are_those_along_a_path(lowered):
    for i in (0, -1):
        found = chorda.stability(lowered.at(i))
        for kind in KINDS:
            along = lowered.stability[kind]
            assert found[kind].negative == along.negative[i]
            assert found[kind].margin == pytest.approx(along.margin[i], rel=1e-9)
            assert found[kind].eigenvalues == pytest.approx(along.eigenvalues[i], abs=1e-11)


def test_a_given_effort_does_not_lock_its_motor(planar):
    efforts = {"motor1": planar.efforts["motor1"]}
    hold = {"motor2": planar.position["motor2"]}
    rest = chorda.equilibrium(
        planar.system, hold=hold, efforts=efforts, initial=planar.q, strict=True
    )
    found = chorda.stability(rest)
    assert set(found["locked"].mode) == set(rest.position) - {"motor2"}
    assert set(found["constant efforts"].mode) == set(rest.position)


def test_with_nothing_actuated_both_verdicts_are_one(pendulum):
    found = chorda.stability(chorda.equilibrium(pendulum, strict=True))
    assert found["locked"].eigenvalues == pytest.approx(found["constant efforts"].eigenvalues)
    assert str(found).count("Stable with nothing actuated") == 1


def test_verdicts_are_told_in_a_table(planar):
    table = str(chorda.stability(planar).table())
    assert "locked" in table
    assert "constant efforts" in table
    assert "0 of 8" in table


@pytest.mark.parametrize("robot", ["planar", "spatial"])
def test_the_critical_mode_is_drawn(robot, request, tmp_path):
    found = chorda.stability(request.getfixturevalue(robot))
    figure = found.plot(tmp_path / "mode.png", "constant efforts")
    assert figure.axes[0].get_title(loc="left") == "Critical mode, constant efforts"
    assert matplotlib.image.imread(tmp_path / "mode.png")[..., :3].min() < 0.5


def test_kinds_that_are_not_known_are_refused(planar):
    with pytest.raises(InputError, match="'free' is not there; known: locked, constant efforts"):
        chorda.stability(planar)["free"]


def test_what_is_no_equilibrium_is_refused(planar):
    with pytest.raises(InputError, match=r"expected what chorda\.equilibrium returns"):
        chorda.stability(planar.system)
