// Places in texts as the server counts them, by code points, and the pieces that they cut a text into.

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Piece<S> {
  readonly text: string;
  readonly span: S | null;
}

/** Cuts a text at its spans; spans that overlap an earlier one or lie outside are left out. */
export function pieces<S extends Span>(text: string, spans: readonly S[]): Piece<S>[] {
  const letters = isPlain(text) ? null : Array.from(text), length = letters?.length ?? text.length;
  const cut = (start: number, end: number): string => letters?.slice(start, end).join("") ?? text.slice(start, end);
  const found: Piece<S>[] = [];
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    if (span.start < at || span.end <= span.start || span.end > length) continue;
    if (span.start > at) found.push({ text: cut(at, span.start), span: null });
    found.push({ text: cut(span.start, span.end), span });
    at = span.end;
  }
  if (at < length) found.push({ text: cut(at, length), span: null });
  return found;
}

/** Whether every code point is one unit of a JavaScript string, so that nothing needs counting. */
const isPlain = (text: string): boolean => !/[\ud800-\udfff]/.test(text);
