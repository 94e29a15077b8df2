"""Modules import only downward, what is slow only when it is used; every citation resolves."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import chorda
from chorda.catalogue import load, names
from chorda.dynamics.schemes import SCHEMES

PACKAGE = Path(chorda.__file__).parent
BIBLIOGRAPHY = Path(__file__).parents[1] / "docs" / "references.bib"
LAYERS = (  # a module may import from its own layer and from those before it
    "safe_text",
    "plurals",
    "notebook_tables",
    "errors",
    "checks",
    "files",
    "numerics",
    "si_units",
    "data_table",
    "surface_files",
    "describe",
    "catalogue",
    "mechanics",
    "compile",
    "results",
    "control",
    "statics",
    "dynamics",
    "continuous",
    "tendons",
    "view",
    "identification",
    "exporting",
    "sweeps",
    "gym",
    "papers",
    "bench",
    "cli",
)
FRONT = ("__init__.py", "__main__.py")  # the package's front door may see everything
ALLOWED = {  # they draw themselves
    (module, "view")
    for module in (
        "results/run.py",
        "results/equilibrium.py",
        "results/path.py",
        "results/workspace.py",
        "statics/stability.py",
    )
}
MODULES = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).as_posix() not in FRONT
)
CITATION = re.compile(r"\b[A-Z][A-Za-z]+(?:19|20)\d\d[a-z]?\b")


def layer(module):
    return module.split("/")[0].removesuffix(".py")


def imported_layers(module, text):
    """Layers that a module imports from, at its top or inside functions, with the line."""
    here = ["chorda", *module.removesuffix(".py").split("/")]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = here[: -node.level] if node.level else []
            start = ".".join([*above, *([node.module] if node.module else [])])
            targets = [f"{start}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            root, *rest = target.split(".")
            if root == "chorda":  # the whole package is as high as its highest layer
                yield (rest[0] if rest else LAYERS[-1]), node.lineno


@pytest.mark.parametrize("module", MODULES)
def test_module_belongs_to_a_layer_and_imports_only_downward(module):
    assert layer(module) in LAYERS, f"{module}: say in LAYERS where it belongs"
    order = LAYERS.index(layer(module))
    text = (PACKAGE / module).read_text(encoding="utf-8")
    for target, line in imported_layers(module, text):
        if target in LAYERS and (module, target) not in ALLOWED:
            assert LAYERS.index(target) <= order, f"{module}:{line} imports from {target}"


def test_upward_imports_are_found_wherever_they_hide():
    text = "def f():\n    from chorda.view import plot_run\n    from chorda import cli\n"
    assert [name for name, _ in imported_layers("statics/x.py", text)] == ["view", "cli"]
    relative = "from ..view import figures\nfrom . import curve\nimport chorda.papers.report\n"
    assert [name for name, _ in imported_layers("statics/x.py", relative)] == [
        "view",
        "statics",
        "papers",
    ]


def known_keys():
    return set(re.findall(r"^@\w+\{([^,]+),", BIBLIOGRAPHY.read_text(encoding="utf-8"), re.M))


def cited():
    """(file, key) of every citation in square brackets."""
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".c", ".yaml"):
            for bracket in re.findall(r"\[([^\[\]\n]*)\]", path.read_text(encoding="utf-8")):
                for key in CITATION.findall(bracket):
                    yield path.relative_to(PACKAGE).as_posix(), key


def test_every_citation_resolves_in_the_bibliography():
    found = set(cited())
    assert any(key == "Testard2023" for _, key in found)
    assert {(where, key) for where, key in found if key not in known_keys()} == set()


def test_every_scheme_names_a_source_that_resolves():
    assert {scheme.source for scheme in SCHEMES.values()} <= known_keys()


def test_sources_of_catalogue_numbers_resolve():
    keys = {
        key
        for name in names()
        for text in load(name).sources.values()
        for key in CITATION.findall(text)
    }
    assert keys
    assert keys <= known_keys()


def test_an_import_loads_nothing_that_is_slow_and_used_by_few():
    """Each costs a tenth of a second or more; a terminal command pays for it every time."""
    code = (
        "import sys, chorda, chorda.cli; "
        "slow = ('scipy', 'pandas', 'xarray', 'matplotlib', 'h5netcdf', 'numpy.f2py', 'cupy'); "
        "sys.exit(', '.join(x for x in slow if x in sys.modules) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)
