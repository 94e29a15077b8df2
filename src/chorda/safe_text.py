"""Text that strangers wrote, cleaned for each kind of file and for terminals: it stays text.

A robot's name and title, a study's labels and a log's columns may hold anything. Whoever writes
them into a file calls the function of its kind, so that they neither end a comment or a string,
nor hide, nor reach a terminal as a command.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any
from urllib.parse import quote

# Control characters, line and paragraph separators, marks that change the direction of writing,
# tags, halves of surrogate pairs, and what XML refuses. Joiners stay: scripts and emoji need them.
INVISIBLE = (
    "\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f"
)
HIDDEN = re.compile(f"[{INVISIBLE}]")
HIDDEN_IN_LINES = re.compile(f"(?![\t\n])[{INVISIBLE}]")  # where several lines are meant
MARKDOWN = re.compile(r"([\\`*_\[\]<>&#|!~])")
LONGEST_KEY = 100  # characters; file systems allow 255 bytes, and some readers add an ending


def one_line(text: str) -> str:
    """Visible text in one line.

    >>> one_line("two\\nlines, \\x1b[31mred")
    'two lines, <U+001B>[31mred'
    """
    return HIDDEN.sub(_shown, re.sub(r"[\t\n\r\f\v]+", " ", text))


def on_terminal(text: str) -> str:
    """Lines of visible text: nothing in them commands the terminal."""
    return HIDDEN_IN_LINES.sub(_shown, text)


def in_c_comment(text: str) -> str:
    """Text that neither ends nor begins a comment, nor joins lines, also by trigraphs.

    >>> in_c_comment("a */ b ??/ c")
    'a * / b ? ?/ c'
    """
    text = one_line(text).replace("\\", "/")
    text = re.sub(r"\?(?=\?)", "? ", text)
    return text.replace("*/", "* /").replace("/*", "/ *")


def in_c_string(text: str) -> str:
    r"""A C string, quotes and all, that reads back to the text in UTF-8.

    >>> print(in_c_string('say "no"'))
    "say \"no\""
    """
    plain = {*range(0x20, 0x7F)} - {*b'"\\?'}  # two question marks may begin a trigraph
    code = text.encode("utf-8", "replace")
    words = [chr(x) if x in plain else f"\\{x:03o}" if x != 0x22 else '\\"' for x in code]
    return f'"{"".join(words)}"'


def in_xml(text: str) -> str:
    """Text that XML allows; quotes and brackets are left to the XML library."""
    return one_line(text)


def in_xml_comment(text: str) -> str:
    """Text without two dashes in a row, which would end the comment.

    >>> in_xml_comment("a --> b")
    'a - -> b'
    """
    text = re.sub("-(?=-)", "- ", one_line(text))
    return f"{text} " if text.endswith("-") else text


def in_html(text: str) -> str:
    """Text in a page or in a quoted attribute of it.

    >>> in_html("<b>")
    '&lt;b&gt;'
    """
    return escape(on_terminal(text))


def in_markdown(text: str) -> str:
    r"""Text in which nothing is markup.

    >>> print(in_markdown("<b> in neck-3"))
    \<b\> in neck-3
    """
    return MARKDOWN.sub(r"\\\1", one_line(text))


def in_json(data: Any, *, indent: int | None = 2) -> str:
    """Data as JSON; what would be invisible is escaped, so that it reads back."""
    text = json.dumps(data, indent=indent, allow_nan=False, ensure_ascii=False)
    return HIDDEN_IN_LINES.sub(lambda match: json.dumps(match[0])[1:-1], text)


def in_figure(text: str) -> str:
    """Text of a figure, in which dollars would begin a formula."""
    return on_terminal(text).replace("$", r"\$")


def keys(names: Iterable[str]) -> dict[str, str]:
    """By name, a key that every file system and store takes: ASCII, short, and different from the
    others also where capital letters count as small ones.

    >>> keys(["left.stiffness", "stiffness [N/m]"])
    {'left.stiffness': 'left.stiffness', 'stiffness [N/m]': 'stiffness%20%5BN%2Fm%5D'}
    """
    made: dict[str, str] = {}
    taken = {"zarr.json"}  # what a store says about itself
    for name in names:
        key = quote(name, safe="", errors="replace").replace("~", "%7E")
        if key[:1] in (".", "_"):
            key = f"%{ord(key[0]):02X}{key[1:]}"
        if len(key) > LONGEST_KEY or key.lower() in taken:
            mark = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]
            key = f"{key[:LONGEST_KEY]}~{mark}"
        taken.add(key.lower())
        made[name] = key
    return made


def _shown(match: re.Match[str]) -> str:
    return f"<U+{ord(match[0]):04X}>"
