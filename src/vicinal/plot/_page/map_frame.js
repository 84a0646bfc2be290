// The frame of a map: its elements, made one by one. Texts are set by textContent alone, so that none can become part of the page.
"use strict";

/**
 * @typedef {{name: string, size: number, terms: string[], light: string, dark: string}} Cluster
 * @typedef {{name: string, size: number, x: number, y: number, cluster: number}} Name
 * @typedef {{name: string, size: number, clusters: number[], children: Node[]}} Node
 * @typedef {{title: string, about: string, note: string, x: number[], y: number[], cluster: number[], ids: string[], titles: string[],
 *   clusters: Cluster[], levels: Name[][], tree: Node | null, vocabulary: string[], terms: number[][], scale: number}} MapData
 */

/** @param {string} tag @param {string} [name] @param {string} [text] @param {Record<string, string>} [attributes] */
function make(tag, name = "", text = "", attributes = {}) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** @param {string} text @param {string} [label] */
function button(text, label = "") {
  return make("button", "", text, label ? { type: "button", "aria-label": label } : { type: "button" });
}

/** The panel, the canvas, the tools and the tip inside a root. @param {HTMLElement} root @param {MapData} data */
function mapFrame(root, data) {
  root.classList.add("vicinal-map");
  const panel = make("section", "panel", "", { "aria-label": "Clusters and search" }), head = make("header");
  const ask = data.vocabulary.length ? "Search titles and terms" : "Search titles";
  const box = /** @type {HTMLInputElement} */ (make("input", "", "", { type: "search", placeholder: ask, "aria-label": ask, autocomplete: "off", spellcheck: "false" }));
  head.append(make("h1", "", data.title), make("p", "about", data.about), box);
  const tabs = make("div", "tabs", "", { role: "tablist" });
  for (const name of data.tree ? ["Clusters", "Tree"] : ["Clusters"]) tabs.append(make("button", "", name, { type: "button", role: "tab", "data-tab": name.toLowerCase() }));
  const lists = make("div", "lists", "", { "aria-live": "polite" });
  panel.append(head, tabs, lists);
  const stage = make("main", "stage"), tools = make("div", "tools"), tip = make("div", "tip", "", { role: "status" });
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", "", "", { tabindex: "0", role: "img", "aria-label": "Map of the documents; the lists beside it have the same content" }));
  const nearer = button("+", "Zoom in"), farther = button("−", "Zoom out"), whole = button("Whole map"), lasso = button("Select"), theme = button("Dark");
  lasso.title = "Draw a line around documents; or hold Shift and drag";
  tools.append(nearer, farther, whole, lasso, theme);
  tip.hidden = true;
  stage.append(canvas, tools, tip, make("div", "note", data.note));
  root.append(panel, stage);
  return { root, box, tabs, lists, canvas, tools, tip, nearer, farther, whole, lasso, theme };
}
