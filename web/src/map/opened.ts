// The document in the reader as a row of the map, and the stage for those who look elsewhere.
import { signal } from "@preact/signals";
import type { Stage } from "./stage";

export const opened = signal(-1);
export const stageOf = signal<Stage | null>(null);
