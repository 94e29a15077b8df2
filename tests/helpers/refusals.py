"""Messages of what is refused, and fields of joints that tests change."""

import pytest

import chorda
from chorda.describe import from_data
from chorda.errors import DescriptionError, InputError

HINGE = {"name": "j", "kind": "revolute"}
X = {
    "name": "x1",
    "kind": "x",
    "diagonal_length": 0.1,
    "bar_length": 0.05,
    "diagonal_mass": 0.06,
    "bar_mass": 0.03,
}


def refused(error, call, *arguments, **options):
    """The message of the error that a call raises."""
    with pytest.raises(error) as caught:
        call(*arguments, **options)
    return str(caught.value)


def refused_motion(system, **changes):
    """Why a short simulation with these arguments is refused."""
    options = {"duration": 0.01, "step": 1e-3} | changes
    return refused(InputError, chorda.simulate, system, **options)


def refused_robot(**fields):
    """Why a robot with these fields is refused; it has a hinge if it is given no joints."""
    data = {"name": "a", "joints": [HINGE], **fields}
    return refused(DescriptionError, from_data, data, "arm")
