// What can be done with a selection: a label, a new cluster, another cluster, a file.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { send, sendForFile } from "../api/client";
import type { Selection } from "../api/types";
import { steer } from "../clusters/ClusterCard";
import { counted, cut } from "../parts/format";
import { clusters, info, load } from "../state/index";
import { say, tried } from "../state/toasts";
import { fileName } from "./file_name";

const FORMATS = [["csv", "CSV"], ["parquet", "Parquet"], ["jsonl", "JSON Lines"], ["ids", "ids"]] as const;

async function download(selection: Selection, format: string): Promise<void> {
  const response = await sendForFile("/export", { selection, format }), address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName(response.headers.get("Content-Disposition"), `selection.${format === "ids" ? "txt" : format}`);
  link.click();
  window.setTimeout(() => { URL.revokeObjectURL(address); }, 10_000);
}

export function Actions({ selection, size }: { selection: Selection; size: number }): JSX.Element {
  return (
    <section class="stack">
      <h3>Save</h3>
      {!info.value?.read_only && <Save selection={selection} size={size} />}
      {!info.value?.read_only && <Move selection={selection} size={size} />}
      <div class="row" role="group" aria-label="Export">
        <span class="count">Export</span>
        {FORMATS.map(([format, name]) => <button key={format} type="button" class="button small" onClick={() => { void tried(() => download(selection, format)); }}>{name}</button>)}
      </div>
    </section>
  );
}

function Save({ selection, size }: { selection: Selection; size: number }): JSX.Element {
  const [name, setName] = useState(""), given = name.trim(), many = counted(size, "document");
  const label = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!given) return;
    if ((await tried(() => send("PUT", "/labels", { selection, label: given, learn: false }))) === undefined) return;
    say(`${many} labelled “${given}”.`);
    await load();
  };
  const cluster = (): void => { void steer(() => send("POST", "/clusters/new", { selection, name: given }), `${many} are cluster “${given}” now.`); };
  return (
    <form class="row" onSubmit={(event) => { void label(event); }}>
      <input class="grow" type="text" dir="auto" aria-label="Name for these documents" placeholder="a name for these" value={name} onInput={(event) => { setName(event.currentTarget.value); }} />
      <button type="submit" class="button small" disabled={!given}>As label</button>
      <button type="button" class="button small" disabled={!given} onClick={cluster}>As cluster</button>
    </form>
  );
}

function Move({ selection, size }: { selection: Selection; size: number }): JSX.Element {
  const [to, setTo] = useState("");
  const move = (event: Event): void => {
    event.preventDefault();
    if (to) void steer(() => send("POST", `/clusters/${to}/move`, { selection }), `${counted(size, "document")} moved.`);
  };
  return (
    <form class="row" onSubmit={move}>
      <select class="grow" aria-label="Cluster to move them to" value={to} onChange={(event) => { setTo(event.currentTarget.value); }}>
        <option value="">Move to cluster…</option>
        {clusters.value.map((each) => <option key={each.number} value={each.number}>{cut(each.name, 60)}</option>)}
      </select>
      <button type="submit" class="button small" disabled={!to}>Move</button>
    </form>
  );
}
