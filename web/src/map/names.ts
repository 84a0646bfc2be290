// Names of clusters on the map: coarse ones far out, fine ones near, none over another.
import type { Size, Spot } from "./camera";

export interface PlacedName {
  readonly name: string;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly font: number;
  readonly main: boolean;
  /** What the name stands for: a cluster by its number, or a node of the tree. */
  readonly path: string;
}

export interface Candidate {
  readonly name: string;
  readonly size: number;
  readonly x: number;
  readonly y: number;
  /** What the name stands for: a cluster by its number, or a node of the tree. */
  readonly path: string;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Measure = (text: string, font: number, main: boolean) => number;

const LINE = 1.2;
const SHIFTS: readonly (readonly [number, number])[] = [[0, 0], [0, -0.7], [0, 0.7], [-0.35, 0], [0.35, 0], [0, -1.3], [0, 1.3]];

/** The names for how near the map is, and finer ones that may fill gaps. */
export function levelsNow(levels: readonly (readonly Candidate[])[], zoom: number): [readonly Candidate[], readonly Candidate[]] {
  const [coarse, medium, fine] = levels;
  if (!coarse) return [[], []];
  if (!medium) return [coarse, []];
  if (!fine) return zoom < 2 ? [coarse, medium] : [medium, []];
  if (zoom < 1.6 && medium.length > 24 && coarse.length > 3) return [coarse, medium];
  return zoom < 3 ? [medium, zoom < 1.6 ? [] : fine] : [fine, []];
}

export function wrapped(name: string, longest: number): string[] {
  const kept: string[] = [];
  for (const word of name.slice(0, 120).split(/\s+/).filter(Boolean)) {
    const last = kept[kept.length - 1];
    if (last !== undefined && `${last} ${word}`.length <= longest) kept[kept.length - 1] = `${last} ${word}`;
    else kept.push(word);
  }
  const shown = kept.slice(0, 3).map((line) => (line.length > longest + 6 ? `${line.slice(0, longest + 5)}…` : line));
  if (kept.length > 3) shown[2] = `${shown[2] ?? ""}…`;
  return shown;
}

const overlap = (a: Box, b: Box): boolean => Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

function inWindow(box: Box, size: Size): Box {
  const clamp = (value: number, half: number, whole: number): number => Math.min(Math.max(value, half + 4), Math.max(half + 4, whole - half - 4));
  return { ...box, x: clamp(box.x, box.width / 2, size.width), y: clamp(box.y, box.height / 2, size.height) };
}

function free(box: Box, taken: readonly Box[], size: Size, main: boolean): Box | null {
  for (const [dx, dy] of main ? SHIFTS : SHIFTS.slice(0, 3)) {
    const at = inWindow({ ...box, x: box.x + dx * box.width, y: box.y + dy * box.height }, size);
    if (!taken.some((other) => overlap(other, at))) return at;
  }
  return null;
}

/** Places names from the largest cluster to the smallest, each where no other is yet; the rest are left out. */
export function placed(
  main: readonly Candidate[], finer: readonly Candidate[], size: Size, toWindow: (spot: Spot) => Spot, measure: Measure, blocked: readonly Box[] = [],
): PlacedName[] {
  const small = size.width < 640, largest = Math.max(1, ...main.map((each) => each.size));
  const taken: Box[] = [...blocked], found: PlacedName[] = [];
  const place = (each: Candidate, isMain: boolean): void => {
    const font = isMain ? (small ? 11.5 : 13) + (small ? 2.5 : 5) * Math.sqrt(each.size / largest) : 11.5;
    const lines = wrapped(each.name, small ? 14 : 22), at = toWindow(each);
    const width = Math.max(...lines.map((line) => measure(line, font, isMain)), 0) + 10, height = lines.length * font * LINE + 6;
    if (!lines.length || at.x < -width / 3 || at.y < -height || at.x > size.width + width / 3 || at.y > size.height + height) return;
    const spot = free({ x: at.x, y: at.y, width, height }, taken, size, isMain);
    if (!spot) return;
    taken.push(spot);
    found.push({ name: each.name, lines, x: spot.x, y: spot.y, font, main: isMain, path: each.path });
  };
  [...main].sort((a, b) => b.size - a.size).forEach((each) => { place(each, true); });
  if (!small) [...finer].sort((a, b) => b.size - a.size).forEach((each) => { place(each, false); });
  return found;
}
