// Points on a plain canvas, for browsers without WebGL: slower, the same picture.
import { scaleOf } from "./camera";
import { FADED, GLOWING, opacityOf, radiusOf, type Renderer, type Scene, SHOWN } from "./points";

const LEVELS = [FADED, SHOWN, GLOWING] as const;
const MOST_ROUND = 60_000;

export class CanvasPoints implements Renderer {
  readonly kind = "canvas";
  private positions = new Float32Array(0);
  /** Rows by how they are drawn and by colour: a path is filled once per colour. */
  private groups = new Map<number, Map<number, number[]>>();

  private constructor(private readonly pen: CanvasRenderingContext2D) {}

  static on(canvas: HTMLCanvasElement): CanvasPoints | null {
    const pen = canvas.getContext("2d");
    return pen ? new CanvasPoints(pen) : null;
  }

  setPositions(positions: Float32Array): void {
    this.positions = positions as Float32Array<ArrayBuffer>;
  }

  setPaints(paints: Uint8Array): void {
    this.groups = new Map(LEVELS.map((level) => [level, new Map<number, number[]>()]));
    for (let row = 0; 4 * row < paints.length; row++) {
      const group = this.groups.get(paints[4 * row + 3] as number);
      if (!group) continue;
      const color = ((paints[4 * row] as number) << 16) | ((paints[4 * row + 1] as number) << 8) | (paints[4 * row + 2] as number);
      const rows = group.get(color);
      if (rows) rows.push(row);
      else group.set(color, [row]);
    }
  }

  draw(scene: Scene): void {
    const { pen } = this, { size, ratio, camera } = scene, count = this.positions.length / 2;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, size.width, size.height);
    const radius = radiusOf(count, camera.zoom, size);
    for (const level of LEVELS) {
      pen.globalAlpha = level === FADED ? 0.14 : level === GLOWING ? 0.96 : opacityOf(count, camera.zoom);
      for (const [color, rows] of this.groups.get(level) ?? []) {
        pen.fillStyle = `rgb(${color >> 16} ${(color >> 8) & 255} ${color & 255})`;
        this.dots(rows, level === GLOWING ? radius * 1.7 : radius, scene);
      }
    }
    pen.globalAlpha = 1;
  }

  private dots(rows: readonly number[], radius: number, { camera, extent, size }: Scene): void {
    const { pen, positions } = this, scale = scaleOf(camera, extent, size), round = radius > 1.3 && rows.length < MOST_ROUND;
    pen.beginPath();
    for (const row of rows) {
      const x = ((positions[2 * row] as number) - camera.x) * scale + size.width / 2;
      const y = (camera.y - (positions[2 * row + 1] as number)) * scale + size.height / 2;
      if (!(x > -radius && y > -radius && x < size.width + radius && y < size.height + radius)) continue;
      if (round) {
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 2 * Math.PI);
      } else {
        pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      }
    }
    pen.fill();
  }

  dispose(): void {
    this.groups.clear();
  }
}
