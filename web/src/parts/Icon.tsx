// The pictures of the rail and the bar, drawn by paths.
import type { JSX } from "preact";
import type { Panel } from "../state/address";

type Picture = Panel | "dark" | "light" | "whole";

const PATHS: Record<Picture, string> = {
  clusters: "M5 4v14a2 2 0 0 0 2 2h3M5 9h5M10 6.5h9v5h-9zM10 17.5h9v4h-9z",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.2 16.2 21 21",
  selection: "M5 8c0-3 4-4 8-4s7 2 7 5-4 6-9 6-6-3-6-5M11 15c-2 0-3 1-3 3s2 3 4 2",
  teach: "M3 9l9-5 9 5-9 5zM7 12v5c3 2.5 7 2.5 10 0v-5M21 9v6",
  time: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  columns: "M4 4h16v16H4zM4 10h16M4 15h16M10 4v16M15 4v16",
  contrast: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  duplicates: "M8 8h12v12H8zM16 8V4H4v12h4",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  add: "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
};

export function Icon({ name }: { name: Picture }): JSX.Element {
  return <svg viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>;
}
