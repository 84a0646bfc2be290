// The map as layers of canvases: shade, points, and above them names, lasso and rings. It draws once per frame, whatever was asked.
import { type Camera, type Extent, extentOf, type Size, type Spot, toPlane, toWindow } from "./camera";
import { drawShade, shadeOf } from "./density";
import { Grid } from "./grid";
import { type Candidate, levelsNow, placed, type PlacedName } from "./names";
import { FADED, GLOWING, HIDDEN, radiusOf, type Scene } from "./points";
import { Surface } from "./surface";

export interface Ink {
  readonly ink: string;
  readonly halo: string;
  readonly accent: string;
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const fontOf = (size: number, main: boolean): string => `${main ? "650" : "500"} ${String(size)}px ${FONT}`;

/** How many documents glow. */
function litIn(paints: Uint8Array): number {
  let count = 0;
  for (let at = 3; at < paints.length; at += 4) if (paints[at] === GLOWING) count++;
  return count;
}

export class Stage {
  camera: Camera = { x: 0, y: 0, zoom: 1 };
  private home: Camera = { x: 0, y: 0, zoom: 1 };
  extent: Extent = { x: 0, y: 0, half: 1 };
  size: Size = { width: 1, height: 1 };
  positions: Float32Array = new Float32Array(0);
  private paints: Uint8Array = new Uint8Array(0);
  private grid: Grid | null = null;
  private levels: readonly (readonly Candidate[])[] = [];
  private names: PlacedName[] = [];
  private shade: HTMLCanvasElement | null = null;
  private line: readonly Spot[] = [];
  private hovered = -1;
  private opened = -1;
  private ink: Ink = { ink: "#000", halo: "#fff", accent: "#00f" };
  private frame = 0;
  private readonly surface: Surface;
  private readonly under: HTMLCanvasElement;
  private readonly over: HTMLCanvasElement;

  constructor(readonly parent: HTMLElement, plain: boolean) {
    this.surface = new Surface(parent, () => { this.redraw(); }, plain);
    this.under = this.layer("shade");
    this.over = this.layer("names");
    parent.prepend(this.under);
    parent.append(this.over);
  }

  private layer(name: string): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.className = name;
    canvas.setAttribute("aria-hidden", "true");
    return canvas;
  }

  setPositions(positions: Float32Array): void {
    this.positions = positions;
    this.extent = extentOf(positions);
    this.grid = new Grid(positions, this.extent);
    this.surface.setPositions(positions);
  }

  setPaints(paints: Uint8Array): void {
    this.paints = paints;
    this.surface.setPaints(paints);
    this.parent.dataset["lit"] = String(litIn(paints));
    this.shade = document.createElement("canvas");
    const image = shadeOf(this.positions, paints, this.extent);
    this.shade.width = image.width;
    this.shade.height = image.height;
    this.shade.getContext("2d")?.putImageData(image, 0, 0);
    this.redraw();
  }

  setNames(levels: readonly (readonly Candidate[])[]): void {
    this.levels = levels;
    this.redraw();
  }

  setInk(ink: Ink): void {
    this.ink = ink;
    this.redraw();
  }

  setLine(line: readonly Spot[]): void {
    this.line = line;
    this.redraw();
  }

  setHovered(row: number): void {
    if (row === this.hovered) return;
    this.hovered = row;
    this.redraw();
  }

  /** A document is pointed at no longer, unless another one is already. */
  leave(row: number): void {
    if (row === this.hovered) this.setHovered(-1);
  }

  setOpened(row: number): void {
    this.opened = row;
    this.redraw();
  }

  /** The camera that shows the whole map. */
  setHome(home: Camera): void {
    this.home = home;
  }

  setCamera(camera: Camera | null): void {
    this.camera = camera ?? this.home;
    this.redraw();
  }

  resize(size: Size): void {
    this.size = size;
    this.redraw();
  }

  /** The document under a spot of the window, -1 for none. */
  rowAt(spot: Spot): number {
    const at = toPlane(spot, this.camera, this.extent, this.size), edge = toPlane({ x: spot.x + this.radius + 5, y: spot.y }, this.camera, this.extent, this.size);
    const isShown = (row: number): boolean => { const how = this.paints[4 * row + 3] ?? HIDDEN; return how !== HIDDEN && how !== FADED; };
    return this.grid?.nearest(at.x, at.y, Math.abs(edge.x - at.x), isShown) ?? -1;
  }

