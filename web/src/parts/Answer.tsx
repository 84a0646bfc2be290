// An answer of the server: waiting, what went wrong, or what it is.
import type { JSX } from "preact";
import type { Asked } from "../state/asked";

export function Answer<T>({ of, children }: { of: Asked<T>; children: (value: T) => JSX.Element | null }): JSX.Element | null {
  if (of.error) return <p class="notice bad" role="alert">{of.error}</p>;
  if (of.value === null) return of.busy ? <div class="waiting" role="status"><span class="hidden-text">Asking…</span></div> : null;
  return children(of.value);
}
