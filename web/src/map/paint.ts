// Colour and prominence of every point: what the legend leaves out is hidden, what was not found fades, what was found glows.
import type { Coloring } from "./coloring";
import { GREY, ramp, type Theme } from "./colors";
import { FADED, GLOWING, HIDDEN, SHOWN } from "./points";

const STEPS = 64;

/** A document that was found, and one that was found as a good answer. */
export const LIT = 1;
export const BRIGHT = 2;
const GOOD = 0.6; // of the best answer's relevance

/** Rows that a search found: those whose relevance is near the best one's are bright. */
export function maskOfFound(rows: Uint32Array, relevance: Float32Array, count: number): Uint8Array {
  const mask = new Uint8Array(count), best = relevance.reduce((most, each) => Math.max(most, each), 0);
  rows.forEach((row, i) => { if (row < count) mask[row] = (relevance[i] ?? 0) >= GOOD * best ? BRIGHT : LIT; });
  return mask;
}

/** Rows of a selection, all of them bright. */
export function maskOf(rows: Iterable<number>, count: number): Uint8Array {
  const mask = new Uint8Array(count);
  for (const row of rows) if (row < count) mask[row] = BRIGHT;
  return mask;
}

export function paintsOf(count: number, coloring: Coloring, only: readonly string[], lit: Uint8Array | null, theme: Theme): Uint8Array {
  const paints = new Uint8Array(4 * count), wanted = new Set(only), grey = GREY[theme];
  const ramped = Array.from({ length: STEPS + 1 }, (_, i) => ramp(i / STEPS, theme));
  const isOn = coloring.entries.map((entry) => wanted.size === 0 || wanted.has(entry.key));
  for (let row = 0; row < count; row++) {
    const code = coloring.codes?.[row] ?? -1, share = coloring.shares?.[row] ?? NaN;
    const color = coloring.codes ? (coloring.entries[code]?.color ?? grey) : Number.isNaN(share) ? grey : (ramped[Math.round(share * STEPS)] ?? grey);
    paints[4 * row] = color[0];
    paints[4 * row + 1] = color[1];
    paints[4 * row + 2] = color[2];
    const hidden = wanted.size > 0 && coloring.codes !== null && !isOn[code];
    paints[4 * row + 3] = hidden ? HIDDEN : !lit ? SHOWN : lit[row] === BRIGHT ? GLOWING : lit[row] === LIT ? SHOWN : FADED;
  }
  return paints;
}
