// Arrays as the server sends them: little-endian, one after the other.

export interface PointData {
  /** x and y of each document in turn. */
  readonly positions: Float32Array;
  readonly clusters: Int32Array;
}

/** Points: all x, all y, all clusters. */
export function pointsOf(bytes: ArrayBuffer): PointData {
  const count = Math.floor(bytes.byteLength / 12), x = new Float32Array(bytes, 0, count), y = new Float32Array(bytes, 4 * count, count);
  const positions = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    positions[2 * i] = x[i] as number;
    positions[2 * i + 1] = y[i] as number;
  }
  return { positions, clusters: new Int32Array(bytes, 8 * count, count).slice() };
}

/** Rows that a search found, with their relevance. */
export function foundOf(bytes: ArrayBuffer): { rows: Uint32Array; relevance: Float32Array } {
  const count = Math.floor(bytes.byteLength / 8);
  return { rows: new Uint32Array(bytes, 0, count), relevance: new Float32Array(bytes, 4 * count, count) };
}
