// The map of an index in one page: points, names and tree come as JSON in the page, and nothing is ever fetched.
// Texts of documents are shown by textContent alone, so that none of them can become part of the page.
"use strict";

/**
 * @typedef {{name: string, size: number, terms: string[], light: string, dark: string}} Cluster
 * @typedef {{name: string, size: number, x: number, y: number, cluster: number}} Name
 * @typedef {{name: string, size: number, clusters: number[], children: Node[]}} Node
 * @typedef {{title: string, about: string, note: string, x: number[], y: number[], cluster: number[], ids: string[], titles: string[],
 *   clusters: Cluster[], levels: Name[][], tree: Node | null, vocabulary: string[], terms: number[][], scale: number}} MapData
 */

(() => {
  /** @type {MapData} */
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent || "{}");
  const count = data.x.length;
  const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("map"));
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const tip = /** @type {HTMLElement} */ (document.getElementById("tip"));
  const box = /** @type {HTMLInputElement} */ (document.getElementById("search"));
  const found = /** @type {HTMLElement} */ (document.getElementById("lists"));
  const SHOWN = 60;
  const number = new Intl.NumberFormat("en");

  const state = {
    zoom: 1, left: 0, top: 0, hover: -1, tab: "clusters",
    /** @type {Set<number>} */ only: new Set(),
    /** @type {Uint8Array | null} */ hits: null,
    /** @type {number[]} */ hitList: [],
  };

  /** @param {string} tag @param {string} [name] @param {string} [text] */
  function make(tag, name = "", text = "") {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  }

  const isDark = () => document.documentElement.dataset.theme === "dark";
  /** @param {string} name */
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  /** @param {number} cluster */
  const colorOf = (cluster) => (cluster < 0 ? color("--soft") : isDark() ? data.clusters[cluster].dark : data.clusters[cluster].light);

  // From the map to the window: the whole map fits at zoom 1.
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  function base() {
    const { width, height } = size();
    return (Math.min(width, height) * 0.9) / data.scale;
  }
  const toX = (/** @type {number} */ x) => (x - data.scale / 2) * base() * state.zoom + size().width / 2 + state.left;
  const toY = (/** @type {number} */ y) => (data.scale / 2 - y) * base() * state.zoom + size().height / 2 + state.top;

  /** @param {number} i */
  const isShown = (i) => (!state.only.size || state.only.has(data.cluster[i])) && (!state.hits || state.hits[i] === 1);

  // Points by square of the map, to find the one under the pointer.
  const SIDE = 128;
  /** @type {Map<number, number[]>} */
  const squares = new Map();
  const squareOf = (/** @type {number} */ v) => Math.min(SIDE - 1, Math.max(0, Math.floor((v / data.scale) * SIDE)));
  for (let i = 0; i < count; i++) {
    const at = squareOf(data.x[i]) * SIDE + squareOf(data.y[i]);
    const there = squares.get(at);
    if (there) there.push(i);
    else squares.set(at, [i]);
  }
  const byCluster = data.clusters.map(() => /** @type {number[]} */ ([]));
  /** @type {number[]} */
  const inNone = [];
  for (let i = 0; i < count; i++) (data.cluster[i] < 0 ? inNone : byCluster[data.cluster[i]]).push(i);

  function radius() {
    const crowd = Math.sqrt((size().width * size().height) / Math.max(count, 1));
    return Math.max(0.9, Math.min(7, crowd * 0.16 * Math.sqrt(state.zoom)));
  }

  /** @param {number[]} rows @param {string} fill @param {number} alpha @param {number} r */
  function dots(rows, fill, alpha, r) {
    const { width, height } = size();
    pen.fillStyle = fill;
    pen.globalAlpha = alpha;
    const round = r > 1.4 && rows.length < 60000;
    pen.beginPath();
    for (const i of rows) {
      const x = toX(data.x[i]), y = toY(data.y[i]);
      if (x < -r || y < -r || x > width + r || y > height + r) continue;
      if (round) {
        pen.moveTo(x + r, y);
        pen.arc(x, y, r, 0, 6.2832);
      } else {
        pen.rect(x - r, y - r, 2 * r, 2 * r);
      }
    }
    pen.fill();
    pen.globalAlpha = 1;
  }

  function drawPoints() {
    const r = radius(), partial = state.hits || state.only.size;
    for (const pass of partial ? ["faded", "shown"] : ["shown"]) {
      [...byCluster, inNone].forEach((rows, k) => {
        const cluster = k < byCluster.length ? k : -1;
        const wanted = partial ? rows.filter((i) => isShown(i) === (pass === "shown")) : rows;
        if (pass === "faded") dots(wanted, color("--soft"), 0.16, r);
        else dots(wanted, colorOf(cluster), state.hits ? 0.95 : 0.72, state.hits ? r * 1.5 : r);
      });
    }
    if (state.hover >= 0) {
      pen.lineWidth = 2;
      pen.strokeStyle = color("--ink");
      pen.beginPath();
      pen.arc(toX(data.x[state.hover]), toY(data.y[state.hover]), r + 4, 0, 6.2832);
      pen.stroke();
    }
  }

  /** The names for how near the map is, and finer ones to fill the gaps: coarse far out where there are many clusters, fine close by. */
  function namesNow() {
    const [coarse, medium, fine] = data.levels;
    if (data.levels.length < 3) return [coarse || [], /** @type {Name[]} */ ([])];
    if (medium.length > 24 && state.zoom < 1.5) return coarse.length > 3 ? [coarse, medium] : [medium, []];
    return state.zoom < 2.6 ? [medium, fine] : [fine, []];
  }

  /** @param {string} name @param {number} longest */
  function lines(name, longest) {
    const words = name.split(" "), kept = [""];
    for (const word of words) {
      const last = kept[kept.length - 1];
      if (last && (last + " " + word).length > longest) kept.push(word);
      else kept[kept.length - 1] = last ? last + " " + word : word;
    }
    return kept.slice(0, 3).map((line) => (line.length > 2 * longest ? line.slice(0, 2 * longest - 1) + "…" : line));
  }

  /** Names from the largest cluster to the smallest, each where no other is yet. */
  function drawNames() {
    const { width, height } = size();
    /** @type {{x: number, y: number, w: number, h: number}[]} */
    const taken = [];
    const small = width < 640;
    const [names, finer] = namesNow(), largest = Math.max(1, ...names.map((name) => name.size));
    let drawn = 0;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    for (const name of [...names, ...finer]) {
      if (state.only.size && !state.only.has(name.cluster)) continue;
      const main = names.includes(name);
      if (!main && small) continue;
      const font = main ? (small ? 11 : 13) + (small ? 3 : 5) * Math.sqrt(name.size / largest) : 11.5;
      pen.font = `${main ? 650 : 500} ${font}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;
      const text = lines(name.name, small ? 14 : 22);
      const w = Math.max(...text.map((line) => pen.measureText(line).width)) + 8, h = text.length * font * 1.18 + 4;
      const x = toX(name.x), y = toY(name.y);
      if (x < -w || y < -h || x > width + w || y > height + h) continue;
      for (const [dx, dy] of main ? [[0, 0], [0, -0.7], [0, 0.7], [-0.4, 0], [0.4, 0], [0, -1.4], [0, 1.4]] : [[0, 0], [0, -0.6], [0, 0.6]]) {
        const at = { x: Math.min(Math.max(x + dx * w, w / 2 + 4), width - w / 2 - 4), y: Math.min(Math.max(y + dy * h, h / 2 + 4), height - h / 2 - 4), w, h };
        if (taken.some((other) => Math.abs(other.x - at.x) * 2 < other.w + w && Math.abs(other.y - at.y) * 2 < other.h + h)) continue;
        taken.push(at);
        pen.lineWidth = 4;
        pen.strokeStyle = color("--halo");
        pen.fillStyle = color("--ink");
        text.forEach((line, k) => {
          const top = at.y + (k - (text.length - 1) / 2) * font * 1.18;
          pen.globalAlpha = 0.88;
          pen.strokeText(line, at.x, top);
          pen.globalAlpha = main ? 1 : 0.8;
          pen.fillText(line, at.x, top);
          pen.globalAlpha = 1;
        });
        if (main) drawn++;
        break;
      }
    }
    canvas.dataset.names = String(drawn);
  }

  let waiting = false;
  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const ratio = window.devicePixelRatio || 1, { width, height } = size();
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, height);
      drawPoints();
      drawNames();
      canvas.dataset.drawn = String(count);
    });
  }

  /** @param {number} factor @param {number} x @param {number} y */
  function zoomAt(factor, x, y) {
    const { width, height } = size(), before = state.zoom;
    state.zoom = Math.min(60, Math.max(0.6, state.zoom * factor));
    const real = state.zoom / before;
    state.left = x - width / 2 - (x - width / 2 - state.left) * real;
    state.top = y - height / 2 - (y - height / 2 - state.top) * real;
    draw();
  }

  /** @param {number[]} rows */
  function zoomTo(rows) {
    if (!rows.length) return;
    const middle = (/** @type {number[]} */ v) => v.slice().sort((a, b) => a - b)[Math.floor(v.length / 2)];
    const xs = rows.map((i) => data.x[i]), ys = rows.map((i) => data.y[i]);
    const cx = middle(xs), cy = middle(ys);
    const far = rows.map((i) => Math.hypot(data.x[i] - cx, data.y[i] - cy)).sort((a, b) => a - b);
    const reach = Math.max(far[Math.floor(far.length * 0.9)], data.scale / 60);
    state.zoom = Math.min(20, Math.max(1, (data.scale * 0.42) / reach));
    state.left = -(cx - data.scale / 2) * base() * state.zoom;
    state.top = (cy - data.scale / 2) * base() * state.zoom;
    draw();
  }

  function whole() {
    Object.assign(state, { zoom: 1, left: 0, top: 0 });
    draw();
  }

  // --- pointer and keys ---
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  /** @param {PointerEvent | WheelEvent} event */
  function at(event) {
    const frame = canvas.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  /** @param {{x: number, y: number}} spot */
  function nearest(spot) {
    const one = base() * state.zoom, { width, height } = size();
    const mx = (spot.x - width / 2 - state.left) / one + data.scale / 2, my = data.scale / 2 - (spot.y - height / 2 - state.top) / one;
    const reach = (radius() + 7) / one, span = Math.ceil((reach / data.scale) * SIDE);
    let best = -1, least = reach * reach;
    for (let a = squareOf(mx) - span; a <= squareOf(mx) + span; a++) {
      for (let b = squareOf(my) - span; b <= squareOf(my) + span; b++) {
        for (const i of squares.get(a * SIDE + b) || []) {
          const far = (data.x[i] - mx) ** 2 + (data.y[i] - my) ** 2;
          if (far < least && isShown(i)) [best, least] = [i, far];
        }
      }
    }
    return best;
  }

  /** @param {number} i @param {{x: number, y: number}} spot */
  function showTip(i, spot) {
    tip.replaceChildren();
    tip.hidden = i < 0;
    if (i < 0) return;
    tip.append(make("div", "title", data.titles[i]));
    if (data.cluster[i] >= 0) tip.append(make("div", "where", data.clusters[data.cluster[i]].name));
    if (data.terms[i] && data.terms[i].length) tip.append(make("div", "terms", data.terms[i].map((term) => data.vocabulary[term]).join(" · ")));
    if (data.ids[i] !== data.titles[i]) tip.append(make("div", "id", data.ids[i]));
    const { width, height } = size();
    tip.style.left = `${Math.max(6, Math.min(spot.x + 16, width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(6, spot.y + 18 + tip.offsetHeight > height ? spot.y - tip.offsetHeight - 14 : spot.y + 18)}px`;
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const spot = at(event), before = fingers.get(event.pointerId);
    if (before && fingers.size === 1) {
      state.left += spot.x - before.x;
      state.top += spot.y - before.y;
      draw();
    } else if (before && fingers.size === 2) {
      const other = [...fingers].filter(([id]) => id !== event.pointerId)[0][1];
      const was = Math.hypot(before.x - other.x, before.y - other.y), is = Math.hypot(spot.x - other.x, spot.y - other.y);
      if (was > 0) zoomAt(is / was, (spot.x + other.x) / 2, (spot.y + other.y) / 2);
    }
    if (before) fingers.set(event.pointerId, spot);
    const over = fingers.size > 1 ? -1 : nearest(spot);
    if (over !== state.hover) {
      state.hover = over;
      draw();
    }
    showTip(over, spot);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    canvas.addEventListener(name, (event) => {
      fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
      if (name === "pointerleave") showTip(-1, { x: 0, y: 0 });
    });
  }
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomAt(Math.exp(-event.deltaY * 0.0016), at(event).x, at(event).y);
  }, { passive: false });
  canvas.addEventListener("dblclick", (event) => zoomAt(2, event.offsetX, event.offsetY));
  canvas.addEventListener("keydown", (event) => {
    const { width, height } = size(), step = 60;
    const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] });
    if (moves[event.key]) {
      state.left += moves[event.key][0];
      state.top += moves[event.key][1];
      draw();
    } else if (event.key === "+" || event.key === "=") zoomAt(1.4, width / 2, height / 2);
    else if (event.key === "-") zoomAt(1 / 1.4, width / 2, height / 2);
    else if (event.key === "0") whole();
    else return;
    event.preventDefault();
  });

  // --- lists: clusters, tree, what was found ---
  /** @param {string} name @param {string} more @param {string} fill @param {string} count @param {() => void} act */
  function row(name, more, fill, count, act) {
    const button = make("button", "row");
    button.setAttribute("type", "button");
    const chip = make("span", "chip");
    chip.style.background = fill;
    button.append(chip, make("span", "name", name), make("span", "count", count));
    if (more) button.append(make("span", "more", more));
    button.addEventListener("click", act);
    return button;
  }

  /** @param {number[]} clusters */
  function keepOnly(clusters) {
    const same = clusters.length === state.only.size && clusters.every((each) => state.only.has(each));
    state.only = new Set(same ? [] : clusters);
    if (same) whole();
    else zoomTo(clusters.flatMap((each) => byCluster[each]));
    search();
  }

  function clusterList() {
    const list = make("ul");
    data.clusters.forEach((cluster, k) => {
      const entry = make("li");
      const more = cluster.terms.filter((term) => !cluster.name.split(", ").includes(term));
      const button = row(cluster.name, more.join(" · "), colorOf(k), number.format(cluster.size), () => {
        if (state.only.has(k)) state.only.delete(k);
        else state.only.add(k);
        search();
      });
      button.setAttribute("aria-pressed", String(state.only.has(k)));
      if (state.only.size && !state.only.has(k)) button.classList.add("off");
      entry.append(button);
      list.append(entry);
    });
    return list;
  }

  /** @param {Node} node @param {number} depth */
  function treeEntry(node, depth) {
    const entry = make("li");
    if (!node.children.length) {
      entry.append(row(node.name, "", colorOf(node.clusters.length ? node.clusters[0] : -1), number.format(node.size), () => keepOnly(node.clusters)));
      return entry;
    }
    const branch = /** @type {HTMLDetailsElement} */ (make("details"));
    branch.open = depth < 3;
    const head = make("summary", "", node.name), only = make("button", "quiet", "show");
    only.setAttribute("type", "button");
    only.setAttribute("aria-label", `show only ${node.name}`);
    only.addEventListener("click", (event) => {
      event.preventDefault();
      keepOnly(node.clusters);
    });
    head.append(make("span", "count", number.format(node.size)), only);
    const below = make("ul");
    node.children.forEach((child) => below.append(treeEntry(child, depth + 1)));
    branch.append(head, below);
    entry.append(branch);
    return entry;
  }

  function hitEntries() {
    const list = make("ul");
    for (const i of state.hitList.slice(0, SHOWN)) {
      const entry = make("li"), cluster = data.cluster[i];
      entry.append(row(data.titles[i], cluster < 0 ? "" : data.clusters[cluster].name, colorOf(cluster), "", () => {
        state.hover = i;
        zoomTo([i]);
      }));
      list.append(entry);
    }
    return list;
  }

  function renderLists() {
    found.replaceChildren();
    for (const button of document.querySelectorAll("#tabs button")) {
      button.setAttribute("aria-selected", String(/** @type {HTMLElement} */ (button).dataset.tab === state.tab));
    }
    if (state.hits) {
      const total = state.hitList.length;
      found.append(make("p", "more", total ? `${number.format(total)} found${total > SHOWN ? `, the first ${SHOWN}:` : ":"}` : "Nothing found."));
      found.append(hitEntries());
      return;
    }
    if (state.only.size) {
      const all = make("button", "quiet", "Show all clusters");
      all.setAttribute("type", "button");
      all.addEventListener("click", () => {
        state.only.clear();
        whole();
        search();
      });
      found.append(all);
    }
    if (state.tab === "tree" && data.tree) {
      const top = make("ul");
      top.append(treeEntry(data.tree, 0));
      found.append(top);
    } else {
      found.append(clusterList());
    }
  }

  /** @type {string[] | null} */
  let searched = null;
  function search() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    state.hits = null;
    state.hitList = [];
    if (words.length) {
      searched = searched || data.titles.map((title, i) => `${title} ${data.ids[i]} ${(data.terms[i] || []).map((term) => data.vocabulary[term]).join(" ")}`.toLowerCase());
      state.hits = new Uint8Array(count);
      for (let i = 0; i < count; i++) {
        if (words.every((word) => /** @type {string[]} */ (searched)[i].includes(word))) {
          state.hits[i] = 1;
          if (!state.only.size || state.only.has(data.cluster[i])) state.hitList.push(i);
        }
      }
    }
    canvas.dataset.found = state.hits ? String(state.hitList.length) : "";
    renderLists();
    draw();
  }

  // --- the page ---
  document.title = data.title;
  /** @type {HTMLElement} */ (document.querySelector("h1")).textContent = data.title;
  /** @type {HTMLElement} */ (document.getElementById("about")).textContent = data.about;
  /** @type {HTMLElement} */ (document.getElementById("note")).textContent = data.note;
  const theme = /** @type {HTMLElement} */ (document.getElementById("theme"));
  /** @param {boolean} dark */
  function setTheme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    theme.textContent = dark ? "Light" : "Dark";
    renderLists();
    draw();
  }
  theme.addEventListener("click", () => setTheme(!isDark()));
  document.getElementById("nearer")?.addEventListener("click", () => zoomAt(1.5, size().width / 2, size().height / 2));
  document.getElementById("farther")?.addEventListener("click", () => zoomAt(1 / 1.5, size().width / 2, size().height / 2));
  document.getElementById("whole")?.addEventListener("click", whole);
  box.addEventListener("input", search);
  for (const button of document.querySelectorAll("#tabs button")) {
    if (/** @type {HTMLElement} */ (button).dataset.tab === "tree" && !data.tree) button.remove();
    button.addEventListener("click", () => {
      state.tab = /** @type {HTMLElement} */ (button).dataset.tab || "clusters";
      box.value = "";
      search();
    });
  }
  // An address such as map.html#dark&q=wheat&zoom=3 opens the page as it says.
  const asked = new URLSearchParams(location.hash.slice(1));
  const dark = asked.has("dark") || (!asked.has("light") && window.matchMedia("(prefers-color-scheme: dark)").matches);
  state.zoom = Math.min(60, Math.max(0.6, Number(asked.get("zoom")) || 1));
  if (asked.get("tab") === "tree" && data.tree) state.tab = "tree";
  box.value = asked.get("q") || "";
  setTheme(dark);
  search();
  new ResizeObserver(draw).observe(canvas);
})();
