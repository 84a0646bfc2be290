// From the plane of the layout to the window and back. At zoom 1 the whole map fits.

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The rectangle that holds all points, as its middle and its longer half. */
export interface Extent {
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

export const NEAREST = 200;
export const FARTHEST = 0.5;
const MARGIN = 0.92;

/** The left, right, lower and upper end of all points that have a place; of one square where none has. */
export function boundsOf(points: Float32Array): [number, number, number, number] {
  let left = Infinity, right = -Infinity, low = Infinity, high = -Infinity;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const x = points[i] as number, y = points[i + 1] as number;
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  return left > right ? [-1, 1, -1, 1] : [left, right, low, high];
}

export function extentOf(points: Float32Array): Extent {
  const [left, right, low, high] = boundsOf(points);
  return { x: (left + right) / 2, y: (low + high) / 2, half: Math.max(right - left, high - low, 1e-6) / 2 };
}

/** Pixels per unit of the layout. */
export function scaleOf(camera: Camera, extent: Extent, size: Size): number {
  return ((Math.min(size.width, size.height) / 2) * MARGIN * camera.zoom) / extent.half;
}

export function toWindow(spot: Spot, camera: Camera, extent: Extent, size: Size): Spot {
  const scale = scaleOf(camera, extent, size);
  return { x: (spot.x - camera.x) * scale + size.width / 2, y: (camera.y - spot.y) * scale + size.height / 2 };
}

export function toPlane(spot: Spot, camera: Camera, extent: Extent, size: Size): Spot {
  const scale = scaleOf(camera, extent, size);
  return { x: (spot.x - size.width / 2) / scale + camera.x, y: camera.y - (spot.y - size.height / 2) / scale };
}

export function whole(extent: Extent): Camera {
  return { x: extent.x, y: extent.y, zoom: 1 };
}

/** Zoom by a factor so that what is under `at` stays there. */
export function zoomed(camera: Camera, factor: number, at: Spot, extent: Extent, size: Size): Camera {
  const zoom = Math.min(NEAREST, Math.max(FARTHEST, camera.zoom * factor));
  const before = toPlane(at, camera, extent, size), after = toPlane(at, { ...camera, zoom }, extent, size);
  return { x: camera.x + before.x - after.x, y: camera.y + before.y - after.y, zoom };
}

export function moved(camera: Camera, dx: number, dy: number, extent: Extent, size: Size): Camera {
  const scale = scaleOf(camera, extent, size);
  return { ...camera, x: camera.x - dx / scale, y: camera.y + dy / scale };
}

function quantile(values: number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
}

/** The camera that shows most of the given rows: nine in ten of them, around their median. */
export function around(rows: Iterable<number>, points: Float32Array, extent: Extent): Camera {
  const xs: number[] = [], ys: number[] = [];
  for (const row of rows) {
    const x = points[2 * row], y = points[2 * row + 1];
    if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)) continue;
    xs.push(x);
    ys.push(y);
  }
  if (!xs.length) return whole(extent);
  const x = quantile([...xs].sort((a, b) => a - b), 0.5), y = quantile([...ys].sort((a, b) => a - b), 0.5);
  const far = xs.map((each, i) => Math.hypot(each - x, (ys[i] as number) - y)).sort((a, b) => a - b);
  const reach = Math.max(quantile(far, 0.9), extent.half / 40);
  return { x, y, zoom: Math.min(24, Math.max(1, (0.8 * extent.half) / reach)) };
}
