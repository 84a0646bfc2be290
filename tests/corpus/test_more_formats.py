"""Formats of offices, publishers and programmers, read with the standard library: their text, titles and rows."""

from __future__ import annotations

import gzip
import io
import json
import unicodedata
import zipfile
from email.message import EmailMessage

import pytest

from vicinal import read
from vicinal.corpus._formats.latex import plain_text as latex_text
from vicinal.corpus._formats.rtf import plain_text as rtf_text
from vicinal.corpus._formats.xml import wiki_text


@pytest.fixture
def reading_of(tmp_path):
    """Write a file of this name and read it: documents, reasons and notes."""

    def made(name, content, **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        reading = read(path, **options)
        documents = list(reading)
        return documents, [skipped.reason for skipped in reading.skipped], reading.notes

    return made


def package(parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return stream.getvalue()


ODT = {
    "content.xml": '<o xmlns:t="t"><t:h>Baking</t:h><t:p>The oven<t:s/>is <t:span>hot</t:span>.</t:p></o>',
    "meta.xml": '<m xmlns:d="d"><d:title>Bread</d:title></m>',
}
PPTX = {
    "ppt/slides/slide10.xml": '<s xmlns:a="a"><a:p><a:r><a:t>Last words</a:t></a:r></a:p></s>',
    "ppt/slides/slide2.xml": '<s xmlns:a="a"><a:p><a:r><a:t>First </a:t></a:r><a:r><a:t>words</a:t></a:r></a:p></s>',
    "ppt/notesSlides/notesSlide2.xml": '<s xmlns:a="a"><a:p><a:t>A note</a:t></a:p></s>',
    "docProps/core.xml": '<c xmlns:d="d"><d:title>Talk</d:title></c>',
}
EPUB = {
    "META-INF/container.xml": '<c><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></c>',
    "OPS/book.opf": '<p xmlns:d="d"><d:title>Book</d:title><manifest><item id="b" href="two.xhtml"/>'
    '<item id="a" href="on%20e.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></p>',
    "OPS/on e.xhtml": "<html><body><p>Chapter one</p></body></html>",
    "OPS/two.xhtml": "<html><body><p>Chapter two</p></body></html>",
}


@pytest.mark.parametrize(
    ("name", "parts", "title", "text"),
    [
        ("a.odt", ODT, "Bread", "Baking\nThe oven is hot."),
        ("a.pptx", PPTX, "Talk", "First words\nA note\n\nLast words"),
        ("a.epub", EPUB, "Book", "Chapter one\n\nChapter two"),
    ],
)
def test_documents_that_are_archives_give_their_text_and_title(reading_of, name, parts, title, text):
    [document], skipped, _ = reading_of(name, package(parts))
    assert (document.title, document.text.strip(), skipped) == (title, text, [])
    assert reading_of(name, b"no archive")[1] == ["not a document of its type, or a damaged one: File is not a zip file"]


@pytest.mark.parametrize(
    ("name", "parts", "title"),
    [
        ("birds.odt", {"content.xml": ODT["content.xml"]}, "Baking"),
        ("birds.pptx", {name: text for name, text in PPTX.items() if name.startswith("ppt")}, "First words"),
        ("birds.epub", EPUB | {"OPS/book.opf": EPUB["OPS/book.opf"].replace("<d:title>Book</d:title>", "")}, "Chapter one"),
        ("birds.odt", {"content.xml": '<o xmlns:t="t"><t:p>one line</t:p></o>'}, "birds"),
        ("137.odt", {"content.xml": '<o xmlns:t="t"><t:p>one line</t:p></o>'}, ""),
    ],
)
def test_a_document_that_has_no_title_is_titled_by_its_first_line_or_its_name(reading_of, name, parts, title):
    [document], _, _ = reading_of(name, package(parts))
    assert document.title == title


def workbook(sheets):
    names = "".join(f'<sheet name="{name}" r:id="r{i}"/>' for i, name in enumerate(sheets))
    targets = "".join(f'<Relationship Id="r{i}" Target="worksheets/sheet{i}.xml"/>' for i in range(len(sheets)))
    parts = {
        "xl/workbook.xml": f'<w xmlns:r="r"><sheets>{names}</sheets></w>',
        "xl/_rels/workbook.xml.rels": f"<r>{targets}</r>",
        "xl/sharedStrings.xml": "<sst><si><t>text</t></si><si><t>day</t></si>"
        '<si><r><t xml:space="preserve">red </t></r><r><t>roses</t></r></si></sst>',
        "xl/styles.xml": '<s><numFmts><numFmt numFmtId="200" formatCode="yyyy-mm-dd"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="200"/></cellXfs></s>',
    }
    return package(parts | {f"xl/worksheets/sheet{i}.xml": text for i, text in enumerate(sheets.values())})


SHEET = """<w><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>
<c r="C1" t="inlineStr"><is><t>n</t></is></c></row>
<row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3" s="1"><v>44259</v></c><c r="C3"><v>2.5</v></c></row>
<row r="4"><c r="A4" t="str"><v>wine</v></c><c r="C4"><v>7</v></c></row>
<row r="5"><c r="B5" s="2"><v>44260.5</v></c></row></sheetData></w>"""


def test_a_row_of_a_sheet_is_a_document_with_numbers_and_dates(reading_of):
    documents, skipped, notes = reading_of("a.xlsx", workbook({"One": SHEET}))
    assert [(each.id, each.text, dict(each.metadata)) for each in documents] == [
        ("a.xlsx#3", "red roses", {"day": "2021-03-04", "n": 2.5}),
        ("a.xlsx#4", "wine", {"day": None, "n": 7}),
    ]
    assert skipped == ["row 5: no text"]
    assert notes == ['columns of a.xlsx: text from "text", metadata: day, n']
    assert [each.id for each in reading_of("a.xlsx", workbook({"One": SHEET, "Two": SHEET}))[0]] == [
        "a.xlsx/One#3",
        "a.xlsx/One#4",
        "a.xlsx/Two#3",
        "a.xlsx/Two#4",
    ]


def test_a_part_that_unpacks_to_too_much_or_has_entities_is_refused(reading_of, monkeypatch, in_this_process):
    from vicinal.corpus import Limits, _unpack

    monkeypatch.setattr(_unpack, "_LEAST", 1_000)
    large = ODT | {"content.xml": f"<o><p>{'words ' * 50_000}</p></o>"}
    assert "unpacks to more than" in reading_of("a.odt", package(large), limits=Limits(unpacked_ratio=1))[1][0]
    bomb = ODT | {"content.xml": '<!DOCTYPE o [<!ENTITY a "aaaa">]><o><p>&a;</p></o>'}
    assert "entities" in reading_of("a.odt", package(bomb))[1][0]
    deep = ODT | {"content.xml": "<o>" * 5_000}
    assert "deep" in reading_of("a.odt", package(deep))[1][0]


JATS = """<article><front><journal-meta><journal-title>J. of X</journal-title></journal-meta><article-meta><title-group>
<article-title>On <italic>roses</italic></article-title></title-group><pub-date><year>1998</year></pub-date>
<abstract><p>We prune.</p></abstract></article-meta></front>
<body><sec><title>Method</title><p>Cut it <xref>[1]</xref>short.</p></sec></body>
<back><ref-list><ref>Other paper</ref></ref-list></back></article>"""
TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Letters</title></titleStmt>
<publicationStmt><p>Free</p></publicationStmt></fileDesc></teiHeader>
<text><body><p>Dear <persName>Ann</persName>,</p></body></text></TEI>"""
WIKI = """<mediawiki xmlns="http://m"><siteinfo><sitename>W</sitename></siteinfo>
<page><title>Rose</title><ns>0</ns><id>7</id><revision><timestamp>2020-01-02T03:04:05Z</timestamp>
<text>'''Rose''' is a {{lang|en|{{x}}}} [[Plant|plant]] &amp;[[tree]].&lt;ref&gt;A&lt;/ref&gt;
== Care ==
Prune.</text></revision></page>
<page><title>Talk:Rose</title><ns>1</ns><revision><text>x</text></revision></page>
<page><title>Roses</title><ns>0</ns><redirect title="Rose"/><revision><text>#REDIRECT</text></revision></page></mediawiki>"""


def test_an_article_and_an_edition_have_their_title_and_what_is_read(reading_of):
    [article], _, _ = reading_of("a.xml", JATS)
    assert (article.title, article.text.split(), dict(article.metadata)) == (
        "On roses",
        ["We", "prune.", "Method", "Cut", "it", "short."],
        {"year": 1998},
    )
    [edition], _, _ = reading_of("b.xml", TEI)
    assert (edition.title, edition.text) == ("Letters", "Dear Ann,")


def test_the_articles_of_a_dump_of_a_wiki_are_documents_and_the_other_pages_are_reported(reading_of):
    [page], skipped, _ = reading_of("dump.xml", WIKI)
    assert (page.id, page.title, dict(page.metadata)) == ("dump.xml#1", "Rose", {"date": "2020-01-02T03:04:05Z"})
    assert page.text.split() == ["Rose", "is", "a", "plant", "&tree.", "Care", "Prune."]
    assert skipped == ["page 2 (Talk:Rose): not an article", "page 3 (Roses): a redirect"]
    assert wiki_text("[[File:x.png|thumb]] [https://x.org words] <b>bold</b>").split() == ["words", "bold"]


def test_any_other_xml_is_its_text_and_what_is_not_well_formed_is_plain_text(reading_of):
    assert reading_of("a.xml", "<x><y>one</y><y a='b'>two</y></x>")[0][0].text.split() == ["one", "two"]
    [document], _, notes = reading_of("b.xml", "<x>words & signs</x>\n")
    assert (document.text, len(notes)) == ("<x>words & signs</x>\n", 1)
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY c SYSTEM "file:///etc/passwd">]><x>&a;&c;</x>'
    [document], _, [note] = reading_of("bomb.xml", bomb)
    assert document.text == bomb
    assert "entities of its own, which are not expanded" in note


def test_a_notebook_is_its_text_and_code_without_outputs(reading_of):
    cells = [
        {"cell_type": "markdown", "source": ["# Roses\n", "and thorns"]},
        {"cell_type": "code", "source": "prune()", "outputs": [{"text": "secret"}]},
    ]
    [document], _, _ = reading_of("a.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    assert (document.title, document.text) == ("Roses", "# Roses\nand thorns\n\nprune()")
    assert reading_of("b.ipynb", "{}")[1] == ["not a notebook: it has no cells"]


def test_rtf_is_its_text():
    head = r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\*\generator x;}\uc1 "
    source = head + r"Caf\'e9 \u8364? 5\par {\b bold}\tab \{x\}\line{\pict 00ff}end}"
    assert rtf_text(source) == "Café € 5\nbold\t{x}\nend"
    assert rtf_text(r"{\rtf1\ansicpg1251 \'cf\'f0\'e8}") == "При"
    assert rtf_text("{" * 10_000 + "x" + "}" * 10_000) == "x"


@pytest.mark.parametrize(("given", "title"), [(r"Caf\'e9 roses", "Café roses"), ("Microsoft Word - a.doc", "first"), ("", "first")])
def test_rtf_is_called_by_its_own_title(reading_of, given, title):
    source = r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 A;}}{\info{\author x}{\title " + given + r"}}first\par second}"
    [document], _, _ = reading_of("a.rtf", source)
    assert (document.title, document.text) == (title, "first\nsecond")


