// The document in the reader as a row of the map, and the stage for those who look elsewhere.
import { signal } from "@preact/signals";
import type { Side } from "./corner";
import type { Stage } from "./stage";

export const opened = signal(-1);
/** The corner that the legend stands in. */
export const legendSide = signal<Side>("left");
export const stageOf = signal<Stage | null>(null);
