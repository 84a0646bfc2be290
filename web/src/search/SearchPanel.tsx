// What the search found, beside the map.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api/client";
import type { Hit, SearchAnswer } from "../api/types";
import { Answer } from "../parts/Answer";
import { counted } from "../parts/format";
import { useAsked } from "../state/asked";
import { columns, state } from "../state/index";
import { tried } from "../state/toasts";
import { go, select, view } from "../state/view";
import { HitItem } from "./HitItem";

const PAGE = 20;
const FACETS = 2;

function facetNames(): string[] {
  return columns.value.filter((each) => each.kind === "category" && each.distinct > 1 && each.distinct <= 200 && !["cluster", "source", "folder"].includes(each.name)).slice(0, FACETS).map((each) => each.name);
}

export function SearchPanel(): JSX.Element {
  const { query, where } = view.value, facet = facetNames();
  const asked = useAsked(query || where ? (signal) => get<SearchAnswer>("/search", { query, where, limit: PAGE, facet }, signal) : null, [query, where, state.value, facet.join()]);
  return (
    <>
      <h2>Search</h2>
      <Filter />
      {!query && !where && <Help />}
      <Answer of={asked}>{(answer) => <Found key={`${query}\n${where}\n${state.value}`} answer={answer} />}</Answer>
    </>
  );
}

function Filter(): JSX.Element {
  const [text, setText] = useState(view.value.where);
  useEffect(() => { setText(view.value.where); }, [view.value.where]);
  return (
    <form class="row" onSubmit={(event) => { event.preventDefault(); go({ where: text.trim() }); }}>
      <input class="grow" type="text" value={text} dir="auto" aria-label="Condition on metadata" placeholder="Condition, such as year>=1998" onInput={(event) => { setText(event.currentTarget.value); }} />
      <button type="submit" class="button">Filter</button>
    </form>
  );
}

function Help(): JSX.Element {
  return (
    <div class="lead stack">
      <p>Words rank documents. <kbd>"crop failure"</kbd> is a phrase, <kbd>-wheat</kbd> must not be there, <kbd>title:export*</kbd> asks one field, <kbd>AND</kbd>, <kbd>OR</kbd> and <kbd>NOT</kbd> join.</p>
      <p>Press <kbd>/</kbd> to get to the search box from anywhere.</p>
    </div>
  );
}

function Found({ answer }: { answer: SearchAnswer }): JSX.Element {
  const { query, where } = view.value;
  const [more, setMore] = useState<{ hits: readonly Hit[]; next: string | null }>({ hits: [], next: answer.next });
  const hits = [...answer.hits, ...more.hits];
  const goOn = (): void => {
    void tried(async () => {
      const next = await get<SearchAnswer>("/search", { query, where, limit: PAGE, cursor: more.next ?? "" });
      setMore({ hits: [...more.hits, ...next.hits], next: next.next });
    });
  };
  return (
    <>
      <div class="row apart">
        <p role="status" data-testid="found">{hits.length ? foundOf(answer) : "Nothing was found."}</p>
        {answer.total > 0 && <button type="button" class="button small" title={query ? "Documents that have a word of the question" : undefined} onClick={() => { select(query ? { by: "query", query, where } : { by: "where", where }); }}>{query ? "Select matching" : "Select all"}</button>}
      </div>
      <Hints answer={answer} />
      <Facets facets={answer.facets} />
      <ol class="hits" aria-label="Documents found">{hits.map((hit) => <HitItem key={hit.id} hit={hit} />)}</ol>
      {more.next && <button type="button" class="button" onClick={goOn}>More</button>}
    </>
  );
}

/** How many documents have a word of the query, which the facets count, and how many more are near these. */
function foundOf({ total, near }: SearchAnswer): string {
  if (!near) return `${counted(total, "document")} found`;
  if (near === total) return `No document has a word of it; ${near.toLocaleString("en")} near`;
  return `${counted(total - near, "document")} found, ${near.toLocaleString("en")} more near`;
}

function Hints({ answer }: { answer: SearchAnswer }): JSX.Element | null {
  const suggested = Object.entries(answer.suggestions);
  if (!suggested.length && !answer.corrected && !answer.notes.length) return null;
  const better = suggested.reduce((text, [from, to]) => text.replace(from, to), view.value.query);
  return (
    <div class="notice stack">
      {answer.corrected && <p dir="auto">Searched for “{answer.corrected}”.</p>}
      {!answer.corrected && suggested.length > 0 && <p>Did you mean <button type="button" class="link" dir="auto" onClick={() => { go({ query: better }); }}>{better}</button>?</p>}
      {answer.notes.map((note) => <p key={note} dir="auto">{note}</p>)}
    </div>
  );
}

/** A value as a condition has it: in quotes, which it may hold itself. */
export const conditionOf = (column: string, value: string): string => `${column}="${value.replace(/["\\]/g, "\\$&")}"`;

function Facets({ facets }: { facets: SearchAnswer["facets"] }): JSX.Element {
  return (
    <>
      {Object.entries(facets).filter(([, values]) => values.length > 1).map(([name, values]) => (
        <div key={name} class="row facet" role="group" aria-label={`Narrow by ${name}`}>
          <span class="count">{name}</span>
          {values.slice(0, 5).map(([value, size]) => (
            <button key={value} type="button" class="button small" dir="auto" onClick={() => { go({ where: [view.value.where, conditionOf(name, value)].filter(Boolean).join(" AND ") }); }}>
              {value.slice(0, 40)} <span class="count">{size}</span>
            </button>
          ))}
        </div>
      ))}
    </>
  );
}
