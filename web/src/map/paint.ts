// Colour and prominence of every point: what the legend leaves out is hidden, what was not found fades, what was found glows.
import type { Coloring } from "./coloring";
import { GREY, ramp, type Theme } from "./colors";
import { FADED, GLOWING, HIDDEN, SHOWN } from "./points";

const STEPS = 64;

/** Which rows are lit, as a mask; null where nothing was asked. */
export function maskOf(rows: Iterable<number>, count: number): Uint8Array {
  const mask = new Uint8Array(count);
  for (const row of rows) if (row < count) mask[row] = 1;
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
    paints[4 * row + 3] = hidden ? HIDDEN : !lit ? SHOWN : lit[row] ? GLOWING : FADED;
  }
  return paints;
}
