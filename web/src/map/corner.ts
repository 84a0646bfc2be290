// Where the legend covers least: in the corner of the window under which fewer documents lie.
import { type Extent, type Size, toWindow, whole } from "./camera";

const SAMPLE = 20_000;
export type Side = "left" | "right";

/** The lower corner, of a box of that size, with fewer points of the whole map under it; the left one where both have as many. */
export function emptierSide(positions: Float32Array, extent: Extent, size: Size, box: Size): Side {
  const count = positions.length / 2, step = Math.max(1, Math.ceil(count / SAMPLE)), camera = whole(extent);
  let left = 0, right = 0;
  for (let row = 0; row < count; row += step) {
    const at = toWindow({ x: positions[2 * row] as number, y: positions[2 * row + 1] as number }, camera, extent, size);
    if (!(at.y > size.height - box.height)) continue;
    if (at.x < box.width) left++;
    else if (at.x > size.width - box.width) right++;
  }
  return right < left ? "right" : "left";
}
