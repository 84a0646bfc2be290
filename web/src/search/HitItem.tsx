// A document that was found: how well, where its words stand, and why as a sum of words.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Explanation, Hit } from "../api/types";
import { Bars } from "../parts/Bars";
import { DocumentItem } from "../parts/DocumentItem";
import { percent } from "../parts/format";
import { Marked } from "../parts/Marked";

/** Parts of a score that are no words, and what they say. */
const NOTES: Readonly<Record<string, string>> = {
  "(constant)": "(constant): what the sum is without any word.",
  "(first answers)": "(first answers): it resembles those that answer best.",
  "(neighbours)": "(neighbours): documents near it answer as well.",
};

export function Why({ why, label }: { why: Explanation; label: string }): JSX.Element {
  const notes = why.terms.map(([term]) => NOTES[term]).filter(Boolean);
  return (
    <>
      <Bars parts={why.terms.map(([term, value]) => ({ term, value }))} total={why.total} label={label} />
      {notes.length > 0 && <p class="count long">{notes.join(" ")}</p>}
    </>
  );
}

export function HitItem({ hit }: { hit: Hit }): JSX.Element {
  const [open, setOpen] = useState(false), passage = hit.passage;
  const spans = passage?.matches.map(([start, end]) => ({ start: start - passage.start, end: end - passage.start })) ?? [];
  return (
    <DocumentItem
      document={hit}
      aside={<span class="row"><span class="meter" aria-hidden="true"><span style={{ width: `${String(100 * hit.relevance)}%` }} /></span><span class="count">{percent(hit.relevance)}</span></span>}
    >
      {passage?.text && <p class="passage">{passage.before && "…"}<Marked text={passage.text} spans={spans} />{passage.after && "…"}</p>}
      <button type="button" class="link small flush" aria-expanded={open} onClick={() => { setOpen(!open); }}>{open ? "Hide why" : "Why?"}</button>
      {open && <Why why={hit.why} label={`Why ${hit.title.slice(0, 80)} was found`} />}
    </DocumentItem>
  );
}
