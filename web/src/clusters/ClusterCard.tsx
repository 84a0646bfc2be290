// One cluster: its words and typical documents, and what a person can decide about it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { send } from "../api/client";
import type { Cluster, Constraint } from "../api/types";
import { TermList } from "../parts/TermList";
import { counted, cut, percent } from "../parts/format";
import { clusters, info, load } from "../state/index";
import { say, tried } from "../state/toasts";
import { go } from "../state/view";

/** Does something to clusters and shows the new state. */
export async function steer(work: () => Promise<unknown>, done: string): Promise<void> {
  const answer = await tried(work);
  if (answer === undefined) return;
  const notes = (answer as Partial<Constraint> | null)?.notes ?? [];
  say([done, ...notes].join(" "));
  await load();
}

export function ClusterCard({ cluster }: { cluster: Cluster }): JSX.Element {
  return (
    <section class="card stack" aria-label={`Cluster ${cut(cluster.name, 80)}`}>
      <p class="count long">
        {counted(cluster.size, "document")} · {percent(cluster.share, 1)} · <span title="0: all its documents clearly belong here; 1: they could be in any cluster">uncertainty {cluster.uncertainty.toFixed(2)}</span>
        {cluster.stability !== null && <> · <span title="How much of it is found again from another start: 1 is all of it">stability {cluster.stability.toFixed(2)}</span></>}
      </p>
      {!info.value?.read_only && <NameForm cluster={cluster} />}
      <TermList terms={cluster.terms.slice(0, 8)} label="Words that distinguish it" />
      <h3>Typical</h3>
      <ul aria-label="Typical documents">
        {cluster.exemplars.slice(0, 4).map((each) => <li key={each.id}><button type="button" class="link flush" dir="auto" onClick={() => { go({ document: each.id }); }}>{cut(each.title || each.id, 120)}</button></li>)}
      </ul>
      <div class="row">
        <button type="button" class="button small" onClick={() => { go({ panel: "selection", selection: { by: "cluster", cluster: cluster.path } }); }}>As a selection</button>
        {!info.value?.read_only && <Verbs cluster={cluster} />}
      </div>
    </section>
  );
}

function NameForm({ cluster }: { cluster: Cluster }): JSX.Element {
  const [name, setName] = useState(cluster.named ? cluster.name : "");
  const save = (given: string | null): void => { void steer(() => send("PATCH", `/clusters/${String(cluster.number)}`, { name: given }), given ? `Named “${given}”.` : "It has its first words for a name again."); };
  return (
    <form class="row" onSubmit={(event) => { event.preventDefault(); save(name.trim() || null); }}>
      <input class="grow" type="text" dir="auto" aria-label="Name of the cluster" placeholder={cut(cluster.name, 60)} value={name} onInput={(event) => { setName(event.currentTarget.value); }} />
      <button type="submit" class="button small">Name</button>
    </form>
  );
}

function Verbs({ cluster }: { cluster: Cluster }): JSX.Element {
  const [other, setOther] = useState(""), path = `/clusters/${String(cluster.number)}`;
  const merge = (): void => { void steer(() => send("POST", "/clusters/merge", { clusters: [cluster.number, Number(other)] }), "Merged."); };
  return (
    <>
      <button type="button" class="button small" onClick={() => { void steer(() => send("POST", `${path}/split`, { n_clusters: "auto" }), "Split."); }}>Split</button>
      {cluster.pinned
        ? <button type="button" class="button small" onClick={() => { void steer(() => send("DELETE", `${path}/pin`), "Unpinned."); }}>Unpin</button>
        : <button type="button" class="button small" onClick={() => { void steer(() => send("POST", `${path}/pin`), "Pinned: it keeps its documents at every fit."); }}>Pin</button>}
      <form class="row" onSubmit={(event) => { event.preventDefault(); merge(); }}>
        <select aria-label="Cluster to merge with" value={other} onChange={(event) => { setOther(event.currentTarget.value); }}>
          <option value="">Merge with…</option>
          {clusters.value.filter((each) => each.number !== cluster.number).map((each) => <option key={each.number} value={each.number}>{cut(each.name, 50)}</option>)}
        </select>
        {other && <button type="submit" class="button small">Merge</button>}
      </form>
    </>
  );
}
