"""The application: global options, and how errors, warnings and Ctrl-C reach a person."""

import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import chorda
from chorda.cli.bench_command import bench
from chorda.cli.equilibrium_command import equilibrium
from chorda.cli.experiment_command import experiment
from chorda.cli.export_command import export
from chorda.cli.identify_command import identify
from chorda.cli.output import log_on_stderr, print_error, print_warning
from chorda.cli.reproduce_command import reproduce
from chorda.cli.robot_commands import list_robots, show
from chorda.cli.simulate_command import simulate
from chorda.cli.stability_command import stability
from chorda.cli.step_limits_command import step_limits
from chorda.cli.sweep_command import sweep
from chorda.cli.transmission_command import transmission
from chorda.cli.typer_options import Command, typer_command
from chorda.cli.view_command import view
from chorda.cli.workspace_command import workspace
from chorda.errors import ChordaError
from chorda.numerics.ctrl_c import interruptible

INTERRUPTED, WRONG_INPUT = 130, 2  # exit codes
COMMANDS: dict[str, Command] = {
    "list": list_robots,
    "show": show,
    "view": view,
    "simulate": simulate,
    "experiment": experiment,
    "export": export,
    "identify": identify,
    "equilibrium": equilibrium,
    "stability": stability,
    "workspace": workspace,
    "sweep": sweep,
    "step-limits": step_limits,
    "transmission": transmission,
    "reproduce": reproduce,
    "bench": bench,
}


class Commands(TyperGroup):
    """Runs a command; an error that Chorda raises on purpose is one sentence, not a traceback."""

    def invoke(self, ctx: Any) -> Any:
        with warnings.catch_warnings(), log_on_stderr(), interruptible():
            warnings.showwarning = lambda message, *_, **__: print_warning(f"Warning: {message}")
            try:
                return super().invoke(ctx)
            except ChordaError as error:
                if ctx.params.get("debug"):
                    raise
                print_error(f"Error: {error}")
                raise typer.Exit(WRONG_INPUT) from None
            except KeyboardInterrupt:
                print_error("Interrupted.")
                raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False)
for name, command in COMMANDS.items():
    app.command(name)(typer_command(command))


def _version(wanted: bool) -> None:
    if wanted:
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
