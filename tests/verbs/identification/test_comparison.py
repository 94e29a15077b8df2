"""The law that made the data wins on data that it was not fitted to."""

from dataclasses import replace

import numpy as np
import pytest

import chorda
from chorda.control import Fourier, JointControl
from chorda.describe import KelvinVoigt, Material, Stiffening
from chorda.errors import InputError, LogError
from chorda.identification import Candidate, Log, Sensors, compare, identify
from chorda.identification.comparison import split
from chorda.identification.virtual.sensors import measured

LAWS = {
    "kelvin-voigt": KelvinVoigt(stiffness=1e4, damping=50.0, one_sided=False),
    "stiffening": Stiffening(stiffness=4e3, stiffening=2e6, damping=50.0, one_sided=False),
    "material": Material(young_modulus=1e9, damping_modulus=5e6, section=1e-6, one_sided=False),
    "unwound": Material(
        young_modulus=1e9, damping_modulus=5e6, section=1e-6, over="unwound", one_sided=False
    ),
}


def neck(law):
    base = chorda.neck(2)
    tendons = tuple(t.model_copy(update={"law": LAWS[law]}) for t in base.tendons)
    return base.model_copy(update={"tendons": tendons})


def recorded(law, tension=20.0, duration=20.0):
    system = chorda.assemble(neck(law))
    joints = Fourier.random(2, 0.5, 0.1, harmonics=5, seed=3)
    return chorda.simulate(
        system,
        duration=duration,
        step=5e-4,
        scheme="rosenbrock",
        control=JointControl(joints, frequency=6.0, minimum_tension=tension),
        initial={"tension": tension},
        strict=True,
        progress=False,
    )


def seen(run, sensors):
    return Log(measured(run, sensors, 1), "virtual experiment")


@pytest.fixture(scope="module")
def run():
    return recorded("stiffening")


@pytest.fixture(scope="module")
def compared(run):
    return compare(seen(run, Sensors()), {name: neck(name) for name in LAWS})


def test_the_true_law_wins_on_held_out_data(compared):
    assert compared.best.name == "stiffening"
    misfits = [s.held_out_misfit for s in compared.scores]
    assert misfits == sorted(misfits)
    by_name = {s.name: s for s in compared.scores}
    others = [s for name, s in by_name.items() if name != "stiffening"]
    assert all(s.tension_error > 1.2 * by_name["stiffening"].tension_error for s in others)


def test_the_true_law_is_exact_without_noise(run):
    models = {name: neck(name) for name in ("kelvin-voigt", "stiffening")}
    result = compare(seen(run, Sensors.ideal(500)), models, method="least squares")
    best, other = result.scores
    assert best.name == "stiffening"
    assert best.held_out_misfit < 1e-2 * other.held_out_misfit
    assert best.tension_error < 0.1 < other.tension_error  # [N]


def test_a_cable_that_gets_longer_is_told_from_one_that_does_not():
    """Both have one modulus; only the length that it is divided by differs."""
    truth = recorded("unwound", tension=40.0)
    models = {name: neck(name) for name in ("material", "unwound")}
    result = compare(seen(truth, Sensors.ideal(500)), models, method="least squares")
    assert result.best.name == "unwound"
    assert result.scores[0].held_out_misfit < 0.1 * result.scores[1].held_out_misfit


def test_the_table_names_models_unknowns_and_errors(compared):
    table = compared.table()
    assert table.header[0] == "model"
    assert [row[0] for row in table.rows] == [s.name for s in compared.scores]
    unknowns = {row[0]: row[1] for row in table.rows}
    assert unknowns == {"kelvin-voigt": 9, "stiffening": 12, "material": 9, "unwound": 9}
    assert table.header[2:] == ("misfit [%]", "held out [%]", "tension error [N]")
    for row, score in zip(table.rows, compared.scores, strict=True):
        errors = 100 * score.misfit, 100 * score.held_out_misfit, score.tension_error
        assert row[2:] == pytest.approx(errors)
    assert "first 67 %" in table.note


def test_fitting_uses_the_first_part_only(run):
    log = seen(run, Sensors())
    result = compare(log, {"one": Candidate(neck("stiffening"), tied=["*.damping"])}, held_out=0.5)
    alone = identify(split(log, 0.5)[0], neck("stiffening"), tied=["*.damping"])
    assert [f.value for f in result.best.fitted.estimates] == [f.value for f in alone.estimates]
    assert result.best.fitted.unknowns.names[-1] == "*.damping"


def test_split_cuts_every_channel_at_the_same_time(run):
    log = seen(run, Sensors())
    first, second = split(log, 0.6)
    for name, channel in log.channels.items():
        one, two = first.channels[name], second.channels[name]
        assert np.array_equal(np.concatenate([one.time, two.time]), channel.time)
        assert np.array_equal(np.concatenate([one.value, two.value]), channel.value)
        assert one.time[-1] <= 0.6 * 20.1
        assert two.time[0] > 0.6 * 19.9
    middle = {c.time[-1] for c in first.channels.values()}
    assert max(middle) - min(middle) < 0.11  # a camera period and a lost frame or two


def test_sensors_without_a_time_in_common_are_refused(run):
    log = seen(run, Sensors())
    late = replace(log.channels["x1"], time=log.channels["x1"].time + 100)
    with pytest.raises(LogError, match="no time in common"):
        split(replace(log, channels={**log.channels, "x1": late}), 0.5)


@pytest.mark.parametrize(
    ("models", "held_out", "says"),
    [
        ({}, 0.3, "models: expected at least one"),
        ({"a": "neck"}, 0.01, "held_out: expected a part between"),
        ({"a": "neck"}, 1.0, "held_out: expected a part between"),
    ],
)
def test_arguments_are_checked(run, models, held_out, says):
    with pytest.raises(InputError, match=says):
        compare(seen(run, Sensors()), models, held_out=held_out)