  /** The cluster or node whose name is under a spot, empty for none. */
  nameAt(spot: Spot): string {
    const pen = this.over.getContext("2d");
    const found = this.names.find((each) => {
      if (pen) pen.font = fontOf(each.font, each.main);
      const half = Math.max(...each.lines.map((line) => pen?.measureText(line).width ?? 0)) / 2;
      return Math.abs(spot.x - each.x) < half && Math.abs(spot.y - each.y) < (each.lines.length * each.font * 1.2) / 2;
    });
    return found?.path ?? "";
  }

  toPlane(spot: Spot): Spot {
    return toPlane(spot, this.camera, this.extent, this.size);
  }

  private get radius(): number {
    return radiusOf(this.positions.length / 2, this.camera.zoom, this.size);
  }

  redraw(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  private draw(): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), scene = { camera: this.camera, extent: this.extent, size: this.size, ratio };
    for (const canvas of [this.under, this.surface.canvas, this.over]) {
      const width = Math.max(1, Math.round(this.size.width * ratio)), height = Math.max(1, Math.round(this.size.height * ratio));
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    }
    const pen = this.under.getContext("2d");
    if (pen && this.shade) drawShade(pen, this.shade, scene);
    this.surface.draw(scene);
    this.drawOver(scene);
    this.parent.dataset["drawn"] = String(this.paints.length / 4);
    this.parent.dataset["renderer"] = this.surface.kind;
    this.parent.dataset["names"] = String(this.names.length);
  }

  private drawOver(scene: Scene): void {
    const pen = this.over.getContext("2d");
    if (!pen) return;
    pen.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
    pen.clearRect(0, 0, this.size.width, this.size.height);
    this.drawNames(pen);
    this.drawLine(pen);
    this.drawRing(pen, this.opened, this.ink.accent, 3);
    this.drawRing(pen, this.hovered, this.ink.ink, 2);
  }

  private drawNames(pen: CanvasRenderingContext2D): void {
    const [main, finer] = levelsNow(this.levels, this.camera.zoom);
    const measure = (text: string, font: number, isMain: boolean): number => { pen.font = fontOf(font, isMain); return pen.measureText(text).width; };
    this.names = placed(main, finer, this.size, (spot) => toWindow(spot, this.camera, this.extent, this.size), measure, this.blocked());
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    for (const each of this.names) {
      pen.font = fontOf(each.font, each.main);
      each.lines.forEach((line, k) => {
        const y = each.y + (k - (each.lines.length - 1) / 2) * each.font * 1.2;
        pen.globalAlpha = 0.86;
        pen.lineWidth = 4.5;
        pen.strokeStyle = this.ink.halo;
        pen.strokeText(line, each.x, y);
        pen.globalAlpha = each.main ? 1 : 0.85;
        pen.fillStyle = this.ink.ink;
        pen.fillText(line, each.x, y);
      });
    }
    pen.globalAlpha = 1;
  }

  /** What lies over the map, where no name would be seen. */
  private blocked(): { x: number; y: number; width: number; height: number }[] {
    const frame = this.parent.getBoundingClientRect();
    return [...(this.parent.parentElement?.querySelectorAll(".legend, .tools") ?? [])].map((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return { x: left - frame.left + width / 2, y: top - frame.top + height / 2, width, height };
    });
  }

  private drawLine(pen: CanvasRenderingContext2D): void {
    if (this.line.length < 2) return;
    pen.beginPath();
    this.line.forEach((spot) => { const at = toWindow(spot, this.camera, this.extent, this.size); pen.lineTo(at.x, at.y); });
    pen.closePath();
    pen.fillStyle = pen.strokeStyle = this.ink.accent;
    pen.globalAlpha = 0.1;
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 2;
    pen.setLineDash([6, 4]);
    pen.stroke();
    pen.setLineDash([]);
  }

  private drawRing(pen: CanvasRenderingContext2D, row: number, color: string, width: number): void {
    const x = this.positions[2 * row], y = this.positions[2 * row + 1];
    if (row < 0 || x === undefined || y === undefined || !Number.isFinite(x)) return;
    const at = toWindow({ x, y }, this.camera, this.extent, this.size);
    for (const [stroke, wide] of [[this.ink.halo, width + 3], [color, width]] as const) {
      pen.beginPath();
      pen.arc(at.x, at.y, this.radius + 4, 0, 2 * Math.PI);
      pen.strokeStyle = stroke;
      pen.lineWidth = wide;
      pen.stroke();
    }
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.surface.dispose();
    this.under.remove();
    this.over.remove();
  }
}