def test_latex_is_its_words(reading_of):
    source = r"""\documentclass{article} % a comment
\title{On \emph{roses} and th\"orns}
\begin{document}\maketitle
\section{Care} We prune~\cite{a,b} at $x^2$ and 50\% of \textbf{all} caf\'e.
\begin{equation} E = mc^2 \end{equation}
\begin{itemize}\item first \item second\end{itemize}
\end{document} after"""
    [document], _, _ = reading_of("a.tex", source)
    assert document.title == "On roses and thörns"
    assert document.text.split() == ["Care", "We", "prune", "at", "and", "50%", "of", "all", "café.", "first", "second"]
    assert latex_text(r"\url{x} \caption{A rose}").split()[-2:] == ["A", "rose"]


def test_letters_of_latex_are_letters_of_their_word():
    written = [r"M{\"u}ller", r"G\"odel", r"Stra\ss e", r"Stra{\ss}e", r"Ma\ss{}e", r"na\"{\i}ve", r"{\AA}ngstr{\"o}m"]
    written += [r"Erd{\H o}s", r"K\o benhavn", r"{B}ayesian", r"\c{c}a"]
    plain = ["Müller", "Gödel", "Straße", "Straße", "Maße", "naïve", "Ångström", "Erdős", "København", "Bayesian", "ça"]
    assert unicodedata.normalize("NFC", latex_text(", ".join(written))).split(", ") == plain
    assert latex_text(r"a \oldstyle b \lambda c \vspace{1} \hat d").split() == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "front",
    [
        '---\ntitle: "Roses"\ntags: [a, b]\ndate: 2020-01-02\n---\n',
        '+++\ntitle = "Roses"\ntags = ["a", "b"]\ndate = 2020-01-02\n+++\n',
    ],
)
def test_front_matter_of_markdown_is_metadata(reading_of, front):
    [document], _, _ = reading_of("a.md", f"{front}# Care\nPrune.\n")
    assert (document.title, document.text) == ("Roses", "# Care\nPrune.\n")
    assert dict(document.metadata) == {"tags": "a, b", "date": "2020-01-02"}
    assert reading_of("b.md", "---\nnot front matter\n")[0][0].text == "---\nnot front matter\n"


