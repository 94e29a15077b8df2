"""A robot at rest that follows what is given: the equilibrium of the sliders, from the last one."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from chorda.describe import JointMotion, Motor, TensionActuator
from chorda.describe.feeding import ONE_COORDINATE, coordinate_kinds
from chorda.errors import ChordaError
from chorda.mechanics import System
from chorda.results import Equilibrium
from chorda.results.workspace import units_at_rest
from chorda.statics.equilibrium import equilibrium
from chorda.view.live.sliders import (
    INPUTS,
    PARAMETERS,
    USUAL_RANGES,
    WIDER,
    Slider,
    input_sliders,
    nice,
    parameter_slider,
)

TENSIONS, HOLD = "tensions", "hold"
NOT_FOUND, REFUSED = "not found from here", "refused"
ANEW = "It was looked for anew: the one before did not lead there."
STAYS = " The picture shows the last equilibrium that was found, which has other values."
LEAST_TENSION = 10.0  # [N] how far a slider of a tension goes at least


class Resting:
    """Values by group and name, and the equilibrium under them.

    rest: the last that was found; found: whether the last that was asked for was; message: what
    became of it.
    """

    def __init__(self, system: System, rest: Equilibrium | None = None) -> None:
        self.system, self.message, self.found, self._refused = system, "", True, False
        self.values: dict[str, dict[str, float]] = {
            TENSIONS: {},
            INPUTS: {},
            HOLD: {},
            PARAMETERS: {},
        }
        self._others: dict[str, Any] = {}  # poses and efforts, until tensions or inputs are given
        self.rest = self._adopted(rest) if rest is not None else self._first()
        self._home = self.rest, self.message, deepcopy(self.values), self._others

    @property
    def tendons(self) -> list[str]:
        """Whose tension can be given."""
        kinds = {x.name: x for x in self.system.robot.actuators}
        elastic = self.system.mode != "rigid"
        return [
            t.name
            for t in self.system.robot.tendons
            if t.actuator and (elastic or isinstance(kinds[t.actuator], Motor | TensionActuator))
        ]

    @property
    def joints(self) -> list[str]:
        """Coordinates of joints with one of them, without rotors."""
        kinds = coordinate_kinds(self.system.robot.joints)
        others = [c.name for c in self.system.coordinates if c.kind in ("motor", "state")]
        others += [x.joint for x in self.system.robot.actuators if isinstance(x, JointMotion)]
        return [x for x, kind in kinds.items() if kind in ONE_COORDINATE and x not in others]

    def sliders(self, group: str) -> list[Slider]:
        """What can be given in a group, with the values of the configuration that is shown."""
        rest, units = self.rest, units_at_rest(self.system)
        if group == TENSIONS:
            names = [t.name for t in self.system.robot.tendons]
            now = dict(zip(names, rest.tension.tolist(), strict=True))
            high = nice(max(LEAST_TENSION, WIDER * max(map(abs, now.values()), default=0.0)))
            now = {x: round(value, 9) for x, value in now.items()}
            return [  # those that push go both ways
                Slider(group, x, "N", -high if now[x] < 0 else 0.0, high, now[x])
                for x in self.tendons
            ]
        if group == INPUTS:
            now = dict(zip(self.system.given, rest.u.tolist(), strict=False))
            return input_sliders(self.system, now)
        if group == HOLD:
            found = []
            for c in self.system.coordinates:
                if c.name not in self.joints:
                    continue
                x = rest.position[c.name]
                wide = max(USUAL_RANGES[c.unit], 1.2 * abs(x))
                low = c.low if np.isfinite(c.low) else -wide
                high = c.high if np.isfinite(c.high) else wide
                found.append(Slider(group, c.name, c.unit, low, high, x))
            return found
        both = zip(self.system.parameter_names, rest.parameters.tolist(), strict=True)
        return [parameter_slider(units.get(name, "-"), name, value) for name, value in both]

    def put(self, changes: Mapping[str, Mapping[str, float | None]]) -> Equilibrium:
        """Give values, or take them back (None), and find the equilibrium under all of them."""
        for group, values in changes.items():
            if group in (TENSIONS, INPUTS) and not self.values[group]:
                self.give(group)
            for name, value in values.items():
                if value is None:
                    self.values[group].pop(name, None)
                else:
                    self.values[group][name] = float(value)
        return self.solve()

    def replace(self, given: Mapping[str, Mapping[str, float]]) -> Equilibrium:
        """Give these values and no others; of tensions and inputs, those that are there."""
        self.values = {group: dict(given.get(group, {})) for group in self.values}
        return self.solve()

    def known(self, group: str) -> list[str]:
        """Names that a group has values for."""
        if group == PARAMETERS:
            return list(self.system.parameter_names)
        if group == TENSIONS:
            return self.tendons
        return list(self.system.given) if group == INPUTS else self.joints

    def solve(self) -> Equilibrium:
        """The equilibrium under the values; where none is found the last one stays.

        It follows the one before, and is looked for from anywhere where that leads nowhere.
        """
        try:
            found = equilibrium(self.system, initial=self.rest, **self.arguments())
            ahead = found.status.ok
            if not ahead:
                found = equilibrium(self.system, **self.arguments())
        except ChordaError as error:
            self.message, self.found, self._refused = str(error), False, True
            return self.rest
        self.message, self.found, self._refused = found.status.message, found.status.ok, False
        if self.found:
            self.rest = found
            self.message = self.message if ahead else f"{self.message} {ANEW}"
        else:
            self.message += STAYS
        return self.rest

    @property
    def word(self) -> str:
        """The stability of the equilibrium, or what came instead of it."""
        if self.found:
            return str(self.rest.stability)
        return REFUSED if self._refused else NOT_FOUND

    def arguments(self) -> dict[str, Any]:
        """Of `equilibrium`, that bring about what is shown."""
        tensions, inputs = self.values[TENSIONS], self.values[INPUTS]
        return {
            "tensions": dict(tensions) or None,
            "inputs": dict(inputs) or None,
            "hold": dict(self.values[HOLD]) or None,
            "parameters": dict(self.values[PARAMETERS]) or None,
            **self._others,
        }

    def give(self, group: str) -> None:
        """Let tensions or inputs be what is given, at their values in what is shown."""
        other = INPUTS if group == TENSIONS else TENSIONS
        self.values[other], self._others = {}, {}
        self.values[group] = {x.name: x.value for x in self.sliders(group)}

    def reset(self) -> Equilibrium:
        """Back to what was shown first, and what held it."""
        self.rest, self.message, values, self._others = self._home
        self.values, self.found = deepcopy(values), self.rest.status.ok
        return self.rest

    def _first(self) -> Equilibrium:
        """Of a robot: under its tendons' pretension, or held by nothing."""
        if self.tendons:
            laws = {t.name: t.law for t in self.system.robot.tendons}
            pulls = {x: getattr(laws[x], "pretension", None) or 0.0 for x in self.tendons}
            self.values[TENSIONS] = pulls if any(pulls.values()) else dict.fromkeys(pulls, 1.0)
        elif self.system.given:
            self.values[INPUTS] = self.system.idle()
        found = self._tried()
        if not found.status.ok and self.values[TENSIONS]:
            self.values[TENSIONS] = {}
            self.values[INPUTS] = self.system.idle()
            found = self._tried()
        if not found.status.ok:  # held where it starts
            start = dict(zip(self.system.coordinate_names, self.system.start, strict=True))
            self.values[HOLD] = {name: float(start[name]) for name in self.joints}
            found = self._tried()
        self.message, self.found = found.status.message, found.status.ok
        return found

    def _tried(self) -> Equilibrium:
        return equilibrium(self.system, **self.arguments())

    def _adopted(self, rest: Equilibrium) -> Equilibrium:
        """What was prescribed for an equilibrium goes on being given."""
        request = rest.prescription.request(rest.target)
        self.values[HOLD] = request["hold"]
        self.values[TENSIONS] = request["tensions"]
        self._others = {x: request[x] for x in ("poses", "efforts") if request[x]}
        if request["poses"]:
            self._others["actuated"] = rest.prescription.actuated or None
        if not request["tensions"]:
            free = {*rest.prescription.unknowns, *request["hold"]}
            given = zip(self.system.given, rest.u.tolist(), strict=False)
            self.values[INPUTS] = {name: u for name, u in given if u and name not in free}
        described = zip(
            self.system.parameter_names, rest.parameters, self.system.parameter_values, strict=True
        )
        free_values = set(rest.prescription.settings)
        self.values[PARAMETERS] = {
            name: float(x) for name, x, old in described if x != old and name not in free_values
        }
        self.message, self.found = rest.status.message, rest.status.ok
        return rest
