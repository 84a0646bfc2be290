// The view that the address says, and ways to go to another.
import { signal } from "@preact/signals";
import { format, parse, type Selected, START, type View } from "./address";

export const view = signal<View>(typeof location === "undefined" ? START : parse(location.hash));

/** Goes to a view; a step that can be undone by Back, unless it only moves the map. */
export function go(change: Partial<View>, step: "step" | "same" = "step"): void {
  const next = { ...view.value, ...change }, hash = format(next);
  if (hash !== location.hash) {
    if (step === "step") history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }
  view.value = next;
}

let waiting = 0;

/** The same for the camera, which moves many times a second: the address follows when it rests. */
export function look(camera: View["camera"]): void {
  view.value = { ...view.value, camera };
  window.clearTimeout(waiting);
  waiting = window.setTimeout(() => { go({}, "same"); }, 250);
}

export function select(selection: Selected | null): void {
  go({ selection, panel: selection ? "selection" : view.value.panel });
}

export function follow(): void {
  const read = (): void => { view.value = parse(location.hash); };
  window.addEventListener("popstate", read);
  window.addEventListener("hashchange", read);
}
