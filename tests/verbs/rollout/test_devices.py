"""Rollouts on a device: the whole call but the launch, with CuPy's part played on the host."""

import sys
import threading

import numpy as np
import pytest

import chorda
from chorda.describe import JointMotion
from chorda.dynamics import rollouts
from chorda.dynamics.kernels import SchemeLoop
from chorda.errors import InputError
from chorda.numerics.array_library import host
from tests.helpers import fake_cupy
from tests.helpers.actuated_robots import arm
from tests.helpers.fake_cupy import DeviceArray
from tests.helpers.gpu_host import compiler
from tests.helpers.waiting import until

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


def test_a_kernel_is_compiled_once_for_all_processes(neck, cupy, monkeypatch):
    """Others do not even make the equations of its steps."""
    first = chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, device="gpu")
    monkeypatch.setattr(SchemeLoop, "functions", lambda loop: pytest.fail("made again"))
    again = chorda.assemble(chorda.load("neck-2"))  # as another process would
    second = chorda.rollout(again, **MANY, initial={"x1": ANGLES}, device="gpu")
    assert len(cupy.compiled) == 1
    assert np.array_equal(first.position, second.position)


def test_precisions_and_schemes_have_kernels_of_their_own(neck, cupy):
    for more in ({}, {"precision": "single"}, {"scheme": "implicit-euler-converged"}):
        chorda.rollout(neck, **(MANY | more), initial={"x1": ANGLES}, device="gpu")
    assert len(cupy.compiled) == 3


def test_cuda_begins_to_start_beside_other_work_once(neck, cupy):
    for _ in range(2):
        chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, device="gpu")
    until(lambda: cupy.woken)
    assert cupy.woken == [0]


def test_nvrtc_compiles_while_members_are_prepared(neck, cupy, monkeypatch):
    begun, prepare, compiles = (
        threading.Event(),
        rollouts.members.starts,
        cupy.cuda.compiler.compile_using_nvrtc,
    )

    def compile_text(text, options):
        if "chorda_many" in text:
            begun.set()
        return compiles(text, options)

    def starts(*given):
        assert begun.wait(60), "the members' kernel was not begun before its starts"
        return prepare(*given)

    monkeypatch.setattr(cupy.cuda.compiler, "compile_using_nvrtc", compile_text)
    monkeypatch.setattr(rollouts.members, "starts", starts)
    found = chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, device="gpu")
    assert found.code.tolist() == [0] * N


def test_what_is_kept_on_the_device_goes_on_there(neck, cupy):
    inputs = [-0.1] * neck.nu
    first = chorda.rollout(
        neck, **MANY, initial={"x1": ANGLES}, inputs=inputs, device="gpu", keep="device"
    )
    assert isinstance(first.position, DeviceArray)
    assert isinstance(first.final, DeviceArray)
    pulls = DeviceArray(np.full((N, neck.nu), -0.1))
    second = chorda.rollout(neck, **MANY, initial=first, inputs=pulls, device="gpu", keep="device")
    whole = chorda.rollout(
        neck, **(MANY | {"duration": 0.08}), initial={"x1": ANGLES}, inputs=inputs
    )
    assert np.allclose(host(second.position)[:, -1], whole.position[:, -1], rtol=0, atol=1e-11)
    assert "6 completed" in str(second)
    assert type(second.on_host().position) is np.ndarray
    tension = second.output("tension")
    assert tension.shape == (N, 1, len(neck.robot.tendons))


def crossing(call):
    """Numbers that come to the host while something is called, and what it gives."""
    before = DeviceArray.copies.numbers
    found = call()
    return DeviceArray.copies.numbers - before, found


