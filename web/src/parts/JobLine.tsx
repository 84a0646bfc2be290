// Work that takes its time: how far it is, and a way to stop it.
import type { JSX } from "preact";
import { send } from "../api/client";
import type { Job } from "../api/types";
import { keep } from "../state/events";
import { tried } from "../state/toasts";

const STATES: Record<Job["state"], string> = { running: "", done: "done", failed: "failed", cancelled: "cancelled" };

export function JobLine({ job }: { job: Job }): JSX.Element {
  const cancel = async (): Promise<void> => {
    const now = await tried(() => send<Job>("DELETE", `/jobs/${job.id}`));
    if (now) keep(now);
  };
  const running = job.state === "running";
  return (
    <div class="stack" data-job={job.state}>
      <div class="row apart">
        <span dir="auto">{job.kind}{job.step && running ? `: ${job.step}` : ""}</span>
        <span class="row"><span class="count">{running ? (job.total ? `${String(job.done)} of ${String(job.total)}` : "") : STATES[job.state]} {job.seconds.toFixed(0)} s</span>
          {running && <button type="button" class="button small" onClick={() => { void cancel(); }}>Cancel</button>}</span>
      </div>
      {running && <progress aria-label={`Progress of ${job.kind}`} value={job.total ? job.done : undefined} max={job.total || undefined} />}
      {job.problem && <p class="notice bad" dir="auto">{job.problem.detail}</p>}
      {job.warnings.map((warning) => <p key={warning} class="lead" dir="auto">{warning}</p>)}
    </div>
  );
}
