"""The documentation site: `make docs` builds it, without a network and without a warning."""

import sys
from pathlib import Path

import chorda

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from records import Documented  # noqa: E402

project = "Chorda"
author = "The Chorda developers"
project_copyright = author
version = release = chorda.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinxcontrib.bibtex",
    "mathml",
    "output_tables",
    "records",
]
exclude_patterns = ["_build", "images"]
templates_path = ["_templates"]
nitpicky = False

# pages
myst_enable_extensions = ["colon_fence", "dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 4
bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "plain"

# notebooks are executed once, and again when they change
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE / "_build" / "notebooks")
nb_execution_in_temp = True
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True

# the reference
autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_inherit_docstrings = False
numpydoc_show_class_members = False
autosummary_context = {"documented": Documented()}

# looks; no page asks for anything outside itself
html_theme = "pydata_sphinx_theme"
html_title = "Chorda"
html_static_path = ["_static"]
html_css_files = ["chorda.css"]
html_show_sourcelink = False
html_math_renderer = "mathml"
ALONE = ("index", "install", "start", "gallery", "papers", "changelog")
html_sidebars = {page: [] for page in ALONE}  # these have no others beside them
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
