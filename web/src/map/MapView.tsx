// The map. It illustrates what the panels say, which have everything that it shows for the keyboard and for screen readers.
import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Doc } from "../api/types";
import { cut } from "../parts/format";
import { Icon } from "../parts/Icon";
import { documentAt, info, nameOf, points } from "../state/index";
import { theme } from "../state/theme";
import { go, look, select, view } from "../state/view";
import type { Spot } from "./camera";
import { around, type Size } from "./camera";
import { Gestures } from "./gestures";
import { Legend } from "./Legend";
import { levels, paints } from "./look";
import { legendOpen, legendSide, NARROW, opened, stageOf } from "./opened";
import { type Over, seatOf } from "./seat";
import { Stage } from "./stage";
import { lit } from "../state/lit";

interface Tip {
  readonly document: Doc;
  readonly spot: Spot;
}

const GAP = 22; // pixels around what lies over the map
const TOOLS = 470, LEGEND = 236; // pixels of all buttons side by side, and of a legend with all entries that it has room for
const PAUSE = 120; // milliseconds that the pointer rests before the server is asked

/** What lies over the map, as large as it becomes: so the map stays where it is when a button or entries come. */
function overOf(stage: Stage, isOpen: boolean): Over {
  const of = (name: string): Size => stage.parent.parentElement?.querySelector(name)?.getBoundingClientRect() ?? { width: 0, height: 0 };
  const tools = of(".tools"), legend = of(".legend"), narrow = window.innerWidth <= NARROW, height = stage.size.height;
  return {
    tools: { width: Math.max(tools.width, TOOLS) + GAP, height: tools.height + GAP },
    legend: { width: legend.width + GAP, height: (isOpen && !narrow ? Math.max(legend.height, Math.min(0.4 * height, LEGEND)) : Math.min(legend.height, 60)) + (narrow ? GAP / 2 : GAP) },
  };
}

function seat(stage: Stage): void {
  const { camera, side } = seatOf(stage.positions, stage.extent, stage.size, overOf(stage, legendOpen.value));
  legendSide.value = side;
  stage.setHome(camera);
  stage.setCamera(view.peek().camera);
}

/** Keeps a stage in step with what is known; returns how to stop. */
function drive(stage: Stage): () => void {
  const stops = [
    effect(() => { const there = points.value; if (there) { stage.setPositions(there.positions); seat(stage); } }),
    effect(() => { void legendOpen.value; requestAnimationFrame(() => { seat(stage); }); }),
    effect(() => { if (points.value) stage.setPaints(paints.value); }),
    effect(() => { stage.setNames(levels.value); }),
    effect(() => { stage.setOpened(opened.value); }),
    effect(() => { const { camera, selection } = view.value; stage.setCamera(camera); stage.setLine(selection?.by === "lasso" ? selection.line : []); }),
    effect(() => {
      void theme.value;
      const style = getComputedStyle(document.documentElement), color = (name: string): string => style.getPropertyValue(name).trim();
      stage.setInk({ ink: color("--ink"), halo: color("--ground"), accent: color("--accent") });
    }),
  ];
  return () => { stops.forEach((stop) => { stop(); }); };
}

function useHover(stage: { current: Stage | null }): [Tip | null, (row: number, spot: Spot) => void] {
  const [tip, setTip] = useState<Tip | null>(null), waiting = useRef(0), last = useRef(-1);
  const hover = (row: number, spot: Spot): void => {
    stage.current?.setHovered(row);
    if (row === last.current) return;
    last.current = row;
    window.clearTimeout(waiting.current);
    setTip(null);
    if (row < 0) return;
    waiting.current = window.setTimeout(() => {
      documentAt(row).then((found) => { if (found && last.current === row) setTip({ document: found, spot }); }, () => undefined);
    }, PAUSE);
  };
  return [tip, hover];
}

async function pick(row: number, path: string): Promise<void> {
  if (path) select({ by: "cluster", cluster: path });
  const found = row < 0 ? null : await documentAt(row);
  if (found) go({ document: found.id });
}

