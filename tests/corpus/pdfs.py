"""PDF files written by hand: pages of lines in Helvetica, without compression."""

from __future__ import annotations


def made(*pages: str, title: str = "") -> bytes:
    """A PDF with a page for each text, a line of it for each line."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects += [b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    objects += [f"<< /Title ({title}) >>".encode("latin-1")]
    numbers = []
    for page in pages:
        lines = " ".join(f"({_escaped(line)}) Tj 0 -14 Td" for line in page.split("\n"))
        content = f"BT /F1 12 Tf 50 750 Td {lines} ET".encode("latin-1")
        objects += [b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)]
        resources = b"/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792]"
        objects += [b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R %s >>" % (len(objects), resources)]
        numbers.append(len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % each for each in numbers), len(pages))
    return _file(objects)


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(objects: list[bytes]) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table) + end
