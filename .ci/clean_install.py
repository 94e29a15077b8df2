"""Install a wheel or source archive where nothing else is, and run there what the README prints.

    python .ci/clean_install.py dist/chorda-*.whl dist/chorda-*.tar.gz

Each archive gets an environment of this Python, in a folder that is removed afterwards.
"""

import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
FIRST = ("chorda --version", "chorda equilibrium neck-3 --tension 20")
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def printed(language: str) -> list[str]:
    """Blocks of the README."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S
    )


def tried(archive: Path) -> None:
    """Raises a CalledProcessError where a command fails."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = Path(made)
        venv.create(folder / "environment", with_pip=True)
        scripts = folder / "environment" / SCRIPTS
        own = {**os.environ, "CHORDA_CACHE": str(folder / "kernels"), "PYTHONPATH": ""}

        def run(program: str, *arguments: str) -> None:
            print("$", program, *arguments, flush=True)
            command = [str(scripts / program), *arguments]
            subprocess.run(command, cwd=folder, env=own, check=True)

        run("python", "-m", "pip", "install", "--quiet", str(archive))
        run("python", "-m", "pip", "check")
        commands = [x for block in printed("sh") for x in block.splitlines()]
        for line in (*FIRST, *(x for x in commands if x.startswith("chorda "))):
            run(*shlex.split(line))
        (lines,) = printed("python")
        (folder / "ten_lines.py").write_text(lines, encoding="utf-8")
        run("python", "ten_lines.py")
        for name in ("run.nc", "motion.png", "neck.gif"):
            assert (folder / name).stat().st_size > 0, name


if __name__ == "__main__":
    archives = [Path(x).resolve() for pattern in sys.argv[1:] for x in glob.glob(pattern)]
    if not archives:
        sys.exit("name archives: dist/chorda-*.whl dist/chorda-*.tar.gz; make dist makes them")
    for archive in archives:
        tried(archive)
        print(f"{archive.name} works with Python {sys.version.split()[0]}", flush=True)
