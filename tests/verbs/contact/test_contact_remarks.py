"""What a user is told: shapes that overlap at the start, friction at rest, what contacts cost."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import chorda
from chorda.cli.contact_tables import contact_tables, operations
from chorda.describe.contact_materials import STARTING_VALUES
from chorda.errors import ChordaError
from tests.helpers.touching_robots import PRESSED, ball, gaps_at, leaning_neck, touching


def test_a_motion_from_overlapping_shapes_says_which_and_how_deep():
    system = chorda.assemble(ball(0.05, stiffness=1e5))
    run = chorda.simulate(system, duration=0.01, step=1e-4, initial={"y": -0.06})
    expected = "shapes 'floor' and 'ball' of contact 'touch' overlap by 10 mm"
    assert expected in run.status.message
    assert "2e+03 m/s^2" in run.status.message  # 1000 N on 0.5 kg
    apart = chorda.simulate(system, duration=0.01, step=1e-4, initial={"y": -0.04})
    assert "overlap" not in apart.status.message


def test_a_batch_says_which_member_overlaps_most():
    system = chorda.assemble(ball(0.05, stiffness=1e5))
    start = {"y": np.array([0.0, -0.06, -0.07])}
    found = chorda.rollout(system, duration=0.01, step=1e-4, initial=start)
    assert "of member 2 (and of 1 others)" in found.remark
    assert "overlap by 20 mm" in str(found.remark)
    apart = chorda.rollout(system, duration=0.01, step=1e-4, initial={"y": np.zeros(2)})
    assert not apart.remark


@pytest.mark.parametrize("let_go", [False, True])
def test_shapes_that_rest_on_each_other_are_no_overlap(let_go):
    system, rest = touching("bristle", stiffness=1e4)
    assert gaps_at(system, rest.q).min() < -1e-4
    u = 0 * rest.u if let_go else rest.u
    run = chorda.simulate(system, duration=0.01, step=1e-4, initial=rest.q, inputs=u)
    assert "overlap" not in run.status.message


def test_an_equilibrium_says_what_became_of_contact_friction():
    said = {x: touching(x)[1].status.message for x in ("frictionless", "smooth", "bristle")}
    assert "riction" not in said["frictionless"]
    assert "Friction of leans.bar3-post is left out: it is zero at rest" in said["smooth"]
    assert "Bristles of leans.bar3-post are bent as they were at the start" in said["bristle"]
    away = chorda.equilibrium(chorda.assemble(leaning_neck("smooth")), tensions=[30, 20, 20, 25])
    assert "riction" not in away.status.message


def test_an_equilibrium_keeps_the_bristles_of_the_motion_before_it():
    system, rest = touching("bristle", stiffness=1e4, dissipation=2.0)
    how = {"step": 1e-3, "inputs": rest.u, "initial": {"tension": 20.0}}
    run = chorda.simulate(system, duration=4.0, **how)
    z = run.position[-1, -system.nz :]
    again = chorda.equilibrium(system, tensions=PRESSED, initial=run)
    assert np.abs(z).max() > 1e-6
    assert np.array_equal(again.q[-system.nz :], z)


def test_the_operations_that_contacts_cost_are_counted():
    one, three = (chorda.assemble(leaning_neck(pairs=n)) for n in (1, 3))
    with_one, without = operations(one)
    with_three, same = operations(three)
    assert without == same
    assert without < with_one < with_three
    shapes, contacts = contact_tables(three)
    assert [row[0] for row in shapes.rows] == ["bar1", "bar2", "bar3", "post"]
    assert contacts.rows[0][1] == "bar3-post, bar2-post, bar1-post"
    assert f"take {with_three - without}, at 3 points" in str(contacts.note)


def test_show_lists_shapes_and_contacts(tmp_path):
    from typer.testing import CliRunner

    from chorda.cli.app import app

    path = chorda.describe.write(leaning_neck("bristle"), tmp_path / "neck.yaml")
    shown = CliRunner().invoke(app, ["show", str(path)]).stdout
    for text in ("Shapes", "capsule", "Contacts", "bar2-post", "bristle: coefficient 0.5"):
        assert text in shown, shown
    data = json.loads(CliRunner().invoke(app, ["show", str(path), "--json"]).stdout)
    assert data["touches"] == ["leans.bar3-post", "leans.bar2-post", "leans.bar1-post"]
    assert data["operations"] > data["operations_without_contacts"] > 0


def test_a_motion_that_fails_at_a_contact_names_it_and_what_to_try():
    system, rest = touching(stiffness=1e9, exponent=1.5, dissipation=1.0)
    how = {"inputs": rest.u, "initial": {"tension": 20.0}, "duration": 1.0, "step": 2e-3}
    run = chorda.simulate(system, scheme="rosenbrock", **how)
    assert not run.status.ok
    assert "Contact leans.bar3-post begins or acts there" in run.status.message
    assert "the motion itself goes there" not in run.status.message
    system, rest = touching("smooth", stiffness=1e6, dissipation=1.0)
    assert chorda.simulate(system, scheme="bdf2", **how).status.ok
    abrupt = {"*slip_speed": 1e-6}
    run = chorda.simulate(system, scheme="bdf2", parameters=abrupt, **how)
    assert not run.status.ok
    assert "Smooth friction of contact leans.bar3-post acts there" in run.status.message


def test_the_points_of_a_bore_are_shown():
    shapes, _ = contact_tables(chorda.assemble(chorda.load("wire-tube")))
    shown = next(row for row in shapes.rows if row[1] == "bore")
    assert "along (0, 0, 0) (0.12, 0, 0) (0.12, 0.14, 0) m" in shown[-1]


@pytest.mark.parametrize(("given", "example"), [(0.7, "0.7"), ("smooth", "0.5"), (True, "0.5")])
def test_friction_that_is_no_mapping_is_answered_with_an_example(given, example):
    with pytest.raises(ChordaError, match=r"friction: expected a mapping of fields") as refused:
        ball(stiffness=1e4, friction=given)
    assert f"such as {{coefficient: {example}}}, got {given!r}" in str(refused.value)


def test_the_table_of_materials_in_the_guide_is_that_of_the_source():
    guide = (Path(__file__).parents[3] / "docs" / "how-to" / "contact.md").read_text()
    rows = re.findall(r"^\| `(\S+-\S+)` \| (\S+) \| (\S+) \| (\S+) \|$", guide, re.MULTILINE)
    assert {name: tuple(map(float, x)) for name, *x in rows} == STARTING_VALUES
