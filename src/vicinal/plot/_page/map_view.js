// The drawing of a map: points, the haze under them, and names that do not overlap; and from the map to the window and back.
"use strict";

/** @param {HTMLElement} root @param {HTMLCanvasElement} canvas @param {HTMLElement} tools @param {MapData} data */
function mapView(root, canvas, tools, data) {
  const count = data.x.length;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif', HAZY = 40000;
  const state = {
    zoom: 1, left: 0, top: 0, hover: -1,
    /** @type {Set<number>} */ only: new Set(),
    /** @type {Uint8Array | null} */ hits: null,
    /** @type {Uint8Array | null} */ picked: null,
    /** @type {{x: number, y: number}[]} */ line: [],
  };

  const isDark = () => root.dataset.theme === "dark";
  /** @param {string} name */
  const color = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  /** @param {number} cluster */
  const colorOf = (cluster) => (cluster < 0 ? color("--soft") : isDark() ? data.clusters[cluster].dark : data.clusters[cluster].light);

  // From the map to the window: the whole map fits at zoom 1.
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  const base = () => (Math.min(size().width, size().height) * 0.9) / data.scale;
  const toX = (/** @type {number} */ x) => (x - data.scale / 2) * base() * state.zoom + size().width / 2 + state.left;
  const toY = (/** @type {number} */ y) => (data.scale / 2 - y) * base() * state.zoom + size().height / 2 + state.top;
  /** @param {{x: number, y: number}} spot */
  function toMap(spot) {
    const one = base() * state.zoom, { width, height } = size();
    return { x: (spot.x - width / 2 - state.left) / one + data.scale / 2, y: data.scale / 2 - (spot.y - height / 2 - state.top) / one, one };
  }

  const isPartial = () => Boolean(state.hits || state.picked || state.only.size);
  /** @param {number} i */
  const isShown = (i) => (!state.only.size || state.only.has(data.cluster[i])) && (!state.hits || state.hits[i] === 1) && (!state.picked || state.picked[i] === 1);

  // Points by square of the map, to find the one under the pointer.
  const SIDE = 128;
  /** @type {Map<number, number[]>} */
  const squares = new Map();
  const squareOf = (/** @type {number} */ v) => Math.min(SIDE - 1, Math.max(0, Math.floor((v / data.scale) * SIDE)));
  const byCluster = data.clusters.map(() => /** @type {number[]} */ ([]));
  /** @type {number[]} */
  const inNone = [];
  for (let i = 0; i < count; i++) {
    const at = squareOf(data.x[i]) * SIDE + squareOf(data.y[i]), there = squares.get(at);
    if (there) there.push(i);
    else squares.set(at, [i]);
    (data.cluster[i] < 0 ? inNone : byCluster[data.cluster[i]]).push(i);
  }

  function radius() {
    const crowd = Math.sqrt((size().width * size().height) / Math.max(count, 1));
    return Math.max(0.9, Math.min(7, crowd * 0.16 * Math.sqrt(state.zoom)));
  }

  /** @param {number[]} rows @param {string} fill @param {number} alpha @param {number} r */
  function dots(rows, fill, alpha, r) {
    const { width, height } = size(), one = base() * state.zoom, left = width / 2 + state.left, top = height / 2 + state.top, half = data.scale / 2;
    pen.fillStyle = fill;
    pen.globalAlpha = alpha;
    const round = r > 1.4 && rows.length < 60000;
    pen.beginPath();
    for (const i of rows) {
      const x = (data.x[i] - half) * one + left, y = (half - data.y[i]) * one + top;
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
    const r = radius(), partial = isPartial(), soft = color("--soft"), groups = [...byCluster, inNone];
    if (!partial && count <= HAZY) byCluster.forEach((rows, k) => [5.5, 3.2].forEach((wide) => dots(rows, colorOf(k), isDark() ? 0.07 : 0.06, r * wide)));
    for (const pass of partial ? ["faded", "shown"] : ["shown"]) {
      groups.forEach((rows, k) => {
        const wanted = partial ? rows.filter((i) => isShown(i) === (pass === "shown")) : rows;
        if (pass === "faded") dots(wanted, soft, 0.16, r);
        else dots(wanted, colorOf(k < byCluster.length ? k : -1), partial ? 0.95 : 0.78, state.hits ? r * 1.5 : r);
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

  function drawLine() {
    if (state.line.length < 2) return;
    pen.beginPath();
    state.line.forEach((spot, i) => (i ? pen.lineTo(toX(spot.x), toY(spot.y)) : pen.moveTo(toX(spot.x), toY(spot.y))));
    pen.closePath();
    pen.fillStyle = pen.strokeStyle = color("--accent");
    pen.globalAlpha = 0.12;
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 1.5;
    pen.stroke();
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

  /** Names from the largest cluster to the smallest, each where no other is yet, and none under the tools. */
  function drawNames() {
    const { width, height } = size(), small = width < 640;
    const taken = [{ x: tools.offsetLeft + tools.offsetWidth / 2, y: tools.offsetTop + tools.offsetHeight / 2, w: tools.offsetWidth + 8, h: tools.offsetHeight + 8 }];
    const [names, finer] = namesNow(), main = new Set(names), largest = Math.max(1, ...names.map((name) => name.size));
    let drawn = 0;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    for (const name of [...names, ...(small ? [] : finer)]) {
      if (state.only.size && !state.only.has(name.cluster)) continue;
      const first = main.has(name), font = first ? (small ? 11 : 13) + (small ? 3 : 5) * Math.sqrt(name.size / largest) : 11.5;
      pen.font = `${first ? 650 : 500} ${font}px ${FONT}`;
      const text = lines(name.name, small ? 14 : 22), x = toX(name.x), y = toY(name.y);
      const w = Math.max(...text.map((line) => pen.measureText(line).width)) + 8, h = text.length * font * 1.18 + 4;
      if (x < -w || y < -h || x > width + w || y > height + h) continue;
      for (const [dx, dy] of first ? [[0, 0], [0, -0.7], [0, 0.7], [-0.4, 0], [0.4, 0], [0, -1.4], [0, 1.4]] : [[0, 0], [0, -0.6], [0, 0.6]]) {
        const at = { x: Math.min(Math.max(x + dx * w, w / 2 + 4), width - w / 2 - 4), y: Math.min(Math.max(y + dy * h, h / 2 + 4), height - h / 2 - 4), w, h };
        if (taken.some((other) => Math.abs(other.x - at.x) * 2 < other.w + w && Math.abs(other.y - at.y) * 2 < other.h + h)) continue;
        taken.push(at);
        writeName(text, at.x, at.y, font, first);
        if (first) drawn++;
        break;
      }
    }
    canvas.dataset.names = String(drawn);
  }

  /** @param {string[]} text @param {number} x @param {number} y @param {number} font @param {boolean} first */
  function writeName(text, x, y, font, first) {
    pen.lineWidth = 4;
    pen.strokeStyle = color("--halo");
    pen.fillStyle = color("--ink");
    text.forEach((line, k) => {
      const top = y + (k - (text.length - 1) / 2) * font * 1.18;
      pen.globalAlpha = 0.88;
      pen.strokeText(line, x, top);
      pen.globalAlpha = first ? 1 : 0.8;
      pen.fillText(line, x, top);
    });
    pen.globalAlpha = 1;
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
      drawLine();
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
    const cx = middle(rows.map((i) => data.x[i])), cy = middle(rows.map((i) => data.y[i]));
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

  /** The document under a spot of the window, -1 for none. @param {{x: number, y: number}} spot */
  function nearest(spot) {
    const { x, y, one } = toMap(spot), reach = (radius() + 7) / one, span = Math.ceil((reach / data.scale) * SIDE);
    let best = -1, least = reach * reach;
    for (let a = squareOf(x) - span; a <= squareOf(x) + span; a++) {
      for (let b = squareOf(y) - span; b <= squareOf(y) + span; b++) {
        for (const i of squares.get(a * SIDE + b) || []) {
          const far = (data.x[i] - x) ** 2 + (data.y[i] - y) ** 2;
          if (far < least && isShown(i)) [best, least] = [i, far];
        }
      }
    }
    return best;
  }

  /** Which documents a closed line has inside. @param {{x: number, y: number}[]} line */
  function inside(line) {
    const found = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      let is = false;
      for (let a = 0, b = line.length - 1; a < line.length; b = a++) {
        const above = line[a].y > data.y[i];
        if (above !== line[b].y > data.y[i] && data.x[i] < ((line[b].x - line[a].x) * (data.y[i] - line[a].y)) / (line[b].y - line[a].y) + line[a].x) is = !is;
      }
      if (is && isShown(i)) found[i] = 1;
    }
    return found;
  }

  return { state, count, byCluster, size, colorOf, isDark, isShown, isPartial, toMap, draw, zoomAt, zoomTo, whole, nearest, inside };
}
