// A text with some of its words marked. Everything is text: nothing in it can become part of the page.
import type { JSX } from "preact";
import { pieces, type Span } from "./spans";

export function Marked({ text, spans }: { text: string; spans: readonly Span[] }): JSX.Element {
  return <span dir="auto">{pieces(text, spans).map((piece, i) => (piece.span ? <mark key={i}>{piece.text}</mark> : piece.text))}</span>;
}
