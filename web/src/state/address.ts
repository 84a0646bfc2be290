// Every view is an address: what follows # says which panel is open, what was searched, chosen, coloured, and where the map is.
import type { Camera, Spot } from "../map/camera";

export const PANELS = ["clusters", "search", "selection", "teach", "time", "columns", "contrast", "duplicates", "add"] as const;
export type Panel = (typeof PANELS)[number];

export type Selected =
  | { readonly by: "lasso"; readonly line: readonly Spot[] }
  | { readonly by: "cluster"; readonly cluster: string }
  | { readonly by: "query"; readonly query: string; readonly where: string }
  | { readonly by: "where"; readonly where: string }
  | { readonly by: "ids"; readonly ids: readonly string[] };

export interface View {
  readonly panel: Panel;
  readonly query: string;
  readonly where: string;
  /** The id of the document in the reader; empty for none. */
  readonly document: string;
  readonly selection: Selected | null;
  /** What colours show: cluster, label, uncertainty, or a column. */
  readonly color: string;
  /** The entries of the legend that are shown; empty for all. */
  readonly only: readonly string[];
  readonly camera: Camera | null;
  /** The column of the panels about columns and time, and the two groups of a contrast. */
  readonly column: string;
  readonly first: string;
  readonly second: string;
  /** How similar duplicates are at least. */
  readonly similarity: number;
}

export const START: View = {
  panel: "clusters", query: "", where: "", document: "", selection: null, color: "cluster", only: [], camera: null, column: "", first: "", second: "", similarity: 0.9,
};

const LONGEST = 10_000;
const short = (value: number): string => String(Number(value.toPrecision(5)));

function numbers(text: string | null): number[] {
  const found = (text ?? "").split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  return found.every(Number.isFinite) ? found : [];
}

function cameraOf(text: string | null): Camera | null {
  const [x, y, zoom, ...rest] = numbers(text);
  return x === undefined || y === undefined || zoom === undefined || rest.length || zoom <= 0 ? null : { x, y, zoom };
}

function similarityOf(text: string | null): number {
  const [value] = numbers(text);
  return value !== undefined && value >= 0.5 && value <= 1 ? value : START.similarity;
}

function selectedOf(given: URLSearchParams): Selected | null {
  const ids = given.getAll("id");
  if (ids.length) return { by: "ids", ids };
  const line = numbers(given.get("lasso"));
  if (line.length >= 6 && line.length % 2 === 0) {
    return { by: "lasso", line: Array.from({ length: line.length / 2 }, (_, i) => ({ x: line[2 * i] as number, y: line[2 * i + 1] as number })) };
  }
  const cluster = given.get("cluster");
  if (cluster !== null && /^[\w.-]{1,80}$/.test(cluster)) return { by: "cluster", cluster };
  const query = given.get("those");
  if (query !== null && query.trim()) return { by: "query", query, where: given.get("those_where") ?? "" };
  const where = given.get("those_where");
  return where !== null && where.trim() ? { by: "where", where } : null;
}

function writeSelected(selection: Selected, into: URLSearchParams): void {
  switch (selection.by) {
    case "ids": selection.ids.forEach((id) => { into.append("id", id); }); break;
    case "lasso": into.set("lasso", selection.line.flatMap((spot) => [short(spot.x), short(spot.y)]).join(",")); break;
    case "cluster": into.set("cluster", selection.cluster); break;
    case "query": into.set("those", selection.query); if (selection.where) into.set("those_where", selection.where); break;
    case "where": into.set("those_where", selection.where); break;
  }
}

const TEXTS = [["q", "query"], ["where", "where"], ["doc", "document"], ["column", "column"], ["first", "first"], ["second", "second"]] as const;

/** Reads an address; whatever is not understood is left as at the start. */
export function parse(hash: string): View {
  const [name = "", ...rest] = hash.replace(/^#/, "").split("?");
  const given = new URLSearchParams(rest.join("?"));
  const panel = PANELS.find((each) => each === name) ?? START.panel;
  const texts = Object.fromEntries(TEXTS.map(([key, field]) => [field, (given.get(key) ?? "").slice(0, LONGEST)]));
  return { ...START, ...texts, panel, selection: selectedOf(given), color: given.get("color") ?? START.color, only: given.getAll("only"), camera: cameraOf(given.get("at")), similarity: similarityOf(given.get("similarity")) };
}

export function format(view: View): string {
  const into = new URLSearchParams();
  for (const [key, field] of TEXTS) if (view[field]) into.set(key, view[field]);
  if (view.selection) writeSelected(view.selection, into);
  if (view.color !== START.color) into.set("color", view.color);
  view.only.forEach((each) => { into.append("only", each); });
  if (view.camera) into.set("at", [view.camera.x, view.camera.y, view.camera.zoom].map(short).join(","));
  if (view.similarity !== START.similarity) into.set("similarity", short(view.similarity));
  const query = into.toString();
  return `#${view.panel}${query ? `?${query}` : ""}`;
}
