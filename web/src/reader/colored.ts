// Words of a text with the colour of what they add: stronger for more, another hue for less than nothing.
import { pieces, type Piece, type Span } from "../parts/spans";

export interface WordSpan extends Span {
  readonly part: number;
}

const FAINTEST = 0.04;
const STRONGEST = 62; // per cent of the colour behind a word, so that it can still be read

export function spansOf(words: readonly (readonly [number, number, number])[]): WordSpan[] {
  return words.map(([start, end, part]) => ({ start, end, part }));
}

/** The share of the strongest word, from 0 to 1, that a word is coloured by. */
export function strengthOf(part: number, largest: number): number {
  const share = largest > 0 ? Math.sqrt(Math.abs(part) / largest) : 0;
  return share < FAINTEST ? 0 : Math.min(1, share);
}

export function backgroundOf(part: number, largest: number): string {
  const strength = strengthOf(part, largest);
  return strength === 0 ? "" : `color-mix(in srgb, var(${part < 0 ? "--minus" : "--plus"}) ${(STRONGEST * 0.55 * strength).toFixed(1)}%, transparent)`;
}

export function coloredPieces(text: string, words: readonly (readonly [number, number, number])[]): { pieces: Piece<WordSpan>[]; largest: number } {
  return { pieces: pieces(text, spansOf(words)), largest: Math.max(0, ...words.map(([, , part]) => Math.abs(part))) };
}
