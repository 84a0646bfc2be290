// Files to the server, one request each, so that none is too large for the sake of another.
import { send } from "../api/client";
import type { Job } from "../api/types";
import { jobs, keep } from "../state/events";
import { say, tried } from "../state/toasts";

const LARGEST = 10_000_000;
const PAUSE = 300;

/** The sentence about files that are too large to send, empty where none is. */
export function tooLarge(files: readonly { readonly name: string; readonly size: number }[]): string {
  const names = files.filter((file) => file.size > LARGEST).map((file) => file.name);
  return names.length ? `Too large to send by the browser (over 10 MB): ${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}. Add them with: vicinal add INDEX FILE` : "";
}

/** Packs files into requests that stay under the limit. */
export function packed<F extends { readonly size: number }>(files: readonly F[], most = LARGEST * 0.9): F[][] {
  const packs: F[][] = [];
  let room = 0;
  for (const file of files.filter((each) => each.size <= LARGEST)) {
    const last = packs[packs.length - 1];
    if (last && file.size <= room) last.push(file);
    else packs.push([file]);
    room = (last && file.size <= room ? room : most) - file.size;
  }
  return packs;
}

async function ended(job: Job): Promise<void> {
  for (;;) {
    const now = jobs.value.find((each) => each.id === job.id);
    if (now && now.state !== "running") return;
    await new Promise((resolve) => window.setTimeout(resolve, PAUSE));
  }
}

/** Sends files pack by pack; the next when the one before was taken in. */
export async function sendFiles(files: readonly File[]): Promise<void> {
  const refused = tooLarge(files);
  if (refused) say(refused, true);
  for (const pack of packed(files)) {
    const form = new FormData();
    pack.forEach((file) => { form.append("files", file, file.name); });
    const job = await tried(() => send<Job>("POST", "/documents", form));
    if (!job) return;
    keep(job);
    await ended(job);
  }
}
