"""chorda identify: parameters of a robot from a log, with their uncertainty."""

from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorda.cli.options import ROBOT, Json, TendonModel, Tendons, assembled, destination
from chorda.cli.output import print_json, say, show, tell
from chorda.errors import InputError

if TYPE_CHECKING:
    from chorda.identification import Candidate, Comparison, Identification, Preparation
    from chorda.mechanics import System

PAGES = (".html",)
Names = list[str] | None


class Tensions(StrEnum):
    """What the equations make of tensions."""

    modelled = "modelled"
    eliminated = "eliminated"


class Method(StrEnum):
    """Of estimating."""

    auto = "auto"
    least_squares = "least-squares"
    instruments = "instruments"


def identify(
    log: Annotated[
        Path, typer.Argument(metavar="LOG", help="A .csv, .tsv, .parquet, .mat or .nc file.")
    ],
    robot: Annotated[str, typer.Option(metavar="ROBOT", help=ROBOT, show_default=False)],
    parameters: Annotated[
        Names,
        typer.Option(
            metavar="NAME",
            help="What is unknown; * in a name matches many. Repeatable. Without it: friction of "
            "the motors and the tendons' laws.",
            show_default=False,
        ),
    ] = None,
    tie: Annotated[
        Names,
        typer.Option(
            metavar="PATTERN",
            help="All that match are one unknown, as tendons of one material. Repeatable.",
            show_default=False,
        ),
    ] = None,
    refine: Annotated[
        Names,
        typer.Option(
            metavar="NAME",
            help="Fit these by simulating the motion: for what the equations are not linear in. "
            "Repeatable.",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        Names,
        typer.Option(
            metavar="ROBOT",
            help="Another robot: which explains data better that it was not fitted to? Repeatable.",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        Path | None,
        typer.Option(metavar="FILE.yaml", help="Which column of the log holds which signal."),
    ] = None,
    tendons: TendonModel = Tendons.elastic,
    tensions: Annotated[
        Tensions,
        typer.Option(help="'eliminated' combines the equations until no tendon's law is in them."),
    ] = Tensions.modelled,
    method: Annotated[
        Method, typer.Option(help="'auto' takes instruments where the model can be simulated.")
    ] = Method.auto,
    cutoff: Annotated[
        float | None,
        typer.Option(metavar="HZ", help="Of the filter; 0: none. Default: from the noise."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(metavar="HZ", help="Of the samples. Default: that of the slowest sensor."),
    ] = None,
    as_published: Annotated[
        bool,
        typer.Option("--as-published", help="Prepare the log as Fasquelle (2021) does."),
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="PAGE.html",
            help="Write tables and figures there.",
            show_default="LOG with the ending .html",
        ),
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no page.")] = False,
    as_json: Json = False,
) -> None:
    """Find parameters that explain a log, and say how sure they are.

    \b
    Example:
      chorda experiment neck-1 --duration 10 --output log.csv && \\
        chorda identify log.csv --robot neck-1
    """
    from chorda import identification as verbs

    page = _page(log, report, no_report)
    system = assembled(robot, tendons)
    prepare = _preparation(cutoff, rate, as_published)
    options: dict[str, Any] = {"tensions": tensions.value, "method": method.replace("-", " ")}
    found = verbs.identify(
        log,
        system,
        parameters,
        tied=tie or (),
        prepare=prepare,
        columns=_columns(columns, system),
        refine=refine or False,
        progress=False if as_json else None,
        **options,
    )
    compared = None
    if compare:
        models = _models(robot, system, compare, tendons, parameters, tie)
        given = _columns(columns, system)
        compared = verbs.compare(log, models, prepare=prepare, columns=given, **options)
    if page is not None:
        found.report(page)
        tell(f"Wrote {page}")
    _print(found, compared, page, as_json)


def _page(log: Path, report: Path | None, no_report: bool) -> Path | None:
    """Where the page goes; by itself it replaces no file but an older page."""
    if no_report:
        if report is not None:
            raise InputError("--report and --no-report: give one of both")
        return None
    if report is not None:
        destination(report, "--report", PAGES)
        return report
    page = log.with_suffix(".html")
    if page.exists():
        from chorda.identification.reporting.html_report import is_report

        if not is_report(page):
            raise InputError(
                f"--report: {page} exists and is no page of chorda identify; name another file, "
                "or give --no-report"
            )
    return page


def _preparation(cutoff: float | None, rate: float | None, published: bool) -> "Preparation":
    from chorda.identification import Preparation

    if not published:
        return Preparation(cutoff=cutoff, rate=rate)
    if rate is not None:
        raise InputError("--as-published: its rate is 31.25 Hz; drop --rate")
    return Preparation.as_published(cutoff)


def _columns(path: Path | None, system: "System") -> dict[str, Any] | None:
    from chorda.identification.logs.column_map import as_columns

    return None if path is None else dict(as_columns(path, system))


def _models(
    robot: str, system: "System", others: list[str], tendons: Tendons, parameters: Names, tie: Names
) -> dict[str, "Candidate"]:
    """The robot and those to compare it with, each with the unknowns that it has."""
    from chorda.identification import Candidate

    models = {robot: Candidate(system, parameters, tuple(tie or ()))}
    for name in others:
        if name in models:
            raise InputError(f"--compare: '{name}' is given twice; keep one")
        other = assembled(name, tendons)
        own = [[p for p in patterns or [] if _matches(other, p)] for patterns in (parameters, tie)]
        models[name] = Candidate(other, own[0] or None, tuple(own[1]))
    return models


def _matches(system: "System", pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in system.parameter_names)


def _print(
    found: "Identification", compared: "Comparison | None", page: Path | None, as_json: bool
) -> None:
    from chorda.identification.reporting.wording import headline

    if as_json:
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
        print_json(data)
        return
    show(found.table())
    if (doubts := found.doubts()).rows:
        show(doubts)
    say(headline(found))
    if compared is not None:
        say("")
        show(compared.table())
