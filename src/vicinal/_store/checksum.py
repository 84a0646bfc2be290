"""Checksums: whether what is read is what was written.

CRC-32 for rows and blocks: it finds every flipped bit and every run of damage up to 32 bits, misses other damage once in four
thousand million, and at 2 GB/s (measured; BLAKE2b has 0.4) costs less than reading. It guards against accidents, not against
somebody who wants to deceive; sizes and kinds are therefore checked apart from it. A digest says whether two texts are the same,
which somebody may want to deceive about: SHA-256, of which 16 bytes are kept.
"""

from __future__ import annotations

import hashlib
import zlib


def checksum(*fields: str | int | bytes) -> int:
    """CRC-32 of several fields, each with its length, so that nothing can move from one to the next.

    Parameters
    ----------
    *fields : str, int or bytes

    Returns
    -------
    int
        From 0 to 2³² − 1.
    """
    value = 0
    for field in fields:
        data = field if isinstance(field, bytes) else str(field).encode()
        value = zlib.crc32(data, zlib.crc32(b"%d:" % len(data), value))
    return value


def digest(*fields: str) -> bytes:
    """Sixteen bytes that are the same for the same texts and different for different ones.

    Parameters
    ----------
    *fields : str

    Returns
    -------
    bytes
    """
    value = hashlib.sha256()
    for field in fields:
        data = field.encode()
        value.update(b"%d:" % len(data))
        value.update(data)
    return value.digest()[:16]
