// The canvas that points are drawn on: WebGL where there is some, a plain canvas where not, or where the browser took WebGL away for good.
import { CanvasPoints } from "./canvas_points";
import { GlPoints } from "./gl_points";
import type { Renderer, Scene } from "./points";

const PATIENCE = 2000; // milliseconds until a lost context is given up

export class Surface {
  canvas: HTMLCanvasElement;
  private renderer: Renderer | null = null;
  private positions: Float32Array = new Float32Array(0);
  private paints: Uint8Array = new Uint8Array(0);
  private lost = false;
  private waiting = 0;

  constructor(private readonly parent: HTMLElement, private readonly redraw: () => void, plain: boolean) {
    this.canvas = this.fresh();
    this.start(plain);
  }

  get kind(): string {
    return this.renderer?.kind ?? "none";
  }

  private fresh(): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.className = "points";
    canvas.setAttribute("aria-hidden", "true");
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // else the browser never gives it back
      this.lost = true;
      this.waiting = window.setTimeout(() => { this.replace(); }, PATIENCE);
    });
    canvas.addEventListener("webglcontextrestored", () => {
      window.clearTimeout(this.waiting);
      this.lost = false;
      (this.renderer as GlPoints).prepare();
      this.redraw();
    });
    return canvas;
  }

  private start(plain: boolean): void {
    this.renderer = (plain ? null : GlPoints.on(this.canvas)) ?? CanvasPoints.on(this.canvas);
    if (!this.renderer) { // a canvas that once was WebGL's can be no other
      this.canvas = this.fresh();
      this.renderer = CanvasPoints.on(this.canvas);
    }
    this.parent.prepend(this.canvas);
  }

  /** A new canvas without WebGL, in place of one whose context did not come back. */
  private replace(): void {
    this.canvas.remove();
    this.canvas = this.fresh();
    this.lost = false;
    this.start(true);
    this.setPositions(this.positions);
    this.setPaints(this.paints);
    this.redraw();
  }

  setPositions(positions: Float32Array): void {
    this.positions = positions;
    if (!this.lost) this.renderer?.setPositions(positions);
  }

  setPaints(paints: Uint8Array): void {
    this.paints = paints;
    if (!this.lost) this.renderer?.setPaints(paints);
  }

  draw(scene: Scene): void {
    if (!this.lost) this.renderer?.draw(scene);
  }

  dispose(): void {
    window.clearTimeout(this.waiting);
    this.renderer?.dispose();
    this.canvas.remove();
  }
}
