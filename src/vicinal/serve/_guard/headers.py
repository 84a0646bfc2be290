"""Headers that every answer has: what a browser may load, and that it tells nobody where it came from."""

from __future__ import annotations

from starlette.types import Message

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
#: What every answer has; an answer that has one of these already keeps its own.
HEADERS = {
    b"content-security-policy": CONTENT_SECURITY_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
    b"cache-control": b"private, no-cache",
}


def protected(message: Message) -> Message:
    """The beginning of an answer with the headers that it lacks."""
    given = list(message.get("headers", []))
    there = {name.lower() for name, _ in given}
    return {**message, "headers": [*given, *((name, value) for name, value in HEADERS.items() if name not in there)]}
