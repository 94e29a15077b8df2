"""Labels of any signs are written and read; what cannot be one is refused before the work."""

import json
import pickle

import pytest

import chorda
from chorda.errors import DescriptionError, InputError, StorageError
from chorda.safe_text import keys
from chorda.sweeps import sweeping
from tests.helpers.hostile_texts import HOSTILE, harmless
from tests.helpers.refusals import refused

AWKWARD = {
    "unit": "stiffness [N/m]",
    "slash": "/a/b/",
    "dot": ".",
    "dots": "..",
    "hidden": ".zgroup",
    "reserved": "__zarr",
    "metadata": "zarr.json",
    "colon": "a:b",
    "comma": "a, b",
    "percent": "%2F",
    "spaces": " a  b ",
    "quotes": "\"a' `b`",
    "unicode": "Größe µ 刚度 🤖",
    "capital": "K",
    "chunk": "c",
    "tilde": "~",
}
VISIBLE = AWKWARD | {k: x for k, x in HOSTILE.items() if harmless(x) and "\n" not in x}
INVISIBLE = [k for k in HOSTILE if k not in VISIBLE]


def study(label, other="k", **more):
    vary = [
        {"name": "tensions", "kind": "list", "at": [5, 9], "label": label},
        {"name": "left.stiffness", "kind": "list", "at": [1e4, 2e4], "label": other},
    ]
    return {"robot": "neck-1", "vary": vary, "compute": {"kind": "equilibrium", **more}}


@pytest.mark.parametrize("kind", VISIBLE)
def test_a_label_is_written_read_and_drawn(kind, tmp_path):
    label, path = VISIBLE[kind], tmp_path / "study.zarr"
    chorda.sweep(study(label), path)
    found = chorda.open_sweep(path)
    assert found.data[label].values.tolist() == [5, 5, 9, 9]
    assert found.data["k"].values.tolist() == [1e4, 2e4, 1e4, 2e4]
    assert found.grid()["stable"].dims == (label, "k")
    assert chorda.sweep(output=path).status.ok
    found.plot(label, "stable", "k", path=tmp_path / "figure.png")
    names = [x.name for x in path.iterdir()]
    assert all(name.isascii() and len(name) < 150 for name in names)
    assert {x.name for x in tmp_path.iterdir()} == {"study.zarr", "figure.png"}


def test_keys_differ_where_capital_letters_do_not_count():
    names = [*VISIBLE.values(), "k", "Stiffness [N/m]", "x" * 299, "x" * 301]
    made = keys(names)
    assert len({x.lower() for x in made.values()}) == len(set(names))


@pytest.mark.parametrize("kind", INVISIBLE)
def test_an_invisible_label_is_refused_before_the_work(kind, monkeypatch):
    monkeypatch.setattr(sweeping, "computer", None)
    message = refused(DescriptionError, chorda.sweep, study(HOSTILE[kind]))
    assert "vary.0.label: expected one line of visible characters" in message
    assert harmless(message)


@pytest.mark.parametrize("label", ["point", "status", "message", "sample", "stable"])
def test_names_of_results_are_refused_before_the_work(label, monkeypatch):
    monkeypatch.setattr(sweeping, "probe", None)
    assert "is also a name of the results" in refused(InputError, chorda.sweep, study(label))


def test_a_store_of_the_first_format_is_read(tmp_path):
    path = tmp_path / "study.zarr"
    chorda.sweep(study("pull"), path)
    about = json.loads((path / "zarr.json").read_text())
    known = json.loads(about["attributes"]["chorda_sweep"])
    del known["keys"]
    about["attributes"]["chorda_sweep"] = json.dumps(known | {"format": 1})
    (path / "zarr.json").write_text(json.dumps(about))
    assert chorda.open_sweep(path).data["pull"].values.tolist() == [5, 5, 9, 9]


class Bomb:
    """Runs code when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_pickles_in_a_store_are_not_read(tmp_path):
    """Zarr's older format can hold them."""
    path, sign = tmp_path / "study.zarr", tmp_path / "ran"
    chorda.sweep(study("pull"), path)
    about = json.loads((path / "zarr.json").read_text())["attributes"]
    (path / "zarr.json").unlink()
    (path / "status" / "checksums.json").unlink()  # else it is made again from there
    (path / ".zgroup").write_text('{"zarr_format": 2}')
    (path / ".zattrs").write_text(json.dumps(about))
    for name in ("status", "message"):
        folder = path / name
        (folder / "zarr.json").unlink()
        meta = {
            "zarr_format": 2,
            "shape": [1],
            "chunks": [1],
            "dtype": "|O",
            "compressor": None,
            "fill_value": "",
            "order": "C",
            "filters": [{"id": "pickle", "protocol": 5}],
        }
        (folder / ".zarray").write_text(json.dumps(meta))
        (folder / "0").write_bytes(pickle.dumps(Bomb(sign)))
    assert "no store of a sweep" in refused(StorageError, chorda.open_sweep, path)
    assert not sign.exists()
