"""Pages: whole, safe, and complete in one file."""

import base64
import re
from html.parser import HTMLParser

import pytest

from chorda.errors import InputError, StorageError
from chorda.results import Table
from chorda.view import Image, Section, new_figure, write_page
from chorda.view.page import page

NASTY = '<script>alert("1")</script> & \'quotes\' <img src="http://example.org/x.png">'
GIF = b"GIF89a" + bytes(20)
OPEN = {"meta", "img"}  # elements without an end


class Reader(HTMLParser):
    """Collects text, attributes and whether every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.stack, self.tags, self.attributes, self.words = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in OPEN:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def nasty():
    section = Section(
        NASTY,
        [NASTY],
        [Table("", (NASTY, "number"), ((NASTY, -1.5), (NASTY, None)), NASTY)],
        [Image(GIF, NASTY, NASTY), Image(new_figure(2, 1), "a figure")],
    )
    return page(NASTY, [section] * 3, NASTY)


def test_all_text_is_escaped(nasty):
    reader = Reader(nasty)
    assert "script" not in reader.tags
    assert reader.tags.count("img") == 6
    shown = "".join(reader.words)
    # title, heading and lead; three in the contents; heading, text, and four of table and caption
    assert shown.count(NASTY) == 3 + 3 + 3 * 7


def test_every_element_is_closed(nasty):
    assert Reader(nasty).stack == []


def test_nothing_outside_is_referred_to(nasty):
    places = [value for name, value in Reader(nasty).attributes if name in ("src", "href")]
    assert all(place.startswith(("data:image/", "#")) for place in places)
    assert "url(" not in nasty
    assert "@import" not in nasty
    assert "default-src 'none'" in nasty


def test_links_of_the_contents_lead_to_sections_with_the_same_heading(nasty):
    attributes = Reader(nasty).attributes
    ids = [value for name, value in attributes if name == "id"]
    links = [value[1:] for name, value in attributes if name == "href"]
    assert ids == links
    assert len(set(ids)) == 3


def test_images_are_inside_as_they_are(nasty):
    data = re.findall(r"data:image/(png|gif);base64,([^\"]+)", nasty)
    assert base64.b64decode(data[0][1]) == GIF
    assert base64.b64decode(data[1][1]).startswith(b"\x89PNG")


def test_numbers_have_a_minus_and_stand_right(nasty):
    assert '<td class="n">\u22121.5</td>' in nasty


def test_a_page_suits_phones_and_dark_screens(nasty):
    assert 'name="viewport"' in nasty
    assert "prefers-color-scheme: dark" in nasty


def test_a_page_is_written_whole(tmp_path):
    path = write_page(tmp_path / "page.html", "Neck \u00b0", [Section("Motion", ["Text."])])
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.endswith("</html>\n")
    assert "Neck \u00b0" in text


def test_rows_of_another_length_and_strange_images_are_refused(tmp_path):
    with pytest.raises(InputError, match="a row has 1 cells under a header of 2"):
        page("t", [Section("s", tables=[Table("", ("a", "b"), (("x",),))])])
    with pytest.raises(InputError, match="'logo' is no figure and no PNG or GIF"):
        page("t", [Section("s", images=[Image(b"<svg/>", "logo")])])
    with pytest.raises(InputError, match=r"ends in \.html"):
        write_page(tmp_path / "page.txt", "t", [])
    with pytest.raises(StorageError, match="does not exist"):
        write_page(tmp_path / "no" / "page.html", "t", [])
