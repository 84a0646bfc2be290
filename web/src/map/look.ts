// What the map shows now: colours of the chosen column, and the paints made from them.
import { computed, effect, signal } from "@preact/signals";
import { clusters, columns, points, state, tree } from "../state/index";
import { lit } from "../state/lit";
import { theme } from "../state/theme";
import { tried } from "../state/toasts";
import { view } from "../state/view";
import { byCluster, byColumn, type Coloring } from "./coloring";
import { GREY, type Rgb } from "./colors";
import { levelsOf, levelsOfThese } from "./levels";
import { paintsOf } from "./paint";

const EMPTY: Coloring = { of: "", entries: [], codes: null, shares: null, low: "", high: "" };
export const coloring = signal<Coloring>(EMPTY);

/** Colours of clusters, which lists and trees use whatever the map shows. */
export const clusterColoring = computed<Coloring>(() => {
  const there = points.value;
  return there ? byCluster(clusters.value, there.positions, there.clusters, theme.value) : EMPTY;
});

const clusterColors = computed(() => new Map(clusterColoring.value.entries.map((entry) => [entry.key, entry.color])));
export const colorOfCluster = (number: number): Rgb => clusterColors.value.get(String(number)) ?? GREY[theme.value];

export const color = computed(() => view.value.color);
const only = computed(() => view.value.only.join("\u0001"));

export function followColors(): void {
  let stop = new AbortController();
  effect(() => {
    stop.abort();
    stop = new AbortController();
    const { signal: current } = stop, column = columns.value.find((each) => each.name === color.value), now = theme.value;
    void state.value;
    if (color.value === "cluster" || !column || !points.value) {
      coloring.value = clusterColoring.value;
      return;
    }
    void tried(async () => {
      const found = await byColumn(column, now, current);
      if (!current.aborted) coloring.value = found;
    });
  });
}

export const paints = computed(() => {
  const there = points.value;
  void only.value;
  return paintsOf(there?.clusters.length ?? 0, coloring.value, view.peek().only, lit.value, theme.value);
});

const allLevels = computed(() => levelsOf(tree.value, clusters.value));

/** Names of clusters that the legend hides are not on the map either. */
export const levels = computed(() => {
  const shown = only.value ? view.peek().only : [];
  if (!shown.length || color.value !== "cluster") return allLevels.value;
  const paths = clusters.value.filter((each) => shown.includes(String(each.number))).map((each) => each.path);
  return levelsOfThese(allLevels.value, new Set(paths));
});
