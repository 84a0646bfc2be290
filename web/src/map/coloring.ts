// What the colours of the map say: the entries of the legend, and for each document which of them is its own.
import { get, getBytes } from "../api/client";
import type { Cluster, Column, ColumnValues } from "../api/types";
import { colorsAround, colorsOfValues, GREY, ramp, type Rgb, type Theme } from "./colors";

export interface Entry {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  readonly color: Rgb;
}

export interface Coloring {
  readonly of: string;
  readonly entries: readonly Entry[];
  /** The entry of each document, -1 for none. */
  readonly codes: Int32Array | null;
  /** Or a share from 0 to 1 of each document, NaN for none, with what 0 and 1 stand for. */
  readonly shares: Float32Array | null;
  readonly low: string;
  readonly high: string;
}

const OTHER = 50;
export const NONE = "(none)";

function middles(clusters: readonly Cluster[], positions: Float32Array, codes: Int32Array): { x: number; y: number }[] {
  const sums = clusters.map(() => ({ x: 0, y: 0, count: 0 }));
  codes.forEach((code, row) => {
    const sum = sums[code], x = positions[2 * row] as number, y = positions[2 * row + 1] as number;
    if (!sum || !Number.isFinite(x)) return;
    sum.x += x;
    sum.y += y;
    sum.count++;
  });
  return sums.map((sum) => ({ x: sum.x / Math.max(sum.count, 1), y: sum.y / Math.max(sum.count, 1) }));
}

export function byCluster(clusters: readonly Cluster[], positions: Float32Array, numbers: Int32Array, theme: Theme): Coloring {
  const place = new Map(clusters.map((each, i) => [each.number, i]));
  const codes = numbers.map((number) => place.get(number) ?? -1);
  const colors = colorsAround(middles(clusters, positions, codes), theme);
  const entries = clusters.map((each, i) => ({ key: String(each.number), name: each.name, count: each.size, color: colors[i] ?? GREY[theme] }));
  return { of: "cluster", entries, codes, shares: null, low: "", high: "" };
}

export function byValues(of: string, values: ColumnValues["values"], codes: Int32Array, theme: Theme): Coloring {
  const colors = colorsOfValues(values.length, theme);
  const entries: Entry[] = values.map(([value, count], i) => ({ key: value, name: value === "" ? NONE : value, count, color: colors[i] ?? GREY[theme] }));
  const others = codes.reduce((sum, code) => sum + (code === OTHER ? 1 : 0), 0);
  if (others) entries.push({ key: "\u0000other", name: "(other values)", count: others, color: GREY[theme] });
  return { of, entries, codes: codes.map((code) => (code >= values.length ? (others ? values.length : -1) : code)), shares: null, low: "", high: "" };
}

const shown = (value: number, kind: Column["kind"]): string =>
  kind === "date" ? new Date(value * 86_400_000).toISOString().slice(0, 10) : String(Number(value.toPrecision(3)));

export function byNumbers(of: string, kind: Column["kind"], numbers: Float32Array): Coloring {
  const there = numbers.filter(Number.isFinite).sort(), low = there[Math.floor(0.02 * there.length)] ?? 0;
  const high = there[Math.min(there.length - 1, Math.floor(0.98 * there.length))] ?? 1, span = high - low || 1;
  const shares = numbers.map((value) => Math.min(1, Math.max(0, (value - low) / span)));
  numbers.forEach((value, i) => { if (!Number.isFinite(value)) shares[i] = NaN; });
  return { of, entries: [], codes: null, shares, low: shown(low, kind), high: shown(high, kind) };
}

export async function byColumn(column: Column, theme: Theme, signal: AbortSignal): Promise<Coloring> {
  if (column.kind === "number" || column.kind === "date") {
    return byNumbers(column.name, column.kind, new Float32Array(await getBytes("/columns/numbers", { name: column.name }, signal)));
  }
  const [values, codes] = await Promise.all([
    get<ColumnValues>("/columns/values", { name: column.name, limit: OTHER }, signal), getBytes("/columns/codes", { name: column.name }, signal),
  ]);
  return byValues(column.name, values.values, new Int32Array(codes), theme);
}

export function colorOf(coloring: Coloring, row: number, theme: Theme): Rgb {
  if (coloring.codes) return coloring.entries[coloring.codes[row] ?? -1]?.color ?? GREY[theme];
  const share = coloring.shares?.[row] ?? NaN;
  return Number.isNaN(share) ? GREY[theme] : ramp(share, theme);
}
