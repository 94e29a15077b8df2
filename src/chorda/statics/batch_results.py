"""What a batch of equilibria has found: columns, their codes, and single members with sentences."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from chorda.compile import Exit
from chorda.compile.cores import Cores
from chorda.compile.rests import Rests
from chorda.mechanics import Array
from chorda.mechanics.contacts.passing import leapt
from chorda.results import Code, Equilibrium, EquilibriumBatch, Status
from chorda.results.spectra import KEPT_BYTES, KINDS, Kind, Spectra
from chorda.statics.batch_guards import WIDE, judged
from chorda.statics.branch import violated
from chorda.statics.branch_end import explain
from chorda.statics.equilibrium import judged as judged_alone
from chorda.statics.failures import singular_to_rounding
from chorda.statics.hessians import spectra
from chorda.statics.problem import Problem, Rows
from chorda.statics.ranges import Limits
from chorda.statics.solutions import equilibrium_of, gaps, tensions

JUDGED_AT_ONCE = 2_000_000  # bytes of matrices, which fit into a cache
LEAPT = "Shapes are on other sides of each other than at the start of this member."
INTERRUPTED = Status(Code.INTERRUPTED, "Interrupted before this member was solved; run it again.")


class Judging:
    """Slices of what a batch came to, which are judged like members of one; their length does not
    depend on the number of cores."""

    compiled = True

    def __init__(self, findings: "Findings", part: slice, batch: Rests, size: int) -> None:
        self._findings, self._first, self._batch = findings, part.start, batch
        ends = [*range(0, part.stop - part.start, size), part.stop - part.start]
        self._slices = [slice(a, b) for a, b in pairwise(ends)]
        self.spectra: list[dict[Kind, Spectra]] = [{} for _ in self._slices]
        self.members, self.stop = len(self._slices), np.zeros(1, np.int64)

    def many(self, _: "Judging", first: int, last: int) -> None:
        for k in range(first, last):
            own = self._slices[k]
            part = slice(self._first + own.start, self._first + own.stop)
            self.spectra[k] = self._findings.judged(part, self._batch, own)


class Findings:
    """Columns of all members, filled piece by piece.

    targets, P: rows of targets and parameters, or one that all share. start: the state, Newton's
    matrix and the parameters of a known equilibrium, a row each.
    """

    def __init__(
        self,
        problem: Problem,
        members: int,
        targets: Array,
        P: Array,
        limits: Limits,
        start: tuple[Array, Array, Array],
    ) -> None:
        self.problem, self.members, self._limits = problem, members, limits
        self._targets, self._P = targets, P
        self._x = np.full((members, problem.nx), np.nan)  # the last solved state of each
        self._u = np.full((members, problem.system.nu), np.nan)
        self._tension = np.full((members, len(problem.system.robot.tendons)), np.nan)
        known = problem.system.parameter_names
        varies = len(P) > 1 or any(name in known for name in problem.prescription.settings)
        self._own = np.full((members, len(problem.p)), np.nan) if varies else problem.p[None]
        self._residual, self._reached = np.full(members, np.nan), np.zeros(members)
        self._iterations = np.zeros(members, np.int64)
        self._code = np.full(members, str(Code.INTERRUPTED), WIDE)
        self._start = start
        self._spectra: dict[Kind, list[Spectra]] = {kind: [] for kind in KINDS}

    def given(self, part: slice) -> tuple[Array, Array]:
        """Targets and parameters of some members, or what all share."""
        t, p = self._targets, self._P
        return t[part] if len(t) > 1 else t, p[part] if len(p) > 1 else p

    def put(self, part: slice, batch: Rests, jobs: int | None) -> None:
        """What some members came to, judged in slices on all cores."""
        judging = Judging(self, part, batch, max(1, JUDGED_AT_ONCE // (8 * self.problem.nz**2)))
        threads = Cores(judging, judging.members, jobs)
        try:
            for _ in threads.run(judging, judging.members):
                pass
        finally:
            threads.close()
        for each in judging.spectra:
            for kind, found in each.items():
                self._spectra[kind].append(found)

    def judged(self, part: slice, batch: Rests, own: slice) -> dict[Kind, Spectra]:
        """Fills in some members, which are those in `own` of a batch; their stability."""
        problem, at = self.problem, np.arange(part.start, part.stop)
        code = batch.code[own]
        ran, done = code != Exit.INTERRUPTED, code == Exit.DONE
        x, residual = batch.x[own], batch.residual[own][done]
        self._x[at[ran]], self._reached[part] = x[ran], batch.reached[own]
        self._iterations[part] = batch.iterations[own]
        self._code[at[ran]] = str(Code.STOPPED)
        P = np.broadcast_to(self.given(part)[1], (len(at), len(problem.p)))
        X, A = x[done], batch.matrices[own][done].transpose(0, 2, 1)
        u, p, tension = tensions(problem, X, P[done])
        self._code[at[done]] = judged(problem, X, A, (u, p, tension), self._limits)
        starts, ends = (problem.parts(y)[0] for y in (batch.known[0][batch.start[own][done]], X))
        aside = at[done][leapt(problem.system, starts, ends, P[done])]
        self._code[aside] = str(Code.OTHER_BRANCH)
        good = self._code[at[done]] == str(Code.CONVERGED)
        rows = at[done][good]
        self._u[rows], self._tension[rows] = u[good], tension[good]
        if len(self._own) > 1:
            self._own[rows] = p[good]
        gap = gaps(problem, problem.parts(X)[0], u, p)
        self._residual[rows] = np.maximum(residual, gap)[good]
        return self._judge(len(at), rows - part.start, X[good], A[good], P[done][good])

    def _judge(self, count: int, rows: Rows, X: Array, A: Array, P: Array) -> dict[Kind, Spectra]:
        """Stability of those rows that are equilibria, among so many."""
        # the start is judged along: how many closures count then never depends on the piece
        X, A, P = (np.concatenate(x) for x in zip(self._start, (X, A, P), strict=True))
        out: dict[Kind, Spectra] = {}
        for kind in KINDS:
            found = spectra(self.problem, X, A, kind, P)
            large = 8 * self.members * found.moves**2 >= KEPT_BYTES
            K = found.eigenvalues if large else found.stiffness
            every = Spectra(
                kind,
                np.full((count, *K.shape[1:]), np.nan),
                np.full(count, -1, np.int16),
                np.zeros(count, np.int16),
                np.full(count, complex("nan")),
            )
            for mine, column in zip(every.columns, (K, *found.columns[1:]), strict=True):
                mine[rows] = column[1:]
            out[kind] = every
        return out

    def batch(self, seconds: float, made_from: Mapping[str, Any]) -> EquilibriumBatch:
        """All members; those without an equilibrium have NaN."""
        problem, n = self.problem, self.members
        if missing := n - sum(len(x.negative) for x in self._spectra["locked"]):  # Ctrl-C
            none = np.zeros(0, np.intp)
            blank = np.zeros((0, problem.nx)), np.zeros((0, problem.nz, problem.nz))
            empty = self._judge(missing, none, *blank, np.zeros((0, len(problem.p))))
            for kind, found in empty.items():
                self._spectra[kind].append(found)
        X = np.where((self._code == str(Code.CONVERGED))[:, None], self._x, np.nan)
        q, lam, tau = problem.parts(X)
        return EquilibriumBatch(
            system=problem.system,
            prescription=problem.prescription,
            targets=np.broadcast_to(self._targets, (n, self._targets.shape[1])),
            q=problem.settled(q, self._u, self._own),
            u=self._u,
            parameters=self._own,
            tension=self._tension,
            multipliers=lam,
            unknowns=tau,
            residual=self._residual,
            iterations=self._iterations,
            stability={str(k): Spectra.joined(x) for k, x in self._spectra.items()},
            code=self._code,
            reached=self._reached,
            seconds=seconds,
            single=self.single,
            provenance=made_from,
        )

    def single(self, i: int) -> Equilibrium:
        """One member as `equilibrium` gives it, with its sentence."""
        target, p = (x[i if len(x) > 1 else 0] for x in (self._targets, self._P))
        problem, x, code = replace(self.problem, p=p), self._x[i], Code(self._code[i])
        count = int(self._iterations[i])
        if code.ok:
            return judged_alone(problem, x, target, count)
        return equilibrium_of(problem, x, target, count, self._sentence(problem, i, target))

    def _sentence(self, problem: Problem, i: int, target: Array) -> Status:
        x, code = self._x[i], Code(self._code[i])
        if code is Code.INTERRUPTED:
            return INTERRUPTED
        if code is Code.SINGULAR and (stuck := singular_to_rounding(problem, x, target)):
            return stuck
        if code is Code.OTHER_BRANCH:
            return Status(code, f"{LEAPT} Try a start that is nearer: a path of equilibria.")
        if code is not Code.STOPPED and (hit := violated(problem, x, self._limits, None)):
            return hit.status("An equilibrium was found where the robot cannot be")
        _, why = explain(problem, x, target)
        return Status(
            code,
            f"Member {i} was followed to {self._reached[i]:.1%} of the way from its start. {why} "
            "Try a start that is nearer: a path or a batch of equilibria as `start`.",
        )