def test_a_text_is_called_after_its_first_line_unless_that_is_a_paragraph_or_no_words(reading_of):
    assert reading_of("137.txt", "\n  On roses \n\nPrune them.\n")[0][0].title == "On roses"
    for text in ("One line alone\n", "word " * 60 + "\nmore", "=====\nmore\n", "12 34 5\nmore\n"):
        assert reading_of("roses.txt", text)[0][0].title == "roses"
        for number in ("137.txt", "t0.txt", "2024-01-31.txt.gz"):
            data = gzip.compress(text.encode()) if number.endswith(".gz") else text
            assert reading_of(number, data)[0][0].title == ""
    for name, text in (("(anonymous).txt", "one line"), ("untitled 2.txt", "one line"), ("137.txt", "(anonymous)\nmore")):
        assert reading_of(name, text)[0][0].title == ""


PAGE = """<html><head><title>Roses</title></head><body><header>My site</header><nav><a>Home</a> <a>About</a></nav>
<main><h1>Care</h1><p>{}</p><aside>Buy our shears</aside></main><footer>Copyright</footer></body></html>"""


STORY = "<div class=content><h1>Care</h1><p>" + "Prune the roses in March, and not before. " * 3 + "</p></div>"
LINKS = "<ul><li><a href=1>Home page</a><li><a href=2>About us</a></ul>"


