// Words with weights, as bars; unlike a sum they do not add up to anything.
import type { JSX } from "preact";
import type { Term } from "../api/types";

export function TermList({ terms, label, minus = false }: { terms: readonly Term[]; label: string; minus?: boolean }): JSX.Element {
  const most = Math.max(1e-12, ...terms.map(([, weight]) => Math.abs(weight)));
  return (
    <ol class="bars" aria-label={label}>
      {terms.map(([term, weight]) => (
        <li key={term} class="term">
          <span class="word" dir="auto" title={term}>{term}</span>
          <span class="track" aria-hidden="true"><span class={minus ? "fill minus" : "fill"} style={{ width: `${((100 * Math.abs(weight)) / most).toFixed(2)}%` }} /></span>
        </li>
      ))}
    </ol>
  );
}
