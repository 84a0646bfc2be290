import { describe, expect, it } from "vitest";
import { format, parse, START, type View } from "../src/state/address";

const full: View = {
  panel: "search", query: 'grain "crop failure" -wheat #1 & ü', where: "year>=1998", document: "a/b?c=1#2", selection: { by: "cluster", cluster: "3.1" },
  color: "folder", only: ["a,b", ""], camera: { x: 0.5, y: -1.25, zoom: 3 }, column: "year", first: "label:a", second: "label:b", similarity: 0.75,
};

describe("an address", () => {
  it("says the whole view and is read back as the same", () => {
    expect(parse(format(full))).toEqual(full);
  });
  it.each([
    { by: "lasso", line: [{ x: 0, y: 1 }, { x: 2, y: 3 }, { x: 4, y: 5 }] },
    { by: "query", query: "grain", where: "" },
    { by: "query", query: "grain", where: "year=1998" },
    { by: "where", where: "year=1998" },
    { by: "ids", ids: ["a", "b,c"] },
  ] as const)("keeps documents chosen by $by", (selection) => {
    expect(parse(format({ ...START, selection })).selection).toEqual(selection);
  });
  it.each(["0.2", "1.5", "x", ""])("has no similarity that cannot be: %s", (text) => {
    expect(parse(`#duplicates?similarity=${text}`).similarity).toBe(START.similarity);
  });
  it("of the start is short", () => {
    expect(format(START)).toBe("#clusters");
    expect(parse("")).toEqual(START);
  });
  it.each(["#nothing", "#search?at=1,2", "#search?at=a,b,c", "#search?lasso=1,2,3", "#search?cluster=%3Cb%3E", "#search?cluster=", "#%%%", "#?=&&=", "#search?at=0,0,-1"])(
    "that is damaged is read without what is wrong in it: %s",
    (hash) => {
      const found = parse(hash);
      expect(found.camera).toBeNull();
      expect(found.selection).toBeNull();
    },
  );
  it("with a text of a million letters is cut", () => {
    expect(parse(`#search?q=${"a".repeat(1_000_000)}`).query).toHaveLength(10_000);
  });
});
