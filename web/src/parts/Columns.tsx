// Counts as columns, one per bin; each can be a part of a larger count drawn behind it.
import type { JSX } from "preact";

export interface Bin {
  readonly name: string;
  readonly value: number;
  readonly of?: number;
}

const WIDTH = 340;
const FOOT = 16;

/** The height of each bin as a share of the tallest, of its own count or of what it is a share of. */
export function Columns({ bins, label, height = 84, color = "" }: { bins: readonly Bin[]; label: string; height?: number; color?: string }): JSX.Element {
  const most = Math.max(1, ...bins.map((bin) => bin.value)), step = WIDTH / Math.max(bins.length, 1), room = height - FOOT;
  const first = bins[0]?.name ?? "", last = bins[bins.length - 1]?.name ?? "";
  return (
    <figure>
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(height)}`} role="img" aria-label={`${label}: ${bins.map((bin) => `${bin.name} ${String(bin.value)}`).join(", ").slice(0, 2000)}`}>
        {bins.map((bin, i) => {
          const tall = (bin.value / most) * room;
          return (
            <rect key={bin.name} class="bar" x={i * step + 0.5} y={room - tall} width={Math.max(0.5, step - 1)} height={tall} style={color ? { fill: color } : {}}>
              <title>{`${bin.name}: ${String(bin.value)}${bin.of === undefined ? "" : ` of ${String(bin.of)}`}`}</title>
            </rect>
          );
        })}
        <line class="axis" x1="0" x2={WIDTH} y1={room} y2={room} />
        <text x="0" y={height - 3}>{first}</text>
        {bins.length > 1 && <text x={WIDTH} y={height - 3} text-anchor="end">{last}</text>}
      </svg>
    </figure>
  );
}
