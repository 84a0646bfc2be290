import { describe, expect, it, vi } from "vitest";
import { addressOf, get } from "../src/api/client";
import type { Prediction } from "../src/api/types";
import { packed, tooLarge } from "../src/add/sending";
import { heatOf } from "../src/columns/ColumnsPanel";
import { groupOf } from "../src/columns/groups";
import { named } from "../src/columns/Scatter";
import { backgroundOf, coloredPieces, strengthOf } from "../src/reader/colored";
import { conditionOf } from "../src/search/SearchPanel";
import { fileName } from "../src/selection/file_name";
import { pathOf } from "../src/teach/Curve";
import { EMPTY, labelled, labelOf, refilled, skipped, takenBack } from "../src/teach/session";

const ask = (id: string): Prediction => ({ id }) as Prediction;

describe("teaching", () => {
  const start = refilled(EMPTY, ["a", "b", "c"].map(ask));
  it("asks one after the other", () => {
    const next = labelled(start, "x");
    expect(next.queue[0]?.id).toBe("b");
    expect(next.said).toEqual([{ document: ask("a"), label: "x" }]);
  });
  it("takes a label back and asks again", () => {
    const { session, last } = takenBack(labelled(start, "x"));
    expect(session.queue.map((each) => each.id)).toEqual(["a", "b", "c"]);
    expect(last?.label).toBe("x");
    expect(takenBack(EMPTY).last).toBeNull();
  });
  it("puts what is skipped at the end", () => { expect(skipped(start).queue.map((each) => each.id)).toEqual(["b", "c", "a"]); });
  it("never asks again about what has a label, and keeps the question that is read", () => {
    const next = refilled(labelled(start, "x"), ["a", "b", "d"].map(ask));
    expect(next.queue.map((each) => each.id)).toEqual(["b", "d"]);
  });
  it("knows labels by keys", () => {
    expect(labelOf("2", ["x", "y"])).toBe("y");
    expect(labelOf("3", ["x", "y"])).toBeNull();
    expect(labelOf("q", ["x"])).toBeNull();
    expect(labelOf("12", ["x", "y"])).toBeNull();
  });
  it("draws accuracy upwards", () => { expect(pathOf([{ n_labelled: 5, accuracy: 0 }, { n_labelled: 10, accuracy: 1 }])).toMatch(/^M.* 102\.0L334\.0 6\.0$/); });
});

describe("words of a document", () => {
  it("are the stronger the more they add", () => {
    expect(strengthOf(4, 4)).toBe(1);
    expect(strengthOf(1, 4)).toBe(0.5);
    expect(strengthOf(0, 4)).toBe(0);
    expect(strengthOf(1, 0)).toBe(0);
  });
  it("have another hue below nothing", () => {
    expect(backgroundOf(-1, 1)).toContain("--minus");
    expect(backgroundOf(1, 1)).toContain("--plus");
    expect(backgroundOf(0.0001, 1)).toBe("");
  });
  it("keep their text whole", () => {
    const found = coloredPieces("grain exports fell", [[6, 13, 0.5], [0, 5, -2]]);
    expect(found.pieces.map((each) => each.text)).toEqual(["grain", " ", "exports", " fell"]);
    expect(found.largest).toBe(2);
  });
});

describe("files", () => {
  it("are packed so that no request is too large", () => {
    const files = [4, 4, 4, 9, 1].map((each) => ({ size: each * 1e6 }));
    expect(packed(files).map((pack) => pack.length)).toEqual([2, 1, 1, 1]);
    expect(packed([])).toEqual([]);
  });
  it("that are too large are named", () => {
    expect(tooLarge([{ name: "a", size: 2e7 }, { name: "b", size: 1 }])).toContain("(over 10 MB): a.");
    expect(tooLarge([{ name: "b", size: 1 }])).toBe("");
  });
  it("are named as the server says, without a path", () => {
    expect(fileName('attachment; filename="news.csv"', "x")).toBe("news.csv");
    expect(fileName('attachment; filename="../news.csv"', "x")).toBe("x");
    expect(fileName(null, "x")).toBe("x");
  });
});

describe("groups of a contrast", () => {
  it.each([
    ["cluster:3", { cluster: "3" }],
    ["label:a:b", { label: "a:b" }],
    ["where:year>3", { where: "year>3" }],
    ["query:x", { query: "x" }],
    ["where:", null],
    ["nothing", null],
    ["selection", { ids: ["a"] }],
  ])("are read from %s", (text, expected) => {
    expect(groupOf(text, { by: "ids", ids: ["a"] }, new Float32Array(0))).toEqual(expected);
  });
  it("name the words that differ most, not over each other", () => {
    const word = (term: string, one: number, other: number, score: number): Parameters<typeof named>[0][number] => ({ term, one, other, score });
    const words = [word("a", 0.1, 0.1, 9), word("b", 0.1, 0.1, 8), word("c", 0.1, 0.1, 7), word("d", 0.9, 0.001, -6)];
    expect([...named(words, 9).keys()]).toEqual(["a", "b", "d"]); // right and left of one spot, and none more there
    expect([...named(words, 1).keys()]).toEqual(["a"]);
    const row = [word("algebras", 0.02, 0.5, -9), word("formula", 0.02, 0.12, -8)], [one, other] = [...named(row, 9).values()];
    if (one && other) expect(Math.max(one.x, other.x)).toBeGreaterThanOrEqual(Math.min(one.x + one.width, other.x + other.width));
    expect(one).toBeDefined();
  });
  it("do not name words over a crowd of others", () => {
    const crowd = Array.from({ length: 40 }, (_, i) => ({ term: `w${String(i)}`, one: 0.05, other: 0.02 * 1.05 ** i, score: i === 20 ? 9 : 1 }));
    expect(named(crowd, 9).has("w20")).toBe(false);
    expect(named(crowd, 9).size).toBeGreaterThan(0);
  });
});

describe("questions to the server", () => {
  const problem = (status: number, kind: string): Response => new Response(JSON.stringify({ kind, detail: "no" }), { status });
  it("are asked again where work goes on, and only there", async () => {
    const answers = [problem(408, "timeout"), problem(408, "timeout"), new Response("7")];
    vi.stubGlobal("fetch", vi.fn(() => Promise.resolve(answers.shift())));
    expect(await get("/duplicates")).toBe(7);
    vi.stubGlobal("fetch", vi.fn(() => Promise.resolve(problem(400, "bad-query"))));
    await expect(get("/search")).rejects.toMatchObject({ kind: "bad-query", message: "no" });
    expect(fetch).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });
});

describe("small things", () => {
  it("cells differ by more and less than chance", () => {
    expect(heatOf(-9)).toContain("--minus");
    expect(heatOf(0)).toContain("0.0%");
  });
  it("addresses of questions leave out what is empty", () => {
    expect(addressOf("/search", { query: "a b", where: "", limit: 3, facet: ["x", "y"], plain: undefined })).toBe("api/v1/search?query=a+b&limit=3&facet=x&facet=y");
  });
  it("values are quoted in conditions", () => { expect(conditionOf("name", 'a "b" \\')).toBe('name="a \\"b\\" \\\\"'); });
});
