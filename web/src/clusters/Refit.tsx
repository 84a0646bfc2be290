// A fit of the whole index, with what it is doing and what came of it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { send } from "../api/client";
import type { Job } from "../api/types";
import { JobLine } from "../parts/JobLine";
import { count, cut } from "../parts/format";
import { jobs, keep } from "../state/events";
import { info, nameOf } from "../state/index";
import { tried } from "../state/toasts";

interface FitResult {
  readonly n_clusters?: number;
  readonly change?: string;
  readonly notes?: readonly string[];
  readonly report?: { readonly moves?: readonly { readonly from: number; readonly to: number; readonly count: number }[]; readonly names?: Readonly<Record<string, string>> };
}

export function Refit(): JSX.Element {
  const [number, setNumber] = useState(""), last = jobs.value.find((each) => each.kind === "fit"), running = last?.state === "running";
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    const job = await tried(() => send<Job>("POST", "/jobs/fit", number ? { n_clusters: Number(number) } : {}));
    if (job) keep(job);
  };
  return (
    <section class="stack">
      <h3>Fit</h3>
      {info.value?.needs_fit && info.value.generation > 0 && <p class="lead">Documents came or went since the last fit.</p>}
      <form class="row bottom" onSubmit={(event) => { void start(event); }}>
        <label class="field grow">Number of clusters
          <input type="text" inputMode="numeric" pattern="[0-9]*" size={6} aria-label="Number of clusters; empty: chosen automatically, or as before" placeholder="automatic, or as before" value={number} onInput={(event) => { setNumber(event.currentTarget.value); }} />
        </label>
        <button type="submit" class="button" disabled={running}>{info.value?.generation ? "Fit again" : "Fit"}</button>
      </form>
      {last && <JobLine job={last} />}
      {last?.state === "done" && <Changed result={(last.result ?? {}) as FitResult} />}
    </section>
  );
}

function Changed({ result }: { result: FitResult }): JSX.Element {
  const moves = (result.report?.moves ?? []).filter((each) => each.from !== each.to).slice(0, 12);
  const name = (number: number): string => (number < 0 ? "no cluster" : cut(result.report?.names?.[String(number)] ?? nameOf(number), 50));
  return (
    <div class="stack" data-testid="changed">
      {result.change && <p dir="auto">{result.change}</p>}
      {(result.notes ?? []).map((note) => <p key={note} class="lead" dir="auto">{note}</p>)}
      {moves.length > 0 && (
        <table>
          <caption class="hidden-text">Documents that are in another cluster now</caption>
          <thead><tr><th scope="col">from</th><th scope="col">to</th><th scope="col" class="number">documents</th></tr></thead>
          <tbody>{moves.map((each) => <tr key={`${String(each.from)} ${String(each.to)}`}><td dir="auto">{name(each.from)}</td><td dir="auto">{name(each.to)}</td><td class="number">{count(each.count)}</td></tr>)}</tbody>
        </table>
      )}
    </div>
  );
}
