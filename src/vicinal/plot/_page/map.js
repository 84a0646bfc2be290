// A map of documents inside an element: frame, drawing and panel, joined by pointer, keys and buttons. Nothing is ever fetched.
"use strict";

/**
 * @param {HTMLElement} root
 * @param {MapData} data
 * @param {{dark: boolean, zoom?: number, tab?: string, query?: string, wheel?: "always" | "focused", selected?: (rows: number[]) => void}} options
 */
function vicinalMap(root, data, options) {
  const frame = mapFrame(root, data), { canvas, tip } = frame;
  const view = mapView(root, canvas, frame.tools, data), { state } = view;
  const panel = mapPanel(frame, data, view, () => {
    if (!options.selected) return;
    const rows = [];
    if (view.isPartial()) for (let i = 0; i < view.count; i++) if (view.isShown(i)) rows.push(i);
    options.selected(rows);
  });
  let drawing = false, lasso = false;

  // --- pointer and keys ---
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  /** @param {PointerEvent | WheelEvent} event */
  function at(event) {
    const place = canvas.getBoundingClientRect();
    return { x: event.clientX - place.left, y: event.clientY - place.top };
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
    const { width, height } = view.size();
    tip.style.left = `${Math.max(6, Math.min(spot.x + 16, width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(6, spot.y + 18 + tip.offsetHeight > height ? spot.y - tip.offsetHeight - 14 : spot.y + 18)}px`;
  }

  /** @param {boolean} on */
  function setLasso(on) {
    lasso = on;
    frame.lasso.setAttribute("aria-pressed", String(on));
    canvas.classList.toggle("lasso", on);
  }

  function endLine() {
    drawing = false;
    const line = state.line;
    state.line = [];
    setLasso(false);
    if (line.length > 2) panel.pick(view.inside(line));
    else view.draw();
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    drawing = (lasso || event.shiftKey) && fingers.size === 1;
    if (drawing) {
      state.picked = null;
      state.line = [view.toMap(at(event))];
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const spot = at(event), before = fingers.get(event.pointerId);
    if (before && drawing) {
      state.line.push(view.toMap(spot));
      view.draw();
    } else if (before && fingers.size === 1) {
      state.left += spot.x - before.x;
      state.top += spot.y - before.y;
      view.draw();
    } else if (before && fingers.size === 2) {
      const other = [...fingers].filter(([id]) => id !== event.pointerId)[0][1];
      const was = Math.hypot(before.x - other.x, before.y - other.y), is = Math.hypot(spot.x - other.x, spot.y - other.y);
      if (was > 0) view.zoomAt(is / was, (spot.x + other.x) / 2, (spot.y + other.y) / 2);
    }
    if (before) fingers.set(event.pointerId, spot);
    const over = fingers.size > 1 || drawing ? -1 : view.nearest(spot);
    if (over !== state.hover) {
      state.hover = over;
      view.draw();
    }
    showTip(over, spot);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    canvas.addEventListener(name, (event) => {
      fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
      if (drawing && name !== "pointerleave") endLine();
      if (name === "pointerleave") showTip(-1, { x: 0, y: 0 });
    });
  }
  canvas.addEventListener("wheel", (event) => {
    const focused = /** @type {Document | ShadowRoot} */ (canvas.getRootNode()).activeElement === canvas;
    if (options.wheel === "focused" && !focused && !event.ctrlKey) return;
    event.preventDefault();
    view.zoomAt(Math.exp(-event.deltaY * 0.0016), at(event).x, at(event).y);
  }, { passive: false });
  canvas.addEventListener("dblclick", (event) => view.zoomAt(2, event.offsetX, event.offsetY));
  const middle = (/** @type {number} */ factor) => view.zoomAt(factor, view.size().width / 2, view.size().height / 2);
  canvas.addEventListener("keydown", (event) => {
    const step = 60;
    const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] });
    if (moves[event.key]) {
      state.left += moves[event.key][0];
      state.top += moves[event.key][1];
      view.draw();
    } else if (event.key === "+" || event.key === "=") middle(1.4);
    else if (event.key === "-") middle(1 / 1.4);
    else if (event.key === "0") view.whole();
    else if (event.key === "Escape" && state.picked) panel.pick(null);
    else return;
    event.preventDefault();
  });

  // --- buttons ---
  /** @param {boolean} dark */
  function setTheme(dark) {
    root.dataset.theme = dark ? "dark" : "light";
    frame.theme.textContent = dark ? "Light" : "Dark";
    panel.render();
    view.draw();
  }
  frame.theme.addEventListener("click", () => setTheme(!view.isDark()));
  frame.nearer.addEventListener("click", () => middle(1.5));
  frame.farther.addEventListener("click", () => middle(1 / 1.5));
  frame.whole.addEventListener("click", view.whole);
  frame.lasso.addEventListener("click", () => setLasso(!lasso));
  frame.box.addEventListener("input", panel.search);
  for (const each of frame.tabs.children) each.addEventListener("click", () => panel.open(/** @type {HTMLElement} */ (each).dataset.tab || "clusters"));

  state.zoom = Math.min(60, Math.max(0.6, options.zoom || 1));
  setTheme(options.dark);
  if (options.tab === "tree" && data.tree) panel.open("tree");
  frame.box.value = options.query || "";
  panel.search();
  new ResizeObserver(view.draw).observe(canvas);
}
