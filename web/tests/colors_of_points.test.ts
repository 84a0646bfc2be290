import { describe, expect, it } from "vitest";
import { foundOf, pointsOf } from "../src/api/binary";
import { byCluster, byNumbers, byValues, colorOf } from "../src/map/coloring";
import { GREY, ramp } from "../src/map/colors";
import { maskOf, maskOfFound, paintsOf } from "../src/map/paint";
import { FADED, GLOWING, HIDDEN, SHOWN } from "../src/map/points";

const clusters = [0, 7].map((number) => ({ number, path: String(number), name: `c${String(number)}`, size: 1, share: 0, uncertainty: 0, terms: [], exemplars: [], named: false, pinned: false, stability: null }));
const positions = new Float32Array([0, 0, 1, 1, 2, 0]), numbers = new Int32Array([7, 0, -1]);
const how = (paints: Uint8Array): number[] => [3, 7, 11].map((at) => paints[at] as number);

describe("points from the server", () => {
  it("come as all x, all y, all clusters", () => {
    const bytes = new ArrayBuffer(24);
    new Float32Array(bytes, 0, 4).set([1, 2, 3, 4]);
    new Int32Array(bytes, 16, 2).set([5, -1]);
    expect([...pointsOf(bytes).positions]).toEqual([1, 3, 2, 4]);
    expect([...pointsOf(bytes).clusters]).toEqual([5, -1]);
  });
  it("may be none", () => { expect(pointsOf(new ArrayBuffer(0)).positions).toHaveLength(0); });
  it("that were found come as rows and relevance", () => {
    const bytes = new ArrayBuffer(8);
    new Uint32Array(bytes, 0, 1).set([3]);
    new Float32Array(bytes, 4, 1).set([0.5]);
    expect([[...foundOf(bytes).rows], [...foundOf(bytes).relevance]]).toEqual([[3], [0.5]]);
  });
});

describe("colours of points", () => {
  const coloring = byCluster(clusters, positions, numbers, "light");
  it("are those of their clusters, grey without one", () => {
    expect(colorOf(coloring, 0, "light")).toEqual(coloring.entries[1]?.color);
    expect(colorOf(coloring, 2, "light")).toEqual(GREY.light);
  });
  it("show all where nothing was asked", () => {
    expect(how(paintsOf(3, coloring, [], null, "light"))).toEqual([SHOWN, SHOWN, SHOWN]);
  });
  it("hide what the legend leaves out", () => {
    expect(how(paintsOf(3, coloring, ["7"], null, "light"))).toEqual([SHOWN, HIDDEN, HIDDEN]);
  });
  it("glow where something was found, and fade elsewhere", () => {
    expect(how(paintsOf(3, coloring, [], maskOf([1, 99], 3), "light"))).toEqual([FADED, GLOWING, FADED]);
  });
  it("glow for good answers, and only do not fade for others", () => {
    const mask = maskOfFound(new Uint32Array([2, 0, 99]), new Float32Array([0.9, 0.2, 0.1]), 3);
    expect(how(paintsOf(3, coloring, [], mask, "light"))).toEqual([SHOWN, FADED, GLOWING]);
  });
  it("of values put the rest into one entry", () => {
    const found = byValues("year", [["a", 2], ["", 1]], new Int32Array([0, 50, -1]), "light");
    expect(found.entries.map((each) => each.name)).toEqual(["a", "(none)", "(other values)"]);
    expect([...(found.codes ?? [])]).toEqual([0, 2, -1]);
  });
  it("of numbers go from low to high, grey without one", () => {
    const found = byNumbers("uncertainty", "number", new Float32Array([0, 0.5, 1, NaN]));
    expect(colorOf(found, 0, "dark")).toEqual(ramp(0, "dark"));
    expect(colorOf(found, 2, "dark")).toEqual(ramp(1, "dark"));
    expect(colorOf(found, 3, "dark")).toEqual(GREY.dark);
    expect([found.low, found.high]).toEqual(["0", "1"]);
  });
  it("of dates are named by days", () => {
    expect(byNumbers("date", "date", new Float32Array([0, 365])).high).toBe("1971-01-01");
  });
});
