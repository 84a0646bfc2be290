// Clusters: their tree, what can be done with one, what people decided, and a fit that takes it all into account.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { get, send } from "../api/client";
import type { Constraint } from "../api/types";
import { Answer } from "../parts/Answer";
import { count, counted } from "../parts/format";
import { useAsked } from "../state/asked";
import { clusters, info, load, state, tree } from "../state/index";
import { say, tried } from "../state/toasts";
import { go, view } from "../state/view";
import { branchesOf } from "./branches";
import { ClusterCard } from "./ClusterCard";
import { Refit } from "./Refit";
import { TreeView } from "./TreeView";

export function ClustersPanel(): JSX.Element {
  const branches = useMemo(() => branchesOf(tree.value, clusters.value), [tree.value, clusters.value]);
  const selection = view.value.selection, chosen = selection?.by === "cluster" ? selection.cluster : "";
  const cluster = clusters.value.find((each) => each.path === chosen);
  return (
    <>
      <div>
        <h2>Clusters</h2>
        {clusters.value.length > 0 && <p class="lead">{counted(info.value?.documents ?? 0, "document")} in {counted(clusters.value.length, "cluster")}. Open one to see what it is about; the map shows where it lies.</p>}
      </div>
      {clusters.value.length === 0 && <NoClusters />}
      <TreeView branches={branches} short={cluster !== undefined} chosen={chosen} choose={(branch) => { go({ selection: { by: "cluster", cluster: branch.path } }); }} />
      {cluster && <ClusterCard key={cluster.number} cluster={cluster} />}
      {chosen && !cluster && <button type="button" class="button" onClick={() => { go({ panel: "selection" }); }}>What sets these documents apart</button>}
      {!info.value?.read_only && <Decisions />}
      {!info.value?.read_only && info.value?.documents !== 0 && <Refit />}
    </>
  );
}

function NoClusters(): JSX.Element {
  if (info.value?.documents === 0) return <p class="empty">There are no documents yet. <button type="button" class="link" onClick={() => { go({ panel: "add" }); }}>Add some</button>, then fit the index to find its clusters.</p>;
  return <p class="empty">There are no clusters yet. Fit the index to find them.</p>;
}

function Decisions(): JSX.Element | null {
  const asked = useAsked((signal) => get<{ constraints: Constraint[] }>("/constraints", {}, signal), [state.value]);
  const undo = async (constraint: Constraint): Promise<void> => {
    const done = await tried(() => send<Constraint>("DELETE", `/constraints/${String(constraint.number)}`));
    if (!done) return;
    say(["Undone.", ...done.notes].join(" "));
    await load();
  };
  if (asked.value?.constraints.length === 0) return null;
  return (
    <section>
      <h3>What people decided</h3>
      <Answer of={asked}>
        {({ constraints }) => (
          <ul class="stack">
            {[...constraints].reverse().map((each) => (
              <li key={each.number} class="row apart">
                <span class="grow" dir="auto">{each.sentence} <span class="count">{count(each.n_documents)} documents</span></span>
                <button type="button" class="button small" onClick={() => { void undo(each); }}>Undo</button>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </section>
  );
}
