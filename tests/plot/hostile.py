"""Texts that a page could take for its own."""

PAYLOADS = [
    "<script>window.__pwned = 1</script>",
    "</script><script>window.__pwned = 1</script>",
    "<img src=x onerror='window.__pwned = 1'>",
    "<svg onload='window.__pwned = 1'>",
    "javascript:window.__pwned=1",
    "{{7*7}} ${7*7} {data} {script}",
    "<!--<script>window.__pwned = 1",
    "]]>&lt;script&gt;",
    "\u2028window.__pwned = 1\u2029",
    "\u202egnp.txt",
    '"><iframe srcdoc="<script>parent.__pwned = 1</script>">',
    "<a href='https://example.org/'>x</a>",
    "<base href='https://example.org/'>",
    "<meta http-equiv='refresh' content='0;url=https://example.org/'>",
    "<style>*{background:url(https://example.org/)}</style>",
    "a" * 10_000,
]
