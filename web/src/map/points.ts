// What a renderer of points is given, whichever way it draws.
import type { Camera, Extent, Size } from "./camera";

/** How a point is drawn, kept beside its colour. */
export const HIDDEN = 0;
export const FADED = 1;
export const SHOWN = 2;
export const GLOWING = 3;

export interface Points {
  /** x and y of each document, NaN for one without a point. */
  readonly positions: Float32Array;
  /** Red, green, blue and how it is drawn, of each document. */
  readonly paints: Uint8Array;
}

export interface Scene {
  readonly camera: Camera;
  readonly extent: Extent;
  readonly size: Size;
  readonly ratio: number;
}

export interface Renderer {
  readonly kind: "webgl" | "canvas";
  setPositions(positions: Float32Array): void;
  setPaints(paints: Uint8Array): void;
  draw(scene: Scene): void;
  dispose(): void;
}

/** The radius of a point in CSS pixels: smaller the more there are, growing slowly as the map comes nearer. */
export function radiusOf(count: number, zoom: number, size: Size): number {
  const crowd = Math.sqrt((size.width * size.height) / Math.max(count, 1));
  return Math.max(0.75, Math.min(7, crowd * 0.2 * Math.sqrt(zoom)));
}

export function opacityOf(count: number, zoom: number): number {
  return Math.min(0.9, Math.max(0.35, 0.8 - 0.09 * Math.log10(Math.max(count, 1) / 5000) + 0.1 * Math.log2(Math.max(zoom, 1))));
}
