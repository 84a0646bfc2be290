// Teaching: labels by key press, what to ask next, how well it learnt, and sorting the rest.
import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get, send } from "../api/client";
import type { Labels, Prediction } from "../api/types";
import { titleOf } from "../parts/DocumentItem";
import { count, cut, percent, wholeWords } from "../parts/format";
import { info } from "../state/index";
import { tried } from "../state/toasts";
import { go } from "../state/view";
import { Curve } from "./Curve";
import { Rest } from "./Rest";
import { EMPTY, KEYS, labelled, labelOf, refilled, ROUND, type Session, skipped, takenBack } from "./session";

const BATCH = 10;

export function TeachPanel(): JSX.Element {
  const [labels, setLabels] = useState<Labels | null>(null), [turn, setTurn] = useState(0), fitted = (info.value?.generation ?? 0) > 0;
  useEffect(() => { void tried(async () => { setLabels(await get<Labels>("/labels")); }); }, []);
  return (
    <>
      <div>
        <h2>Teach</h2>
        <p class="lead">Label a few documents, and the rest is sorted the same way. The next question is always the most useful one.</p>
      </div>
      {labels && <Score labels={labels} />}
      {info.value?.read_only && <p class="notice">This index is read-only here: its labels are shown, and none can be given.</p>}
      {!fitted && <p class="notice">The index is not fitted yet, so that it cannot tell which document teaches most. <button type="button" class="link" onClick={() => { go({ panel: "clusters" }); }}>Fit it under Clusters</button></p>}
      {fitted && !info.value?.read_only && labels && <Ask labels={labels} learnt={(now) => { setLabels(now); setTurn((before) => before + 1); }} />}
      {fitted && labels && <Curve turn={turn} />}
      {fitted && labels && <Rest labels={labels} turn={turn} changed={setLabels} />}
    </>
  );
}

function Score({ labels }: { labels: Labels }): JSX.Element {
  return (
    <div class="card row apart" data-testid="score">
      <div><div class="big">{count(labels.n_labelled)}</div><div class="count">labelled</div></div>
      <div><div class="big">{labels.labels.length}</div><div class="count">classes</div></div>
      <div><div class="big" data-testid="accuracy">{labels.accuracy === null ? "–" : percent(labels.accuracy)}</div><div class="count">accuracy, held out</div></div>
    </div>
  );
}

/** Labels go to the server one after the other, whatever the fingers do; it learns once a round, and when asked. */
function useSession(learnt: (labels: Labels) => void) {
  const [session, setSession] = useState<Session>(EMPTY), [busy, setBusy] = useState(true), line = useRef<Promise<unknown>>(Promise.resolve());
  const refill = useCallback(async () => {
    const answer = await tried(() => get<{ predictions: Prediction[] }>("/labels/ask", { limit: BATCH }));
    if (answer) setSession((before) => refilled(before, answer.predictions));
    setBusy(false);
  }, []);
  useEffect(() => { void refill(); }, [refill]);
  const put = (id: string, label: string | null, learn: boolean): void => {
    line.current = line.current.then(async () => {
      const answer = await tried(() => send<Labels>("PUT", "/labels", { labels: { [id]: label }, learn }));
      if (answer) learnt(answer);
      if (learn) await refill();
    });
  };
  const give = (label: string): void => {
    const now = session.queue[0];
    if (!now || !label.trim()) return;
    const next = labelled(session, label.trim());
    setSession(next);
    put(now.id, label.trim(), next.said.length % ROUND === 0 || next.queue.length === 0);
  };
  const back = (): void => {
    const { session: next, last } = takenBack(session);
    setSession(next);
    if (last) put(last.document.id, null, false);
  };
  return { session, busy, give, back, skip: () => { setSession(skipped(session)); } };
}

function Ask({ labels, learnt }: { labels: Labels; learnt: (labels: Labels) => void }): JSX.Element {
  const { session, busy, give, back, skip } = useSession(learnt), names = labels.labels.map(([name]) => name).sort();
  const shown = [...new Set([...names, ...session.said.map((each) => each.label)])].sort(), now = session.queue[0];
  const key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof HTMLInputElement)) return;
    const label = labelOf(event.key, shown);
    if (label !== null) give(label);
    else if (event.key === "s") skip();
    else if (event.key === "u") back();
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    window.addEventListener("keydown", key);
    return () => { window.removeEventListener("keydown", key); };
  });
  if (!now && busy) return <p class="empty" aria-live="polite">Looking for the document that teaches most…</p>;
  if (!now) return <p class="empty">Nothing to ask about: every document has a label.</p>;
  return (
    <section class="stack" aria-label="Next document">
      <Question document={now} />
      <div class="labels" role="group" aria-label="Labels">
        {shown.map((label, i) => (
          <button key={label} type="button" class="button" dir="auto" onClick={() => { give(label); }}>{i < KEYS.length && <kbd>{KEYS[i]}</kbd>}<span class="grow">{cut(label, 60)}</span></button>
        ))}
      </div>
      <NewLabel give={give} />
      <div class="row">
        <button type="button" class="button small" onClick={skip}><kbd>s</kbd> Skip</button>
        <button type="button" class="button small" disabled={!session.said.length} onClick={back}><kbd>u</kbd> Take back</button>
        <span class="count" role="status">{session.said.length ? `${count(session.said.length)} labelled now` : ""}</span>
      </div>
    </section>
  );
}

function Question({ document }: { document: Prediction }): JSX.Element {
  return (
    <article class="card stack" data-testid="question" data-id={document.id}>
      <button type="button" class="title" dir="auto" onClick={() => { go({ document: document.id }); }}><span class="cut">{cut(titleOf(document), 300)}</span></button>
      <p class="passage" dir="auto">{wholeWords(document.beginning)}</p>
      {document.predicted && (
        <p class="under">It looks like <span class="tag" dir="auto">{cut(document.predicted, 60)}</span> {percent(document.probability)}
          {document.others.slice(0, 2).map(([label, probability]) => <span key={label} class="tag" dir="auto">{cut(label, 60)} {percent(probability)}</span>)}</p>
      )}
    </article>
  );
}

function NewLabel({ give }: { give: (label: string) => void }): JSX.Element {
  const [text, setText] = useState("");
  return (
    <form class="row" onSubmit={(event) => { event.preventDefault(); give(text); setText(""); }}>
      <input class="grow" type="text" dir="auto" aria-label="New label" placeholder="new label" value={text} onInput={(event) => { setText(event.currentTarget.value); }} />
      <button type="submit" class="button small">Label</button>
    </form>
  );
}
