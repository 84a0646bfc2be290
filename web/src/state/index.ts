// What the page knows of the index: loaded whole, and again whenever the server says that it changed.
import { batch, signal } from "@preact/signals";
import { pointsOf, type PointData } from "../api/binary";
import { get, getStated, getStatedBytes, Problem, type Stated } from "../api/client";
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

interface Whole {
  readonly about: Info;
  readonly bytes: ArrayBuffer;
  readonly clusters: readonly Cluster[];
  readonly tree: Tree | null;
  readonly columns: readonly Column[];
}

const TURNS = 5; // times that all is asked for again because the index changed between two answers
const nothing = <T>(value: T): Promise<Stated<T>> => Promise.resolve({ value, state: "" });

/** All of one state of the index; what an index without a fit does not have is not asked for. */
async function wholeState(): Promise<Whole> {
  for (let turn = 1; ; turn++) {
    const about = await getStated<Info>("/info"), { has_map, has_tree } = about.value;
    const [bytes, found, nodes, named] = await Promise.all([
      has_map ? getStatedBytes("/points") : nothing(new ArrayBuffer(0)),
      getStated<{ clusters: Cluster[] }>("/clusters"),
      has_tree ? getStated<Tree | null>("/tree") : nothing(null),
      getStated<{ columns: Column[] }>("/columns"),
    ]);
    const states = new Set([about, bytes, found, nodes, named].map((each) => each.state).filter(Boolean));
    if (states.size <= 1 || turn >= TURNS) return { about: about.value, bytes: bytes.value, clusters: found.value.clusters, tree: nodes.value, columns: named.value.columns };
  }
}

export async function load(etag = ""): Promise<void> {
  const mine = ++turn;
  try {
    const now = await wholeState();
    if (mine !== turn) return; // a later load is on its way
    documents.clear();
    batch(() => {
      info.value = now.about;
      points.value = pointsOf(now.bytes);
      clusters.value = now.clusters;
      tree.value = now.tree;
      columns.value = now.columns;
      state.value = etag || `${String(now.about.generation)}:${String(mine)}`;
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