export function MapView(): JSX.Element {
  const parent = useRef<HTMLDivElement>(null), stage = useRef<Stage | null>(null), gestures = useRef<Gestures | null>(null);
  const [drawing, setDrawing] = useState(false), [tip, hover] = useHover(stage);
  useEffect(() => {
    const target = parent.current;
    if (!target) return undefined;
    const made = new Stage(target, new URLSearchParams(location.search).has("plain")), stop = drive(made);
    stage.current = stageOf.value = made;
    gestures.current = new Gestures(target, made, {
      camera: look, hover, pick: (row, path) => { void pick(row, path); },
      lasso: (line) => { setDrawing(false); select({ by: "lasso", line }); },
    });
    const watch = new ResizeObserver(() => { made.resize({ width: target.clientWidth, height: target.clientHeight }); seat(made); });
    watch.observe(target);
    return () => { stop(); watch.disconnect(); gestures.current?.dispose(); made.dispose(); };
  }, []);
  if (gestures.current) gestures.current.drawing = drawing;
  return (
    <>
      <div
        ref={parent} class={drawing ? "stage drawing" : "stage"} tabIndex={0} role="application" data-testid="stage"
        aria-label="Map of the documents. Arrow keys move it, plus and minus zoom, 0 shows all. The panels beside it have all that it shows, as lists and a tree."
      />
      <Tools drawing={drawing} setDrawing={setDrawing} zoom={(factor) => gestures.current?.zoom(factor)} />
      {info.value?.has_map !== false && <Legend />}
      {tip && <TipBox tip={tip} stage={stage.current} />}
      {info.value && !info.value.has_map && <Hint />}
    </>
  );
}

function Tools({ drawing, setDrawing, zoom }: { drawing: boolean; setDrawing: (on: boolean) => void; zoom: (factor: number) => void }): JSX.Element {
  const toLit = (): void => {
    const stage = stageOf.value, mask = lit.value;
    if (!stage || !mask) return;
    const rows: number[] = [];
    mask.forEach((on, row) => { if (on) rows.push(row); });
    look(around(rows, stage.positions, stage.extent));
  };
  return (
    <div class="tools" role="group" aria-label="Map">
      <button type="button" class="button" aria-pressed={drawing} title="Draw around documents; or hold Shift and drag" onClick={() => { setDrawing(!drawing); }}>Lasso</button>
      {lit.value && <button type="button" class="button" onClick={toLit}>Zoom to these</button>}
      {view.value.selection && <button type="button" class="button" onClick={() => { go({ selection: null }); }}>Clear</button>}
      <button type="button" class="button" aria-label="Zoom in" onClick={() => { zoom(1.6); }}>+</button>
      <button type="button" class="button" aria-label="Zoom out" onClick={() => { zoom(1 / 1.6); }}>−</button>
      <button type="button" class="button" aria-label="Whole map" title="Whole map" onClick={() => { look(null); }}><Icon name="whole" /><span class="wide">Whole map</span></button>
    </div>
  );
}

function TipBox({ tip, stage }: { tip: Tip; stage: Stage | null }): JSX.Element {
  const { spot, document: found } = tip, width = stage?.size.width ?? 600, height = stage?.size.height ?? 400;
  const left = Math.max(8, Math.min(spot.x + 16, width - 340)), below = spot.y < height * 0.6;
  return (
    <div class="tip" style={below ? { left: `${String(left)}px`, top: `${String(spot.y + 18)}px` } : { left: `${String(left)}px`, bottom: `${String(height - spot.y + 14)}px` }}>
      <strong dir="auto">{cut(found.title || found.beginning || found.id, 200)}</strong>
      <div class="under" dir="auto">{[nameOf(found.cluster), found.label && `label: ${found.label}`].filter(Boolean).join(" · ")}</div>
    </div>
  );
}

function Hint(): JSX.Element {
  return <p class="empty hint">{info.value?.documents === 0 ? "There are no documents yet: drop files here, or select them under “Add”." : "There is no map yet: fit the index under “Clusters”."}</p>;
}

