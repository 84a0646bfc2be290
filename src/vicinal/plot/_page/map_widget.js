// The map in a notebook: drawn into a shadow root, so that neither has the styles of the other; what is singled out is the selection.
export default {
  /** @param {{model: any, el: HTMLElement}} context */
  render({ model, el }) {
    const shadow = el.attachShadow({ mode: "open" }), style = document.createElement("style"), root = document.createElement("div");
    style.textContent = model.get("_style");
    root.style.height = `${model.get("height")}px`;
    shadow.append(style, root);
    const data = JSON.parse(model.get("_data"));
    const { jpThemeLight } = document.body.dataset, code = document.body.classList;
    const dark = jpThemeLight ? jpThemeLight === "false" : code.contains("vscode-dark") || (!code.contains("vscode-light") && window.matchMedia("(prefers-color-scheme: dark)").matches);
    vicinalMap(root, data, {
      dark,
      wheel: "focused",
      selected: (rows) => {
        model.set("selection", rows.map((i) => data.ids[i]));
        model.save_changes();
      },
    });
  },
};
