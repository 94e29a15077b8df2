"""Made-up logs of a neck of one joint, and ways to spoil them."""

import csv
from functools import cache

import numpy as np

import chorda
from chorda.identification import Channel, Log
from chorda.identification.logs.log import signals

PAY = 0.02 / 25  # drum radius over gear ratio of the necks [m]


@cache
def neck():
    return chorda.assemble(chorda.neck(1))


def columns(time=None):
    """Smooth signals at 250 Hz for 4 s, in SI units."""
    t = np.arange(1001) / 250 if time is None else time
    return {
        "time": t,
        "x1": 0.3 * np.sin(2 * t),
        "motor-right1": 8 * np.sin(2 * t + 0.1),
        "motor-left": -8 * np.sin(2 * t),
        "motor-right1.torque": -0.02 + 0.004 * np.cos(2 * t),
        "motor-left.torque": -0.03 - 0.004 * np.cos(2 * t),
    }


def write_csv(path, data, head=(), separator=","):
    """Columns by header as they are given, NaN as a blank."""
    with path.open("w", newline="") as file:
        file.writelines(f"{line}\n" for line in head)
        out = csv.writer(file, delimiter=separator)
        out.writerow(data)
        for row in zip(*data.values(), strict=True):
            out.writerow(
                [x if isinstance(x, str) else "" if x != x else repr(float(x)) for x in row]
            )
    return path


def two_rates():
    """Joints by a camera at 30 Hz, the rest at 250 Hz, with a truth."""
    fast, slow = np.arange(1001) / 250, np.arange(2, 118) / 30 + 0.0123
    channels = {}
    for wanted in signals(neck()):
        joint = wanted.kind == "joint"
        t = slow if joint else fast
        value = columns(t)[wanted.name]
        sensor = "camera" if joint else "encoder"
        channels[wanted.name] = Channel(wanted.name, wanted.unit, t, value, sensor)
    return Log(channels, "made up", {"x1.friction": 0.1 + 0.2}, {"seed": 3, "note": "two rates"})
