"""A function at many columns on a device: what the CPU gives, and nothing comes to the host."""

import casadi as ca
import numpy as np
import pytest

import chorda
from chorda.compile import device_columns
from chorda.compile.device_columns import at_columns_there
from chorda.numerics.pacing import by_columns
from tests.helpers import fake_cupy
from tests.helpers.fake_cupy import DeviceArray
from tests.helpers.gpu_host import compiler

pytestmark = pytest.mark.skipif(compiler() is None, reason="no C++ compiler")
MEMBERS = 37


@pytest.fixture
def cupy(tmp_path, home):
    return fake_cupy.module(tmp_path)


@pytest.fixture(scope="module")
def neck():
    return chorda.assemble(chorda.load("neck-2"))


def drawn(rows, members=MEMBERS):
    return np.random.default_rng(rows).uniform(-0.1, 0.1, (rows, members))


def test_vectors_and_matrices_are_those_of_the_virtual_machine(neck, cupy):
    q = neck.rest[:, None] + drawn(neck.nq)
    given = q, drawn(neck.nv), drawn(neck.nu, 1), neck.parameters()[:, None]
    before = DeviceArray.copies.to_host
    mine = at_columns_there(cupy, neck, neck.equations, *map(cupy.asarray, given))
    assert DeviceArray.copies.to_host == before
    for x, wanted in zip(mine, by_columns(neck.equations, *given), strict=True):
        assert x.shape == wanted.shape
        assert np.allclose(x.get(), wanted, rtol=1e-10, atol=1e-10)


def test_structural_zeros_are_numbers_and_rows_may_be_strided(neck, cupy):
    x = ca.SX.sym("x", 2)
    sparse = ca.SX(3, 2)
    sparse[1, 0], sparse[2, 1] = x[0], x[0] * x[1]
    function = ca.Function("sparse", [x], [sparse])
    given = drawn(MEMBERS, 2)  # members first
    found = at_columns_there(cupy, neck, function, cupy.asarray(given).T)[0]
    assert np.array_equal(found.get(), by_columns(function, given.T)[0])


def test_a_function_is_compiled_once(neck, cupy):
    x = ca.SX.sym("x", 2)
    function = ca.Function("double", [x], [2 * x])
    for members in (3, 5):
        at_columns_there(cupy, neck, function, cupy.asarray(drawn(2, members)))
    assert len(cupy.compiled) == 1


def test_a_column_that_all_share_is_read_in_place(neck, cupy, monkeypatch):
    x, y = ca.SX.sym("x", 2), ca.SX.sym("y", 2)
    function = ca.Function("product", [x, y], [x * y])
    one, many = drawn(2, 1), drawn(2)
    for given in ((one, many), (many, one), (one, one)):
        found = at_columns_there(cupy, neck, function, *map(cupy.asarray, given))[0]
        assert np.array_equal(found.get(), given[0] * given[1])


def test_no_members_are_no_launch(neck, cupy):
    x = ca.SX.sym("x", 2)
    function = ca.Function("twice", [x], [2 * x])
    found = at_columns_there(cupy, neck, function, cupy.asarray(np.zeros((2, 0))))
    assert found[0].shape == (2, 0)


def test_work_of_functions_with_scans_is_the_threads_own(neck, cupy):
    x, y = ca.MX.sym("x", 2), ca.MX.sym("y", 2)
    step = ca.Function("step", [x, y], [ca.sin(x) + y * x[0]])
    scan = step.mapaccum("scan", 5)
    function = ca.Function("long", [x, y], [scan(x, ca.repmat(y, 1, 5))])
    given = drawn(2), drawn(2)[::-1].copy()
    found = at_columns_there(cupy, neck, function, *map(cupy.asarray, given))[0]
    assert np.allclose(found.get(), by_columns(function, *given)[0], rtol=1e-14, atol=1e-14)
    assert device_columns.columns_text(function).count("__global__") == 1
