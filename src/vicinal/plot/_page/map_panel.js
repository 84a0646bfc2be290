// The panel beside a map: clusters, tree, what was found and what was selected, as lists that keyboards and screen readers have in full.
"use strict";

/** @param {ReturnType<typeof mapFrame>} frame @param {MapData} data @param {ReturnType<typeof mapView>} view @param {() => void} changed */
function mapPanel(frame, data, view, changed) {
  const { state } = view, SHOWN = 60, N_TERMS = 8, number = new Intl.NumberFormat("en");
  /** @type {number[]} */
  let hitList = [];
  let tab = "clusters";

  /** @param {string} name @param {string} more @param {string} fill @param {string} count @param {() => void} act */
  function row(name, more, fill, count, act) {
    const made = make("button", "row", "", { type: "button" }), chip = make("span", "chip");
    chip.style.background = fill;
    made.append(chip, make("span", "name", name), make("span", "count", count));
    if (more) made.append(make("span", "more", more));
    made.addEventListener("click", act);
    return made;
  }

  /** @param {string} text @param {() => void} act */
  function quiet(text, act) {
    const made = make("button", "quiet", text, { type: "button" });
    made.addEventListener("click", act);
    return made;
  }

  /** @param {number[]} clusters */
  function keepOnly(clusters) {
    const same = clusters.length === state.only.size && clusters.every((each) => state.only.has(each));
    state.only = new Set(same ? [] : clusters);
    if (same) view.whole();
    else view.zoomTo(clusters.flatMap((each) => view.byCluster[each]));
    search();
  }

  function clusterList() {
    const list = make("ul");
    data.clusters.forEach((cluster, k) => {
      const entry = make("li"), more = cluster.terms.filter((term) => !cluster.name.split(", ").includes(term));
      const made = row(cluster.name, more.join(" · "), view.colorOf(k), number.format(cluster.size), () => {
        if (state.only.has(k)) state.only.delete(k);
        else state.only.add(k);
        search();
      });
      made.setAttribute("aria-pressed", String(state.only.has(k)));
      if (state.only.size && !state.only.has(k)) made.classList.add("off");
      entry.append(made);
      list.append(entry);
    });
    return list;
  }

  /** @param {Node} node @param {number} depth */
  function treeEntry(node, depth) {
    const entry = make("li");
    if (!node.children.length) {
      entry.append(row(node.name, "", view.colorOf(node.clusters.length ? node.clusters[0] : -1), number.format(node.size), () => keepOnly(node.clusters)));
      return entry;
    }
    const branch = /** @type {HTMLDetailsElement} */ (make("details")), head = make("summary", "", node.name), only = quiet("show", () => keepOnly(node.clusters));
    branch.open = depth < 3;
    only.setAttribute("aria-label", `show only ${node.name}`);
    only.addEventListener("click", (event) => event.preventDefault());
    head.append(make("span", "count", number.format(node.size)), only);
    const below = make("ul");
    node.children.forEach((child) => below.append(treeEntry(child, depth + 1)));
    branch.append(head, below);
    entry.append(branch);
    return entry;
  }

  function hitEntries() {
    const list = make("ul");
    for (const i of hitList.slice(0, SHOWN)) {
      const entry = make("li"), cluster = data.cluster[i];
      entry.append(row(data.titles[i], cluster < 0 ? "" : data.clusters[cluster].name, view.colorOf(cluster), "", () => {
        state.hover = i;
        view.zoomTo([i]);
      }));
      list.append(entry);
    }
    return list;
  }

  /** The terms that more of the selected documents have than of all. */
  function apart() {
    const all = new Float64Array(data.vocabulary.length), here = new Float64Array(data.vocabulary.length);
    data.terms.forEach((terms) => terms.forEach((term) => all[term]++));
    hitList.forEach((i) => data.terms[i].forEach((term) => here[term]++));
    const share = hitList.length / Math.max(view.count, 1);
    const worth = (/** @type {number} */ term) => here[term] * Math.log(here[term] / (all[term] * share));
    const terms = [...here.keys()].filter((term) => here[term] > 1 && here[term] > all[term] * share);
    return terms.sort((a, b) => worth(b) - worth(a) || a - b).slice(0, N_TERMS).map((term) => data.vocabulary[term]);
  }

  function foundList() {
    const total = hitList.length, what = state.picked ? "selected" : "found";
    frame.lists.append(make("p", "more", total ? `${number.format(total)} ${what}${total > SHOWN ? `, the first ${SHOWN}:` : ":"}` : `Nothing ${what}.`));
    if (state.picked) {
      const terms = total ? apart() : [];
      if (terms.length) frame.lists.append(make("p", "apart", terms.join(" · ")));
      frame.lists.append(quiet("Clear selection", () => pick(null)));
    }
    frame.lists.append(hitEntries());
  }

  function render() {
    frame.lists.replaceChildren();
    for (const each of frame.tabs.children) each.setAttribute("aria-selected", String(/** @type {HTMLElement} */ (each).dataset.tab === tab));
    if (state.hits || state.picked) return foundList();
    if (state.only.size) {
      frame.lists.append(quiet("Show all clusters", () => {
        state.only.clear();
        view.whole();
        search();
      }));
    }
    if (tab === "tree" && data.tree) {
      const top = make("ul");
      top.append(treeEntry(data.tree, 0));
      frame.lists.append(top);
    } else {
      frame.lists.append(clusterList());
    }
  }

  /** @type {string[] | null} */
  let searched = null;
  function search() {
    const words = frame.box.value.toLowerCase().split(/\s+/).filter(Boolean);
    state.hits = null;
    if (words.length) {
      const texts = (searched = searched || data.titles.map((title, i) => `${title} ${data.ids[i]} ${(data.terms[i] || []).map((term) => data.vocabulary[term]).join(" ")}`.toLowerCase()));
      state.hits = Uint8Array.from(texts, (text) => (words.every((word) => text.includes(word)) ? 1 : 0));
    }
    hitList = [];
    if (state.hits || state.picked) for (let i = 0; i < view.count; i++) if (view.isShown(i)) hitList.push(i);
    frame.canvas.dataset.found = state.hits || state.picked ? String(hitList.length) : "";
    render();
    view.draw();
    changed();
  }

  /** @param {Uint8Array | null} picked */
  function pick(picked) {
    state.picked = picked;
    search();
  }

  /** @param {string} name */
  function open(name) {
    tab = name;
    frame.box.value = "";
    state.picked = null;
    search();
  }

  return { render, search, pick, open };
}
