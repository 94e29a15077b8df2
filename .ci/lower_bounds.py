"""Print the oldest release of each dependency that pyproject.toml allows, as pip wants it."""

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
wanted = project["dependencies"] + [
    line for extra in sys.argv[1:] for line in project["optional-dependencies"][extra]
]
for line in wanted:
    name, bound = re.fullmatch(r"([\w.-]+)>=([\w.]+)", line).groups()
    print(f"{name}=={bound}")
