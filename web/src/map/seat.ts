// Where the whole map stands: as large as can be with no document beneath the buttons and the legend, whose corner is chosen with it.
import { boundsOf, type Camera, type Extent, scaleOf, type Size } from "./camera";

export type Side = "left" | "right";

export interface Seat {
  readonly camera: Camera;
  readonly side: Side;
}

/** What lies over the map, with the gap around it: buttons above on the right, the legend below in one of the corners. */
export interface Over {
  readonly tools: Size;
  readonly legend: Size;
}

/** Cells of the plane that hold documents: the middle of each as an offset from that of the whole, and how many it holds. */
interface Cells {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly spots: readonly (readonly [number, number, number])[];
  readonly total: number;
}

const FINE = 60; // cells along each side
const EDGE = 10; // pixels that stay free at the edge of the window
const LARGEST = 1.1;
const ZOOMS = Array.from({ length: 11 }, (_, i) => LARGEST - 0.05 * i);
const SHIFTS = [0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1, 1];
const HIDDEN = 8, ANY = 0.15; // what it costs to hide all documents and to hide one, where the map at half the size costs 0.5

function cellsOf(positions: Float32Array): Cells {
  const [left, right, low, high] = boundsOf(positions), width = Math.max(right - left, 1e-6), height = Math.max(high - low, 1e-6);
  const held = new Map<number, number>(), column = (share: number): number => Math.min(FINE - 1, Math.floor(share * FINE));
  for (let i = 0; i + 1 < positions.length; i += 2) {
    const x = positions[i] as number, y = positions[i + 1] as number;
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    const key = column((x - left) / width) + FINE * column((y - low) / height);
    held.set(key, (held.get(key) ?? 0) + 1);
  }
  const offset = (cell: number, length: number): number => ((cell + 0.5) / FINE - 0.5) * length;
  const spots = [...held].map(([key, count]) => [offset(key % FINE, width), offset(Math.floor(key / FINE), height), count] as const);
  return { x: (left + right) / 2, y: (low + high) / 2, halfWidth: width / 2, halfHeight: height / 2, spots, total: spots.reduce((sum, spot) => sum + spot[2], 0) };
}

/** The share of the documents beneath what lies over the map, where its middle is in the window at `x`, `y`. */
function beneath(cells: Cells, x: number, y: number, scale: number, size: Size, over: Over, side: Side): number {
  const { tools, legend } = over, foot = size.height - legend.height, toolsLeft = size.width - tools.width, legendRight = size.width - legend.width;
  const wide = (cells.halfWidth * scale) / FINE, high = (cells.halfHeight * scale) / FINE; // half a cell, in pixels
  let hidden = 0;
  for (const [dx, dy, count] of cells.spots) {
    const atX = x + dx * scale, atY = y - dy * scale, isLegend = side === "left" ? atX - wide < legend.width : atX + wide > legendRight;
    if ((atY - high < tools.height && atX + wide > toolsLeft) || (isLegend && atY + high > foot)) hidden += count;
  }
  return hidden / Math.max(1, cells.total);
}

/** The camera that shows the whole map, and the corner of the legend. */
export function seatOf(positions: Float32Array, extent: Extent, size: Size, over: Over): Seat {
  const cells = cellsOf(positions);
  let best: Seat = { camera: { x: extent.x, y: extent.y, zoom: 1 }, side: "left" }, least = Infinity;
  for (const zoom of ZOOMS) {
    const scale = scaleOf({ x: 0, y: 0, zoom }, extent, size);
    const slackX = size.width / 2 - EDGE - cells.halfWidth * scale, slackY = size.height / 2 - EDGE - cells.halfHeight * scale;
    if (zoom > 1 && (slackX < 0 || slackY < 0)) continue;
    for (const side of ["left", "right"] as const) for (const sx of SHIFTS) for (const sy of SHIFTS) {
      const dx = sx * Math.max(0, slackX), dy = sy * Math.max(0, slackY), apart = 0.01 * (Math.abs(sx) + Math.abs(sy));
      if (LARGEST - zoom + apart >= least) continue;
      const hidden = beneath(cells, size.width / 2 + dx, size.height / 2 + dy, scale, size, over, side);
      const cost = LARGEST - zoom + apart + HIDDEN * hidden + (hidden ? ANY : 0);
      if (cost >= least) continue;
      least = cost;
      best = { camera: { x: cells.x - dx / scale, y: cells.y + dy / scale, zoom }, side };
    }
  }
  return best;
}
