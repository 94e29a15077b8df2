"""Ctrl-C is raised outside CasADi, and nested loops see the same one."""

import os
import signal
import subprocess
import sys

import pytest

from chorda.numerics.ctrl_c import abandonable, interruptible, interrupts, pass_on_noted

ROUNDS = 150
# CasADi alone makes a RuntimeError, a SystemError or nothing of every third one of these
PROGRAM = """
import sys
import casadi as ca
import numpy as np
from chorda.numerics.ctrl_c import interruptible

x = ca.SX.sym("x", 5)
f = ca.Function("f", [x], [ca.sin(x), x.T @ x])
flow = ca.integrator("flow", "cvodes", {"x": x, "ode": -x}, 0.0, 1.0)

@interruptible()
def work():
    print("computing", flush=True)
    while True:
        f(np.ones(5))
        ca.DM(np.ones(3))
        f(np.ones((5, 20)))[0].full()
        flow(x0=np.ones(5))

for _ in range(int(sys.argv[1])):
    try:
        work()
    except KeyboardInterrupt:
        print("KeyboardInterrupt", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_within_casadi_is_a_keyboard_interrupt_and_nothing_else():
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(ROUNDS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            for _ in range(ROUNDS):
                assert child.stdout.readline() == "computing\n", child.stderr.read()
                child.send_signal(signal.SIGINT)
                assert child.stdout.readline() == "KeyboardInterrupt\n", child.stderr.read()
        finally:
            child.kill()


def ctrl_c():
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def nothing_is_left():
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_first_is_noted_and_the_second_raises():
    with interrupts() as seen:
        ctrl_c()
        assert seen
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()


def test_loops_within_each_other_see_the_same():
    with interruptible(), interrupts() as outer, interruptible(), interrupts() as inner:
        ctrl_c()
        assert inner
        assert outer


def test_work_that_may_be_given_up_raises_and_is_seen():
    with interrupts() as seen:
        with pytest.raises(KeyboardInterrupt), abandonable():
            ctrl_c()
        assert seen


def test_work_that_cannot_be_cut_asks_whether_one_came():
    with interrupts():
        pass_on_noted()
        ctrl_c()
        with pytest.raises(KeyboardInterrupt):
            pass_on_noted()


def test_a_handler_of_the_users_own_stays():
    came = []
    before = signal.signal(signal.SIGINT, lambda *_: came.append(1))
    try:
        with interruptible(), interrupts() as seen:
            ctrl_c()
        assert (came, seen) == ([1], [])
    finally:
        signal.signal(signal.SIGINT, before)
