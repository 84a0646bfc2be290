// Which points lie inside a line drawn around them.
import type { Spot } from "./camera";

/** At most `limit` corners of a line, those that change its shape most: a lasso must fit into an address. */
export function simplified(line: readonly Spot[], limit: number): Spot[] {
  const kept = [...line];
  while (kept.length > limit) {
    let least = Infinity, at = 1;
    for (let i = 0; i < kept.length; i++) {
      const a = kept[(i + kept.length - 1) % kept.length] as Spot, b = kept[i] as Spot, c = kept[(i + 1) % kept.length] as Spot;
      const area = Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y));
      if (area < least) [least, at] = [area, i];
    }
    kept.splice(at, 1);
  }
  return kept;
}

export function isInside(x: number, y: number, line: readonly Spot[]): boolean {
  let inside = false;
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const a = line[i] as Spot, b = line[j] as Spot;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

export function rowsInside(points: Float32Array, line: readonly Spot[]): number[] {
  if (line.length < 3) return [];
  const xs = line.map((spot) => spot.x), ys = line.map((spot) => spot.y);
  const left = Math.min(...xs), right = Math.max(...xs), low = Math.min(...ys), high = Math.max(...ys);
  const found: number[] = [];
  for (let row = 0; 2 * row + 1 < points.length; row++) {
    const x = points[2 * row] as number, y = points[2 * row + 1] as number;
    if (x >= left && x <= right && y >= low && y <= high && isInside(x, y, line)) found.push(row);
  }
  return found;
}
