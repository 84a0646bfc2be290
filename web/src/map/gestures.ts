// Pointer, wheel and keys on the map: move, zoom, pick, draw a lasso.
import { type Camera, moved, type Spot, zoomed } from "./camera";
import { simplified } from "./lasso";
import type { Stage } from "./stage";

export interface Listener {
  /** Looks elsewhere; null for the whole map. */
  camera(camera: Camera | null): void;
  hover(row: number, spot: Spot): void;
  pick(row: number, path: string): void;
  lasso(line: readonly Spot[]): void;
}

const CORNERS = 48;
const CLICK = 5; // pixels a pointer may move and still click
const KEYS: Record<string, readonly [number, number]> = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

export class Gestures {
  /** Whether dragging draws a lasso instead of moving the map; so does dragging with Shift held. */
  drawing = false;
  private readonly fingers = new Map<number, Spot>();
  private line: Spot[] = [];
  private travelled = 0;
  private readonly stop = new AbortController();

  constructor(private readonly target: HTMLElement, private readonly stage: Stage, private readonly listener: Listener) {
    const { signal } = this.stop;
    target.addEventListener("pointerdown", (event) => { this.down(event); }, { signal });
    target.addEventListener("pointermove", (event) => { this.move(event); }, { signal });
    target.addEventListener("pointerup", (event) => { this.up(event); }, { signal });
    target.addEventListener("pointercancel", (event) => { this.fingers.delete(event.pointerId); this.line = []; }, { signal });
    target.addEventListener("pointerleave", () => { this.listener.hover(-1, { x: 0, y: 0 }); }, { signal });
    target.addEventListener("wheel", (event) => { this.wheel(event); }, { signal, passive: false });
    target.addEventListener("keydown", (event) => { this.key(event); }, { signal });
  }

  dispose(): void {
    this.stop.abort();
  }

  private spot(event: MouseEvent): Spot {
    const frame = this.target.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  private look(camera: Camera): void {
    this.stage.setCamera(camera);
    this.listener.camera(camera);
  }

  zoom(factor: number, at: Spot = { x: this.stage.size.width / 2, y: this.stage.size.height / 2 }): void {
    this.look(zoomed(this.stage.camera, factor, at, this.stage.extent, this.stage.size));
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.target.setPointerCapture(event.pointerId);
    const spot = this.spot(event);
    this.fingers.set(event.pointerId, spot);
    this.travelled = 0;
    this.line = (this.drawing || event.shiftKey) && this.fingers.size === 1 ? [this.stage.toPlane(spot)] : [];
  }

  private move(event: PointerEvent): void {
    const spot = this.spot(event), before = this.fingers.get(event.pointerId);
    if (!before) {
      this.listener.hover(this.stage.rowAt(spot), spot);
      return;
    }
    this.travelled += Math.hypot(spot.x - before.x, spot.y - before.y);
    this.fingers.set(event.pointerId, spot);
    if (this.fingers.size === 2) this.pinch(event.pointerId, before, spot);
    else if (this.line.length) this.draw(spot);
    else if (this.travelled > CLICK) this.look(moved(this.stage.camera, spot.x - before.x, spot.y - before.y, this.stage.extent, this.stage.size));
  }

  private draw(spot: Spot): void {
    this.line.push(this.stage.toPlane(spot));
    this.stage.setLine(this.line);
  }

  private pinch(id: number, before: Spot, spot: Spot): void {
    const other = [...this.fingers].find(([each]) => each !== id)?.[1];
    if (!other) return;
    this.line = [];
    const was = Math.hypot(before.x - other.x, before.y - other.y), is = Math.hypot(spot.x - other.x, spot.y - other.y);
    if (was > 0) this.zoom(is / was, { x: (spot.x + other.x) / 2, y: (spot.y + other.y) / 2 });
  }

  private up(event: PointerEvent): void {
    if (!this.fingers.delete(event.pointerId)) return;
    const line = this.line, spot = this.spot(event);
    this.line = [];
    if (line.length > 2 && this.travelled > CLICK) this.listener.lasso(simplified(line, CORNERS));
    else if (this.travelled <= CLICK) {
      const row = this.stage.rowAt(spot);
      this.listener.pick(row, row < 0 ? this.stage.nameAt(spot) : "");
    }
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const step = event.deltaMode === 1 ? 30 : 1;
    this.zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY * step)) * 0.0022), this.spot(event));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = KEYS[event.key];
    if (by) this.look(moved(this.stage.camera, by[0], by[1], this.stage.extent, this.stage.size));
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.listener.camera(null);
    else return;
    event.preventDefault();
  }
}
