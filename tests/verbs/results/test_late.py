"""Values that are computed when they are first asked for, and statuses whose remarks are."""

import copy
import pickle

import pytest

import chorda
from chorda.results import Code, Status
from chorda.results.late import Late


def test_a_value_is_computed_once_and_only_if_asked_for():
    asked = []
    late = Late(lambda: asked.append(1) or 42)
    assert not asked
    assert (late(), late()) == (42, 42)
    assert asked == [1]


def test_what_was_interrupted_is_computed_again():
    given = iter([KeyboardInterrupt(), 7])

    def compute():
        if isinstance(x := next(given), KeyboardInterrupt):
            raise x
        return x

    late = Late(compute)
    with pytest.raises(KeyboardInterrupt):
        late()
    assert late() == 7


def test_a_status_reads_its_late_remark_with_the_message_alone():
    asked = []
    status = Status(Code.COMPLETED, "Done.").with_late_remark(lambda: asked.append(1) or "But so.")
    assert status.ok
    assert not asked
    assert str(status.with_remarks("And this.")) == "Done. And this. But so."
    assert status == Status(Code.COMPLETED, "Done. But so.")
    for same in (pickle.loads(pickle.dumps(status)), copy.deepcopy(status)):
        assert same == status
        assert repr(same) == "Status('completed', 'Done. But so.')"


def test_a_run_estimates_nothing_until_it_is_looked_at(monkeypatch):
    made = []
    run = chorda.simulate(
        chorda.assemble(chorda.neck(1)), duration=0.1, step=1e-3, initial={"x1": 0.1}
    )
    compute = run.estimate._compute
    monkeypatch.setattr(run.estimate, "_compute", lambda: made.append(1) or compute())
    assert run.status.ok
    assert not made
    assert "Completed 100 steps" in run.status.message
    assert run.accuracy.time.position > 0
    assert made == [1]
