// Words by how many documents of each group have them: far from the diagonal is what sets the groups apart.
import type { JSX } from "preact";
import type { Contrast } from "../api/types";
import { percent } from "../parts/format";

const SIDE = 330;
const NAMED = 26;
type Word = Contrast["scatter"][number];

const low = 1e-4;
const place = (rate: number): number => Math.log10(Math.max(rate, low) / low) / Math.log10(1 / low);

export interface WordName {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly side: "start" | "end";
}

const HEIGHT = 12, LETTER = 6.2, BESIDE = 5; // pixels of a line, of a letter, and between a dot and its name
const COVERED = 3; // dots that a name may lie over
const shownOf = (term: string): string => term.slice(0, 18);
const spotOf = (word: Word): { x: number; y: number } => ({ x: place(word.other) * SIDE, y: SIDE - place(word.one) * SIDE });

function namesBeside(word: Word): WordName[] {
  const { x, y } = spotOf(word), width = shownOf(word.term).length * LETTER;
  const right: WordName = { x: x + BESIDE, y, width, side: "start" }, left: WordName = { x: x - BESIDE - width, y, width, side: "end" };
  return [right, left].filter((each) => each.x >= 0 && each.x + width <= SIDE + 20);
}

/** Names of the words that differ most, each beside its dot where no other name stands yet and few dots do. */
export function named(words: readonly Word[], limit: number): Map<string, WordName> {
  const found = new Map<string, WordName>(), spots = words.map(spotOf);
  const isFree = (at: WordName): boolean => [...found.values()].every((other) => Math.abs(other.y - at.y) >= HEIGHT || other.x + other.width < at.x || at.x + at.width < other.x);
  const covered = (at: WordName): number => spots.filter(({ x, y }) => Math.abs(y - at.y) < HEIGHT / 2 && x > at.x && x < at.x + at.width).length;
  for (const word of [...words].sort((a, b) => Math.abs(b.score) - Math.abs(a.score))) {
    if (found.size >= limit) break;
    const at = namesBeside(word).find((each) => isFree(each) && covered(each) <= COVERED);
    if (at) found.set(word.term, at);
  }
  return found;
}

export function Scatter({ terms }: { terms: readonly Word[] }): JSX.Element | null {
  if (!terms.length) return null;
  const names = named(terms, NAMED);
  return (
    <figure>
      <svg viewBox={`-12 -8 ${String(SIDE + 36)} ${String(SIDE + 30)}`} role="img" aria-label="Each word by its share of the documents of either group; the two lists above have the words that differ most.">
        <line class="grid-line" x1="0" y1={SIDE} x2={SIDE} y2="0" />
        <line class="axis" x1="0" y1={SIDE} x2={SIDE} y2={SIDE} /><line class="axis" x1="0" y1="0" x2="0" y2={SIDE} />
        {terms.map((word) => {
          const { x, y } = spotOf(word);
          return (
            <g key={word.term}>
              <circle cx={x} cy={y} r="2.6" style={{ fill: word.score < 0 ? "var(--minus)" : "var(--plus)", opacity: 0.65 }}><title>{`${word.term}: ${percent(word.one, 1)} against ${percent(word.other, 1)}`}</title></circle>
            </g>
          );
        })}
        {[...names].map(([term, at]) => <text key={term} class="over" x={at.side === "start" ? at.x : at.x + at.width} y={at.y + 3.5} text-anchor={at.side}>{shownOf(term)}</text>)}
        <text x={SIDE} y={SIDE + 16} text-anchor="end">more documents of the other →</text>
        <text x="4" y="2">↑ more documents of the one</text>
      </svg>
    </figure>
  );
}
