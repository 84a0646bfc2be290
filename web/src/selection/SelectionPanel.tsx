// Documents that were selected: what sets them apart, and what can be done with them.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { send } from "../api/client";
import type { Hit, Selection, SelectionSummary } from "../api/types";
import { Answer } from "../parts/Answer";
import { DocumentItem } from "../parts/DocumentItem";
import { Columns } from "../parts/Columns";
import { counted, cut, percent } from "../parts/format";
import { TermList } from "../parts/TermList";
import { HitItem } from "../search/HitItem";
import { useAsked } from "../state/asked";
import type { Selected } from "../state/address";
import { clusters, points, state } from "../state/index";
import { bodyOf } from "../state/lit";
import { go, select, view } from "../state/view";
import { Actions } from "./Actions";

function sentenceOf(selection: Selected): string {
  switch (selection.by) {
    case "lasso": return "Drawn around on the map";
    case "cluster": return `Cluster ${clusters.value.find((each) => each.path === selection.cluster)?.name ?? selection.cluster}`;
    case "query": return `Found by “${selection.query}”${selection.where ? ` where ${selection.where}` : ""}`;
    case "where": return `Where ${selection.where}`;
    case "ids": return "Selected one by one";
  }
}

export function SelectionPanel(): JSX.Element {
  const { selection } = view.value, there = points.value;
  const body = selection ? bodyOf(selection, there?.positions ?? new Float32Array(0)) : null;
  const none = body === null || ("rows" in body && body.rows.length === 0);
  const asked = useAsked(none ? null : (signal) => send<SelectionSummary>("POST", "/selection", { selection: body, limit: 6 }, signal), [JSON.stringify(selection), state.value]);
  return (
    <>
      <div class="row apart">
        <h2>Selection</h2>
        {selection && <button type="button" class="button small" onClick={() => { go({ selection: null }); }}>Clear</button>}
      </div>
      {selection && <p class="lead" dir="auto">{cut(sentenceOf(selection), 300)}</p>}
      {!selection && <How />}
      {selection && none && <p class="empty">No document lies inside the line.</p>}
      {body && !none && <Answer of={asked}>{(summary) => <Summary key={JSON.stringify(selection)} summary={summary} body={body} />}</Answer>}
    </>
  );
}

function How(): JSX.Element {
  const [where, setWhere] = useState("");
  return (
    <div class="stack">
      <p class="lead">Draw a line around documents (the Lasso button, or hold Shift and drag), choose a cluster in the tree, press “Select matching” after a search, or give a condition:</p>
      <form class="row" onSubmit={(event) => { event.preventDefault(); if (where.trim()) select({ by: "where", where: where.trim() }); }}>
        <input class="grow" type="text" dir="auto" aria-label="Condition on metadata" placeholder="year>=1998 AND section=arts" value={where} onInput={(event) => { setWhere(event.currentTarget.value); }} />
        <button type="submit" class="button">Select</button>
      </form>
    </div>
  );
}

function Summary({ summary, body }: { summary: SelectionSummary; body: Selection }): JSX.Element {
  const { timeline } = summary;
  return (
    <>
      <p data-testid="selected"><span class="big">{summary.size.toLocaleString("en")}</span> {summary.size === 1 ? "document" : "documents"} · {percent(summary.share, 1)}</p>
      <section><h3>Words that set them apart</h3><TermList terms={summary.terms.slice(0, 12)} label="Words that set them apart" /></section>
      <Actions selection={body} size={summary.size} />
      {timeline.bins.length > 1 && (
        <section><h3>Over {timeline.column}</h3><Columns bins={timeline.bins.map((bin) => ({ name: bin.start, value: bin.count, of: bin.all }))} label={`Documents over ${timeline.column ?? "time"}`} /></section>
      )}
      <Counts heading="Labels" counts={summary.labels} />
      <Counts heading="Clusters" counts={summary.clusters.map(([, name, size]) => [name, size] as const)} />
      <section><h3>Typical</h3><ol class="hits">{summary.typical.map((each) => <DocumentItem key={each.id} document={each} />)}</ol></section>
      <section>
        <h3>Uncertain</h3>
        <ol class="hits">{summary.uncertain.map((each) => <DocumentItem key={each.id} document={each} aside={<span class="count">{each.uncertainty?.toFixed(2)}</span>} />)}</ol>
      </section>
      <More selection={body} />
    </>
  );
}

function Counts({ heading, counts }: { heading: string; counts: readonly (readonly [string, number])[] }): JSX.Element | null {
  if (!counts.length) return null;
  return (
    <section>
      <h3>{heading}</h3>
      <ul>{counts.slice(0, 8).map(([name, size]) => <li key={name} class="row apart"><span class="grow" dir="auto">{cut(name, 100) || "(none)"}</span><span class="count">{size}</span></li>)}</ul>
    </section>
  );
}

function More({ selection }: { selection: Selection }): JSX.Element {
  const [wanted, setWanted] = useState(false);
  const asked = useAsked(wanted ? (signal) => send<{ hits: Hit[] }>("POST", "/like", { selection, limit: 10 }, signal) : null, [wanted, state.value]);
  return (
    <section class="stack">
      <h3>More like these</h3>
      {!wanted && <button type="button" class="button" onClick={() => { setWanted(true); }}>Find more like these</button>}
      <Answer of={asked}>
        {({ hits }) => (
          <>
            <p class="count">{counted(hits.length, "document")}, none of them in the selection</p>
            <ol class="hits">{hits.map((hit) => <HitItem key={hit.id} hit={hit} />)}</ol>
            <button type="button" class="button small" onClick={() => { select({ by: "ids", ids: hits.map((hit) => hit.id) }); }}>Select these</button>
          </>
        )}
      </Answer>
    </section>
  );
}