@pytest.mark.parametrize(
    "block", ['<div id="menu">{}</div>', "<table class='left navbar'>{}</table>", "<div role=navigation><div>{}</div></div>"]
)
def test_links_in_a_block_that_is_called_a_menu_are_of_the_site(reading_of, block):
    page = "<html><body>" + block.format(LINKS) + STORY + block.format(LINKS) + "</body></html>"
    assert reading_of("a.html", page)[0][0].text.split("\n")[0] == "Care"
    assert "Home" not in reading_of("a.html", page)[0][0].text


@pytest.mark.parametrize(
    "block",
    [
        "<div id=menu><p>Soup of the day, bread and <a href=1>wine</a></p></div>",
        f"<div id=menu>{LINKS}",
        f"<div id=story>{LINKS}</div>",
    ],
)
def test_a_menu_of_words_or_without_an_end_and_links_elsewhere_are_kept(reading_of, block):
    [document], _, _ = reading_of("a.html", f"<html><body>{block}{STORY}</body></html>")
    assert "Prune the roses" in document.text
    assert "Soup" in document.text or "Home page" in document.text


def test_a_saved_page_is_read_without_what_belongs_to_the_site(reading_of):
    [document], _, _ = reading_of("a.html", PAGE.format("Prune the roses in March. " * 5))
    assert document.text.startswith("Care")
    assert not {"Home", "Buy", "Copyright", "site"} & set(document.text.split())
    whole = reading_of("b.html", "<nav><p>" + "All of it is in one list of links. " * 5 + "</nav><p>x")[0][0].text
    assert "list of links" in whole


def test_attachments_are_read_or_reported(reading_of):
    mail = EmailMessage()
    mail["Subject"], mail["Message-ID"] = "Roses", "<m1@x>"
    mail.set_content("See attached.")
    mail.add_attachment(b"id,text\n1,red roses\n2,white wine\n", maintype="text", subtype="csv", filename="t.csv")
    mail.add_attachment(b"\x89PNG\0\0\0\1" * 9, maintype="image", subtype="png", filename="../p.png")
    documents, skipped, _ = reading_of("a.eml", bytes(mail))
    assert [(each.id, each.text.strip(), each.metadata.get("parent")) for each in documents] == [
        ("a.eml", "See attached.", None),
        ("1", "red roses", "a.eml"),
        ("2", "white wine", "a.eml"),
    ]
    assert skipped == ["attachment .._p.png of a.eml: binary, not text"]
    box = b"".join(b"From x\n" + bytes(mail) + b"\n\n" for _ in range(2))
    documents, skipped, _ = reading_of("a.mbox", box)
    assert len(documents) == 6
    assert len(skipped) == 2


def test_a_label_of_minus_one_is_none_and_a_note_counts_these(tmp_path):
    """As in scikit-learn; who has a class of that name has to hear of it."""
    (tmp_path / "a.csv").write_text("text,label\nwheat and corn,-1\ncorn harvest,1\na goal,-1\n", encoding="utf-8")
    reading = read(tmp_path / "a.csv", label="label")
    assert [document.label for document in reading] == ["", "1", ""]
    assert any("the label -1 means that there is none (2 of these)" in note for note in reading.notes)
