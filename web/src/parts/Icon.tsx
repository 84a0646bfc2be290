// The pictures of the rail, drawn by paths.
import type { JSX } from "preact";
import type { Panel } from "../state/address";

const PATHS: Record<Panel, string> = {
  clusters: "M5 4v14a2 2 0 0 0 2 2h3M5 9h5M10 6.5h9v5h-9zM10 17.5h9v4h-9z",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.2 16.2 21 21",
  selection: "M5 8c0-3 4-4 8-4s7 2 7 5-4 6-9 6-6-3-6-5M11 15c-2 0-3 1-3 3s2 3 4 2",
  teach: "M3 9l9-5 9 5-9 5zM7 12v5c3 2.5 7 2.5 10 0v-5M21 9v6",
  time: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  columns: "M4 4h16v16H4zM4 10h16M4 15h16M10 4v16M15 4v16",
  contrast: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  duplicates: "M8 8h12v12H8zM16 8V4H4v12h4",
  add: "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
};

export function Icon({ name }: { name: Panel }): JSX.Element {
  return <svg viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>;
}
