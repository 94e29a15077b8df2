"""Till: statics and dynamics of a tendon robot as a Cosserat rod, and friction of its tendon."""

from chorda.papers.reproduction import Animation, Paper
from chorda.papers.till import figures, friction_tables, motion_tables, shooting_tables, tables
from chorda.papers.till.choices import CHOICES
from chorda.papers.till.published import SOURCES
from chorda.papers.till.study import Study
from chorda.view import export_shape

PAPER = Paper(
    title="Tendon robot dynamics by Cosserat rods (Till)",
    notes=SOURCES,
    study=Study,
    tables=(
        tables.static_table,
        motion_tables.chapter_table,
        motion_tables.motion_table,
        motion_tables.cost_table,
        shooting_tables.shooting_table,
        shooting_tables.reasons_table,
        motion_tables.short_table,
        friction_tables.friction_table,
        friction_tables.steps_table,
        friction_tables.choices_table,
        friction_tables.loop_table,
        lambda study: tables.precision_table(study.points),
    ),
    figures=(
        figures.static,
        figures.tip,
        figures.shooting,
        figures.friction,
        figures.hysteresis,
        figures.precision,
    ),
    files={
        "motion.csv": lambda study, path: export_shape(study.drawn, path),
        "rest.glb": lambda study, path: export_shape(study.rest, path),
        "rest.obj": lambda study, path: export_shape(study.rest, path),
        "pulled.glb": lambda study, path: export_shape(study.drawn, path, time=10.0),
    },
    animation=Animation(
        "till.gif",
        "Pulled at 3.7 s and let go at 17.6 s; the tendon's colour is its tension",
        lambda study: study.drawn,
        fps=12.5,
    ),
    choices=CHOICES,
)
