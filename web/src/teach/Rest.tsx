// What the labels say about all other documents: accepted where it is sure, looked at where not.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { get, send } from "../api/client";
import type { Labels, Prediction } from "../api/types";
import { Answer } from "../parts/Answer";
import { DocumentItem } from "../parts/DocumentItem";
import { count, counted, cut, percent } from "../parts/format";
import { useAsked } from "../state/asked";
import { info, load, state } from "../state/index";
import { say, tried } from "../state/toasts";

interface Sorted {
  readonly predictions: readonly Prediction[];
  readonly counts: readonly (readonly [string, number])[];
}

interface RestProps {
  readonly labels: Labels;
  readonly turn: number;
  readonly changed: (labels: Labels) => void;
}

export function Rest({ labels, turn, changed }: RestProps): JSX.Element | null {
  const [view, setView] = useState<"" | "rest" | "uncertain">("");
  if (labels.labels.length < 2) return null;
  return (
    <section class="stack">
      <h3>The rest</h3>
      <div class="row">
        <button type="button" class="button small" aria-pressed={view === "rest"} onClick={() => { setView(view === "rest" ? "" : "rest"); }}>Sort the rest</button>
        <button type="button" class="button small" aria-pressed={view === "uncertain"} onClick={() => { setView(view === "uncertain" ? "" : "uncertain"); }}>Review the uncertain</button>
      </div>
      {view === "rest" && <SortRest turn={turn} changed={changed} />}
      {view === "uncertain" && <Uncertain labels={labels} turn={turn} changed={changed} />}
    </section>
  );
}

function SortRest({ turn, changed }: { turn: number; changed: (labels: Labels) => void }): JSX.Element {
  const [least, setLeast] = useState(0.9), asked = useAsked((signal) => get<Sorted>("/labels/rest", { limit: 20 }, signal), [turn, state.value]);
  const accept = async (): Promise<void> => {
    const answer = await tried(() => send<Labels>("POST", "/labels/accept", { least }));
    if (!answer) return;
    say(`${counted(answer.accepted ?? 0, "document")} labelled.`);
    changed(answer);
    await load();
  };
  return (
    <Answer of={asked}>
      {(sorted) => (
        <>
          <ul>{sorted.counts.map(([label, size]) => <li key={label} class="row apart"><span dir="auto">{cut(label, 80)}</span><span class="count">{count(size)}</span></li>)}</ul>
          {!info.value?.read_only && (
            <form class="row" onSubmit={(event) => { event.preventDefault(); void accept(); }}>
              <label class="row grow"><span class="count">at least {percent(least)}</span><input class="grow" type="range" min="0.5" max="0.99" step="0.01" value={least} onInput={(event) => { setLeast(Number(event.currentTarget.value)); }} /></label>
              <button type="submit" class="button small">Label those</button>
            </form>
          )}
          <ol class="hits">{sorted.predictions.map((each) => <DocumentItem key={each.id} document={each} aside={<span class="tag" dir="auto">{cut(each.predicted, 40)} {percent(each.probability)}</span>} />)}</ol>
        </>
      )}
    </Answer>
  );
}

function Uncertain({ labels, turn, changed }: RestProps): JSX.Element {
  const asked = useAsked((signal) => get<{ predictions: Prediction[] }>("/labels/uncertain", { limit: 10 }, signal), [turn, state.value]);
  const give = async (id: string, label: string): Promise<void> => {
    const answer = await tried(() => send<Labels>("PUT", "/labels", { labels: { [id]: label }, learn: true }));
    if (answer) changed(answer);
    asked.again();
  };
  return (
    <Answer of={asked}>
      {({ predictions }) => (
        <ol class="hits">
          {predictions.map((each) => (
            <DocumentItem key={each.id} document={each} aside={<span class="count">{percent(each.probability)}</span>}>
              {!info.value?.read_only && (
                <div class="row" role="group" aria-label="Its label">
                  {[each.predicted, ...each.others.map(([label]) => label)].filter((label) => label && labels.labels.some(([known]) => known === label)).slice(0, 4).map((label) => (
                    <button key={label} type="button" class="button small" dir="auto" onClick={() => { void give(each.id, label); }}>{cut(label, 40)}</button>
                  ))}
                </div>
              )}
            </DocumentItem>
          ))}
        </ol>
      )}
    </Answer>
  );
}
