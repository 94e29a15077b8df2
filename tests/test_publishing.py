"""What is published agrees with pyproject.toml: recipe, citation, addresses, versions, forms."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted(x for x in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if x.stem != "config")
SYSTEMS = {"ubuntu-latest", "macos-latest", "windows-latest"}
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
INPUTS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


PYPROJECT = tomllib.loads(text("pyproject.toml"))
PROJECT = PYPROJECT["project"]
HOME = PROJECT["urls"]["Homepage"]


def bounds(lines):
    """{package: bound} of lines such as `numpy>=2.0`."""
    return dict(re.fullmatch(r"([\w.-]+)\s*(.*)", line).groups() for line in lines)


def recipe(section):
    """Lines of a list of the conda recipe, which is no YAML before it is rendered."""
    (found,) = re.findall(rf"^  {section}:\n((?:    - .*\n)+)", text("conda/meta.yaml"), re.M)
    return re.findall(r"^    - (.*)$", found, re.M)


def pythons():
    """Versions of Python by the classifiers."""
    lines = PROJECT["classifiers"]
    return [x.split()[-1] for x in lines if re.fullmatch(r".*:: Python :: 3\.\d+", x)]


def test_the_conda_recipe_needs_what_the_project_needs():
    named = bounds(PROJECT["dependencies"])
    wanted = {CONDA_NAMES.get(name, name): bound for name, bound in named.items()}
    assert bounds(recipe("run")) == {**wanted, "python": PROJECT["requires-python"]}


def test_the_conda_recipe_is_built_as_the_project_is():
    built = bounds(recipe("host"))
    assert built.pop("pip") == ""
    wanted = bounds(PYPROJECT["build-system"]["requires"])
    assert built == {**wanted, "python": PROJECT["requires-python"]}
    for name, target in PROJECT["scripts"].items():
        assert f"    - {name} = {target}\n" in text("conda/meta.yaml")


def test_recipe_and_citation_have_the_projects_version_and_licence():
    citation = yaml.safe_load(text("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert [x["name"] for x in citation["authors"]] == [x["name"] for x in PROJECT["authors"]]
    assert f'version = "{PROJECT["version"]}"' in text("conda/meta.yaml")
    assert f"license: {PROJECT['license']}\n" in text("conda/meta.yaml")


def test_there_is_one_address():
    own = [x for name, x in PROJECT["urls"].items() if name != "Documentation"]
    given = [*own, yaml.safe_load(text("CITATION.cff"))["repository-code"]]
    given += re.findall(r"^  home: (\S+)$", text("conda/meta.yaml"), re.M)
    given += [x["replacement"].removeprefix(r"\1") for x in substitutions()]
    assert len(given) == 8
    assert [x for x in given if x != HOME and not x.startswith(f"{HOME}/")] == []
    assert HOME in text("CONTRIBUTING.md")


def test_the_documentation_is_where_the_workflow_publishes_it():
    assert "actions/deploy-pages" in text(".github/workflows/docs.yml")
    owner, name = HOME.removeprefix("https://github.com/").split("/")
    assert PROJECT["urls"]["Documentation"] == f"https://{owner}.github.io/{name}/"
    assert PROJECT["urls"]["Documentation"] in text("CONTRIBUTING.md")


def substitutions():
    """What becomes of the README in the archives."""
    return PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]


def test_links_of_the_published_readme_are_whole():
    readme = text("README.md")
    for each in substitutions():
        readme = re.sub(each["pattern"], each["replacement"], readme)
    links = re.findall(r"\]\(([^)]*)\)", readme)
    assert len(links) > 20
    for link in links:
        kind, path = re.fullmatch(re.escape(HOME) + r"/(raw|blob)/main/([^#]*).*", link).groups()
        assert (ROOT / path).exists(), link
        assert (kind == "raw") == path.endswith((".gif", ".png", ".svg")), link


def test_a_package_has_the_same_oldest_version_in_every_extra():
    seen = {}
    extras = PROJECT["optional-dependencies"].values()
    for name, bound in chain.from_iterable(bounds(x).items() for x in extras):
        assert seen.setdefault(name, bound) == bound, name


def test_versions_of_python_are_those_that_workflows_try_and_documents_name():
    jobs = {x.stem: yaml.safe_load(x.read_text(encoding="utf-8"))["jobs"] for x in WORKFLOWS}
    few, all_of_them = (
        jobs[workflow][job]["strategy"]["matrix"]
        for workflow, job in (("tests", "systems"), ("release", "clean"))
    )
    assert set(few["os"]) == set(all_of_them["os"]) == SYSTEMS
    assert all_of_them["python"] == pythons()
    assert few["python"] == [pythons()[0], pythons()[-1]]
    assert PROJECT["requires-python"] == f">={pythons()[0]}"
    assert f"{', '.join(pythons()[:-1])} and {pythons()[-1]}" in text("docs/install.md")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda x: x.stem)
def test_a_workflow_may_read_ends_in_time_and_runs_targets_that_exist(path):
    flow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert flow["permissions"] == {"contents": "read"}
    steps = [x for job in flow["jobs"].values() for x in job["steps"]]
    for job in flow["jobs"].values():
        assert job["timeout-minutes"] > 0
    for step in steps:
        assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v1)", step.get("uses", "a/b@v1"))
        for target in re.findall(r"\bmake (\w+)", step.get("run", "")):
            assert re.search(rf"^{target}:", text("Makefile"), re.M), target
        for script in re.findall(r"\.ci/\S+\.py", step.get("run", "")):
            assert (ROOT / script).is_file(), script


def test_only_a_tag_that_is_the_version_is_released_and_without_a_password():
    jobs = yaml.safe_load(text(".github/workflows/release.yml"))["jobs"]
    check = next(x["run"] for x in jobs["build"]["steps"] if "tag" in x.get("name", ""))
    assert "pyproject.toml" in check
    assert jobs["clean"]["needs"] == "build"
    assert jobs["publish"]["needs"] == "clean"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in text(".github/workflows/release.yml")


@pytest.mark.parametrize("path", FORMS, ids=lambda x: x.stem)
def test_a_form_for_issues_is_one(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(form)
    asked = [x for x in form["body"] if x["type"] != "markdown"]
    assert {x["type"] for x in form["body"]} <= INPUTS
    assert len({x["id"] for x in asked}) == len(asked) > 0
    assert all(x["attributes"]["label"] for x in asked)
    assert any(x.get("validations", {}).get("required") for x in asked)
