"""What contacts do between the rows of a motion of which not every step is kept: the steps beside
each change are kept for events, and the status reports how hard shapes pressed."""

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from chorda.mechanics import Array, System
from chorda.numerics.pacing import by_columns
from chorda.results.events import States

MOST_BYTES = 64_000_000  # of the steps beside changes
LARGER = 1.05  # times what the outputs show: a force to report


@dataclass(eq=False)
class BetweenRows:
    """Looks at chunks of steps of which each every-th is kept."""

    system: System
    every: int
    parameters: Array
    steps: list[int] = field(default_factory=list)
    states: list[Array] = field(default_factory=list)  # (q, v, u) after these steps
    full: int | None = None  # the step from which no more are kept
    peak: tuple[Array, Array, Array] | None = None  # [N] of all steps, when, [N] of kept ones
    met: bool = False  # whether shapes begin to touch

    def look(self, done: int, X: Array, U: Array) -> None:
        """At the states after the steps from done on; row 0 has been looked at before."""
        nq, nv = self.system.nq, self.system.nv
        if self.every == 1 or not self.system.touches:
            return
        x = X[np.isfinite(X).all(axis=1)][:, : nq + nv]
        U = U[: len(x)]
        watched, N = self._of(x, U)
        self._pressed(done, N)
        changes = np.flatnonzero(np.any(np.diff(watched > 0, axis=0), axis=1))
        rows = np.unique([changes, changes + 1]).astype(int)
        gap = watched[:, : len(self.system.touches)]
        self.met |= bool(np.any((gap[:-1] > 0) & (gap[1:] <= 0)))
        if len(rows) and self.full is None:
            self.steps += (done + rows).tolist()
            self.states += list(np.hstack([x, U])[rows])
            if 8 * len(self.states) * (nq + nv + U.shape[1]) > MOST_BYTES:
                self.full = done + len(x)

    def found(self, h: float, X: Array, U: Array) -> States | None:
        """The states that are kept, and those beside changes."""
        if not self.steps:
            return None
        nq, nv = self.system.nq, self.system.nv
        own = np.hstack([X[:, : nq + nv], U])
        all_steps = np.concatenate([self.every * np.arange(len(X)), self.steps])
        steps, first = np.unique(all_steps, return_index=True)
        rows = np.concatenate([own, self.states])[first]
        return States(h * steps, *np.split(rows, [nq, nq + nv], axis=1))

    def remark(self, h: float, made_again: bool) -> str:
        """What the rows that are kept do not show; made_again: all steps, for estimates."""
        text = ""
        if self.peak is not None:
            most, when, kept = self.peak
            i = int(np.argmax(most - kept))
            if most[i] > LARGER * kept[i]:
                text = (
                    f"Between the steps that every={self.every} keeps, "
                    f"{self.system.touches[i].label} presses with up to {most[i]:.3g} N (at t = "
                    f"{when[i] * h:.4g} s), where outputs have at most {kept[i]:.3g} N."
                )
        if self.full is not None:
            text += (
                f" From t = {self.full * h:g} s on contacts begin and end so often that only those "
                "events are there that the kept steps show."
            )
        if self.met and not made_again:
            text += (
                f" Whether impacts last enough steps is not looked at with every={self.every} "
                "here, but where all steps are kept."
            )
        return text.strip()

    def _pressed(self, done: int, N: Array) -> None:
        before = self.peak or (np.zeros(N.shape[1]), np.zeros(N.shape[1]), np.zeros(N.shape[1]))
        row = np.argmax(N, axis=0)
        top = np.take_along_axis(N, row[None], axis=0)[0]
        when = np.where(top > before[0], done + row, before[1])
        shown = N[-done % self.every :: self.every]
        kept = np.maximum(before[2], np.max(shown, axis=0, initial=0.0))
        self.peak = np.maximum(before[0], top), when, kept

    def _of(self, x: Array, U: Array) -> tuple[Array, Array]:
        """Gaps and what is left of friction; normal forces."""
        system = self.system

        def make() -> Any:
            N = ca.vertcat(*[y.pressing for y in system.touches])
            watched = ca.vertcat(system.touch_gap, system.grip)
            return system.function("between", "q v u p", watched, ca.densify(N))

        states = np.split(x.T, [system.nq])
        function = system.once("between", make)
        watched, N = by_columns(function, *states, U.T, self.parameters[:, None])
        return watched.T, N.T
