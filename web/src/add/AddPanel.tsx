// Adding files, and all work that the server does or did.
import type { JSX } from "preact";
import { JobLine } from "../parts/JobLine";
import { counted, cut } from "../parts/format";
import type { Job } from "../api/types";
import { jobs } from "../state/events";
import { info } from "../state/index";
import { go } from "../state/view";
import { sendFiles } from "./sending";

interface AddResult {
  readonly added?: number;
  readonly changed?: number;
  readonly unchanged?: number;
  readonly skipped?: readonly { readonly source: string; readonly reason: string }[];
}

export function AddPanel(): JSX.Element {
  const pick = (event: Event & { currentTarget: HTMLInputElement }): void => {
    const files = [...(event.currentTarget.files ?? [])];
    event.currentTarget.value = "";
    void sendFiles(files);
  };
  return (
    <>
      <div><h2>Add</h2><p class="lead">Text, HTML, mail, CSV, JSON Lines, Parquet, PDF, Word: dropped anywhere on this page, or selected here. They are embedded at once and appear on the map.</p></div>
      {info.value?.read_only ? <p class="notice">This index is read-only here.</p> : (
        <label class="drop"><span>Drop files here, or</span><span class="button">Select files<input class="hidden-text" type="file" multiple onChange={pick} /></span></label>
      )}
      {info.value?.needs_fit && info.value.documents > 0 && <FitNotice again={info.value.generation > 0} />}
      <section>
        <h3>Work</h3>
        {jobs.value.length === 0 && <p class="empty">Nothing was started yet.</p>}
        <ul class="stack">{jobs.value.map((job) => <li key={job.id} class="card"><JobLine job={job} /><Result job={job} /></li>)}</ul>
      </section>
    </>
  );
}

function FitNotice({ again }: { again: boolean }): JSX.Element {
  return <p class="notice">{again ? "Documents came or went since the last fit." : "The index is not fitted yet: there is no map and there are no clusters."} <button type="button" class="link" onClick={() => { go({ panel: "clusters" }); }}>{again ? "Fit again under Clusters" : "Fit it under Clusters"}</button></p>;
}

function Result({ job }: { job: Job }): JSX.Element | null {
  if (job.kind === "fit" || !job.result) return null;
  const { added, changed, unchanged, skipped = [] } = job.result as AddResult;
  const said = [added !== undefined && `${counted(added, "document")} added`, changed ? `${String(changed)} changed` : "", unchanged ? `${String(unchanged)} unchanged` : ""].filter(Boolean).join(", ");
  return (
    <div class="stack" data-testid="result">
      <p>{said}</p>
      {skipped.slice(0, 20).map((each) => <p key={each.source} class="lead" dir="auto">{cut(each.source, 120)}: {cut(each.reason, 300)}</p>)}
    </div>
  );
}
