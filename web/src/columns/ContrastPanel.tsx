// Two groups of documents against each other: the words of one, the words of the other, and both in one picture.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get, send } from "../api/client";
import type { Contrast, Labels } from "../api/types";
import { Answer } from "../parts/Answer";
import { counted, cut } from "../parts/format";
import { TermList } from "../parts/TermList";
import { useAsked } from "../state/asked";
import { clusters, points, state } from "../state/index";
import { go, view } from "../state/view";
import { groupOf } from "./groups";
import { Scatter } from "./Scatter";

export function ContrastPanel(): JSX.Element {
  const { second, selection } = view.value, first = view.value.first || firstGroup(selection !== null), positions = points.value?.positions ?? new Float32Array(0);
  const one = groupOf(first, selection, positions), other = second === "rest" || second === "" ? null : groupOf(second, selection, positions);
  const asked = useAsked(one && (other !== null || second === "rest" || second === "") ? (signal) => send<Contrast>("POST", "/contrast", { one, other, limit: 25 }, signal) : null, [first, second, JSON.stringify(selection), state.value]);
  return (
    <>
      <div><h2>Contrast</h2><p class="lead">Which words are used in one group of documents and not in another.</p></div>
      <Group title="One group" value={first} field="first" />
      <Group title="The other" value={second || "rest"} field="second" rest />
      {!one && <p class="empty">Choose a first group.</p>}
      <Answer of={asked}>{(found) => <Words found={found} />}</Answer>
    </>
  );
}

/** What is contrasted before anybody chose: the selection, or the largest cluster. */
function firstGroup(isSelected: boolean): string {
  const largest = [...clusters.value].sort((a, b) => b.size - a.size)[0];
  return isSelected ? "selection" : largest ? `cluster:${largest.path}` : "";
}

function Group({ title, value, field, rest = false }: { title: string; value: string; field: "first" | "second"; rest?: boolean }): JSX.Element {
  const labels = useAsked((signal) => get<Labels>("/labels", {}, signal), [state.value]), [text, setText] = useState("");
  const custom = value.startsWith("where:") || value.startsWith("query:");
  useEffect(() => { setText(custom ? value.slice(6) : ""); }, [value]);
  const choose = (next: string): void => { go({ [field]: next }); };
  return (
    <div class="stack">
      <label class="field">{title}
        <select value={custom ? value.slice(0, 6) : value} onChange={(event) => { choose(event.currentTarget.value); }}>
          {rest ? <option value="rest">all other documents</option> : <option value="">—</option>}
          {view.value.selection && <option value="selection">the selection</option>}
          <option value="where:">a condition…</option>
          <option value="query:">a search…</option>
          {labels.value && labels.value.labels.length > 0 && <optgroup label="Labels">{labels.value.labels.map(([label]) => <option key={label} value={`label:${label}`}>{cut(label, 70)}</option>)}</optgroup>}
          <optgroup label="Clusters">{clusters.value.map((each) => <option key={each.number} value={`cluster:${each.path}`}>{cut(each.name, 70)}</option>)}</optgroup>
        </select>
      </label>
      {custom && (
        <form class="row" onSubmit={(event) => { event.preventDefault(); choose(value.slice(0, 6) + text); }}>
          <input class="grow" type="text" dir="auto" aria-label={`${title}: ${value.startsWith("where:") ? "condition" : "search"}`} value={text} onInput={(event) => { setText(event.currentTarget.value); }} />
          <button type="submit" class="button small">Use</button>
        </form>
      )}
    </div>
  );
}

function Words({ found }: { found: Contrast }): JSX.Element {
  return (
    <>
      <div class="versus" data-testid="contrast">
        <section><h3>{counted(found.one.size, "document")}</h3><TermList terms={found.one.terms} label="Words of the one" /></section>
        <section><h3>{counted(found.other.size, "document")}</h3><TermList terms={found.other.terms} label="Words of the other" minus /></section>
      </div>
      <Scatter terms={found.scatter} />
    </>
  );
}
