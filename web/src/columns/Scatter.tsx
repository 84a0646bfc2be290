// Words by how many documents of each group have them: far from the diagonal is what sets the groups apart.
import type { JSX } from "preact";
import type { Contrast } from "../api/types";
import { percent } from "../parts/format";

const SIDE = 330;
const NAMED = 26;
type Word = Contrast["scatter"][number];

const low = 1e-4;
const place = (rate: number): number => Math.log10(Math.max(rate, low) / low) / Math.log10(1 / low);

/** Names of the words that differ most, each where no other stands yet. */
export function named(words: readonly Word[], limit: number): Set<string> {
  const taken: { x: number; y: number }[] = [], found = new Set<string>();
  for (const word of [...words].sort((a, b) => Math.abs(b.score) - Math.abs(a.score))) {
    if (found.size >= limit) break;
    const at = { x: place(word.other) * SIDE, y: SIDE - place(word.one) * SIDE };
    if (taken.some((other) => Math.abs(other.x - at.x) < 62 && Math.abs(other.y - at.y) < 12)) continue;
    taken.push(at);
    found.add(word.term);
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
          const x = place(word.other) * SIDE, y = SIDE - place(word.one) * SIDE;
          return (
            <g key={word.term}>
              <circle cx={x} cy={y} r="2.6" style={{ fill: word.score < 0 ? "var(--minus)" : "var(--plus)", opacity: 0.65 }}><title>{`${word.term}: ${percent(word.one, 1)} against ${percent(word.other, 1)}`}</title></circle>
              {names.has(word.term) && <text x={x > SIDE - 60 ? x - 5 : x + 5} y={y + 3.5} text-anchor={x > SIDE - 60 ? "end" : "start"}>{word.term.slice(0, 18)}</text>}
            </g>
          );
        })}
        <text x={SIDE} y={SIDE + 16} text-anchor="end">more documents of the other →</text>
        <text x="4" y="2">↑ more documents of the one</text>
      </svg>
    </figure>
  );
}
