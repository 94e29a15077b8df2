"""Rollouts on a device: the whole call but the launch, with CuPy's part played on the host."""

import sys

import numpy as np
import pytest

import chorda
from chorda.errors import InputError
from chorda.results.rollout import host
from tests.helpers import fake_cupy
from tests.helpers.fake_cupy import DeviceArray
from tests.helpers.gpu_host import compiler

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler")
N = 6
MANY = {"duration": 0.04, "step": 2e-3, "scheme": "implicit-euler", "progress": False}
ANGLES = np.linspace(-0.2, 0.2, N)


@pytest.fixture
def cupy(tmp_path, monkeypatch):
    made = fake_cupy.module(tmp_path)
    monkeypatch.setitem(sys.modules, "cupy", made)
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("CHORDA_CACHE", str(folder))
    return made


@pytest.fixture
def neck():
    return chorda.assemble(chorda.load("neck-2"))


def test_a_whole_call_gives_the_members_of_the_cpu(neck, cupy):
    given = {"initial": {"x1": ANGLES, "tension": 15.0}, "inputs": [-0.1] * neck.nu, "every": 10}
    there = chorda.rollout(neck, **MANY, **given, device="gpu")
    here = chorda.rollout(neck, **MANY, **given)
    assert type(there.position) is np.ndarray
    assert there.code.tolist() == [0] * N
    assert np.allclose(there.position, here.position, rtol=0, atol=1e-12)
    assert np.allclose(there.velocity, here.velocity, rtol=0, atol=1e-10)


def test_a_kernel_is_compiled_once_for_all_processes(neck, cupy):
    chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, device="gpu")
    again = chorda.assemble(chorda.load("neck-2"))  # as another process would
    chorda.rollout(again, **MANY, initial={"x1": ANGLES}, device="gpu")
    assert len(cupy.compiled) == 1


def test_what_is_kept_on_the_device_goes_on_there(neck, cupy):
    inputs = [-0.1] * neck.nu
    first = chorda.rollout(
        neck, **MANY, initial={"x1": ANGLES}, inputs=inputs, device="gpu", keep="device"
    )
    assert isinstance(first.position, DeviceArray)
    assert isinstance(first.final, DeviceArray)
    pulls = DeviceArray(np.full((N, neck.nu), -0.1))
    before = DeviceArray.copies.to_host
    second = chorda.rollout(neck, **MANY, initial=first, inputs=pulls, device="gpu", keep="device")
    crossed = DeviceArray.copies.to_host - before
    whole = chorda.rollout(
        neck, **(MANY | {"duration": 0.08}), initial={"x1": ANGLES}, inputs=inputs
    )
    assert np.allclose(host(second.position)[:, -1], whole.position[:, -1], rtol=0, atol=1e-11)
    assert crossed <= 3  # codes, and the least and the largest inputs; no states
    assert "6 completed" in str(second)
    assert type(second.on_host().position) is np.ndarray
    tension = second.output("tension")
    assert tension.shape == (N, 1, len(neck.robot.tendons))


def test_inputs_of_the_device_do_not_come_to_the_host(neck, cupy):
    pulls = np.linspace(-0.2, -0.1, N)[:, None] * np.ones(neck.nu)
    before = DeviceArray.copies.to_host
    there = chorda.rollout(
        neck,
        **MANY,
        initial={"x1": ANGLES},
        inputs=DeviceArray(pulls),
        device="gpu",
        keep="device",
    )
    assert DeviceArray.copies.to_host - before == 2  # the least and the largest of each input
    here = chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, inputs=pulls)
    assert np.allclose(host(there.position), here.position, rtol=0, atol=1e-12)


def test_the_first_rollout_is_not_changed_by_going_on(neck, cupy):
    first = chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, device="gpu", keep="device")
    final = host(first.final)
    chorda.rollout(neck, **MANY, initial=first, device="gpu", keep="device")
    assert np.array_equal(host(first.final), final)


def test_wrong_inputs_on_the_device_are_refused(neck, cupy):
    def run(rows):
        chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, inputs=DeviceArray(rows), device="gpu")

    with pytest.raises(InputError, match="inputs: expected rows"):
        run(np.zeros((N, neck.nu + 1)))
    with pytest.raises(InputError, match="expected 1 row or 21 rows"):
        run(np.zeros((N, 5, neck.nu)))
    with pytest.raises(InputError, match="finite numbers"):
        run(np.full((N, neck.nu), np.nan))
    with pytest.raises(InputError, match="inputs: expected an array on the host"):
        chorda.rollout(neck, **MANY, inputs=DeviceArray(np.zeros((N, neck.nu))))


def test_starts_and_parameters_of_the_device_are_taken(neck, cupy):
    name = neck.parameter_names[0]
    value = neck.parameter_values[0] * np.linspace(0.9, 1.1, N)
    there = chorda.rollout(
        neck,
        **MANY,
        initial={"x1": DeviceArray(ANGLES)},
        parameters={name: DeviceArray(value)},
        device="gpu",
    )
    here = chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, parameters={name: value})
    assert np.allclose(there.position, here.position, rtol=0, atol=1e-12)


def test_keeping_there_is_for_a_gpu(neck):
    with pytest.raises(InputError, match="keep"):
        chorda.rollout(neck, **MANY, keep="device")


def test_another_word_for_where_to_keep_is_refused(neck, cupy):
    with pytest.raises(InputError, match="keep: expected 'host' or 'device', got 'disk'"):
        chorda.rollout(neck, **MANY, device="gpu", keep="disk")
