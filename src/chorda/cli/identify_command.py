"""chorda identify: parameters of a robot from a log, with their uncertainty."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from chorda.cli.options import Json, Tendons, Texts, assembled
from chorda.cli.output import print_json, print_table, print_text, write_file
from chorda.cli.typer_options import Endings
from chorda.errors import InputError
from chorda.mechanics import System

if TYPE_CHECKING:
    from chorda.identification import Candidate, Comparison, Identification, Preparation


@dataclass(frozen=True)
class Filter:
    """How the log is prepared.

    Parameters
    ----------
    cutoff : HZ
        Cut-off of the filter; 0: none. Default: from the noise.
    rate : HZ
        Rate of the samples. Default: that of the slowest sensor.
    as_published
        Prepare the log as Fasquelle (2021) does.
    """

    cutoff: float | None = None
    rate: float | None = None
    as_published: bool = False

    def preparation(self) -> "Preparation":
        from chorda.identification import Preparation

        if not self.as_published:
            return Preparation(cutoff=self.cutoff, rate=self.rate)
        if self.rate is not None:
            raise InputError("--as-published: its rate is 31.25 Hz; drop --rate")
        return Preparation.as_published(self.cutoff)


@dataclass(frozen=True)
class Page:
    """Where the tables and figures go.

    Parameters
    ----------
    report : PAGE.html
        Write tables and figures there. Default: LOG with the ending .html.
    no_report
        Write no page.
    """

    report: Annotated[Path | None, Endings((".html",))] = None
    no_report: bool = False

    def path(self, log: Path) -> Path | None:
        """The page's file; by itself it replaces no file but an older page."""
        if not log.name:
            raise InputError(f"LOG: expected a file, got '{log}'")
        if self.no_report:
            if self.report is not None:
                raise InputError("--report and --no-report: give one of both")
            return None
        page = log.with_suffix(".html")
        if self.report is None and page.exists():
            from chorda.identification.reporting.html_report import is_report

            if not is_report(page):
                raise InputError(
                    f"--report: {page} exists and is no page of chorda identify; name another "
                    "file, or give --no-report"
                )
        return self.report or page


@dataclass(frozen=True)
class Unknowns:
    """Which parameters are unknown.

    Parameters
    ----------
    parameters : NAME
        What is unknown; * in a name matches many. Repeatable. Without it: friction of the motors
        and the tendons' laws.
    tie : PATTERN
        All that match are one unknown, as tendons of one material. Repeatable.
    """

    parameters: Texts = None
    tie: Texts = None

    def candidate(self, system: System) -> "Candidate":
        """A model to compare, with those of the unknowns that it has."""
        from chorda.identification import Candidate

        own = [
            [p for p in patterns or [] if _matches(system, p)]
            for patterns in (self.parameters, self.tie)
        ]
        return Candidate(system, own[0] or None, tuple(own[1]))


def _matches(system: System, pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in system.parameter_names)


def identify(
    *,
    log: Annotated[
        Path, typer.Argument(metavar="LOG", help="A .csv, .tsv, .parquet, .mat or .nc file.")
    ],
    robot: str,
    unknowns: Unknowns,
    refine: Texts = None,
    compare: Texts = None,
    columns: Path | None = None,
    tendons: Tendons = "elastic",
    tensions: Literal["modelled", "eliminated"] = "modelled",
    method: Literal["auto", "least-squares", "instruments"] = "auto",
    filter: Filter,
    page: Page,
    as_json: Json = False,
) -> None:
    """Find parameters that explain a log, with their uncertainty.

    Parameters
    ----------
    robot : ROBOT
        A catalogue name (neck-3), or a robot's YAML file.
    refine : NAME
        Fit these by simulating the motion: for what the equations are not linear in. Repeatable.
    compare : ROBOT
        Another robot: which explains data better that it was not fitted to? Repeatable.
    columns : FILE.yaml
        Which column of the log holds which signal.
    tendons
        How tendons are modelled.
    tensions
        'eliminated' combines the equations until no tendon's law is in them.
    method
        'auto' takes instruments where the model can be simulated.

    \b
    Example:
      chorda experiment neck-1 --duration 10 --output log.csv && \\
        chorda identify log.csv --robot neck-1
    """
    from chorda import identification

    file = page.path(log)
    system = assembled(robot, tendons)
    options: dict[str, Any] = {
        "prepare": filter.preparation(),
        "columns": columns,
        "tensions": tensions,
        "method": method.replace("-", " "),
    }
    found = identification.identify(
        log,
        system,
        unknowns.parameters,
        tied=unknowns.tie or (),
        refine=refine or False,
        progress=False if as_json else None,
        **options,
    )
    compared = None
    if compare:
        models = {robot: unknowns.candidate(system)}
        for name in compare:
            if name in models:
                raise InputError(f"--compare: '{name}' is given twice; keep one")
            models[name] = unknowns.candidate(assembled(name, tendons))
        compared = identification.compare(log, models, **options)
    write_file(file, found.report)
    if as_json:
        print_json(_as_data(found, compared, file))
    else:
        _print(found, compared)


def _as_data(
    found: "Identification", compared: "Comparison | None", page: Path | None
) -> dict[str, Any]:
    data = {**found.to_dict(), "files": [] if page is None else [page]}
    if compared is not None:
        data["comparison"] = [
            {
                "model": s.name,
                "unknowns": len(s.fitted.estimates),
                "misfit": s.misfit,
                "misfit_held_out": s.held_out_misfit,
                "tension_error_held_out_n": s.tension_error,
            }
            for s in compared.scores
        ]
    return data


def _print(found: "Identification", compared: "Comparison | None") -> None:
    from chorda.identification.reporting.wording import headline

    print_table(found.table())
    if (doubts := found.doubts()).rows:
        print_table(doubts)
    print_text(headline(found))
    if compared is not None:
        print_text("")
        print_table(compared.table())
