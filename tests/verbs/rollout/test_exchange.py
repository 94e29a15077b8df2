"""Arrays of other libraries by DLPack, and rollouts that go on."""

import numpy as np
import pytest

import chorda
from chorda.errors import InputError

N = 5
MANY = {"duration": 0.1, "step": 2e-3, "progress": False}
ANGLES = np.linspace(-0.2, 0.2, N)


class Tensor:
    """An array of another library: it speaks DLPack and nothing else."""

    def __init__(self, values, device=(1, 0)):
        self._values, self._device = np.asarray(values, float), device
        self.shape, self.ndim = self._values.shape, self._values.ndim

    def __dlpack__(self, **more):
        return self._values.__dlpack__(**more)

    def __dlpack_device__(self):
        return self._device

    def __array__(self, *_, **__):
        raise TypeError("not by NumPy's own way")


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-2"))


def test_arrays_that_speak_dlpack_are_those_of_numpy(neck):
    name = neck.parameter_names[0]
    values = neck.parameter_values[0] * np.linspace(0.9, 1.1, N)
    pulls = np.full((N, neck.nu), -0.05) * np.arange(N)[:, None]
    mine = chorda.rollout(
        neck, **MANY, initial={"x1": ANGLES}, parameters={name: values}, inputs=pulls
    )
    theirs = chorda.rollout(
        neck,
        **MANY,
        initial={"x1": Tensor(ANGLES)},
        parameters={name: Tensor(values)},
        inputs=Tensor(pulls),
    )
    assert np.array_equal(mine.position, theirs.position)
    rows = np.tile(neck.rest, (N, 1))
    rows[:, 0] = ANGLES
    both = [chorda.rollout(neck, **MANY, initial=x) for x in (rows, Tensor(rows))]
    assert np.array_equal(both[0].position, both[1].position)


def test_an_array_on_a_device_is_refused_by_name(neck):
    with pytest.raises(InputError, match=r"initial.x1: expected an array on the host"):
        chorda.rollout(neck, **MANY, initial={"x1": Tensor(ANGLES, (2, 0))})


@pytest.mark.parametrize("scheme", ["implicit-euler", "bdf2", "generalized-alpha"])
def test_a_rollout_that_goes_on_is_one_that_lasts_longer(neck, scheme):
    start, pulls = {"x1": ANGLES}, [-0.1] * neck.nu
    name = neck.parameter_names[0]
    changed = {name: neck.parameter_values[0] * np.linspace(0.9, 1.1, N)}
    given = {"scheme": scheme, "inputs": pulls}
    first = chorda.rollout(neck, **MANY, **given, initial=start, parameters=changed)
    second = chorda.rollout(neck, **MANY, **given, initial=first)
    longer = MANY | {"duration": 0.2}
    whole = chorda.rollout(neck, **longer, **given, initial=start, parameters=changed)
    assert np.array_equal(second.position[:, -1], whole.position[:, -1])
    assert np.array_equal(second.parameters, first.parameters)


def test_another_scheme_or_step_goes_on_from_positions_and_velocities(neck):
    first = chorda.rollout(neck, **MANY, scheme="bdf2", initial={"x1": ANGLES})
    on = chorda.rollout(neck, duration=0.1, step=1e-3, scheme="implicit-euler", initial=first)
    rows = np.hstack([first.position[:, -1], first.velocity[:, -1]])
    by_rows = chorda.rollout(neck, duration=0.1, step=1e-3, scheme="implicit-euler", initial=rows)
    assert np.array_equal(on.position, by_rows.position)


def test_members_that_failed_keep_their_code_and_the_others_go_on(neck):
    how = {"duration": 0.01, "step": 1e-4, "scheme": "rk4"}
    rates = np.array([0.0, 0.0, 1e6, 0.0, 0.0])
    first = chorda.rollout(neck, **how, initial={"x1": ANGLES, "x1.rate": rates})
    assert first.failed.tolist() == [2]
    second = chorda.rollout(neck, **how, initial=first)
    assert second.code.tolist() == first.code.tolist()
    assert second.done[2] == 0
    assert np.isnan(second.position[2]).all()
    assert np.isfinite(second.position[[0, 1, 3, 4]]).all()


def test_a_rollout_of_another_robot_is_refused(neck):
    other = chorda.rollout(chorda.assemble(chorda.load("neck-1")), **MANY)
    with pytest.raises(InputError, match="initial: expected a rollout of this system"):
        chorda.rollout(neck, **MANY, initial=other)


def test_other_arrays_must_have_as_many_members(neck):
    first = chorda.rollout(neck, **MANY, initial={"x1": ANGLES})
    with pytest.raises(InputError, match="expected 5 members as in initial, got 3"):
        chorda.rollout(neck, **MANY, initial=first, inputs=np.zeros((3, neck.nu)))
