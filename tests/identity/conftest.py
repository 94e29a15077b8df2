from tests.helpers.resting_robots import (  # noqa: F401
    centred,
    lowered,
    pendulum,
    planar,
    spatial,
)
