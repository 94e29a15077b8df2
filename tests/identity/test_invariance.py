"""Physics does not depend on where the world's origin is, nor on how its axes lie."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import chorda
from chorda.describe import Robot
from tests.helpers.evaluate import forces, random_state
from tests.helpers.robots import everything

ROBOT = everything()
SYSTEM = chorda.assemble(ROBOT)
component = st.floats(-1.5, 1.5, allow_nan=False).map(lambda x: round(x, 3))
vectors = st.tuples(component, component, component)


def carried_over(turn, shift):
    """The same robot in a world turned by `turn` and shifted."""
    data = ROBOT.model_dump(mode="json")
    data["gravity"] = turn.apply(data["gravity"]).tolist()
    for joint in data["joints"]:
        if joint["parent"] == "world":
            place = joint["placement"]
            place["position"] = (turn.apply(place["position"]) + shift).tolist()
            both = (
                turn * Rotation.from_rotvec(np.multiply(place["axis"], place["angle"]))
            ).as_rotvec()
            place["angle"] = float(np.linalg.norm(both))
            place["axis"] = (both / place["angle"]).tolist()
    points = [load["at"] for load in data["loads"]]
    points += [p for x in (*data["springs"], *data["dampers"]) for p in (x["start"], x["end"])]
    points += [p for tendon in data["tendons"] for p in tendon["path"]]
    for point in points:
        if point["frame"] == "world":
            point["point"] = (turn.apply(point["point"]) + shift).tolist()
    for load in data["loads"]:
        if not load["follows"]:
            load["force"], load["moment"] = (
                turn.apply(load[k]).tolist() for k in ("force", "moment")
            )
    return chorda.assemble(Robot.model_validate(data))


@settings(max_examples=10, deadline=None, derandomize=True)
@given(vectors, vectors)
def test_robot_in_a_turned_and_shifted_world_has_the_same_equations(rotation, shift):
    system = carried_over(Rotation.from_rotvec(rotation), np.array(shift))
    q, v, u, _ = random_state(SYSTEM, np.random.default_rng(0))
    for here, there in zip(forces(SYSTEM, q, v, u), forces(system, q, v, u), strict=True):
        assert np.allclose(here, there, rtol=1e-9, atol=1e-10 * np.abs(here).max())


def test_mirrored_neck_moves_as_the_mirror_image():
    """With left and right springs alike, -alpha moves as alpha does."""
    system = chorda.assemble(chorda.neck(3).model_copy(update={"tendons": (), "actuators": ()}))
    q, v, u, _ = random_state(system, np.random.default_rng(2))
    M, F = forces(system, q, v, u)
    M_mirror, F_mirror = forces(system, -q, -v, u)
    assert np.allclose(M, M_mirror, rtol=1e-12)
    assert np.allclose(F, -F_mirror, rtol=1e-12)
