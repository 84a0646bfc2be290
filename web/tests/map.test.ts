import { describe, expect, it } from "vitest";
import { around, extentOf, toPlane, toWindow, whole, zoomed } from "../src/map/camera";
import { colorsAround, colorsOfValues, css, oklch, ramp } from "../src/map/colors";
import { histogram } from "../src/map/density";
import { Grid } from "../src/map/grid";
import { isInside, rowsInside, simplified } from "../src/map/lasso";
import { levelsOfThese } from "../src/map/levels";
import { levelsNow, placed, wrapped } from "../src/map/names";
import { seatOf } from "../src/map/seat";

const size = { width: 800, height: 600 };
const points = new Float32Array([0, 0, 10, 0, 10, 10, 0, 10, 5, 5, NaN, NaN]);
const extent = extentOf(points);
const camera = whole(extent);

describe("the camera", () => {
  it("shows the whole map at the start", () => {
    for (const spot of [{ x: 0, y: 0 }, { x: 10, y: 10 }]) {
      const at = toWindow(spot, camera, extent, size);
      expect(at.x).toBeGreaterThan(0);
      expect(at.y).toBeGreaterThan(0);
      expect(at.x).toBeLessThan(size.width);
      expect(at.y).toBeLessThan(size.height);
    }
  });
  it("goes from the plane to the window and back", () => {
    const near = { x: 3, y: 8, zoom: 7 };
    const back = toPlane(toWindow({ x: 2.5, y: 7 }, near, extent, size), near, extent, size);
    expect(back.x).toBeCloseTo(2.5);
    expect(back.y).toBeCloseTo(7);
  });
  it("keeps what is under the pointer where it is while zooming", () => {
    const at = { x: 123, y: 456 }, before = toPlane(at, camera, extent, size);
    const after = toPlane(at, zoomed(camera, 3, at, extent, size), extent, size);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });
  it("never leaves its limits", () => {
    expect(zoomed(camera, 1e9, { x: 0, y: 0 }, extent, size).zoom).toBe(200);
    expect(zoomed(camera, 1e-9, { x: 0, y: 0 }, extent, size).zoom).toBe(0.5);
  });
  it("looks at rows, and at everything where none has a point", () => {
    expect(around([0], points, extent)).toMatchObject({ x: 0, y: 0, zoom: 24 });
    expect(around([5], points, extent)).toEqual(camera);
  });
  it("has an extent even without points", () => {
    expect(extentOf(new Float32Array([NaN, NaN]))).toEqual({ x: 0, y: 0, half: 1 });
  });
});

describe("the lasso", () => {
  const line = [{ x: -1, y: -1 }, { x: 6, y: -1 }, { x: 6, y: 6 }, { x: -1, y: 6 }];
  it("holds the points inside it, and none without coordinates", () => {
    expect(rowsInside(points, line)).toEqual([0, 4]);
  });
  it("may be dented", () => {
    const dented = [{ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 5, y: 5 }, { x: 10, y: 10 }, { x: 0, y: 10 }];
    expect(isInside(8, 5, dented)).toBe(false);
    expect(isInside(2, 5, dented)).toBe(true);
  });
  it("holds nothing where two corners are all", () => {
    expect(rowsInside(points, line.slice(0, 2))).toEqual([]);
  });
  it("with many corners keeps those that shape it", () => {
    const circle = Array.from({ length: 500 }, (_, i) => ({ x: Math.cos(i / 80), y: Math.sin(i / 80) }));
    const square = line.flatMap((spot, i) => [spot, { x: (spot.x + (line[(i + 1) % 4]?.x ?? 0)) / 2, y: (spot.y + (line[(i + 1) % 4]?.y ?? 0)) / 2 }]);
    expect(simplified(circle, 40)).toHaveLength(40);
    expect(simplified(square, 4)).toEqual(line);
  });
});

