// Which documents glow on the map: those of the search, or of the selection, whichever panel is looked at.
import { effect, signal } from "@preact/signals";
import { foundOf, type PointData } from "../api/binary";
import { getBytes, sendForBytes } from "../api/client";
import type { Selection } from "../api/types";
import { rowsInside } from "../map/lasso";
import { maskOf, maskOfFound } from "../map/paint";
import type { Selected } from "./address";
import { points, state } from "./index";
import { tried } from "./toasts";
import { view } from "./view";

export const lit = signal<Uint8Array | null>(null);

/** A selection as the server takes it. */
export function bodyOf(selection: Selected, positions: Float32Array): Selection {
  switch (selection.by) {
    case "lasso": return { rows: rowsInside(positions, selection.line) };
    case "cluster": return { cluster: selection.cluster };
    case "query": return selection.where ? { query: selection.query, where: selection.where } : { query: selection.query };
    case "where": return { where: selection.where };
    case "ids": return { ids: selection.ids };
  }
}

async function rowsOf(selection: Selected, positions: Float32Array, signal: AbortSignal): Promise<Iterable<number>> {
  if (selection.by === "lasso") return rowsInside(positions, selection.line);
  return new Uint32Array(await sendForBytes("/selection/rows", { selection: bodyOf(selection, positions) }, signal));
}

async function maskNow(asked: Selected | { query: string; where: string }, there: PointData, signal: AbortSignal): Promise<Uint8Array> {
  const count = there.clusters.length;
  if ("by" in asked) return maskOf(await rowsOf(asked, there.positions, signal), count);
  const { rows, relevance } = foundOf(await getBytes("/search/rows", asked, signal));
  return maskOfFound(rows, relevance, count);
}

/** Follows the view; an older question that is answered late is not shown. */
export function light(): void {
  let before = "", stop = new AbortController();
  effect(() => {
    const { panel, query, where, selection } = view.value, there = points.value;
    const searching = panel === "search" && (query.trim() !== "" || where.trim() !== "");
    const asked = searching ? { query, where } : selection;
    const key = JSON.stringify([asked, state.value]);
    if (key === before) return;
    before = key;
    stop.abort();
    stop = new AbortController();
    const { signal: current } = stop;
    if (!there || !asked) {
      lit.value = null;
      return;
    }
    const show = async (): Promise<void> => {
      const mask = await maskNow(asked, there, current);
      if (!current.aborted) lit.value = mask;
    };
    lit.value = null;
    if (searching) show().catch(() => undefined); // the panel says what is wrong with a query
    else void tried(show);
  });
}
