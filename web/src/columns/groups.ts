// The two groups of a contrast, as short texts that an address can hold: "cluster:3", "label:grain", "where:year<1990", "query:crop", "selection".
import type { Selection } from "../api/types";
import type { Selected } from "../state/address";
import { bodyOf } from "../state/lit";

export function groupOf(text: string, selection: Selected | null, positions: Float32Array): Selection | null {
  const at = text.indexOf(":"), by = at < 0 ? text : text.slice(0, at), value = at < 0 ? "" : text.slice(at + 1);
  if (by === "selection") return selection ? bodyOf(selection, positions) : null;
  if (!value.trim()) return null;
  switch (by) {
    case "cluster": return { cluster: value };
    case "label": return { label: value };
    case "where": return { where: value };
    case "query": return { query: value };
    default: return null;
  }
}
