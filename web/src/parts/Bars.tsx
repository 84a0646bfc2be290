// A number as a sum of words: one bar per word, the rest in one bar, the sum below. The parts add up.
import type { JSX } from "preact";
import { signed } from "./format";

export interface Part {
  readonly term: string;
  readonly value: number;
}

const REST = "(all other words)";

/** The largest parts, and one for the rest such that all add up to the total. */
export function partsOf(parts: readonly Part[], total: number, limit: number): Part[] {
  const order = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || (a.term < b.term ? -1 : 1)), shown = order.slice(0, limit);
  const rest = total - shown.reduce((sum, part) => sum + part.value, 0);
  const none = Math.abs(rest) < 1e-6 * Math.max(1, Math.abs(total));
  return none ? shown : [...shown, { term: REST, value: rest }];
}

export function Bars({ parts, total, limit = 7, label }: { parts: readonly Part[]; total: number; limit?: number; label: string }): JSX.Element {
  const shown = partsOf(parts, total, limit);
  const low = Math.min(0, ...shown.map((part) => part.value)), high = Math.max(0, ...shown.map((part) => part.value)), span = high - low || 1;
  return (
    <dl class="bars" aria-label={label}>
      {shown.map((part) => (
        <Bar key={part.term} part={part} left={(Math.min(0, part.value) - low) / span} width={Math.abs(part.value) / span} />
      ))}
      <dt class="sum">in all</dt>
      <dd class="sum" />
      <dd class="sum value">{signed(total)}</dd>
    </dl>
  );
}

function Bar({ part, left, width }: { part: Part; left: number; width: number }): JSX.Element {
  const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
  return (
    <>
      <dt class="word" dir="auto" title={part.term}>{part.term}</dt>
      <dd class="track" aria-hidden="true">
        <span class={part.value < 0 ? "fill minus" : "fill"} style={{ insetInlineStart: percent(left), width: percent(width) }} />
      </dd>
      <dd class="value">{signed(part.value)}</dd>
    </>
  );
}