describe("the grid", () => {
  const grid = new Grid(points, extent);
  it("finds the point under the pointer", () => {
    expect(grid.nearest(9.9, 9.9, 1, () => true)).toBe(2);
    expect(grid.nearest(5.2, 5.2, 1, () => true)).toBe(4);
  });
  it("finds none that is too far or hidden", () => {
    expect(grid.nearest(2, 2, 1, () => true)).toBe(-1);
    expect(grid.nearest(5, 5, 1, (row) => row !== 4)).toBe(-1);
  });
  it("finds what a look at all points finds", () => {
    const many = Float32Array.from({ length: 4000 }, (_, i) => Math.sin(i * 12.9898) * 43.7 % 1);
    const there = new Grid(many, extentOf(many));
    for (let q = 0; q < 50; q++) {
      const x = Math.sin(q) / 2, y = Math.cos(q * 3) / 2;
      let best = -1, least = 0.04;
      for (let i = 0; i < 2000; i++) {
        const far = Math.hypot((many[2 * i] as number) - x, (many[2 * i + 1] as number) - y);
        if (far < least) [best, least] = [i, far];
      }
      expect(there.nearest(x, y, 0.04, () => true)).toBe(best);
    }
  });
});

describe("names", () => {
  const measure = (text: string, font: number): number => text.length * font * 0.6;
  const names = Array.from({ length: 40 }, (_, i) => ({ name: `cluster ${String(i)} of many`, size: 100 - i, x: (i % 8) * 1.2, y: Math.floor(i / 8) * 0.4, path: String(i) }));
  const found = placed(names, [], size, (spot) => toWindow(spot, camera, extent, size), measure);
  it("never lie over each other", () => {
    const boxes = found.map((each) => ({ ...each, width: Math.max(...each.lines.map((line) => measure(line, each.font))), height: each.lines.length * each.font * 1.2 }));
    boxes.forEach((a, i) => {
      boxes.slice(i + 1).forEach((b) => {
        expect(Math.abs(a.x - b.x) * 2 >= a.width + b.width || Math.abs(a.y - b.y) * 2 >= a.height + b.height).toBe(true);
      });
    });
  });
  it("of the largest clusters come first, and some are left out", () => {
    expect(found[0]?.path).toBe("0");
    expect(found.length).toBeGreaterThan(5);
    expect(found.length).toBeLessThan(40);
  });
  it("stay inside the window", () => {
    found.forEach((each) => { expect(each.x).toBeGreaterThan(0); expect(each.x).toBeLessThan(size.width); });
  });
  it("of 10,000 letters are cut", () => {
    expect(wrapped("x".repeat(10_000), 20).join("").length).toBeLessThan(40);
    expect(wrapped("a b c d e f g", 1)).toEqual(["a", "b", "c…"]);
  });
  it("are coarse far out and fine near", () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => ({ name: String(i), size: 1, x: 0, y: 0, path: String(i) }));
    const levels = [many(5), many(30), many(90)];
    expect(levelsNow(levels, 1)[0]).toHaveLength(5);
    expect(levelsNow(levels, 2)[0]).toHaveLength(30);
    expect(levelsNow(levels, 9)[0]).toHaveLength(90);
    expect(levelsNow([], 1)).toEqual([[], []]);
  });
});

describe("colours", () => {
  it("are those of OKLCH", () => {
    expect(oklch(1, 0, 0)).toEqual([255, 255, 255]);
    expect(oklch(0, 0, 0)).toEqual([0, 0, 0]);
    expect(css([1, 2, 3])).toBe("rgb(1 2 3)");
  });
  it("of clusters differ from each other", () => {
    const middles = Array.from({ length: 30 }, (_, i) => ({ x: Math.cos(i), y: Math.sin(i) }));
    expect(new Set(colorsAround(middles, "light").map(css)).size).toBe(30);
  });
  it.each([1, 2, 3, 5, 6, 10, 20])("of %i values differ from each other", (count) => {
    expect(new Set(colorsOfValues(count, "dark").map(css)).size).toBe(count);
  });
  it("of numbers grow lighter", () => {
    const light = [0, 0.5, 1].map((share) => ramp(share, "light").reduce((sum, each) => sum + each, 0));
    expect(light[0]).toBeLessThan(light[1] as number);
    expect(light[1]).toBeLessThan(light[2] as number);
  });
});

