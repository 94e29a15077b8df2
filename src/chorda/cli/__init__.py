"""The verbs as commands: one small file for each group, heavy imports inside the commands."""

from chorda.cli.app import app


def main() -> None:
    """Entry point of the command `chorda`."""
    app(prog_name="chorda")


__all__ = ["app", "main"]
