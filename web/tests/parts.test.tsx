// @vitest-environment jsdom
import { effect } from "@preact/signals";
import { render } from "preact";
import { describe, expect, it } from "vitest";
import { Bars, partsOf } from "../src/parts/Bars";
import { cut, signed, wholeWords } from "../src/parts/format";
import { Marked } from "../src/parts/Marked";
import { pieces } from "../src/parts/spans";
import { setTheme, theme } from "../src/state/theme";

function shown(node: preact.ComponentChild): HTMLElement {
  const parent = document.createElement("div");
  render(node, parent);
  return parent;
}

describe("bars of words", () => {
  const parts = [{ term: "grain", value: 3 }, { term: "oil", value: -1 }, { term: "of", value: 0.25 }, { term: "a", value: 0.25 }];
  it("add up to the total whatever is left out", () => {
    for (const limit of [1, 2, 3, 4]) {
      expect(partsOf(parts, 2.5, limit).reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(2.5);
    }
  });
  it("have no rest where nothing is left", () => {
    expect(partsOf(parts, 2.5, 4)).toHaveLength(4);
    expect(partsOf(parts, 2.5, 2)[2]).toEqual({ term: "(all other words)", value: 0.5 });
  });
  it("are read as words and numbers", () => {
    const dom = shown(<Bars parts={parts} total={2.5} label="why" />);
    expect([...dom.querySelectorAll("dt")].map((each) => each.textContent)).toEqual(["grain", "oil", "a", "of", "in all"]);
    expect(dom.querySelector(".minus")).not.toBeNull();
  });
});

describe("pieces of a text", () => {
  it("are cut where the server counts, by code points", () => {
    expect(pieces("😀 grain 😀", [{ start: 2, end: 7 }]).map((piece) => piece.text)).toEqual(["😀 ", "grain", " 😀"]);
    expect(pieces("a grain b", [{ start: 2, end: 7 }]).map((piece) => piece.text)).toEqual(["a ", "grain", " b"]);
  });
  it("are whole whatever the spans say", () => {
    const spans = [{ start: 3, end: 5 }, { start: 4, end: 8 }, { start: -3, end: 1 }, { start: 90, end: 99 }, { start: 6, end: 6 }];
    expect(pieces("0123456789", spans).map((piece) => piece.text).join("")).toBe("0123456789");
  });
  it("never become part of the page", () => {
    const dom = shown(<Marked text={'<img src=x onerror="window.__pwned=1"> grain'} spans={[{ start: 0, end: 4 }]} />);
    expect(dom.querySelector("img")).toBeNull();
    expect(dom.textContent).toContain("<img src=x");
  });
});

describe("numbers and titles", () => {
  it("have a minus sign", () => { expect(signed(-1.5)).toBe("−1.50"); });
  it("of 10,000 letters are cut between letters", () => {
    expect(Array.from(cut("😀".repeat(10_000), 50))).toHaveLength(50);
    expect(cut("short", 50)).toBe("short");
  });
  it("that were cut inside a word end before it, and those without spaces where they were cut", () => {
    expect(wholeWords(`${"grain ".repeat(32)}expor`)).toBe(`${"grain ".repeat(32)}…`);
    expect(wholeWords(`a ${"麦".repeat(200)}`)).toBe(`a ${"麦".repeat(200)} …`);
    expect(wholeWords("a short one")).toBe("a short one");
  });
});

describe("light and dark", () => {
  it("are on the page before anybody reads its colours", () => {
    const seen: string[] = [];
    const stop = effect(() => { void theme.value; seen.push(document.documentElement.dataset["theme"] ?? ""); });
    setTheme("dark");
    setTheme("light");
    stop();
    expect(seen.slice(1)).toEqual(["dark", "light"]);
  });
});
