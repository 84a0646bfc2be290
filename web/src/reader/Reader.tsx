// A document to read, its words coloured by what they add to its cluster or to the question.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, send } from "../api/client";
import type { FullDocument, Hit, Words } from "../api/types";
import { opened } from "../map/opened";
import { Answer } from "../parts/Answer";
import { ClusterTag, DocumentItem, titleOf } from "../parts/DocumentItem";
import { percent, signed } from "../parts/format";
import { pieces } from "../parts/spans";
import { Why } from "../search/HitItem";
import { useAsked } from "../state/asked";
import { info, state } from "../state/index";
import { say, tried } from "../state/toasts";
import { go, view } from "../state/view";
import { backgroundOf, coloredPieces } from "./colored";

type Coloured = "cluster" | "query" | "nothing";

export function Reader(): JSX.Element | null {
  const id = view.value.document, pane = useRef<HTMLElement>(null), before = useRef<Element | null>(null);
  useEffect(() => {
    if (!id) {
      before.current = null; // closed by the address, or by Back
      return;
    }
    before.current ??= document.activeElement;
    pane.current?.focus();
  }, [id]);
  const close = (): void => {
    go({ document: "" });
    opened.value = -1;
    if (before.current instanceof HTMLElement) before.current.focus();
    before.current = null;
  };
  const asked = useAsked(id ? (signal) => get<FullDocument>("/document", { id, query: view.peek().query }, signal) : null, [id, view.value.query, state.value]);
  useEffect(() => { opened.value = id && asked.value?.id === id ? asked.value.row : -1; }, [id, asked.value]);
  if (!id) return null;
  return (
    <aside ref={pane} class="reader" tabIndex={-1} aria-label="Document" onKeyDown={(event) => { if (event.key === "Escape") close(); }}>
      <header class="stack">
        <div class="row apart">
          <span class="count">Document</span>
          <button type="button" class="button small" onClick={close}>Close</button>
        </div>
        {asked.value && <h2 dir="auto">{titleOf(asked.value)}</h2>}
        {asked.value && <Place document={asked.value} />}
      </header>
      <div class="body"><Answer of={asked}>{(document) => <Body key={document.id} document={document} />}</Answer></div>
    </aside>
  );
}

function Place({ document }: { document: FullDocument }): JSX.Element {
  return (
    <div class="row">
      {document.cluster >= 0 && <ClusterTag number={document.cluster} />}
      {document.uncertainty !== null && <span class="count">uncertainty {document.uncertainty.toFixed(2)}</span>}
      <LabelField document={document} />
    </div>
  );
}

function LabelField({ document }: { document: FullDocument }): JSX.Element | null {
  const [text, setText] = useState(document.label);
  useEffect(() => { setText(document.label); }, [document.label]);
  if (info.value?.read_only) return document.label ? <span class="tag" dir="auto">{document.label}</span> : null;
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const label = text.trim() || null;
    if (await tried(() => send("PUT", "/labels", { labels: { [document.id]: label }, learn: false }))) say(label ? `Labelled “${label}”.` : "The label was taken away.");
  };
  return (
    <form class="row" onSubmit={(event) => { void save(event); }}>
      <input type="text" dir="auto" size={12} aria-label="Label of this document" placeholder="add a label" value={text} onInput={(event) => { setText(event.currentTarget.value); }} />
      {text.trim() !== document.label && <button type="submit" class="button small">Save</button>}
    </form>
  );
}

function Body({ document }: { document: FullDocument }): JSX.Element {
  const query = view.value.query, [by, setBy] = useState<Coloured>(query ? "query" : "cluster");
  const ask = by === "nothing" || (by === "cluster" && document.cluster < 0) ? null : (signal: AbortSignal) => get<Words>("/document/words", by === "query" ? { id: document.id, query } : { id: document.id }, signal);
  const words = useAsked(ask, [document.id, by, query, state.value]);
  const kinds: readonly Coloured[] = query ? ["cluster", "query", "nothing"] : ["cluster", "nothing"];
  const names: Record<Coloured, string> = { cluster: "its cluster", query: "the question", nothing: "nothing" };
  return (
    <>
      <div class="row" role="group" aria-label="Colour words by what they add to">
        <span class="count">Words add to</span>
        {kinds.map((each) => <button key={each} type="button" class="button small" aria-pressed={each === by} onClick={() => { setBy(each); }}>{names[each]}</button>)}
      </div>
      <Text document={document} words={ask ? words.value : null} />
      {ask && words.value && <section><h3>{words.value.of === "query" ? "Why it answers the question" : `Why it is in “${words.value.name}”`}</h3><Why why={words.value.why} label="Words that add up" /></section>}
      <Facts document={document} />
      <Near id={document.id} />
    </>
  );
}

function Text({ document, words }: { document: FullDocument; words: Words | null }): JSX.Element {
  const colored = useMemo(() => (words ? coloredPieces(document.text, words.words) : null), [document.text, words]);
  if (!colored) {
    const marks = document.marks.map(([start, end]) => ({ start, end }));
    return <div class="text" dir="auto" data-testid="text">{pieces(document.text, marks).map((piece, i) => (piece.span ? <mark key={i}>{piece.text}</mark> : piece.text))}</div>;
  }
  return (
    <div class="text" dir="auto" data-testid="text">
      {colored.pieces.map((piece, i) => {
        const background = piece.span ? backgroundOf(piece.span.part, colored.largest) : "";
        if (!piece.span || !background) return piece.text;
        return <span key={i} data-sign={piece.span.part < 0 ? "minus" : "plus"} title={signed(piece.span.part)} style={{ background }}>{piece.text}</span>;
      })}
    </div>
  );
}

function Facts({ document }: { document: FullDocument }): JSX.Element {
  const facts = Object.entries(document.metadata);
  return (
    <section>
      <h3>Where it is from</h3>
      <dl class="facts">
        <dt>id</dt><dd dir="auto">{document.id}</dd>
        {document.source && <><dt>source</dt><dd dir="auto">{document.source}</dd></>}
        {facts.map(([name, value]) => <><dt dir="auto">{name}</dt><dd dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</dd></>)}
      </dl>
    </section>
  );
}

function Near({ id }: { id: string }): JSX.Element {
  const asked = useAsked((signal) => get<{ hits: Hit[] }>("/near", { id, limit: 6 }, signal), [id, state.value]);
  return (
    <section>
      <h3>Near it</h3>
      <Answer of={asked}>{({ hits }) => <ol class="hits">{hits.map((hit) => <DocumentItem key={hit.id} document={hit} aside={<span class="count">{percent(hit.relevance)}</span>} />)}</ol>}</Answer>
    </section>
  );
}
