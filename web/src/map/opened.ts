// The document in the reader as a row of the map, and the stage for those who look elsewhere.
import { signal } from "@preact/signals";
import type { Side } from "./seat";
import type { Stage } from "./stage";

/** Pixels of a window up to which the panel stands below the map. */
export const NARROW = 760;

export const opened = signal(-1);
/** The corner that the legend stands in. */
export const legendSide = signal<Side>("left");
/** Whether the legend is open; on a narrow window it would cover the map. */
export const legendOpen = signal(typeof window === "undefined" || window.innerWidth > NARROW);
export const stageOf = signal<Stage | null>(null);
