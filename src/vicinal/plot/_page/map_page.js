// The map as the whole page: its data stands in the page as JSON. An address such as map.html#dark&q=wheat&zoom=3 opens it as it says.
(() => {
  /** @type {MapData} */
  const data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent || "{}");
  const asked = new URLSearchParams(location.hash.slice(1));
  const dark = asked.has("dark") || (!asked.has("light") && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.title = data.title;
  vicinalMap(document.body, data, { dark, zoom: Number(asked.get("zoom")), tab: asked.get("tab") || "", query: asked.get("q") || "" });
})();