describe("the shade", () => {
  it("counts every point that is shown, once", () => {
    const paints = new Uint8Array(24).fill(2);
    paints[3] = 0;
    const sums = histogram(points, paints, extent);
    let count = 0;
    for (let at = 3; at < sums.length; at += 4) count += sums[at] as number;
    expect(count).toBe(4);
  });
});

describe("names where the legend hides some clusters", () => {
  it("are those of the others alone, at every zoom", () => {
    const candidate = (path: string): { name: string; size: number; x: number; y: number; path: string } => ({ name: path, size: 1, x: 0, y: 0, path });
    const levels = levelsOfThese([[candidate("coarse")], [candidate("0"), candidate("3")], [candidate("3.1")]], new Set(["3"]));
    for (const zoom of [1, 2, 4]) expect(levelsNow(levels, zoom).flat().map((each) => each.name)).toEqual(["3"]);
    expect(levelsOfThese([], new Set(["3"]))).toEqual([[]]);
  });
});

describe("the seat of the whole map", () => {
  const square = [0, 0, 10, 0, 10, 10, 0, 10], over = { tools: { width: 200, height: 50 }, legend: { width: 200, height: 200 } };
  const seated = (spots: number[], window: { width: number; height: number }, above = over): { side: string; zoom: number; hidden: number; out: number } => {
    const all = new Float32Array(spots), whole = extentOf(all), { camera: found, side } = seatOf(all, whole, window, above);
    const at = Array.from({ length: spots.length / 2 }, (_, i) => toWindow({ x: spots[2 * i] as number, y: spots[2 * i + 1] as number }, found, whole, window));
    const { tools, legend } = above, isLow = (y: number): boolean => y > window.height - legend.height;
    const hidden = at.filter(({ x, y }) => (x > window.width - tools.width && y < tools.height) || (isLow(y) && (side === "left" ? x < legend.width : x > window.width - legend.width))).length;
    return { side, zoom: found.zoom, hidden, out: at.filter(({ x, y }) => x < 0 || y < 0 || x > window.width || y > window.height).length };
  };
  it("has the legend in the corner that is empty", () => {
    expect(seated([0, 0, 4, 0, 0, 10, 5, 10], { width: 600, height: 600 }).side).toBe("right");
    expect(seated([6, 0, 10, 0, 0, 10, 5, 10], { width: 600, height: 600 }).side).toBe("left");
  });
  it("leaves no document beneath buttons and legend, and none outside", () => {
    for (const window of [{ width: 1000, height: 700 }, { width: 600, height: 600 }, { width: 500, height: 900 }]) {
      expect(seated(square, window)).toMatchObject({ hidden: 0, out: 0 });
    }
  });
  it("makes room above and below on a narrow window", () => {
    const found = seated(square, { width: 390, height: 330 }, { tools: { width: 490, height: 40 }, legend: { width: 390, height: 60 } });
    expect(found).toMatchObject({ hidden: 0, out: 0 });
    expect(found.zoom).toBeGreaterThan(0.6);
  });
  it("is large where nothing is in the way", () => {
    expect(seated([5, 0, 5, 10, 6, 5], { width: 1200, height: 600 }).zoom).toBeGreaterThan(0.95);
  });
  it("takes a map without documents", () => {
    expect(seatOf(new Float32Array([NaN, NaN]), extentOf(new Float32Array(0)), { width: 600, height: 600 }, over).side).toBe("left");
  });
});
