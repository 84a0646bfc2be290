// Where the documents lie thick: a soft shade under the points, seen while the map is far out.
import { type Extent, scaleOf } from "./camera";
import { GLOWING, type Scene, SHOWN } from "./points";

const SIDE = 192;
const MARGIN = 1.08;
const PASSES = 4;
const FAINTEST = 0.09; // less than this is nothing, or the square of the mean would be seen

/** The shade is of what glows, where something does, and else of all that is shown. */
function brightest(paints: Uint8Array): number {
  for (let at = 3; at < paints.length; at += 4) if (paints[at] === GLOWING) return GLOWING;
  return SHOWN;
}

/** Sums over squares of the plane: count, and red, green and blue of the points that are shown. */
export function histogram(positions: Float32Array, paints: Uint8Array, extent: Extent): Float32Array {
  const sums = new Float32Array(SIDE * SIDE * 4), one = SIDE / (2 * extent.half * MARGIN), least = brightest(paints);
  for (let row = 0; 4 * row < paints.length; row++) {
    const how = paints[4 * row + 3] as number;
    if (how < least) continue;
    const x = Math.floor(((positions[2 * row] as number) - extent.x) * one + SIDE / 2);
    const y = Math.floor((extent.y - (positions[2 * row + 1] as number)) * one + SIDE / 2);
    if (!(x >= 0 && y >= 0 && x < SIDE && y < SIDE)) continue;
    const at = 4 * (y * SIDE + x);
    for (let c = 0; c < 3; c++) sums[at + c] = (sums[at + c] as number) + (paints[4 * row + c] as number);
    sums[at + 3] = (sums[at + 3] as number) + 1;
  }
  return sums;
}

/** A running mean along rows or columns; three of them are nearly a bell curve. */
function smoothed(sums: Float32Array, reach: number, step: number, across: number): Float32Array {
  const out = new Float32Array(sums.length), width = 2 * reach + 1;
  for (let line = 0; line < SIDE; line++) {
    for (let c = 0; c < 4; c++) {
      const at = (i: number): number => (i < 0 || i >= SIDE ? 0 : (sums[4 * (line * across + i * step) + c] as number));
      let sum = 0;
      for (let i = -reach; i <= reach; i++) sum += at(i);
      for (let i = 0; i < SIDE; i++) {
        out[4 * (line * across + i * step) + c] = sum / width;
        sum += at(i + reach + 1) - at(i - reach);
      }
    }
  }
  return out;
}

/** The shade as pixels: the mean colour of the points around, the more opaque the more there are. */
export function shadeOf(positions: Float32Array, paints: Uint8Array, extent: Extent, reach = 2): ImageData {
  let sums = histogram(positions, paints, extent);
  for (let pass = 0; pass < PASSES; pass++) sums = smoothed(smoothed(sums, reach, 1, SIDE), reach, SIDE, 1);
  let most = 1e-9;
  for (let at = 3; at < sums.length; at += 4) most = Math.max(most, sums[at] as number);
  const image = new ImageData(SIDE, SIDE);
  for (let at = 0; at < sums.length; at += 4) {
    const count = sums[at + 3] as number;
    if (count <= 0) continue;
    for (let c = 0; c < 3; c++) image.data[at + c] = (sums[at + c] as number) / count;
    image.data[at + 3] = 255 * Math.min(1, Math.max(0, (count / most) ** 0.5 - FAINTEST) / (1 - FAINTEST));
  }
  return image;
}

export function drawShade(pen: CanvasRenderingContext2D, shade: CanvasImageSource, { camera, extent, size, ratio }: Scene): void {
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, size.width, size.height);
  const opacity = 0.34 * Math.min(1, Math.max(0, 1.6 - camera.zoom / 4));
  if (opacity <= 0) return;
  const scale = scaleOf(camera, extent, size), half = extent.half * MARGIN * scale;
  const x = (extent.x - camera.x) * scale + size.width / 2, y = (camera.y - extent.y) * scale + size.height / 2;
  pen.globalAlpha = opacity;
  pen.imageSmoothingEnabled = true;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(shade, x - half, y - half, 2 * half, 2 * half);
  pen.globalAlpha = 1;
}
