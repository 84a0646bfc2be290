// What the server says by itself: that the index changed, and how far work is.
import { signal } from "@preact/signals";
import { addressOf, get } from "../api/client";
import type { Job } from "../api/types";
import { load, state, trouble } from "./index";
import { say } from "./toasts";

export const jobs = signal<readonly Job[]>([]);
/** The last job that ended, for panels that show what came of it. */
export const ended = signal<Job | null>(null);

const DONE: Record<string, string> = { fit: "Fitted anew.", add: "Files were added.", update: "Files were updated.", sync: "The folder was read again." };

export function keep(job: Job): void {
  const before = jobs.value.find((each) => each.id === job.id);
  jobs.value = [job, ...jobs.value.filter((each) => each.id !== job.id)].slice(0, 20);
  if (job.state === "running" || (before && before.state !== "running")) return;
  ended.value = job;
  if (!before) return;
  if (job.state === "done") say(DONE[job.kind] ?? "Done.");
  else if (job.state === "failed") say(job.problem?.detail ?? "The work failed.", true);
  else say("Cancelled; nothing was changed.");
}

function heard(data: string): void {
  const { etag } = JSON.parse(data) as { etag: string };
  const fresh = etag.replace(/^W?\/?"|"$/g, "");
  if (fresh !== state.value) void load(fresh);
}

/** Listens for ever; a browser that lost the server tries again by itself, and this page where the browser does not. */
export function listen(): void {
  const source = new EventSource(addressOf("/events"));
  source.addEventListener("state", (event) => { trouble.value = trouble.value?.kind === "offline" ? null : trouble.value; heard((event as MessageEvent<string>).data); });
  source.addEventListener("job", (event) => { keep(JSON.parse((event as MessageEvent<string>).data) as Job); });
  source.onerror = () => {
    if (trouble.value === null) trouble.value = { kind: "offline", text: "The server does not answer. Is it still running? What you see may be old." };
    if (source.readyState !== EventSource.CLOSED) return;
    source.close();
    window.setTimeout(() => { void load().then(listen); }, 2000);
  };
}

export async function loadJobs(): Promise<void> {
  jobs.value = (await get<{ jobs: Job[] }>("/jobs").catch(() => ({ jobs: [] }))).jobs;
}
