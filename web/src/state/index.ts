// What the page knows of the index: loaded whole, and again whenever the server says that it changed.
import { batch, signal } from "@preact/signals";
import { pointsOf, type PointData } from "../api/binary";
import { get, getBytes, Problem } from "../api/client";
import type { Cluster, Column, Doc, Info, Tree } from "../api/types";
import { sentence } from "./toasts";

export const info = signal<Info | null>(null);
export const points = signal<PointData | null>(null);
export const clusters = signal<readonly Cluster[]>([]);
export const tree = signal<Tree | null>(null);
export const columns = signal<readonly Column[]>([]);
/** The state of the index that all of the above is of. */
export const state = signal("");
export const trouble = signal<{ readonly kind: string; readonly text: string } | null>(null);

const documents = new Map<number, Doc>();
let turn = 0;

/** An answer, or a replacement where the index has none yet: no fit, no map, no tree. */
async function or<T>(instead: T, ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    if (error instanceof Problem && (error.status === 409 || error.status === 404)) return instead;
    throw error;
  }
}

export async function load(etag = ""): Promise<void> {
  const mine = ++turn;
  try {
    const [about, bytes, found, nodes, named] = await Promise.all([
      get<Info>("/info"),
      or(new ArrayBuffer(0), getBytes("/points")),
      or({ clusters: [] }, get<{ clusters: Cluster[] }>("/clusters")),
      or<Tree | null>(null, get<Tree>("/tree")),
      or({ columns: [] }, get<{ columns: Column[] }>("/columns")),
    ]);
    if (mine !== turn) return; // a later load is on its way
    documents.clear();
    batch(() => {
      info.value = about;
      points.value = pointsOf(bytes);
      clusters.value = found.clusters;
      tree.value = nodes;
      columns.value = named.columns;
      state.value = etag || `${String(about.generation)}:${String(mine)}`;
      trouble.value = null;
    });
  } catch (error) {
    if (mine === turn) trouble.value = { kind: error instanceof Problem ? error.kind : "unknown", text: sentence(error) };
  }
}

/** The document of a row, kept once it was asked for. */
export async function documentAt(row: number, signal?: AbortSignal): Promise<Doc | null> {
  const kept = documents.get(row);
  if (kept) return kept;
  const answer = await get<{ documents: Doc[] }>("/documents", { rows: String(row) }, signal);
  const found = answer.documents[0] ?? null;
  if (found) documents.set(row, found);
  return found;
}

export const nameOf = (number: number): string => clusters.value.find((each) => each.number === number)?.name ?? (number < 0 ? "" : `cluster ${String(number)}`);
