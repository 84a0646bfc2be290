// Points by square of the plane, to find the one under the pointer quickly.
import type { Extent } from "./camera";

const SIDE = 256;

export class Grid {
  private readonly starts: Uint32Array;
  private readonly rows: Uint32Array;

  constructor(private readonly points: Float32Array, private readonly extent: Extent) {
    const count = points.length / 2, squares = new Int32Array(count);
    const starts = new Uint32Array(SIDE * SIDE + 1);
    for (let i = 0; i < count; i++) {
      const x = points[2 * i] as number, y = points[2 * i + 1] as number;
      const square = Number.isFinite(x) && Number.isFinite(y) ? this.column(x, extent.x) * SIDE + this.column(y, extent.y) : -1;
      squares[i] = square;
      if (square >= 0) starts[square + 1] = (starts[square + 1] as number) + 1;
    }
    for (let i = 0; i < SIDE * SIDE; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number);
    this.starts = starts;
    this.rows = new Uint32Array(starts[SIDE * SIDE] as number);
    const next = starts.slice();
    for (let i = 0; i < count; i++) {
      const square = squares[i] as number;
      if (square < 0) continue;
      const at = next[square] as number;
      this.rows[at] = i;
      next[square] = at + 1;
    }
  }

  private column(value: number, middle: number): number {
    return Math.min(SIDE - 1, Math.max(0, Math.floor(((value - middle) / this.extent.half / 2 + 0.5) * SIDE)));
  }

  /** The row nearest to a spot within `reach`, -1 for none; `isShown` leaves rows out. */
  nearest(x: number, y: number, reach: number, isShown: (row: number) => boolean): number {
    const low = this.column(y - reach, this.extent.y), high = this.column(y + reach, this.extent.y);
    let best = -1, least = reach * reach;
    for (let a = this.column(x - reach, this.extent.x); a <= this.column(x + reach, this.extent.x); a++) {
      for (let at = this.starts[a * SIDE + low] as number; at < (this.starts[a * SIDE + high + 1] as number); at++) {
        const row = this.rows[at] as number;
        const far = ((this.points[2 * row] as number) - x) ** 2 + ((this.points[2 * row + 1] as number) - y) ** 2;
        if (far <= least && isShown(row)) [best, least] = [row, far];
      }
    }
    return best;
  }
}
