// How accuracy grew with the number of labels, as far as it can be told by leaving some out.
import type { JSX } from "preact";
import { get } from "../api/client";
import { percent } from "../parts/format";
import { useAsked } from "../state/asked";

interface CurvePoint {
  readonly n_labelled: number;
  readonly accuracy: number;
}

const WIDTH = 340, HEIGHT = 120, LEFT = 34, FOOT = 18;

export function pathOf(points: readonly CurvePoint[]): string {
  const most = Math.max(1, ...points.map((each) => each.n_labelled));
  const x = (each: CurvePoint): number => LEFT + (each.n_labelled / most) * (WIDTH - LEFT - 6), y = (each: CurvePoint): number => 6 + (1 - each.accuracy) * (HEIGHT - FOOT - 6);
  return points.map((each, i) => `${i ? "L" : "M"}${x(each).toFixed(1)} ${y(each).toFixed(1)}`).join("");
}

export function Curve({ turn }: { turn: number }): JSX.Element | null {
  const asked = useAsked((signal) => get<{ points: CurvePoint[] }>("/labels/curve", {}, signal), [turn]), points = asked.value?.points ?? [];
  if (points.length < 2) return null;
  const line = (share: number): number => 6 + (1 - share) * (HEIGHT - FOOT - 6);
  return (
    <section>
      <h3>Accuracy by number of labels</h3>
      <figure>
        <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} role="img" data-testid="curve" aria-label={points.map((each) => `${String(each.n_labelled)} labels: ${percent(each.accuracy)}`).join(", ")}>
          {[0, 0.5, 1].map((share) => (
            <g key={share}><line class="grid-line" x1={LEFT} x2={WIDTH} y1={line(share)} y2={line(share)} /><text x={LEFT - 5} y={line(share) + 4} text-anchor="end">{percent(share)}</text></g>
          ))}
          <path class="line" d={pathOf(points)} />
          <text x={LEFT} y={HEIGHT - 3}>0</text>
          <text x={WIDTH} y={HEIGHT - 3} text-anchor="end">{points[points.length - 1]?.n_labelled} labels</text>
        </svg>
      </figure>
    </section>
  );
}
