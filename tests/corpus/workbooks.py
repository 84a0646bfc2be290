"""Workbooks of Excel as programs write them, part by part."""

from __future__ import annotations

import io
import zipfile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
STRINGS = ("text", "day", "n", '<r><t xml:space="preserve">red </t></r><r><t>roses</t></r>')
STYLES = (
    '<numFmts count="2"><numFmt numFmtId="200" formatCode="yyyy-mm-dd"/><numFmt numFmtId="201" formatCode="[h]:mm"/></numFmts>'
    '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="200"/><xf numFmtId="201"/></cellXfs>'
)


def workbook(sheets, properties=""):
    """A file with sheets, each given as its rows in XML; styles 1 and 2 are of dates, 3 is of hours."""
    names, targets, types = "", "", ""
    for i, name in enumerate(sheets, start=1):
        names += f'<sheet name="{name}" sheetId="{i}" r:id="rId{i}"/>'
        targets += f'<Relationship Id="rId{i}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{i}.xml"/>'
        types += f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{TYPE}.worksheet+xml"/>'
    strings = "".join(f"<si>{each if each.startswith('<') else f'<t>{each}</t>'}</si>" for each in STRINGS)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{properties}<sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{targets}'
        f'<Relationship Id="rId98" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="rId99" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{strings}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{STYLES}</styleSheet>',
    }
    sheet = '<worksheet xmlns="{}"><sheetData>{}</sheetData></worksheet>'
    parts |= {f"xl/worksheets/sheet{i}.xml": sheet.format(MAIN, rows) for i, rows in enumerate(sheets.values(), start=1)}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return written.getvalue()
