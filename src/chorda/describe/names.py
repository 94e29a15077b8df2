"""Names and labels: what a description lets through."""

from typing import Annotated

from pydantic import AfterValidator, Field

from chorda.safe_text import HIDDEN, one_line

Name = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_-]*$",
        description="letters, digits, '_' and '-', starting with a letter",
    ),
]


def _visible(text: str) -> str:
    if HIDDEN.search(text) or (text and not text.strip()):
        raise ValueError(
            f"expected one line of visible characters, got '{one_line(text):.60}'; leave out line "
            "breaks, control characters and marks of the direction of writing"
        )
    return text


Label = Annotated[str, AfterValidator(_visible)]  # in any script, with any signs
