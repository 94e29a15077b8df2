"""The application: global options, and how errors, warnings and Ctrl-C reach a person."""

import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from chorda.cli import (
    benchmark,
    equilibrium,
    experiment,
    export,
    identify,
    reproduce,
    robots,
    simulate,
    stability,
    steps,
    sweep,
    transmission,
    workspace,
)
from chorda.cli.output import complain, listen, warn
from chorda.errors import ChordaError

INTERRUPTED, WRONG_INPUT = 130, 2


class Commands(TyperGroup):
    """Runs a command; an error that Chorda raises on purpose is one sentence, not a traceback."""

    def invoke(self, ctx: Any) -> Any:
        with warnings.catch_warnings(), listen():
            warnings.showwarning = lambda message, *_, **__: warn(f"Warning: {message}")
            try:
                return super().invoke(ctx)
            except ChordaError as error:
                if ctx.params.get("debug"):
                    raise
                complain(f"Error: {error}")
                raise typer.Exit(WRONG_INPUT) from None
            except KeyboardInterrupt:
                complain("Interrupted.")
                raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)


def _version(wanted: bool) -> None:
    if wanted:
        import chorda

        print(f"chorda {chorda.__version__}")
        raise typer.Exit()


@app.callback(epilog="Every command shows an example: chorda simulate --help")
def commands(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    """Motion, equilibria and stability of robots that are moved by tendons.

    \b
    Example:
      chorda list
    """


app.command("list")(robots.list_robots)
app.command("show")(robots.show)
app.command("simulate")(simulate.simulate)
app.command("experiment")(experiment.experiment)
app.command("export")(export.export)
app.command("identify")(identify.identify)
app.command("equilibrium")(equilibrium.equilibrium)
app.command("stability")(stability.stability)
app.command("workspace")(workspace.workspace)
app.command("sweep")(sweep.sweep)
app.command("step-limits")(steps.step_limits)
app.command("transmission")(transmission.transmission)
app.command("reproduce")(reproduce.reproduce)
app.command("bench")(benchmark.bench)
