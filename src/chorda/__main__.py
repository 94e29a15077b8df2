"""python -m chorda: the command line."""

from chorda.cli import main

main()
