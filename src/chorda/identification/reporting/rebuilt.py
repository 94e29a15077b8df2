"""Measured and modelled actuators and tensions of an identification, filtered as its equations
are."""

from dataclasses import dataclass, replace

import numpy as np

from chorda.errors import InputError
from chorda.identification.identification import Identification
from chorda.identification.reconstruction import Actuators, Tensions, actuators, tensions
from chorda.mechanics import Array


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """At the times of the samples that are used; None where a view does not exist, with why."""

    time: Array
    actuators: Actuators | None
    tensions: Tensions | None
    why_no_actuators: str = ""
    why_no_tensions: str = ""


def rebuilt(identification: Identification) -> Rebuilt:
    """What the identified model makes of the measured motion.

    Its parameters are those for `simulate`: what cannot be negative is not. Signals alone keep
    noise that the equations lose, so the forces made of them go through the equations' filter.
    """
    prepared, system = identification.prepared, identification.system
    p = system.parameters(identification.parameters)
    samples = prepared.samples(identification.offsets)
    used = np.searchsorted(samples.time, identification.samples.time - 1e-9)

    def smooth(x: Array) -> Array:
        return prepared.smooth(x, prepared.stride)[used]

    forces, both, no_forces, not_both = None, None, "", ""
    try:
        forces = actuators(system, samples, p)
        modelled = {name: smooth(x) for name, x in forces.modelled.items()}
        forces = replace(forces, measured=smooth(forces.measured), modelled=modelled)
    except InputError as error:
        no_forces = str(error)
    try:
        both = tensions(system, samples, p)
        both = replace(both, by_motor=smooth(both.by_motor), by_law=smooth(both.by_law))
    except InputError as error:
        not_both = str(error)
    return Rebuilt(identification.samples.time, forces, both, no_forces, not_both)
