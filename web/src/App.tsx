// The page: a bar with the search box, a rail of panels, the panel, the map and the reader over it.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Dropping } from "./add/Dropping";
import { MapView } from "./map/MapView";
import { PANEL_OF } from "./panels";
import { counted } from "./parts/format";
import { Icon } from "./parts/Icon";
import { Reader } from "./reader/Reader";
import { SearchBox } from "./search/SearchBox";
import { format, type Panel, PANELS } from "./state/address";
import { info, trouble } from "./state/index";
import { setTheme, theme } from "./state/theme";
import { dismiss, toasts } from "./state/toasts";
import { view } from "./state/view";

const NAMES: Record<Panel, string> = {
  clusters: "Clusters", search: "Search", selection: "Selection", teach: "Teach", time: "Time", columns: "Columns", contrast: "Contrast", duplicates: "Duplicates", add: "Add",
};

export function App(): JSX.Element {
  const Shown = PANEL_OF[view.value.panel];
  return (
    <div class="app">
      <a class="skip" href="#panel" onClick={(event) => { event.preventDefault(); document.getElementById("panel")?.focus(); }}>Skip to the panel</a>
      <header class="bar"><Brand /><SearchBox /><ThemeButton /></header>
      <Rail />
      <main id="panel" class="panel" tabIndex={-1} aria-label={NAMES[view.value.panel]}>
        {trouble.value && <Trouble />}
        {info.value && <Shown />}
      </main>
      <section class={view.value.document ? "map reading" : "map"} aria-label="Map">
        <MapView />
        <Reader />
        <Toasts />
        <Dropping />
      </section>
    </div>
  );
}

function Brand(): JSX.Element {
  const about = info.value;
  return (
    <div class="brand">
      <img src="./favicon.svg" alt="" />
      <h1 dir="auto" title={about?.path}>{about?.path ?? "vicinal"}</h1>
      {about && <span class="about" data-testid="about">{counted(about.documents, "document")} · {counted(about.n_clusters, "cluster")}{about.read_only ? " · read-only" : ""}</span>}
    </div>
  );
}

function ThemeButton(): JSX.Element {
  const other = theme.value === "dark" ? "light" : "dark";
  return <button type="button" class="button icon" aria-label={`Change to ${other} colours`} title={`Change to ${other} colours`} onClick={() => { setTheme(other); }}><Icon name={other} /></button>;
}

// On a narrow window the rail is longer than the window: the panel that is open stands in its middle.
function Rail(): JSX.Element {
  const rail = useRef<HTMLElement>(null), open = view.value.panel;
  useEffect(() => {
    const link = rail.current?.querySelector<HTMLElement>("[aria-current]");
    if (rail.current && link) rail.current.scrollLeft = link.offsetLeft - rail.current.offsetLeft - (rail.current.clientWidth - link.clientWidth) / 2;
  }, [open]);
  return (
    <nav class="rail" aria-label="Panels" ref={rail}>
      {PANELS.map((panel) => (
        <a key={panel} href={format({ ...view.value, panel })} aria-current={view.value.panel === panel ? "page" : undefined}><Icon name={panel} />{NAMES[panel]}</a>
      ))}
    </nav>
  );
}

function Trouble(): JSX.Element {
  const unknown = trouble.value?.kind === "unauthorized";
  return <p class="notice bad" role="alert">{unknown ? "This browser is not known to the server. Open the link that the terminal printed when it started; this address opens the same view afterwards." : trouble.value?.text}</p>;
}

function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div key={toast.key} class={toast.bad ? "toast bad" : "toast"}>
          <span class="grow" dir="auto">{toast.text}</span>
          <button type="button" class="link" aria-label="Dismiss" onClick={() => { dismiss(toast.key); }}>×</button>
        </div>
      ))}
    </div>
  );
}
