"""gymnasium is needed by chorda.gym alone, which says so where it is missing."""

import subprocess
import sys


def said(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)


def test_importing_chorda_does_not_import_gymnasium():
    code = "import sys, chorda; assert 'gymnasium' not in sys.modules"
    assert said(code).returncode == 0


def test_without_gymnasium_the_error_names_the_command():
    code = "import sys; sys.modules['gymnasium'] = None; import chorda.gym"
    assert "ImportError: chorda.gym: needs the package gymnasium; pip install 'chorda[gym]'" in (
        said(code).stderr
    )
