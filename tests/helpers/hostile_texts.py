"""Texts that strangers may put where a name, a title or a source belongs."""

import re

MARK = "PWNED"  # what runs, if anything runs
HOSTILE = {
    "C string": f'x"; system("echo {MARK}"); char *y = "',
    "C comment": f"*/ \n#error {MARK}\nint {MARK} = 1; /*",
    "C trigraph": f"*??/\n/\n#error {MARK}\n/*",
    "trigraph at the end": "a ??/",
    "spliced line": f"*\\\n/ int {MARK};",
    "backslash at the end": "a \\",
    "newline": f"one\n#error {MARK}\n",
    "carriage return": f"one\r{MARK}",
    "template": "@text@ @tables@ @robot@ @enumerations@",
    "XML comment": f'---> <mujoco model="{MARK}"/> <!---',
    "XML comment, short": f'--><mujoco model="{MARK}"/>',
    "dash": "ends in a dash -",
    "XML attribute": f'"/><{MARK}/>&lt;&{MARK};',
    "CDATA": f"]]><{MARK}/>",
    "script": f"</script></title><script>{MARK}</script>",
    "image": f"<img src=x onerror={MARK}>",
    "markdown": f"![{MARK}](https://a.b/c) [x](javascript:{MARK}) `a` | b |\n# c",
    "ANSI": f"\x1b[31m\x1b]0;{MARK}\x07\x1b[2J",
    "C1": f"\x9b31m\x9d0;{MARK}\x9c",
    "backspaces": "safe\b\b\b\bevil",
    "NUL": f"a\0{MARK}",
    "right to left": "abc\u202egnp.exe\u2066",
    "line separators": "a\u2028b\u2029c\x85d",
    "folders": "../../../etc/passwd",
    "root": "/etc/passwd",
    "long": "n" * 300,
    "rich markup": "[bold] [/nothing] [link=https://a.b]x[/link]",
    "formula of a figure": r"$\frac{ $a$ \undefined$",
    "format": "{task.description} %s %n {0}",
    "spreadsheet": "=HYPERLINK(1)",
    "script of its own": "نِقْ 首 ё é",
}
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def harmless(text):
    """Whether nothing in a text commands a terminal or hides."""
    return COMMANDS.search(text) is None