def test_members_on_the_device_do_not_come_to_the_host(neck, cupy):
    name = neck.parameter_names[0]

    def run(n):
        given = {
            "initial": {"x1": DeviceArray(np.linspace(-0.2, 0.2, n)), "tension": 15.0},
            "parameters": {name: DeviceArray(neck.parameter_values[0] * np.linspace(0.9, 1.1, n))},
            "inputs": DeviceArray(np.full((n, neck.nu), -0.1)),
        }
        return chorda.rollout(neck, **MANY, **given, device="gpu", keep="device")

    (few, first), (many, _) = (crossing(lambda n=n: run(n)) for n in (N, 10 * N))
    assert few == many
    pulls = DeviceArray(np.full((N, neck.nu), -0.1))
    more, _ = crossing(
        lambda: chorda.rollout(
            neck, **MANY, initial=first, inputs=pulls, device="gpu", keep="device"
        )
    )
    assert more <= N + 2 * neck.nu  # codes, and the least and the largest inputs; no states


def test_inputs_of_the_device_give_the_members_of_the_cpu(neck, cupy):
    pulls = np.linspace(-0.2, -0.1, N)[:, None] * np.ones(neck.nu)
    there = chorda.rollout(
        neck,
        **MANY,
        initial={"x1": ANGLES},
        inputs=DeviceArray(pulls),
        device="gpu",
        keep="device",
    )
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


def test_inputs_by_name_may_be_on_the_device(neck, cupy):
    names = [i.name for i in neck.inputs]
    times = round(MANY["duration"] / MANY["step"]) + 1
    series = np.linspace(-0.2, -0.1, N * times).reshape(N, times)
    given = {names[0]: series, names[1]: np.linspace(-0.1, 0.0, N), names[2]: -0.05}
    there = {k: DeviceArray(x) if np.ndim(x) else x for k, x in given.items()}
    found, wanted = (
        chorda.rollout(neck, **MANY, initial={"x1": ANGLES}, inputs=inputs, device=device)
        for inputs, device in ((there, "gpu"), (given, "cpu"))
    )
    assert np.allclose(found.position, wanted.position, rtol=0, atol=1e-12)


def test_what_members_on_the_device_cannot_be_is_refused_as_on_the_host(neck, cupy):
    name = next(x for x in neck.parameter_names if x.endswith("stiffness"))

    def message(move, device):
        wrong = {
            "initial": {"x1": move(np.where(np.arange(N) == 3, 9.0, 0.1))},
            "parameters": {name: move(np.where(np.arange(N) == 2, -1.0, 1.0))},
            "tension": {
                "x1": move(ANGLES),
                "tension": move(np.where(np.arange(N) == 2, np.nan, 5.0)),
            },
        }
        for what, given in wrong.items():
            field = "parameters" if what == "parameters" else "initial"
            with pytest.raises(InputError) as caught:
                chorda.rollout(neck, **MANY, **{field: given}, device=device)
            yield str(caught.value)

    assert [*message(DeviceArray, "gpu")] == [*message(np.asarray, "cpu")]


def test_loops_are_shut_on_the_device(cupy):
    system = chorda.assemble(chorda.load("rfrfr"))
    given = {
        "initial": {"motor1": np.linspace(2.4, 2.6, N), "motor2": np.linspace(0.5, 0.6, N)},
        "duration": 2e-4,
        "step": 1e-4,
        "progress": False,
    }
    name = system.coordinate_names[0]
    assert name in given["initial"] or system.nc
    there, here = (chorda.rollout(system, **given, device=x) for x in ("gpu", "cpu"))
    assert there.code.tolist() == here.code.tolist() == [0] * N
    scale = np.abs(here.position).max()
    assert np.allclose(there.position, here.position, rtol=0, atol=1e-9 * scale)


def test_keeping_there_is_for_a_gpu(neck):
    with pytest.raises(InputError, match="keep"):
        chorda.rollout(neck, **MANY, keep="device")


def test_another_word_for_where_to_keep_is_refused(neck, cupy):
    with pytest.raises(InputError, match="keep: expected 'host' or 'device', got 'disk'"):
        chorda.rollout(neck, **MANY, device="gpu", keep="disk")


def test_led_joints_stay_where_members_start_there(cupy):
    led = chorda.assemble(arm(JointMotion(name="m", joint="one")))
    starts = {"one": DeviceArray(ANGLES), "two": 0.1}
    first = chorda.rollout(led, **MANY, initial=starts, device="gpu", keep="device")
    then = chorda.rollout(led, **MANY, initial=first, device="gpu")
    assert then.position[:, 0, 0] == pytest.approx(ANGLES)
